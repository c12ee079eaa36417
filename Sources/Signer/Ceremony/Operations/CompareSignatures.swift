import Diagnostics
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// Signs what another machine signed, and reports whether the bytes are the same. Only the verdict leaves it:
/// the second signatures exist nowhere, not even in the log.
///
/// A signature contains a number that the signer chooses, and a malicious build could choose it so that it
/// reveals the key. Whoever changed the first program cannot make a second machine, with the same seed and
/// another or older program, lie in the same way. This asks and logs like signing, because it does sign.
public struct CompareSignatures: LikeSigning {
    /// What a comparison comes to.
    public enum Verdict: String, Sendable, CaseIterable {
        /// The same bytes.
        case equal
        /// Other bytes, though key, message and the way of signing leave only one answer; or no signature of
        /// this key over this message.
        case different
        /// Valid, but its nonce cannot be reproduced: a hedged answer of sr25519, or a malicious one.
        case notComparable = "not_comparable"
    }

    public let signing: SignPayload
    let answers: [Answer]

    /// - `payload`: a transaction, a message or a bulk of them.
    /// - `answers`: of the other machine: one answer, or one for each transaction of a bulk.
    public init(
        _ payload: Payload, with answers: [Answer],
        additions: TransactionReview.Additions = TransactionReview.Additions(), comment: String? = nil
    ) {
        signing = SignPayload(payload, additions: additions, comment: comment, nonce: .reproducible)
        self.answers = answers
    }

    /// - Throws: `ReviewError`, ``CeremonyError/otherAnswers(have:need:)`` unless there is an answer for each
    ///   transaction.
    public func requireAllowed(_ shown: [ReviewedTransaction]) throws {
        try signing.requireAllowed(shown)
        let given = signatures.count
        guard given == shown.count else { throw CeremonyError.otherAnswers(have: given, need: shown.count) }
    }

    public func perform(_ shown: [ReviewedTransaction], in context: CommitContext<Self>) throws
        -> PreparedCommit<[Verdict]>
    {
        let signed = try signing.signatures(shown, context)
        let verdicts = zip(signed, signatures).map { Self.verdict($0, given: $1) }
        var rest = verdicts[...]
        return try signing.work(verdicts, signed, context) { _ in
            [LogEvent.Fact("compared", rest.removeFirst().rawValue)]
        }
    }

    /// The other machine's signatures in the payload's order; none for an answer that is of another kind.
    private var signatures: [Given] {
        answers.flatMap { answer -> [Given] in
            switch answer {
            case .transaction(let signature): [Given(scheme: signature.scheme, bytes: signature.bytes)]
            case .message(let bytes): [Given(scheme: nil, bytes: bytes)]
            case .bulk(let signatures): signatures.map { Given(scheme: $0.scheme, bytes: $0.bytes) }
            case .derivations, .guardPoint: []
            }
        }
    }

    private struct Given {
        /// nil where the answer does not tell it.
        let scheme: SignatureScheme?
        let bytes: [UInt8]
    }

    private static func verdict(_ signed: SignedTransaction, given: Given) -> Verdict {
        let own = signed.multiSignature
        guard given.scheme == nil || given.scheme == own.scheme else { return .different }
        if given.bytes == signed.signature { return .equal }
        let message = try? SigningMessage.bytes(
            signed.reviewed, scheme: signed.scheme, account: signed.key.accountID)
        let isValid = message.map { Signature.verify(given.bytes, message: $0, key: signed.key) } ?? false
        return signed.scheme == .sr25519 && isValid ? .notComparable : .different
    }
}
