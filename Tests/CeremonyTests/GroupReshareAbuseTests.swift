import Cards
import GroupCollect
import GroupReview
import Hashing
import Keys
import Review
import SubstratePrimitives
import TestSupport
import Testing
import Threshold
import TrustStore
import UOS

@testable import Ceremony

/// What a reshare gives away, and what somebody who made up its other half can have believed.
@Suite struct GroupReshareAbuseLaws {
    /// Whoever makes a proposal may own all its new members: their signatures alone end no group.
    @Test func `a record that no contribution of old members stands behind supersedes nothing`() throws {
        let run = try ReshareFixture()
        let contributions = try run.join()
        let bundle = try run.bundle(contributions)
        let record = try run.confirm(bundle)
        let forged = try run.forged(record)
        try run.carol.act(JoinGroup(run.proposal))
        for machine in [run.bob, run.carol] {
            for one in [forged, record] {
                #expect(throws: GroupRefusal.notChecked) { try machine.act(ActivateGroup(one, name: nil)) }
            }
            // A bundle in which an old member's part is somebody else's is named, and kept for nothing.
            let foreign = try GroupContributions(
                [try run.foreign("alice"), contributions[1]], to: run.proposal)
            #expect(
                throws: GroupRefusal.contributions([
                    .init(member: 1, name: "alice", reason: .oldShare, isOfOldGroup: true)
                ])
            ) { try machine.act(CheckReshare(foreign)) }
            #expect(throws: GroupRefusal.notChecked) { try machine.act(ActivateGroup(record, name: nil)) }
            try machine.act(CheckReshare(bundle))
            #expect(throws: GroupRefusal.otherBundle) { try machine.act(ActivateGroup(forged, name: nil)) }
            #expect(try machine.state.superseded(run.oldRecord.transcript) == nil)
            try machine.act(ActivateGroup(record, name: nil))
            #expect(
                try machine.state.superseded(run.oldRecord.transcript) == SupersededGroup(by: record))
        }
    }

    @Test func `the old shares of a superseded group are not given on again`() throws {
        let run = try ReshareFixture()
        let record = try run.made()
        let again = try ReshareFixture.proposal(run.oldRecord, ["dave", "eve"])
        #expect(try run.bob.device.preview(JoinGroup(again)).shown.givesShare)
        for machine in [run.alice, run.bob] {
            try machine.act(ActivateGroup(record, name: nil))
            #expect(throws: GroupRefusal.superseded("office")) { try machine.act(JoinGroup(again)) }
            #expect(try machine.state.groupMaking(again.session) == nil)
        }
        // What bob answered before is shown again.
        #expect(try run.bob.act(JoinGroup(run.proposal)) != nil)
    }

    @Test func `a proposal that the old record does not fit keeps it from no other one`() throws {
        let run = try ReshareFixture()
        let cards = try ["carol", "dave"].map { try GroupFixture.card(of: $0).member }
        for salt in UInt8(0)..<4 {
            let unfit = try GroupProposal(
                scheme: .sr25519,
                origin: .reshared(transcript: run.oldRecord.transcript, contributors: GroupMembers([1, 2])),
                threshold: 2, salt: [UInt8](repeating: salt, count: 16), label: "", members: cards)
            try run.dave.act(JoinGroup(unfit))
        }
        try run.dave.act(JoinGroup(run.proposal))
        let shown = try run.dave.device.preview(KeepOldRecord(run.oldRecord)).shown
        #expect(shown.making.session == run.proposal.session)
    }

    /// The record of the group before it is on no machine that was restored, or came after a second reshare.
    @Test func `without the old group's record it is unknown whether a whole key existed`() throws {
        let run = try ReshareFixture()
        let record = try run.made()
        #expect(try run.dave.state.isDealt(run.proposal) == false)
        #expect(try !run.dave.device.preview(JoinGroup(run.proposal)).shown.warnings.contains(.originUnknown))
        let lost = try CeremonyFixture(seeds: ["dave"])
        #expect(try lost.device.preview(JoinGroup(run.proposal)).shown.warnings.contains(.originUnknown))
        let restored = try lost.device.preview(RestoreGroup(record, seed: "dave", name: nil)).shown
        #expect(restored.warnings.contains(.originUnknown))
        #expect(ReviewSummary(restored).warningCodes.contains("group_origin_unknown"))
        try lost.act(RestoreGroup(record, seed: "dave", name: nil))
        #expect(try lost.state.isDealt(record.proposal) == nil)
    }

    @Test func `a contributor sees the old group's size and address, and that fewer will sign`() throws {
        let run = try ReshareFixture(oldThreshold: 3)
        let account = try #require(PublicKey(scheme: .sr25519, bytes: run.oldRecord.groupKey))
        let address = account.address(prefix: 42)
        let fewer = try ReshareFixture.proposal(run.oldRecord, contributors: "1,2,3")
        func fact(_ proposal: GroupProposal) throws -> String? {
            let shown = try run.bob.device.preview(JoinGroup(proposal)).shown
            return ReviewSummary(shown).facts.first { $0.name.utf8Equals("old group") }?.value
        }
        let waiting = try #require(try fact(fewer))
        #expect(waiting.utf8Equals("\"office\", 3 of 3, \(address), which was not compared here"))
        try run.bob.act(CompareGroup("office"))
        #expect(try #require(try fact(fewer)).utf8Equals("\"office\", 3 of 3, \(address)"))
        let lowered = GroupWarning.thresholdLowered(old: 3, new: 2)
        #expect(try run.bob.device.preview(JoinGroup(fewer)).shown.warnings.contains(lowered))
        let equal = try ReshareFixture.proposal(run.oldRecord, contributors: "1,2,3", threshold: 3)
        #expect(try !run.bob.device.preview(JoinGroup(equal)).shown.warnings.contains(lowered))
    }

    /// A contribution that is out cannot be taken back, also if its reshare never ended.
    @Test func `a share that was given on before is shown in the next proposal, for ever`() throws {
        let run = try ReshareFixture()
        let again = try ReshareFixture.proposal(run.oldRecord, ["dave", "eve"])
        let other = try ReshareFixture.proposal(run.oldRecord, ["eve", "frank"])
        func given(_ proposal: GroupProposal) throws -> ([GroupWarning], [String]) {
            let shown = try run.bob.device.preview(JoinGroup(proposal)).shown
            let warnings = shown.warnings.filter {
                if case .shareGiven = $0 { true } else { false }
            }
            let facts = ReviewSummary(shown).facts.filter { $0.name.utf8Equals("given to") }
            return (warnings, facts.map(\.value))
        }
        let before = try given(run.proposal)
        #expect(before.0.isEmpty && before.1.isEmpty)
        try run.bob.act(JoinGroup(run.proposal))
        // The same proposal is no second one, and whoever leaves the making has given its share all the same.
        #expect(try given(run.proposal).0.isEmpty)
        try run.bob.act(RemoveGroup("office 2"))
        let second = try given(again)
        #expect(second.0 == [.shareGiven(proposals: 1, again: ["dave"])])
        #expect(second.1.utf8ElementsEqual([#"2 of 3: "alice2", "dave", "erin""#]))
        #expect(try given(other).0 == [.shareGiven(proposals: 1, again: [])])
        // carol gave nothing.
        let shown = try run.carol.device.preview(JoinGroup(again)).shown
        #expect(shown.old?.given == [])
    }
}
