import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Glibc
import Keys
import Presentation
import Sandbox
import SubstratePrimitives
import TerminalIO

/// Reads lines and runs them until the input ends.
struct ShellLoop {
    private let program: any ParsableCommand.Type
    private let console: Console
    private let keeper: SessionKeeper
    private let sandbox: Sandbox.Report
    /// Real paths of what the program is closed in to.
    private let roots: [String]
    private let seconds: Int
    private let input: ShellInput

    init(
        _ context: CommandContext, keeper: SessionKeeper, vault: Device, roots: [String], seconds: Int,
        isDevelopment: Bool
    ) {
        var console = context.console
        console.patience = seconds
        console.endsWhenOnline = !isDevelopment
        self.console = console
        program = context.program
        self.keeper = keeper
        sandbox = context.sandbox
        let realRoots = roots.compactMap(Self.realPath)
        self.roots = realRoots
        self.seconds = seconds
        let completer = ShellCompleter(program: program, device: vault, roots: realRoots)
        input = ShellInput(console, isDevelopment: isDevelopment, completer)
    }

    /// - Returns: the exit code of the last command.
    func run() throws(CommandError) -> Int32 {
        // Stopped by Ctrl-Z, an open vault would not lock itself.
        signal(SIGTSTP, SIG_IGN)
        TerminalMode.outlivesInterrupts = input.isTyped
        var code: Int32 = 0
        if input.isTyped { console.note(Wording.lockedYet) }
        while let line = try nextLine() {
            let wasUnlocked = keeper.isUnlocked
            switch Result(catching: { () throws(CommandError) in try ShellWords.split(line) }) {
            case .success([]): continue
            case .success(["exit"]), .success(["quit"]):
                end()
                return code
            case .success(let words):
                if ShellCompleter.isCommand(words, of: program) { input.remember(line) }
                code = run(words)
                wipeStack()
            case .failure(let error): code = runner.tell(Wording.diagnostic(error), json: false)
            }
            // Nobody answered a question, the network came while it was open, or Ctrl-C ended it.
            if code == Diagnostic.Exit.interrupted.rawValue, keeper.isUnlocked {
                lock(Wording.locked, .interrupted, unasked: true)
            }
            // A command or a refusal locked it.
            if wasUnlocked, !keeper.isUnlocked { input.forget() }
            if code != 0 { console.note("heliograph: exit \(code)") }
        }
        end()
        return code
    }

    /// Wipes the secrets, the earlier lines and what stands on the screen, then says why.
    private func lock(_ words: String, _ reason: LockReason, unasked: Bool = false) {
        let hadSecrets = keeper.isUnlocked
        if unasked { keeper.lockUnasked(reason) } else { keeper.lock(reason) }
        input.forget()
        if hadSecrets, input.isTyped { console.clearScreen() }
        console.note(words)
    }

    /// A script ends without words, as it did all its work.
    private func end() {
        if keeper.isUnlocked, input.isTyped {
            lock("the vault is locked: the shell has ended", .end)
        } else {
            keeper.lock(.end)
        }
    }

    private var runner: CommandRunner {
        CommandRunner(program: program, console: console, keeper: keeper, admit: admit)
    }

    private func run(_ words: [String]) -> Int32 {
        switch words {
        case ["lock"]:
            lock(Wording.locked, .command)
            return 0
        case ["help"]:
            let code = runner.run(["--help"])
            console.print(
                """

                IN THE SHELL:
                  lock                    Wipe the vault's secrets from memory; the next
                                          command that needs them asks for the passphrase.
                  exit, quit              Leave the shell, like the end of the input.
                  help [COMMAND]          Show this text, or the help of a command.

                KEYS:
                  Tab                     Complete a command, an option, a name, an address
                                          or a file.
                  Up, Down, Ctrl-R        Earlier lines of this shell, kept in memory until the
                                          vault locks.
                  Ctrl-C                  Drop the line; at a question, end the command and
                                          lock the vault.
                  Ctrl-D                  Leave the shell.
                """)
            return code
        default:
            // Hints name commands as they are typed outside.
            return runner.run(words[0] == "heliograph" ? Array(words.dropFirst()) : words)
        }
    }

    /// The next line, nil at the end of the input. The vault is locked after too long a wait, and when the
    /// device goes online.
    private func nextLine() throws(CommandError) -> String? {
        while true {
            do throws(CommandError) {
                return try input.next(isUnlocked: keeper.isUnlocked)
            } catch .idle {
                lock("the vault is locked: no input for \(seconds) s", .timeout, unasked: true)
            } catch .wentOnline {
                lock("the vault is locked: the device went online", .interrupted, unasked: true)
            }
        }
    }

    /// Refuses a command that may touch more than the shell. The kernel would refuse it too; this says so in
    /// words.
    private func admit(_ command: any Command) throws -> Sandbox.Report {
        switch command.place {
        case .anywhere: break
        case .afterLocking: keeper.lock(.command)
        case .alone: throw CommandError.notInShell
        }
        let access: Access
        do {
            access = try command.access()
        } catch {
            guard case .file(let path, EACCES)? = error as? CommandError else { throw error }
            throw CommandError.outsideShell(path: path)
        }
        for path in access.readable + access.writable + access.results {
            if path == "-" { throw CommandError.standardInputHoldsCommands }
            guard isInside(path) else { throw CommandError.outsideShell(path: path) }
        }
        try access.requireOutputs()
        return sandbox
    }

    private func isInside(_ path: String) -> Bool {
        guard let real = Self.realPath(path) else { return false }
        return roots.contains {
            real.utf8Equals($0) || real.utf8Starts(with: $0.utf8Equals("/") ? "/" : $0 + "/")
        }
    }

    /// The directory above what a path names; `.` where it names none.
    private static func parent(of path: String) -> String {
        let slash = UInt8(ascii: "/")
        var bytes = Array(path.utf8)
        while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
        guard let end = bytes.lastIndex(of: slash) else { return "." }
        return end == 0 ? "/" : String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// The path without links, of what exists or of the nearest folder above it that does.
    private static func realPath(_ path: String) -> String? {
        var path = path.isEmpty ? "." : path
        while true {
            if let real = realpath(path, nil) {
                defer { free(real) }
                return String(cString: real)
            }
            guard errno == ENOENT || errno == ENOTDIR else { return nil }
            path = parent(of: path)
        }
    }
}
