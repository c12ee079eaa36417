import Accounts
import Diagnostics
import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import TrustStore

/// Changes of trust that a person asks for, without a signed update. Each is logged.
public enum TrustSetup {
    /// ``VerifierPolicy/defaultKey``, where a person names nobody else.
    public static let defaultVerifier = VerifierPolicy.defaultKey

    /// Why a change of trust is refused.
    public enum Failure: Error, Sendable, Equatable {
        case unknownNetwork(GenesisHash)
        case revokedNetwork(GenesisHash)
        /// The vault has the network already.
        case knownNetwork(String)
        /// Nothing is added for a network that was revoked, until the verifiers are reset.
        case blockedNetwork(GenesisHash)
        /// The built-in list has no such chain.
        case notListed(String)
        /// The built-in list has several chains that the text may mean.
        case ambiguousListed(String, [GenesisHash])
        /// Only a network with a verifier of its own, or with none, can be revoked; a general one is removed.
        case generalNetwork(GenesisHash)
        case unknownMetadata(GenesisHash, version: UInt32)
        case noTypes
    }

    public typealias Step = (changes: [TrustChange], events: [LogEvent])

    /// The first state of a vault.
    public static func initial(verifier: PublicKey?, networks: [NetworkSpecs], allowOnline: Bool) -> Step {
        var step: Step = ([], [])
        if let verifier {
            step.changes.append(.setGeneralVerifier(verifier))
            step.events.append(LogEvent(.generalVerifierSet, UpdatePlan.facts(signer: verifier)))
        }
        for specs in networks { add(specs, to: &step) }
        if allowOnline {
            step.changes.append(.putSetting(StoreSetting.allowOnline, [1]))
            step.events.append(LogEvent(.onlineAllowed))
        }
        return step
    }

    /// Adds the default networks that are missing. Existing networks and all verifiers stay as they are.
    public static func restoreDefaults(_ state: TrustState) -> Step {
        var step: Step = ([], [])
        for specs in NetworkSpecs.defaults
        where state.network(genesis: specs.genesisHash, scheme: specs.scheme) == nil {
            switch state.verifiers[specs.genesisHash] {
            case .revoked: continue
            case nil: add(specs, to: &step)
            case .general, .custom: put(specs, to: &step)
            }
        }
        return step
    }

    /// Adds a chain of the built-in list like a default network: no picture and no update describes it. Its
    /// verifier is the general one, or the one that it had when it was removed, so that nobody else can vouch
    /// for it now. This allows no key on it.
    ///
    /// A chain whose accounts are 32 bytes takes signatures of every scheme of `MultiSignature` (sp_runtime),
    /// so it may be added for each of them. One with Ethereum-style accounts takes only those.
    /// - Parameters:
    ///   - genesis: of the chain.
    ///   - scheme: of the keys; nil for the chain's own.
    ///   - state: of the vault.
    /// - Throws: ``Failure``, `LookupError.networkOfOtherScheme(_:has:asked:)`
    public static func addListed(_ genesis: GenesisHash, scheme: SignatureScheme? = nil, state: TrustState)
        throws -> Step
    {
        guard let chain = WellKnownChain.chain(genesis: genesis) else {
            throw Failure.notListed("0x" + genesis.hex)
        }
        let asked = scheme
        let scheme = scheme ?? chain.scheme
        guard chain.takes(scheme) else {
            throw LookupError.networkOfOtherScheme(chain.specName, has: [chain.scheme], asked: scheme)
        }
        // Without a scheme, whoever has the chain for any keys has it.
        let known =
            asked == nil
            ? state.networks(genesis: genesis).first : state.network(genesis: genesis, scheme: scheme)
        if let known { throw Failure.knownNetwork(known.name) }
        var step: Step = ([], [])
        var specs = listedSpecs(chain)
        specs.scheme = scheme
        switch state.verifiers[genesis] {
        case .revoked: throw Failure.blockedNetwork(genesis)
        case nil: add(specs, to: &step)
        case .general, .custom: put(specs, to: &step)
        }
        return step
    }

    /// The word that a person types to add a chain of the list if its updates are unsigned, or if one source
    /// alone gives some of the values; nil otherwise.
    public static func word(forListed genesis: GenesisHash, state: TrustState) -> String? {
        guard let chain = WellKnownChain.chain(genesis: genesis) else { return nil }
        if state.verifiers[genesis] == .custom(nil) {
            return TypedWord.unsigned(network: chain.specName, genesis: genesis).text
        }
        return chain.isConfirmed ? nil : "single source"
    }

    /// A default network has its own colours.
    private static func listedSpecs(_ chain: WellKnownChain) -> NetworkSpecs {
        NetworkSpecs.defaults.first { $0.genesisHash == chain.genesisHash && $0.scheme == chain.scheme }
            ?? chain.specs
    }

    /// The one listed chain that a text names.
    public static func listed(named text: String) throws(Failure) -> WellKnownChain {
        let chains = WellKnownChain.chains(named: text)
        guard let chain = chains.first else { throw .notListed(text) }
        guard chains.count == 1 else { throw .ambiguousListed(text, chains.map(\.genesisHash)) }
        return chain
    }

    /// Removes a network's specs, metadata and asset list. Its verifier is kept, so that nobody else can add
    /// it again.
    public static func removeNetwork(_ genesis: GenesisHash, state: TrustState) throws(Failure) -> Step {
        guard !state.networks(genesis: genesis).isEmpty else { throw .unknownNetwork(genesis) }
        return clear(genesis, state: state)
    }

    /// Removes a network and blocks it: nothing is accepted for it until the verifiers are reset.
    public static func revokeNetwork(_ genesis: GenesisHash, state: TrustState) throws(Failure) -> Step {
        switch state.verifiers[genesis] {
        case nil: throw .unknownNetwork(genesis)
        case .revoked: throw .revokedNetwork(genesis)
        case .general: throw .generalNetwork(genesis)
        case .custom(let key):
            var step = clear(genesis, state: state)
            step.changes.append(.setVerifier(genesis, .revoked))
            let facts = [LogEvent.Fact("genesis_hash", genesis.hex)] + UpdatePlan.facts(signer: key)
            step.events.append(LogEvent(.networkRevoked, facts))
            return step
        }
    }

    /// Demands that the chain checks the metadata hash of a network's transactions, or demands less. Any
    /// chain that this vault can name may have a demand, so that it can be made before the network is there
    /// and lowered after it was removed. A demand that stands already is not a change.
    public static func requireMetadataHash(
        _ genesis: GenesisHash, _ demand: MetadataHashDemand, state: TrustState
    ) throws(Failure) -> Step {
        guard let name = KnownChains(state).name(ofGenesis: genesis) else { throw .unknownNetwork(genesis) }
        let former = state.metadataHashDemand(genesis: genesis)
        guard demand != former else { return ([], []) }
        let facts = [
            LogEvent.Fact("name", name), LogEvent.Fact("genesis_hash", genesis.hex),
            LogEvent.Fact("before", former?.rawValue ?? "unreadable"), LogEvent.Fact("now", demand.rawValue),
        ]
        return (
            [TrustState.putMetadataHashDemand(demand, genesis: genesis)],
            [
                LogEvent(
                    lowers(former, to: demand) ? .metadataHashDemandLowered : .metadataHashDemandRaised, facts
                )
            ]
        )
    }

    /// What must be typed to demand less than before; nil for a stricter demand.
    public static func word(for demand: MetadataHashDemand, of genesis: GenesisHash, state: TrustState)
        -> String?
    {
        lowers(state.metadataHashDemand(genesis: genesis), to: demand) ? "believe metadata" : nil
    }

    /// Nothing is signed under a value that cannot be read, so whatever replaces it allows more.
    private static func lowers(_ former: MetadataHashDemand?, to demand: MetadataHashDemand) -> Bool {
        former.map(demand.isWeaker) ?? true
    }

    public static func removeMetadata(_ genesis: GenesisHash, version: UInt32, state: TrustState)
        throws(Failure) -> Step
    {
        guard let record = state.metadata(genesis: genesis, version: version) else {
            throw .unknownMetadata(genesis, version: version)
        }
        return ([.removeMetadata(genesis, version: version)], [removed(record, state: state)])
    }

    public static func removeTypes(_ state: TrustState) throws(Failure) -> Step {
        guard let types = state.types else { throw .noTypes }
        return ([.removeTypes], [LogEvent(.typesRemoved, [LogEvent.Fact("hash", types.hash.hex)])])
    }

    /// Wipes all trust data: networks, metadata, types, asset lists, every verifier. Seeds, keys, settings
    /// and the log stay; so does what is demanded of each chain about its metadata hash.
    /// - `verifier`: the general verifier from now on; nil for trust on first use.
    /// - `networks`: the networks of the vault from now on.
    public static func reset(_ state: TrustState, verifier: PublicKey?, networks: [NetworkSpecs]) -> Step {
        var step: Step = ([], [])
        for genesis in state.verifiers.keys.sorted(by: { $0.hex < $1.hex }) {
            let cleared = clear(genesis, state: state)
            step.changes += cleared.changes + [.forgetVerifier(genesis)]
            step.events += cleared.events
        }
        if let types = state.types {
            step.changes.append(.removeTypes)
            step.events.append(LogEvent(.typesRemoved, [LogEvent.Fact("hash", types.hash.hex)]))
        }
        step.changes.append(.setGeneralVerifier(nil))
        step.events.append(LogEvent(.verifiersReset, forgotten(state) + kept(state)))
        let fresh = initial(verifier: verifier, networks: networks, allowOnline: false)
        return (step.changes + fresh.changes, step.events + fresh.events)
    }

    /// The verifiers that a reset forgets: the general one, and those of networks that have their own, by
    /// genesis hash.
    private static func forgotten(_ state: TrustState) -> [LogEvent.Fact] {
        var own: [String] = []
        for (genesis, verifier) in state.verifiers.sorted(by: { $0.key.hex < $1.key.hex }) {
            switch verifier {
            case .general: continue
            case .revoked: own.append("\(genesis.hex) revoked")
            case .custom(let key): own.append("\(genesis.hex) \(named(key))")
            }
        }
        let general = LogEvent.Fact("general_verifier", named(state.generalVerifier))
        return own.isEmpty
            ? [general] : [general, LogEvent.Fact("own_verifiers", own.joined(separator: ", "))]
    }

    /// The settings of networks that a reset keeps. A reset forgets whom the vault believes, but these
    /// settings are demands, not beliefs.
    private static func kept(_ state: TrustState) -> [LogEvent.Fact] {
        let demands = state.metadataHashDemands.map { "\($0.genesis) \($0.demand?.rawValue ?? "unreadable")" }
        return demands.isEmpty
            ? [] : [LogEvent.Fact("kept_metadata_hash_demands", demands.joined(separator: ", "))]
    }

    /// A key as the log names it, or `none`.
    static func named(_ key: PublicKey?) -> String { key.map { "\($0.scheme.name):\($0.hex)" } ?? "none" }

    private static func add(_ specs: NetworkSpecs, to step: inout Step) {
        step.changes.append(.setVerifier(specs.genesisHash, .general))
        put(specs, to: &step)
    }

    private static func put(_ specs: NetworkSpecs, to step: inout Step) {
        step.changes.append(.putNetwork(specs))
        step.events.append(
            LogEvent(
                .networkAdded, UpdatePlan.facts(specs, signer: nil) + [LogEvent.Fact("built_in", "true")]))
    }

    private static func clear(_ genesis: GenesisHash, state: TrustState) -> Step {
        var step = clearVouched(genesis, state: state)
        for specs in state.networks(genesis: genesis) { remove(specs, in: &step, state) }
        return step
    }

    /// Removes what a verifier says of a network besides its specs: metadata and the asset list.
    static func clearVouched(_ genesis: GenesisHash, state: TrustState) -> Step {
        var step: Step = ([], [])
        for record in state.metadata(genesis: genesis) {
            step.changes.append(.removeMetadata(genesis, version: record.version))
            step.events.append(removed(record, state: state))
        }
        if state.assetLists[genesis] != nil {
            step.changes.append(.removeAssetList(genesis))
            step.events.append(LogEvent(.assetListRemoved, [LogEvent.Fact("genesis_hash", genesis.hex)]))
        }
        return step
    }

    static func remove(_ specs: NetworkSpecs, in step: inout Step, _ state: TrustState) {
        step.changes.append(.removeNetwork(specs.genesisHash, specs.scheme))
        step.events.append(
            LogEvent(.networkRemoved, UpdatePlan.facts(specs, signer: nil) + keyFacts(specs, state)))
    }

    /// The largest number of keys that one log entry names; the others are only counted.
    private static let keyLimit = 8

    /// The keys that can no longer sign because the specs of their network go.
    static func keyFacts(_ specs: NetworkSpecs, _ state: TrustState) -> [LogEvent.Fact] {
        let keys = state.keys.filter {
            $0.publicKey.scheme == specs.scheme && $0.networks.contains(specs.genesisHash)
        }
        guard !keys.isEmpty else { return [] }
        let named = keys.prefix(keyLimit).map { state.place(of: $0) }.joined(separator: ", ")
        let more = keys.count - min(keys.count, keyLimit)
        return [LogEvent.Fact("keys", named)] + (more > 0 ? [LogEvent.Fact("more_keys", String(more))] : [])
    }

    private static func removed(_ record: MetadataRecord, state: TrustState) -> LogEvent {
        let name = state.networks(genesis: record.genesis).first?.name ?? record.genesis.hex
        let facts = [LogEvent.Fact("name", name), LogEvent.Fact("version", String(record.version))]
        return LogEvent(.metadataRemoved, facts, metadataHash: record.hash)
    }
}

extension TrustSetup.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .unknownNetwork(let genesis):
            ReviewError.unknown(genesis, hint: "heliograph network list")
        case .revokedNetwork(let genesis):
            .refused(
                "already-revoked", "the network with genesis hash 0x\(genesis.hex) is already revoked",
                hint: "heliograph network list")
        case .knownNetwork(let name):
            .refused(
                "already-known", "network \(name) is already in this vault", hint: "heliograph network list")
        case .blockedNetwork(let genesis): UpdateRefusal.revokedNetwork(genesis).diagnostic
        case .notListed(let text):
            .refused(
                "not-listed", "the built-in list has no chain named \(text)",
                hint: "heliograph network list --known shows the list; "
                    + "for any other chain, \(ReviewError.specsHint)")
        case .ambiguousListed(let text, let chains):
            .usage(
                "ambiguous-network", "the built-in list has \(chains.count) chains named \(text)",
                hint: "heliograph network add GENESIS, one of "
                    + chains.compactMap(WellKnownChain.chain).map { "\($0.name) (0x\($0.genesisHash.hex))" }
                    .joined(separator: ", "))
        case .generalNetwork:
            .refused(
                "general-network", "the network uses the general verifier, so it cannot be revoked alone",
                hint: "heliograph network remove, or heliograph verifier reset")
        case .unknownMetadata(_, let version):
            .refused(
                "no-metadata-version", "metadata of version \(version) is not in this vault",
                hint: "heliograph metadata list")
        case .noTypes: .refused("no-types", "there are no types in this vault", hint: "scan a types update")
        }
    }

    public static var examples: [Self] {
        let hash = Hash32.blake2b(of: [1])
        return [
            .unknownNetwork(hash), .revokedNetwork(hash), .knownNetwork("statemint"), .blockedNetwork(hash),
            .notListed("statemit"),
            .ambiguousListed("robonomics", WellKnownChain.chains(named: "robonomics").map(\.genesisHash)),
            .generalNetwork(hash),
            .unknownMetadata(hash, version: 1000), .noTypes,
        ]
    }
}
