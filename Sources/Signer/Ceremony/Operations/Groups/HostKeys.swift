import Diagnostics
import GroupReview
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// A host key of a seed of this vault. The secret exists only while a seed is lent.
struct OwnHost: Equatable {
    let seed: String
    let index: UInt32
    /// Public, 32 bytes.
    let key: [UInt8]

    static func == (one: OwnHost, other: OwnHost) -> Bool {
        one.seed.utf8Equals(other.seed) && one.index == other.index && one.key == other.key
    }
}

extension CommitContext {
    /// Lends a host key. It is wiped when `body` returns.
    func withHost<R>(of seed: String, index: UInt32, _ body: (borrowing HostKey) throws -> R) throws -> R {
        try withSeed(seed) { (entropy: borrowing SecretBytes) in
            let host = try HostKey.derive(entropy: entropy, index: index)
            return try body(host)
        }
    }

    /// Which of these keys are host keys of a seed, at the indices that a machine may use, in the order of
    /// the keys.
    func hosts(among keys: [[UInt8]], ofSeed seed: String) throws -> [OwnHost] {
        // A master secret has no // path, and so no host key.
        guard try session.vault.stored(seed: seed).kind == .phrase else { return [] }
        var found: [OwnHost] = []
        for index in OwnHostKey.indices {
            let key = try withHost(of: seed, index: index) { (host: borrowing HostKey) in host.publicKey.bytes
            }
            if keys.contains(key) { found.append(OwnHost(seed: seed, index: index, key: key)) }
        }
        return found.sorted { keys.firstIndex(of: $0.key)! < keys.firstIndex(of: $1.key)! }
    }

    /// The member of a proposal that is this vault. The key is derived again from every seed, because a
    /// message or the store could name a wrong one. Two such members would give one machine two votes, so
    /// only a development vault may have them.
    /// - Returns: nil where no member is this vault.
    /// - Throws: ``GroupRefusal/severalOwn(_:)``
    func ownMember(of proposal: GroupProposal) throws -> OwnHost? {
        let keys = proposal.members.map(\.hostKey)
        let found = try view.seedNames.flatMap { try hosts(among: keys, ofSeed: $0) }
        try view.requireOneVote(proposal) { key in found.contains { $0.key == key } }
        return found.min { keys.firstIndex(of: $0.key)! < keys.firstIndex(of: $1.key)! }
    }
}

extension VaultView {
    /// Refuses a proposal in which several members are this vault. A preview uses the keys that the vault
    /// remembers, so that nobody types a passphrase in vain; an act derives them from its seeds.
    /// - Throws: ``GroupRefusal/severalOwn(_:)``
    func requireOneVote(_ proposal: GroupProposal, isOwn: ([UInt8]) -> Bool) throws(GroupRefusal) {
        let own = proposal.members.filter { isOwn($0.hostKey) }
        guard own.count < 2 || isDevelopment else { throw .severalOwn(own.map(\.name)) }
    }

    /// Refuses, in a preview, a proposal in which several members are this vault.
    func requireOneVote(_ proposal: GroupProposal) throws(GroupRefusal) {
        try requireOneVote(proposal) { key in
            switch trust.standing(ofHost: key) {
            case .own: true
            case .contact, .unknown: false
            }
        }
    }
}

extension GroupProposal {
    /// The number of the member with this host key.
    func index(of key: [UInt8]) -> Int? { members.firstIndex { $0.hostKey == key }.map { $0 + 1 } }
}

extension GroupContribution {
    /// A contribution with the host signature over its bytes.
    init(_ contribution: Contribution, to proposal: GroupProposal, by host: borrowing HostKey) throws {
        let parts = Parts(
            commitments: contribution.commitments, proof: contribution.proof,
            shares: contribution.encryptedShares)
        func message(_ signature: [UInt8]) -> GroupContribution {
            GroupContribution(
                to: proposal, index: contribution.index, ephemeral: contribution.ephemeral, parts: parts,
                signature: signature)
        }
        self = message(try host.sign(message([UInt8](repeating: 0, count: 64)).signedBytes))
    }
}

extension LogEvent {
    /// What a line of the log says of a group in the making.
    static func facts(of proposal: GroupProposal) -> [Fact] {
        let members = proposal.members.map { GroupMember.quoted(unlessPlain: $0.name) }.joined(
            separator: ", ")
        return [
            Fact("session", proposal.session.hex), Fact("members", members),
            Fact("threshold", "\(proposal.threshold) of \(proposal.members.count)"),
        ] + origin(of: proposal)
    }

    private static func origin(of proposal: GroupProposal) -> [Fact] {
        switch proposal.origin {
        case .new: []
        case .dealt: [Fact("origin", "dealt")]
        case .reshared(let transcript, _): [Fact("origin", "reshared"), Fact("old_group", transcript.hex)]
        }
    }

    /// What a refused message of a group leaves in the log; nil for bytes that are not a payload.
    static func refusal(of message: GroupMessage, reason: Diagnostic.Code) -> LogEvent? {
        (try? Payload(message.bytes)).map { refusal(of: $0, reason: reason) }
    }
}
