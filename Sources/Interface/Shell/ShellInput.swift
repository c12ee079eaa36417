import Glibc
import Presentation
import TerminalIO

/// Where a shell's lines come from: a terminal, edited or plain, or standard input.
final class ShellInput {
    /// Whether a person types them.
    let isTyped = isatty(STDIN_FILENO) == 1
    private let console: Console
    private let isDevelopment: Bool
    private let completer: ShellCompleter
    private let history = LineHistory()

    init(_ console: Console, isDevelopment: Bool, _ completer: ShellCompleter) {
        self.console = console
        self.isDevelopment = isDevelopment
        self.completer = completer
    }

    /// The next line, nil at the end of the input.
    /// - Parameter isUnlocked: whether somebody must be waited for with patience only: with the vault locked
    ///   there is no hurry.
    /// - Throws: ``CommandError/idle(seconds:)``, ``CommandError/wentOnline``
    func next(isUnlocked: Bool) throws(CommandError) -> String? {
        var console = console
        if !isUnlocked { console.patience = nil }
        guard isTyped else { return try console.line(from: STDIN_FILENO) }
        let prompt = Wording.shellPrompt(isUnlocked: isUnlocked, isDevelopment: isDevelopment)
        // An editor for each line: a command may have used the terminal in its own way, and what the editor
        // held is gone before the command runs.
        guard let terminal = console.terminal, console.isScreen,
            let editor = LineEditor(terminal: terminal, history: history)
        else {
            return try plain(prompt, on: console.terminal ?? STDIN_FILENO, console)
        }
        while true {
            let ending = try editor.line(prompt) { (descriptor) throws(CommandError) in
                try console.awaitInput(on: descriptor)
            } complete: { [completer] in
                completer.complete($0)
            }
            switch ending {
            case .line(let text): return text
            case .dropped: Console.write("^C\u{1b}[J\n", to: terminal)
            case .endOfInput:
                Console.write("\n", to: terminal)
                return nil
            }
        }
    }

    /// On a terminal that cannot move its cursor.
    private func plain(_ prompt: String, on terminal: Int32, _ console: Console) throws(CommandError)
        -> String?
    {
        Console.write(prompt, to: terminal)
        do throws(CommandError) {
            return try console.line(from: terminal)
        } catch {
            Console.write("\n", to: terminal)
            throw error
        }
    }

    /// Keeps a line for the arrow keys. One that starts with a blank is not kept.
    func remember(_ line: String) {
        if line.unicodeScalars.first != " " { history.add(line) }
    }

    /// Wipes the earlier lines.
    func forget() { history.clear() }
}
