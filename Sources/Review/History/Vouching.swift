import Cards
import SCALE
import SubstratePrimitives
import TrustStore

/// Who vouches, besides whoever made it, that a transaction was read as its chain reads it. This is the one
/// place that decides it.
///
/// Whoever makes a transaction can make its metadata proof, too: a proof of any types, names and versions has
/// a digest, and the signed bytes name it. The chain then refuses the signature as a transaction, but this
/// vault would have learned something: an amount that was "paid", a nonce that was "used", a rule that said
/// yes. So a reading teaches this vault nothing, and no rule approves it, until somebody else stands for it:
/// a verifier, whose metadata the vault holds and believes, or the person, who confirmed an earlier signature
/// over exactly this digest.
///
/// A yes of a rule counts for nothing here: a rule follows what is vouched for, so it cannot be what vouches.
/// Nor does an earlier payload of the same bulk count: one answer signs them all. A digest stands for every
/// type, name and version below it, so there is nothing left to choose once it is confirmed.
///
/// That is why a yes vouches only where the review says so. A person who agrees to a transfer of nothing by a
/// forged proof loses nothing by that signature, and a rule that later follows the same digest signs bytes
/// whose fields the forger laid out. So the review names the digest beside the question
/// (`ReviewedTransaction.yesVouches`), what is signed is compared with what was shown, and no row is written
/// for a digest that was not named. One answer vouches for one digest at most: of a bulk with several, a
/// person would have to judge a list, and it vouches for none.
///
/// Metadata of a verifier vouches for a proof by the digest alone. Formats 14 and 16 have none that could be
/// compared: they can only read the same bytes and find the same cards. The parts of the proof that this
/// transaction does not use are still the sender's choice, and with them the last 32 signed bytes and whether
/// the chain takes the signature at all.
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
