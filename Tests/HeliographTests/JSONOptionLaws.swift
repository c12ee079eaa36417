import ArgumentParser
import Testing

@testable import heliograph

/// Every command that prints or changes something can answer with one JSON document.
@Suite struct JSONOptionLaws {
    /// A shell has no result of its own; the other results are pictures.
    private static let without: Set = ["shell", "key export", "key secret"]

    @Test func `every command of the trust store, the log, the policy, the shield, keys and tools has --json`() {
        var checked = 0
        func walk(_ command: any ParsableCommand.Type, _ names: [String]) {
            guard command.configuration.subcommands.isEmpty else {
                for next in command.configuration.subcommands { walk(next, names + [next._commandName]) }
                return
            }
            let name = names.joined(separator: " ")
            guard !Self.without.contains(name), !["seed", "init"].contains(names.first) else { return }
            checked += 1
            #expect(command.helpMessage().contains("--json"), "\(name)")
        }
        walk(Heliograph.self, [])
        #expect(checked > 40)
    }
}
