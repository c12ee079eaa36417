import Accounts
import Cards
import Ceremony
import GroupReview
import Lines
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

/// What an operation shows a person: cards with their summary, and a question below them.
///
/// Every review has the same steps: this is shown, a person answers, the vault opens, and the same is read
/// again under the seal before anything is done. So an operation states only what it shows, not how it is
/// shown or asked.
package protocol Reviewable {
    /// What a yes does.
    var action: ReviewDocument.Action { get }
    /// One item for each act, with its cards and its summary.
    /// - Parameter payload: the payload that asks; its claims stand beside what it asks for.
    func items(of payload: Payload?) -> [ReviewDocument.Item]
    /// What a yes answers.
    var question: String { get }
    /// Throws where the cards do not say all that would be done. What they do say stays in the document.
    func requireWhole() throws
}

extension Reviewable {
    package func requireWhole() throws {}
}

extension [ReviewedTransaction]: Reviewable {
    package var action: ReviewDocument.Action { allSatisfy { $0.refusal == nil } ? .sign : .read }
    package var question: String { count == 1 ? "Sign this?" : "Sign all \(count)?" }

    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        map { reviewed in
            var item = ReviewDocument.Item(reviewed)
            // The clock is read for claims and for a proven block: nothing of the review depends on it.
            item.state = reviewed.state.map { (review: $0, time: systemClock()) }
            item.claims = payload?.claims.flatMap { ClaimReview($0, beside: reviewed, time: systemClock()) }
            return item
        }
    }
}

/// An update, and whom accepting it makes the vault believe.
package struct ReviewedUpdate: Reviewable, Legible {
    private let update: VerifiedUpdate
    /// nil where a warning says it, and where nothing is accepted.
    private let trust: TrustNote?

    /// An update that is only read.
    package init(_ update: VerifiedUpdate) { (self.update, trust) = (update, nil) }

    /// - Parameter state: what the vault believes before the update is accepted.
    package init(_ update: VerifiedUpdate, in state: TrustState) {
        self.update = update
        trust = TrustNote(update.update, in: state)
    }

    package var legible: String { trust.legible }

    package var action: ReviewDocument.Action {
        switch update.update.content {
        case .addSpecs: .addSpecs
        case .loadMetadata: .loadMetadata
        case .loadTypes: .loadTypes
        case .loadAssets: .loadAssets
        }
    }

    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        var item = ReviewDocument.Item(update.update, cards: update.cards)
        if let trust { item.reviewed.add(trust: Wording.trust(trust)) }
        return [item]
    }

    package var question: String {
        switch update.update.content {
        case .addSpecs: "Accept these network specs?"
        case .loadMetadata: "Accept this metadata?"
        case .loadTypes: "Accept these types?"
        case .loadAssets: "Accept these asset units?"
        }
    }

    /// What was done, and whom the vault believed for it.
    package var accepted: String {
        let what =
            switch update.update.content {
            case .addSpecs: "network specs"
            case .loadMetadata: "metadata"
            case .loadTypes: "types"
            case .loadAssets: "asset units"
            }
        guard case .known(let key)? = trust else { return "accepted the \(what)" }
        return "accepted the \(what), \(Wording.signed(by: key))"
    }
}

/// Data of this vault that one of its keys vouches for.
package struct ReviewedAttestation: Reviewable {
    private let cards: CardSet
    private let subject: AttestedSubject

    /// - Parameter cards: of the attestation, with the key as author.
    package init(_ cards: CardSet, _ subject: AttestedSubject) {
        (self.cards, self.subject) = (cards, subject)
    }

    package var action: ReviewDocument.Action { .none }
    package var question: String { Wording.attestQuestion(subject) }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        [ReviewDocument.Item(attesting: cards)]
    }
}

extension DerivationReview: Reviewable {
    package var action: ReviewDocument.Action {
        purpose == .answering ? .deriveAddresses : .importDerivations
    }
    package var question: String {
        purpose == .answering ? "Export these public keys?" : "Derive these keys?"
    }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        groups.map { ReviewDocument.Item($0, purpose) }
    }

    /// - Throws: ``DerivationRefusal/notOnCards(_:)``
    package func requireWhole() throws {
        if let gap { throw DerivationRefusal.notOnCards(gap) }
    }
}

// MARK: Groups

extension HostCardReview: Reviewable {
    package var action: ReviewDocument.Action { .addHostContact }
    package var question: String {
        """
        Have you compared these eight words with the person whose machine this is, face to face or by voice?
        """
    }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        [ReviewDocument.Item(.host(host), ReviewSummary(self), warnings)]
    }
}

extension ProposalReview: Reviewable {
    package var action: ReviewDocument.Action { .joinGroup }
    package var question: String {
        if givesShare, let old { return Wording.reshareQuestion(old, isCompared: unknown.isEmpty) }
        return word == nil ? "Take part in this group?" : Wording.comparedMembersQuestion
    }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        [ReviewDocument.Item(.proposal(proposal), ReviewSummary(self), warnings)]
    }
}

extension ContributionsReview: Reviewable {
    package var action: ReviewDocument.Action { isLeaving ? .checkReshare : .confirmGroup }
    package var question: String {
        isLeaving
            ? "Keep what these contributions come to, to check the record of the new group with it?"
            : "Confirm these contributions?"
    }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        [ReviewDocument.Item(.contributions(bundle), ReviewSummary(self), warnings)]
    }
}

extension RecordReview: Reviewable {
    package var action: ReviewDocument.Action { .activateGroup }
    package var question: String {
        switch origin {
        case .making, .held: "Activate the group \(Escape.line(name))?"
        case .restored:
            unknown.isEmpty
                ? "Restore the group \(Escape.line(name))?" : Wording.comparedMembersQuestion
        case .handedOn: "Note that the group \(Escape.line(name)) is superseded?"
        }
    }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        [ReviewDocument.Item(.record(record), ReviewSummary(self), warnings)]
    }
}

extension OldRecordReview: Reviewable {
    package var action: ReviewDocument.Action { .keepOldRecord }
    package var question: String { "Keep this record of the old group, to check the contributions with it?" }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] {
        [ReviewDocument.Item(.record(record), ReviewSummary(self), [.reshared])]
    }
}

extension GroupSigningReview: Reviewable {
    package var action: ReviewDocument.Action { .signForGroup }
    package func items(of payload: Payload?) -> [ReviewDocument.Item] { [ReviewDocument.Item(self)] }
    package var question: String {
        switch step {
        case .offer: "Take part in this signature? Your share follows in round two."
        case .offerAgain: "Show the commitment for this request again?"
        case .share, .shareAtOnce: "Sign this for the group? Your share is out after this."
        case .shareAgain: "Show the share for this request again?"
        case .finish: "Finish this signature?"
        }
    }
}
