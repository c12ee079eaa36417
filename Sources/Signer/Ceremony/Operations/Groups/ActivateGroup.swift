import Diagnostics
import GroupCollect
import GroupReview
import Hashing
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Makes a group active with its record b5. Only then does its account exist here: no address is shown,
/// exported or allowed on a network before the signatures of all members verify, this machine's own among
/// them, on exactly what this machine confirmed. Without all of them one honest member may have been shown
/// other contributions, and money would go to a key that no members can use.
///
/// A dealer who is a member holds the account's key himself. It becomes the group's in the one commit that
/// stores the record: the store gets the group and the account's new source, and the vault file loses the
/// secret of an imported key, or neither changes. The store's transaction decides, because its seal names the
/// vault file; whatever ends the program, the next unlock finds the key or the group. Had the owner to remove
/// the key first, the only copy would be gone while whoever carries the messages may keep the record.
///
/// The account of a reshared group comes from the old one here in the same way, in one commit: whatever ends
/// the program, the account has one group that signs for it. An old member who is none of the new group only
/// marks its own as superseded.
///
/// Nobody takes a key away by a record: the share of it fits and this vault's own signature is on it, so
/// this vault checked the dealer's proof that he knows the key.
public struct ActivateGroup: Operation {
    let record: UOS.GroupRecord
    let name: String?

    /// - `name`: the person's word for the group; nil for the label of its proposal, if that is free.
    public init(_ record: UOS.GroupRecord, name: String?) {
        self.record = record
        self.name = name
    }

    /// - Throws: `GroupCollectError.record(members:)`, `GroupRefusal`, `ContactRefusal.label(_:_:)`
    public func preview(_ view: VaultView) throws -> RecordReview {
        try RecordReview(record, name: name, view.trust)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: RecordReview?) -> LogEvent? {
        .refusal(of: .record(record), reason: reason)
    }

    /// Returns the stored group.
    /// - Throws: `GroupRefusal.wrongShare` where this machine's share does not fit its public share
    public func perform(_ shown: RecordReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        HeldGroup
    > {
        switch shown.origin {
        case .held:
            guard let held = context.view.trust.groups.first(where: { $0.transcript == record.transcript })
            else {
                throw GroupRefusal.noSuchGroup(shown.name)
            }
            return PreparedCommit(held, events: [])
        case .making(let making):
            let own = OwnHost(seed: making.seed, index: making.hostIndex, key: [])
            return try context.activation(of: shown, own, .groupActivated)
        case .handedOn(let old):
            if context.view.trust.superseded(old.transcript) == SupersededGroup(by: record) {
                return PreparedCommit(old, events: [])
            }
            let end = try context.superseding(record, by: nil)
            return PreparedCommit(old, end.changes, events: end.events)
        case .restored: preconditionFailure("a record that is scanned is not restored")
        }
    }
}

/// Takes a group back from its record, for a seed that was a member's: after a machine was lost, or its vault
/// was restored from an older backup.
///
/// The seed's own signature on the record vouches for the list of members. This vault's host contacts were
/// lost with it, and its member names are those that somebody wrote into the proposal, so whoever restores
/// compares the words of each member that is not a contact, as in a proposal. The record is not a secret, and
/// comes from any member.
public struct RestoreGroup: Operation {
    let seed: String
    let record: UOS.GroupRecord
    let name: String?

    /// - `name`: the person's word for the group; nil for the label of its proposal, if that is free.
    public init(_ record: UOS.GroupRecord, seed: String, name: String?) {
        self.record = record
        self.seed = seed
        self.name = name
    }

    /// - Throws: `VaultError.noSuchSeed(_:)`, `GroupCollectError.record(members:)`, `GroupRefusal`
    public func preview(_ view: VaultView) throws -> RecordReview {
        try view.requireSeed(seed)
        return try RecordReview(restoring: record, seed: seed, name: name, view.trust)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: RecordReview?) -> LogEvent? {
        .refusal(of: .record(record), reason: reason)
    }

    /// The group as it is kept.
    /// - Throws: `GroupRefusal.notOfSeed(_:)`, `GroupRefusal.wrongShare`
    public func perform(_ shown: RecordReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        HeldGroup
    > {
        guard let own = try context.hosts(among: record.proposal.members.map(\.hostKey), ofSeed: seed).first
        else {
            throw GroupRefusal.notOfSeed(seed)
        }
        return try context.activation(of: shown, own, .groupRestored)
    }
}

/// Remembers which member of a group a seed is, so that the review of its record says so instead of calling
/// this machine a stranger. It believes nothing of the record: the key is derived from the seed.
public struct FindHostKey: Operation {
    let seed: String
    let record: UOS.GroupRecord

    /// The seed's host key among the members of this record.
    public init(_ record: UOS.GroupRecord, seed: String) {
        self.record = record
        self.seed = seed
    }

    /// The host keys of the members, 32 bytes each.
    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func preview(_ view: VaultView) throws -> [[UInt8]] {
        try view.requireSeed(seed)
        return record.proposal.members.map(\.hostKey)
    }

    /// - Throws: `GroupRefusal.notOfSeed(_:)`
    public func perform(_ shown: [[UInt8]], in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let found = try context.hosts(among: shown, ofSeed: seed)
        guard !found.isEmpty else { throw GroupRefusal.notOfSeed(seed) }
        let unknown = found.filter {
            context.view.trust.standing(ofHost: $0.key) != .own(seed: seed, index: $0.index)
        }
        return PreparedCommit(
            (), unknown.map { OwnHostKey.recording($0.key, seed: seed, index: $0.index) }, events: [])
    }
}

/// The record of a group, for a copy beside each seed.
///
/// Nobody notices a wrong copy before the machine is lost, so what is handed out is checked as a restore
/// checks it: under the store's seal, with the signatures of all members, and with the share that this
/// vault's seed gets from it.
public struct CopyGroupRecord: Operation {
    let name: String

    /// - `name`: of the group, or its transcript in hex.
    public init(_ name: String) { self.name = name }

    /// - Throws: `GroupRefusal.noSuchGroup(_:)`
    public func preview(_ view: VaultView) throws -> HeldGroup { try view.trust.heldGroup(named: name) }

    /// Message b5 whole.
    /// - Throws: `GroupCollectError.record(members:)`, `GroupRefusal.wrongShare`, `GroupRefusal.notAMember`
    public func perform(_ shown: HeldGroup, in context: CommitContext<Self>) throws -> PreparedCommit<[UInt8]>
    {
        let record = try shown.recordMessage()
        let own = OwnHost(seed: shown.seed, index: shown.hostIndex, key: [])
        let (member, _) = try context.member(of: record, own)
        guard member == shown.member, record.transcript == shown.transcript else {
            throw GroupRefusal.notAMember
        }
        return PreparedCommit(shown.record, events: [])
    }
}

extension CommitContext {
    /// The number and the host key of this vault in a record that all members signed, after this machine's
    /// share was computed once and compared with its public share.
    fileprivate func member(of record: UOS.GroupRecord, _ own: OwnHost) throws -> (Int, [UInt8]) {
        let checked = try record.checked()
        return try withHost(of: own.seed, index: own.index) { (host: borrowing HostKey) in
            guard let member = record.proposal.index(of: host.publicKey.bytes) else {
                throw GroupRefusal.notAMember
            }
            do throws(ThresholdError) { _ = try checked.share(host: host) } catch {
                throw GroupRefusal.wrongShare
            }
            return (member, host.publicKey.bytes)
        }
    }

    /// The group and its account.
    fileprivate func activation(of shown: RecordReview, _ own: OwnHost, _ kind: LogEvent.Kind) throws
        -> PreparedCommit<
            HeldGroup
        >
    {
        let proposal = shown.record.proposal
        let (member, key) = try member(of: shown.record, own)
        if shown.origin != .held { try shown.requireFreeAccount(view.trust) }
        let transcript = shown.record.transcript
        let group = HeldGroup(
            transcript: transcript, name: shown.name, record: shown.record.bytes, seed: own.seed,
            hostIndex: own.index, member: member)
        let taken = shown.own
        let end = try superseding(shown.record, by: group)
        // The account goes on where its key was, with its name: its owner chose both, and its address is old.
        let account = KeyRecord(
            publicKey: shown.publicKey, source: .group(transcript, path: ""), label: taken?.label,
            lastUsed: taken?.lastUsed, networks: taken?.networks ?? [])
        let isMoved = end.accounts.contains { $0.publicKey == account.publicKey }
        let gone = taken.map { LogEvent(.keyRemoved, LogEvent.facts(of: $0, in: view.trust)) }
        let facts = [
            LogEvent.Fact("group", shown.name), LogEvent.Fact("key", Hex.encode(shown.publicKey.bytes)),
            LogEvent.Fact("scheme", shown.publicKey.scheme.name), LogEvent.Fact("transcript", transcript.hex),
            LogEvent.Fact("seed", own.seed),
        ]
        var changes: [TrustChange] = taken.map { [.removeKey($0.publicKey)] } ?? []
        changes += end.changes + [.putGroup(group)]
        changes += (isMoved ? end.accounts : end.accounts + [account]).map { .addKey($0) }
        changes.append(OwnHostKey.recording(key, seed: own.seed, index: own.index))
        let (nonces, vault) = (session.device.nonces, session.vault.id)
        return PreparedCommit(
            group,
            changes,
            events: [gone, LogEvent(kind, facts + LogEvent.facts(of: proposal))].compactMap { $0 }
                + end.events,
            history: HistoryWrite(end.offers.map { $0.dropped(at: now) }),
            vault: taken?.isImported == true
                ? try session.vault.removing(key: shown.publicKey) : nil,
            afterwards: { for offer in end.offers { try? nonces.wipe(offer.request, of: vault) } })
    }
}

/// Keeps that a person compared a group's address with the screens of all members.
public struct CompareGroup: Operation {
    let name: String

    /// A comparison of the address of the group of this name.
    public init(_ name: String) { self.name = name }

    /// - Throws: `GroupRefusal.noSuchGroup(_:)`
    public func preview(_ view: VaultView) throws -> HeldGroup { try view.trust.heldGroup(named: name) }

    public func perform(_ shown: HeldGroup, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        guard !shown.isCompared else { return PreparedCommit((), events: []) }
        var group = shown
        group.isCompared = true
        return PreparedCommit(
            (), [.putGroup(group)],
            events: [
                LogEvent(
                    .groupCompared,
                    [LogEvent.Fact("group", group.name), LogEvent.Fact("transcript", group.transcript.hex)])
            ])
    }
}
