import Cards
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Presentation
import SubstratePrimitives
import TerminalIO
import UOS

/// The messages of a signature: requests, packages and shares.
extension Scan {
    /// Shows what a group is asked to sign, asks, and answers with this machine's commitment, its share, or
    /// the finished signature.
    func sign(_ message: GroupMessage, _ session: inout ReviewSession, _ context: CommandContext) throws {
        var additions = try calls.additions()
        additions.acceptsProvedNetwork = acceptProvedNetwork
        guard let operation = SignForGroup(message, additions: additions, comment: comment) else { return }
        let preview = try context.device(self).preview(operation)
        let shown = preview.shown
        session.show(ReviewDocument.Item(shown, askedBy: message), .signForGroup)
        let result = try perform(preview, session, context, asking: Wording.groupQuestion(shown)).outcome
        if let signed = result.signed {
            try deliver(
                AnswerPicture([signed]), Wording.signatureCaption([signed]), text: [signed.answer.text],
                context.console
            ) { out in
                session.document.signatures = [
                    ReviewDocument.SignatureFacts(text: signed.text, out: Explicit(out))
                ]
            }
            if !json, out != nil { context.console.note(signed.answer.text) }
            return
        }
        switch result.answer {
        case .commitment(let bytes):
            try show(bytes, Wording.commitmentCaption(shown), &session, context.console)
        case .share(let bytes): try show(bytes, Wording.shareCaption(shown), &session, context.console)
        }
    }
}

extension ReviewDocument.Item {
    /// What a group is asked to sign: the transaction as for a key, above it what the message says and what
    /// this vault knows of the group.
    init(_ review: GroupSigningReview, askedBy message: GroupMessage) {
        self.init(review.transaction)
        cards.group = message.cards
        cards.warning = review.warnings + cards.warning
        cards = cards.numbered()
        reviewed.add(review)
    }
}
