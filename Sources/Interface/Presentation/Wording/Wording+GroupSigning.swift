import GroupReview
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// Words of a signature that several members make: what is asked, and what is shown to whom next.
extension Wording {
    private static func others(_ review: GroupSigningReview) -> String {
        review.signers.filter { $0.index != review.group.member }.map { Escape.quoted($0.shownName) }.joined(
            separator: ", ")
    }

    package static func commitmentCaption(_ review: GroupSigningReview) -> String {
        """
        Commitment, round one: show it to whoever collects, or to the last signer. The others: \
        \(others(review)). Next: scan the package of all commitments, before this machine or the shell is \
        started again.
        """
    }

    package static func shareCaption(_ review: GroupSigningReview) -> String {
        """
        Share, round two: show it to whoever collects, or to the signer who waits for it. The others: \
        \(others(review)). Nothing more is asked of this machine.
        """
    }

    package static func openRequest(_ offer: GroupOffer, group: String, isLive: Bool) -> String {
        let words = GroupWords.text(of: offer.request)
        return "\(Escape.line(group))  \(words)  \(LogDate.text(offer.time))"
            + (isLive ? "" : "  its nonces are gone")
    }
    package static func dropped(_ words: String) -> String { "dropped the request \(words)" }
}
