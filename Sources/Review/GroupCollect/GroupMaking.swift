import Hashing
import SubstratePrimitives
import Threshold
import UOS

extension GroupHost {
    /// The eight words that people compare, after a check of the card's signature.
    /// - Throws: ``GroupCollectError/hostSignature(kind:members:)``
    public func checkedWords() throws(GroupCollectError) -> [String] {
        guard let key = try? HostPublicKey(member.hostKey), key.verify(signature, message: signedBytes) else {
            throw .hostSignature(kind: PayloadCode.groupHost.kind, members: [member.name])
        }
        return key.fingerprint
    }

    /// Refuses a name that members' vaults would refuse, because it is printed beside the words that people
    /// compare.
    /// - Throws: ``GroupCollectError/memberName(_:_:)``
    public func checkName() throws(GroupCollectError) {
        do throws(ContactLabel.Problem) { try ContactLabel.check(member.name) } catch {
            throw .memberName(member.name, error)
        }
    }
}

extension GroupProposal {
    /// A proposal of a new group, from the members' cards in their order. The cards' signatures are checked;
    /// whose they are, people compare.
    /// - Throws: ``GroupCollectError/hostSignature(kind:members:)``, ``PayloadError/group(_:_:)``
    public static func make(cards: [GroupHost], threshold: Int, scheme: SignatureScheme, label: String) throws
        -> GroupProposal
    {
        for card in cards { _ = try card.checkedWords() }
        do throws(GroupFailure) {
            return try GroupProposal(
                scheme: scheme, threshold: threshold, salt: fresh(16), label: label,
                members: cards.map(\.member))
        } catch {
            throw PayloadError.group(.groupProposal, error)
        }
    }
}

extension GroupProposal {
    /// A proposal to share out a group's key anew, from the cards of the new members in their order.
    /// - Parameters:
    ///   - record: of the group; its signatures are checked here.
    ///   - contributors: names or numbers of its members with commas between them, at least as many as it
    ///     needs for a signature.
    ///   - called: for each member in order, the name here and the names in the proposal that may mean it;
    ///     nil for the names of the proposal.
    ///   - threshold: of the new group.
    /// - Throws: ``GroupCollectError``, ``PayloadError/group(_:_:)``
    public static func make(
        resharing record: UOS.GroupRecord, contributors: String,
        called: [(here: String, proposed: String)]? = nil, cards: [GroupHost], threshold: Int, label: String
    ) throws -> GroupProposal {
        for card in cards { _ = try card.checkedWords() }
        let names = record.proposal.members.map(\.name)
        let indices = try GroupRequest.members(
            named: contributors, among: called?.map(\.here) ?? names, called?.map(\.proposed) ?? names)
        let needed = record.proposal.threshold
        guard indices.count >= needed else {
            throw GroupCollectError.tooFewContributors(named: indices.count, needed: needed)
        }
        let proposal: GroupProposal
        do throws(GroupFailure) {
            proposal = try GroupProposal(
                scheme: record.scheme,
                origin: .reshared(transcript: record.transcript, contributors: GroupMembers(indices)),
                threshold: threshold, salt: fresh(16), label: label, members: cards.map(\.member))
        } catch {
            throw PayloadError.group(.groupProposal, error)
        }
        // What goes out is checked as every member will check it.
        _ = try KeyGeneration(of: proposal, old: record)
        return proposal
    }
}

extension GroupRequest {
    /// A request to sign an ordinary payload with a group.
    /// - Parameters:
    ///   - record: the record; its signatures are checked here
    ///   - signers: names or numbers of members with commas between them, at least as many as the group needs
    ///   - called: for each member in order, the name here and the names in the proposal that may mean it;
    ///     nil for the names of the proposal
    ///   - path: soft junctions to the account that the payload is for
    /// - Throws: ``GroupCollectError``, ``PayloadError/group(_:_:)``
    public static func make(
        _ payload: Payload, record: UOS.GroupRecord, signers: String,
        called: [(here: String, proposed: String)]? = nil, path: String
    )
        throws -> GroupRequest
    {
        let checked = try record.checked()
        let names = record.proposal.members.map(\.name)
        let indices = try members(
            named: signers, among: called?.map(\.here) ?? names, called?.map(\.proposed) ?? names)
        // This number was typed by the person, so the error must not blame a message.
        let needed = record.proposal.threshold
        guard indices.count >= needed else {
            throw GroupCollectError.tooFewSigners(named: indices.count, needed: needed)
        }
        do throws(GroupFailure) { try check(path: path, scheme: record.scheme) } catch {
            throw GroupCollectError.path
        }
        let request: GroupRequest
        do throws(GroupFailure) {
            request = try GroupRequest(
                groupKey: record.groupKey, nonce: fresh(16), signers: GroupMembers(indices), path: path,
                payload: payload)
        } catch .contentAccount {
            throw GroupCollectError.otherAccount
        } catch {
            throw PayloadError.group(.groupRequest, error)
        }
        _ = try request.account(in: checked)
        _ = try request.signedMessage()
        return request
    }
}

extension GroupRequest {
    /// Finds members by their names or numbers. A name may contain commas, so the longest run of parts that
    /// is a name counts as one. A name takes precedence over a number, because people know each other by
    /// name.
    /// - Parameters:
    ///   - called: what the members are called here, in their order.
    ///   - names: what their proposal calls them.
    /// - Returns: their numbers, from 1.
    /// - Throws: ``GroupCollectError/unknownMember(_:)``, ``GroupCollectError/repeatedMember(_:)``, and
    ///   ``GroupCollectError/ambiguousMember(_:)`` for a name with commas whose parts are all names of
    ///   members, and for one that two members have here: a contact's, which the proposal gives to another
    static func members(named text: String, among called: [String], _ names: [String])
        throws(GroupCollectError) -> [Int]
    {
        // Nobody: whoever makes the request says that it names too few.
        guard text.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { return [] }
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        var found: [Int] = []
        var start = parts.startIndex
        while start < parts.endIndex {
            func run(from start: Int, to end: Int) -> String {
                let bytes = Array(parts[start..<end].joined(separator: [UInt8(ascii: ",")]))
                let blank = UInt8(ascii: " ")
                let trimmed = bytes.drop { $0 == blank }.reversed().drop { $0 == blank }.reversed()
                return String(decoding: Array(trimmed), as: UTF8.self)
            }
            func run(to end: Int) -> String { run(from: start, to: end) }
            func named(_ text: String) -> Int? {
                called.firstIndex { $0.utf8Equals(text) } ?? names.firstIndex { $0.utf8Equals(text) }
            }
            let ends = stride(from: parts.endIndex, to: start, by: -1)
            if let end = ends.first(where: { named(run(to: $0)) != nil }), let index = named(run(to: end)) {
                let isList =
                    end > start + 1 && (start..<end).allSatisfy { named(run(from: $0, to: $0 + 1)) != nil }
                let holders = called.filter { $0.utf8Equals(run(to: end)) }
                guard !isList, holders.count < 2 else { throw .ambiguousMember(run(to: end)) }
                found.append(index + 1)
                start = end
            } else if let number = Int(run(to: start + 1)), names.indices.contains(number - 1) {
                found.append(number)
                start += 1
            } else {
                throw .unknownMember(run(to: start + 1))
            }
        }
        for (offset, member) in found.enumerated() where found[..<offset].contains(member) {
            throw .repeatedMember(called[member - 1])
        }
        return found
    }
}

/// From the system's random source. What it makes different is not a secret.
private func fresh(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
}
