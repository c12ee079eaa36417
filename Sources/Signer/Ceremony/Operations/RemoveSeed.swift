import Accounts
import GroupReview
import Keys
import SubstratePrimitives
import TrustStore

/// Removes a seed and all keys that were derived from it.
public struct RemoveSeed: Operation {
    /// What is removed.
    public struct Shown: Sendable {
        /// The seed that is removed.
        public let seed: SeedIdentity
        /// The keys that go with it.
        public let keys: [PublicKey]
    }

    let seed: String

    /// A removal of that seed.
    public init(_ seed: String) { self.seed = seed }

    /// - Throws: `VaultError.noSuchSeed(_:)`; `GroupRefusal.seedOfGroups(_:groups:)` while a group is active whose share it gives
    public func preview(_ view: VaultView) throws -> Shown {
        let groups = view.trust.groups.filter { $0.seed.utf8Equals(seed) }.map(\.name)
        guard groups.isEmpty else { throw GroupRefusal.seedOfGroups(seed, groups: groups) }
        return Shown(seed: try view.seed(seed), keys: view.trust.keys(seed: seed).map(\.publicKey))
    }

    public func isSame(_ one: Shown, _ other: Shown) -> Bool { one.seed.isSame(other.seed) && one.keys == other.keys }

    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        let trust = bench.view.trust
        let makings = trust.groupMakings.filter { $0.seed.utf8Equals(seed) }.map { TrustChange.removeGroupMaking(session: $0.session) }
        return Work(
            (), shown.keys.map { .removeKey($0) } + [.removeSeedRoot(seed)] + makings + OwnHostKey.forgetting(seed: seed, trust),
            events: events(bench.view.trust), vault: try bench.session.vault.removing(seed: seed))
    }

    /// A line for the seed, then one for each key that goes with it.
    private func events(_ trust: TrustState) -> [LogEvent] {
        [LogEvent(.seedRemoved, [LogEvent.Fact("seed", seed)])]
            + trust.keys(seed: seed).map { LogEvent(.keyRemoved, LogEvent.facts(of: $0, in: trust)) }
    }
}
