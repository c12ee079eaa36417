import Cards
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO
import UOS

/// Messages of threshold groups.
extension Scan {
    /// Acts on a message of a group. One exhaustive switch: a message that nothing here takes is refused,
    /// never passed over.
    func carryOut(
        group message: GroupMessage, _ payload: Payload, _ session: inout ReviewSession,
        _ context: CommandContext
    ) throws {
        switch message {
        case .host(let host): try addHost(host, &session, context)
        case .proposal(let proposal): try join(proposal, &session, context)
        case .contributions(let bundle): try confirm(bundle, &session, context)
        case .record(let record): try activate(record, &session, context)
        case .request, .package, .share: try sign(message, &session, context)
        case .contribution, .confirmation, .commitment:
            throw CommandError.groupMessage(kind: message.code.kind)
        }
    }
}

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
                    ReviewDocument.SignatureFacts(text: signed.text, out: Nullable(out))
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

extension Scan {
    /// Refuses `--terminal` without a terminal, before anything is asked or signed.
    func requireTerminal(_ console: Console) throws {
        if terminal { _ = try CodeScreen(console, style: style.codeStyle) }
    }

    /// Writes the picture to `--out`, draws it on the terminal, or prints the answer's text where results go
    /// into a pipe. With `--json` stdout holds the document alone.
    /// - Parameters:
    ///   - caption: what the answer is, and what to do with it.
    ///   - text: the answer for a program, line by line.
    ///   - tell: puts the answer into the document: first without a file, which may fail to be written, then
    ///     with the one that was.
    func deliver(
        _ picture: AnswerPicture, _ caption: String, text: [String], _ console: Console,
        tell: (_ out: String?) -> Void
    ) throws {
        tell(nil)
        if let out {
            try Files.deliver({ try picture.png() }, to: out, text: text, on: json ? console.beside : console)
            tell(out)
            console.note(Wording.answerWritten(out))
            console.note(caption)
        }
        let page = json ? console.beside : console
        guard terminal || (out == nil && !json) else { return }
        guard terminal || CodeScreen.isShown(by: page) else { return text.forEach(page.print) }
        do {
            try picture.draw(on: CodeScreen(page, style: style.codeStyle), caption)
        } catch let failure as PictureFailure {
            // The answer exists and is in the log: it is not lost with its picture.
            console.note(Wording.notDrawn(failure))
            if !json { text.forEach(page.print) }
        }
    }
}
