import Cards
import Hashing
import Keys
import SubstratePrimitives
import UOS

/// What a message of a threshold group says, as cards: one card for each fact, below the name of the message.
/// Every message shows its own hash, so different messages have different cards. The cards repeat what the
/// sender says, unverified.
extension GroupMessage {
    /// The cards of the message's own fields.
    public var cards: [Card] {
        var facts = GroupFacts()
        switch self {
        case .host(let host): facts.add(host.member, as: "member")
        case .proposal(let proposal): facts.add(proposal)
        case .contribution(let contribution):
            facts.add(session: contribution.session)
            facts.add(index: contribution.index)
        case .contributions(let bundle):
            facts.add(session: bundle.session)
            facts.add("members", text: bundle.contributions.map { String($0.index) }.joined(separator: ", "))
            facts.add(hash: bundle.hash, as: "contributions_hash")
        case .confirmation(let confirmation):
            facts.add(session: confirmation.session)
            facts.add(index: confirmation.index)
            facts.add(hash: confirmation.transcript, as: "transcript")
            facts.add(key: confirmation.groupKey, as: "group_key", confirmation.scheme)
        case .record(let record):
            facts.add(record.proposal)
            facts.add(key: record.groupKey, as: "group_key", record.scheme)
            facts.add(hash: record.transcript, as: "transcript")
        case .request(let request): facts.add(request)
        case .commitment(let commitment):
            facts.add(request: commitment.request)
            facts.add(index: commitment.nonces.index)
        case .package(let package):
            if let request = package.request {
                facts.add(request)
            } else {
                facts.add(request: package.requestID)
            }
            facts.add(
                "commitments_of", text: package.signers.indices.map(String.init).joined(separator: ", "))
            facts.add(hash: package.hash, as: "package_hash")
        case .share(let share):
            facts.add(request: share.request)
            facts.add(index: share.nonces.index)
            facts.add(hash: share.packageHash, as: "package_hash")
        }
        facts.add(hash: Hash32.blake2b(of: bytes), as: "message_hash")
        return facts.cards
    }

    /// The payload that the message asks to sign, if it carries one.
    public var requested: Payload? {
        switch self {
        case .request(let request): request.payload
        case .package(let package): package.request?.payload
        case .host, .proposal, .contribution, .contributions, .confirmation, .record, .commitment, .share: nil
        }
    }
}

/// Cards in the making: a name, and its value one level below.
private struct GroupFacts {
    var cards: [Card] = []

    mutating func add(_ name: ExactText, _ content: Card.Content) {
        cards += [Card(.fieldName(name)), Card(content, indent: 1)]
    }

    mutating func add(_ name: ExactText, text: String) { add(name, .text(ExactText(text))) }

    mutating func add(_ name: ExactText, number: Int) {
        add(name, .number(.integer(ExactText(String(number)))))
    }

    mutating func add(bytes: [UInt8], as name: ExactText) { add(name, .bytes(bytes)) }

    mutating func add(hash: Hash32, as name: ExactText) { add(bytes: hash.bytes, as: name) }

    mutating func add(index: Int) { add("member", number: index) }

    /// The hash, and the words that people compare.
    mutating func add(session: Hash32) {
        add(hash: session, as: "session")
        add("session_words", text: GroupWords.text(of: session))
    }

    mutating func add(request: Hash32) {
        add(hash: request, as: "request")
        add("request_words", text: GroupWords.text(of: request))
    }

    mutating func add(_ member: GroupMember, as name: ExactText) {
        add(name, text: member.name)
        cards.append(Card(.bytes(member.hostKey), indent: 2))
        cards.append(Card(.text(ExactText(GroupWords.text(of: member.fingerprint))), indent: 2))
    }

    mutating func add(_ proposal: GroupProposal) {
        if !proposal.label.utf8.isEmpty { add("label", text: proposal.label) }
        add("scheme", text: proposal.scheme.name)
        switch proposal.origin {
        case .new: add("origin", text: "new")
        case .dealt(let dealer, let publicKey):
            add("origin", text: "dealt")
            add(bytes: dealer, as: "dealer_host_key")
            add(key: publicKey, as: "dealt_key", proposal.scheme)
        case .reshared(let transcript, let contributors):
            add("origin", text: "reshared")
            add(hash: transcript, as: "old_transcript")
            add("contributors", text: contributors.indices.map(String.init).joined(separator: ", "))
        }
        add("threshold", number: Int(proposal.threshold))
        add("members", number: Int(proposal.members.count))
        for (offset, member) in proposal.members.enumerated() { add(member, as: "member_\(offset + 1)") }
        add(session: proposal.session)
    }

    mutating func add(_ request: GroupRequest) {
        add(key: request.groupKey, as: "group_key", request.scheme)
        if !request.path.utf8.isEmpty { add("path", text: request.path) }
        add(key: request.account, as: "account", request.scheme)
        add("signers", text: request.signers.indices.map(String.init).joined(separator: ", "))
        add(bytes: request.nonce, as: "nonce")
        add(request: request.id)
    }

    /// No address: one is shown only where every member's signature was verified, and a message alone never
    /// proves that.
    mutating func add(key: [UInt8], as name: ExactText, _ scheme: SignatureScheme) {
        add(name, .bytes(key, key: scheme))
    }
}

/// Hashes as words, so that two people can compare them by voice.
public enum GroupWords {
    /// Words of a fingerprint.
    public static let count = 8
    private static let bitsOfWord = 11

    /// The first 88 bits as 8 words of the BIP-39 English list, 11 bits a word, most significant first.
    /// - Parameter hash: 11 bytes or more
    public static func words(of hash: [UInt8]) -> [String] {
        precondition(hash.count * 8 >= count * bitsOfWord, "eight words have 88 bits")
        return (0..<count).map { word in
            var index = 0
            for bit in word * bitsOfWord..<(word + 1) * bitsOfWord {
                index = index << 1 | Int(hash[bit / 8] >> UInt8(7 - bit % 8) & 1)
            }
            return WordList.english.words[index]
        }
    }

    /// The words of a hash, joined to one text.
    public static func text(of hash: Hash32) -> String { words(of: hash.bytes).joined(separator: " ") }

    /// The words of a host key, 32 bytes.
    public static func text(ofHost key: [UInt8]) -> String {
        text(of: GroupMember(name: "", hostKey: key).fingerprint)
    }
}
