import ArgumentParser
import Diagnostics
import Glibc
import Sandbox
import Terminal

/// `shell`: one unlock, many commands.
struct Shell: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Run many commands with one unlock; the vault locks after 5 minutes without input.",
        discussion: """
            Each line is a command without the word heliograph; spaces inside 'single' or "double" quotes do not separate words. The first \
            command that needs the vault unlocks it. The vault locks on the command lock, after 5 minutes without input, and when the device \
            goes online. Commands can only reach the vault and the named directories. Lines are not recorded. They are read from the \
            terminal, or from standard input if that is not a terminal; an INPUT can therefore not be -. Each unlock reads one line from \
            --passphrase-fd. A failed command does not end the shell. The shell exits with the exit code of its last command; Ctrl-C ends it \
            at once.
            """)

    @Argument(help: ArgumentHelp("Directories that commands may read and write, besides the vault.", valueName: "directory"))
    var folders: [String] = []

    @OptionGroup var vault: VaultOptions

    @Option(
        help: ArgumentHelp("Lock after this many seconds without input (default: 300; development vaults only).", valueName: "seconds"))
    var lockAfter: Int?

    /// Seconds without input after which the vault is locked.
    static let idleSeconds = 300

    var place: CommandPlace { .alone }

    func validate() throws {
        if let lockAfter, !(1...Self.idleSeconds).contains(lockAfter) {
            throw ValidationError("--lock-after must be 1 to \(Self.idleSeconds) seconds")
        }
    }

    func access() throws -> Access {
        for folder in folders where !Self.isFolder(folder) { throw CommandError.notAFolder(path: folder) }
        return Access(readable: [Files.program], writable: [try vault.directory()] + folders, scans: true, cameras: Cameras.devices)
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
