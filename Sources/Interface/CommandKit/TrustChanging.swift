import ArgumentParser
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
    /// The change that the options mean. Names are looked up in the unchecked store; the change itself is
    /// made under the seal.
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
            // A second source would notice a wrong value. Without one, the person has to compare.
            let source = chain.unconfirmed.isEmpty ? [] : [unconfirmed(chain.unconfirmed)]
            // The vault knew this network before, and removing it kept its verifier.
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

/// A command that prints a part of the trust store. The part is checked under the seal if the vault is open
/// or a passphrase is given; otherwise the command says that it is not verified.
package protocol TrustReport: VaultCommand, PrintsJSON {
    var vault: VaultOptions { get }
    func report(_ state: TrustState, _ console: Console) throws
}

extension TrustReport {
    package func execute(_ context: CommandContext) throws {
        let session = try context.unlockUnasked(self)
        if session == nil { context.console.note(Wording.trustStoreNotVerified) }
        try report(try session?.trust().state ?? context.device(self).trust().state, context.console)
    }
}

/// `--approve`, for commands that ask a person.
package struct ApproveOption: ParsableArguments {
    @Flag(help: "Skip the question (development vaults only).")
    package var approve = false

    package init() {}

    /// Before anything else is asked. The header of a vault is not proof: the session looks again.
    package func requireAllowed(_ vault: VaultOptions) throws {
        if approve, try !vault.isDevelopment() { throw CeremonyError.approveNeedsDevelopmentVault }
    }

    /// - Parameter question: for the person, who has seen the preview.
    package func confirm<O: Operation>(_ preview: Preview<O>, _ question: String, _ console: Console) throws
        -> Approval<O>
    {
        try confirm(preview, ReviewQuestion(question), console)
    }

    /// - Parameter proving: after a yes: asks for what a word alone does not prove.
    package func confirm<O: Operation>(
        _ preview: Preview<O>, _ question: ReviewQuestion, _ console: Console,
        proving: (ReviewQuestion) -> Void = { _ in }
    ) throws -> Approval<O> {
        guard !approve else { return try preview.confirmUnattended() }
        return try preview.confirm {
            let isYes = try console.confirm(question)
            if isYes { proving(question) }
            return isYes
        }
    }

    /// Confirms an operation that needs no session.
    package func confirm<O: FoundingOperation>(
        _ preview: FoundingPreview<O>, _ question: String, _ console: Console
    ) throws
        -> FoundingApproval<O>
    {
        try approve ? preview.confirmUnattended() : preview.confirm { try console.confirm(question) }
    }
}
