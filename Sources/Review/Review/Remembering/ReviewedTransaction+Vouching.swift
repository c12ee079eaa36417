import Accounts
import Cards
import History
import SubstratePrimitives
import TrustStore

extension Vouching {
    /// The trust in metadata that the vault holds.
    init(_ voucher: MetadataVoucher) {
        switch voucher {
        case .verifier, .verifiers: self = .metadata
        case .nobody, .file: self = .nobody
        }
    }
}

extension ReviewedTransaction {
    /// Whether a signature of it adds to the memory of payments and nonces. A message has no reading, so
    /// nobody has to vouch for it.
    public var isVouched: Bool { vouching?.isVouched ?? true }

    /// Whether a yes would be the first to vouch for the reading: nobody does yet, and the chain checks it.
    /// Frequent use does not make the vault's unsigned metadata more trustworthy.
    var isNewReading: Bool {
        guard vouching == .nobody, refusal == nil, case .chain? = provenance else { return false }
        return true
    }

    /// The row that says that a person confirmed this digest; nil for a message.
    var readingKey: HistoryKey? {
        guard let genesis = specs?.genesisHash, let metadataHash else { return nil }
        return HistoryKey(.reading, genesis.bytes, metadataHash.bytes)
    }

    /// The row that says which runtime version of the network a person confirmed last; nil for a message.
    var runtimeKey: HistoryKey? {
        metadataHash == nil ? nil : specs.map { HistoryKey(.reading, $0.genesisHash.bytes) }
    }
}

extension HistoryRows {
    /// What a person confirmed is vouched for from the next signature on, where the review said so.
    mutating func confirm(_ reviewed: ReviewedTransaction, at time: UInt64) {
        guard let version = reviewed.specVersion, reviewed.yesVouches || reviewed.isVouched else { return }
        let keys = [reviewed.yesVouches ? reviewed.readingKey : nil, reviewed.runtimeKey]
        for key in keys.compactMap({ $0 }) { write(ConfirmedReading(version, at: time), to: key) }
    }
}

// MARK: Versions

extension ChainData {
    /// How far a runtime version may be above a known one before the review warns. Releases of Polkadot's
    /// runtimes are 1,000 apart, those of parachains 1 to 100, and a new major number is warned of once.
    ///
    /// This only draws attention. It does not stop somebody who tries many proofs, because other parts of a
    /// proof can vary. The digest stops them: somebody has to vouch for it before a rule says yes.
    static let versionStep: UInt32 = 10_000

    /// The runtime versions of a network that something here knows.
    /// - Parameter confirmed: the one that a person confirmed last.
    private func knownRuntimes(genesis: GenesisHash, confirmed: UInt32?) -> [KnownRuntime] {
        let listed = KnownChains.listedVersion(genesis: genesis)
        return (listed.map { [KnownRuntime(version: $0, source: .program)] } ?? [])
            + (confirmed.map { [KnownRuntime(version: $0, source: .signature)] } ?? [])
            + state.metadata(genesis: genesis).map { KnownRuntime(version: $0.version, source: .metadata) }
    }

    /// The newest runtime version of a network that something here knows; nil where nothing does. A review
    /// warns by it.
    public func newestRuntime(of network: NetworkSpecs) throws -> KnownRuntime? {
        let key = HistoryKey(.reading, network.genesisHash.bytes)
        let confirmed = try history?.rows([key]).held(key, as: ConfirmedReading.self)?.version
        return knownRuntimes(genesis: network.genesisHash, confirmed: confirmed).max {
            $0.version < $1.version
        }
    }

    /// The transaction with a warning if only its proof knows its runtime version: the version is below every
    /// version that the built-in list, the metadata of this vault and the last confirmed signature have of
    /// the network, or more than ``versionStep`` above each of them.
    ///
    /// A network that is itself known from the proof alone has a warning of its own, and without a history
    /// nothing can be known.
    /// - Parameter confirmed: the runtime version that a person confirmed last.
    func weighed(_ item: ReviewedTransaction, confirmed: UInt32?) -> ReviewedTransaction {
        guard item.vouching == .nobody, case .chain? = item.provenance, let specs = item.specs,
            let version = item.specVersion
        else {
            return item
        }
        let known = knownRuntimes(genesis: specs.genesisHash, confirmed: confirmed)
        guard let newest = known.max(by: { $0.version < $1.version }) else {
            guard item.provedNetwork == nil, history != nil else { return item }
            return item.warning(Card(.warning(.runtimeVersionUnknown(version, newest: nil))))
        }
        let isNear = known.map(\.version).contains { $0 <= version && version - $0 <= Self.versionStep }
        guard !isNear else { return item }
        return item.warning(Card(.warning(.runtimeVersionUnknown(version, newest: newest))))
    }
}
