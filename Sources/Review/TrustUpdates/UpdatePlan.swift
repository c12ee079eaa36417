import Cards
import Keys
import Review
import SubstratePrimitives
import TrustStore

/// What accepting an update does, computed from the update and the state of the store alone.
package struct UpdatePlan: Equatable {
    var changes: [TrustChange] = []
    var events: [LogEvent] = []
    var warnings: [UpdateWarning] = []

    init(_ update: UnverifiedUpdate, state: TrustState) throws(UpdateRefusal) {
        let signer = update.signature?.key
        if signer == nil { warnings.append(.unsigned) }
        switch update.content {
        case .addSpecs(let specs): try addSpecs(specs, signer: signer, state: state)
        case .loadMetadata(let blob, let genesis, let facts):
            try loadMetadata(blob, genesis: genesis, facts: facts, signer: signer, state: state)
        case .loadTypes(let types): try loadTypes(types, signer: signer, state: state)
        case .loadAssets(let units): try loadAssets(units, signer: signer, state: state)
        }
    }

    // MARK: Specs

    private mutating func addSpecs(_ specs: NetworkSpecs, signer: PublicKey?, state: TrustState)
        throws(UpdateRefusal)
    {
        let genesis = specs.genesisHash
        try Self.checkFields(specs)
        try Self.checkConstancy(specs, state: state)
        try Self.checkList(specs, signer: signer, state: state)
        try Self.checkPath(specs, signer: signer, state: state)
        let before = state.verifiers[genesis]
        let outcome = try refusing(genesis) { () throws(VerifierPolicy.Refusal) in
            try VerifierPolicy.addSpecs(signer: signer, network: before, general: state.generalVerifier)
        }
        let known = state.network(genesis: genesis, scheme: specs.scheme)
        if known == specs {
            if outcome.network == before, outcome.general == state.generalVerifier { throw .alreadyKnown }
            warnings.append(.onlyVerifierChanges)
        }
        if state.networks.contains(where: { $0.name.utf8Equals(specs.name) && $0.genesisHash != genesis }) {
            warnings.append(.nameOfAnotherChain(ExactText(specs.name)))
        }
        if WellKnownChain.chain(genesis: genesis) == nil,
            [specs.name, specs.title].contains(where: WellKnownChain.isNameOfOne)
        {
            warnings.append(.knownNameOnUnknownChain)
        }
        setGeneralVerifier(outcome.general, state: state)
        setVerifier(outcome.network, genesis: genesis, before: before)
        purge(outcome.purged, genesis: genesis, keeping: specs, state: state)
        changes.append(.putNetwork(specs))
        if known != specs {
            events.append(
                LogEvent(known == nil ? .networkAdded : .networkChanged, Self.facts(specs, signer: signer)))
        }
    }

    private static func checkFields(_ specs: NetworkSpecs) throws(UpdateRefusal) {
        for (name, value) in [("name", specs.name), ("title", specs.title), ("unit", specs.unit)]
        where value.isEmpty {
            throw .emptyField(name)
        }
        guard NetworkSpecs.isUnit(specs.unit) else { throw .unitWithoutLetter(specs.unit) }
        if specs.scheme != .ethereum,
            SS58Address(prefix: specs.base58Prefix, account: [UInt8](repeating: 0, count: 32)) == nil
        {
            throw specs.base58Prefix > SS58Address.largestPrefix
                ? .prefixTooLarge(specs.base58Prefix) : .prefixReserved(specs.base58Prefix)
        }
    }

    /// The specs of a listed chain must match the list, as for a metadata proof: wrong decimals could show a
    /// hundredth of an amount. A chain may have changed since the list was made, so a key that this vault
    /// already trusts for the chain may sign other values.
    private static func checkList(_ specs: NetworkSpecs, signer: PublicKey?, state: TrustState)
        throws(UpdateRefusal)
    {
        guard let chain = WellKnownChain.chain(genesis: specs.genesisHash),
            let difference = ListedDifference(chain, specs)
        else { return }
        guard isBelieved(signer, for: specs, state) else { throw .listedChainDiffers(difference) }
    }

    /// The first key of a seed on a network lies at the path that the specs name. Specs of another chain with
    /// the path of Polkadot would bind the key that holds a person's DOT to a chain whose maker asks it to
    /// sign, and leave Polkadot without one.
    private static func checkPath(_ specs: NetworkSpecs, signer: PublicKey?, state: TrustState)
        throws(UpdateRefusal)
    {
        guard let path = try? DerivationPath(specs.pathID),
            let chain = WellKnownChain.chain(ofFirstKeyAt: path, besides: specs.genesisHash)
        else { return }
        guard isBelieved(signer, for: specs, state) else {
            throw .pathOfListedChain(path: specs.pathID, chain: chain.name)
        }
    }

    private static func isBelieved(_ signer: PublicKey?, for specs: NetworkSpecs, _ state: TrustState) -> Bool
    {
        guard let signer else { return false }
        return signer == state.generalVerifier || signer == state.verifierKey(genesis: specs.genesisHash)
    }

    private static func checkConstancy(_ specs: NetworkSpecs, state: TrustState) throws(UpdateRefusal) {
        if let known = state.networks(genesis: specs.genesisHash).first {
            if !known.name.utf8Equals(specs.name) { throw .nameChanges(known: known.name, given: specs.name) }
            if known.base58Prefix != specs.base58Prefix {
                throw .prefixChanges(known: known.base58Prefix, given: specs.base58Prefix)
            }
        }
        if let known = state.network(genesis: specs.genesisHash, scheme: specs.scheme) {
            if known.decimals != specs.decimals {
                throw .decimalsChange(known: known.decimals, given: specs.decimals)
            }
            if !known.unit.utf8Equals(specs.unit) { throw .unitChanges(known: known.unit, given: specs.unit) }
        }
    }

    // MARK: Metadata

    private mutating func loadMetadata(
        _ blob: [UInt8], genesis: GenesisHash, facts: MetadataFacts, signer: PublicKey?, state: TrustState
    ) throws(UpdateRefusal) {
        let specs = try networkData(genesis, signer: signer, state: state)
        let version = facts.runtimeVersion.specVersion
        guard specs.name.utf8Equals(facts.runtimeVersion.specName) else {
            throw .metadataOfAnotherNetwork(specs: specs.name, metadata: facts.runtimeVersion.specName)
        }
        if let prefix = facts.ss58Prefix, prefix != specs.base58Prefix {
            throw .metadataPrefixDiffers(specs: specs.base58Prefix, metadata: prefix)
        }
        let hash = Hash32.blake2b(of: blob)
        if let known = state.metadata(genesis: genesis, version: version) {
            if known.hash == hash { throw .alreadyKnown }
            throw .sameVersionOtherBytes(version: version, known: known.hash, given: hash)
        }
        if let newest = state.metadata(genesis: genesis).first {
            warnings.append(
                version > newest.version ? .newerThanNewest(newest.version) : .olderThanNewest(newest.version)
            )
        }
        if !facts.extensionsComplete { warnings.append(.extensionsIncomplete) }
        changes.append(.addMetadata(genesis, version: version, blob: blob))
        let named = [LogEvent.Fact("name", specs.name), LogEvent.Fact("version", String(version))]
        let facts = named + [LogEvent.Fact("genesis_hash", genesis.hex)] + Self.facts(signer: signer)
        events.append(LogEvent(.metadataAdded, facts, metadataHash: hash))
    }

    /// The specs of a network for which exactly `signer` may send data.
    private func networkData(_ genesis: GenesisHash, signer: PublicKey?, state: TrustState)
        throws(UpdateRefusal) -> NetworkSpecs
    {
        let verifier = state.verifiers[genesis]
        guard let specs = state.networks(genesis: genesis).first else {
            throw verifier == .revoked ? .revokedNetwork(genesis) : .unknownNetwork(genesis)
        }
        try refusing(genesis, signer: signer) { () throws(VerifierPolicy.Refusal) in
            try VerifierPolicy.networkData(signer: signer, network: verifier, general: state.generalVerifier)
        }
        return specs
    }

    // MARK: Asset lists

    private mutating func loadAssets(_ units: AssetUnits, signer: PublicKey?, state: TrustState)
        throws(UpdateRefusal)
    {
        let specs = try networkData(units.genesisHash, signer: signer, state: state)
        if let entry = units.entries.first(where: { $0.passesForOwnToken(of: specs) }) {
            throw .assetHasOwnUnit(id: entry.id, pallet: entry.pallet ?? "", symbol: entry.symbol)
        }
        if let held = state.assetLists[units.genesisHash], let known = try? AssetUnits(encoded: held) {
            if known == units { throw .alreadyKnown }
            guard units.serial > known.serial else {
                throw .olderAssetList(known: known.serial, given: units.serial)
            }
            warnings += Self.changedUnits(from: known, to: units)
        }
        changes.append(.putAssetList(units.genesisHash, units.encoded))
        let facts = [
            LogEvent.Fact("name", specs.name), LogEvent.Fact("genesis_hash", units.genesisHash.hex),
            LogEvent.Fact("serial", String(units.serial)),
            LogEvent.Fact("hash", Hash32.blake2b(of: units.encoded).hex),
        ]
        events.append(LogEvent(.assetListAdded, facts + Self.facts(signer: signer)))
    }

    /// An asset that prints differently from now on deserves a second look.
    private static func changedUnits(from known: AssetUnits, to units: AssetUnits) -> [UpdateWarning] {
        units.entries.compactMap { entry in
            guard
                let before = known.entries.first(where: {
                    $0.pallet.utf8Equals(entry.pallet) && $0.id.utf8Equals(entry.id)
                }),
                before != entry
            else { return nil }
            return .assetUnitChanges(before: before, after: entry)
        }
    }

    // MARK: Types

    private mutating func loadTypes(_ types: [UInt8], signer: PublicKey?, state: TrustState)
        throws(UpdateRefusal)
    {
        let outcome: (general: PublicKey?, purged: Set<VerifierPolicy.Hold>)
        do throws(VerifierPolicy.Refusal) {
            outcome = try VerifierPolicy.types(signer: signer, general: state.generalVerifier)
        } catch {
            switch error {
            case .mustBeSignedBy(let keys): throw .mustBeSignedBy(keys)
            case .specsFirst, .unknownNetwork, .revoked: fatalError("types belong to no network")
            }
        }
        let hash = Hash32.blake2b(of: types)
        if state.types?.hash == hash {
            if outcome.general == state.generalVerifier { throw .alreadyKnown }
            warnings.append(.onlyVerifierChanges)
        } else if state.types != nil {
            warnings.append(.replacesTypes)
        }
        warnings.append(.typesForEveryNetwork)
        setGeneralVerifier(outcome.general, state: state)
        purge(outcome.purged, genesis: nil, keeping: nil, keepingTypes: true, state: state)
        changes.append(.setTypes(types))
        events.append(LogEvent(.typesAdded, [LogEvent.Fact("hash", hash.hex)] + Self.facts(signer: signer)))
    }

    // MARK: Verifiers and holds

    private mutating func setGeneralVerifier(_ key: PublicKey?, state: TrustState) {
        guard key != state.generalVerifier, let key else { return }
        changes.append(.setGeneralVerifier(key))
        events.append(LogEvent(.generalVerifierSet, Self.facts(signer: key)))
        warnings.append(.generalVerifierAppears(key))
    }

    private mutating func setVerifier(_ verifier: Verifier, genesis: GenesisHash, before: Verifier?) {
        guard verifier != before else { return }
        changes.append(.setVerifier(genesis, verifier))
        var facts = [LogEvent.Fact("genesis_hash", genesis.hex), LogEvent.Fact("verifier", verifier.word)]
        if case .custom(let key) = verifier { facts += Self.facts(signer: key) }
        events.append(LogEvent(.networkVerifierSet, facts))
        switch verifier {
        case .custom(let key?): warnings.append(.customVerifierAppears(key))
        case .general: if before != nil { warnings.append(.verifierBecomesGeneral) }
        // Unsigned specs have no verifier, for which there is a separate warning; revoking is a separate
        // command.
        case .custom(nil), .revoked: break
        }
    }

    /// Removes what the holds name, except the specs and types that this update brings.
    private mutating func purge(
        _ holds: Set<VerifierPolicy.Hold>, genesis: GenesisHash?, keeping specs: NetworkSpecs?,
        keepingTypes: Bool = false,
        state: TrustState
    ) {
        var chains: [GenesisHash] = []
        var own: GenesisHash?
        for hold in holds {
            switch hold {
            case .general:
                chains = state.verifiers.filter { $0.value == .general }.keys.sorted { $0.hex < $1.hex }
                if state.types != nil, !keepingTypes { purgeTypes() }
            case .network: own = genesis
            }
        }
        if let own, !chains.contains(own) { chains.append(own) }
        for chain in chains { purge(chain, keeping: specs, state: state) }
    }

    private mutating func purge(_ chain: GenesisHash, keeping specs: NetworkSpecs?, state: TrustState) {
        let name = state.networks(genesis: chain).first?.name ?? chain.hex
        for record in state.metadata(genesis: chain) {
            changes.append(.removeMetadata(chain, version: record.version))
            let fact = [
                LogEvent.Fact("name", name), LogEvent.Fact("version", String(record.version)),
                LogEvent.Fact("purged", "true"),
            ]
            events.append(LogEvent(.metadataRemoved, fact, metadataHash: record.hash))
            let version = RuntimeVersion(specName: name, specVersion: record.version)
            warnings.append(.purged(.metadata(version, hash: record.hash)))
        }
        if state.assetLists[chain] != nil {
            changes.append(.removeAssetList(chain))
            events.append(
                LogEvent(.assetListRemoved, [LogEvent.Fact("name", name), LogEvent.Fact("purged", "true")]))
            warnings.append(.purged(.assetList(network: ExactText(name))))
        }
        for known in state.networks(genesis: chain)
        where known.scheme != specs?.scheme || known.genesisHash != specs?.genesisHash {
            changes.append(.removeNetwork(chain, known.scheme))
            events.append(
                LogEvent(
                    .networkRemoved,
                    Self.facts(known, signer: nil) + TrustSetup.keyFacts(known, state) + [
                        LogEvent.Fact("purged", "true")
                    ])
            )
            warnings.append(
                .purged(.network(name: ExactText(known.name), scheme: known.scheme, genesis: chain)))
        }
    }

    private mutating func purgeTypes() {
        changes.append(.removeTypes)
        events.append(LogEvent(.typesRemoved, [LogEvent.Fact("purged", "true")]))
        warnings.append(.purged(.types))
    }

    // MARK: Facts

    package static func facts(_ specs: NetworkSpecs, signer: PublicKey?) -> [LogEvent.Fact] {
        [
            LogEvent.Fact("name", specs.name), LogEvent.Fact("title", specs.title),
            LogEvent.Fact("genesis_hash", specs.genesisHash.hex),
            LogEvent.Fact("scheme", specs.scheme.name),
            LogEvent.Fact("base58prefix", String(specs.base58Prefix)),
            LogEvent.Fact("decimals", String(specs.decimals)), LogEvent.Fact("unit", specs.unit),
        ] + facts(signer: signer)
    }

    package static func facts(signer: PublicKey?) -> [LogEvent.Fact] {
        guard let signer else { return [] }
        return [LogEvent.Fact("signed_by", signer.hex), LogEvent.Fact("signed_scheme", signer.scheme.name)]
    }
}

/// Turns a refusal of the policy into one of the update.
private func refusing<T>(
    _ genesis: GenesisHash, signer: PublicKey? = nil, _ body: () throws(VerifierPolicy.Refusal) -> T
) throws(UpdateRefusal) -> T {
    do {
        return try body()
    } catch {
        switch error {
        case .mustBeSignedBy(let keys): throw .mustBeSignedBy(keys)
        case .specsFirst: throw .specsFirst(signer)
        case .unknownNetwork: throw .unknownNetwork(genesis)
        case .revoked: throw .revokedNetwork(genesis)
        }
    }
}

extension WellKnownChain {
    private static let firstKeys = all.compactMap { chain in
        (try? DerivationPath(chain.specs.pathID)).map { (chain, $0) }
    }

    /// The listed chain whose default derivation path derives the same key. nil if there is none, or if the
    /// chain with `genesis` is itself a listed chain with this path.
    public static func chain(ofFirstKeyAt path: DerivationPath, besides genesis: GenesisHash)
        -> WellKnownChain?
    {
        let owners = firstKeys.filter { $0.1.derivesSameKey(as: path) }.map(\.0)
        return owners.contains { $0.genesisHash == genesis } ? nil : owners.first
    }
}
