import GroupReview
import Hashing
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Makes the card b0 that introduces this machine to the others of a group.
public struct MakeHostCard: Operation {
    /// The facts of the new card.
    public struct Shown: Sendable {
        /// Whose host key it shows.
        public let seed: SeedIdentity
        /// The last junction of its path.
        public let index: UInt32
        /// What the card calls the machine.
        public let name: String
    }

    let seed: String
    let index: UInt32
    let name: String

    /// - `index`: one of `OwnHostKey.indices`.
    /// - `name`: 1 to 24 bytes of printable UTF-8.
    public init(seed: String, index: UInt32 = 0, name: String) {
        self.seed = seed
        self.index = index
        self.name = name
    }

    /// - Throws: `VaultError.noSuchSeed(_:)`; `PayloadError.group(_:_:)`, `GroupRefusal.memberName(_:_:)` for
    ///   a name that no card can have
    public func preview(_ view: VaultView) throws -> Shown {
        precondition(
            OwnHostKey.indices.contains(index),
            "a host key has one of the indices that a restored machine tries")
        do throws(GroupFailure) { try GroupMember.check(name: name) } catch {
            throw PayloadError.group(.groupHost, error)
        }
        try GroupNames.check(member: name)
        return Shown(seed: try view.seed(seed), index: index, name: name)
    }

    public func isSame(_ one: Shown, _ other: Shown) -> Bool {
        one.seed.isSame(other.seed) && one.index == other.index && one.name.utf8Equals(other.name)
    }

    /// The card. That the key is this vault's is kept, so that later reviews can say which member this
    /// machine is.
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<GroupHost> {
        let card = try context.withHost(of: seed, index: index) { (host: borrowing HostKey) in
            let member = GroupMember(name: name, hostKey: host.publicKey.bytes)
            return GroupHost(member, signature: try host.sign(GroupHost.signedBytes(member)))
        }
        let recording = OwnHostKey.recording(card.member.hostKey, seed: seed, index: index)
        let isKnown =
            context.view.trust.standing(ofHost: card.member.hostKey) == .own(seed: seed, index: index)
        return PreparedCommit(card, isKnown ? [] : [recording], events: [])
    }
}
