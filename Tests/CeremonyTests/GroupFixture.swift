import GroupCollect
import Hashing
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

@testable import Ceremony

/// Machines that make a group, a vault each with one seed of the machine's name.
struct GroupFixture {
    let names: [String]
    let machines: [CeremonyFixture]
    let threshold: Int
    let proposal: GroupProposal

    /// - Parameters:
    ///   - isDevelopment: of all vaults.
    ///   - called: what the cards of some members call them, by their numbers; else as their seeds.
    init(
        _ names: [String] = ["alice", "bob", "carol"], threshold: Int = 2, scheme: SignatureScheme = .sr25519,
        isDevelopment: Bool = true, called: [Int: String] = [:]
    )
        throws
    {
        self.names = names
        self.threshold = threshold
        machines = try names.map { try CeremonyFixture(isDevelopment: isDevelopment, seeds: [$0]) }
        let cards = try names.enumerated().map { try Self.card(of: $1, name: called[$0 + 1]) }
        proposal = try GroupProposal.make(cards: cards, threshold: threshold, scheme: scheme, label: "office")
    }

    /// A group of alice, bob and carol on machines that have more seeds than one.
    init(_ machines: [CeremonyFixture], threshold: Int = 2) throws {
        names = ["alice", "bob", "carol"]
        self.machines = machines
        self.threshold = threshold
        let cards = try names.map { try Self.card(of: $0) }
        proposal = try GroupProposal.make(
            cards: cards, threshold: threshold, scheme: .sr25519, label: "office")
    }

    // MARK: Host keys, as their machines have them

    static func withHost<R>(_ name: String, _ body: (borrowing HostKey) throws -> R) throws -> R {
        let host = try HostKey.derive(entropy: CeremonyFixture.entropy(of: name))
        return try body(host)
    }

    static func card(of seed: String, name: String? = nil) throws -> GroupHost {
        try withHost(seed) { (host: borrowing HostKey) in
            let member = GroupMember(name: name ?? seed, hostKey: host.publicKey.bytes)
            return GroupHost(member, signature: try host.sign(GroupHost.signedBytes(member)))
        }
    }

    /// A contribution that is made beside the vault, and may be changed before it is signed.
    func contribution(
        of name: String, _ change: (Contribution) -> Contribution = { $0 }
    ) throws -> GroupContribution {
        let index = names.firstIndex { $0.utf8Equals(name) }! + 1
        return try Self.withHost(name) { (host: borrowing HostKey) in
            let made = change(try KeyGeneration(of: proposal).contribute(as: index, host: host))
            return try GroupContribution(made, to: proposal, by: host)
        }
    }

    /// The record of contributions, signed by every member beside their vaults.
    /// - Parameters:
    ///   - account: what the record calls the group's key; else the key of the contributions. No member
    ///     of a real vault signs another, and strangers may.
    func record(
        of contributions: [GroupContribution], around account: [UInt8]? = nil,
        _ change: (inout [[UInt8]]) -> Void = { _ in }
    ) throws -> UOS.GroupRecord {
        let combined = try KeyGeneration(of: proposal).combine(
            try contributions.map { try $0.signed(in: proposal) })
        var shares = combined.encryptedSums
        change(&shares)
        func record(_ signatures: [[UInt8]]) throws -> UOS.GroupRecord {
            try UOS.GroupRecord(
                proposal: proposal, contributionsHash: Hash32(combined.contributionsHash)!,
                commitments: [account ?? combined.key.commitments[0]]
                    + combined.key.commitments.dropFirst(),
                ephemerals: combined.ephemerals, shares: shares, signatures: signatures)
        }
        let draft = try record(names.map { _ in [UInt8](repeating: 0, count: 64) })
        let signatures = try zip(names, draft.confirmations).map { name, confirmation in
            try Self.withHost(name) { (host: borrowing HostKey) in try host.sign(confirmation.signedBytes) }
        }
        return try record(signatures)
    }

    // MARK: Exchanges

    func join() throws -> [GroupContribution] {
        try machines.map { try Self.contribution(try $0.act(JoinGroup(proposal)) ?? []) }
    }

    func confirm(_ bundle: GroupContributions) throws -> [GroupConfirmation] {
        try machines.map { try Self.confirmation(try $0.act(ConfirmGroup(bundle))) }
    }

    /// What the coordinator makes of all messages.
    static func collect(_ messages: [GroupMessage]) throws -> GroupMessage? {
        guard case .message(let message) = try GroupCollect.collect(messages).output else { return nil }
        return message
    }

    func bundle(_ contributions: [GroupContribution]) throws -> GroupContributions {
        guard
            case .contributions(let bundle)? = try Self.collect(
                [.proposal(proposal)] + contributions.map { .contribution($0) })
        else {
            throw GroupCollectError.nothing
        }
        return bundle
    }

    func record(_ bundle: GroupContributions, _ confirmations: [GroupConfirmation]) throws -> UOS.GroupRecord
    {
        let messages: [GroupMessage] =
            [.proposal(proposal), .contributions(bundle)] + confirmations.map { .confirmation($0) }
        guard case .record(let record)? = try Self.collect(messages) else { throw GroupCollectError.nothing }
        return record
    }

    /// All three exchanges; the group is active nowhere yet.
    func made() throws -> UOS.GroupRecord {
        let bundle = try bundle(try join())
        return try record(bundle, try confirm(bundle))
    }

    static func contribution(_ bytes: [UInt8]) throws -> GroupContribution {
        guard case .group(.contribution(let message)) = try Payload(bytes).content else {
            throw GroupCollectError.nothing
        }
        return message
    }

    static func confirmation(_ bytes: [UInt8]) throws -> GroupConfirmation {
        guard case .group(.confirmation(let message)) = try Payload(bytes).content else {
            throw GroupCollectError.nothing
        }
        return message
    }
}
