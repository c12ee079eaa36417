import ArgumentParser
import Ceremony
import Glibc
import Sandbox
import ScannerClient
import SubstratePrimitives
import Synchronization
import SystemIO
import Terminal
import Vault

/// Closes the program in before it opens the first input.
enum Lockdown {
    /// Nothing but what the command named stays reachable; the report says how far the kernel went.
    /// - Parameter derivesKeys: whether the command may open a vault, which takes memory of its own.
    static func close(to access: Access, derivesKeys: Bool) throws -> Sandbox.Report {
        try access.requireOutputs()
        try WorkLimit.limitMemory(to: derivesKeys ? ReadingLimit.memoryWithDerivation : ReadingLimit.bounds.kernelLimit)
        let scanner = access.scans ? [try ScannerClient().program] : []
        // Nonces of groups wait in memory, in the one folder there that this user owns. Without it everything else works.
        let nonces = access.keepsNonces ? Nonces.prepare() : []
        let rules = Sandbox.Rules(
            readable: access.readable + (access.reviews ? Screen.descriptions : []),
            writable: access.writable + access.results + nonces,
            executable: scanner,
            forks: access.forks, machineState: true, camera: access.cameras.isEmpty ? nil : .openedLater(access.cameras))
        return try Sandbox.lockDown(rules)
    }
}

/// Where nonces wait for their second round.
enum Nonces {
    private static let found = Mutex(NonceFolder.ofUser(runtime: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }))
    static var folder: NonceFolder { found.withLock { $0 } }
    /// Looks at the folder while it can be seen; its path, where it is of use.
    static func prepare() -> [String] {
        found.withLock { folder in
            folder = folder.checked()
            return folder.refusal == nil ? [folder.path] : []
        }
    }
    /// Of a shell: they never leave the process.
    static let memory = NonceMemory()
}

/// What a command may touch.
struct Access {
    var readable: [String] = []
    var writable: [String] = []
    /// Files that results are written to, as hex where the name ends with `.hex`.
    var outputs: [String] = []
    /// The same for results that are never hex.
    var plainOutputs: [String] = []
    /// Whether such a result is a backup, and may take the place of one.
    var replacesBackup = false
    /// All files that results are written to.
    var results: [String] { outputs + plainOutputs }
    /// Whether the scanner program may be started: it reads pictures, and it expands compressed updates, which no input announces.
    var scans = false
    /// Whether a review may be shown on the whole terminal, whose description is read then.
    var reviews = false
    /// Whether the command works on a secret in a child of its own: ``ChildProcess``.
    var forks = false
    /// Whether nonces of groups may wait in memory between two commands.
    var keepsNonces = false
    /// Devices that the scanner may open. This program opens none.
    var cameras: [String] = []

    /// Refuses a file that no result can be or should be written to, before anybody is asked: what is signed and in the log is worth nothing to
    /// its owner if it gets lost afterwards. A file that is there already is replaced.
    /// - Throws: ``CommandError/outputRefused(path:_:)``, ``CommandError/file(path:errno:)``
    func requireOutputs() throws(CommandError) {
        if let path = plainOutputs.first(where: { $0.utf8Ends(with: Files.hexEnding) }) {
            throw .outputRefused(path: path, .hexName)
        }
        for (index, path) in results.enumerated() {
            if results[..<index].contains(where: { Files.isSamePlace($0, path) }) {
                throw .outputRefused(path: path, .otherResult)
            }
            let found: Permissions?
            do throws(SystemError) { found = try Permissions.of(path, followingLinks: false) } catch {
                throw .file(path: path, errno: error.errno)
            }
            if let found {
                if found.isLink { throw .outputRefused(path: path, .link) }
                if !found.isFile { throw .outputRefused(path: path, .notAFile) }
                if readable.contains(where: { Files.isSame($0, path) }) { throw .outputRefused(path: path, .input) }
            }
            if Vault.forbids(output: path, replacingBackup: replacesBackup) {
                throw .outputRefused(path: path, .vaultFile)
            }
            let directory = Files.directory(of: path)
            guard Files.isDirectory(directory) else { throw .file(path: path, errno: found == nil ? ENOENT : ENOTDIR) }
            guard Glibc.access(directory, W_OK | X_OK) == 0 else { throw .file(path: path, errno: errno) }
        }
    }
}

/// What every command has at hand.
struct CommandContext {
    /// The command that holds all others, for a shell that runs them.
    let program: any ParsableCommand.Type
    let console: Console
    let sandbox: Sandbox.Report
    let keeper: SessionKeeper

    /// The vault of a command, as it is without the passphrase.
    func device(_ command: some VaultCommand) throws -> Device { try command.vault.device(nonces: keeper.nonces) }

    /// Opens the vault, or hands over the one that a shell holds open; the store's seal and the network are checked each time.
    /// - Parameter whileUnacknowledged: only the acknowledgement itself opens a vault whose device was online.
    func unlock(_ command: some VaultCommand, whileUnacknowledged: Bool = false) throws -> Session {
        if !keeper.isOfShell { try Sandbox.giveUpStarting(sandbox) }
        return try keeper.unlock(command.vault, console, whileUnacknowledged: whileUnacknowledged)
    }

    /// After the yes to a dangerous review, before ``unlock(_:whileUnacknowledged:)``: a shell's vault is open, so that nothing else would ask the person who
    /// they are. A single command asks for the passphrase anyway.
    func requirePerson(for question: ReviewQuestion) {
        if question.word != nil { keeper.requirePerson(console) }
    }

    /// Whether a person follows this command: there is a terminal, and the passphrase does not come on a descriptor, as a script gives it.
    func isAttended(_ command: some VaultCommand) throws -> Bool {
        try console.terminal != nil && keeper.completed(command.vault).passphraseFd == nil
    }

    /// The open vault where nobody must be asked for that: its passphrase comes on a descriptor, or a shell holds it open. nil elsewhere.
    func unlockUnasked(_ command: some VaultCommand) throws -> Session? {
        guard try command.vault.passphraseFd != nil || keeper.holds(command.vault) else { return nil }
        return try unlock(command)
    }
}
