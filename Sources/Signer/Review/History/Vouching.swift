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
///
/// That is why a yes vouches only where the review says so. A person who agrees to a transfer of nothing by a forged proof loses nothing by that
/// signature, and a rule that later follows the same digest signs bytes whose fields the forger laid out. So the review names the digest beside the
/// question (``ReviewedTransaction/yesVouches``), what is signed is compared with what was shown, and no row is written for a digest that was not
/// named. One answer vouches for one digest at most: of a bulk with several, a person would have to judge a list, and it vouches for none.
///
/// Metadata of a verifier vouches for a proof by the digest alone. Formats 14 and 16 have none that could be compared: they can only read the same
/// bytes and find the same cards. The parts of the proof that this transaction does not use are still the sender's choice, and with them the last
/// 32 signed bytes and whether the chain takes the signature at all.
public enum Vouching: Sendable, Equatable {
    /// Metadata of this version that a verifier signed read the transaction, or has the digest of its proof.
    case metadata
    /// A person confirmed an earlier signature with the same digest, and was told that this is what a yes does.
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

    /// Whether nobody vouches for the reading of a transaction that the chain checks, and a yes could. Unsigned metadata that the vault holds
    /// is believed by nobody, however often it is used.
    var isNewReading: Bool {
        guard vouching == .nobody, refusal == nil, case .chain? = ground else { return false }
        return true
    }

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
    /// What a person confirmed is vouched for from the next signature on, where the review said so.
    mutating func confirm(_ reviewed: ReviewedTransaction, at time: UInt64) {
        guard let version = reviewed.specVersion, reviewed.yesVouches || reviewed.isVouched else { return }
        let keys = [reviewed.yesVouches ? reviewed.readingKey : nil, reviewed.runtimeKey]
        for key in keys.compactMap({ $0 }) { write(ConfirmedReading(version, at: time), to: key) }
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
