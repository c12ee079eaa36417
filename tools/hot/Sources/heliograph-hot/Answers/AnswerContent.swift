import Hashing
import UOS

/// An answer from the offline side.
enum AnswerContent: Equatable {
    /// Signatures, each as the scheme index of MultiSignature and 64 or 65 bytes: one for each transaction of
    /// the payload.
    case signatures([MultiSignature])
    /// A bare signature: the answer to a message.
    case messageSignature([UInt8])
    case derivations(ExportAddrs)
    /// The answer to a request for derived addresses.
    case addresses(DynamicDerivationsResponse)
    /// The answer to the first code of a guarded transaction.
    case guardPoint(GuardPoint)

    /// - Parameter payload: the content of the codes, without frame headers.
    init(_ payload: [UInt8]) throws {
        // Hex is how a member's program prints such a message into a pipe.
        let bytes = Hex.decode(String(decoding: payload, as: UTF8.self)) ?? payload
        if let read = try? Payload(bytes) {
            if bytes == payload, case .importDerivations(let export) = read.content {
                self = .derivations(export)
                return
            }
            // A step on the way to a signature. The signature itself is an ordinary answer.
            if case .group(let message) = read.content {
                throw HotError.groupMessage(kind: message.code.kind)
            }
        }
        switch Answer(payload) ?? Answer(bytes) {
        case .transaction(let signature): self = .signatures([signature])
        case .message(let signature): self = .messageSignature(signature)
        case .bulk(let signatures): self = .signatures(signatures)
        case .derivations(let response): self = .addresses(response)
        case .guardPoint(let point): self = .guardPoint(point)
        case nil:
            // Digits of hex are no text: they stand for the bytes that are no answer.
            let foreign = ForeignCode(payload)
            if let foreign, foreign != .answer, foreign != .text || bytes == payload {
                throw PayloadError.foreign(foreign)
            }
            guard let read = try? Payload(bytes) else { throw HotError.notAnAnswer }
            throw HotError.payloadForSigner(kind: read.prelude.code.kind)
        }
    }
}
