import Diagnostics
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// Answers the first round of a guarded signature with the point of its nonce.
///
/// The point tells nothing about the key, but it is made with the key, and the second round is for the same
/// transaction. So it is asked for like the signature: the same review, rules and refusals, the same keys.
/// Nothing is signed and nothing is kept, so neither the history nor a budget changes, and the second round
/// shows and asks everything again: whoever skips this round, or repeats it with other commitments, gets no
/// more than points.
public struct AnswerGuard: LikeSigning {
    public let signing: SignPayload

    /// - Parameters:
    ///   - payload: a transaction with the first round around it.
    ///   - additions: as for the signature.
    ///   - comment: a note that the log keeps.
    ///   - unstored: keys of a phrase that a person gave for this act.
    public init(
        _ payload: Payload, additions: TransactionReview.Additions = TransactionReview.Additions(),
        comment: String? = nil, unstored: [UnstoredSigner] = []
    ) {
        signing = SignPayload(payload, additions: additions, comment: comment, unstored: unstored)
    }

    /// - Throws: `ReviewError`
    public func requireAllowed(_ shown: [ReviewedTransaction]) throws { try signing.requireAnswerable(shown) }

    public func perform(_ shown: [ReviewedTransaction], in context: CommitContext<Self>) throws
        -> PreparedCommit<Answer>
    {
        let payload = signing.payload
        // The wire puts a round around one transaction alone.
        guard case .commitment(let commitment)? = payload.guardRound, shown.count == 1 else {
            throw PayloadError.guarded(.content(payload.prelude.code))
        }
        let item = try shown[0].signable()
        let key = try signing.keyPair(of: item, context)
        let message = try SignPayload.message(of: item, for: key.publicKey, context.trust)
        let guarded = try signing.guarded(key.publicKey, message)
        let answer = GuardPoint(
            scheme: key.scheme, commitment: commitment, payload: GuardHash.payload(payload.bytes),
            point: try guarded.point(key, commitment: commitment))
        let event = signing.event(
            item.reviewed, key.publicKey.address(prefix: item.reviewed.specs?.base58Prefix ?? 42),
            [LogEvent.Fact("guard_point", Hex.encode(answer.point))], rule: context.standing?.rules[0],
            context.standing, word: nil, kind: .guardAnswered)
        return PreparedCommit(.guardPoint(answer), events: [event])
    }
}
