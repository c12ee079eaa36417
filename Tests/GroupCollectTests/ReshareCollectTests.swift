import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import Threshold
import UOS

@testable import GroupCollect

/// The reshared group of the vectors, put together from the messages of its members and the record of the old
/// group.
@Suite struct ReshareCollectLaws {
    private let old = GroupVectors.groups[0]
    private let group = GroupVectors.reshared[0]

    private func read(_ hexes: [String]) throws -> [GroupMessage] {
        try hexes.map { hex in
            guard case .group(let message) = try Payload(GroupVectors.bytes(hex)).content else {
                throw GroupCollectError.nothing
            }
            return message
        }
    }

    private func collect(_ hexes: [String]) throws -> GroupProgress { try GroupCollect.collect(read(hexes)) }

    private var contributions: [String] { group.contributions.map(\.message) }

    private func record(_ hex: String) throws -> UOS.GroupRecord {
        guard case .record(let record) = try read([hex])[0] else { throw GroupCollectError.nothing }
        return record
    }

    @Test func `contributions, confirmations and the old record make the messages of the vectors`() throws {
        let start = [group.proposal, old.record]
        let first = try collect((start + contributions).reversed())
        #expect(first.isComplete)
        #expect(try first.output == .message(read([group.contributions_bundle])[0]))
        // Contributors have the numbers and the names of the old group, and members those of the new one.
        #expect(first.collected.map(\.index) == [1, 3] && first.collected.map(\.name) == ["alice", "carol"])
        let some = try collect(start + [contributions[1]])
        #expect(some.output == .nothing && some.missing.map(\.name) == ["alice"])
        for source in [contributions, [group.contributions_bundle]] {
            let last = try collect(start + source + group.confirmations)
            #expect(try last.output == .message(read([group.record])[0]))
            #expect(last.collected.map(\.name) == ["alice", "bob", "dave", "erin"])
            #expect(last.lines(quote: { $0 }).last?.contains("every old member") == true)
        }
    }

    @Test func `the new record signs by itself, as the vectors do, for the old account`() throws {
        let signing = group.signing[0]
        let shares = signing.participants.values.map(\.share_message)
        guard
            case .signature(let answer) = try collect([group.record, signing.request] + shares).output
        else { throw GroupCollectError.nothing }
        #expect(signing.answer.hasSuffix(answer.text) && signing.account == old.group_key)
        // The record of the old group checks no share of the new one.
        #expect(throws: GroupCollectError.self) { try collect([old.record, signing.request] + shares) }
    }

    @Test func `without the record of exactly the old group nothing is collected`() throws {
        #expect(throws: GroupCollectError.oldRecordMissing) { try collect([group.proposal] + contributions) }
        #expect(throws: GroupCollectError.severalRuns) {
            try collect([group.proposal, GroupVectors.groups[1].record] + contributions)
        }
        #expect(throws: GroupCollectError.severalRuns) {
            try collect([group.proposal, old.record, GroupVectors.groups[1].record] + contributions)
        }
        var record = GroupVectors.bytes(old.record)
        record[record.count - 1] ^= 1
        #expect(throws: GroupCollectError.record(members: ["carol"])) {
            try collect([group.proposal, Hex.encode(record)] + contributions)
        }
        // A making of a new group takes no record.
        #expect(throws: GroupCollectError.twoPurposes) { try collect([old.proposal, old.record]) }
    }

    /// Every byte that a contributor signs, and the signature itself: whose message is wrong is said by the old
    /// group's names. What a carrier can change beyond that makes the message one of another session.
    @Test func `each changed byte of a contribution, confirmation, bundle and record is noticed`() throws {
        let start = [group.proposal, old.record]
        func changed(_ hex: String, _ offset: Int) -> String {
            var bytes = GroupVectors.bytes(hex)
            bytes[offset] ^= 1
            return Hex.encode(bytes)
        }
        for offset in 0..<(contributions[0].utf8.count / 2) {
            let other = changed(contributions[0], offset)
            #expect(throws: (any Error).self, "b2, byte \(offset)") {
                try collect(start + [other, contributions[1]])
            }
            guard offset >= 37 else { continue }
            #expect(
                throws: GroupCollectError.hostSignature(kind: "group_contribution", members: ["alice"])
            ) { try collect(start + [other, contributions[1]]) }
        }
        for offset in 0..<(group.confirmations[3].utf8.count / 2) {
            #expect(throws: (any Error).self, "b4, byte \(offset)") {
                try collect(
                    start + contributions + group.confirmations.dropLast()
                        + [changed(group.confirmations[3], offset)])
            }
        }
        let bundle = group.contributions_bundle
        for offset in 0..<(bundle.utf8.count / 2) {
            #expect(throws: (any Error).self, "b3, byte \(offset)") {
                try collect(start + [changed(bundle, offset)])
            }
        }
        for offset in 0..<(group.record.utf8.count / 2) {
            #expect(throws: (any Error).self, "b5, byte \(offset)") {
                _ = try record(changed(group.record, offset)).checked()
            }
        }
        // Of an unsigned proposal: refused, or another session, to which no contribution belongs.
        for offset in 0..<(group.proposal.utf8.count / 2) {
            #expect(throws: (any Error).self, "b1, byte \(offset)") {
                try collect([changed(group.proposal, offset), old.record] + contributions)
            }
        }
    }

    @Test func `a proposal to reshare needs enough contributors of the old group, and new host keys`() throws
    {
        let record = try record(old.record)
        func cards(_ hexes: [String]) throws -> [GroupHost] {
            try read(hexes).compactMap { if case .host(let host) = $0 { host } else { nil } }
        }
        func make(_ contributors: String, _ hexes: [String], threshold: Int = 2) throws -> GroupProposal {
            try GroupProposal.make(
                resharing: record, contributors: contributors, cards: cards(hexes), threshold: threshold,
                label: "")
        }
        let new = group.host_cards
        let proposal = try make("carol, 1", new)
        #expect(proposal.contributors == [1, 3] && proposal.oldTranscript == record.transcript)
        #expect(throws: GroupCollectError.tooFewContributors(named: 1, needed: 2)) { try make("alice", new) }
        #expect(throws: GroupCollectError.tooFewContributors(named: 0, needed: 2)) { try make("", new) }
        #expect(throws: GroupCollectError.unknownMember("dave")) { try make("alice, dave", new) }
        #expect(throws: GroupCollectError.proposal(.oldHostKey(2))) {
            try make("alice, bob", [new[0], old.host_cards[1]])
        }
        #expect(throws: PayloadError.group(.groupProposal, .threshold(5, members: 4))) {
            try make("alice, bob", new, threshold: 5)
        }
        // A proposal that somebody else made is read with the same care.
        let few = try GroupProposal(
            scheme: .sr25519,
            origin: .reshared(transcript: record.transcript, contributors: GroupMembers([1, 4])),
            threshold: 2, salt: [UInt8](repeating: 0, count: 16), label: "", members: proposal.members)
        #expect(throws: GroupCollectError.proposal(.oldGroup)) {
            try KeyGeneration(of: few, old: record)
        }
        #expect(throws: GroupCollectError.proposal(.oldGroup)) {
            try KeyGeneration(of: proposal, old: self.record(GroupVectors.groups[1].record))
        }
    }
}
