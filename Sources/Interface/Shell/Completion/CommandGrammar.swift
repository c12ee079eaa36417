import ArgumentParser
import CommandKit
import FoundationEssentials

/// What may follow the name of a command, as the parser itself states it.
struct CommandGrammar {
    struct Argument {
        enum Kind { case positional, option, flag }

        let kind: Kind
        /// With their dashes: `--vault`; empty for a positional argument.
        let names: [String]
        let valueName: String
        /// What completes its value.
        let value: CompletionValue
        let isRepeating: Bool
        let abstract: String
    }

    /// Below the program, such as `["key", "list"]`.
    let path: [String]
    /// Its own commands, with what each does; empty for a command that runs.
    let commands: [(name: String, abstract: String)]
    let arguments: [Argument]

    /// The command that `words` start with, and how many words name it. Hidden commands are found, but not
    /// listed.
    static func of(_ words: [String], in program: any ParsableCommand.Type) -> (
        grammar: CommandGrammar, count: Int
    ) {
        let (command, path) = CommandTree(program: program).named(words)
        let listed = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let commands = listed.map { (name: $0._commandName, abstract: $0.configuration.abstract) }
        // The parser states a command with all below it, which takes long for the program itself.
        return (
            CommandGrammar(
                path: path, commands: commands, arguments: commands.isEmpty ? arguments(of: command) : []),
            path.count
        )
    }

    private static func arguments(of command: any ParsableCommand.Type) -> [Argument] {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(command._dumpHelp().utf8))
        else { return [] }
        return (document.command.arguments ?? []).filter(\.shouldDisplay).compactMap { stated in
            guard let kind = stated.parsedKind else { return nil }
            return Argument(
                kind: kind, names: (stated.names ?? []).map(\.text), valueName: stated.valueName ?? "",
                value: CompletionValue(stated.completionKind, allValues: stated.allValues ?? []),
                isRepeating: stated.isRepeating, abstract: stated.abstract ?? "")
        }
    }

    // The form of the parser's `--experimental-dump-help`.
    private struct Document: Decodable {
        struct Command: Decodable { let arguments: [Stated]? }
        struct Name: Decodable {
            let kind: String
            let name: String
            var text: String { (kind == "long" ? "--" : "-") + name }
        }
        struct Stated: Decodable {
            let kind: String
            let names: [Name]?
            let valueName: String?
            let allValues: [String]?
            let completionKind: CompletionValue.Stated?
            let isRepeating: Bool
            let shouldDisplay: Bool
            let abstract: String?

            var parsedKind: Argument.Kind? {
                switch kind {
                case "positional": .positional
                case "option": .option
                case "flag": .flag
                default: nil
                }
            }
        }
        let command: Command
    }
}
