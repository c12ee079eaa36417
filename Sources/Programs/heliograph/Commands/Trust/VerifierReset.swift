import ArgumentParser
import Ceremony
import Hashing
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// `verifier reset`
struct VerifierReset: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Wipe all trust data: networks, metadata, types and verifiers. Seeds and keys stay.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption

    @Option(help: ArgumentHelp("The general verifier from now on: default, none or SCHEME:HEX.", valueName: "key"))
    var verifier = "default"

    @Option(help: ArgumentHelp("Networks from now on: default or none.", valueName: "set"))
    var networks: Init.NetworkSet = .default

    /// It may make a new store, below one that a shell holds open.
    var place: CommandPlace { .afterLocking }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let directory = try vault.directory()
        let key = try PublicKey(verifier: verifier)
        let specs = networks == .default ? NetworkSpecs.defaults : []
        let shown = (try? vault.device().store().uncheckedTrust().state).map { TrustSetup.reset($0, verifier: key, networks: specs) }
        if let shown {
            console.print(Wording.plan)
            for event in shown.events { console.print(Wording.planned(event)) }
        }
        try approval.confirm(Wording.resetQuestion, vault, console)
        let options = try context.keeper.completed(vault)
        let unlocked = try vault.device().unlockVault(keyFile: options.keyFile()) {
            try secret(Wording.passphrase, descriptor: options.passphraseFd, console)
        }
        guard !approval.approve || unlocked.isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
        do {
            let store = try TrustStore(directory: directory).unlock(unlocked.derivedKey(context: OpenVault.sealContext))
            try store.change { (trust: SealedTrust) throws in
                let now = TrustSetup.reset(trust.state, verifier: key, networks: specs)
                guard now.changes == shown?.changes else { throw StoreError.changedSinceShown }
                return now
            }
            console.note(Wording.changed)
        } catch let error as StoreError where error.isBeyondRepair {
            let fresh = TrustSetup.initial(verifier: key, networks: specs, allowOnline: unlocked.isDevelopment)
            let events = [LogEvent.sealBroken(LogReason(error)), LogEvent(.verifiersReset)]
            _ = try TrustStore.replaceBroken(
                directory: directory, key: unlocked.derivedKey(context: OpenVault.sealContext), changes: fresh.changes,
                events: events + fresh.events)
            console.alarm(Wording.storePutAside(Wording.diagnostic(error).message))
        }
    }
}

extension PublicKey {
    /// What `--verifier` names: the default one, nobody, or a key as SCHEME:HEX.
    init?(verifier text: String) throws(CommandError) {
        switch text {
        case "default": self = TrustSetup.defaultVerifier
        case "none": return nil
        default:
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let scheme = SignatureScheme(name: parts[0]), scheme != .ethereum, let bytes = Hex.decode(parts[1]),
                let key = PublicKey(scheme: scheme, bytes: bytes)
            else { throw .badVerifier(text) }
            self = key
        }
    }
}
