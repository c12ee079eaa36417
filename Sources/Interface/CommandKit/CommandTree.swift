import ArgumentParser
import Diagnostics
import SubstratePrimitives
import TerminalIO

/// A program that finds a command of its own by name, without asking the types of all its commands for
/// theirs.
package protocol NamingCommands: ParsableCommand {
    static func command(named word: String) -> (any ParsableCommand.Type)?
    /// Lines for the help of its commands, without the program's name.
    static var examples: [String] { get }
}

/// The commands by their names.
package struct CommandTree {
    let program: any ParsableCommand.Type

    package init(program: any ParsableCommand.Type) {
        self.program = program
    }

    /// The commands that run if no command is given, and for `--version`.
    private static let (overview, version) = ("overview", "version")

    /// The command that the first of `words` name, such as `seed new`, and those words.
    package func named(_ words: [String]) -> (command: any ParsableCommand.Type, names: [String]) {
        var command = program
        var found: [String] = []
        for word in words {
            guard let next = Self.command(word, of: command) else { break }
            command = next
            found.append(word)
        }
        return (command, found)
    }

    /// What other programs call these commands.
    private static let meant: [ExactText: String] = [
        "sign": "scan", "read": "scan", "show": "inspect", "decode": "inspect", "create": "init",
        "new": "init",
        "address": "key", "wallet": "key",
    ]

    /// The examples of a command; of one that only groups others, the first of each of those.
    /// - Parameter names: the words that name it.
    func examples(of names: [String]) -> [String] {
        guard !names.isEmpty, let naming = program as? any NamingCommands.Type else { return [] }
        var leaves: [[String]] = []
        let examples = naming.examples.map {
            (line: $0, names: named((try? ShellWords.split($0)) ?? []).names)
        }
        let own = examples.filter { $0.names.utf8ElementsEqual(names) }
        guard own.isEmpty else { return own.map(\.line) }
        return examples.filter { example in
            guard example.names.starts(with: names, by: { $0.utf8Equals($1) }),
                !leaves.contains(where: { $0.utf8ElementsEqual(example.names) })
            else { return false }
            leaves.append(example.names)
            return leaves.count <= Self.mostOfGroup
        }.map(\.line)
    }

    /// Examples below the help of a group, whose commands have all of them.
    private static let mostOfGroup = 5

    /// The command that a word of another program means; nil for any other word.
    func meant(by word: String) -> String? { Self.meant[ExactText(word)] }

    /// The words of the nearest command, if `words` begin with a command but continue with an unknown
    /// subcommand.
    func nearest(to words: [String]) -> [String]? {
        let (command, names) = named(words)
        guard let wrong = words.dropFirst(names.count).first else { return nil }
        let all = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
            $0._commandName
        }
        if let near = EditDistance.nearest(to: wrong, among: all) { return names + [near] }
        // `list network` for `network list`.
        guard names.isEmpty, words.count >= 2 else { return nil }
        let turned = named([words[1], words[0]])
        return turned.names.count == 2 ? turned.names : nil
    }

    /// The commands of the groups whose last name is nearest to a word: `seed list` and `key list` for `lst`.
    func nearestInGroups(to word: String) -> [String] {
        let groups = program.configuration.subcommands.filter {
            $0.configuration.shouldDisplay && !$0.configuration.subcommands.isEmpty
        }
        let all = groups.flatMap { group in
            group.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
                (group._commandName, $0._commandName)
            }
        }
        guard let near = EditDistance.nearest(to: word, among: Set(all.map(\.1)).sorted()) else { return [] }
        return all.filter { $0.1.utf8Equals(near) }.map { "\($0.0) \($0.1)" }
    }

    /// The words with the command that they mean but do not name: `--version`, a topic of `help`, or the
    /// overview for no words and for its options alone.
    func rewritten(_ words: [String]) -> [String] {
        guard let first = words.first else { return [Self.overview] }
        if first.utf8Equals("--version") { return [Self.version] + words.dropFirst() }
        if first.utf8Equals("help"), let topic = words.dropFirst().first,
            ["errors", "updates"].containsUTF8(of: topic)
        {
            return Array(words.dropFirst())
        }
        let isOptionOfParser =
            ["--help", "--generate-completion-script", "--experimental-dump-help"].containsUTF8(of: first)
        let namesCommand = words.contains { !named([$0]).names.isEmpty }
        guard first.utf8Starts(with: "--"), !isOptionOfParser, !namesCommand else { return words }
        return [Self.overview] + words
    }

    /// No command has an alias.
    private static func command(_ word: String, of group: any ParsableCommand.Type) -> (
        any ParsableCommand.Type
    )? {
        if let naming = group as? any NamingCommands.Type { return naming.command(named: word) }
        return group.configuration.subcommands.first { $0._commandName.utf8Equals(word) }
    }
}
