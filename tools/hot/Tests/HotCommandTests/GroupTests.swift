import Foundation
import Hashing
import Testing

/// What the online machine does for a threshold group, on the messages of `fixtures/threshold/groups.json`,
/// which another implementation made.
@Suite struct GroupCommandTests {
    private struct Vector: Decodable {
        struct Signing: Decodable {
            struct Participant: Decodable {
                let commitment_message: String?
                let share_message: String
            }
            let name: String
            let signers: [Int]
            let path: String
            let inner_payload: String
            let request: String
            let participants: [String: Participant]
            let package_with_request: String
            let answer: String
        }
        struct Contribution: Decodable { let message: String }
        let kind: String
        let host_cards: [String]
        let proposal: String
        let contributions: [Contribution]
        let contributions_bundle: String
        let confirmations: [String]
        let record: String
        let signing: [Signing]
    }

    private static let vectors = read("groups.json")
    /// The first of ``vectors`` after its key was reshared.
    private static let reshared = read("reshared.json")

    private static func read(_ name: String) -> [Vector] {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../../fixtures/threshold/\(name)"
        ).standardized
        return try! JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    }

    /// A desk with every message of a vector in a file of its own.
    private func desk(_ vector: Vector) throws -> Desk {
        let desk = try Desk()
        try desk.write(vector.proposal, "b1.hex")
        for (index, contribution) in vector.contributions.enumerated() {
            try desk.write(contribution.message, "b2-\(index + 1).hex")
        }
        for (index, confirmation) in vector.confirmations.enumerated() {
            try desk.write(confirmation, "b4-\(index + 1).hex")
        }
        for (index, card) in vector.host_cards.enumerated() { try desk.write(card, "b0-\(index + 1).hex") }
        try desk.write(vector.contributions_bundle, "b3.hex")
        try desk.write(vector.record, "b5.hex")
        return desk
    }

    private func write(_ signing: Vector.Signing, _ desk: Desk) throws {
        try desk.write(signing.request, "b6.hex")
        try desk.write(signing.inner_payload, "payload.hex")
        for (member, part) in signing.participants {
            if let commitment = part.commitment_message { try desk.write(commitment, "b7-\(member).hex") }
            try desk.write(part.share_message, "b9-\(member).hex")
        }
    }

    @Test func `contributions, confirmations and the record of each vector come out as they are`() throws {
        for vector in Self.vectors + Self.reshared {
            let desk = try desk(vector)
            // A reshare also takes the record of the group whose key it is.
            let isReshare = vector.kind == "reshare"
            let old = isReshare ? ["old.hex"] : []
            if isReshare { try desk.write(Self.vectors[0].record, "old.hex") }
            let contributions = vector.contributions.indices.map { "b2-\($0 + 1).hex" }
            if isReshare {
                let refused = try desk.run(words: ["group", "collect", "b1.hex"] + contributions)
                #expect(
                    refused.status == 65 && refused.diagnostic == "the record of the old group is missing")
            }
            let bundle = try desk.run(
                words: ["group", "collect", "b1.hex"] + contributions.reversed() + old)
            #expect(bundle.status == 0 && bundle.output == vector.contributions_bundle + "\n")
            let record = try desk.run(
                words: ["group", "collect", "b1.hex", "b3.hex"] + old
                    + vector.confirmations.indices.map { "b4-\($0 + 1).hex" } + [
                        "--out", "r.hex",
                    ])
            #expect(record.status == 0)
            #expect(try desk.hex("r.hex") == Hex.decode(vector.record))
        }
    }

    @Test func `what is missing is named, and nothing is made of it`() throws {
        let vector = Self.vectors[0]
        let desk = try desk(vector)
        let some = try desk.run("group", "collect", "b1.hex", "b2-1.hex", "b2-3.hex")
        #expect(some.status == 1 && some.output.isEmpty)
        #expect(some.errors.contains("contributions: 2 of 3") && some.errors.contains("missing"))
        // Of three signers one answered: there is no package, and the file of an earlier run stays as it is.
        let three = try #require(vector.signing.first { $0.signers == [1, 2, 3] })
        try write(three, desk)
        try desk.write("00", "b8.hex")
        let early = try desk.run("group", "collect", "b5.hex", "b6.hex", "b7-1.hex", "--out", "b8.hex")
        #expect(early.status == 1 && early.output.isEmpty && early.errors.contains("commitments: 1 of 3"))
        #expect(early.errors.contains("nothing was written to b8.hex"))
        #expect(try desk.hex("b8.hex") == [0])
        // A share does not count as a commitment of a package.
        let lone = try desk.run("group", "collect", "b5.hex", "b6.hex", "b9-1.hex")
        #expect(lone.status == 1 && lone.output.isEmpty && lone.errors.contains("shares: 1 of 3"))
        // Where one signer alone is missing, the package is whole for that one, who answers it with a share.
        let last = try desk.run("group", "collect", "b5.hex", "b6.hex", "b7-1.hex", "b7-3.hex")
        #expect(last.status == 0 && last.errors.contains("commitments: 2 of 3"))
        #expect(last.output.hasPrefix("5301b8") && last.errors.contains(#"next: show it to "bob""#))
    }

    @Test func `a broken record beside a good one is refused, whichever comes first`() throws {
        let vector = Self.vectors[0]
        let desk = try desk(vector)
        try write(vector.signing[0], desk)
        var bytes = try #require(try desk.hex("b5.hex"))
        bytes[bytes.count - 1] ^= 1
        try desk.write(Hex.encode(bytes), "changed.hex")
        for records in [["b5.hex", "changed.hex"], ["changed.hex", "b5.hex"]] {
            let run = try desk.run(
                words: ["group", "collect"] + records + ["b6.hex", "b7-1.hex", "b7-3.hex"])
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.diagnostic == #"the group record is not signed by "carol""#)
        }
    }

    @Test func `commitments and shares become the package and the answer`() throws {
        for vector in Self.vectors {
            for signing in vector.signing
            where signing.participants.values.allSatisfy({ $0.commitment_message != nil }) {
                let desk = try desk(vector)
                try write(signing, desk)
                let members = signing.signers.map(String.init)
                let package = try desk.run(
                    words: ["group", "collect", "b5.hex", "b6.hex"] + members.map { "b7-\($0).hex" })
                #expect(
                    package.status == 0 && package.output == signing.package_with_request + "\n",
                    "\(signing.name)")
                let answer = try desk.run(
                    words: ["group", "collect", "b5.hex", "b6.hex"] + members.map { "b9-\($0).hex" })
                #expect(
                    answer.status == 0 && answer.output.contains(signing.answer.suffix(128)),
                    "\(signing.name)")
            }
        }
    }

    @Test func `a changed byte of a message is refused, and its member is named`() throws {
        let vector = Self.vectors[0]
        let desk = try desk(vector)
        try write(vector.signing[0], desk)
        func changed(_ name: String, at place: Int) throws {
            var bytes = try #require(try desk.hex(name))
            bytes[place] ^= 1
            try desk.write(Hex.encode(bytes), "changed.hex")
        }
        try changed("b2-2.hex", at: 100)
        let contribution = try desk.run("group", "collect", "b1.hex", "b2-1.hex", "changed.hex", "b2-3.hex")
        #expect(
            contribution.status != 0 && contribution.output.isEmpty
                && contribution.diagnostic?.contains("bob") ?? false)
        try changed("b9-3.hex", at: 240)
        let share = try desk.run("group", "collect", "b5.hex", "b6.hex", "b9-1.hex", "changed.hex")
        #expect(share.status != 0 && share.output.isEmpty && share.diagnostic?.contains("carol") ?? false)
        try changed("b5.hex", at: 300)
        #expect(try desk.run("group", "collect", "changed.hex", "b6.hex", "b7-1.hex", "b7-3.hex").status != 0)
    }

    @Test func `a request is made around a payload, for members that the group has`() throws {
        let vector = Self.vectors[0]
        let desk = try desk(vector)
        try write(vector.signing[0], desk)
        let request = try desk.run(
            "group", "request", "payload.hex", "--record", "b5.hex", "--signers", "alice,carol", "--out",
            "new.hex")
        #expect(request.status == 0)
        let (made, given) = (try #require(try desk.hex("new.hex")), try #require(try desk.hex("b6.hex")))
        // Everything but the 16 random bytes behind the key.
        #expect(
            made.count == given.count && made[..<36] == given[..<36] && made[52...] == given[52...]
                && made[36..<52] != given[36..<52])
        for (signers, words) in [
            ("alice,dave", "dave"), ("alice", "the group needs 2 signers, and 1 is named"),
            ("", "the group needs 2 signers, and none is named"),
        ] {
            let refused = try desk.run(
                "group", "request", "payload.hex", "--record", "b5.hex", "--signers", signers)
            #expect(
                refused.status != 0 && refused.output.isEmpty && refused.diagnostic?.contains(words) ?? false,
                "\(signers)")
        }
        for path in ["//hard", "/", "soft"] {
            #expect(
                try desk.run(
                    "group", "request", "payload.hex", "--record", "b5.hex", "--signers", "alice,carol",
                    "--path", path
                ).status
                    != 0)
        }
        #expect(
            try desk.run("group", "request", "b6.hex", "--record", "b5.hex", "--signers", "alice,carol")
                .status != 0)
    }

    @Test func `a proposal has the cards' names and keys, and a changed card is refused`() throws {
        let vector = Self.vectors[0]
        let desk = try desk(vector)
        let proposal = try desk.run(
            "group", "new", "--threshold", "2", "--label", "x", "b0-1.hex", "b0-2.hex", "b0-3.hex", "--out",
            "new.hex")
        #expect(proposal.status == 0 && proposal.errors.contains("every member compares the words"))
        let bytes = try #require(try desk.hex("new.hex"))
        #expect(bytes[..<3] == [0x53, 0x01, 0xb1])
        var card = try #require(try desk.hex("b0-2.hex"))
        card[10] ^= 1
        try desk.write(Hex.encode(card), "changed.hex")
        #expect(
            try desk.run("group", "new", "--threshold", "2", "b0-1.hex", "changed.hex", "b0-3.hex").status
                != 0)
        for threshold in ["1", "4"] {
            #expect(
                try desk.run("group", "new", "--threshold", threshold, "b0-1.hex", "b0-2.hex", "b0-3.hex")
                    .status != 0)
        }
        #expect(try desk.run("group", "new", "--threshold", "2", "b0-1.hex", "b0-1.hex").status != 0)
        // A name that every member's vault refuses is refused here, before anything else of the card is read.
        var named = try #require(try desk.hex("b0-2.hex"))
        named.replaceSubrange(37..<40, with: Array("own".utf8))
        try desk.write(Hex.encode(named), "own.hex")
        let own = try desk.run("group", "new", "--threshold", "2", "b0-1.hex", "own.hex", "b0-3.hex")
        #expect(own.status == 1 && own.output.isEmpty)
        #expect(
            own.diagnostic == #""own" cannot be the name of a member: own is a word of this program"#)
        let all = try desk.run("group", "new", "--threshold", "3", "b0-1.hex", "b0-2.hex", "b0-3.hex")
        #expect(all.status == 0 && all.errors.contains("all 3 members must sign"))
    }

    @Test func `reading a message of a group says what it is`() throws {
        let vector = Self.vectors[0]
        let desk = try desk(vector)
        try write(vector.signing[0], desk)
        for (file, kind) in [
            ("b0-1", "group_host"), ("b5", "group_record"), ("b6", "group_request"), ("b9-1", "group_share"),
        ] {
            let read = try desk.run("read", "--hex", "@\(file).hex")
            #expect(
                read.status != 0
                    && read.diagnostic
                        == "this is a message between the members of a group (\(kind)), and no signature yet"
            )
            #expect(read.hint == "heliograph-hot group collect RECORD REQUEST INPUT")
        }
    }
}
