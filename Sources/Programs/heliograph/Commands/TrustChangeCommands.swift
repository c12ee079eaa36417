import ArgumentParser
import Hashing
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// `--approve`, for commands that ask a person.
struct ApproveOption: ParsableArguments {
    @Flag(help: "Answer yes without a person; only in a development vault.")
    var approve = false

    func confirm(_ question: String, _ vault: VaultOptions, _ console: Console) throws {
        if approve {
            guard try vault.isDevelopment() else { throw CommandError.approveNeedsDevelopmentVault }
        }
        try ShieldGuard.requireOffline(vault)
        if try !approve && !console.confirm(question) { throw CommandError.answeredNo }
    }
}

/// A deliberate change of trust: it says what it will do, asks, and does exactly that.
protocol TrustChanging: Command, UsesVault {
    var approval: ApproveOption { get }
    var question: String { get }
    func plan(_ state: TrustState) throws -> TrustSetup.Step
}

extension TrustChanging {
    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let shown = try plan(try vault.lockedStore().uncheckedState())
        guard !shown.changes.isEmpty else { return console.note(Wording.nothingToDo) }
        console.print(Wording.plan)
        for event in shown.events { console.print(Wording.planned(event)) }
        try approval.confirm(question, vault, console)
        let open = try context.unlock(vault)
        guard !approval.approve || open.vault.isDevelopment else { throw CommandError.approveNeedsDevelopmentVault }
        try open.store.change { (state: TrustState) throws in
            let now = try plan(state)
            guard now.changes == shown.changes, now.events == shown.events else { throw StoreError.changedSinceShown }
            return now
        }
        console.note(Wording.changed)
    }
}

/// `network remove`
struct NetworkRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a network's specs and metadata. Who vouches for it is kept.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    var question: String { Wording.removeQuestion }

    func plan(_ state: TrustState) throws -> TrustSetup.Step {
        try TrustSetup.removeNetwork(try state.chain(named: network), state: state)
    }
}

/// `network revoke`
struct NetworkRevoke: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Remove a network and block it until the verifiers are reset.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    var question: String { Wording.revokeQuestion }

    func plan(_ state: TrustState) throws -> TrustSetup.Step {
        try TrustSetup.revokeNetwork(try state.chain(named: network), state: state)
    }
}

/// `network restore-defaults`
struct NetworkRestoreDefaults: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "restore-defaults", abstract: "Put back the default networks that are missing.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    var question: String { Wording.restoreQuestion }

    func plan(_ state: TrustState) throws -> TrustSetup.Step { TrustSetup.restoreDefaults(state) }
}

/// `metadata remove`
struct MetadataRemove: TrustChanging {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove metadata of one version.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @Argument(help: "The runtime's version.") var version: UInt32
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    var question: String { Wording.removeQuestion }

    func plan(_ state: TrustState) throws -> TrustSetup.Step {
        try TrustSetup.removeMetadata(try state.chain(named: network), version: version, state: state)
    }
}

/// `types remove`
struct TypesRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the types alone; metadata of version 13 and older cannot be read without them.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    var question: String { Wording.removeQuestion }

    func plan(_ state: TrustState) throws -> TrustSetup.Step { try TrustSetup.removeTypes(state) }
}

/// `verifier reset`
struct VerifierReset: Command, UsesVault {
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
        let shown = (try? vault.lockedStore().uncheckedState()).map { TrustSetup.reset($0, verifier: key, networks: specs) }
        if let shown {
            console.print(Wording.plan)
            for event in shown.events { console.print(Wording.planned(event)) }
        }
        try approval.confirm(Wording.resetQuestion, vault, console)
        let unlocked = try context.unlockSeeds(vault)
        guard !approval.approve || unlocked.isDevelopment else { throw CommandError.approveNeedsDevelopmentVault }
        do {
            let store = try TrustStore(directory: directory).unlock(unlocked.derivedKey(context: OpenVault.sealContext))
            try store.change { (state: TrustState) throws in
                let now = TrustSetup.reset(state, verifier: key, networks: specs)
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

extension StoreError {
    /// Whether only a new store helps: this one is not as its seal has it.
    var isBeyondRepair: Bool {
        switch self {
        case .sealBroken, .rolledBack, .generationMarkBroken, .notAStore, .unreadable, .missing, .damaged: true
        case .busy, .alreadyExists, .inputOutput, .changedSinceShown, .contentBroken, .conflict, .keyReuse: false
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

extension TrustState {
    /// The one chain of this name, or with this genesis hash; a revoked one has no name any more.
    func chain(named name: String) throws(CommandError) -> GenesisHash {
        if let genesis = GenesisHash(hex: name), verifiers[genesis] != nil { return genesis }
        let chains = Set(networks(named: name).map(\.genesisHash))
        guard let chain = chains.first else { throw .noSuchNetwork(name) }
        guard chains.count == 1 else { throw .ambiguousNetwork(name) }
        return chain
    }
}
