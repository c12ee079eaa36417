import SCALE
import SubstratePrimitives

/// Why bytes are not a payload that this signer reads.
public enum PayloadError: Error, Equatable, Sendable {
    /// Fewer than ``Prelude/length`` bytes.
    case tooShort(bytes: Int)
    /// The first byte is not ``Prelude/firstByte``.
    case notAPayload(firstByte: UInt8)
    /// The third byte is not a ``PayloadCode``.
    case unknownCode(UInt8)
    /// The second byte is neither a scheme, 0 to 3, nor `Prelude.noScheme`.
    case unknownScheme(UInt8)
    /// The prelude names no scheme where a key follows.
    case schemeMissing(PayloadCode)
    /// Only the hash of a transaction: what it does cannot be shown.
    case blindSigning
    /// A field of the payload does not decode; `place` names the field.
    case malformed(place: String, SCALEError)
    /// Bytes stand after the part that ends an update.
    case reservedTail(bytes: Int)
    /// What is to be signed does not start with `<Bytes>` and end with `</Bytes>`.
    case messageWithoutTags
    /// A bulk holds a bulk, an update or something else that is not signed.
    case notSignable(PayloadCode)
    /// A bulk of no payloads.
    case emptyBulk
    /// Claimed facts stand around something else than one transaction.
    case notClaimable(PayloadCode)
    /// The prelude of claimed facts names another scheme than the transaction.
    case claimsOfAnotherScheme
    /// Bytes that read as both layouts of code de.
    case ambiguousDerivations
    /// A list of contacts breaks a rule of its format.
    case contactList(ContactList.Failure)
    /// A message of a threshold group breaks a rule of its format.
    case group(PayloadCode, GroupFailure)
}
