import ArgumentParser
import Diagnostics
import SubstratePrimitives
import Testing

@testable import CommandKit
@testable import TerminalIO
@testable import heliograph

/// A command line that is not understood is answered in this program's words, with the command that was most
/// likely meant.
@Suite struct UsageProblemLaws {
    private static let tree = CommandTree(program: Heliograph.self)

    private static func told(_ line: String) -> Diagnostic? {
        let words = line.split(separator: " ").map(String.init)
        do {
            _ = try Heliograph.parseAsRoot(words)
            return nil
        } catch {
            return UsageProblem(tree: tree, words: words).diagnostic(Heliograph.message(for: error))
        }
    }

    @Test(arguments: [
        ("key lst", "there is no command lst of key", "heliograph key list"),
        ("metadta list", "there is no command metadta", "heliograph metadata"),
        (
            "list networks", "there is no command list",
            """
            did you mean seed list, key list, contact list, network list, metadata list, camera list or \
            group list?
            """
        ),
        ("list network", "there is no command list", "heliograph network list"),
        ("sign tx.png", "there is no command sign", "did you mean scan?"),
        ("xyzzy", "there is no command xyzzy", "heliograph help"),
        ("status --vualt a", "there is no option --vualt", "did you mean --vault?"),
        ("status --nothing", "there is no option --nothing", "heliograph help status"),
        ("key derive", "<seed> is missing", "heliograph help key derive"),
        ("status --vault", "--vault needs a value: --vault <dir>", "heliograph help status"),
        ("status now", "now is one argument too many", "heliograph help status"),
        ("status now then", "these arguments are too many: now, then", "heliograph help status"),
        (
            "init --networks all", "all is not a value for --networks <set>: use default or none",
            "heliograph help init"
        ),
        ("init --allow-online=yes", "--allow-online takes no value", "heliograph help init"),
        (
            "key list --passphrase-fd x", "x is not a value for --passphrase-fd <n>",
            "heliograph help key list"
        ),
        ("--vault d status", "options come after the command", "heliograph status --vault"),
    ])
    func `a line that is not understood leads on`(line: String, message: String, hint: String) {
        #expect(Self.told(line) == Diagnostic("usage", message, hint: hint, exit: .usage))
    }

    /// Whatever is missing or too much: no sentence of the parser is left.
    @Test func `no sentence of the parser is passed on`() {
        var told = 0
        func walk(_ command: any ParsableCommand.Type, _ names: [String]) {
            for words in [
                names, names + ["--nothing"], names + ["a", "b", "c", "d", "e", "f", "g"],
                names + ["--vault"], names + ["-x"],
            ] {
                guard let problem = Self.told(words.joined(separator: " ")) else { continue }
                told += 1
                #expect(problem.exit == .usage && problem.hint != nil)
                #expect(
                    !problem.message.contains("'") && problem.message.first?.isUppercase == false,
                    "\(words): \(problem.message)")
            }
            for next in command.configuration.subcommands { walk(next, names + [next._commandName]) }
        }
        walk(Heliograph.self, [])
        #expect(told > 100)
    }

    /// The list says each name a second time, so that a word finds its command without the types of the
    /// others.
    @Test func `every command answers to its name in the list and has no other`() {
        for row in CommandList.rows {
            let configuration = row.command().configuration
            #expect(row.name.utf8Equals(row.command()._commandName))
            let named = Self.tree.named([row.name]).command == row.command()
            #expect(named, "\(row.name)")
            #expect(
                configuration.aliases.isEmpty
                    && configuration.subcommands.allSatisfy { $0.configuration.aliases.isEmpty })
        }
        #expect(Set(CommandList.rows.map(\.name)).count == CommandList.rows.count)
        let isBelow = Self.tree.named(["seed", "new"]).command == SeedNew.self
        #expect(isBelow)
        #expect(CommandList.command(named: "stat") == nil && CommandList.command(named: "") == nil)
    }

    @Test func `an unknown topic of help is refused`() {
        #expect(UsageProblem.unknownTopic(["key", "list"], Self.tree) == nil)
        #expect(UsageProblem.unknownTopic([], Self.tree) == nil)
        #expect(UsageProblem.unknownTopic(["help"], Self.tree) == nil)
        #expect(UsageProblem.unknownTopic(["kye"], Self.tree)?.hint == "heliograph help key")
        #expect(UsageProblem.unknownTopic(["key", "lst"], Self.tree)?.hint == "heliograph help key list")
        #expect(UsageProblem.unknownTopic(["xyzzy"], Self.tree)?.hint == "heliograph help")
    }
}

@Suite struct ShellQuotingLaws {
    /// `heliograph shell` splits it into the word again, and into one; so do other shells.
    @Test(arguments: [
        "main", "the dev seed", "it's", "a\"b", "", "$(reboot)", "a;b", "-x", "ä", "a\\b", "//polkadot//0",
        "~", "*",
    ])
    func `a quoted word is the word`(word: String) throws {
        #expect(try ShellWords.split("x " + Hints.quoted(word)) == ["x", word])
    }

    @Test func `a word that no shell reads anything into stays as it is`() {
        #expect(Hints.quoted("//polkadot//0") == "//polkadot//0")
        #expect(Hints.quoted("$HOME") == "'$HOME'")
        #expect(Hints.quoted("~") == "'~'")
    }
}
