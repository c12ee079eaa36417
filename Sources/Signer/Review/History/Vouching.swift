import Cards
import SCALE
import SubstratePrimitives
import TrustStore

/// Who vouches, besides whoever made it, that a transaction was read as its chain reads it. This is the one place that decides it.
///
/// Whoever makes a transaction can make its metadata proof, too: a proof of any types, names and versions has a digest, and the signed bytes name it.
/// The chain then refuses the signature as a transaction, but this vault would have learned something: an amount that was "paid", a nonce that was
/// "used", a rule that said yes. So a reading teaches this vault nothing, and no rule approves it, until somebody else stands for it: a
/// verifier, whose metadata the vault holds and believes, or the person, who confirmed an earlier signature over exactly this digest.
///
/// A yes of a rule counts for nothing here: a rule follows what is vouched for, so it cannot be what vouches. Nor does an earlier payload of the same
/// bulk count: one answer signs them all. A digest stands for every type, name and version below it, so there is nothing left to
/// choose once it is confirmed.
public enum Vouching: Sendable, Equatable {
    /// Metadata of this version that a verifier signed read the transaction, or agrees with its proof.
    case metadata
    /// A person confirmed an earlier signature with the same digest.
    case earlierSignature
    /// Only whoever made the transaction.
    case nobody

    /// Of metadata that the vault holds.
    init(_ voucher: Ground.Voucher) {
        switch voucher {
        case .verifier, .verifiers: self = .metadata
        case .nobody, .file: self = .nobody
        }
    }

    public var isVouched: Bool {
        switch self {
        case .metadata, .earlierSignature: true
        case .nobody: false
        }
    }
}

extension ReviewedTransaction {
    /// Whether a signature of it may teach this vault something beyond what a person confirms: amounts that were paid, and nonces. A message has no
    /// reading, so nobody has to vouch for it.
    public var isVouched: Bool { vouching?.isVouched ?? true }

    /// The row that says that a person confirmed this digest; nil for a message.
    var readingKey: HistoryKey? {
        guard let genesis = specs?.genesisHash, let metadataHash else { return nil }
        return HistoryKey(.reading, genesis.bytes, metadataHash.bytes)
    }

    /// The row that says which runtime version of the network a person confirmed last; nil for a message.
    var runtimeKey: HistoryKey? { metadataHash == nil ? nil : specs.map { HistoryKey(.reading, $0.genesisHash.bytes) } }
}

/// The runtime version of a reading that a person confirmed, and when.
struct ConfirmedReading: HistoryRecord {
    let version: UInt32
    let time: UInt64

    init(_ version: UInt32, at time: UInt64) { (self.version, self.time) = (version, time) }

    init(from reader: inout SCALEReader) throws {
        version = try reader.integer()
        time = try reader.integer()
    }

    func encode(into writer: inout SCALEWriter) {
        writer.integer(version)
        writer.integer(time)
    }
}

extension HistoryRows {
    /// What a person confirmed is vouched for from the next signature on.
    mutating func confirm(_ reviewed: ReviewedTransaction, at time: UInt64) {
        guard let version = reviewed.specVersion else { return }
        for key in [reviewed.readingKey, reviewed.runtimeKey].compactMap({ $0 }) { write(ConfirmedReading(version, at: time), to: key) }
    }
}

// MARK: Versions

extension ChainData {
    /// How far above a known runtime version another one may be before the review remarks it. Releases of Polkadot's runtimes are 1,000 apart, those of
    /// parachains 1 to 100, and a new major number is remarked once.
    ///
    /// This only says what a person should look at. It stops nobody who tries many proofs, since a proof has other parts that can be varied; the
    /// digest does, which has to be vouched for before a rule says yes.
    static let versionStep: UInt32 = 10_000

    /// The same with a warning where only the proof knows its runtime version: it is below every version that the built-in list, the metadata of this
    /// vault and the last confirmed signature have of the network, or more than ``versionStep`` above each of them.
    ///
    /// A network that is itself known from the proof alone has a warning of its own, and without a history nothing can be known.
    /// - Parameter confirmed: the runtime version that a person confirmed last.
    func weighed(_ item: ReviewedTransaction, confirmed: UInt32?) -> ReviewedTransaction {
        guard item.vouching == .nobody, case .chain? = item.ground, let specs = item.specs, let version = item.specVersion else {
            return item
        }
        let listed = KnownChains.listedVersion(genesis: specs.genesisHash)
        let known = [listed, confirmed].compactMap { $0 } + state.metadata(genesis: specs.genesisHash).map(\.version)
        guard let newest = known.max() else {
            guard item.provedNetwork == nil, history != nil else { return item }
            return item.warning(Card(.runtimeVersionUnknown, "\(ReviewWarning.runtimeVersionUnknown.line): \(version)"))
        }
        guard !known.contains(where: { $0 <= version && version - $0 <= Self.versionStep }) else { return item }
        return item.warning(
            Card(.runtimeVersionUnknown, "\(ReviewWarning.runtimeVersionUnknown.line): \(version), and the newest known here is \(newest)"))
    }
}
