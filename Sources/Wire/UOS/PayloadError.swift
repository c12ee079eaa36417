import Diagnostics
import SCALE
import SubstratePrimitives

/// Why bytes are not a payload that this signer reads.
public enum PayloadError: Error, Equatable, Sendable {
    /// Fewer than ``Prelude/length`` bytes.
    case tooShort(bytes: Int)
    /// The first byte is not ``Prelude/firstByte``.
    case notAPayload(firstByte: UInt8)
    /// A code that people show by mistake.
    case foreign(ForeignCode)
    /// The third byte is not a ``PayloadCode``.
    case unknownCode(UInt8)
    /// The second byte is neither a scheme, 0 to 3, nor `Prelude.noScheme`.
    case unknownScheme(UInt8)
    /// The prelude names no scheme where a key follows.
    case schemeMissing(PayloadCode)
    /// Only the hash of a transaction: what it does cannot be shown.
    case blindSigning
    /// Metadata that is compressed, where nothing expands it.
    case compressed
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
    /// A state proof is malformed, too large, or stands around something else than one transaction.
    case stateProof(StateFailure)
    /// A round of a guarded signature whose reveal is wrong, or that stands around something else than one
    /// transaction.
    case guarded(GuardFailure)
    /// Bytes that read as both layouts of code de.
    case ambiguousDerivations
    /// A list of contacts breaks a rule of its format.
    case contactList(ContactList.Failure)
    /// A message of a threshold group breaks a rule of its format.
    case group(PayloadCode, GroupFailure)
}

extension PayloadError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .tooShort(let bytes):
            .badInput(
                "payload-too-short", "the payload is too short: \(Sentence.count(bytes, "byte"))",
                hint: Hints.scanAgain)
        case .notAPayload(let byte):
            .badInput(
                "not-a-payload",
                "the data is not a payload: it starts with \(Sentence.byte(byte)) instead of 0x53",
                hint: Hints.scanAgain)
        case .foreign(let code): code.diagnostic
        case .unknownCode(let code):
            .badInput(
                "unknown-payload", "payload code \(Sentence.byte(code)) is unknown",
                hint: Hints.scanAgain)
        case .unknownScheme(let scheme):
            .badInput(
                "unknown-payload-scheme", "signature scheme \(Sentence.byte(scheme)) is unknown",
                hint: Hints.scanAgain)
        case .schemeMissing(let code):
            .badInput(
                "scheme-missing", "the payload of kind \(code.kind) names no signature scheme",
                hint: Hints.scanAgain)
        case .blindSigning:
            .refused(
                "blind-signing",
                "the payload holds only the hash of a transaction, "
                    + "so the transaction cannot be shown or signed",
                hint: "send the whole transaction, or one with a metadata proof")
        case .compressed:
            .badInput(
                "compressed-payload", "the payload is an update with compressed metadata",
                hint: "heliograph scan")
        case .malformed(let place, let error):
            .badInput(
                "malformed-payload", "the payload is malformed: \(place): \(error.sentence)",
                hint: Hints.scanAgain)
        case .reservedTail(let bytes):
            .badInput(
                "leftover-bytes", "\(Sentence.leftover(bytes)) after the update", hint: Hints.scanAgain)
        case .messageWithoutTags:
            .refused(
                "message-without-tags", "the message is not between <Bytes> and </Bytes>",
                hint: "sign the message between <Bytes> and </Bytes>")
        case .notSignable(let code):
            .badInput(
                "bulk-content",
                "the bulk payload holds a payload of kind \(code.kind), which cannot be signed",
                hint: "scan the other payloads one by one")
        case .emptyBulk: .badInput("empty-bulk", "the bulk payload is empty", hint: Hints.makeAgain)
        case .notClaimable(let code):
            .badInput(
                "claims-content",
                "the claimed facts hold a payload of kind \(code.kind) instead of one transaction",
                hint: Hints.makeAgain)
        case .claimsOfAnotherScheme:
            .badInput(
                "claims-scheme", "the claimed facts and their transaction name different signature schemes",
                hint: Hints.makeAgain)
        case .stateProof(let failure): failure.diagnostic
        case .guarded(let failure): failure.diagnostic
        case .ambiguousDerivations:
            .badInput(
                "ambiguous-derivations",
                "the payload reads both as exported keys and as a list of derivation paths",
                hint: Hints.makeAgain)
        case .contactList(let failure):
            .badInput(
                "contact-list", "the list of contacts is malformed: \(failure.words)",
                hint: "ask the signer for a new list")
        case .group(let code, let failure):
            .badInput(
                "group-message", "the payload of kind \(code.kind) is malformed: \(failure.words)",
                hint: "ask its sender for the message again")
        }
    }

    public static var examples: [PayloadError] {
        [
            .tooShort(bytes: 2), .notAPayload(firstByte: 0x40), .unknownCode(0xff), .unknownScheme(9),
            .schemeMissing(.transaction),
            .blindSigning, .compressed,
            .malformed(place: "genesis hash", SCALEError(.truncated(needed: 32, available: 3), offset: 90)),
            .reservedTail(bytes: 3),
            .messageWithoutTags, .notSignable(.addSpecs), .emptyBulk, .notClaimable(.message),
            .claimsOfAnotherScheme, .stateProof(.itemOrder), .guarded(.reveal), .ambiguousDerivations,
            .contactList(.notAscending(entry: 3)),
            .group(.groupProposal, .threshold(1, members: 3)), .group(.groupProposal, .contributors(1)),
        ] + ForeignCode.allCases.map(PayloadError.foreign)
    }
}

extension PayloadError {
    /// Reads a value that must use all of `body`. A SCALE failure gets the name of the field.
    static func reading<T>(
        _ place: String, _ body: SCALEReader, _ read: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(PayloadError) -> T {
        var reader = body
        do {
            let value = try read(&reader)
            try reader.finish()
            return value
        } catch {
            throw .malformed(place: place, error)
        }
    }
}

/// Why bytes are not a guarded transaction.
public enum GuardFailure: Error, Equatable, Sendable {
    /// The content is not one transaction. The value is its payload code, or nil if the content is not a
    /// payload.
    case content(PayloadCode?)
    /// The prelude names another scheme than the transaction.
    case otherScheme
    /// A scheme whose nonces are not made in two rounds: ecdsa and ethereum, or none.
    case unsupported(SignatureScheme?)
    /// The revealed bytes are not those that the commitment fixed.
    case reveal
    /// The answer to the first round, which the online machine reads.
    case answer

    /// Refuses the schemes that cannot be guarded.
    /// - Parameter scheme: nil for `ff`.
    /// - Throws: ``PayloadError/guarded(_:)``
    static func check(_ scheme: SignatureScheme?) throws(PayloadError) {
        switch scheme {
        case .sr25519, .ed25519: return
        case .ecdsa, .ethereum, nil: throw .guarded(.unsupported(scheme))
        }
    }
}

extension GuardFailure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .content(let code?):
            .badInput(
                "guard-content",
                "a guarded signature is for one transaction, and not for a payload of kind \(code.kind)",
                hint: Hints.makeAgain)
        case .content(nil):
            .badInput("guard-content", "what is to be guarded is not a payload", hint: Hints.makeAgain)
        case .otherScheme:
            .badInput(
                "guard-scheme",
                "the guarded transaction and what stands around it name different signature schemes",
                hint: Hints.makeAgain)
        case .unsupported(let scheme):
            .refused(
                "guard-unsupported",
                "\(scheme.map { "an \($0.name) key" } ?? "a payload without a scheme") "
                    + "cannot sign guarded: sr25519 and ed25519 keys can",
                hint: "make the transaction without --guard")
        case .reveal:
            .badInput(
                "guard-reveal",
                "the revealed bytes are not those that the commitment fixed: nothing is signed",
                hint: "scan the first code of the transaction again")
        case .answer:
            .badInput(
                "guard-answer", "this is a signer's answer to the first code of a guarded transaction",
                hint: "the online machine takes it: heliograph-hot read PICTURE")
        }
    }

    public static var examples: [Self] {
        [
            .content(.message), .content(nil), .otherScheme, .unsupported(.ecdsa), .unsupported(nil), .reveal,
            .answer,
        ]
    }
}
