import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Extrinsics
import Glibc
import History
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import Vault

struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Back up, restore or erase the vault, change what opens it, or confirm its time.",
        subcommands: [
            VaultBackupCommand.self, VaultRestore.self, VaultErase.self, VaultPassphrase.self,
            VaultKeyFile.self, VaultSlotsGroup.self, VaultBindGroup.self, VaultUnbindGroup.self,
            VaultRebind.self,
            VaultTimeGroup.self,
        ])
}

/// `vault backup`: writes one encrypted file, or checks that a backup can be restored.
struct VaultBackupCommand: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the vault to one encrypted file, or check a backup.",
        discussion:
            "The vault's current passphrase opens the backup, even after the vault's passphrase is changed.")

    @Argument(help: "The backup file.", completion: .file()) var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Check an existing backup: open it and decrypt every seed.")
    var check = false

    @Flag(help: "Replace an existing file.")
    var replace = false

    func access() throws -> Access {
        if check { return Access(readable: [file]) }
        // What a backup would replace is refused in words of its own.
        return Access(
            writable: [try vault.directory()], files: [file], replaces: true, replacesBackup: true)
    }

    func validate() throws {
        if check, replace { throw ValidationError("--check and --replace cannot be combined") }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        if check {
            let bytes = try Files.read(file, limit: VaultBackup.lengthLimit)
            let keyFile = try vault.keyFile()
            console.tell(unusual: VaultBackup.unusualCost(of: bytes))
            let report = try console.withPassphrase(descriptor: vault.passphraseFd) {
                try VaultBackup.check(bytes, passphrase: $0(), keyFile: keyFile)
            }
            if json { return JSONText.print(BackupDocument(file: file, report), console) }
            return console.print(Wording.backupHolds(report))
        }
        // Before the passphrase is asked for.
        guard replace || !Files.exists(file) else { throw CommandError.backupExists(path: file) }
        let preview = try context.device(self).preview(BackUpVault())
        let session = try context.unlock(self)
        let backup = try session.perform(preview.confirm()).outcome
        try session.writing(.backup) {
            try Files.write(backup, to: file, mode: 0o600, replacing: true, replacingBackup: true)
        }
        console.note(Wording.backedUp(preview.shown, to: file))
        if json { JSONText.print(BackupDocument(file: file, preview.shown), console) }
    }
}

/// `vault restore`: a vault from a backup, into a folder that holds none.
struct VaultRestore: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a vault from a backup into an empty directory.")

    @Argument(help: "The backup file.", completion: .file()) var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    var place: CommandPlace { .alone }

    func access() throws -> Access {
        let directory = try vault.directory()
        try Files.makeFolder(directory)
        return Access(readable: [file], writable: [directory])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        // Before the passphrase is asked for.
        guard !Vault.exists(directory: device.directory) else { throw VaultError.exists(device.directory) }
        let bytes = try Files.read(file, limit: VaultBackup.lengthLimit)
        let keyFile = HeldSecret(try vault.keyFile())
        console.tell(unusual: VaultBackup.unusualCost(of: bytes))
        let preview = try console.withPassphrase(descriptor: vault.passphraseFd) {
            try device.preview(RestoreVault(bytes, passphrase: HeldSecret($0()), keyFile: keyFile))
        }
        try word.requireAllowed(isDevelopment: preview.shown.report.isDevelopment)
        let report = try device.perform(
            preview.confirm(), asking: TerminalPerson(console: console, word: word)
        ) { SecretBytes() }.outcome
        if json { return JSONText.print(BackupDocument(file: file, report), console) }
        console.print(Wording.backupHolds(report))
        console.note(Wording.restoredVault(device.directory, report))
    }
}

/// `vault passphrase`: another passphrase for the same seeds.
struct VaultPassphrase: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Change the passphrase.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Read the new passphrase as one line from this descriptor.", valueName: "n"))
    var newPassphraseFd: Int32?

    @Option(help: ArgumentHelp("Require the key file read from this descriptor.", valueName: "n"))
    var newKeyFd: Int32?

    @Flag(help: "Stop requiring a key file.")
    var withoutKeyFile = false

    func validate() throws {
        if withoutKeyFile, newKeyFd != nil {
            throw ValidationError("--without-key-file and --new-key-fd cannot be combined")
        }
    }

    /// Whoever finds a shell open may not lock its owner out.
    var place: CommandPlace { .afterLocking }

    func access() throws -> Access { Access(writable: [try vault.directory()], forks: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        var keyFile = HeldSecret(SecretBytes())
        var former = HeldSecret(SecretBytes())
        if let newKeyFd { keyFile = HeldSecret(try KeyFile.read(descriptor: newKeyFd)) }
        let keepsKeyFile = newKeyFd == nil && !withoutKeyFile
        // Whoever lost the TPM opens by the recovery key, and gives its counter up.
        let session = try context.unlock(self, whileUncounted: true) {
            if keepsKeyFile { keyFile = HeldSecret($1.copy()) }
            former = HeldSecret($0.copy())
        }
        // A vault that was put back whole must not become the valid one by a new passphrase, unsaid.
        if let problem = session.counterProblem { console.alarm(problem.diagnostic.message) }
        // A key file that is refused is refused before the question for the passphrase.
        _ = try session.preview(ChangePassphrase(to: former, keyFile: keyFile))
        let rule = KeySlotInfo.rule(of: session.slots)
        let dropped = dropped(session, keyFile)
        try requireMeant(dropped, console)
        let question = NewPassphrase(
            question: Wording.newPassphrase, needsStrength: !session.isDevelopment, console: console)
        let passphrase = try question.read(descriptor: newPassphraseFd)
        let change = ChangePassphrase(to: HeldSecret(passphrase), keyFile: keyFile)
        _ = try session.perform(session.preview(change).confirm())
        console.note("changed the passphrase; backups keep the old one")
        let next = KeySlotInfo.rule(of: session.slots)
        if !next.utf8Equals(rule) { console.note("the vault now \(next)") }
        if json { JSONText.print(["changed": true], console) }
    }
}

extension VaultPassphrase {
    /// What the vault needed beside its passphrase and will not need any more, although nobody said so. Words
    /// on paper open a vault alone, so that nothing of the other slot is there to be kept.
    private func dropped(_ session: Session, _ keyFile: HeldSecret) -> [KeySlotInfo.Factor] {
        session.factorsBesidePassphrase.filter { factor in
            switch factor {
            case .keyFile: keyFile.count == 0 && !withoutKeyFile
            case .tpm, .securityKey, .token: session.isOpenedByRecoveryKey
            case .passphrase, .recoveryKey: false
            }
        }
    }

    /// A vault that opens with less than before is a question for a person. A script says it by an option; a
    /// device it can only lose with the words on paper, which are for a device that is gone.
    private func requireMeant(_ dropped: [KeySlotInfo.Factor], _ console: Console) throws {
        guard !dropped.isEmpty else { return }
        let names = dropped.map(\.name).joined(separator: " and ")
        if newPassphraseFd == nil, console.terminal != nil {
            let question = "The new passphrase will open the vault without \(names). Go on?"
            guard try console.confirm(question) else { throw CeremonyError.declined }
        } else if dropped.contains(.keyFile) {
            throw CommandError.keyFileDropped
        }
    }
}

/// `vault key-file`: a second factor, best on a medium of its own.
struct VaultKeyFile: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "key-file",
        abstract: "Create a key file of 64 random bytes, for vault bind keyfile.")

    @Argument(help: "The new file; an existing file is never replaced.", completion: .file()) var file: String
    @OptionGroup var output: OutputOptions

    func access() throws -> Access {
        if file.utf8Equals("-") { throw CommandError.outputRefused(path: file, .standardOutput) }
        return Access(writable: [file])
    }

    private var made: String {
        """
        created the key file \(Escape.terminal(file)); heliograph vault bind keyfile --new-key-fd 6 6<FILE \
        makes the vault require it
        """
    }

    func execute(_ context: CommandContext) throws {
        // Its bytes are random, and whoever reads hex from it later would have another key.
        if file.utf8Ends(with: Files.hexEnding) { throw CommandError.outputRefused(path: file, .hexName) }
        // What is left of a vault has free names: a key file under one of them would be taken for its file.
        if Vault.forbids(output: file) { throw CommandError.outputRefused(path: file, .vaultFile) }
        do {
            try KeyFile.create(path: file)
        } catch {
            guard case .system(_, EEXIST) = error else { throw error }
            throw CommandError.fileExists(path: file)
        }
        context.console.note(made)
        if json { JSONText.print(["file": file], context.console) }
    }
}

struct VaultTimeGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Show or confirm the time by which budgets count.",
        discussion: """
            Vault time advances by the clock of this start of the machine, and after another start by the \
            wall clock. It never goes back by itself. If the wall clock is more than a day ahead, vault time \
            stays until you confirm the date, so that a wrong clock frees no budget.
            """,
        subcommands: [VaultTimeShow.self, VaultTimeSet.self], defaultSubcommand: VaultTimeShow.self)
}

/// `vault time show`
struct VaultTimeShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show vault time.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    struct Document: Encodable {
        /// Seconds since 1970.
        let vault_time: UInt64
        /// The wall clock.
        let clock: UInt64
        /// Whether the clock is too far ahead to be believed.
        let clock_is_ahead: Bool
        /// Until when everything counts as spent after a restore, by window; null where it does not.
        let spent_until: [String: Nullable<UInt64>]
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let session = try context.unlockUnasked(self)
        if session == nil { console.note(Wording.trustStoreNotVerified) }
        let moment = try session?.moment() ?? device.moment()
        let clock = device.now
        if json {
            let spent = BudgetWindow.allCases.map {
                ($0.key.rawValue, Nullable(moment.time.restoredUntil(window: $0.seconds)))
            }
            return JSONText.print(
                Document(
                    vault_time: moment.time.seconds, clock: clock, clock_is_ahead: moment.jump != nil,
                    spent_until: Dictionary(spent, uniquingKeysWith: { first, _ in first })), console)
        }
        for line in Wording.vaultTime(moment, clock: clock) { console.print(line) }
    }
}

/// `vault time set`
struct VaultTimeSet: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Confirm the date; asks for the date and the passphrase.",
        discussion: """
            Type the date by a calendar that you trust, not by this device's clock. If the clock shows that \
            date, vault time becomes the clock's; else it becomes the start of that date by UTC. What was \
            signed while the time was unsure counts as of the date that you confirm.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    /// Whoever finds a shell open may not free a budget.
    var place: CommandPlace { .afterLocking }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        for line in Wording.vaultTime(try device.moment(), clock: device.now) { console.note(line) }
        let preview = try device.preview(ask(console))
        let approval = try preview.confirm { try console.confirm(Wording.setVaultTime(preview.shown)) }
        let shown = try context.unlock(self).perform(approval).outcome
        console.note("vault time is now \(UTCDate.minute(shown.to))")
        if json { JSONText.print(["vault_time": shown.to], console) }
    }

    private func ask(_ console: Console) throws -> SetVaultTime {
        while true {
            let answer = try console.ask("Type today's date by UTC, such as 2026-01-31: ").trimmed
            if Console.yesOrNo(answer) == false { throw CeremonyError.declined }
            do throws(VaultTimeError) { return try SetVaultTime(date: answer) } catch {
                console.tell(error.sentence)
            }
        }
    }
}

/// `vault erase`
struct VaultErase: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Overwrite and remove a vault, its key slots first, after a typed word.",
        discussion:
            """
            Needs no passphrase. Backups, exported pictures, copies, and what a flash drive keeps of \
            overwritten blocks are not reached: destroy those by themselves.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .alone }

    private struct Document: Encodable {
        let directory: String
        let removed: [String]
        let left: [String]
        let not_reached: [String]
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        let preview = try device.preview(EraseVault())
        let page = json ? console.beside : console
        if preview.shown.unknown.isEmpty {
            page.print(
                Wording.erases(
                    preview.shown.directory, seeds: preview.shown.seedNames,
                    importedKeys: preview.shown.importedKeys))
        } else {
            page.print(Wording.erasesUnknown(preview.shown.directory))
            for name in preview.shown.unknown { page.print("  " + Escape.line(name)) }
        }
        page.print("This does not reach:")
        for line in Wording.unreached + preview.shown.left.map(Wording.leftInDirectory) {
            page.print("  " + line)
        }
        let question = ReviewQuestion("Erase this vault?", word: EraseVault.word)
        let approved =
            approval.approve
            ? try preview.confirmUnattended() : try preview.confirm { try console.confirm(question) }
        let erasure = try device.perform(approved) { SecretBytes() }.outcome
        console.note(
            """
            overwrote and removed \(Sentence.count(erasure.removed.count, "file")) of \
            \(Escape.terminal(preview.shown.directory)): its passphrase opens nothing there
            """)
        if json {
            JSONText.print(
                Document(
                    directory: preview.shown.directory, removed: erasure.removed, left: erasure.left,
                    not_reached: Wording.unreached),
                console)
        }
    }
}
