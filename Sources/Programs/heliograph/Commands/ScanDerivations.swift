import Ceremony
import Hashing
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
            if session.console.terminal != nil { session.show(review) }
            let answer = try session.console.ask(Wording.whichSeed(seeds)).trimmed
            guard seeds.containsUTF8(of: answer) else { return }
            session.seed = answer
        } catch {
            // Without a terminal the refusal says which option names the seed.
            guard case .noTerminal = error else { throw error }
        }
    }

    /// Derives under the seal what the cards showed.
    func derive(_ shown: DerivationReview, _ open: OpenVault, _ session: inout ReviewSession, _ console: Console) throws {
        let state = try open.store.trust().state
        guard let payload = session.payload, let review = session.review(of: payload, state), review == shown else {
            throw CeremonyError.changedSinceShown
        }
        let work = try DerivationWork(review, payload: payload.bytes, state: state) { seed, path, scheme in
            try open.vault.key(of: seed, path: path, scheme: scheme)
        }
        try open.change(work.changes, events: work.events, word: word, console)
        guard let answer = work.answer else { return console.note(Wording.importedKeys(work.added)) }
        try draw(answer, &session, console)
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
