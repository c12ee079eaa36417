import ArgumentParser
import Diagnostics
import SubstratePrimitives

/// What is wrong with a command line, in this program's words, and the command that helps.
struct UsageProblem {
    let tree: CommandTree
    let words: [String]
    /// Whether a word that resembles no command is kept out of the message: it may be a passphrase that was
    /// typed at the wrong prompt.
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
        let suggestion = Self.holes("Unknown option '%'. Did you mean '%'", in: message)?[1]
        let help = ["heliograph", "help"] + names
        let hint = suggestion.map { "did you mean \($0)?" } ?? help.joined(separator: " ")
        return Diagnostic(usage: Self.sentence(message), hint: hint)
    }

    /// `help X` for what is not a command.
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
        // The commands of all groups are like many words, so like them is not enough where the word may be
        // the first of a passphrase.
        let others = (names.isEmpty ? tree.nearestInGroups(to: wrong) : []).filter {
            !isDiscreet || $0.utf8Ends(with: " \(wrong)")
        }
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
    ///
    /// Its error types are private, and it offers only these sentences. Each stands here in full. A law
    /// collects the sentences from the parser of every command, and fails if one is missing here.
    static func sentence(_ message: String) -> String {
        func holes(_ form: String) -> [String]? { Self.holes(form, in: message) }
        if let option = holes("Unknown option '%'") { return "there is no option \(option[0])" }
        if let name = holes("Missing expected argument '%'") { return "\(name[0]) is missing" }
        if let option = holes("Missing value for '%'") {
            return "\(option[0].prefix { $0 != " " }) needs a value: \(option[0])"
        }
        if let option = holes("The option '%' does not take any value") {
            return "\(option[0]) takes no value"
        }
        if let word = holes("Unexpected argument '%") {
            return "\(unquoted(word[0])) is one argument too many"
        }
        if let words = holes("% unexpected arguments: '%") {
            return "these arguments are too many: \(unquoted(words[1]))"
        }
        if let value = holes("The value '%' is invalid for '%'") {
            let choices = holes("%Please provide one of %").map { ": use \(listed($0[1]))" } ?? ""
            return "\(value[0]) is not a value for \(value[1])\(choices)"
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

    /// What stands in a message for each `%` of a sentence; nil for a message that does not begin as it does.
    private static func holes(_ form: String, in message: String) -> [String]? {
        let marks = form.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard message.utf8Starts(with: marks[0]) else { return nil }
        var rest = Substring(message.utf8.dropFirst(marks[0].utf8.count))
        var holes: [String] = []
        for mark in marks.dropFirst() {
            guard !mark.isEmpty else { return holes + [String(rest)] }
            guard let range = rest.firstRange(of: mark) else { return nil }
            holes.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return holes
    }
}
