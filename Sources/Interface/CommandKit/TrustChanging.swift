import Ceremony
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// A deliberate change of trust: it says what it will do, asks, and does exactly that.
package protocol TrustChanging: VaultCommand, PrintsJSON {
    var approval: ApproveOption { get }
    var question: String { get }
    /// The question where a word must be typed.
    var wordQuestion: String { get }
    /// What is meant; names are looked up in what the store says, and the change itself is made under the
    /// seal.
    func change(_ trust: TrustState) throws -> ChangeTrust.Change
}

extension TrustChanging {
    package var wordQuestion: String { question }

    package func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let change = try change(device.trust().state)
        let (lines, preview) = try device.preview(ChangeTrust(change)).reading {
            Wording.plan(of: change, $0, in: $1)
        }
        guard !preview.shown.changes.isEmpty else {
            if json { JSONText.print(ChangeDocument([]), console) }
            return console.note(Wording.nothingToDo)
        }
        let page = json ? console.beside : console
        lines.forEach { page.print($0) }
        let word = preview.shown.word
        let asked = ReviewQuestion(word == nil ? question : wordQuestion, word: word)
        let approved = try approval.confirm(preview, asked, console) { context.requirePerson(for: $0) }
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.changed)
        if json { JSONText.print(ChangeDocument(preview.shown.events), console) }
    }
}

extension Wording {
    /// What a change of trust does, and what follows from it: everything above its question.
    static func plan(of change: ChangeTrust.Change, _ step: ChangeTrust.Step, in trust: TrustState)
        -> [String]
    {
        [plan] + step.events.map(planned) + effects(of: change, in: trust)
    }

    package static func effects(of change: ChangeTrust.Change, in trust: TrustState) -> [String] {
        switch change {
        case .addListedNetwork(let genesis, _):
            guard let chain = WellKnownChain.chain(genesis: genesis) else { return [] }
            // What one source alone says, nobody contradicts: the person compares it.
            let source = chain.unconfirmed.isEmpty ? [] : [unconfirmed(chain.unconfirmed)]
            // Removing the network kept who spoke for it.
            guard case .custom(let key)? = trust.verifiers[genesis] else { return source }
            return source + [keptVerifier(key, of: chain)]
        case .requireMetadataHash(let genesis, let demand):
            return effect(of: demand, verifier: trust.verifierKey(genesis: genesis))
        case .removeNetwork, .revokeNetwork, .restoreDefaults, .removeMetadata, .setVerifier, .removeTypes:
            return []
        }
    }
}

/// What a change of trust wrote into the log.
package struct ChangeDocument: Encodable {
    struct Event: Encodable {
        let event: String
        let dangerous: Bool
        let facts: [String: String]
    }

    let changes: [Event]

    package init(_ events: [LogEvent]) {
        changes = events.map { event in
            Event(
                event: event.kind.rawValue, dangerous: event.kind.isDangerous,
                facts: Dictionary(event.facts.map { ($0.name, $0.value) }) { first, _ in first })
        }
    }
}
