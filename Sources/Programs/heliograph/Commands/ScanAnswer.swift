import Ceremony
import CommandKit
import Hashing
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO

/// What goes back to whoever asked.
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
            try Files.deliver(
                { try picture.png() }, to: out, replacing: replacing.replace, text: text,
                on: json ? console.beside : console)
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

    /// The signatures of a payload.
    func deliver(_ signed: [SignedTransaction], _ session: ReviewSession) throws {
        let texts = signed.map(\.text)
        try deliver(AnswerPicture(signed), Wording.signatureCaption(signed), text: texts, session.console) {
            out in
            session.document.signatures = texts.map {
                ReviewDocument.SignatureFacts(text: $0, out: Nullable(out))
            }
        }
        if !json, out != nil { texts.forEach(session.console.note) }
    }

    /// A payload that answers, drawn as frames.
    func deliver(_ answer: [UInt8], _ caption: String, _ session: ReviewSession) throws {
        let hex = Hex.encode(answer)
        try deliver(AnswerPicture(framed: answer), caption, text: [hex], session.console) { out in
            session.document.answer = ReviewDocument.AnswerFacts(hex: hex, out: Nullable(out))
        }
    }
}
