import ArgumentParser
import Ceremony
import Keys
import Review
import TrustStore
import Vault

struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Back up and restore the vault, change its passphrase.",
        subcommands: [VaultBackupCommand.self, VaultRestore.self, VaultPassphrase.self, VaultKeyFile.self])
}

/// `vault backup`: one encrypted file, or the proof that one restores.
struct VaultBackupCommand: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the whole vault to one encrypted file, or check such a file.",
        discussion: "The passphrase that opens the vault now opens the backup, also after the vault's own is changed.")

    @Argument(help: "The file.") var file: String
    @OptionGroup var vault: VaultOptions

    @Flag(help: "Open the file and unseal every seed in it; nothing is written.")
    var check = false

    func access() throws -> Access {
        check ? Access(readable: [file]) : Access(writable: [try vault.directory(), file])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        if check {
            let bytes = try Files.read(file)
            let passphrase = try secret("passphrase: ", descriptor: vault.passphraseFd, console)
            return console.print(
                Wording.backupHolds(try VaultBackup.check(bytes, passphrase: passphrase, keyFile: vault.keyFile())))
        }
        let open = try context.unlock(self)
        try open.store.append([LogEvent(.vaultBackedUp, [LogEvent.Fact("seeds", "\(open.vault.seedNames.count)")])])
        let attachments = try open.store.backup().compactMap { VaultBackup.Attachment(name: $0.name, bytes: $0.bytes) }
        try Files.write(VaultBackup.make(open.vault, attachments: attachments), to: file, mode: 0o600)
        console.note(Wording.backedUp(open.vault.seedNames.count, to: file))
    }
}

/// `vault restore`: a vault from a backup, into a folder that holds none.
struct VaultRestore: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: "Restore a vault from a backup into an empty folder.")

    @Argument(help: "The backup.") var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var word: WordOption

    var place: CommandPlace { .alone }

    func access() throws -> Access {
        let directory = try vault.directory()
        try Files.makeFolder(directory)
        return Access(readable: [file], writable: [directory])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let bytes = try Files.read(file)
        let passphrase = try secret("passphrase: ", descriptor: vault.passphraseFd, console)
        let directory = try vault.directory()
        let report = try VaultBackup.restore(bytes, into: directory, passphrase: passphrase, keyFile: vault.keyFile()) { report, files in
            try confirm(report, files, console)
        }
        let open = try Session(
            vault.device(), Vault.open(directory: directory).unlock(passphrase: passphrase, keyFile: vault.keyFile()),
            store: TrustStore(directory: directory))
        try open.store.append([LogEvent(.vaultRestored, [LogEvent.Fact("revision", "\(report.revision)")])])
        console.print(Wording.backupHolds(report))
    }

    /// A backup may bring back keys on networks that they have been taken from since.
    private func confirm(_ report: VaultBackup.Report, _ files: [VaultBackup.Attachment], _ console: Console) throws {
        let store = files.first { $0.name == TrustStore.fileName }
        let state = try store.map { try TrustStore.trust(inBackup: $0.bytes).state } ?? TrustState()
        try word.confirm(KeyReuse.all(in: state), in: state, isDevelopment: report.isDevelopment, console)
    }
}

/// `vault passphrase`: another passphrase for the same seeds.
struct VaultPassphrase: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "passphrase", abstract: "Change the passphrase.")

    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Read the new passphrase as one line from this descriptor.", valueName: "n"))
    var newPassphraseFd: Int32?

    @Option(help: ArgumentHelp("Make the vault need the key file that is read from this descriptor.", valueName: "n"))
    var newKeyFd: Int32?

    @Flag(help: "Make the vault open without a key file.")
    var withoutKeyFile = false

    func validate() throws {
        if withoutKeyFile, newKeyFd != nil { throw ValidationError("--without-key-file takes no --new-key-fd") }
    }

    /// Whoever finds a shell open may not lock its owner out.
    var place: CommandPlace { .afterLocking }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let keyFile: SecretBytes
        if let newKeyFd {
            keyFile = try KeyFile.read(descriptor: newKeyFd)
        } else {
            keyFile = withoutKeyFile ? SecretBytes() : try vault.keyFile()
        }
        let open = try context.unlock(self)
        let first = try secret(Wording.newPassphrase, descriptor: newPassphraseFd, console)
        guard first.count > 0 else { throw CommandError.emptyPassphrase }
        if newPassphraseFd == nil {
            let second = try secret(Wording.sameAgain, descriptor: nil, console)
            guard first.isEqual(to: second) else { throw CommandError.passphrasesDiffer }
        }
        let cost = open.vault.slots[open.vault.currentSlot].cost
        try open.vault.changePassphrase(to: first, keyFile: keyFile, cost: cost)
        try open.store.append([LogEvent(.passphraseChanged)])
        console.note(Wording.passphraseChanged)
    }
}

/// `vault key-file`: a second factor, best on a medium of its own.
struct VaultKeyFile: Command {
    static let configuration = CommandConfiguration(
        commandName: "key-file", abstract: "Make a key file of 64 random bytes; vault passphrase --new-key-fd puts it to use.")

    @Argument(help: "The new file; an existing one is never replaced.") var file: String

    func access() throws -> Access { Access(writable: [file]) }

    func execute(_ context: CommandContext) throws {
        try KeyFile.create(path: file)
        context.console.note(Wording.madeKeyFile(file))
    }
}
