import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import Threshold
import UOS

@testable import GroupCollect

@Suite struct GroupCollectLaws {
    private func read(_ hexes: [String]) throws -> [GroupMessage] {
        try hexes.map { hex in
            guard case .group(let message) = try Payload(GroupVectors.bytes(hex)).content else {
                throw GroupCollectError.nothing
            }
            return message
        }
    }

    private func collect(_ hexes: [String]) throws -> GroupProgress { try GroupCollect.collect(read(hexes)) }

    private func shuffled(_ hexes: [String], _ seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        return hexes.shuffled(using: &generator)
    }

    /// One message of those that a member signs, with a byte changed behind the prelude and the version.
    private func changed(_ hex: String, at offset: Int) -> String {
        var bytes = GroupVectors.bytes(hex)
        bytes[offset] ^= 1
        return Hex.encode(bytes)
    }

    @Test func `contributions in any order make the bundle of the vectors, and confirmations the record`()
        throws
    {
        for (seed, group) in GroupVectors.groups.enumerated() {
            let contributions = group.contributions.map(\.message)
            let names = try proposal(group).members.map(\.name)
            // A message may come twice.
            let first = try collect(
                shuffled([group.proposal] + contributions + [contributions[0]], UInt64(seed)))
            #expect(
                first.stage == .contributions && first.isComplete
                    && first.collected.count == contributions.count)
            #expect(try first.output == .message(read([group.contributions_bundle])[0]))
            for source in [contributions, [group.contributions_bundle]] {
                let last = try collect(
                    shuffled([group.proposal] + source + group.confirmations, UInt64(seed)))
                #expect(
                    last.stage == .confirmations && last.isComplete && last.collected.map(\.name) == names)
                #expect(try last.output == .message(read([group.record])[0]))
                let some = try collect(
                    shuffled([group.proposal] + source + group.confirmations.dropFirst(), UInt64(seed)))
                #expect(
                    some.output == .nothing && some.missing.map(\.name) == [names[0]]
                        && some.collected.count == group.n - 1)
            }
        }
        let group = GroupVectors.groups[0]
        let some = try collect([group.contributions[2].message, group.proposal])
        #expect(
            some.output == .nothing && some.missing.map(\.index) == [1, 2]
                && some.collected.map(\.index) == [3])
        let none = try collect([group.proposal])
        #expect(none.collected.isEmpty && none.missing.count == 3)
    }

    private func proposal(_ group: GroupVectors.Group) throws -> GroupProposal {
        guard case .proposal(let proposal) = try read([group.proposal])[0] else {
            throw GroupCollectError.nothing
        }
        return proposal
    }

    @Test func `commitments in any order make the package of the vectors, and shares the signature`() throws {
        for (seed, group) in GroupVectors.groups.enumerated() {
            for signing in group.signing {
                // The vectors mark every signature with its scheme; the answer to a message is the bare
                // signature.
                let isMessage =
                    GroupVectors.bytes(signing.inner_payload)[2] == PayloadCode.anyNetworkMessage.rawValue
                let wanted = isMessage ? String(signing.answer.dropFirst(2)) : signing.answer
                let all = signing.participants.sorted { $0.key < $1.key }.map(\.value)
                let shares = all.map(\.share_message)
                let rounds = all.compactMap(\.commitment_message)
                let entries = rounds + (rounds.count < all.count ? [signing.package] : [])
                let first = try collect(shuffled([group.record, signing.request] + entries, UInt64(seed)))
                #expect(first.stage == .commitments && first.isComplete)
                #expect(try first.output == .message(read([signing.package_with_request])[0]))
                // The package carries the request.
                for source in [[signing.request], [signing.package_with_request]] {
                    let last = try collect(shuffled([group.record] + source + shares, UInt64(seed)))
                    guard case .signature(let answer) = last.output else { throw GroupCollectError.nothing }
                    #expect(last.stage == .shares && last.isComplete && answer.text.utf8Equals(wanted))
                }
                let some = try collect([group.record, signing.package_with_request] + shares.dropLast())
                #expect(
                    some.output == .nothing && some.missing.map(\.index) == [signing.signers.last!]
                        && some.stage == .shares)
                if let partial = signing.partial_package_with_request {
                    let part = try collect([group.record, signing.request, rounds[0]])
                    #expect(try part.output == .message(read([partial])[0]) && !part.isComplete)
                }
            }
        }
        let group = GroupVectors.groups[0]
        let none = try collect([group.record, group.signing[0].request])
        #expect(none.output == .nothing && none.missing.map(\.index) == [1, 3] && none.stage == .commitments)
    }

    /// The signature of each host, and with it every byte before it: whose message is wrong is said by name.
    @Test func `a changed message names its sender`() throws {
        let group = GroupVectors.groups[0]
        let names = try proposal(group).members.map(\.name)
        let contributions = group.contributions.map(\.message)
        for (index, name) in names.enumerated() {
            var changed = contributions
            for offset in [40, 80, 200, 300, 356] {
                changed[index] = self.changed(contributions[index], at: offset)
                #expect(throws: GroupCollectError.hostSignature(kind: "group_contribution", members: [name]))
                {
                    try collect([group.proposal] + changed)
                }
            }
            var confirmations = group.confirmations
            confirmations[index] = self.changed(group.confirmations[index], at: 60)
            #expect(throws: GroupCollectError.hostSignature(kind: "group_confirmation", members: [name])) {
                try collect([group.proposal] + contributions + confirmations)
            }
            var record = GroupVectors.bytes(group.record)
            record[record.count - 64 * (3 - index)] ^= 1
            #expect(throws: GroupCollectError.record(members: [name])) {
                try collect([Hex.encode(record), group.signing[0].request])
            }
        }
        let signing = group.signing[0]
        for index in ["1", "3"] {
            let name = names[Int(index)! - 1]
            let one = signing.participants[index]!
            #expect(throws: GroupCollectError.hostSignature(kind: "group_commitment", members: [name])) {
                try collect([group.record, signing.request, changed(one.commitment_message!, at: 50)])
            }
            #expect(throws: GroupCollectError.hostSignature(kind: "group_share", members: [name])) {
                try collect([group.record, signing.package_with_request, changed(one.share_message, at: 210)])
            }
        }
    }

    @Test func `a number that no member has is named as a number, and a dealer only where there is one`()
        throws
    {
        for (group, numbers) in [(GroupVectors.groups[0], [4, 16]), (GroupVectors.groups[2], [0])] {
            let name = try proposal(group).name(of: 0)
            #expect(name.utf8Equals(group.kind.utf8Equals("dealer") ? "dealer" : "member 0"))
            for number in numbers {
                var stranger = GroupVectors.bytes(group.contributions[0].message)
                stranger[36] = UInt8(number)
                stranger[stranger.count - 1] ^= 1
                #expect(
                    throws: GroupCollectError.hostSignature(
                        kind: "group_contribution", members: [number == 0 ? name : "member \(number)"])
                ) { try collect([group.proposal, Hex.encode(stranger)]) }
            }
        }
    }

    /// Only the package that misses one signer alone is of use, and to that one.
    @Test
    func `of commitments that are not complete there is a package for the last signer, and nothing else`()
        throws
    {
        let group = GroupVectors.groups[0]
        let signing = try #require(group.signing.first { $0.signers == [1, 2, 3] })
        let rounds = try ["1", "2", "3"].map { try #require(signing.participants[$0]?.commitment_message) }
        for some in [[rounds[0]], [rounds[2]], []] {
            let progress = try collect([group.record, signing.request] + some)
            #expect(
                progress.stage == .commitments && progress.output == .nothing
                    && progress.missing.count == 3 - some.count)
        }
        for last in 0..<3 {
            let two = rounds.indices.filter { $0 != last }
            let progress = try collect([group.record, signing.request] + two.map { rounds[$0] })
            #expect(progress.stage == .commitments && progress.missing.map(\.index) == [last + 1])
            guard case .message(.package(let package)) = progress.output else {
                Issue.record("no package for the last signer")
                return
            }
            #expect(package.entries.map(\.index) == two.map { $0 + 1 } && package.request != nil)
        }
        let all = try collect([group.record, signing.request] + rounds)
        #expect(all.isComplete && all.output != .nothing)
    }

    /// Its nonces are spent for another package: an answer to a package with them could never be put together
    /// with it.
    @Test func `a share is no commitment for a package`() throws {
        let group = GroupVectors.groups[0]
        for signing in group.signing {
            let shares = signing.signers.map { signing.participants[String($0)]!.share_message }
            for count in 1..<shares.count {
                let progress = try collect([group.record, signing.request] + shares.prefix(count))
                #expect(progress.stage == .shares && progress.output == .nothing)
                #expect(progress.collected.map(\.index) == Array(signing.signers.prefix(count)))
                #expect(progress.missing.map(\.index) == Array(signing.signers.dropFirst(count)))
            }
            #expect(try collect([group.record, signing.request] + shares).isComplete)
        }
    }

    @Test func `a broken record beside a good one is named, whichever comes first`() throws {
        let group = GroupVectors.groups[0]
        let names = try proposal(group).members.map(\.name)
        let record = GroupVectors.bytes(group.record)
        // Of one signature, and of what everybody signed.
        for (offset, members) in [
            (record.count - 1, [names[2]]), (record.count - 64 * 3, [names[0]]),
            (record.count - 64 * 3 - 1, names),
        ] {
            var broken = record
            broken[offset] ^= 1
            for records in [[group.record, Hex.encode(broken)], [Hex.encode(broken), group.record]] {
                #expect(throws: GroupCollectError.record(members: members)) {
                    try collect(records + [group.signing[0].request])
                }
            }
        }
        // Signatures are randomised, so a record may come in two forms that are both right.
        guard case .record(let good) = try read([group.record])[0] else { return }
        let again = try signed(group, 1, good.confirmations[0].signedBytes)
        let other = record.dropLast(64 * 3) + again + record.suffix(64 * 2)
        #expect(Array(other) != record)
        for records in [[group.record, Hex.encode(Array(other))], [Hex.encode(Array(other)), group.record]] {
            let progress = try collect(records + [group.signing[0].package_with_request])
            #expect(progress.isComplete)
        }
    }

    @Test func `every flipped bit of a record is refused`() throws {
        let group = GroupVectors.groups[3]
        let bytes = GroupVectors.bytes(group.record)
        // One bit of every byte: each costs a whole check.
        for offset in stride(from: 0, to: bytes.count, by: 3) {
            var flipped = bytes
            flipped[offset] ^= 1 << UInt8(offset % 8)
            guard case .group(.record(let record))? = try? Payload(flipped).content else { continue }
            let names = record.proposal.members.map(\.name)
            let signatures = bytes.count - 64 * names.count
            // Of a signature, that member; of what all of them signed, all, or nobody where it cannot be what
            // anybody signed.
            let reasons: [GroupCollectError] =
                offset >= signatures
                ? [.record(members: [names[(offset - signatures) / 64]])]
                : [.record(members: names), .record(members: []), .proposal(.badHostKey)]
            let error = #expect(throws: GroupCollectError.self, "byte \(offset)") { try record.checked() }
            #expect(
                error.map { reasons.contains($0) } == true, "byte \(offset): \(String(describing: error))")
        }
    }

    @Test func `messages that do not go together are refused`() throws {
        let (one, two) = (GroupVectors.groups[0], GroupVectors.groups[1])
        func refused(_ error: GroupCollectError, _ hexes: [String]) {
            #expect(throws: error) { try collect(hexes) }
        }
        refused(.nothing, [])
        refused(.unexpected(kind: "group_host"), [one.host_cards[0]])
        refused(.proposalMissing, one.contributions.map(\.message))
        refused(.recordMissing, [one.signing[0].request])
        refused(.requestMissing, [one.record, one.signing[0].package])
        refused(.twoPurposes, [one.proposal, one.record])
        refused(.severalRuns, [one.proposal, two.proposal])
        refused(.severalRuns, [one.proposal, two.contributions[0].message])
        refused(.severalRuns, [one.proposal] + one.contributions.map(\.message) + [two.confirmations[0]])
        refused(.severalRuns, [one.record, two.record])
        refused(.severalRuns, [one.record, one.signing[0].request, one.signing[2].request])
        let strangers = ["alice", "bob", "carol"]
        refused(
            .otherRun(kind: "group_commitment", members: strangers),
            [one.record, one.signing[0].request, one.signing[2].package])
        refused(.otherGroup, [two.record, one.signing[0].request])
        // The same payload at another path is for another account.
        var moved = GroupVectors.bytes(one.signing[1].request)
        moved[56] ^= 1
        refused(.otherAccount, [one.record, Hex.encode(moved)])
        var stranger = GroupVectors.bytes(one.signing[0].request)
        stranger[52] = 0b1001
        refused(.signers, [one.record, Hex.encode(stranger)])
        stranger[52] = 0b11
        refused(
            .otherRun(kind: "group_commitment", members: ["alice", "carol"]),
            [one.record, Hex.encode(stranger), one.signing[0].package])
    }

    /// Two signed messages of one member that differ. The vectors have a second run of the same member only
    /// under another session, so the package with commitments of another request stands for it where the
    /// sessions agree.
    @Test func `a message of another run names its sender where its host key signed it`() throws {
        let (one, other) = (GroupVectors.groups[0], GroupVectors.groups[1])
        // Host keys are the same in no two groups of the vectors: nobody is named whose key did not sign.
        #expect(throws: GroupCollectError.severalRuns) {
            try collect([one.proposal, other.contributions[0].message])
        }
        let signing = one.signing[0]
        let second = try #require(one.signing.dropFirst().first { $0.request != signing.request })
        let replayed = try #require(second.participants.sorted { $0.key < $1.key }.map(\.value).first)
        let name = try proposal(one).members[try #require(Int(second.signers[0].description)) - 1].name
        #expect(throws: GroupCollectError.otherRun(kind: "group_commitment", members: [name])) {
            try collect([one.record, signing.request, replayed.share_message])
        }
    }

    @Test func `signers are named by name or number, and a name may hold commas`() throws {
        let called = ["Ana", "cleo, dora", "3", "Bo"]
        let names = ["ana", "x", "y", "z"]
        func members(_ text: String) throws -> [Int] {
            try GroupRequest.members(named: text, among: called, names)
        }
        #expect(
            try members("Ana,Bo") == [1, 4] && members(" Ana , z") == [1, 4] && members("1,4") == [1, 4])
        #expect(try members("cleo, dora,Bo") == [2, 4] && members("ana,cleo, dora") == [1, 2])
        #expect(try members("").isEmpty && members(" ").isEmpty)
        // A name goes before a number.
        #expect(try members("3,2") == [3, 2])
        for (text, part) in [
            ("Eve", "Eve"), ("Ana,0", "0"), ("5", "5"), ("Ana,,Bo", ""), ("cleo", "cleo"), ("ANA", "ANA"),
        ] {
            #expect(throws: GroupCollectError.unknownMember(part)) { try members(text) }
        }
    }

    /// What a person typed is wrong, and no message that somebody sent.
    @Test func `a request with too few signers or an impossible path says so`() throws {
        let group = GroupVectors.groups[0]
        guard case .record(let record) = try read([group.record])[0],
            case .request(let request) = try read([group.signing[0].request])[0]
        else { throw GroupCollectError.nothing }
        func make(_ signers: String, path: String = "") throws -> GroupRequest {
            try GroupRequest.make(request.payload, record: record, signers: signers, path: path)
        }
        for (signers, named) in [("", 0), ("1", 1), ("carol", 1)] {
            #expect(throws: GroupCollectError.tooFewSigners(named: named, needed: 2)) { try make(signers) }
        }
        #expect(try make("1,2").signers.indices == [1, 2])
        for path in ["//hard", "polkadot", "/a//", "/" + String(repeating: "a", count: 64)] {
            #expect(throws: GroupCollectError.path) { try make("1,2", path: path) }
        }
        // One byte less is a path, if not that of this payload.
        #expect(throws: GroupCollectError.otherAccount) {
            try make("1,2", path: "/" + String(repeating: "a", count: 63))
        }
    }

    /// Two ways to name one member make one signer less than whoever typed them counts.
    @Test func `a signer who is named twice is refused, and so is a name that is several names`() {
        let names = ["m-a", "m-b", "m-c", "m-a,m-b"]
        // A contact may have the name that the proposal gives to another member.
        for (text, called, twice) in [
            ("m-a,m-a", names, "m-a"), ("1,1", names, "m-a"), ("m-c, 3", names, "m-c"),
            ("m-a,m-b,m-c", ["m-a", "x", "m-b", "y"], "m-b"),
        ] {
            #expect(throws: GroupCollectError.repeatedMember(twice)) {
                try GroupRequest.members(named: text, among: called, Array(names.prefix(3)) + ["z"])
            }
        }
        for text in ["m-a,m-b", "m-c,m-a,m-b"] {
            #expect(throws: GroupCollectError.ambiguousMember("m-a,m-b")) {
                try GroupRequest.members(named: text, among: names, names)
            }
        }
        // The second is a contact of that name, and the first was called so by whoever made the proposal.
        let called = ["me", "bob", "bob"]
        #expect(throws: GroupCollectError.ambiguousMember("bob")) {
            try GroupRequest.members(named: "me,bob", among: called, ["me", "bob", "robert"])
        }
        #expect(throws: Never.self) {
            try GroupRequest.members(named: "1,3", among: called, ["me", "bob", "robert"])
        }
        #expect(GroupCollectError.repeatedMember("m-a").diagnostic.exit == .usage)
    }

    /// Whoever proposes a group learns it before the members do.
    @Test func `a card whose name no vault takes is refused by its name`() throws {
        let key = [UInt8](repeating: 1, count: 32)
        for name in ["x,y", "key", "own", "me Ann", "a\" (this machine), \"bob", "1"] {
            let card = GroupHost(
                GroupMember(name: name, hostKey: key), signature: [UInt8](repeating: 0, count: 64))
            let error = #expect(throws: GroupCollectError.self) { try card.checkName() }
            #expect(error?.code == "group-member-name")
        }
        guard case .host(let card) = try read([GroupVectors.groups[0].host_cards[0]])[0] else { return }
        try card.checkName()
    }

    @Test func `one signer's share under another name or twice is told apart`() throws {
        let group = GroupVectors.groups[0]
        let signing = group.signing[0]
        let one = GroupVectors.bytes(signing.participants["1"]!.share_message)
        var other = one
        other[36] = 3
        let name = try proposal(group).members[2].name
        #expect(throws: GroupCollectError.hostSignature(kind: "group_commitment", members: [name])) {
            try collect([group.record, signing.package_with_request, Hex.encode(other)])
        }
        // Who is not asked is named by name, or by the number where nobody has it; a number is nobody else's
        // fault.
        for (index, named) in [(2, "bob"), (4, "member 4"), (16, "member 16")] {
            other[36] = UInt8(index)
            #expect(throws: GroupCollectError.notAsked(members: [named])) {
                try collect([group.record, signing.package_with_request, Hex.encode(other)])
            }
        }
        let twice = try collect([
            group.record, signing.package_with_request, Hex.encode(one), Hex.encode(one),
        ])
        #expect(twice.collected.map(\.index) == [1] && twice.missing.map(\.index) == [3])
    }

    /// Signed anew by its member, as a member signs who was shown something else: only what the message says
    /// of that is wrong.
    private func signed(_ group: GroupVectors.Group, _ member: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        var secret = GroupVectors.bytes(group.host_mini_secrets[member - 1])
        let host = try HostKey(miniSecret: SecretBytes(wiping: &secret))
        return try host.sign(bytes)
    }

    @Test func `a share that its member made for another package is named, though its number is right`()
        throws
    {
        for group in GroupVectors.groups {
            let signing = group.signing[0]
            let member = signing.signers[0]
            guard case .share(let right) = try read([signing.participants[String(member)]!.share_message])[0]
            else { return }
            func share(for hash: Hash32) throws -> String {
                func message(_ signature: [UInt8]) -> GroupShare {
                    GroupShare(
                        scheme: right.scheme, request: right.request, nonces: right.nonces, packageHash: hash,
                        share: right.share,
                        signature: signature)
                }
                let draft = message([UInt8](repeating: 0, count: 64))
                return Hex.encode(message(try signed(group, member, draft.signedBytes)).bytes)
            }
            let name = try proposal(group).members[member - 1].name
            #expect(throws: GroupCollectError.package(members: [name])) {
                try collect([group.record, signing.package_with_request, share(for: .blake2b(of: [1]))])
            }
            // Two shares of one pair of nonces, for two packages: that is the member's own doing, and gives
            // its secret away.
            #expect(throws: GroupCollectError.contradiction(kind: "group_share", member: name)) {
                try collect([
                    group.record, signing.package_with_request, share(for: .blake2b(of: [1])),
                    share(for: right.packageHash),
                ])
            }
            let same = try collect([
                group.record, signing.package_with_request, share(for: right.packageHash),
            ])
            #expect(same.stage == .shares && same.collected.map(\.index) == [member])
        }
    }

    /// A package for the last signer is put together without the mathematics, and whoever answers it spends
    /// the request.
    @Test func `a signed commitment that is no point is in no package, for the last signer neither`() throws {
        for group in GroupVectors.groups {
            guard let signing = group.signing.first(where: { $0.signers.count == 2 }),
                let message = signing.participants[String(signing.signers[0])]?.commitment_message,
                case .commitment(let right) = try read([message])[0]
            else { continue }
            let index = right.nonces.index
            let name = try proposal(group).members[index - 1].name
            let identity: [UInt8] =
                right.scheme == .sr25519
                ? [UInt8](repeating: 0, count: 32) : [1] + [UInt8](repeating: 0, count: 31)
            let noPoint = [UInt8](repeating: 0xff, count: 32)
            for (hiding, binding) in [
                (identity, right.nonces.binding), (right.nonces.hiding, identity),
                (noPoint, right.nonces.binding), (right.nonces.hiding, noPoint),
            ] {
                func message(_ signature: [UInt8]) -> GroupCommitment {
                    GroupCommitment(
                        scheme: right.scheme, request: right.request,
                        nonces: GroupNonces(
                            index: index, hiding: hiding, binding: binding, signature: signature))
                }
                let draft = message([UInt8](repeating: 0, count: 64))
                let wrong = Hex.encode(message(try signed(group, index, draft.signedBytes)).bytes)
                #expect(throws: GroupCollectError.commitment(members: [name])) {
                    try collect([group.record, signing.request, wrong])
                }
            }
            #expect(try collect([group.record, signing.request, message]).output != .nothing)
        }
    }

    @Test func `a confirmation of another transcript or of another key is named, each alone`() throws {
        let (group, other) = (GroupVectors.groups[0], GroupVectors.groups[1])
        guard case .confirmation(let right) = try read([group.confirmations[1]])[0] else { return }
        func confirmation(_ transcript: Hash32, _ key: [UInt8]) throws -> String {
            func message(_ signature: [UInt8]) -> GroupConfirmation {
                GroupConfirmation(
                    scheme: right.scheme, session: right.session, index: right.index, transcript: transcript,
                    groupKey: key,
                    signature: signature)
            }
            let draft = message([UInt8](repeating: 0, count: 64))
            return Hex.encode(message(try signed(group, 2, draft.signedBytes)).bytes)
        }
        let name = try proposal(group).members[1].name
        let all =
            [group.proposal] + group.contributions.map(\.message) + [
                group.confirmations[0], group.confirmations[2],
            ]
        for wrong in try [
            confirmation(.blake2b(of: [1]), right.groupKey),
            confirmation(right.transcript, GroupVectors.bytes(other.group_key)),
        ] {
            #expect(throws: GroupCollectError.confirmation(members: [name])) { try collect(all + [wrong]) }
        }
        #expect(try collect(all + [confirmation(right.transcript, right.groupKey)]).isComplete)
    }

    @Test func `every sentence of the collector names what is wrong`() {
        for error in GroupCollectError.examples {
            #expect(!error.sentence.utf8.isEmpty && !error.code.rawValue.utf8.isEmpty)
        }
    }
}
