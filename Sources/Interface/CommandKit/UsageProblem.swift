import ArgumentParser
import Diagnostics
import SubstratePrimitives

/// What is wrong with a command line, in this program's words, and the command that helps.
struct UsageProblem {
    let tree: CommandTree
    let words: [String]
    /// Whether a word that is like no command is not repeated: it may be a passphrase that was typed at the
    /// wrong prompt.
    var isDiscreet = false

    /// - Parameter message: the parser's; it quotes what it means.
    func diagnostic(_ message: String) -> Diagnostic {
        let (command, names) = tree.named(words)
        let rest = words.dropFirst(names.count)
        if names.isEmpty, let first = rest.first, first.utf8Starts(with: "-"),
            let later = firstCommand(in: rest)
        {
            return Diagnostic(
                "usage", "options come after the command", hint: "heliograph \(later) \(Hints.quoted(first))",
                exit: .usage)
        }
        if !command.configuration.subcommands.isEmpty, let wrong = rest.first, !wrong.utf8Starts(with: "-") {
            return unknown(wrong, names)
        }
        let suggestion = Self.text(between: "Did you mean '", and: "'", in: message)
        let help = ["heliograph", "help"] + names
        let hint = suggestion.map { "did you mean \($0)?" } ?? help.joined(separator: " ")
        return Diagnostic(usage: Self.sentence(message), hint: hint)
    }

    /// `help X` for what is no command.
    static func unknownTopic(_ topic: [String], _ tree: CommandTree) -> Diagnostic? {
        let names = tree.named(topic).names
        let isKnown = topic.isEmpty || topic[0].utf8Starts(with: "-") || topic[0].utf8Equals("help")
        guard !isKnown, names.count < topic.count, let wrong = topic.dropFirst(names.count).first,
            !wrong.utf8Starts(with: "-")
        else {
            return nil
        }
        return UsageProblem(tree: tree, words: topic).unknown(wrong, names, prefix: ["help"])
    }

    private func unknown(_ wrong: String, _ names: [String], prefix: [String] = []) -> Diagnostic {
        let group = names.isEmpty ? "" : " of \(names.joined(separator: " "))"
        let near = nearest(to: wrong, names, prefix)
        let sentence = isDiscreet && near == nil ? "there is no such command" : "there is no command \(wrong)"
        let help = ["heliograph", "help"] + names
        return Diagnostic(
            "usage", sentence + group, hint: near ?? help.joined(separator: " "), exit: .usage)
    }

    /// What the word may mean; nil where nothing is like it.
    private func nearest(to wrong: String, _ names: [String], _ prefix: [String]) -> String? {
        if prefix.isEmpty, names.isEmpty, let meant = tree.meant(by: wrong) {
            return "did you mean \(meant)?"
        }
        if let nearest = tree.nearest(to: words) {
            return (["heliograph"] + prefix + nearest).joined(separator: " ")
        }
        let others = names.isEmpty ? tree.nearestInGroups(to: wrong) : []
        guard let last = others.last else { return nil }
        return "did you mean "
            + (others.count == 1 ? last : others.dropLast().joined(separator: ", ") + " or " + last) + "?"
    }

    private func firstCommand(in words: ArraySlice<String>) -> String? {
        for index in words.indices {
            let names = tree.named(Array(words[index...])).names
            if !names.isEmpty { return names.joined(separator: " ") }
        }
        return nil
    }

    // MARK: The parser's sentences

    /// The parser's message as this program says it: without quotation marks around what the reader typed,
    /// and without a second sentence.
    static func sentence(_ message: String) -> String {
        if let option = text(between: "Unknown option '", and: "'", in: message) {
            return "there is no option \(option)"
        }
        if let name = text(between: "Missing expected argument '", and: "'", in: message) {
            return "\(name) is missing"
        }
        if let names = text(between: "Missing one of: '", and: nil, in: message) {
            return "one of \(unquoted(names)) is missing"
        }
        if let option = text(between: "Missing value for '", and: "'", in: message) {
            let name = option.prefix { $0 != " " }
            return "\(name) needs a value: \(option)"
        }
        if let option = text(between: "The option '", and: "' does not take any value", in: message) {
            return "\(option) takes no value"
        }
        if let word = text(between: "Unexpected argument '", and: nil, in: message) {
            return "\(unquoted(word)) is one argument too many"
        }
        if let words = text(between: " unexpected arguments: '", and: nil, in: message) {
            return "these arguments are too many: \(unquoted(words))"
        }
        if let value = text(between: "The value '", and: "' is invalid for '", in: message),
            let place = text(between: "' is invalid for '", and: "'", in: message)
        {
            let choices =
                text(between: "Please provide one of ", and: nil, in: message).map { ": use \(listed($0))" }
                ?? ""
            return "\(value) is not a value for \(place)\(choices)"
        }
        return message
    }

    private static func listed(_ text: String) -> String {
        let listed = unquoted(text.utf8.last == UInt8(ascii: ".") ? String(text.dropLast()) : text)
        return listed.split(separator: " and ").joined(separator: " or ")
    }

    /// `a', 'b'` as `a, b`.
    private static func unquoted(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != "'" })
    }

    /// What stands between two marks; to the end where `end` is nil.
    private static func text(between start: String, and end: String?, in message: String) -> String? {
        guard let from = message.firstRange(of: start)?.upperBound else { return nil }
        let rest = message[from...]
        guard let end else { return String(rest) }
        return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
    }
}
