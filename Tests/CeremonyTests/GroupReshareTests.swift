import GroupCollect
import GroupReview
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import Threshold
import TrustStore
import UOS

@testable import Ceremony

/// The key of alice, bob and carol goes to new seeds: alice stays with a second one, dave and erin come. alice
/// and bob contribute; bob and carol leave, and carol's machine does nothing.
struct ReshareFixture {
    let old: GroupFixture
    let oldRecord: UOS.GroupRecord
    let alice, bob, carol, dave, erin: CeremonyFixture
    let proposal: GroupProposal

    init(cards names: [String] = ["alice2", "dave", "erin"], threshold: Int = 2, oldThreshold: Int = 2) throws
    {
        let machines = try ["alice", "bob", "carol"].map {
            try CeremonyFixture(seeds: $0 == "alice" ? ["alice", "alice2"] : [$0])
        }
        old = try GroupFixture(machines, threshold: oldThreshold)
        oldRecord = try old.made()
        for machine in machines { try machine.act(ActivateGroup(oldRecord, name: nil)) }
        (alice, bob, carol) = (machines[0], machines[1], machines[2])
        dave = try CeremonyFixture(seeds: ["dave"])
        erin = try CeremonyFixture(seeds: ["erin"])
        proposal = try Self.proposal(
            oldRecord, names, contributors: oldThreshold == 2 ? "alice, bob" : "1,2,3", threshold: threshold)
    }

    static func proposal(
        _ record: UOS.GroupRecord, _ names: [String] = ["alice2", "dave", "erin"],
        contributors: String = "alice, bob", threshold: Int = 2
    ) throws -> GroupProposal {
        try GroupProposal.make(
            resharing: record, contributors: contributors, cards: names.map { try GroupFixture.card(of: $0) },
            threshold: threshold, label: "office 2")
    }

    var receivers: [CeremonyFixture] { [alice, dave, erin] }

    /// All have scanned the proposal, and the new machines the old record.
    func join() throws -> [GroupContribution] {
        let made = try [alice, bob].map {
            try GroupFixture.contribution(try $0.act(JoinGroup(proposal)) ?? [])
        }
        for machine in [dave, erin] {
            #expect(try machine.act(JoinGroup(proposal)) == nil)
            try machine.act(KeepOldRecord(oldRecord))
        }
        return made
    }

    func bundle(_ contributions: [GroupContribution]) throws -> GroupContributions {
        let messages: [GroupMessage] =
            [.record(oldRecord), .proposal(proposal)] + contributions.map { .contribution($0) }
        guard case .contributions(let bundle)? = try GroupFixture.collect(messages) else {
            throw GroupCollectError.nothing
        }
        return bundle
    }

    func confirm(_ bundle: GroupContributions) throws -> UOS.GroupRecord {
        let confirmations = try receivers.map {
            try GroupFixture.confirmation(try $0.act(ConfirmGroup(bundle)))
        }
        let messages: [GroupMessage] =
            [.proposal(proposal), .record(oldRecord), .contributions(bundle)]
            + confirmations.map { .confirmation($0) }
        guard case .record(let record)? = try GroupFixture.collect(messages) else {
            throw GroupCollectError.nothing
        }
        return record
    }

    /// bob, who leaves, has checked the bundle.
    func made() throws -> UOS.GroupRecord {
        let bundle = try bundle(join())
        try bob.act(CheckReshare(bundle))
        return try confirm(bundle)
    }

    /// A record that the new members signed, of other ephemeral keys: no contribution of an old member is in it.
    func forged(_ record: UOS.GroupRecord) throws -> UOS.GroupRecord {
        func signed(_ signatures: [[UInt8]]) throws -> UOS.GroupRecord {
            try UOS.GroupRecord(
                proposal: record.proposal, contributionsHash: record.contributionsHash,
                commitments: record.commitments, ephemerals: record.ephemerals.reversed(),
                shares: record.shares, signatures: signatures)
        }
        let unsigned = try signed(record.signatures)
        return try signed(
            zip(["alice2", "dave", "erin"], unsigned.confirmations).map { name, one in
                try GroupFixture.withHost(name) { (host: borrowing HostKey) in
                    try host.sign(one.signedBytes)
                }
            })
    }

    /// A contribution in the name of an old member to this proposal, with a key of its own: every signature
    /// and the proof are right.
    func foreign(_ name: String) throws -> GroupContribution {
        let index = old.names.firstIndex { $0.utf8Equals(name) }! + 1
        return try GroupFixture.withHost(name) { (host: borrowing HostKey) in
            var members = try proposal.members.map { try HostPublicKey($0.hostKey) }
            members[index - 1] = host.publicKey
            let generation = try KeyGeneration(
                proposal: proposal.bytes, scheme: GroupScheme(proposal.scheme)!,
                threshold: proposal.threshold, members: members)
            return try GroupContribution(
                generation.contribute(as: index, host: host), to: proposal, by: host)
        }
    }

    /// The same contribution, changed and signed again.
    func changed(
        _ made: GroupContribution, by name: String, _ change: (inout GroupContribution.Parts) -> Void
    ) throws -> GroupContribution {
        var parts = try made.parts(in: proposal)
        change(&parts)
        return try GroupFixture.withHost(name) { (host: borrowing HostKey) in
            func message(_ signature: [UInt8]) -> GroupContribution {
                GroupContribution(
                    to: proposal, index: made.index, ephemeral: made.ephemeral, parts: parts,
                    signature: signature)
            }
            return message(try host.sign(message([UInt8](repeating: 0, count: 64)).signedBytes))
        }
    }
}

@Suite struct GroupReshareLaws {
    // MARK: The whole

    @Test func `the account goes to the new group in one commit, with its name, networks and path`() throws {
        let run = try ReshareFixture()
        let account = try #require(PublicKey(scheme: .sr25519, bytes: run.oldRecord.groupKey))
        let address = account.address(prefix: 42)
        try run.alice.act(CompareGroup("office"))
        try run.alice.act(ChangeKey(address, .label("cold")))
        try run.alice.act(ChangeKey(address, .allow(network: "westend")))
        try run.alice.act(DeriveGroupAccount("office", path: "/polkadot"))
        let before = try run.alice.state.keys
        let record = try run.made()
        #expect(record.groupKey == run.oldRecord.groupKey)
        for (machine, member) in zip(run.receivers, 1...) {
            let held = try machine.act(ActivateGroup(record, name: "new"))
            #expect(held.member == member && !held.isCompared && held.name == "new")
            let key = try #require(try machine.state.key(account))
            #expect(key.source == .group(record.transcript, path: ""))
        }
        let state = try run.alice.state
        #expect(state.keys.map(\.publicKey) == before.map(\.publicKey) && before.count == 2)
        for (one, other) in zip(state.keys, before) {
            #expect(one.group == record.transcript && one.path == other.path)
            #expect(one.networks == other.networks && one.label.utf8Equals(other.label))
        }
        // The old group is marked, and has no account left.
        #expect(state.superseded(run.oldRecord.transcript) == SupersededGroup(by: record))
        #expect(state.accounts(of: run.oldRecord.transcript).isEmpty && state.groups.count == 2)
        #expect(
            try run.alice.events.map(\.kind).suffix(4) == [
                .groupReshared, .groupConfirmed, .groupActivated, .groupSuperseded,
            ])
        #expect(throws: GroupRefusal.superseded("office")) {
            try run.alice.device.preview(DeriveGroupAccount("office", path: "/kusama"))
        }
        try run.alice.act(CompareGroup("new"))
        try run.alice.act(DeriveGroupAccount("new", path: "/kusama"))
        // The record again changes nothing; the old one shows the old group, and gives it nothing back.
        try run.alice.act(ActivateGroup(record, name: nil))
        try run.alice.act(ActivateGroup(run.oldRecord, name: nil))
        #expect(try run.alice.state.key(account)?.group == record.transcript)
    }

    @Test func `an old member who leaves notes that its share is superseded, and keeps it until removed`()
        throws
    {
        let run = try ReshareFixture()
        let record = try run.made()
        let before = try run.bob.state
        for _ in 0..<2 {
            let shown = try run.bob.device.preview(ActivateGroup(record, name: nil)).shown
            #expect(shown.origin == .handedOn(before.groups[0]) && shown.warnings.contains(.reshared))
            try run.bob.act(ActivateGroup(record, name: nil))
        }
        let state = try run.bob.state
        #expect(state.groups == before.groups && state.keys == before.keys)
        #expect(state.superseded(run.oldRecord.transcript) == SupersededGroup(by: record))
        #expect(try state.openMakings().isEmpty)
        #expect(try run.bob.events.filter { $0.kind == .groupSuperseded }.count == 1)
        // With its group goes its part in the reshare, which is not answered again.
        try run.bob.act(RemoveGroup("office"))
        #expect(try run.bob.state.groupMakings.isEmpty && run.bob.state.keys.isEmpty)
        #expect(throws: GroupRefusal.left) { try run.bob.act(JoinGroup(run.proposal)) }
        // The mark outlives the group: from seed and record it comes back as a superseded one.
        try run.bob.act(RestoreGroup(run.oldRecord, seed: "bob", name: nil))
        #expect(try run.bob.state.superseded(run.oldRecord.transcript) != nil)
    }

    @Test func `who neither contributes nor stays learns it by the record, after it saw the proposal`() throws
    {
        let run = try ReshareFixture()
        let bundle = try run.bundle(run.join())
        let record = try run.confirm(bundle)
        // Nobody compared the new members on this machine: anybody signs a record of his own keys.
        #expect(throws: GroupRefusal.unknownRecord) {
            try run.carol.device.preview(ActivateGroup(record, name: nil))
        }
        #expect(try run.carol.act(JoinGroup(run.proposal)) == nil)
        let shown = try run.carol.device.preview(JoinGroup(run.proposal)).shown
        #expect(shown.held != nil && !shown.givesShare)
        #expect(throws: GroupRefusal.notChecked) { try run.carol.act(ActivateGroup(record, name: nil)) }
        try run.carol.act(CheckReshare(bundle))
        try run.carol.act(ActivateGroup(record, name: nil))
        #expect(try run.carol.state.superseded(run.oldRecord.transcript) == SupersededGroup(by: record))
    }

    @Test func `what is shown was stored before, and the same message shows the same again`() throws {
        let run = try ReshareFixture()
        let first = try run.bob.act(JoinGroup(run.proposal))
        #expect(try run.bob.state.groupMaking(run.proposal.session)?.contribution == first)
        #expect(try run.bob.act(JoinGroup(run.proposal), in: run.bob.session()) == first)
        let bundle = try run.bundle(try run.join())
        let confirmation = try run.dave.act(ConfirmGroup(bundle))
        #expect(try run.dave.act(ConfirmGroup(bundle)) == confirmation)
        #expect(try run.bob.events.filter { $0.kind == .groupReshared }.count == 1)
    }

    // MARK: What is asked

    @Test func `a contributor types that its share goes, and others do not`() throws {
        let run = try ReshareFixture()
        for name in ["alice2", "dave", "erin"] {
            try run.bob.act(AddHostContact(GroupFixture.card(of: name), name: nil))
            try run.carol.act(AddHostContact(GroupFixture.card(of: name), name: nil))
        }
        let shown = try run.bob.device.preview(JoinGroup(run.proposal)).shown
        #expect(shown.word == ProposalReview.resharingWord && shown.givesShare && !shown.isMember)
        #expect(shown.warnings.contains(.reshared))
        #expect(try run.carol.device.preview(JoinGroup(run.proposal)).shown.word == nil)
        #expect(try run.dave.device.preview(JoinGroup(run.proposal)).shown.word == HostCardReview.word)
        try run.bob.act(JoinGroup(run.proposal))
        #expect(try run.bob.device.preview(JoinGroup(run.proposal)).shown.word == nil)
    }

    @Test func `a dealt key stays dealt in the group that it goes to`() throws {
        let run = try ReshareFixture()
        let state = try run.alice.state
        #expect(state.isDealt(run.proposal) == false && state.isDealt(run.oldRecord.proposal) == false)
        var dealt = state
        let members = run.oldRecord.proposal.members
        let old = try GroupProposal(
            scheme: .sr25519,
            origin: .dealt(dealer: members[0].hostKey, publicKey: run.oldRecord.groupKey), threshold: 2,
            salt: [UInt8](repeating: 0, count: 16), label: "", members: members)
        let record = try UOS.GroupRecord(
            proposal: old, contributionsHash: run.oldRecord.contributionsHash,
            commitments: run.oldRecord.commitments, ephemerals: [run.oldRecord.ephemerals[0]],
            shares: run.oldRecord.shares, signatures: run.oldRecord.signatures)
        dealt.groups = [
            HeldGroup(
                transcript: record.transcript, name: "x", record: record.bytes, seed: "alice", hostIndex: 0,
                member: 1)
        ]
        let next = try GroupProposal(
            scheme: .sr25519,
            origin: .reshared(transcript: record.transcript, contributors: GroupMembers([1, 2])),
            threshold: 2, salt: [UInt8](repeating: 0, count: 16), label: "", members: run.proposal.members)
        #expect(dealt.isDealt(next) == true)
    }

    // MARK: Dishonest members and carriers

    @Test func `a dishonest contributor is named by its old number on every new machine`() throws {
        let run = try ReshareFixture()
        let made = try run.join()
        let bob = made[1]
        var forged = bob.bytes
        forged[forged.count - 1] ^= 1
        let cases: [(GroupContribution, ContributionFault.Reason)] = [
            (try run.foreign("bob"), .oldShare),
            (try GroupFixture.contribution(forged), .hostSignature),
            (
                try run.changed(bob, by: "bob") {
                    $0 = .init(
                        commitments: [$0.commitments[0], $0.commitments[0]], proof: $0.proof,
                        shares: $0.shares)
                }, .proof
            ),
            (
                try run.changed(bob, by: "bob") {
                    $0 = .init(
                        commitments: $0.commitments, proof: $0.proof,
                        shares: [[UInt8](repeating: 0xff, count: 32)] + $0.shares.dropFirst())
                }, .scalar
            ),
        ]
        for (changed, reason) in cases {
            let bundle = try GroupContributions([made[0], changed], to: run.proposal)
            let refusal = GroupRefusal.contributions([
                .init(member: 2, name: "bob", reason: reason, isOfOldGroup: true)
            ])
            for machine in run.receivers {
                #expect(throws: refusal) { try machine.act(ConfirmGroup(bundle)) }
                #expect(try machine.state.groupMaking(run.proposal.session)?.confirmation == nil)
            }
        }
        // The share of one machine alone: only it can tell.
        let wrong = try run.changed(bob, by: "bob") {
            $0 = .init(
                commitments: $0.commitments, proof: $0.proof,
                shares: [$0.shares[0], $0.shares[0], $0.shares[2]])
        }
        let bundle = try GroupContributions([made[0], wrong], to: run.proposal)
        #expect(
            throws: GroupRefusal.contributions([
                .init(member: 2, name: "bob", reason: .share, isOfOldGroup: true)
            ])
        ) { try run.dave.act(ConfirmGroup(bundle)) }
        // The machine that this is no fault of confirms, and then no other bundle; no record comes of it.
        try run.erin.act(ConfirmGroup(bundle))
        #expect(throws: GroupRefusal.otherBundle) { try run.erin.act(ConfirmGroup(run.bundle(made))) }
        // Another copy of alice's vault answered, too: her machine sees it.
        let again = try GroupContributions([try run.foreign("alice"), bob], to: run.proposal)
        #expect(
            throws: GroupRefusal.contributions([
                .init(member: 1, name: "alice", reason: .oldShare, isOfOldGroup: true)
            ])
        ) { try run.alice.device.preview(ConfirmGroup(again)) }
    }

    @Test func `a seed of the old group gets no new share, under any of its host keys`() throws {
        let run = try ReshareFixture()
        // The same host key: refused by whoever makes the proposal, and by whoever reads one.
        #expect(throws: GroupCollectError.proposal(.oldHostKey(1))) {
            try ReshareFixture.proposal(run.oldRecord, ["carol", "dave"])
        }
        let cards = try ["carol", "dave"].map { try GroupFixture.card(of: $0).member }
        let kept = try GroupProposal(
            scheme: .sr25519,
            origin: .reshared(transcript: run.oldRecord.transcript, contributors: GroupMembers([1, 2])),
            threshold: 2, salt: [UInt8](repeating: 0, count: 16), label: "", members: cards)
        #expect(throws: GroupCollectError.proposal(.oldHostKey(1))) {
            try run.bob.device.preview(JoinGroup(kept))
        }
        // Another host key of the same seed: only its own machine can see that.
        let card = try run.carol.act(MakeHostCard(seed: "carol", index: 5, name: "carol"))
        let proposal = try GroupProposal.make(
            resharing: run.oldRecord, contributors: "1,2", cards: [card, GroupFixture.card(of: "dave")],
            threshold: 2, label: "")
        #expect(throws: GroupRefusal.oldSeed("carol")) { try run.carol.act(JoinGroup(proposal)) }
        #expect(try run.carol.state.groupMakings.allSatisfy { $0.session != proposal.session })
        // A machine that lost its group has the old record from elsewhere.
        let lost = try CeremonyFixture(seeds: ["carol"])
        #expect(try lost.act(JoinGroup(proposal)) == nil)
        #expect(throws: GroupRefusal.oldSeed("carol")) { try lost.act(KeepOldRecord(run.oldRecord)) }
    }

    @Test func `nothing is confirmed without the record of exactly the old group`() throws {
        let run = try ReshareFixture()
        let contributions = try [run.alice, run.bob].map {
            try GroupFixture.contribution(try $0.act(JoinGroup(run.proposal)) ?? [])
        }
        let bundle = try run.bundle(contributions)
        // Before the proposal the record is a stranger's.
        #expect(throws: GroupRefusal.unknownRecord) {
            try run.dave.device.preview(KeepOldRecord(run.oldRecord))
        }
        try run.dave.act(JoinGroup(run.proposal))
        #expect(throws: GroupRefusal.oldRecordMissing) { try run.dave.device.preview(ConfirmGroup(bundle)) }
        let other = try GroupFixture()
        let stranger = try other.made()
        #expect(throws: GroupRefusal.unknownRecord) { try run.dave.device.preview(KeepOldRecord(stranger)) }
        // A signature of an old member that is wrong.
        var bytes = run.oldRecord.bytes
        bytes[bytes.count - 1] ^= 1
        guard case .group(.record(let forged)) = try Payload(bytes).content else { return }
        #expect(throws: GroupCollectError.record(members: ["carol"])) {
            try run.dave.device.preview(KeepOldRecord(forged))
        }
        try run.dave.act(KeepOldRecord(run.oldRecord))
        try run.dave.act(ConfirmGroup(bundle))
        // Who leaves has nothing to confirm with.
        #expect(throws: GroupRefusal.leaving) { try run.bob.device.preview(ConfirmGroup(bundle)) }
    }

    @Test func `messages of another group, an older sharing or another reshare are refused`() throws {
        let run = try ReshareFixture()
        let record = try run.made()
        // A proposal of a group that the vault is no member of, old or new.
        let other = try GroupFixture()
        let strange = try ReshareFixture.proposal(try other.made(), ["dave", "erin"])
        #expect(throws: GroupRefusal.notAMember) { try run.bob.act(JoinGroup(strange)) }
        // Contributions to another reshare of the same group.
        let again = try ReshareFixture.proposal(run.oldRecord)
        let foreign = try GroupFixture.contribution(try run.bob.act(JoinGroup(again)) ?? [])
        let first = try GroupFixture.contribution(try run.alice.act(JoinGroup(run.proposal)) ?? [])
        #expect(throws: GroupCollectError.otherRun(kind: "group_contribution", members: ["bob"])) {
            try run.bundle([first, foreign])
        }
        // A record that all new members sign, of something else than what was confirmed here.
        for machine in run.receivers { try machine.act(ActivateGroup(record, name: "new")) }
        try run.alice.act(RemoveGroup("office"))
        // The older sharing does not take the account back.
        let account = try #require(PublicKey(scheme: .sr25519, bytes: record.groupKey))
        #expect(throws: GroupRefusal.accountHeld(account.address(prefix: 42))) {
            try run.alice.act(RestoreGroup(run.oldRecord, seed: "alice", name: "old"))
        }
        #expect(throws: GroupRefusal.left) { try run.alice.act(JoinGroup(run.old.proposal)) }
        #expect(throws: GroupRefusal.active("new")) { try run.alice.act(JoinGroup(run.proposal)) }
        #expect(throws: GroupRefusal.unknownRecord) {
            try run.dave.device.preview(ActivateGroup(run.oldRecord, name: nil))
        }
        #expect(try run.alice.state.key(account)?.group == record.transcript)
    }

    /// Whoever owns the online machine may have the new members sign what he likes, where he is all of them.
    @Test func `a record around another account supersedes nothing`() throws {
        let run = try ReshareFixture()
        let record = try run.made()
        let stranger = try GroupFixture()
        let other = try stranger.made()
        let changed = try UOS.GroupRecord(
            proposal: record.proposal, contributionsHash: record.contributionsHash,
            commitments: [other.groupKey, record.commitments[1]], ephemerals: record.ephemerals,
            shares: record.shares, signatures: record.signatures)
        let signatures = try zip(["alice2", "dave", "erin"], changed.confirmations).map { name, one in
            try GroupFixture.withHost(name) { (host: borrowing HostKey) in try host.sign(one.signedBytes) }
        }
        let signed = try UOS.GroupRecord(
            proposal: record.proposal, contributionsHash: record.contributionsHash,
            commitments: changed.commitments, ephemerals: record.ephemerals, shares: record.shares,
            signatures: signatures)
        #expect(throws: GroupRefusal.otherBundle) {
            try run.bob.device.preview(ActivateGroup(signed, name: nil))
        }
        #expect(throws: GroupRefusal.otherBundle) {
            try run.dave.device.preview(ActivateGroup(signed, name: nil))
        }
        #expect(try run.bob.state.superseded(run.oldRecord.transcript) == nil)
    }

    @Test func `a machine that was lost comes back from its new seed and the record`() throws {
        let run = try ReshareFixture()
        let record = try run.made()
        let lost = try CeremonyFixture(seeds: ["dave"])
        let held = try lost.act(RestoreGroup(record, seed: "dave", name: nil))
        #expect(held.member == 2)
        #expect(throws: GroupRefusal.notOfSeed("bob")) {
            try run.bob.act(RestoreGroup(record, seed: "bob", name: nil))
        }
        // The old member with both seeds takes the new group from its record, too.
        let both = try CeremonyFixture(seeds: ["alice", "alice2"])
        try both.act(RestoreGroup(run.oldRecord, seed: "alice", name: "old"))
        try both.act(RestoreGroup(record, seed: "alice2", name: "new"))
        #expect(try both.state.keys.map(\.group) == [record.transcript])
        #expect(try both.state.superseded(run.oldRecord.transcript) == SupersededGroup(by: record))
    }
}
