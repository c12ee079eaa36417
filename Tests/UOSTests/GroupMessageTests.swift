import Hashing
import RaptorQ
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@Suite struct GroupMessageLaws {
    private func proposal(_ group: GroupVectors.Group) throws -> GroupProposal {
        guard case .proposal(let proposal) = try GroupVectors.message(group.proposal) else {
            throw GroupVectors.NotAGroupMessage()
        }
        return proposal
    }

    @Test func `every message of the vectors is read and written back byte for byte`() throws {
        var codes: [PayloadCode: Int] = [:]
        for group in GroupVectors.all {
            for hex in group.messages {
                let bytes = GroupVectors.bytes(hex)
                let payload = try Payload(bytes)
                guard case .group(let message) = payload.content else {
                    throw GroupVectors.NotAGroupMessage()
                }
                #expect(
                    message.bytes == bytes && payload.content.encoded() == bytes
                        && message.code == payload.prelude.code)
                #expect(payload.prelude.code.kind.utf8Starts(with: "group_"))
                codes[payload.prelude.code, default: 0] += 1
            }
        }
        #expect(codes.count == 10 && codes[.groupShare]! >= 13)
    }

    @Test func `the fields of key generation are those of the vectors`() throws {
        for group in GroupVectors.all {
            let proposal = try proposal(group)
            #expect(
                proposal.session.hex == group.session_id && proposal.threshold == group.t
                    && proposal.members.count == group.n)
            #expect(proposal.members.map { Hex.encode($0.hostKey) } == group.host_public_keys)
            #expect(
                proposal.scheme.name.utf8Equals(group.scheme)
                    && proposal.contributors == group.contributions.map(\.index))
            let contributions = try group.contributions.map { vector -> GroupContribution in
                guard case .contribution(let read) = try GroupVectors.message(vector.message) else {
                    throw GroupVectors.NotAGroupMessage()
                }
                let parts = try read.parts(in: proposal)
                let written = GroupContribution(
                    to: proposal, index: vector.index, ephemeral: read.ephemeral, parts: parts,
                    signature: read.signature)
                #expect(
                    written.bytes == GroupVectors.bytes(vector.message)
                        && written.signedBytes + written.signature == written.bytes)
                #expect(
                    parts.commitments.count == group.t && parts.shares.count == group.n
                        && parts.proof.count == 64)
                return read
            }
            let bundle = try GroupContributions(contributions.reversed(), to: proposal)
            #expect(
                Hex.encode(bundle.bytes) == group.contributions_bundle
                    && bundle.hash.hex == group.contributions_hash)
            guard case .record(let record) = try GroupVectors.message(group.record) else {
                throw GroupVectors.NotAGroupMessage()
            }
            #expect(
                record.commitments.map { Hex.encode($0) } == group.commitments
                    && Hex.encode(record.groupKey) == group.group_key)
            #expect(
                record.transcript.hex == group.transcript
                    && record.contributionsHash.hex == group.contributions_hash)
            // What the signatures of the record cover are the confirmations themselves.
            #expect(record.confirmations.map { Hex.encode($0.bytes) } == group.confirmations)
        }
    }

    @Test func `the fields of signing are those of the vectors`() throws {
        for group in GroupVectors.all {
            for signing in group.signing {
                guard case .request(let request) = try GroupVectors.message(signing.request),
                    case .package(let package) = try GroupVectors.message(signing.package),
                    case .package(let whole) = try GroupVectors.message(signing.package_with_request)
                else { throw GroupVectors.NotAGroupMessage() }
                #expect(request.id.hex == signing.request_id && request.signers.indices == signing.signers)
                #expect(
                    request.path.utf8Equals(signing.path) && Hex.encode(request.account) == signing.account)
                #expect(
                    Hex.encode(request.groupKey) == group.group_key
                        && Hex.encode(request.nonce) == signing.request_nonce)
                let made = try GroupRequest(
                    groupKey: request.groupKey, nonce: request.nonce, signers: GroupMembers(signing.signers),
                    path: signing.path,
                    payload: Payload(GroupVectors.bytes(signing.inner_payload)))
                #expect(Hex.encode(made.bytes) == signing.request)
                #expect(
                    package.request == nil && whole.request == request
                        && package.hash.hex == signing.package_hash)
                let again = try GroupPackage(
                    scheme: request.scheme, requestID: request.id, entries: package.entries.reversed(),
                    request: request)
                #expect(Hex.encode(again.bytes) == signing.package_with_request)
                for (index, participant) in signing.participants {
                    guard case .share(let share) = try GroupVectors.message(participant.share_message) else {
                        throw GroupVectors.NotAGroupMessage()
                    }
                    #expect(
                        share.nonces.index == Int(index) && share.packageHash == package.hash
                            && share.request == request.id)
                    #expect(
                        package.entries.contains(share.nonces)
                            && share.signedBytes + share.signature == share.bytes)
                    // Round one of the last signer is in its answer alone.
                    if let round = participant.commitment_message {
                        #expect(Hex.encode(share.commitment.bytes) == round)
                    }
                    #expect(package.commitments.contains(share.commitment))
                }
            }
        }
    }

    @Test func `every proper prefix of every message is refused, and so is a byte behind its end`() throws {
        let proposals = try GroupVectors.all.map { try proposal($0) }
        for hex in try #require(GroupVectors.groups.first).messages
            + GroupVectors.all[2...].flatMap(\.messages)
        {
            let bytes = GroupVectors.bytes(hex)
            for length in 0..<bytes.count {
                // A contribution says neither t nor n: one that is shorter by whole values reads, and does
                // not fit its proposal.
                if case .group(.contribution(let shorter))? = try? Payload(Array(bytes[..<length])).content {
                    #expect((bytes.count - length).isMultiple(of: 32))
                    #expect(proposals.allSatisfy { (try? shorter.parts(in: $0)) == nil })
                } else {
                    let isBundle = bytes[2] == PayloadCode.groupContributions.rawValue
                    guard isBundle,
                        case .group(.contributions(let shorter))? = try? Payload(Array(bytes[..<length]))
                            .content
                    else {
                        let error = #expect(throws: PayloadError.self) {
                            try Payload(Array(bytes[..<length]))
                        }
                        switch error {
                        case .tooShort(let found)?: #expect(found < 3 && found <= length)
                        case .malformed(_, let error)?:
                            #expect(length >= 3 && error.saysCut, "\(length) bytes: \(error)")
                        // Entries of contributions end where the message does.
                        case .group(_, .entryLength)?, .group(.groupContributions, .index)?:
                            #expect(isBundle || bytes[2] == PayloadCode.groupContribution.rawValue)
                        case let other: Issue.record("\(length) bytes: \(other.map { "\($0)" } ?? "read")")
                        }
                        continue
                    }
                    #expect(proposals.allSatisfy { (try? shorter.check(against: $0)) == nil })
                }
            }
            // The payload inside a request ends with it, so what follows makes the length wrong.
            let longer = #expect(throws: PayloadError.self) { try Payload(bytes + [0]) }
            switch longer {
            case .malformed(_, let error)?: #expect(error.reason == .leftover(count: 1))
            case .group(let code, .entryLength)?:
                #expect([.groupContribution, .groupContributions].contains(code))
            case .group(_, .tooLong(let count, let maximum))?: #expect(count == maximum + 1)
            case .reservedTail(let count)?: #expect(count == 1)
            case let other: Issue.record("\(other.map { "\($0)" } ?? "read")")
            }
        }
    }

    @Test func `a flipped bit is refused or read as another message`() throws {
        for group in [GroupVectors.groups[0], GroupVectors.groups[2], GroupVectors.reshared[0]] {
            for hex in group.host_cards.prefix(1) + [
                group.proposal, group.contributions[0].message, group.contributions_bundle,
                group.confirmations[0], group.record,
            ] + group.signing[0].messages {
                let bytes = GroupVectors.bytes(hex)
                let whole = try Payload(bytes)
                for bit in 0..<(8 * bytes.count) {
                    var flipped = bytes
                    flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                    guard let read = try? Payload(flipped) else { continue }
                    #expect(
                        read.content != whole.content
                            && read.content.encoded(prelude: read.prelude) == flipped, "bit \(bit)")
                }
            }
        }
    }

    /// Offsets count from the start of the message.
    private func changed(_ hex: String, _ offset: Int, to byte: UInt8) -> [UInt8] {
        var bytes = GroupVectors.bytes(hex)
        bytes[offset] = byte
        return bytes
    }

    @Test func `the version is 1, and the scheme that of the message`() {
        let group = GroupVectors.groups[0]
        for hex in group.messages {
            let bytes = GroupVectors.bytes(hex)
            let code = PayloadCode(rawValue: bytes[2])!
            #expect(throws: PayloadError.group(code, .version(0))) { try Payload(changed(hex, 3, to: 0)) }
            #expect(throws: PayloadError.group(code, .version(2))) { try Payload(changed(hex, 3, to: 2)) }
            #expect(throws: PayloadError.group(code, .scheme(.ecdsa))) { try Payload(changed(hex, 1, to: 2)) }
            let other: SignatureScheme? = code == .groupHost ? .sr25519 : nil
            #expect(throws: PayloadError.group(code, .scheme(other))) {
                try Payload(changed(hex, 1, to: code == .groupHost ? 1 : 0xff))
            }
        }
        // Not the scheme of what the message holds.
        #expect(throws: PayloadError.group(.groupRecord, .contentScheme(.sr25519))) {
            try Payload(changed(group.record, 1, to: 0))
        }
        #expect(throws: PayloadError.group(.groupRequest, .contentScheme(.sr25519))) {
            try Payload(changed(group.signing[0].request, 1, to: 0))
        }
        #expect(throws: PayloadError.group(.groupPackage, .requestDiffers)) {
            try Payload(changed(group.signing[0].package_with_request, 1, to: 0))
        }
    }

    @Test func `a message that is longer than any of its code is refused before its fields`() {
        let group = GroupVectors.groups[0]
        for (hex, maximum) in [
            (group.host_cards[0], 125), (group.proposal, 1032), (group.contributions[0].message, 1221),
            (group.contributions_bundle, 18_997), (group.confirmations[0], 165), (group.record, 3600),
            (group.signing[0].participants["1"]!.commitment_message!, 165),
            (group.signing[0].participants["1"]!.share_message, 293),
        ] {
            // A wrong version would be the next complaint.
            let bytes = changed(hex, 3, to: 9)
            let code = PayloadCode(rawValue: bytes[2])!
            let fill = [UInt8](repeating: 0, count: maximum - bytes.count)
            #expect(throws: PayloadError.group(code, .version(9))) { try Payload(bytes + fill) }
            #expect(throws: PayloadError.group(code, .tooLong(bytes: maximum + 1, maximum: maximum))) {
                try Payload(bytes + fill + [0])
            }
        }
    }

    private func member(_ name: String, _ byte: UInt8) -> GroupMember {
        GroupMember(name: name, hostKey: [UInt8](repeating: byte, count: 32))
    }

    private func make(
        _ threshold: Int, _ members: [GroupMember], label: String = "", scheme: SignatureScheme = .sr25519,
        origin: GroupProposal.Origin = .new
    ) throws -> GroupProposal {
        try GroupProposal(
            scheme: scheme, origin: origin, threshold: threshold, salt: [UInt8](repeating: 9, count: 16),
            label: label, members: members)
    }

    /// Written out by hand.
    @Test func `a proposal is encoded as documented`() throws {
        let proposal = try make(2, [member("Ana", 1), member("Bo", 2)], label: "Cold")
        let fields: [[UInt8]] = [
            [0x53, 1, 0xb1, 1, 0, 2, 2], [UInt8](repeating: 9, count: 16), [4], Array("Cold".utf8), [3],
            Array("Ana".utf8),
            [UInt8](repeating: 1, count: 32), [2], Array("Bo".utf8), [UInt8](repeating: 2, count: 32),
        ]
        #expect(proposal.bytes == fields.flatMap { $0 })
        let hash = SHA512.hash(
            Array("HELIOGRAPH-GROUP-v1".utf8) + [7] + Array("session".utf8) + proposal.bytes)
        #expect(proposal.session.bytes == Array(hash.prefix(32)))
        let dealt = try make(
            2, proposal.members,
            origin: .dealt(
                dealer: [UInt8](repeating: 5, count: 32), publicKey: [UInt8](repeating: 6, count: 32)))
        #expect(
            dealt.bytes.suffix(64) == [UInt8](repeating: 5, count: 32) + [UInt8](repeating: 6, count: 32)
                && dealt.bytes[4] == 1)
        #expect(try Payload(dealt.bytes).content == .group(.proposal(dealt)))
    }

    @Test func `groups that cannot be are refused, in memory and on the wire`() throws {
        let members = (1...17).map { member("m\($0)", UInt8($0)) }
        for (threshold, count) in [(1, 2), (0, 2), (3, 2), (2, 1), (2, 17), (17, 16)] {
            #expect(throws: GroupFailure.threshold(threshold, members: count)) {
                try make(threshold, Array(members.prefix(count)))
            }
        }
        #expect(
            try make(16, Array(members.prefix(16))).bytes.count == 24
                + (1...16).reduce(0) { $0 + 33 + "m\($1)".utf8.count })
        #expect(throws: GroupFailure.sameName(1, 3)) {
            try make(2, [member("a", 1), member("b", 2), member("a", 3)])
        }
        #expect(throws: GroupFailure.sameKey(2, 3)) {
            try make(2, [member("a", 1), member("b", 2), member("c", 2)])
        }
        #expect(throws: GroupFailure.nameLength(0)) { try make(2, [member("a", 1), member("", 2)]) }
        #expect(throws: GroupFailure.nameLength(25)) {
            try make(2, [member("a", 1), member(String(repeating: "x", count: 25), 2)])
        }
        #expect(throws: GroupFailure.unprintable("name")) {
            try make(2, [member("a", 1), member("b\u{202e}", 2)])
        }
        #expect(throws: GroupFailure.labelLength(33)) {
            try make(2, Array(members.prefix(2)), label: String(repeating: "x", count: 33))
        }
        #expect(throws: GroupFailure.unprintable("label")) {
            try make(2, Array(members.prefix(2)), label: "a\n")
        }
        #expect(throws: GroupFailure.scheme(.ecdsa)) { try make(2, Array(members.prefix(2)), scheme: .ecdsa) }

        let wire = try make(2, [member("Ana", 1), member("Bob", 2)]).bytes
        func refused(_ failure: GroupFailure, _ change: (inout [UInt8]) -> Void) {
            var bytes = wire
            change(&bytes)
            #expect(throws: PayloadError.group(.groupProposal, failure)) { try Payload(bytes) }
        }
        refused(.kind(3)) { $0[4] = 3 }
        refused(.threshold(1, members: 2)) { $0[5] = 1 }
        refused(.threshold(3, members: 2)) { $0[5] = 3 }
        refused(.threshold(2, members: 255)) { $0[6] = 255 }
        refused(.labelLength(33)) { $0[23] = 33 }
        refused(.nameLength(0)) { $0[24] = 0 }
        refused(.nameLength(25)) { $0[24] = 25 }
        refused(.unprintable("name")) { $0[25] = 0x1b }
        refused(.unprintable("name")) { $0[25] = 0xff }
        refused(.sameName(1, 2)) { $0.replaceSubrange(61..<64, with: Array("Ana".utf8)) }
        refused(.sameKey(1, 2)) { $0.replaceSubrange(64..<96, with: [UInt8](repeating: 1, count: 32)) }
    }

    /// Written out by hand: nothing of the old group but its hash and who contributes.
    @Test func `a proposal to reshare a key ends with the old transcript and its contributors`() throws {
        let transcript = Hash32([UInt8](repeating: 7, count: 32))!
        func make(_ contributors: GroupMembers) throws -> GroupProposal {
            try self.make(
                2, [member("Ana", 1), member("Bo", 2)],
                origin: .reshared(transcript: transcript, contributors: contributors))
        }
        let proposal = try make(GroupMembers([1, 3, 16]))
        #expect(proposal.bytes[4] == 2 && proposal.bytes.suffix(34) == transcript.bytes + [0x05, 0x80])
        #expect(proposal.contributors == [1, 3, 16] && proposal.oldTranscript == transcript)
        #expect(try Payload(proposal.bytes).content == .group(.proposal(proposal)))
        for contributors in [GroupMembers(bitmap: 0), GroupMembers([4])] {
            #expect(throws: GroupFailure.contributors(contributors.count)) { try make(contributors) }
            let tail = [UInt8(contributors.bitmap & 0xff), UInt8(contributors.bitmap >> 8)]
            #expect(throws: PayloadError.group(.groupProposal, .contributors(contributors.count))) {
                try Payload(proposal.bytes.dropLast(2) + tail)
            }
        }
        let vector = try #require(GroupVectors.reshared.first)
        #expect(
            try self.proposal(vector).origin
                == .reshared(
                    transcript: Hash32(GroupVectors.bytes(GroupVectors.groups[0].transcript))!,
                    contributors: GroupMembers([1, 3])))
    }

    @Test func `members' numbers are bounded, ascend and stand once`() throws {
        let group = GroupVectors.groups[0]
        let one = group.contributions[0].message
        #expect(throws: PayloadError.group(.groupContribution, .index(17))) {
            try Payload(changed(one, 36, to: 17))
        }
        #expect(throws: PayloadError.group(.groupConfirmation, .index(0))) {
            try Payload(changed(group.confirmations[0], 36, to: 0))
        }
        let round = group.signing[0].participants["1"]!
        #expect(throws: PayloadError.group(.groupCommitment, .index(0))) {
            try Payload(changed(round.commitment_message!, 36, to: 0))
        }
        #expect(throws: PayloadError.group(.groupShare, .index(17))) {
            try Payload(changed(round.share_message, 36, to: 17))
        }
        let bundle = group.contributions_bundle
        let entry = 161 + 32 * (group.t + group.n)
        for (byte, failure) in [(1 as UInt8, GroupFailure.order), (0, .order), (3, .order), (17, .index(17))]
        {
            #expect(throws: PayloadError.group(.groupContributions, failure)) {
                try Payload(changed(bundle, 37 + entry, to: byte))
            }
        }
        #expect(throws: PayloadError.group(.groupContributions, .index(0))) {
            try Payload(changed(bundle, 37, to: 0))
        }
        #expect(throws: PayloadError.group(.groupContributions, .count(0))) {
            try Payload(changed(bundle, 36, to: 0))
        }
        #expect(throws: PayloadError.group(.groupContributions, .count(17))) {
            try Payload(changed(bundle, 36, to: 17))
        }
        // A dealer contributes alone.
        let dealt = try #require(
            GroupVectors.groups.first {
                $0.kind.utf8.elementsEqual("dealt".utf8) || $0.contributions.count == 1
            })
        #expect(throws: PayloadError.group(.groupContributions, .index(1))) {
            try Payload(changed(dealt.contributions_bundle, 37, to: 1))
        }
    }

    @Test func `contributions of another proposal, another size or another number are refused`() throws {
        let (first, second) = (GroupVectors.groups[0], GroupVectors.groups[1])
        let proposal = try proposal(first)
        func read(_ hex: String) throws -> GroupContribution {
            guard case .contribution(let read) = try GroupVectors.message(hex) else {
                throw GroupVectors.NotAGroupMessage()
            }
            return read
        }
        let own = try first.contributions.map { try read($0.message) }
        let other = try read(second.contributions[0].message)
        #expect(throws: GroupFailure.otherProposal) { try other.parts(in: proposal) }
        #expect(throws: GroupFailure.count(2)) { try GroupContributions(Array(own.dropLast()), to: proposal) }
        #expect(throws: GroupFailure.count(4)) { try GroupContributions(own + [own[0]], to: proposal) }
        #expect(throws: GroupFailure.otherProposal) {
            try GroupContributions(own.dropLast() + [other], to: proposal)
        }
        // One coefficient more or fewer than t: the threshold cannot be raised by a contribution.
        let parts = try own[0].parts(in: proposal)
        for commitments in [parts.commitments + [parts.commitments[0]], [parts.commitments[0]]] {
            let changed = GroupContribution(
                to: proposal, index: 1, ephemeral: own[0].ephemeral,
                parts: .init(commitments: commitments, proof: parts.proof, shares: parts.shares),
                signature: own[0].signature)
            #expect(throws: GroupFailure.entryLength(bytes: 32 * (commitments.count + 2 + 3))) {
                try changed.parts(in: proposal)
            }
        }
        let four = GroupContribution(
            to: proposal, index: 4, ephemeral: own[0].ephemeral, parts: parts, signature: own[0].signature)
        #expect(throws: GroupFailure.index(4)) { try four.parts(in: proposal) }
    }

    @Test func `a request holds a transaction or a message of the group's account`() throws {
        let signing = GroupVectors.groups[0].signing[0]
        guard case .request(let request) = try GroupVectors.message(signing.request) else {
            throw GroupVectors.NotAGroupMessage()
        }
        func made(
            _ payload: Payload, path: String = "", signers: GroupMembers = GroupMembers([1, 2])
        ) throws(GroupFailure) -> GroupRequest {
            try GroupRequest(
                groupKey: request.groupKey, nonce: request.nonce, signers: signers, path: path,
                payload: payload)
        }
        for path in [
            "/", "x", "//hard", "/a//b", "/a/", "/a///p", "/a\u{202e}",
            "/" + String(repeating: "x", count: 64),
        ] {
            #expect(throws: GroupFailure.path) { try made(request.payload, path: path) }
        }
        #expect(
            try made(request.payload, path: "/" + String(repeating: "x", count: 63)).path.utf8.count == 64)
        #expect(throws: GroupFailure.signers(1)) { try made(request.payload, signers: GroupMembers([4])) }
        #expect(throws: GroupFailure.contentAccount) {
            try GroupRequest(
                groupKey: [UInt8](repeating: 7, count: 32), nonce: request.nonce, signers: request.signers,
                path: "",
                payload: request.payload)
        }
        let key = PublicKey(scheme: .ed25519, bytes: request.groupKey)!
        let ed25519 = try Payload(
            Payload.Content.message(MessagePayload(signer: .key(key), content: [1], genesisHash: nil))
                .encoded())
        #expect(try made(ed25519).scheme == .ed25519)
        #expect(throws: GroupFailure.pathOfScheme) { try made(ed25519, path: "/a") }
        #expect(throws: GroupFailure.content(.groupRequest)) { try made(Payload(request.bytes)) }
        // What stands around a transaction is not left out without a word, whatever it is worth.
        #expect(throws: GroupFailure.content(.claimedFacts)) {
            try made(Payload(ClaimedFacts().around(request.payload)))
        }
        let proof = StateEnvelope(header: [], items: [], nodes: [[1, 2, 3]])
        #expect(throws: GroupFailure.content(.stateProof)) {
            try made(Payload(proof.around(request.payload)))
        }
        let (word, reveal) = (request.groupKey, GuardReveal(request.groupKey, point: request.groupKey))
        for (round, code) in [
            (GuardRound.commitment(word), PayloadCode.guardCommitment), (.reveal(reveal), .guardReveal),
        ] {
            #expect(throws: GroupFailure.content(code)) { try made(Payload(round.around(request.payload))) }
        }
        let bulk = try Payload(Payload.Content.bulk([request.payload]).encoded())
        #expect(throws: GroupFailure.content(.bulk)) { try made(bulk) }

        // On the wire, where a sender can write what the initialiser refuses.
        let bytes = GroupVectors.bytes(signing.request)
        func refused(_ failure: GroupFailure, _ change: (inout [UInt8]) -> Void) {
            var bytes = bytes
            change(&bytes)
            #expect(throws: PayloadError.group(.groupRequest, failure)) { try Payload(bytes) }
        }
        for code: PayloadCode in [
            .bulk, .derivedTransaction, .derivedTransactionWithProof, .claimedFacts, .stateProof,
            .groupRequest,
            .loadMetadata,
        ] {
            refused(.content(code)) { $0[61] = code.rawValue }
        }
        refused(.contentScheme(.ed25519)) { $0[60] = 0 }
        refused(.contentAccount) { $0[62] ^= 1 }
        refused(.signers(1)) { $0[52] = 4 }
        refused(.signers(0)) { $0[52] = 0 }
        refused(.path) { $0[54] = 65 }
    }

    @Test func `a package names its request, and has an entry or more of its signers`() throws {
        let signing = GroupVectors.groups[0].signing[0]
        guard case .package(let package) = try GroupVectors.message(signing.package_with_request),
            let request = package.request
        else {
            throw GroupVectors.NotAGroupMessage()
        }
        let stranger = GroupNonces(
            index: 2, hiding: package.entries[0].hiding, binding: package.entries[0].binding,
            signature: package.entries[0].signature)
        #expect(throws: GroupFailure.notASigner(2)) {
            try GroupPackage(scheme: .sr25519, requestID: request.id, entries: [stranger], request: request)
        }
        #expect(throws: GroupFailure.order) {
            try GroupPackage(
                scheme: .sr25519, requestID: request.id, entries: [stranger, stranger], request: nil)
        }
        #expect(throws: GroupFailure.count(0)) {
            try GroupPackage(scheme: .sr25519, requestID: request.id, entries: [], request: nil)
        }
        #expect(throws: GroupFailure.requestDiffers) {
            try GroupPackage(
                scheme: .sr25519, requestID: Hash32([UInt8](repeating: 1, count: 32))!,
                entries: package.entries, request: request)
        }
        var bytes = GroupVectors.bytes(signing.package)
        // No entries: what follows is read as a request.
        bytes[36] = 0
        let error = #expect(throws: PayloadError.self) { try Payload(bytes) }
        guard case .malformed("group_package", let reason)? = error, reason.saysCut else {
            Issue.record("\(error.map { "\($0)" } ?? "read")")
            return
        }
    }

    @Test func `members are bits`() {
        #expect(GroupMembers([1, 3, 16]).bitmap == 0b1000_0000_0000_0101)
        #expect(GroupMembers(bitmap: 0b1000_0000_0000_0101).indices == [1, 3, 16])
        #expect(
            !GroupMembers([1]).contains(0) && !GroupMembers([1]).contains(17)
                && GroupMembers([16]).contains(16))
        #expect(
            GroupMembers([1, 2]).isSubset(of: GroupMembers([1, 2, 3]))
                && !GroupMembers([1, 4]).isSubset(of: GroupMembers([1, 2, 3])))
    }

    @Test func `messages above one code travel as RaptorQ frames`() throws {
        let bytes = GroupVectors.bytes(
            try #require(GroupVectors.groups.first { $0.n == 5 }).contributions_bundle)
        #expect(bytes.count == 2122)
        var assembler = PayloadAssembler()
        for frame in try RaptorQFrames.frames(of: bytes) { _ = try assembler.add(frame) }
        #expect(try assembler.finish().content == .payload(bytes))
    }

    @Test func `no message of a group is one of a bulk, and none has claims`() throws {
        let bytes = GroupVectors.bytes(GroupVectors.groups[0].signing[0].request)
        let bulk = try Payload.Content.bulk([Payload(bytes)]).encoded()
        #expect(throws: PayloadError.notSignable(.groupRequest)) { try Payload(bulk) }
        #expect(throws: PayloadError.notClaimable(.groupRequest)) {
            try ClaimedFacts().around(Payload(bytes))
        }
    }
}
