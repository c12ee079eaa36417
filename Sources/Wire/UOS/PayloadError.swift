import SCALE
import SubstratePrimitives

/// Why bytes are not a payload that this signer reads.
public enum PayloadError: Error, Equatable, Sendable {
    case tooShort(bytes: Int)
    case notAPayload(firstByte: UInt8)
    case unknownCode(UInt8)
    case unknownScheme(UInt8)
    /// The prelude names no scheme where a key follows.
    case schemeMissing(PayloadCode)
    /// Only the hash of a transaction: what it does cannot be shown.
    case blindSigning
    /// A field of the payload does not decode; `place` names the field.
    case malformed(place: String, SCALEError)
    /// Bytes stand after the part that ends an update.
    case reservedTail(bytes: Int)
    case messageWithoutTags
    /// A bulk holds a bulk, an update or something else that is not signed.
    case notSignable(PayloadCode)
    case emptyBulk
}
