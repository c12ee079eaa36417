import ArgumentParser
import CommandKit
import TerminalIO

/// What may stand in place of the last word of a line.
struct Completer {
    struct Candidate: Equatable {
        let text: String
        /// Said beside it where there is room; safe for a terminal.
        var note = ""
        /// Whether the candidate replaces the typed word instead of completing it: an address replaces a
        /// label.
        var replaces = false
    }

    enum Files: Equatable { case none, files, directories }

    struct Answer: Equatable {
        var candidates: [Candidate] = []
        /// Also these of the disk.
        var files = Files.none
        /// How much of the word stands before the value: `--out=`.
        var valueOffset = 0
    }

    /// How many candidates are offered at most: nobody reads more.
    static let limit = 500

    let program: any ParsableCommand.Type
    /// Commands of a shell besides those of the program.
    var ownCommands: [String] = []
    /// Read only where a name is asked for.
    let names: () -> VaultNames

    /// - Parameters:
    ///   - words: those before the word, without the program's name.
    ///   - word: what is typed of it.
    func complete(_ words: [String], _ word: String) -> Answer {
        var answer = unfiltered(words, word)
        answer.candidates = answer.candidates.filter { $0.replaces || $0.text.utf8Starts(with: word) }
        answer.candidates = Array(answer.candidates.filter { VaultNames.isShown($0.text) }.prefix(Self.limit))
        return answer
    }

    private func unfiltered(_ words: [String], _ word: String) -> Answer {
        if let first = words.first, first.utf8Equals("help") {
            return commands(after: Array(words.dropFirst()))
        }
        let (grammar, count) = CommandGrammar.of(words, in: program)
        guard grammar.commands.isEmpty else {
            // A word that is not a command has no subcommands.
            guard count == words.count else { return Answer() }
            if word.utf8Starts(with: "-") { return Answer(candidates: [Candidate(text: "--help")]) }
            return commands(after: words)
        }
        return arguments(grammar, Array(words.dropFirst(count)), word)
    }

    private func commands(after words: [String]) -> Answer {
        let (grammar, count) = CommandGrammar.of(words, in: program)
        guard count == words.count else { return Answer() }
        var candidates = grammar.commands.map { Candidate(text: $0.name, note: $0.abstract) }
        if words.isEmpty { candidates += (["help"] + ownCommands).map { Candidate(text: $0) } }
        return Answer(candidates: candidates)
    }

    // MARK: Arguments

    private func arguments(_ grammar: CommandGrammar, _ words: [String], _ word: String) -> Answer {
        var options = grammar.arguments.filter { $0.kind != .positional }
        let positions = grammar.arguments.filter { $0.kind == .positional }
        var positional: [String] = []
        var awaiting: CommandGrammar.Argument?
        var onlyPositional = false
        for earlier in words {
            if awaiting != nil {
                awaiting = nil
            } else if onlyPositional || !earlier.utf8Starts(with: "-") || earlier.utf8Equals("-") {
                positional.append(earlier)
            } else if earlier.utf8Equals("--") {
                onlyPositional = true
            } else {
                let name = earlier.unicodeScalars.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let index = options.firstIndex(where: { $0.names.containsUTF8(of: String(name[0])) })
                else { continue }
                let option = options[index]
                if option.kind == .option, name.count == 1 { awaiting = option }
                if !option.isRepeating { options.remove(at: index) }
            }
        }
        if let awaiting { return values(awaiting.value, word, positional) }
        if !onlyPositional, word.utf8Starts(with: "-") {
            return self.options(options, word, positional)
        }
        let areAllGiven = positional.count >= positions.count
        guard let position = areAllGiven ? positions.last : positions[positional.count],
            !areAllGiven || position.isRepeating
        else {
            return onlyPositional ? Answer() : named(options)
        }
        return values(position.value, word, positional)
    }

    private func options(_ options: [CommandGrammar.Argument], _ word: String, _ positional: [String])
        -> Answer
    {
        guard let equals = word.unicodeScalars.firstIndex(of: "=") else { return named(options) }
        let scalars = word.unicodeScalars
        let (name, value) = (String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...]))
        guard let option = options.first(where: { $0.kind == .option && $0.names.containsUTF8(of: name) })
        else { return Answer() }
        var answer = values(option.value, value, positional)
        answer.candidates = answer.candidates.map {
            Candidate(text: name + "=" + $0.text, note: $0.note, replaces: $0.replaces)
        }
        answer.valueOffset = name.unicodeScalars.count + 1
        return answer
    }

    private func named(_ options: [CommandGrammar.Argument]) -> Answer {
        Answer(
            candidates: options.flatMap { option in
                option.names.map { Candidate(text: $0, note: option.abstract) }
            })
    }

    // MARK: Values

    private func values(_ value: CompletionValue, _ word: String, _ positional: [String]) -> Answer {
        switch value {
        case .choices(let texts): Answer(candidates: texts.map { Candidate(text: $0) })
        case .file: Answer(files: .files)
        case .directory: Answer(files: .directories)
        case .named(let name): values(name, word, positional)
        case .free: Answer()
        }
    }

    private func values(_ name: NamedValue, _ word: String, _ positional: [String]) -> Answer {
        switch name {
        case .hexOrFile: word.utf8Starts(with: "@") ? Answer(files: .files, valueOffset: 1) : Answer()
        case .seed: named(names().seeds)
        case .network: named(names().networks)
        case .contact: named(names().contacts)
        case .listSigner: named(names().listSigners)
        case .group: named(names().groups)
        case .hostContact: named(names().hostContacts)
        case .address: Answer(candidates: addresses(word, orLabel: false))
        case .addressOrLabel: Answer(candidates: addresses(word, orLabel: true))
        case .metadataVersion: named(positional.last.map(names().versions) ?? [])
        }
    }

    /// Names of a vault, apart from those that the parser would take for an option.
    private func named(_ names: [String]) -> Answer {
        Answer(candidates: names.filter { !$0.utf8Starts(with: "-") }.map { Candidate(text: $0) })
    }

    /// Addresses that begin with the word, in any form. If there are none: addresses whose labels begin with
    /// it.
    private func addresses(_ word: String, orLabel: Bool) -> [Candidate] {
        let keys = names().keys
        var candidates: [Candidate] = []
        for key in keys {
            let forms =
                word.isEmpty
                ? Array(key.addresses.prefix(1)) : key.addresses.filter { $0.utf8Starts(with: word) }
            candidates += forms.map { Candidate(text: $0, note: note(of: key)) }
        }
        let labelled = keys.filter { key in
            guard let label = key.label, VaultNames.isShown(label), !label.utf8Starts(with: "-") else {
                return false
            }
            return label.utf8Starts(with: word)
        }
        if orLabel {
            candidates += labelled.map { Candidate(text: $0.label ?? "", note: note(of: $0)) }
        } else if candidates.isEmpty {
            candidates = labelled.map { Candidate(text: $0.addresses[0], note: note(of: $0), replaces: true) }
        }
        return candidates
    }

    private func note(of key: VaultNames.Key) -> String {
        [key.label ?? "", key.place].filter(VaultNames.isShown).joined(separator: "  ")
    }
}
