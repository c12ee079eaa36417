import SubstratePrimitives

/// A key that may sign on more than one chain, and the networks that changes would add to it.
///
/// Signed bytes name their chain only where the chain's own metadata says so. A hostile network can describe
/// its extensions such that the bytes shown for it are a transaction of a real network, so a key that may
/// sign on both signs for the real one unseen. A separate key for each network makes such a signature
/// worthless; therefore a second network needs a person's word. ``UnlockedStore`` itself applies this rule to
/// every change, so that no command can forget it.
///
/// One key is one pair of a secret and a curve: ecdsa and ethereum records with the same 33 bytes are one
/// key; ed25519 and sr25519 are different curves, where one secret gives unrelated keys and signatures. One
/// network is one genesis hash, whether the vault has specs for several schemes or none.
public struct KeyReuse: Sendable, Equatable {
    /// What a person types before a key is allowed on another network: exactly these bytes.
    ///
    /// It is a fixed phrase that says what the person agrees to. Names and genesis hashes come from the
    /// network's specs, which an attacker may have written. The attacker would then choose the word (a
    /// network named `yes`, a hash with the first digits of another), and each key of a list would need
    /// another word. Names and hashes are shown beside the question instead.
    public static let word = "reuse key"

    /// A chain and the name that the vault has for it.
    public struct Network: Sendable, Hashable {
        public let genesis: GenesisHash
        /// nil without specs. Whoever writes the specs chooses it.
        public let name: String?

        public init(genesis: GenesisHash, name: String?) {
            self.genesis = genesis
            self.name = name
        }

        public static func == (one: Network, other: Network) -> Bool {
            one.genesis == other.genesis && one.name.utf8Equals(other.name)
        }

        /// Not escaped for a terminal. Show the genesis hash beside it.
        public var shownName: String { name ?? "unknown network" }
    }

    /// The key that the changes name. Another record may hold the same key under another scheme.
    public let key: PublicKey
    /// What signs with it: `seed main`, `group office`; nil for an imported key.
    public let holder: String?
    public let path: String
    /// The networks where it may sign before and after the changes, by genesis hash.
    public let held: [Network]
    /// The networks where it may sign only after the changes, by genesis hash. Two or more if ``held`` is
    /// empty.
    public let added: [Network]

    public static func == (one: KeyReuse, other: KeyReuse) -> Bool {
        one.key == other.key && one.holder.utf8Equals(other.holder) && one.path.utf8Equals(other.path)
            && one.held == other.held
            && one.added == other.added
    }

    /// Counts the networks on which each key of a state may sign; fast for long lists of keys.
    public struct Counts {
        private let networks: [Identity: Set<GenesisHash>]

        public init(_ state: TrustState) { networks = KeyReuse.networks(of: state.keys) }

        /// 0 for an unknown key.
        public func networks(of key: PublicKey) -> Int { networks[Identity(key)]?.count ?? 0 }
    }

    static func networks(of records: some Sequence<KeyRecord>) -> [Identity: Set<GenesisHash>] {
        var networks: [Identity: Set<GenesisHash>] = [:]
        for record in records { networks[Identity(record.publicKey), default: []].formUnion(record.networks) }
        return networks
    }

    /// What makes two records one key.
    struct Identity: Hashable {
        let curve: Curve
        let bytes: [UInt8]

        init(_ key: PublicKey) {
            curve = Curve(key.scheme)
            bytes = key.bytes
        }
    }

    enum Curve: Hashable {
        case ed25519, ristretto255, secp256k1

        init(_ scheme: SignatureScheme) {
            switch scheme {
            case .ed25519: self = .ed25519
            case .sr25519: self = .ristretto255
            case .ecdsa, .ethereum: self = .secp256k1
            }
        }
    }
}

extension TrustState {
    /// The other networks on which a key may sign, by any record, ordered by genesis hash.
    public func otherNetworks(of key: PublicKey, beside genesis: GenesisHash?) -> [KeyReuse.Network] {
        let identity = KeyReuse.Identity(key)
        return others(beside: genesis) { KeyReuse.Identity($0.publicKey) == identity }
    }

    /// The other networks of the key of `seed` at `path` without a password. The key need not be derived yet
    /// under `scheme`.
    public func otherNetworks(
        seed: String, path: String, scheme: SignatureScheme, beside genesis: GenesisHash?
    ) -> [KeyReuse.Network] {
        let curve = KeyReuse.Curve(scheme)
        return others(beside: genesis) {
            $0.isOf(seed: seed) && $0.path.utf8Equals(path) && !$0.hasPassword
                && KeyReuse.Curve($0.publicKey.scheme) == curve
        }
    }

    private func others(beside genesis: GenesisHash?, _ isSameKey: (KeyRecord) -> Bool) -> [KeyReuse.Network]
    {
        var networks = keys.filter(isSameKey).reduce(into: Set<GenesisHash>()) { $0.formUnion($1.networks) }
        if let genesis { networks.remove(genesis) }
        return named(networks)
    }

    func named(_ chains: Set<GenesisHash>) -> [KeyReuse.Network] {
        chains.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map { genesis in
            KeyReuse.Network(genesis: genesis, name: networks(genesis: genesis).first?.name)
        }
    }
}
