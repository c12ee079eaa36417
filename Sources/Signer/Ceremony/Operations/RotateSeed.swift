import Accounts
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore

/// A step of the move from one seed to another: see `SeedRotation`. Each step is one commit, and the next one
/// reads what is there.
public struct RotateSeed: Operation {
    /// What is done.
    public enum Step: Sendable {
        /// The accounts move to this seed, which is there already: its keys at the same paths are derived for
        /// the same networks.
        case begin(to: String)
        /// A person says something of accounts, each by its address.
        case note([(address: String, words: String)])
        /// A person says that an account is empty: this address on this network, or on each of its networks;
        /// without an address, every account of the old seed.
        case empty(address: String?, network: String?)
        /// The old seed stays.
        case stop
    }

    /// What a step is about.
    public struct Shown: Sendable {
        /// The seed that is moved.
        public let seed: SeedIdentity
        /// The seed that its accounts move to.
        public let new: SeedIdentity
        /// The accounts that the step changes: those that move, those that a note is of, or those that a
        /// person calls empty.
        public let accounts: [SeedRotation.Account]
        /// Groups to which the old seed gives this machine's share, by name. They do not move.
        public let groups: [String]
    }

    let seed: String
    let step: Step

    /// - `seed`: the name of the old one.
    public init(_ seed: String, _ step: Step) { (self.seed, self.step) = (seed, step) }

    /// - Throws: `RotationRefusal`, `VaultError.noSuchSeed(_:)`, `LookupError`, `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Shown {
        let (identity, trust) = (try view.seed(seed), view.trust)
        let groups = trust.groups.filter { $0.seed.utf8Equals(seed) }.map(\.name)
        guard case .begin(let name) = step else {
            guard let rotation = trust.rotation(of: seed) else { throw RotationRefusal.notMoved(seed) }
            // A seed whose name nobody can read any more still lets the move be given up.
            let new = (try? view.seed(rotation.new)) ?? SeedIdentity(name: rotation.new, root: nil)
            return Shown(
                seed: identity, new: new, accounts: try accounts(of: rotation, in: trust), groups: groups)
        }
        for moved in [seed, name] {
            if let other = trust.rotation(of: moved) { throw RotationRefusal.underWay(moved, to: other.new) }
        }
        let new = try view.seed(name)
        guard identity.root != new.root || identity.root == nil, !name.utf8Equals(seed) else {
            throw RotationRefusal.sameWords(seed, name)
        }
        let accounts = SeedRotation(new: name, started: 0).accounts(of: seed, in: trust)
        return Shown(seed: identity, new: new, accounts: accounts, groups: groups)
    }

    public func isSame(_ one: Shown, _ other: Shown) -> Bool {
        one.seed.isSame(other.seed) && one.new.isSame(other.new) && one.accounts == other.accounts
            && one.groups.utf8ElementsEqual(other.groups)
    }

    private func accounts(of rotation: SeedRotation, in trust: TrustState) throws -> [SeedRotation.Account] {
        let all = rotation.accounts(of: seed, in: trust)
        switch step {
        case .begin, .stop, .empty(nil, nil): return all
        case .note(let notes):
            return try notes.flatMap { address, words in
                let count = words.utf8.count
                guard count <= SeedRotation.longestNote else { throw RotationRefusal.longNote(count) }
                return try accounts(all, at: address, on: nil, trust)
            }
        case .empty(let address?, let network): return try accounts(all, at: address, on: network, trust)
        case .empty(nil, let network?):
            let genesis = try trust.networksOfOneChain(named: network)[0].genesisHash
            return all.filter { $0.place.genesis == genesis }
        }
    }

    private func accounts(
        _ all: [SeedRotation.Account], at address: String, on network: String?, _ trust: TrustState
    ) throws -> [SeedRotation.Account] {
        let genesis = try network.map { try trust.networksOfOneChain(named: $0)[0].genesisHash }
        let key = try trust.key(address: address).publicKey
        let named = all.filter { account in
            account.place.key == key && (genesis.map { account.place.genesis == $0 } ?? true)
        }
        guard !named.isEmpty else { throw RotationRefusal.notAnAccount(address, of: seed) }
        return named
    }

    /// - Throws: `KeyRefusal`, `KeyError`
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let trust = context.trust.state
        if case .begin(let name) = step { return try begin(to: name, shown, context) }
        guard var rotation = trust.rotation(of: seed) else { throw RotationRefusal.notMoved(seed) }
        let of = LogEvent.Fact("seed", seed)
        switch step {
        case .begin, .stop:
            return PreparedCommit(
                (), [.removeRotation(of: seed)], events: [LogEvent(.seedRotationStopped, [of])])
        case .note(let notes):
            for (address, words) in notes {
                rotation = rotation.noting(words, of: try trust.key(address: address).publicKey)
            }
            return PreparedCommit((), [.putRotation(rotation, of: seed)], events: [])
        case .empty:
            for account in shown.accounts {
                rotation = rotation.emptied(account.place, by: .person(context.now))
            }
            let events = shown.accounts.map { account in
                LogEvent(
                    .seedAccountEmptied,
                    [of, LogEvent.Fact("key", Hex.encode(account.place.key.bytes))]
                        + (account.place.genesis.map { [LogEvent.Fact("genesis_hash", $0.hex)] } ?? []))
            }
            return PreparedCommit((), [.putRotation(rotation, of: seed)], events: events)
        }
    }

    /// Derives what is missing of the new seed. A key behind a password is left to its owner, who derives it
    /// with the password.
    private func begin(to name: String, _ shown: Shown, _ context: CommitContext<Self>) throws
        -> PreparedCommit<Void>
    {
        let trust = context.trust.state
        var changes: [TrustChange] = [
            .putRotation(SeedRotation(new: name, started: context.now), of: seed)
        ]
        var events = [
            LogEvent(.seedRotationBegun, [LogEvent.Fact("seed", seed), LogEvent.Fact("new", name)])
        ]
        for record in trust.keys(seed: seed) where !record.hasPassword {
            let path = try AccountPath(record.path, scheme: record.publicKey.scheme)
            let key = try KeyPair.derive(
                context.session.vault.stored(seed: name), path: path, scheme: record.publicKey.scheme
            ).publicKey
            let derived = KeyRecord(
                publicKey: key, ethereumAddress: key.scheme == .ethereum ? key.accountID : nil, seed: name,
                path: record.path, hasPassword: false, networks: record.networks)
            guard let known = trust.key(key) else {
                changes.append(.addKey(derived))
                events.append(LogEvent(.keyAdded, LogEvent.facts(of: derived, in: trust)))
                continue
            }
            guard known.source == derived.source else {
                throw KeyRefusal.collision(holder: trust.holder(of: known), path: known.path)
            }
            for genesis in record.networks.subtracting(known.networks).sorted(by: { $0.hex < $1.hex }) {
                changes.append(.allowKey(key, genesis))
                events.append(
                    LogEvent(
                        .keyAllowed,
                        LogEvent.facts(of: known, in: trust) + [LogEvent.Fact("genesis_hash", genesis.hex)]))
            }
        }
        return PreparedCommit((), changes, events: events)
    }
}

extension TrustState {
    /// Refuses to remove a seed whose accounts are being moved and not all said to be empty, and one that
    /// accounts are being moved to.
    /// - Throws: `RotationRefusal`
    func requireMoved(seed name: String) throws(RotationRefusal) {
        for (old, rotation) in rotations where rotation.new.utf8Equals(name) {
            throw .isTarget(name, of: old)
        }
        guard let rotation = rotation(of: name) else { return }
        let left = rotation.accounts(of: name, in: self).count { $0.ground == nil }
        guard left == 0, !rotation.new.isEmpty else { throw .notEmpty(name, accounts: left) }
    }

    /// Refuses to forget an account of a seed that is being moved before it is said to be empty: the move
    /// would not know of it any more.
    /// - Throws: `RotationRefusal`
    func requireMoved(key: KeyRecord) throws(RotationRefusal) {
        guard let seed = key.seed, let rotation = rotation(of: seed) else { return }
        let left = rotation.accounts(of: seed, in: self).count {
            $0.ground == nil && $0.record.publicKey == key.publicKey
        }
        guard left == 0 else { throw .notEmpty(seed, accounts: left) }
    }

    /// What signed transactions prove of accounts that are being moved: that they had nothing, after the
    /// block whose state stands beside the transaction. A proof whose reading the chain does not check says
    /// nothing.
    func rotationsProven(by signed: [ReviewedTransaction]) -> [TrustChange] {
        rotations.compactMap { old, rotation in
            var proven = rotation
            for account in rotation.accounts(of: old, in: self) {
                for item in signed where item.specs?.genesisHash == account.place.genesis {
                    guard let state = item.state, state.ground == .chain,
                        state.facts.contains(where: { $0.isNothing(of: account.record.publicKey.accountID) })
                    else { continue }
                    let block = state.proven.chain.header.number
                    proven = proven.emptied(account.place, by: .state(block: block))
                }
            }
            return proven == rotation ? nil : .putRotation(proven, of: old)
        }
    }
}
