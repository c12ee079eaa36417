import ArgumentParser
import Testing

@testable import heliograph

/// Every command that prints or changes something can answer with one JSON document.
@Suite struct JSONOptionLaws {
    /// A shell has no result of its own, a phrase goes into no document, and completions are read by shells.
    private static let without: Set = [
        "shell", "seed show", "seed backup", "vault bind recovery", "util seed-from", "completions",
        "complete",
    ]

    @Test func `every command has --json`() {
        var checked = 0
        func walk(_ command: any ParsableCommand.Type, _ names: [String]) {
            guard command.configuration.subcommands.isEmpty else {
                for next in command.configuration.subcommands { walk(next, names + [next._commandName]) }
                return
            }
            let name = names.joined(separator: " ")
            guard !Self.without.contains(name) else { return }
            checked += 1
            #expect(command.helpMessage().contains("--json"), "\(name)")
        }
        walk(Heliograph.self, [])
        #expect(checked > 55)
    }
}
