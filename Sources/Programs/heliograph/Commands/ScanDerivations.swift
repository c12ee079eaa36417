import Ceremony
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS
import Vault

extension Scan {
    /// An import whose root no seed has needs a person to say whose it is: `--seed`, else a question where there is a terminal.
    func chooseSeed(_ session: inout ReviewSession, _ store: TrustStore) throws {
        let seeds = try Vault.open(directory: try vault.directory()).seedNames
        if let seed, !seeds.containsUTF8(of: seed) { throw VaultError.noSuchSeed }
        session.seed = seed
        guard seed == nil, !approve, let payload = session.payload, case .importDerivations = payload.content,
            let review = session.review(of: payload, try store.uncheckedTrust().state), review.gap == nil, !review.unknownRoots.isEmpty
        else { return }
        do throws(CommandError) {
            // Whose they are can be said only of what was read.
            if session.console.terminal != nil { session.preview(review) }
            let answer = try session.console.ask(Wording.whichSeed(seeds)).trimmed
            guard seeds.containsUTF8(of: answer) else { return }
            session.seed = answer
        } catch {
            // Without a terminal the refusal says which option names the seed.
            guard case .noTerminal = error else { throw error }
        }
    }

    func carryOutDerivations(_ payload: Payload, _ device: Device, _ session: inout ReviewSession, _ context: CommandContext) throws {
        let console = context.console
        do {
            let store = try device.store()
            try chooseSeed(&session, store)
            guard let shown = session.review(of: payload, try store.uncheckedTrust().state) else { return }
            try session.show(shown)
            if let refusal = shown.refusal { throw refusal }
            if approve {
                guard try vault.isDevelopment() else { throw CeremonyError.approveNeedsPolicy }
            } else {
                try device.requireOffline()
                guard try console.confirm(Wording.question(session.document.action, count: 1)) else { throw CeremonyError.declined }
            }
            try derive(shown, try context.unlock(self), &session, console)
        } catch {
            device.record(refusalOf: payload, error)
            throw error
        }
    }

    /// Derives under the seal what the cards showed.
    private func derive(_ shown: DerivationReview, _ open: Session, _ session: inout ReviewSession, _ console: Console) throws {
        let state = try open.store.trust().state
        guard let payload = session.payload, let review = session.review(of: payload, state), review == shown else {
            throw CeremonyError.changedSinceShown
        }
        let work = try DerivationWork(review, payload: payload.bytes, state: state) { seed, path, scheme in
            try open.vault.withSeed(seed) { (entropy: borrowing SecretBytes) in
                try KeyPair.derive(entropy: entropy, path: path, scheme: scheme).publicKey
            }
        }
        try open.change(work.changes, events: work.events, word: word, console)
        guard let answer = work.answer else { return console.note(Wording.importedKeys(work.added)) }
        try draw(answer, &session, console)
    }

    func join(_ session: ReviewSession, _ device: Device, _ context: CommandContext) throws {
        if approve {
            guard try vault.isDevelopment() else { throw CeremonyError.approveNeedsPolicy }
        } else {
            try device.requireOffline()
            guard try context.console.confirm(Wording.question(.recoverSeed, count: 1)) else { throw CeremonyError.declined }
        }
        try joining.restore(session.shares, into: try context.unlock(self), context.console)
    }

    private func draw(_ answer: [UInt8], _ session: inout ReviewSession, _ console: Console) throws {
        let picture = try AnswerPicture(framed: answer)
        session.document.answer = ReviewDocument.AnswerFacts(hex: Hex.encode(answer), out: Explicit(out))
        if let out {
            try Files.write(try picture.png(), to: out)
            console.note(Wording.answerWritten(out))
        }
        try show(picture, console)
    }
}
