import Hashing
import SubstratePrimitives
import Threshold
import UOS

extension GroupHost {
    /// The eight words that people compare, of a card whose own signature is right.
    /// - Throws: ``GroupCollectError/hostSignature(kind:members:)``
    public func checkedWords() throws(GroupCollectError) -> [String] {
        guard let key = try? HostPublicKey(member.hostKey), key.verify(signature, message: signedBytes) else {
            throw .hostSignature(kind: PayloadCode.groupHost.kind, members: [member.name])
        }
        return key.fingerprint
    }
}

extension GroupProposal {
    /// A proposal of a new group, from the members' cards in their order. The cards' signatures are checked; whose they are, people compare.
    /// - Throws: ``GroupCollectError/hostSignature(kind:members:)``, ``PayloadError/group(_:_:)``
    public static func make(cards: [GroupHost], threshold: Int, scheme: SignatureScheme, label: String) throws -> GroupProposal {
        for card in cards { _ = try card.checkedWords() }
        do throws(GroupFailure) {
            return try GroupProposal(
                scheme: scheme, threshold: threshold, salt: fresh(16), label: label, members: cards.map(\.member))
        } catch {
            throw PayloadError.group(.groupProposal, error)
        }
    }
}

extension GroupRequest {
    /// A request to sign an ordinary payload with a group.
    /// - Parameters:
    ///   - record: whose signatures are checked here
    ///   - signers: names of the proposal, at least as many as the group needs
    ///   - path: soft junctions to the account that the payload is for
    /// - Throws: ``GroupCollectError``, ``PayloadError/group(_:_:)``
    public static func make(_ payload: Payload, record: UOS.GroupRecord, signers: [String], path: String) throws -> GroupRequest {
        let checked = try record.checked()
        var indices: [Int] = []
        for name in signers {
            guard let index = record.proposal.members.firstIndex(where: { $0.name.utf8Equals(name) }) else {
                throw GroupCollectError.unknownMember(name)
            }
            indices.append(index + 1)
        }
        let request: GroupRequest
        do throws(GroupFailure) {
            request = try GroupRequest(
                groupKey: record.groupKey, nonce: fresh(16), signers: GroupMembers(indices), path: path, payload: payload)
        } catch .contentAccount {
            throw GroupCollectError.otherAccount
        } catch {
            throw PayloadError.group(.groupRequest, error)
        }
        guard request.signers.count >= record.proposal.threshold else { throw GroupCollectError.signers }
        _ = try request.account(in: checked)
        _ = try request.signedMessage()
        return request
    }
}

/// From the system's random source. What it makes different is no secret.
private func fresh(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
}
