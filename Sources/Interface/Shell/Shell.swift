import ArgumentParser
import CommandKit
import Diagnostics
import Glibc
import Keys
import Sandbox
import TerminalIO

/// `shell`: one unlock, many commands.
package struct Shell: VaultCommand {
    package static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Run many commands with one unlock; the vault locks after 5 minutes without input.",
        discussion: """
            Each line is a command without the word heliograph; spaces inside 'single' or "double" quotes do \
            not separate words. The first \
            command that needs the vault unlocks it. The vault locks on the command lock, after 5 minutes \
            without input, and when the device \
            goes online; then the screen and its scrollback are cleared. Commands can only reach the vault and the named directories.

            At a terminal, Tab completes commands, options, names, addresses and files; the arrow keys and \
            Ctrl-R bring back earlier lines. They \
            are kept in memory until the vault locks, and only if they name a command. Ctrl-C drops the line \
            that is being typed. At a question it ends the command and locks the vault; while a command \
            works, it ends the shell. Ctrl-D ends it. ~/.editrc and ~/.inputrc are not read.

            Without a terminal, commands are read from standard input; an INPUT can therefore not be -. Each \
            unlock reads one line from \
            --passphrase-fd, and so does each dangerous call with --confirm passphrase, and each command \
            that gives a secret out or destroys one. A failed command does not end the shell. The shell exits \
            with the exit code of its last command.
            """)

    @Argument(
        help: ArgumentHelp(
            "Directories that commands may read and write, besides the vault.", valueName: "directory"),
        completion: .directory)
    var folders: [String] = []

    @OptionGroup package var vault: VaultOptions

    @Option(
        help: ArgumentHelp(
            "Lock after this many seconds without input (default: 300; development vaults only).",
            valueName: "seconds"))
    var lockAfter: Int?

    @Option(
        help: ArgumentHelp(
            "Ask before a dangerous call or a secret: passphrase, or word alone (default: passphrase).",
            valueName: "what"))
    var confirm: PersonProof = .passphrase

    package init() {}

    /// Seconds without input after which the vault is locked.
    static let idleSeconds = 300

    package var place: CommandPlace { .alone }

    package func validate() throws {
        if let lockAfter, !(1...Self.idleSeconds).contains(lockAfter) {
            throw ValidationError("--lock-after must be 1 to \(Self.idleSeconds) seconds")
        }
    }

    package func access() throws -> Access {
        for folder in folders where !Self.isFolder(folder) { throw CommandError.notAFolder(path: folder) }
        return Access(
            readable: [Files.program], writable: [try vault.directory()] + folders, scans: true,
            reviews: true, keepsNonces: true,
            cameras: Cameras.devices, devices: [MachinePart.tpmPath])
    }

    package func execute(_ context: CommandContext) throws {
        let directory = try vault.directory()
        let isDevelopment = try vault.isDevelopment()
        if lockAfter != nil, !isDevelopment { throw CommandError.lockAfterNeedsDevelopmentVault }
        // Open the store now, so that a missing vault is reported before the first command.
        _ = try vault.device().store()
        // Commands find the shell's vault where every command looks for one.
        setenv("HELIOGRAPH_VAULT", directory, 1)
        let loop = ShellLoop(
            context,
            keeper: SessionKeeper(keptBy: vault, needsDevelopmentVault: lockAfter != nil, proof: confirm),
            vault: try vault.device(),
            roots: [directory, Files.program] + folders, seconds: lockAfter ?? Self.idleSeconds,
            isDevelopment: isDevelopment)
        guard let code = Diagnostic.Exit(rawValue: try loop.run()) else { return }
        throw ExitWith(code)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
