import ArgumentParser
import Diagnostics
import Glibc
import Sandbox
import Terminal

/// `shell`: one unlock, many commands.
struct Shell: VaultCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run many commands with one unlock; it locks itself after 5 minutes without input.",
        discussion: """
            Each line is a command without the word heliograph; 'single' and "double" quotes keep blanks together. The vault is unlocked by \
            the first command that needs it and locked by lock, by 5 minutes without input, and when the device goes online. Commands reach \
            the vault and the named folders only. Lines are not kept. Lines come from the terminal, or from standard input where that is none; \
            - is therefore no INPUT here. Each unlock takes one line of --passphrase-fd. A command's failure is told and does not end the \
            shell, which ends with the exit code of its last command; Ctrl-C ends it at once.
            """)

    @Argument(help: ArgumentHelp("Folders that the commands may read and write, besides the vault.", valueName: "folder"))
    var folders: [String] = []

    @OptionGroup var vault: VaultOptions

    @Option(
        help: ArgumentHelp("Lock after this many seconds without input instead of 300; only in a development vault.", valueName: "seconds"))
    var lockAfter: Int?

    /// Seconds without input after which the vault is locked.
    static let idleSeconds = 300

    var place: CommandPlace { .alone }

    func validate() throws {
        if let lockAfter, !(1...Self.idleSeconds).contains(lockAfter) {
            throw ValidationError("--lock-after is 1 to \(Self.idleSeconds)")
        }
    }

    func access() throws -> Access {
        for folder in folders where !Self.isFolder(folder) { throw CommandError.notAFolder(path: folder) }
        return Access(readable: [Files.program], writable: [try vault.directory()] + folders, scans: true)
    }

    func execute(_ context: CommandContext) throws {
        let directory = try vault.directory()
        let isDevelopment = try vault.isDevelopment()
        if lockAfter != nil, !isDevelopment { throw CommandError.lockAfterNeedsDevelopmentVault }
        // Opened once, so that a missing vault is told now.
        _ = try vault.device().store()
        // Commands find the shell's vault where every command looks for one.
        setenv("HELIOGRAPH_VAULT", directory, 1)
        let loop = ShellLoop(
            context, keeper: SessionKeeper(keptBy: vault, needsDevelopmentVault: lockAfter != nil),
            roots: [directory, Files.program] + folders, seconds: lockAfter ?? Self.idleSeconds,
            mayBeOnline: isDevelopment)
        guard let code = Diagnostic.Exit(rawValue: try loop.run()) else { return }
        throw ExitWith(code)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
