import ArgumentParser
import Ceremony
import CommandKit
import SubstratePrimitives
import TerminalIO

/// What Tab does in the shell.
struct ShellCompleter {
    /// Commands that only the shell has.
    static let ownCommands = ["lock", "exit"]

    private let completer: Completer
    private let roots: [String]

    init(program: any ParsableCommand.Type, device: Device, roots: [String]) {
        self.init(program: program, roots: roots) { (try? VaultNames(device)) ?? VaultNames() }
    }

    init(program: any ParsableCommand.Type, roots: [String], names: @escaping () -> VaultNames) {
        completer = Completer(program: program, ownCommands: Self.ownCommands, names: names)
        self.roots = roots
    }

    /// Whether a line names a command, rather than being something that was typed at the wrong question.
    static func isCommand(_ words: [String], of program: any ParsableCommand.Type) -> Bool {
        guard let first = words.first else { return false }
        if (ownCommands + ["help", "heliograph"]).containsUTF8(of: first) { return true }
        return !CommandTree(program: program).named([first]).names.isEmpty
    }

    /// Puts the only candidate in the place of the word; of several, what they have in common, or else all of
    /// them below the line.
    func complete(_ line: String) -> LineEditor.Completion {
        let begun = BegunLine(line)
        let words = begun.words.first.utf8Equals("heliograph") ? Array(begun.words.dropFirst()) : begun.words
        let answer = completer.complete(words, begun.word)
        let choices = choices(answer, begun.word)
        guard let first = choices.first?.text else { return LineEditor.Completion() }
        let typed = line.unicodeScalars.count - begun.start
        if choices.count == 1 {
            // Below a directory there may be more.
            let goesOn = first.unicodeScalars.last == "/"
            let word = ShellWords.typed(first, isFinished: !goesOn) + (goesOn ? "" : " ")
            return LineEditor.Completion(removed: typed, inserted: word)
        }
        let common = choices.dropFirst().reduce(first) { Self.commonStart($0, $1.text) }
        if common.utf8Starts(with: begun.word), !common.utf8Equals(begun.word) {
            return LineEditor.Completion(
                removed: typed, inserted: ShellWords.typed(common, isFinished: false))
        }
        return LineEditor.Completion(choices: choices)
    }

    /// Whole words, those of the disk behind those of the program.
    private func choices(_ answer: Completer.Answer, _ word: String) -> [LineEditor.Choice] {
        let named = answer.candidates.map { LineEditor.Choice(text: $0.text, note: $0.note) }
        guard answer.files != .none else { return named }
        let head = String(word.unicodeScalars.prefix(answer.valueOffset))
        let path = String(word.unicodeScalars.dropFirst(answer.valueOffset))
        let paths = PathCompletion.candidates(
            path, onlyDirectories: answer.files == .directories, roots: roots)
        return named
            + paths.filter(VaultNames.isShown).prefix(Completer.limit).map {
                LineEditor.Choice(text: head + $0, note: "")
            }
    }

    private static func commonStart(_ one: String, _ other: String) -> String {
        let pairs = zip(one.unicodeScalars, other.unicodeScalars)
        return String(String.UnicodeScalarView(pairs.prefix { $0 == $1 }.map(\.0)))
    }
}
