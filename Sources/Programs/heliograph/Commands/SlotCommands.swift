import ArgumentParser
import Ceremony
import CommandKit
import HardwareProtocol
import Keys
import Lines
import Presentation
import TerminalIO
import Vault

struct VaultSlotsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots", abstract: "Show what opens the vault, or check its recovery key.",
        subcommands: [VaultSlotsShow.self, VaultSlotsCheck.self], defaultSubcommand: VaultSlotsShow.self)
}

/// `vault slots show`: the whole rule in one sentence.
struct VaultSlotsShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what opens the vault, in one sentence.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        struct Slot: Encodable {
            let factors: [String]
        }
        let rule: String
        let slots: [Slot]
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let session = try context.unlockUnasked(self)
        if session == nil { console.note(Wording.trustStoreNotVerified) }
        let slots = try session?.slots ?? context.device(self).vault().slots
        let rule = KeySlotInfo.rule(of: slots)
        guard json else { return console.print(rule) }
        JSONText.print(
            Document(rule: rule, slots: slots.map { Document.Slot(factors: $0.factors.map(\.code)) }), console
        )
    }
}

/// `vault slots check`: the words on paper open the vault.
struct VaultSlotsCheck: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Open the vault with its recovery key, to see that it was copied.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .afterLocking }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(CheckRecoveryKey())
        let session = try context.unlock(self, asking: "recovery key: ")
        _ = try session.perform(preview.confirm())
        console.note("the recovery key opens this vault")
        if json { JSONText.print(["checked": true], console) }
    }
}

struct VaultBindGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bind", abstract: "Let the vault open with something else, or only with it.",
        subcommands: [
            VaultBindRecovery.self, VaultBindKeyFile.self, VaultBindTPM.self, VaultBindSecurityKey.self,
            VaultBindToken.self,
        ])
}

struct VaultUnbindGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unbind", abstract: "Give up a recovery key, a key file or hardware.",
        subcommands: [
            VaultUnbindRecovery.self, VaultUnbindKeyFile.self, VaultUnbindTPM.self,
            VaultUnbindSecurityKey.self, VaultUnbindToken.self,
        ])
}

/// A command that wraps the data key anew, under the passphrase that opened the vault.
private protocol ChangesSlots: VaultCommand {}

extension ChangesSlots {
    /// Whoever finds a shell open may not change what opens its vault.
    var place: CommandPlace { .afterLocking }

    /// The open vault, with the passphrase that opened it.
    /// - Parameter isGivenUp: whether the counter of the TPM is.
    func unlockKeeping(_ context: CommandContext, whileUncounted isGivenUp: Bool = false) throws
        -> (session: Session, passphrase: HeldSecret, keyFile: HeldSecret)
    {
        var (passphrase, keyFile) = (HeldSecret(SecretBytes()), HeldSecret(SecretBytes()))
        let session = try context.unlock(self, whileUncounted: isGivenUp) {
            passphrase = HeldSecret($0.copy())
            keyFile = HeldSecret($1.copy())
        }
        return (session, passphrase, keyFile)
    }
}

extension ChangesSlots where Self: PrintsJSON {
    func change(_ change: ChangeFactors.Change, _ context: CommandContext) throws {
        let console = context.console
        // A refusal comes before the question for the passphrase.
        let nothing = HeldSecret(SecretBytes())
        let asked = ChangeFactors(change, passphrase: nothing, keyFile: nothing)
        _ = try context.device(self).preview(asked)
        let isGivenUp = if case .unbindTPM = change { true } else { false }
        let (session, passphrase, keyFile) = try unlockKeeping(context, whileUncounted: isGivenUp)
        if let problem = session.counterProblem { console.alarm(problem.diagnostic.message) }
        let operation = ChangeFactors(change, passphrase: passphrase, keyFile: keyFile)
        _ = try session.perform(session.preview(operation).confirm())
        let rule = KeySlotInfo.rule(of: session.slots)
        console.note("the vault now \(rule); backups and copies open as before")
        if json { JSONText.print(["rule": rule], console) }
    }
}

/// `vault bind recovery`: words on paper, in place of the passphrase.
struct VaultBindRecovery: ChangesSlots {
    static let configuration = CommandConfiguration(
        commandName: "recovery", abstract: "Make a recovery key: words that open the vault by themselves.",
        discussion: """
            A recovery key has 14 words: no recovery phrase of a seed has as many. Type them wherever the \
            passphrase is asked for. A new recovery key replaces the old one. The words are shown as those of \
            a seed are; where stdout is not a terminal they are printed as one line, in a development vault \
            only.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var confirmation: YesOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        try CommandError.requireTerminal(isDevelopment: vault.isDevelopment(), isShown)
        try ask(context.device(self).vault().slots, console)
        let (session, passphrase, keyFile) = try unlockKeeping(context)
        try CommandError.requireTerminal(isDevelopment: session.isDevelopment, isShown)
        let key = RecoveryKey.drawn()
        let operation = MakeRecoveryKey(
            HeldSecret(key.phrase), passphrase: passphrase, keyFile: keyFile)
        let approval = try session.preview(operation).confirm()
        if isShown {
            try console.reveal(PhrasePage(key.phrase, heading: Self.heading))
        } else {
            console.print(secret: key.phrase)
        }
        _ = try session.perform(approval)
        console.note("the vault now \(KeySlotInfo.rule(of: session.slots))")
        // The words are gone from the screen by now.
        console.note("next: type the words once from the paper: heliograph vault slots check")
        console.note("if they are not on paper: heliograph vault bind recovery draws new ones")
    }

    /// Whoever lost the new words has no way back to the old ones, which were tested once.
    private func ask(_ slots: [KeySlotInfo], _ console: Console) throws {
        guard slots.contains(where: { $0.recoveryLock != nil }), try !confirmation.skipsQuestion(vault)
        else { return }
        let question = "Replace the recovery key? The words on paper then open nothing."
        guard try console.confirm(question) else { throw CeremonyError.declined }
    }

    private static func heading(_ words: Int) -> [String] {
        [
            "",
            """
            The recovery key of this vault, \(words) words. Whoever has them and a copy of the vault has every \
            key in it: write them on paper only.
            """,
            "",
        ]
    }
}

/// `vault bind keyfile`
struct VaultBindKeyFile: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "keyfile", abstract: "Require a key file beside the passphrase.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: .customLong("new-key-fd"),
        help: ArgumentHelp("Read the key file from this descriptor, e.g. 6 6<FILE.", valueName: "n"))
    var descriptor: Int32?

    func execute(_ context: CommandContext) throws {
        guard let descriptor else { throw ValidationError("--new-key-fd names the key file") }
        try change(.bindKeyFile(HeldSecret(KeyFile.read(descriptor: descriptor))), context)
    }
}

/// `vault unbind keyfile`
struct VaultUnbindKeyFile: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "keyfile", abstract: "Stop requiring a key file.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws { try change(.unbindKeyFile, context) }
}

/// `vault unbind recovery`
struct VaultUnbindRecovery: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "recovery", abstract: "Stop accepting the recovery key.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws { try change(.unbindRecoveryKey, context) }
}

/// Which PCRs a vault is bound to.
private struct PCROptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Open only while these PCRs are as they are now, e.g. 7 or 0,2,4 (default: none).",
            valueName: "list"),
        completion: .list(["7", "0,2,4", "0,2,4,7", "none"]))
    var pcrs: String = "none"

    func validate() throws { _ = try mask() }

    /// A bit for each.
    func mask() throws -> UInt32 {
        if pcrs.utf8Equals("none") { return 0 }
        return try pcrs.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .reduce(into: UInt32(0)) { mask, word in
                guard let number = UInt32(String(decoding: word, as: UTF8.self)), number < 24 else {
                    throw ValidationError("--pcrs takes numbers from 0 to 23, such as 7 or 0,2,4, or none")
                }
                mask |= 1 << number
            }
    }
}

/// `vault bind tpm`
struct VaultBindTPM: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "tpm", abstract: "Require this machine's TPM beside the passphrase.",
        discussion: """
            The TPM counts wrong passphrases and locks after some, so a copy of the disk is no place to guess \
            them. Backups and copies made before open as before. Before a firmware update of a vault that is \
            bound to PCRs: heliograph vault rebind, and again with --pcrs after it.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup private var bound: PCROptions

    var place: CommandPlace { .alone }

    func access() throws -> Access { Access(writable: [try vault.directory()], usesHardware: true) }

    func execute(_ context: CommandContext) throws { try change(.bindTPM(pcrs: bound.mask()), context) }
}

/// `vault rebind`: the same TPM, other PCRs or other values of them.
struct VaultRebind: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "rebind", abstract: "Bind the vault to its TPM anew, before and after an update.",
        discussion: """
            Before a firmware update, run it without --pcrs: the vault then opens however the machine starts. \
            After the update, run it with the PCRs that must not change. If an update came without \
            that, type the recovery key, and bind the vault again.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup private var bound: PCROptions

    var place: CommandPlace { .alone }

    func access() throws -> Access { Access(writable: [try vault.directory()], usesHardware: true) }

    func execute(_ context: CommandContext) throws {
        // A vault that is not bound is bound by another command.
        let nothing = HeldSecret(SecretBytes())
        _ = try context.device(self).preview(
            ChangeFactors(.unbindTPM, passphrase: nothing, keyFile: nothing))
        try change(.bindTPM(pcrs: bound.mask()), context)
    }
}

/// `vault unbind tpm`
struct VaultUnbindTPM: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "tpm", abstract: "Stop requiring the TPM.",
        discussion: "If the TPM is lost, heliograph vault passphrase with the recovery key does the same.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .alone }

    func execute(_ context: CommandContext) throws { try change(.unbindTPM, context) }
}

/// `vault bind fido2`
struct VaultBindSecurityKey: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "fido2", abstract: "Require a FIDO2 security key beside the passphrase.",
        discussion: """
            Plug the key in first, and leave out every other one. It must have hmac-secret, as most keys of \
            FIDO2 have. If it has a PIN, the vault needs that, too: set it before. Nothing about the vault is \
            stored on the key. Backups and copies made before open as before.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .alone }

    func access() throws -> Access { Access(writable: [try vault.directory()], usesHardware: true) }

    func execute(_ context: CommandContext) throws { try change(.bindSecurityKey, context) }
}

/// `vault unbind fido2`
struct VaultUnbindSecurityKey: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "fido2", abstract: "Stop requiring the security key.",
        discussion: "If the key is lost, heliograph vault passphrase with the recovery key does the same.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .alone }

    func execute(_ context: CommandContext) throws { try change(.unbindSecurityKey, context) }
}

/// `vault bind pkcs11`
struct VaultBindToken: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "pkcs11",
        abstract: "Require a smart card or another PKCS#11 token beside the passphrase.",
        discussion: """
            A secret of the vault is encrypted to an RSA key of the token, which decrypts it for who types its \
            PIN. A token without such a key makes one if it can. The module must belong to root, as one of a \
            package does. Backups and copies made before open as before.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "The PKCS#11 module of the token, e.g. /usr/lib/x86_64-linux-gnu/opensc-pkcs11.so.",
            valueName: "file"),
        completion: .file(extensions: ["so"]))
    var module: String

    @Option(
        help: ArgumentHelp(
            "The label of the token, as pkcs11-tool --list-slots shows it.", valueName: "label"))
    var token: String

    var place: CommandPlace { .alone }

    func validate() throws {
        guard TokenKey(label: token) != nil else { throw ValidationError("--token takes 1 to 32 bytes") }
        guard module.utf8.first == UInt8(ascii: "/") else {
            throw ValidationError(
                "--module takes a path from the root, such as /usr/lib/softhsm/libsofthsm2.so")
        }
    }

    func access() throws -> Access {
        var access = Access(writable: [try vault.directory()], usesHardware: true)
        access.tokenModule = module
        return access
    }

    func execute(_ context: CommandContext) throws {
        guard let key = TokenKey(label: token) else { return }
        try change(.bindToken(key, module: module), context)
    }
}

/// `vault unbind pkcs11`
struct VaultUnbindToken: ChangesSlots, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "pkcs11", abstract: "Stop requiring the token.",
        discussion: "If the token is lost, heliograph vault passphrase with the recovery key does the same.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .alone }

    func execute(_ context: CommandContext) throws { try change(.unbindToken, context) }
}

extension KeySlotInfo.Factor {
    /// As a script reads it.
    fileprivate var code: String {
        switch self {
        case .passphrase: "passphrase"
        case .recoveryKey: "recovery-key"
        case .keyFile: "key-file"
        case .tpm: "tpm"
        case .securityKey: "fido2"
        case .token: "pkcs11"
        }
    }
}
