import SubstratePrimitives
import UOS

extension Generator {
    private mutating func fill(_ count: Int) -> [UInt8] { bytes(count) }

    private mutating func points(_ count: Int) -> [[UInt8]] { (0..<count).map { _ in fill(32) } }

    private mutating func groupScheme() -> SignatureScheme { Bool.random(using: &self) ? .sr25519 : .ed25519 }

    private mutating func memberName(_ number: Int) -> String {
        "m\(number)" + ["", " Ž", "-x", "ю"].randomElement(using: &self)!
    }

    mutating func proposal() -> GroupProposal {
        let members = (1...Int.random(in: 2...16, using: &self)).map {
            GroupMember(name: memberName($0), hostKey: fill(32))
        }
        let origin: GroupProposal.Origin =
            switch Int.random(in: 0...2, using: &self) {
            case 0: .new
            case 1: .dealt(dealer: fill(32), publicKey: fill(32))
            default:
                .reshared(transcript: hash(), contributors: GroupMembers(bitmap: 0b11 | signers().bitmap))
            }
        return try! GroupProposal(
            scheme: groupScheme(), origin: origin, threshold: Int.random(in: 2...members.count, using: &self),
            salt: fill(16),
            label: ["", "Cold", String(repeating: "x", count: 32)].randomElement(using: &self)!,
            members: members)
    }

    private mutating func contribution(to proposal: GroupProposal, _ index: Int) -> GroupContribution {
        GroupContribution(
            to: proposal, index: index, ephemeral: fill(32),
            parts: .init(
                commitments: points(proposal.threshold), proof: fill(64),
                shares: points(proposal.members.count)),
            signature: fill(64))
    }

    private mutating func groupRequest() -> GroupRequest {
        let scheme = groupScheme()
        let key = PublicKey(scheme: scheme, bytes: fill(32))!
        let content: Payload.Content =
            Bool.random(using: &self)
            ? .message(
                MessagePayload(
                    signer: .key(key), content: fill(20),
                    genesisHash: Bool.random(using: &self) ? hash() : nil))
            : .transaction(
                TransactionPayload(
                    signer: .key(key), proof: Bool.random(using: &self) ? fill(9) : nil, call: fill(30),
                    extensions: fill(8),
                    genesisHash: hash()))
        let path = scheme == .sr25519 && Bool.random(using: &self) ? "/polkadot/7" : ""
        return try! GroupRequest(
            groupKey: path.utf8.isEmpty ? key.bytes : fill(32), nonce: fill(16),
            signers: GroupMembers(bitmap: 0b11 | signers().bitmap),
            path: path, payload: Payload(content.encoded()))
    }

    private mutating func signers() -> GroupMembers {
        GroupMembers(bitmap: UInt16.random(in: 1...UInt16.max, using: &self))
    }

    private mutating func nonces(_ index: Int) -> GroupNonces {
        GroupNonces(index: index, hiding: fill(32), binding: fill(32), signature: fill(64))
    }

    /// nil for a code of something else.
    mutating func group(_ code: PayloadCode) -> GroupMessage? {
        let index = Int.random(in: 1...16, using: &self)
        let scheme = groupScheme()
        switch code {
        case .groupHost:
            return .host(GroupHost(GroupMember(name: memberName(1), hostKey: fill(32)), signature: fill(64)))
        case .groupProposal: return .proposal(proposal())
        case .groupContribution:
            let proposal = proposal()
            return .contribution(
                contribution(to: proposal, proposal.contributors.randomElement(using: &self)!))
        case .groupContributions:
            let proposal = proposal()
            let all = proposal.contributors.map { contribution(to: proposal, $0) }
            return .contributions(try! GroupContributions(all, to: proposal))
        case .groupConfirmation:
            return .confirmation(
                GroupConfirmation(
                    scheme: scheme, session: hash(), index: index, transcript: hash(), groupKey: fill(32),
                    signature: fill(64)))
        case .groupRecord:
            let proposal = proposal()
            return .record(
                try! GroupRecord(
                    proposal: proposal, contributionsHash: hash(), commitments: points(proposal.threshold),
                    ephemerals: points(proposal.contributors.count), shares: points(proposal.members.count),
                    signatures: proposal.members.map { _ in fill(64) }))
        case .groupRequest: return .request(groupRequest())
        case .groupCommitment:
            return .commitment(GroupCommitment(scheme: scheme, request: hash(), nonces: nonces(index)))
        case .groupPackage:
            guard Bool.random(using: &self) else {
                let entries = signers().indices.map { nonces($0) }
                return .package(
                    try! GroupPackage(scheme: scheme, requestID: hash(), entries: entries, request: nil))
            }
            let request = groupRequest()
            let entries = request.signers.indices.map { nonces($0) }
            return .package(
                try! GroupPackage(
                    scheme: request.scheme, requestID: request.id, entries: entries, request: request))
        case .groupShare:
            return .share(
                GroupShare(
                    scheme: scheme, request: hash(), nonces: nonces(index), packageHash: hash(),
                    share: fill(32), signature: fill(64)))
        default: return nil
        }
    }
}
