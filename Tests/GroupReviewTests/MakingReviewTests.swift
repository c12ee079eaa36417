import Cards
import Foundation
import GroupCollect
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import GroupReview
@testable import Review

/// Reviews of a group in the making, on the messages that a prototype in Python made.
@Suite struct MakingReviewLaws {
    private func message(_ hex: String) throws -> GroupMessage {
        guard case .group(let message) = try Payload(GroupVectors.bytes(hex)).content else {
            throw PayloadError.emptyBulk
        }
        return message
    }

    private func state(_ group: GroupVectors.Group, confirmed: Bool) throws -> TrustState {
        var state = TrustState()
        state.groupMakings = [
            GroupMaking(
                session: try #require(Hash32(GroupVectors.bytes(group.session_id))),
                proposal: GroupVectors.bytes(group.proposal),
                seed: "main",
                hostIndex: 0,
                contribution: group.contributions[0].index == 0
                    ? nil : GroupVectors.bytes(group.contributions[0].message),
                confirmation: confirmed ? GroupVectors.bytes(group.confirmations[0]) : nil)
        ]
        return state
    }

    @Test func `a group whose label is no name gets the first number that is free`() throws {
        var state = TrustState()
        for (number, taken) in ["group", "group 2"].enumerated() {
            #expect(try GroupNames.ofGroup(nil, label: "", state) == (number == 0 ? "group" : "group 2"))
            let account = [UInt8](repeating: UInt8(number), count: 32)
            state.contacts.append(ContactRecord(scheme: .sr25519, account: account, label: taken))
        }
        #expect(try GroupNames.ofGroup(nil, label: "", state) == "group 3")
        #expect(try GroupNames.ofGroup(nil, label: "office", state) == "office")
    }

    @Test func `bundle and record of every vector are what their members signed`() throws {
        for group in GroupVectors.groups {
            guard case .contributions(let bundle) = try message(group.contributions_bundle),
                case .record(let record) = try message(group.record),
                case .proposal(let proposal) = try message(group.proposal)
            else { return }
            let review = try ContributionsReview(bundle, try state(group, confirmed: false))
            #expect(
                review.transcript.hex.utf8Equals(group.transcript)
                    && Hex.encode(review.groupKey).utf8Equals(group.group_key))
            #expect(review.proposal.members.map(\.name).utf8ElementsEqual(proposal.members.map(\.name)))
            #expect(
                try ContributionsReview(bundle, try state(group, confirmed: true)).transcript
                    == review.transcript)
            let activation = try RecordReview(record, name: nil, try state(group, confirmed: true))
            #expect(
                activation.record.transcript == review.transcript
                    && activation.publicKey.bytes == review.groupKey)
            #expect(throws: GroupRefusal.notConfirmed) {
                try RecordReview(record, name: nil, try state(group, confirmed: false))
            }
            #expect(throws: GroupRefusal.unknownRecord) { try RecordReview(record, name: nil, TrustState()) }
            // Every screen of a dealt group says so.
            let summaries = [
                ReviewSummary(try ProposalReview(proposal, TrustState())), ReviewSummary(review),
                ReviewSummary(activation),
            ]
            for summary in summaries {
                #expect(summary.warningCodes.contains("group_dealt") == (group.kind == "dealer"))
            }
            // Who else is in it stands on the screens before the group is active.
            let members = review.proposal.members.map(\.line)
            for summary in summaries[..<2] {
                let told = summary.facts.filter { $0.name.utf8Starts(with: "member ") }
                #expect(told.count == members.count)
            }
            #expect(summaries[1].facts.prefix(members.count).map(\.value).utf8ElementsEqual(members))
        }
    }

    @Test func `two warnings of one kind about two members are two`() {
        let one = GroupWarning.alike("ana", "anna")
        #expect(one == .alike("ana", "anna") && one != .alike("ana", "ann") && one != .dealt)
    }

    @Test func `every flipped bit of a bundle is refused`() throws {
        let group = GroupVectors.groups[0]
        let state = try state(group, confirmed: false)
        let bytes = GroupVectors.bytes(group.contributions_bundle)
        let names = ["alice", "bob", "carol"]
        let length = (bytes.count - 37) / names.count
        // One bit of each byte, each another one.
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1 << UInt8(index % 8)
            guard case .group(.contributions(let bundle))? = try? Payload(flipped).content else { continue }
            let (member, offset) = ((index - 37) / length, (index - 37) % length)
            // Session; whose contribution; what that member signed.
            let reason: GroupRefusal =
                if index < 36 {
                    .unknownSession
                } else if offset == 0 {
                    .otherProposal
                } else {
                    .contributions([.init(member: member + 1, name: names[member], reason: .hostSignature)])
                }
            #expect(throws: reason, "byte \(index)") { try ContributionsReview(bundle, state) }
        }
    }

    /// Members of a group compared each other's words, whether they are contacts or not: whoever borrows a
    /// name is taken for the member.
    @Test func `a card or a proposal with the name of a group's member and another key is remarked`() throws {
        let (held, other) = (GroupVectors.groups[1], GroupVectors.groups[3])
        guard case .record(let record) = try message(held.record),
            case .host(let stranger) = try message(other.host_cards[2]),
            case .host(let member) = try message(held.host_cards[2]),
            case .proposal(let proposal) = try message(other.proposal)
        else { return }
        var active = TrustState()
        active.groups = [
            HeldGroup(
                transcript: record.transcript, name: "savings", record: GroupVectors.bytes(held.record),
                seed: "main", hostIndex: 0,
                member: 1)
        ]
        let own = record.proposal.members[0].hostKey
        if case .putSetting(let name, let value) = OwnHostKey.recording(own, seed: "main", index: 0) {
            active.settings[name] = value
        }
        var making = active
        making.groups = []
        making.groupMakings = try state(held, confirmed: false).groupMakings
        for (trust, group) in [(active, #"the group "savings""#), (making, "a group that is being made")] {
            func warnings(_ card: GroupHost, _ name: String?) throws -> [GroupWarning] {
                try HostCardReview(card, name: name, trust, seeds: []).warnings
            }
            func borrowed(_ name: String, _ member: String, isOwn: Bool = false) -> GroupWarning {
                .borrowedMember(
                    name: ExactText(name), member: ExactText(member), group: ExactText(group), isOwn: isOwn)
            }
            // The card's own word, a person's, and one that looks like it: each of a key that no member has.
            #expect(try warnings(stranger, nil) == [borrowed("carol", "carol")])
            #expect(try warnings(stranger, "dave") == [borrowed("dave", "dave")])
            #expect(try warnings(stranger, "CAR0L") == [borrowed("CAR0L", "carol")])
            #expect(try warnings(stranger, "alice") == [borrowed("alice", "alice", isOwn: true)])
            #expect(try warnings(stranger, "frank") == [])
            // The member's own card, and a card of a member under the name of another.
            #expect(try warnings(member, nil) == [])
            #expect(try warnings(member, "bob") == [borrowed("bob", "bob")])
            let review = try ProposalReview(proposal, trust)
            let names = [
                borrowed("alice", "alice", isOwn: true), borrowed("bob", "bob"), borrowed("carol", "carol"),
            ]
            #expect(Array(review.warnings.prefix(3)) == names)
            #expect(ReviewSummary(review).warningCodes.contains("group_name_borrowed"))
            // A contact is called what a person called it.
            var compared = trust
            compared.hostContacts = proposal.members.map {
                HostContactRecord(hostKey: $0.hostKey, name: $0.name)
            }
            #expect(try ProposalReview(proposal, compared).warnings == GroupWarning.ofSize(proposal))
        }
        // The summary has them, so that no question stands without them.
        let impostor = try HostCardReview(stranger, name: "alice", active, seeds: [])
        #expect(!impostor.warnings.isEmpty && ReviewSummary(impostor).warningCodes == ["group_name_borrowed"])
        let sentence =
            #""alice" is NOT this machine, the member "alice" of the group "savings": it has another host key"#
        #expect(
            try HostCardReview(stranger, name: "alice", active, seeds: []).warnings.map(\.line) == [
                sentence
            ])
    }

    /// A second implementation reads on the page which names it may give.
    @Test func `the page of messages lists each reserved word and phrase`() throws {
        let path = "../../../Sources/Programs/heliograph/heliograph.docc/GroupMessages.md"
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent(path).standardized
        let page = try String(contentsOf: file, encoding: .utf8)
        func words(behind start: String) throws -> [String] {
            let line = try #require(page.split(separator: "\n").first { $0.utf8Starts(with: start) })
            return line.split(separator: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map {
                String($0.element)
            }
        }
        #expect(try words(behind: "- not an address, and").utf8ElementsEqual(ContactLabel.reservedWords))
        let letters = try #require(
            page.split(separator: "\n").first { $0.utf8Starts(with: "- letters of ASCII;") })
        let ranges = letters.matches(of: #/U\+([0-9A-F]{4}) to U\+([0-9A-F]{4})/#).map {
            UInt32($0.output.1, radix: 16)!...UInt32($0.output.2, radix: 16)!
        }
        #expect(ranges.count == 2)
        for scalar in (UInt32(0x370)...0x52f).compactMap(Unicode.Scalar.init)
        where scalar.properties.isAlphabetic {
            let isName = (try? ContactLabel.check(String(scalar))) != nil
            #expect(isName == ranges.contains { $0.contains(scalar.value) }, "U+\(scalar.value)")
        }
        let phrases = ContactLabel.reservedPhrases.map { $0.joined(separator: " ") }
        #expect(try words(behind: "- not a reserved phrase").utf8ElementsEqual(phrases))
    }

    @Test func `a vault holds only so many host contacts, and a new name for one of them is no further one`()
        throws
    {
        guard case .host(let card) = try message(GroupVectors.groups[0].host_cards[0]) else { return }
        var state = TrustState()
        let letters = Array("abcdefghijklmnop")
        state.hostContacts = (0..<HostCardReview.maximumContacts).map { number in
            HostContactRecord(
                hostKey: [UInt8](repeating: UInt8(number % 256), count: 32),
                name: "k\(letters[number / 16])\(letters[number % 16])")
        }
        #expect(throws: GroupRefusal.contactsFull) {
            try HostCardReview(card, name: "alice", state, seeds: [])
        }
        state.hostContacts[0] = HostContactRecord(hostKey: card.member.hostKey, name: "kaa")
        #expect(try HostCardReview(card, name: "alice", state, seeds: []).before?.utf8Equals("kaa") == true)
        #expect(try HostCardReview(card, name: nil, state, seeds: []).isHeld)
    }
}
