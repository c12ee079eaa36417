import ArgumentParser
import Testing

@testable import CommandKit
@testable import TerminalIO
@testable import heliograph

/// The examples below the help of each command.
@Suite struct ExampleLaws {
    private static let tree = CommandTree(program: Heliograph.self)

    /// The commands that help lists and that have no commands below them.
    private static func leaves(_ command: any ParsableCommand.Type, _ names: [String] = []) -> [[String]] {
        let below = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        return below.isEmpty ? [names] : below.flatMap { leaves($0, names + [$0._commandName]) }
    }

    @Test func `every command has an example, and its help shows it`() {
        let leaves = Self.leaves(Heliograph.self)
        #expect(leaves.count > 80)
        for names in leaves {
            #expect(!Self.tree.examples(of: names).isEmpty, "\(names.joined(separator: " "))")
        }
        // A group of commands shows one of each, as many as a screen has room for.
        let keys = Self.tree.examples(of: ["key"])
        #expect(keys.count == 5 && Set(keys.map { $0.split(separator: " ")[1] }).count == 5)
        #expect(Self.tree.examples(of: ["contact", "signer"]).count == 3)
        #expect(Self.tree.examples(of: []).isEmpty)
        #expect(leaves.reduce(0) { $0 + Self.tree.examples(of: $1).count } == Examples.lines.count)
    }

    @Test(arguments: Examples.lines)
    func `an example is a line that its command takes`(line: String) throws {
        let words = try ShellWords.split(line)
        let parsed = try Heliograph.parseAsRoot(words)
        #expect(type(of: parsed) == Self.tree.named(words).command)
    }
}
