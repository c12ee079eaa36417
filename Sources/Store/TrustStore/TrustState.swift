import Hashing
import SCALE
import SubstratePrimitives

/// Who vouches for a network's specs and metadata.
public enum Verifier: Sendable, Hashable {
    /// The general verifier; nobody while the vault has none.
    case general
    /// A key of this network's own, or nobody: anything unsigned is accepted.
    case custom(PublicKey?)
    /// The user revoked the network; nothing is accepted until the verifiers are reset.
    case revoked
}

/// Metadata that the store holds for a network.
public struct MetadataRecord: Sendable, Hashable {
    public let genesis: GenesisHash
    public let version: UInt32
    /// BLAKE2b-256 of the blob, under the seal.
    public let hash: Hash32
    /// Bytes of the blob.
    public let length: Int

    public init(genesis: GenesisHash, version: UInt32, hash: Hash32, length: Int) {
        self.genesis = genesis
        self.version = version
        self.hash = hash
        self.length = length
    }
}

/// Bytes that the store holds under their hash.
public struct ContentRecord: Sendable, Hashable {
    /// BLAKE2b-256
    public let hash: Hash32
    public let length: Int

    public init(hash: Hash32, length: Int) {
        self.hash = hash
        self.length = length
    }
}

/// What signs with a key.
public enum KeySource: Sendable, Hashable {
    /// A seed of this vault.
    case seed(String, path: String, hasPassword: Bool)
    /// The members of the group with this transcript; the path has soft junctions only, none for the group's
    /// own key.
    case group(Hash32, path: String)
    /// A secret that another wallet made. The vault file holds it itself, because no seed gives it.
    case imported

    public static func == (one: KeySource, other: KeySource) -> Bool {
        switch (one, other) {
        case (
            .seed(let seed, let path, let hasPassword),
            .seed(let otherSeed, let otherPath, let otherHasPassword)
        ):
            seed.utf8Equals(otherSeed) && path.utf8Equals(otherPath) && hasPassword == otherHasPassword
        case (.group(let group, let path), .group(let otherGroup, let otherPath)):
            group == otherGroup && path.utf8Equals(otherPath)
        case (.imported, .imported): true
        case (.seed, _), (.group, _), (.imported, _): false
        }
    }
}

/// A key of this vault: everything but the secret, which its seed or the members of its group give, or which
/// the vault file holds.
public struct KeyRecord: Sendable, Hashable {
    public let publicKey: PublicKey
    /// 20 bytes, only for Ethereum-style keys: what names the key in a payload.
    public let ethereumAddress: [UInt8]?
    /// What signs with it.
    public let source: KeySource
    public var label: String?
    /// When it last signed, in seconds since 1970 by this device's clock.
    public var lastUsed: UInt64?
    /// The chains that it may sign for.
    public var networks: Set<GenesisHash>

    public init(
        publicKey: PublicKey, ethereumAddress: [UInt8]? = nil, source: KeySource, label: String? = nil,
        lastUsed: UInt64? = nil,
        networks: Set<GenesisHash> = []
    ) {
        self.publicKey = publicKey
        self.ethereumAddress = ethereumAddress
        self.source = source
        self.label = label
        self.lastUsed = lastUsed
        self.networks = networks
    }

    /// A key that a seed gives.
    public init(
        publicKey: PublicKey, ethereumAddress: [UInt8]? = nil, seed: String, path: String, hasPassword: Bool,
        label: String? = nil,
        lastUsed: UInt64? = nil, networks: Set<GenesisHash> = []
    ) {
        self.init(
            publicKey: publicKey, ethereumAddress: ethereumAddress,
            source: .seed(seed, path: path, hasPassword: hasPassword), label: label,
            lastUsed: lastUsed, networks: networks)
    }

    /// A key that another wallet made.
    public init(imported publicKey: PublicKey, networks: Set<GenesisHash> = []) {
        self.init(
            publicKey: publicKey,
            ethereumAddress: publicKey.scheme == .ethereum ? publicKey.accountID : nil,
            source: .imported, networks: networks)
    }

    /// Whether this seed gives it.
    public func isOf(seed name: String) -> Bool { seed.map(name.utf8Equals) ?? false }

    /// nil for an account of a group and for an imported key.
    public var seed: String? {
        switch source {
        case .seed(let name, _, _): name
        case .group, .imported: nil
        }
    }

    /// Whether another wallet made it, so that no seed of this vault gives it again.
    public var isImported: Bool { source == .imported }

    /// The transcript of the group whose members sign; nil for every other key.
    public var group: Hash32? {
        switch source {
        case .seed, .imported: nil
        case .group(let transcript, _): transcript
        }
    }

    /// As it was written, without the password: `//polkadot//0`. The soft junctions of a group's account;
    /// empty for an imported key.
    public var path: String {
        switch source {
        case .seed(_, let path, _), .group(_, let path): path
        case .imported: ""
        }
    }

    /// Whether a `///password` belongs to the path; the password itself is not stored.
    public var hasPassword: Bool {
        switch source {
        case .seed(_, _, let hasPassword): hasPassword
        case .group, .imported: false
        }
    }

    public static func == (one: KeyRecord, other: KeyRecord) -> Bool {
        one.publicKey == other.publicKey && one.ethereumAddress == other.ethereumAddress
            && one.source == other.source
            && one.label.utf8Equals(other.label) && one.lastUsed == other.lastUsed
            && one.networks == other.networks
    }

    /// The name of the key in a transaction payload: the 20-byte address of an Ethereum-style key, otherwise
    /// the public key.
    public var payloadKey: [UInt8] { ethereumAddress ?? publicKey.bytes }
}

/// Everything that decides trust, read in one transaction. Large bytes are named by their hash.
public struct TrustState: Sendable, Equatable {
    /// Counts changes since the store was made.
    public var generation: UInt64
    public var settings = SealedSettings()
    public var generalVerifier: PublicKey?
    /// One for each chain, kept even without specs for it.
    public var verifiers: [GenesisHash: Verifier] = [:]
    /// By name, then by genesis hash, then by scheme.
    public var networks: [NetworkSpecs] = []
    /// Newest first within a network.
    public var metadata: [MetadataRecord] = []
    public var types: ContentRecord?
    /// Encoded lists of assets by chain.
    public var assetLists: [GenesisHash: [UInt8]] = [:]
    public var keys: [KeyRecord] = []
    /// By account.
    public var contacts: [ContactRecord] = []
    /// By scheme and public key.
    public var listSigners: [ListSignerRecord] = []
    /// By host key.
    public var hostContacts: [HostContactRecord] = []
    /// By session.
    public var groupMakings: [GroupMaking] = []
    /// By name.
    public var groups: [HeldGroup] = []
    /// Oldest first.
    public var groupOffers: [GroupOffer] = []
    public var log: LogBounds
    /// What the seal says of the history; nil for a state that was read from no store.
    public var history: HistoryBounds?

    public init(generation: UInt64 = 0, log: LogBounds? = nil) {
        self.generation = generation
        self.log = log ?? .empty
    }

    public func networks(genesis: GenesisHash) -> [NetworkSpecs] {
        networks.filter { $0.genesisHash == genesis }
    }

    /// The specs for a chain and a scheme. An Ethereum-style network is found by `ethereum` only.
    public func network(genesis: GenesisHash, scheme: SignatureScheme) -> NetworkSpecs? {
        networks.first { $0.genesisHash == genesis && $0.scheme == scheme }
    }

    /// Networks by the runtime's name or by genesis hash in hex, each also with a scheme: `westend`,
    /// `westend/ed25519`.
    ///
    /// A chain chooses its name, slashes included, so a name may match networks of several chains; callers
    /// refuse that.
    public func networks(named name: String) -> [NetworkSpecs] {
        if let genesis = GenesisHash(hex: name) { return networks(genesis: genesis) }
        return networks.filter { $0.isNamed(name) }
    }

    /// The shortest text that names these specs and no others: `westend`; `westend/ed25519` where the chain
    /// has specs for several schemes; the genesis hash where another chain has the name.
    public func shownName(of specs: NetworkSpecs) -> String {
        let isNameOfOneChain = networks(named: specs.name).allSatisfy { $0.genesisHash == specs.genesisHash }
        // The scheme never tells two chains apart: who names a chain after another one also chooses its
        // scheme.
        let names = isNameOfOneChain ? [specs.name, specs.qualifiedName] : []
        return (names + [specs.genesisHash.hex]).first { networks(named: $0).count == 1 }
            ?? specs.qualifiedHash
    }

    /// The key that vouches for a network now; nil for an unknown or revoked network, and where nobody does.
    public func verifierKey(genesis: GenesisHash) -> PublicKey? {
        switch verifiers[genesis] {
        case .general: generalVerifier
        case .custom(let key): key
        case .revoked, nil: nil
        }
    }

    /// Newest first.
    public func metadata(genesis: GenesisHash) -> [MetadataRecord] {
        metadata.filter { $0.genesis == genesis }
    }

    public func metadata(genesis: GenesisHash, version: UInt32) -> MetadataRecord? {
        metadata.first { $0.genesis == genesis && $0.version == version }
    }

    public func key(_ publicKey: PublicKey) -> KeyRecord? { keys.first { $0.publicKey == publicKey } }

    /// The key that a payload names: scheme and `SignatureScheme.payloadKeyLength` bytes.
    public func key(scheme: SignatureScheme, payloadKey: [UInt8]) -> KeyRecord? {
        keys.first { $0.publicKey.scheme == scheme && $0.payloadKey == payloadKey }
    }

    public func keys(seed: String) -> [KeyRecord] { keys.filter { $0.isOf(seed: seed) } }
}

extension TrustState {
    /// Chains whose network was removed at some time, with the network's last name; nil if only a verifier
    /// was stored.
    ///
    /// A chain is never dropped from this list: a key that signed for it may still own something there.
    public var removedNetworks: [GenesisHash: String?] {
        var names: [GenesisHash: String?] = [:]
        let prefix = Array(StoreSetting.removedNetwork.utf8)
        for (setting, value) in settings where setting.utf8.starts(with: prefix) {
            guard
                let genesis = GenesisHash(
                    Hex.decode(String(setting.utf8.dropFirst(prefix.count)) ?? "") ?? [])
            else { continue }
            var reader = SCALEReader(value)
            names.updateValue(try? NetworkSpecs(from: &reader).name, forKey: genesis)
        }
        return names
    }
}
