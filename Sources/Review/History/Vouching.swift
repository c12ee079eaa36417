import Cards
import SCALE
import SubstratePrimitives
import TrustStore

/// Who vouches, apart from its maker, that a transaction was read as its chain reads it. This is decided only
/// here.
///
/// Whoever makes a transaction can make its metadata proof, too: a proof of any types, names and versions has
/// a digest, and the signed bytes name it. The chain then refuses the signature as a transaction, but this
/// vault would have learned something: an amount that was "paid", a nonce that was "used", a rule that said
/// yes. So a reading teaches this vault nothing, and no rule approves it, until somebody else stands for it:
/// a verifier, whose metadata the vault holds and believes, or the person, who confirmed an earlier signature
/// over exactly this digest.
///
/// A yes of a rule does not vouch: a rule relies on what is vouched for. Nor does an earlier payload of the
/// same bulk, because one answer signs them all. A digest determines every type, name and version below it,
/// so nothing is left to choose once it is confirmed.
///
/// That is why a yes vouches only if the review says so. A person who agrees to an empty transfer by a forged
/// proof loses nothing by that signature, but a rule that later follows the same digest would sign fields
/// that the forger laid out. So the review names the digest beside the question
/// (`ReviewedTransaction.yesVouches`), what is signed is compared with what was shown, and only a named
/// digest is stored. One answer vouches for at most one digest: for a bulk with several, a person would have
/// to judge a list, so it vouches for none.
///
/// Metadata of a verifier vouches for a proof only by the digest. Formats 14 and 16 have no comparable
/// digest: they only read the same bytes and show the same cards. The sender still chooses the parts of the
/// proof that this transaction does not use, and with them the last 32 signed bytes and whether the chain
/// takes the signature at all.
public enum Vouching: Sendable, Equatable {
    /// Metadata of this version that a verifier signed read the transaction, or has the digest of its proof.
    case metadata
    /// A person confirmed an earlier signature with the same digest, and was told that this is what a yes
    /// does.
    case earlierSignature
    /// Only whoever made the transaction.
    case nobody

    public var isVouched: Bool {
        switch self {
        case .metadata, .earlierSignature: true
        case .nobody: false
        }
    }
}

/// The runtime version of a reading that a person confirmed, and when.
package struct ConfirmedReading: HistoryRecord {
    package let version: UInt32
    let time: UInt64

    package init(_ version: UInt32, at time: UInt64) { (self.version, self.time) = (version, time) }

    package init(from reader: inout SCALEReader) throws {
        version = try reader.integer()
        time = try reader.integer()
    }

    package func encode(into writer: inout SCALEWriter) {
        writer.integer(version)
        writer.integer(time)
    }
}
