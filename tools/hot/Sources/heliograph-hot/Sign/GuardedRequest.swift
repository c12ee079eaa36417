import Diagnostics
import Hashing
import HotStore
import Keys
import Lines
import SubstratePrimitives
import Threshold
import UOS

/// The online side of a guarded signature: it fixes random bytes, takes the signer's point, reveals the bytes
/// only then, and takes no signature whose nonce is not made of both.
struct GuardedRequest {
    private let store: HotStore
    private let request: SignedRequest

    init(_ request: SignedRequest, _ store: HotStore) {
        self.request = request
        self.store = store
    }

    /// The first code.
    /// - Parameter payload: one transaction, with what stands around it.
    static func begin(_ payload: [UInt8], _ store: HotStore) throws -> [UInt8] {
        let read = try Payload(payload)
        // Refuses what cannot be guarded before anything is kept.
        _ = try GuardRound.commitment(GuardHash.commitment(to: [])).around(read)
        let request = try SignedRequest.all(in: payload, store)[0]
        let fresh = SecretBytes(randomCount: 32).withUnsafeBytes { Array($0) }
        let begun = try store.beginGuard(
            request.digest, key: request.signer.guardKey, sent: payload, fresh: fresh)
        if begun.rounds > 1 {
            Console.note(
                "asked for the \(begun.rounds). time: the commitment of the first time is shown again")
        }
        return try GuardRound.commitment(GuardHash.commitment(to: begun.reveal)).around(read)
    }

    /// Where `sign` writes the first code: beside the file of the second.
    /// - Parameter out: `tx.png` gives `tx-first.png`, and a directory another one.
    static func nameOfFirst(_ out: String) -> String {
        let bytes = Array(out.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > slash + 1 ? $0 : nil }
        let end = dot ?? (slash == bytes.count - 1 ? slash : bytes.count)
        return String(decoding: bytes[..<end] + Array("-first".utf8) + bytes[end...], as: UTF8.self)
    }

    /// The second code, once the signer's point is kept.
    /// - Parameter answer: the answer to the first code.
    /// - Throws: ``HotError/noMatchingRequest`` for a point of nothing that was asked here,
    ///   ``HotError/badGuardPoint``, ``HotError/otherGuardPoint``
    static func reveal(to answer: GuardPoint, _ store: HotStore) throws -> [UInt8] {
        guard let row = try store.guarded(answer.payload),
            answer.commitment == GuardHash.commitment(to: row.reveal)
        else { throw HotError.noMatchingRequest }
        let request = try SignedRequest.all(in: row.sent, store)[0]
        guard answer.scheme == request.signer.scheme, try request.guarded()?.isPoint(answer.point) == true
        else {
            try store.countRefusal(of: row.payload)
            throw HotError.badGuardPoint
        }
        guard try store.keepPoint(answer.point, of: row.payload) else { throw HotError.otherGuardPoint }
        return try GuardRound.reveal(GuardReveal(row.reveal, point: answer.point)).around(Payload(row.sent))
    }

    /// Refuses a signature, valid or not, that is not made as agreed, and says what was counted.
    /// - Throws: ``HotError/guardUnanswered``, ``HotError/guardNotKept``
    func check(_ signature: MultiSignature) throws {
        let row = try store.guarded(request.digest)
        // A payload of the second code has all values with it, also where another database made it.
        guard row != nil || request.round != nil else { return }
        guard let (point, reveal) = agreed(row) else { throw HotError.guardUnanswered }
        guard try request.guarded()?.isMade(signature.bytes, point: point, reveal: reveal) == true else {
            try store.countRefusal(of: request.digest)
            throw HotError.guardNotKept
        }
        try store.finishGuard(request.digest)
        Console.note("guarded: the signer and this machine made the nonce together, as agreed")
        guard let row else { return }
        let open = try store.openGuards(of: row.key, but: row.payload)
        if row.rounds > 1 || row.refused > 0 || open > 0 {
            Console.note(
                """
                guarded: the first code was made \(Sentence.count(row.rounds, "time")), \
                \(Sentence.count(row.refused, "answer")) \(row.refused == 1 ? "was" : "were") refused, and \
                \(Sentence.count(open, "other guarded transaction")) of this key \(open == 1 ? "has" : "have") \
                no signature
                """)
        }
    }

    private func agreed(_ row: HotGuard?) -> (point: [UInt8], reveal: [UInt8])? {
        if let row { return row.point.map { ($0, row.reveal) } }
        switch request.round {
        case .reveal(let reveal)?: return (reveal.point, reveal.value)
        case .commitment?, nil: return nil
        }
    }
}

extension RequestedSigner {
    /// Scheme byte and key.
    fileprivate var guardKey: [UInt8] { [scheme.rawValue] + payloadKey }
}

extension SignedRequest {
    /// nil for a key that cannot be guarded.
    fileprivate func guarded() throws -> GuardedSigning? {
        PublicKey(scheme: signer.scheme, bytes: signer.payloadKey).flatMap {
            GuardedSigning(key: $0, payload: digest, message: message)
        }
    }
}
