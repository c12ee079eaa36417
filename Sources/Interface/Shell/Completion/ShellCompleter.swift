import ArgumentParser
import Ceremony
import CommandKit
import Glibc
import SubstratePrimitives
import SystemIO
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

    /// Replaces the word by the only candidate, or by what several candidates have in common, or lists them
    /// below the line.
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

    /// Whole words: names of the program first, then names of files.
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

/// Names of files and directories that begin a path.
enum PathCompletion {
    /// Entries of a directory that are looked at.
    static let limit = 5_000

    /// Paths that begin with `typed`, directories with a slash behind them, in order of their bytes.
    /// - Parameter roots: directories that are offered even if the directories above them may not be read.
    static func candidates(_ typed: String, onlyDirectories: Bool, roots: [String]) -> [String] {
        let slash = typed.unicodeScalars.lastIndex(of: "/")
        let folder = slash.map { String(typed.unicodeScalars[...$0]) } ?? ""
        let name = slash.map { String(typed.unicodeScalars[$0...].dropFirst()) } ?? typed
        var found: [String] = []
        for entry in entries(folder.isEmpty ? "." : folder) where entry.utf8Starts(with: name) {
            // As in every shell, hidden files are for who asks for them.
            if entry.utf8Starts(with: "."), !name.utf8Starts(with: ".") { continue }
            let isFolder = isFolder(folder + entry)
            if isFolder || !onlyDirectories { found.append(folder + entry + (isFolder ? "/" : "")) }
        }
        found += roots.map { $0 + "/" }.filter {
            $0.utf8Starts(with: typed) && !$0.utf8Equals(typed) && !found.containsUTF8(of: $0)
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func entries(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // A name that is not UTF-8 is not a word that could be typed.
            if let name, !name.utf8Equals("."), !name.utf8Equals("..") { names.append(name) }
        }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
