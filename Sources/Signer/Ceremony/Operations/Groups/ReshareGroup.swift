import Diagnostics
import GroupCollect
import GroupReview
import Hashing
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Keeps the record of the old group for a reshare that this vault takes part in as a new member.
///
/// It proves nothing by itself: whoever carries the messages may have made a whole group. It is bound by the
/// proposal, whose hash every member signs and whose contributors take their own record under their seal; and
/// the account that comes of it is compared with an old member before it is used.
public struct KeepOldRecord: Operation {
    let record: UOS.GroupRecord

    /// The old record of an open making.
    public init(_ record: UOS.GroupRecord) { self.record = record }

    /// - Throws: `GroupRefusal.unknownRecord` where no making waits for it; `GroupCollectError`
    public func preview(_ view: VaultView) throws -> OldRecordReview {
        try OldRecordReview(record, view.trust)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: OldRecordReview?) -> LogEvent? {
        .refusal(of: .record(record), reason: reason)
    }

    /// - Throws: `GroupRefusal.oldSeed(_:)` where the seed of the new share is one of the old group
    public func perform(_ shown: OldRecordReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        Void
    > {
        guard !shown.isHeld else { return PreparedCommit((), events: []) }
        try context.requireNewSeed(shown.making.seed, of: record)
        return PreparedCommit((), [OldGroupRecord.keeping(record)], events: [])
    }
}

/// Checks a bundle b3 of a reshare on the machine of an old member who leaves: all host signatures of the old
/// members, their old public shares and proofs, with the old group under this vault's seal.
///
/// It signs nothing. What follows from the bundle is kept, and only a record of exactly that marks the old
/// group as superseded: new members alone, who may all be one attacker, mark nothing.
public struct CheckReshare: Operation {
    let bundle: GroupContributions

    /// A check of this bundle.
    public init(_ bundle: GroupContributions) { self.bundle = bundle }

    /// - Throws: `GroupRefusal`, which names the old members whose contributions are wrong
    public func preview(_ view: VaultView) throws -> ContributionsReview {
        try ContributionsReview(bundle, view.trust)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: ContributionsReview?) -> LogEvent? {
        .refusal(of: .contributions(bundle), reason: reason)
    }

    public func perform(_ shown: ContributionsReview, in context: CommitContext<Self>) throws
        -> PreparedCommit<Void>
    {
        PreparedCommit((), [CheckedReshare.keeping(shown.transcript, of: bundle.session)], events: [])
    }
}

extension CommitContext {
    /// Refuses a seed of the old group for a new share. The old record is public, so the seed that stays is an
    /// old share that stays, whichever of its host keys the new group has.
    /// - Throws: ``GroupRefusal/oldSeed(_:)``
    func requireNewSeed(_ seed: String, of old: UOS.GroupRecord) throws {
        guard try hosts(among: old.proposal.members.map(\.hostKey), ofSeed: seed).isEmpty else {
            throw GroupRefusal.oldSeed(seed)
        }
    }

    /// This vault's contribution to a reshare, with its share of the old group; nil where it is not to
    /// contribute.
    func reshared(_ shown: ProposalReview) throws -> GroupContribution? {
        guard let old = shown.old, old.contributes, let held = old.held, let record = old.record else {
            return nil
        }
        let proposal = shown.proposal
        let generation = try KeyGeneration(of: proposal, old: record)
        let checked = try record.checked()
        return try withHost(of: held.seed, index: held.hostIndex) { (host: borrowing HostKey) in
            let contribution: Contribution
            do throws(ThresholdError) {
                let share = try checked.share(host: host)
                contribution = try generation.reshare(share, host: host)
            } catch {
                throw GroupRefusal(error, in: shown)
            }
            return try GroupContribution(contribution, to: proposal, by: host)
        }
    }

    /// What the record of a reshared group changes about the old one in this vault: it is marked, its accounts
    /// go to the new group with their names and networks, and its open requests end. An old request could no
    /// longer be signed: its account is the new group's.
    /// - Parameter group: the new group here; nil for a vault that is no member of it, which keeps the accounts
    ///   until its owner removes the old group.
    func superseding(_ record: UOS.GroupRecord, by group: HeldGroup?) throws -> Superseding {
        guard let old = record.proposal.oldTranscript else { return Superseding() }
        var result = Superseding()
        let trust = view.trust
        result.changes.append(SupersededGroup(by: record).marking(old))
        if let held = trust.group(old) {
            // What the record says of the key's origin outlives the old group here.
            result.changes.append(OldGroupRecord.keeping(try held.recordMessage()))
            result.events.append(
                LogEvent(
                    .groupSuperseded,
                    [
                        LogEvent.Fact("group", held.name), LogEvent.Fact("transcript", old.hex),
                        LogEvent.Fact("by", record.transcript.hex),
                    ] + LogEvent.facts(of: record.proposal)))
        }
        guard let group else { return result }
        result.offers = trust.groupOffers.filter { $0.group == old }
        result.changes += result.offers.map { .removeGroupOffer(request: $0.request) }
        let accounts = trust.accounts(of: old)
        result.changes += accounts.map { .removeKey($0.publicKey) }
        result.accounts = accounts.map {
            KeyRecord(
                publicKey: $0.publicKey, source: .group(group.transcript, path: $0.path), label: $0.label,
                lastUsed: $0.lastUsed, networks: $0.networks)
        }
        return result
    }
}

/// The part of a commit that ends an old group.
struct Superseding {
    var changes: [TrustChange] = []
    /// The accounts that the new group takes over, after it is in the store.
    var accounts: [KeyRecord] = []
    var offers: [GroupOffer] = []
    var events: [LogEvent] = []
}
