import Diagnostics
import SCALE

extension PayloadError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// The bytes end inside the prelude.
        case tooShort = "payload-too-short"
        /// The first byte is not `53`.
        case notAPayload = "not-a-payload"
        /// No payload has this code.
        case unknownPayload = "unknown-payload"
        /// No signature scheme has this byte.
        case unknownScheme = "unknown-payload-scheme"
        /// A key follows, and the prelude does not say of which scheme.
        case schemeMissing = "scheme-missing"
        /// Only a hash is to be signed.
        case blindSigning = "blind-signing"
        /// A field does not decode.
        case malformed = "malformed-payload"
        /// Bytes follow the end.
        case leftover = "leftover-bytes"
        /// A message is not between `<Bytes>` and `</Bytes>`.
        case messageWithoutTags = "message-without-tags"
        /// A bulk holds what is not signed.
        case notSignable = "bulk-content"
        /// A bulk holds nothing.
        case emptyBulk = "empty-bulk"
        /// Claimed facts hold something else than one transaction.
        case notClaimable = "claims-content"
        /// Claimed facts and their transaction name two schemes.
        case claimsOfAnotherScheme = "claims-scheme"
        /// Derivations that read in two ways.
        case ambiguousDerivations = "ambiguous-derivations"
        /// A list of contacts breaks a rule of its format.
        case contactList = "contact-list"
        /// A message of a threshold group breaks a rule of its format.
        case group = "group-message"
        /// A proposal to share an existing group's key anew.
        case groupReshare = "group-reshare"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .tooShort: .tooShort
        case .notAPayload: .notAPayload
        case .unknownCode: .unknownPayload
        case .unknownScheme: .unknownScheme
        case .schemeMissing: .schemeMissing
        case .blindSigning: .blindSigning
        case .malformed: .malformed
        case .reservedTail: .leftover
        case .messageWithoutTags: .messageWithoutTags
        case .notSignable: .notSignable
        case .emptyBulk: .emptyBulk
        case .notClaimable: .notClaimable
        case .claimsOfAnotherScheme: .claimsOfAnotherScheme
        case .ambiguousDerivations: .ambiguousDerivations
        case .contactList: .contactList
        case .group(_, .reshare): .groupReshare
        case .group: .group
        }
    }

    public var sentence: String {
        switch self {
        case .tooShort(let bytes): "the payload is too short: \(Sentence.count(bytes, "byte"))"
        case .notAPayload(let byte): "the data is not a payload: it starts with \(Sentence.byte(byte)) instead of 0x53"
        case .unknownCode(let code): "payload code \(Sentence.byte(code)) is unknown"
        case .unknownScheme(let scheme): "signature scheme \(Sentence.byte(scheme)) is unknown"
        case .schemeMissing(let code): "the payload of kind \(code.kind) names no signature scheme"
        case .blindSigning:
            "the payload holds only the hash of a transaction, so the transaction cannot be shown or signed"
        case .malformed(let place, let error): "the payload is malformed: \(place): \(error.sentence)"
        case .reservedTail(let bytes): "\(Sentence.leftover(bytes)) after the update"
        case .messageWithoutTags: "the message is not between <Bytes> and </Bytes>"
        case .notSignable(let code): "the bulk payload holds a payload of kind \(code.kind), which cannot be signed"
        case .emptyBulk: "the bulk payload is empty"
        case .notClaimable(let code): "the claimed facts hold a payload of kind \(code.kind) instead of one transaction"
        case .claimsOfAnotherScheme: "the claimed facts and their transaction name different signature schemes"
        case .ambiguousDerivations: "the payload reads both as exported keys and as a list of derivation paths"
        case .contactList(let failure): "the list of contacts is malformed: \(failure.words)"
        case .group(let code, .reshare): "the payload of kind \(code.kind) reshares the key of an existing group, which is not supported"
        case .group(let code, let failure): "the payload of kind \(code.kind) is malformed: \(failure.words)"
        }
    }

    public static var examples: [PayloadError] {
        [
            .tooShort(bytes: 2), .notAPayload(firstByte: 0x40), .unknownCode(0xff), .unknownScheme(9), .schemeMissing(.transaction),
            .blindSigning,
            .malformed(place: "genesis hash", SCALEError(.truncated(needed: 32, available: 3), offset: 90)), .reservedTail(bytes: 3),
            .messageWithoutTags, .notSignable(.addSpecs), .emptyBulk, .notClaimable(.message),
            .claimsOfAnotherScheme, .ambiguousDerivations, .contactList(.notAscending(entry: 3)),
            .group(.groupProposal, .threshold(1, members: 3)), .group(.groupProposal, .reshare),
        ]
    }
}
