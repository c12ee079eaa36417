import UOS

/// What the offline side sent back.
enum AnswerContent: Equatable {
    /// Signatures as the scheme index of MultiSignature and 64 or 65 bytes; one, or as many as a batch has transactions.
    case signatures([MultiSignature])
    /// A bare signature: the answer to a message.
    case messageSignature([UInt8])
    case derivations(ExportAddrs)

    /// - Parameter payload: what the codes hold, without their envelopes.
    init(_ payload: [UInt8]) throws {
        if let read = try? Payload(payload), case .importDerivations(let export) = read.content {
            self = .derivations(export)
            return
        }
        switch Answer(payload) {
        case .transaction(let signature): self = .signatures([signature])
        case .message(let signature): self = .messageSignature(signature)
        case .bulk(let signatures): self = .signatures(signatures)
        case .derivations, nil: throw HotError.notAnAnswer
        }
    }
}
