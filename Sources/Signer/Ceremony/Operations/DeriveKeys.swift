import Hashing
import Keys
import SubstratePrimitives
import TrustStore

/// Derives keys of a seed, for one network or for none yet.
public struct DeriveKeys: Operation {
    let seed: String
    let path: AccountPath
    let count: Int?
    let network: String?
    let scheme: SignatureScheme?
    let hasPassword: Bool

    /// The keys to derive: their paths, scheme and network.
    public struct Plan: Sendable, Equatable {
        /// One for each key. Junctions keep the spelling that the person typed.
        public let paths: [AccountPath]
        /// The scheme of all keys.
        public let scheme: SignatureScheme
        /// nil for keys that may not sign anywhere yet.
        public let network: NetworkSpecs?
        /// Junctions of the path for which polkadot-js derives another key.
        public var differingInPolkadotJS: [Junction] {
            paths.first?.differingInPolkadotJS ?? []
        }
    }

    /// - `path`: the key's; with `count` the base of `path//0`, `path//1`, …
    /// - `count`: how many keys to derive under `path`, after the highest that the vault holds; at least 1.
    ///   nil for `path` itself.
    /// - `network`: its name, or its genesis hash in hex.
    /// - `scheme`: nil for the network's, or sr25519 without one.
    /// - `hasPassword`: whether the person is asked for a `///password`, one for all keys.
    public init(
        seed: String, path: AccountPath, count: Int? = nil, network: String? = nil,
        scheme: SignatureScheme? = nil,
        hasPassword: Bool = false
    ) {
        self.seed = seed
        self.path = path
        self.count = count
        self.network = network
        self.scheme = scheme
        self.hasPassword = hasPassword
    }

    /// Keys at a Substrate path, with the same parameters.
    public init(
        seed: String, path: DerivationPath, count: Int? = nil, network: String? = nil,
        scheme: SignatureScheme? = nil, hasPassword: Bool = false
    ) {
        self.init(
            seed: seed, path: .substrate(path), count: count, network: network, scheme: scheme,
            hasPassword: hasPassword)
    }

    /// - Throws: `KeyError.reservedPath`, `LookupError`, ``KeyRefusal/noNextPath(base:)``,
    ///   `VaultError.noSuchSeed(_:)`
    public func preview(_ view: VaultView) throws -> Plan {
        guard !path.isReserved else { throw KeyError.reservedPath }
        try view.requireSeed(seed)
        let specs = try network.map { try view.trust.network(named: $0, scheme: scheme) }
        let wanted = specs?.scheme ?? scheme ?? .sr25519
        switch path {
        case .hd(let path): try path.requireKeys(of: wanted)
        case .substrate:
            guard view.trust.kind(ofSeed: seed) == .phrase else { throw KeyError.masterSecretPath }
        }
        return Plan(paths: try paths(view.trust), scheme: wanted, network: specs)
    }

    private func paths(_ trust: TrustState) throws -> [AccountPath] {
        guard let count else { return [path] }
        var known = try trust.keys(seed: seed).map {
            try AccountPath($0.path, scheme: $0.publicKey.scheme)
        }
        var paths: [AccountPath] = []
        for _ in 0..<count {
            guard let next = path.next(after: known) else {
                throw KeyRefusal.noNextPath(base: path.description)
            }
            known.append(next)
            paths.append(next)
        }
        return paths
    }

    /// The public keys, in the order of the paths.
    /// - Throws: ``KeyRefusal``, `KeyError`
    public func perform(_ shown: Plan, in context: CommitContext<Self>) throws -> PreparedCommit<[PublicKey]>
    {
        let keys = try context.keys(
            of: seed, paths: shown.paths, scheme: shown.scheme, asksPassword: hasPassword, below: path)
        let changes = try zip(keys, shown.paths).map { key, path in
            try change(key, path, shown, context.trust.state)
        }
        let network = shown.network.map { [LogEvent.Fact("network", $0.name)] } ?? []
        let events = zip(keys, shown.paths).map { key, path in
            LogEvent(
                .keyAdded,
                [
                    LogEvent.Fact("key", Hex.encode(key.bytes)), LogEvent.Fact("scheme", key.scheme.name),
                    LogEvent.Fact("seed", seed),
                    LogEvent.Fact("path", path.description),
                ] + network)
        }
        return PreparedCommit(keys, changes, events: events)
    }

    /// Adds a key, or allows a known key on one more network. A known key with another seed, path or password
    /// is a collision.
    private func change(_ key: PublicKey, _ path: AccountPath, _ shown: Plan, _ trust: TrustState)
        throws(KeyRefusal) -> TrustChange
    {
        guard let known = trust.key(key) else {
            return .addKey(
                KeyRecord(
                    publicKey: key, ethereumAddress: key.scheme == .ethereum ? key.accountID : nil,
                    seed: seed, path: path.description,
                    hasPassword: hasPassword, networks: shown.network.map { [$0.genesisHash] } ?? []))
        }
        guard known.source == .seed(seed, path: path.description, hasPassword: hasPassword) else {
            throw .collision(holder: trust.holder(of: known), path: known.path)
        }
        guard let network = shown.network, !known.networks.contains(network.genesisHash) else {
            throw .exists(holder: trust.holder(of: known), path: known.path)
        }
        return .allowKey(key, network.genesisHash)
    }
}
