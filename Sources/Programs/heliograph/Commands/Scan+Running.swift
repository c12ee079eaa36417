import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Glibc
import Hashing
import Keys
import Lines
import Presentation
import ScannerClient
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS
import Vault

/// What is done with each payload.
extension Scan {
    func execute(_ context: CommandContext) throws {
        if queue.serve, let folder = input.watchedAlone { return try serve(folder, context) }
        var session = ReviewSession(
            console: context.console, json: json, asks: true, onScreen: !approve, options: view)
        try session.run { session in
            try word.requireAllowed(vault)
            try requireTerminal(context.console)
            let device = try context.device(self)
            do {
                try session.read(input)
            } catch {
                if let compressed = session.compressed {
                    device.record(refusalOf: compressed, reason: Diagnostic.Code(of: error))
                }
                throw error
            }
            if let account = session.address {
                try session.show(account, try context.device(self).trust().state)
            }
            if let payload = session.payload { try carryOut(payload, device, &session, context) }
            if !session.shares.isEmpty { try join(session, device, context) }
        }
    }

    private func carryOut(
        _ payload: Payload, _ device: Device, _ session: inout ReviewSession, _ context: CommandContext
    ) throws {
        switch payload.content {
        case .transaction, .message, .bulk:
            var additions = try calls.additions()
            additions.acceptsProvedNetwork = acceptProvedNetwork
            additions.acceptsNewKey = acceptNewKey
            let signing = SignPayload(payload, additions: additions, comment: comment)
            var preview = try device.preview(signing)
            session.show(preview.shown)
            let stored = try storeListed(preview.shown, device, session, context)
            if stored != nil {
                preview = try device.preview(signing)
                session.showAgain(preview.shown)
                for shown in preview.shown
                where shown.refusal == .keyNotAllowed(network: shown.specs?.name ?? "") {
                    context.console.note(Wording.allowNext(shown.address, network: shown.specs?.name ?? ""))
                }
            }
            let signed = try perform(preview, session, context, stored?.open).outcome
            name(signed, &session, context.console)
            try draw(signed, &session, context.console)
        case .update(let content):
            let update = try refusing(payload, device) { try session.show(content) }
            let (note, preview) = try device.preview(AcceptUpdate(update, payload: payload)).reading {
                TrustNote($0.update, in: $1)
            }
            session.show(preview.shown, trust: note.map(Wording.trust))
            _ = try perform(preview, session, context)
            context.console.note(Wording.accepted(session.document.action, note))
        case .contactList:
            guard let operation = ImportContacts(payload) else { return }
            try importContacts(operation, approve: approve, &session, context)
        case .group(let message): try carryOut(group: message, payload, &session, context)
        case .importDerivations, .importPaths, .derivationsRequest:
            try carryOutDerivations(payload, device, &session, context)
        }
    }

    /// The account of a key that was derived for this signature was on no card: its address follows now.
    private func name(_ signed: [SignedTransaction], _ session: inout ReviewSession, _ console: Console) {
        for (index, signed) in signed.enumerated() {
            guard let underived = signed.reviewed.underived else { continue }
            session.document.items[index].setSigner(signed)
            console.note(
                """
                signed by \(Escape.terminal(signed.address)): seed \(Escape.terminal(underived.seed)), path \
                \(underived.path.isEmpty ? "(root)" : Escape.path(underived.path))
                """)
        }
    }

    private func draw(_ signed: [SignedTransaction], _ session: inout ReviewSession, _ console: Console)
        throws
    {
        let texts = signed.count == 1 ? [signed[0].answer.text] : signed.map(\.text)
        try deliver(AnswerPicture(signed), Wording.signatureCaption(signed), text: texts, console) { out in
            session.document.signatures = signed.map {
                ReviewDocument.SignatureFacts(text: $0.text, out: Nullable(out))
            }
        }
        if !json, out != nil { for answer in signed { console.note(answer.text) } }
    }
}
