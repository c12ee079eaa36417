import CLibedit
import Glibc
import SystemIO

/// A line that a person edits at the terminal, with libedit.
///
/// libedit waits for each key through ``Console/awaitInput(on:)``, so the shell's time without input and the
/// network are watched while a line is edited. It reads no file of its user (`~/.editrc` could bind a key to
/// a command that was never typed), and of the descriptions of terminals only the system's. What it holds is
/// never a secret by design: questions for secrets do not go through it.
package final class LineEditor {
    /// How the editing of a line ends.
    package enum Ending {
        case line(String)
        /// Ctrl-C: the line is dropped.
        case dropped
        /// Ctrl-D in an empty line, or the terminal is gone.
        case endOfInput
    }

    /// What takes the place of the text before the cursor.
    package struct Completion: Equatable {
        /// Scalars before the cursor that go.
        var removed = 0
        var inserted = ""
        /// Printed below the line; empty where there is nothing to choose.
        var choices: [Choice] = []

        package init(removed: Int = 0, inserted: String = "", choices: [Choice] = []) {
            (self.removed, self.inserted, self.choices) = (removed, inserted, choices)
        }
    }

    /// A candidate and what is said of it, both safe for a terminal.
    package struct Choice: Equatable {
        package let text: String
        let note: String

        package init(text: String, note: String) {
            (self.text, self.note) = (text, note)
        }
    }

    let terminal: Int32
    private let history: LineHistory
    private var editor: OpaquePointer?
    /// The size of the window when the line began. A resize is not passed to libedit, because its `el_resize`
    /// writes beyond its buffers if a line no longer fits. The next line gets a new editor with the new size.
    private var size = winsize()
    /// The prompt in the form that libedit reads. It must live as long as the line.
    private var prompt: UnsafeMutablePointer<wchar_t>?
    private var wait: (Int32) throws(CommandError) -> Void = { _ throws(CommandError) in }
    private var complete: (String) -> Completion = { _ in Completion() }
    /// Set by the key that ends the line; libedit, which may ask for more keys then, gets none.
    private var stopped: Stop?

    private enum Stop {
        case dropped
        case endOfInput
        case failure(CommandError)
    }

    /// nil where libedit cannot work on the terminal.
    package init?(terminal: Int32, history: LineHistory) {
        self.terminal = terminal
        self.history = history
        // libedit knows letters beyond ASCII by the locale; nothing else here asks for it.
        setlocale(LC_CTYPE, "C.UTF-8")
        let client = Unmanaged.passUnretained(self).toOpaque()
        editor = UserTerminfo.ignored {
            heliograph_editor_new(
                terminal, client, Self.givePrompt, Self.readKey, Self.completeWord, history.lines)
        }
        guard editor != nil else { return nil }
        _ = ioctl(terminal, UInt(TIOCGWINSZ), &size)
    }

    deinit {
        if let editor { heliograph_editor_end(editor) }
        prompt?.deallocate()
    }

    /// - Parameters:
    ///   - wait: returns when there is a key to read.
    ///   - complete: completes the text before the cursor, for Tab.
    package func line(
        _ prompt: String, wait: @escaping (Int32) throws(CommandError) -> Void,
        complete: @escaping (String) -> Completion
    ) throws(CommandError) -> Ending {
        guard let editor else { return .endOfInput }
        self.prompt?.deallocate()
        self.prompt = wide(prompt)
        self.wait = wait
        self.complete = complete
        stopped = nil
        var count: Int32 = 0
        let text = el_wgets(editor, &count)
        let line = text.map { string($0, Int(max(0, count))) }
        switch stopped {
        case .failure(let error): throw error
        case .dropped: return .dropped
        case .endOfInput: return .endOfInput
        case nil: break
        }
        guard let line, count > 0 else { return .endOfInput }
        return .line(line.unicodeScalars.last == "\n" ? String(line.unicodeScalars.dropLast()) : line)
    }

    // MARK: Keys

    /// 1 and the next key, or 0 at the end of the input.
    private func next(_ key: UnsafeMutablePointer<wchar_t>) -> Int32 {
        guard stopped == nil else { return 0 }
        do throws(CommandError) {
            try wait(terminal)
        } catch {
            stopped = .failure(error)
            return 0
        }
        let scalar: Unicode.Scalar?
        do throws(CommandError) {
            scalar = try nextScalar()
        } catch {
            stopped = .failure(error)
            return 0
        }
        guard let scalar else {
            stopped = .endOfInput
            return 0
        }
        if scalar == Self.controlC {
            stopped = .dropped
            return 0
        }
        key.pointee = wchar_t(scalar.value)
        return 1
    }

    private static let controlC: Unicode.Scalar = "\u{3}"

    /// One scalar of UTF-8; U+FFFD for invalid bytes. Its bytes come together, but a serial line may lose
    /// some: each is waited for like a key, so that the vault locks in time.
    private func nextScalar() throws(CommandError) -> Unicode.Scalar? {
        var bytes: [UInt8] = []
        var length = 1
        while bytes.count < length {
            if !bytes.isEmpty { try wait(terminal) }
            var byte: UInt8 = 0
            guard retrying({ read(terminal, &byte, 1) }) == 1 else { return nil }
            bytes.append(byte)
            if bytes.count == 1 {
                switch byte {
                case 0xc2..<0xe0: length = 2
                case 0xe0..<0xf0: length = 3
                case 0xf0..<0xf5: length = 4
                default: break
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
    }

    // MARK: Completion

    private func completeLine() -> UInt8 {
        guard let editor, let line = el_wline(editor) else { return UInt8(CC_ERROR) }
        let before = string(line.pointee.buffer, line.pointee.cursor! - line.pointee.buffer!)
        let completion = complete(before)
        if completion.removed == 0, completion.inserted.isEmpty, completion.choices.isEmpty {
            return UInt8(CC_REFRESH_BEEP)
        }
        if completion.removed > 0 { el_deletestr(editor, Int32(completion.removed)) }
        if !completion.inserted.isEmpty {
            let text = wide(completion.inserted)
            defer { text.deallocate() }
            el_winsertstr(editor, text)
        }
        guard !completion.choices.isEmpty else { return UInt8(CC_REFRESH) }
        let width = size.ws_col > 0 ? Int(size.ws_col) : 80
        Console.write(
            "\n" + ChoiceList.lines(completion.choices, width: width).map { $0 + "\n" }.joined(), to: terminal
        )
        return UInt8(CC_REDISPLAY)
    }

    // MARK: What libedit calls

    private static func of(_ editor: OpaquePointer?) -> LineEditor {
        Unmanaged.fromOpaque(heliograph_editor_client(editor)).takeUnretainedValue()
    }

    private static let givePrompt: heliograph_prompt = { LineEditor.of($0).prompt }
    private static let readKey: heliograph_read = { LineEditor.of($0).next($1!) }
    private static let completeWord: heliograph_key = { editor, _ in LineEditor.of(editor).completeLine() }
}

/// Text as libedit takes it, with a zero behind it; the caller frees it.
private func wide(_ text: String) -> UnsafeMutablePointer<wchar_t> {
    let scalars = text.unicodeScalars.map { wchar_t($0.value) } + [0]
    let buffer = UnsafeMutablePointer<wchar_t>.allocate(capacity: scalars.count)
    buffer.initialize(from: scalars, count: scalars.count)
    return buffer
}

private func string(_ start: UnsafePointer<wchar_t>?, _ count: Int) -> String {
    var text = String.UnicodeScalarView()
    for character in UnsafeBufferPointer(start: start, count: count) {
        text.append(Unicode.Scalar(UInt32(character)) ?? "\u{fffd}")
    }
    return String(text)
}

/// The lines of a shell that the arrow keys and Ctrl-R bring back: in memory only, overwritten when the vault
/// locks.
package final class LineHistory {
    /// Lines that are kept; older ones go.
    static let limit = 200

    /// libedit's own list.
    let lines: OpaquePointer?

    package init() { lines = heliograph_history_new(Int32(Self.limit)) }

    deinit {
        clear()
        if let lines { history_wend(lines) }
    }

    package func add(_ line: String) {
        guard let lines else { return }
        var text = line.unicodeScalars.map { wchar_t($0.value) } + [0]
        heliograph_history_add(lines, text)
        for index in text.indices { text[index] = 0 }
    }

    package func clear() {
        if let lines { heliograph_history_clear(lines) }
    }
}

/// Descriptions of terminals that a user, or whoever starts the program, could bring.
///
/// They are compiled data that a C library reads, and they decide which bytes a screen gets, so only those of
/// the system are used.
enum UserTerminfo {
    private static let variables = ["TERMINFO", "TERMINFO_DIRS", "TERMCAP", "TERMPATH"]

    /// Runs `body` without them. `HOME`, below which `.terminfo` may lie, is there again afterwards.
    static func ignored<R>(_ body: () -> R) -> R {
        variables.forEach { unsetenv($0) }
        let home = getenv("HOME").map { String(cString: $0) }
        unsetenv("HOME")
        defer { if let home { setenv("HOME", home, 1) } }
        return body()
    }
}

/// Choices as lines of a window: one on each line if they have notes, and otherwise as many on a line as fit.
enum ChoiceList {
    /// Lines that are shown; what is left is counted.
    static let maximumLines = 16

    static func lines(_ choices: [LineEditor.Choice], width: Int) -> [String] {
        let column = (choices.map { columns($0.text) }.max() ?? 0) + 2
        let hasNotes = choices.contains { !$0.note.isEmpty }
        let perLine = hasNotes ? 1 : max(1, width / column)
        let rows = (choices.count + perLine - 1) / perLine
        let shownRows = min(rows, maximumLines)
        var lines: [String] = []
        for row in 0..<shownRows {
            let row = choices[row * perLine..<min(choices.count, (row + 1) * perLine)]
            var line = row.map { padded($0.text, to: column) }.joined()
            if hasNotes, let note = row.first?.note { line += cut(note, to: width - 1 - column) }
            while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
            lines.append(line)
        }
        if shownRows < rows {
            lines.append("and \(choices.count - shownRows * perLine) more: type another letter")
        }
        return lines
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// Ends with `...` where it is longer.
    private static func cut(_ text: String, to width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 3 else { return "" }
        var (kept, used) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            used += columns(of: scalar)
            if used > width - 3 { break }
            kept.append(scalar)
        }
        return String(kept) + "..."
    }

    private static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// Unescaped letters of East Asian scripts are two columns wide.
    private static func columns(of scalar: Unicode.Scalar) -> Int { scalar.value >= 0x2e80 ? 2 : 1 }
}
