import GroupCollect
import GroupReview
import Hashing
import Review
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

/// Reviews of a group in the making, on the messages that a prototype in Python made.
@Suite struct MakingReviewLaws {
    private func message(_ hex: String) throws -> GroupMessage {
        guard case .group(let message) = try Payload(GroupVectors.bytes(hex)).content else { throw PayloadError.emptyBulk }
        return message
    }

    private func state(_ group: GroupVectors.Group, confirmed: Bool) throws -> TrustState {
        var state = TrustState()
        state.groupMakings = [
            GroupMaking(
                session: try #require(Hash32(GroupVectors.bytes(group.session_id))), proposal: GroupVectors.bytes(group.proposal),
                seed: "main",
                hostIndex: 0, contribution: group.contributions[0].index == 0 ? nil : GroupVectors.bytes(group.contributions[0].message),
                confirmation: confirmed ? GroupVectors.bytes(group.confirmations[0]) : nil)
        ]
        return state
    }

    @Test func `bundle and record of every vector are what their members signed`() throws {
        for group in GroupVectors.groups {
            guard case .contributions(let bundle) = try message(group.contributions_bundle),
                case .record(let record) = try message(group.record),
                case .proposal(let proposal) = try message(group.proposal)
            else { return }
            let review = try ContributionsReview(bundle, try state(group, confirmed: false))
            #expect(review.transcript.hex.utf8Equals(group.transcript) && Hex.encode(review.groupKey).utf8Equals(group.group_key))
            #expect(review.proposal.members.map(\.name).utf8ElementsEqual(proposal.members.map(\.name)))
            #expect(try ContributionsReview(bundle, try state(group, confirmed: true)).transcript == review.transcript)
            let activation = try RecordReview(record, name: nil, try state(group, confirmed: true))
            #expect(activation.record.transcript == review.transcript && activation.publicKey.bytes == review.groupKey)
            #expect(throws: GroupRefusal.notConfirmed) { try RecordReview(record, name: nil, try state(group, confirmed: false)) }
            #expect(throws: GroupRefusal.unknownRecord) { try RecordReview(record, name: nil, TrustState()) }
            // Every screen of a dealt group says so.
            let summaries = [ReviewSummary(try ProposalReview(proposal, TrustState())), ReviewSummary(review), ReviewSummary(activation)]
            for summary in summaries { #expect(summary.warningCodes.contains("group_dealt") == (group.kind == "dealer")) }
        }
    }

    @Test func `every flipped bit of a bundle is refused`() throws {
        let group = GroupVectors.groups[0]
        let state = try state(group, confirmed: false)
        let bytes = GroupVectors.bytes(group.contributions_bundle)
        // One bit of each byte, each another one.
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1 << UInt8(index % 8)
            guard case .group(.contributions(let bundle))? = try? Payload(flipped).content else { continue }
            #expect(throws: (any Error).self, "byte \(index)") { try ContributionsReview(bundle, state) }
        }
    }

    @Test func `a vault holds only so many host contacts, and a new name for one of them is no further one`() throws {
        guard case .host(let card) = try message(GroupVectors.groups[0].host_cards[0]) else { return }
        var state = TrustState()
        let letters = Array("abcdefghijklmnop")
        state.hostContacts = (0..<HostCardReview.maximumContacts).map { number in
            HostContactRecord(
                hostKey: [UInt8](repeating: UInt8(number % 256), count: 32), name: "k\(letters[number / 16])\(letters[number % 16])")
        }
        #expect(throws: GroupRefusal.contactsFull) { try HostCardReview(card, name: "alice", state, seeds: []) }
        state.hostContacts[0] = HostContactRecord(hostKey: card.member.hostKey, name: "kaa")
        #expect(try HostCardReview(card, name: "alice", state, seeds: []).before?.utf8Equals("kaa") == true)
        #expect(try HostCardReview(card, name: nil, state, seeds: []).isHeld)
    }
}
