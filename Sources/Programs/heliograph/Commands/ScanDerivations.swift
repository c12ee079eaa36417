import Ceremony
import CommandKit
import Diagnostics
import Hashing
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS
import Vault

extension Scan {
    /// An import whose root no seed has, and a list of paths, need a person to say whose they are: `--seed`,
    /// else a question where there is a terminal.
    func chooseSeed(_ session: inout ReviewSession, _ store: TrustStore) throws {
        let seeds = try Vault.open(directory: try vault.directory()).seedNames
        if let seed, !seeds.containsUTF8(of: seed) { throw VaultError.noSuchSeed(seed) }
        session.seed = seed
        guard seed == nil, !approve, let payload = session.payload, ImportDerivations(payload) != nil,
            let review = session.review(of: payload, try store.uncheckedTrust().state), review.gap == nil,
            review.needsSeed
        else { return }
        do throws(CommandError) {
            // Whose they are can be said only of what was read.
            if session.console.terminal != nil { session.preview(review) }
            session.seed = try session.console.choose(
                """
                Which seed do these keys belong to (\(seeds.map(Escape.terminal).joined(separator: ", ")))? 
                """,
                among: seeds)
        } catch {
            // Without a terminal the refusal says which option names the seed.
            guard case .noTerminal = error else { throw error }
        }
    }

    func carryOutDerivations(
        _ payload: Payload, _ device: Device, _ session: inout ReviewSession, _ context: CommandContext
    ) throws {
        try refusing(payload, device) { try chooseSeed(&session, try device.store()) }
        if let operation = ImportDerivations(payload, seed: session.seed) {
            let preview = try device.preview(operation)
            try refusing(payload, device) { try session.show(preview.shown) }
            let added = try perform(preview, session, context).outcome
            context.console.note(Wording.importedKeys(added))
        } else if let operation = AnswerDerivations(payload, seed: session.seed) {
            let preview = try device.preview(operation)
            try refusing(payload, device) { try session.show(preview.shown) }
            try draw(try perform(preview, session, context).outcome, &session, context.console)
        }
    }

    /// What stops a payload beside its operation is a refusal, too.
    func refusing<Result>(_ payload: Payload, _ device: Device, _ body: () throws -> Result) throws -> Result
    {
        do {
            return try body()
        } catch {
            device.record(refusalOf: payload, reason: Diagnostic.Code(of: error))
            throw error
        }
    }

    func join(_ session: ReviewSession, _ device: Device, _ context: CommandContext) throws {
        if approve {
            guard try vault.isDevelopment() else { throw CeremonyError.approveNeedsPolicy }
        } else {
            try device.requireOffline()
            let page = ReviewPage(
                summary: [StyledLine(Wording.shares(session.shares))],
                question: ReviewQuestion(Wording.question(.recoverSeed, count: 1))
            ) { _ in [] }
            guard try session.ask(page, device) else { throw CeremonyError.declined }
        }
        try joining.restore(session.shares, in: try context.unlock(self), approve: approve, context.console)
    }

    private func draw(_ answer: [UInt8], _ session: inout ReviewSession, _ console: Console) throws {
        try deliver(
            AnswerPicture(framed: answer),
            "addresses of derived keys: show them to the wallet that asked for them",
            text: [Hex.encode(answer)], console
        ) { out in
            session.document.answer = ReviewDocument.AnswerFacts(hex: Hex.encode(answer), out: Nullable(out))
        }
    }
}
