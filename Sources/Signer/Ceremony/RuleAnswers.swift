import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// The answers that rules of the policy gave, found in the sealed log: a repeated payload gets the same
/// answer, and is not signed again.
///
/// They are stored only in the sealed log: it is written with the signature or not at all, and whoever owns
/// the folder of the pictures cannot change it. Answers that a person gave are left out, because nobody
/// allowed to hand them out again.
public struct RuleAnswers {
    /// Numbers of entries, by BLAKE2b-256 of the payload, and of the commitment that a guarded answer is for:
    /// the nonce of another answer is not the one that the online machine waits for.
    private var entries: [Hash32: UInt64] = [:]
    /// The first entry of the log that was not read yet.
    private var next: UInt64 = 1
    private let nonce: SigningNonce

    /// Without any answer yet.
    /// - Parameter nonce: of the answers that are asked for. Who asks for reproducible ones compares them on
    ///   a second machine, so a hedged one is no answer then.
    public init(nonce: SigningNonce = .hedged) { self.nonce = nonce }

    /// The answer to a payload if rules signed every transaction and message of it; otherwise nil.
    ///
    /// The first call reads the whole log, each later one only the new entries.
    ///
    /// A state proof is not part of the signed bytes, and the answer is found without it. But whoever gets an
    /// answer to a payload believes all of the payload, so one with a failing proof gets none, as at its
    /// first time. The rules are not asked again, because they approved these bytes.
    /// - Parameters:
    ///   - payload: the payload.
    ///   - additions: the additions with which the queue reviews it.
    ///   - session: the session; its log has the answers.
    /// - Throws: `StoreError.sealBroken(_:)`; what a review of the payload throws where its proof is not that
    ///   of the transaction.
    public mutating func answer(
        to payload: Payload, additions: TransactionReview.Additions = TransactionReview.Additions(),
        in session: Session
    ) throws -> Answer? {
        let answer = try logged(payload, session)
        if answer != nil, payload.state != nil {
            _ = try session.preview(SignPayload(payload, additions: additions))
        }
        return answer
    }

    private mutating func logged(_ payload: Payload, _ session: Session) throws -> Answer? {
        try session.readLog(from: next) { entry in
            next = entry.number + 1
            guard isAnswer(entry.event), let payload = entry.event.payload else { return }
            entries[Self.name(payload, commitment: Self.commitment(of: entry.event))] = entry.number
        }
        switch payload.guardRound {
        // A point is asked for, which is made again: the answer of the second round would be none to it.
        case .commitment?: return nil
        case .reveal?, nil: break
        }
        switch payload.signable {
        case .transaction, .message:
            return try signature(over: payload, commitment: payload.guardRound?.commitment, session)
        case .bulk(let payloads):
            var answers: [Answer] = []
            for payload in payloads {
                guard let answer = try signature(over: payload, commitment: nil, session) else { return nil }
                answers.append(answer)
            }
            return Answer(together: answers, schemes: payloads.map(\.prelude.scheme))
        case nil: return nil
        }
    }

    private static func name(_ payload: [UInt8], commitment: [UInt8]?) -> Hash32 {
        .blake2b(of: payload + (commitment ?? []))
    }

    private static func commitment(of event: LogEvent) -> [UInt8]? {
        event[SignPayload.guardCommitment].flatMap(Hex.decode)
    }

    private func signature(over payload: Payload, commitment: [UInt8]?, _ session: Session) throws -> Answer?
    {
        guard let number = entries[Self.name(payload.bytes, commitment: commitment)],
            let scheme = payload.prelude.scheme
        else { return nil }
        var answer: Answer?
        try session.readLog(from: number, limit: 1) { entry in
            guard entry.number == number, isAnswer(entry.event), entry.event.payload == payload.bytes,
                Self.commitment(of: entry.event) == commitment,
                let signature = entry.event["signature"].flatMap(Hex.decode)
            else { return }
            answer =
                entry.event.kind == .messageSigned
                ? .message(signature) : .transaction(MultiSignature(scheme: scheme, bytes: signature))
        }
        return answer
    }

    /// Whether a rule gave an answer. A comparison by a rule signs, too, and gives nothing out: its entry has
    /// no signature, and must not stand for the one that has.
    private func isAnswer(_ event: LogEvent) -> Bool {
        guard event.kind == .transactionSigned || event.kind == .messageSigned, event["approved_by"] != nil,
            event["signature"] != nil
        else { return false }
        switch nonce {
        case .hedged: return true
        case .reproducible: return event["nonce"].utf8Equals(nonce.rawValue)
        }
    }
}

extension Answer {
    /// What goes back for signatures that were asked for together.
    public init(_ signed: [SignedTransaction]) {
        self = signed.count == 1 ? signed[0].answer : .bulk(signed.map(\.multiSignature))
    }

    /// The same for answers that were given one by one; nil where one is neither a transaction's nor a
    /// message's.
    fileprivate init?(together answers: [Answer], schemes: [SignatureScheme?]) {
        guard answers.count != 1 else {
            self = answers[0]
            return
        }
        var signatures: [MultiSignature] = []
        for (answer, scheme) in zip(answers, schemes) {
            switch answer {
            case .transaction(let signature): signatures.append(signature)
            case .message(let bytes):
                guard let scheme else { return nil }
                signatures.append(MultiSignature(scheme: scheme, bytes: bytes))
            case .bulk, .derivations, .guardPoint: return nil
            }
        }
        self = .bulk(signatures)
    }
}
