import SCALE
import SubstratePrimitives

/// A public key with its scheme as an enum index: ed25519 0, sr25519 1, ecdsa 2.
extension PublicKey {
    /// Reads the index, then ``SignatureScheme/publicKeyLength`` bytes.
    /// - Throws: ``SCALEError`` for another index and for truncated bytes.
    init(multiSigner reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let index = try reader.u8()
        guard let scheme = SignatureScheme(rawValue: index), scheme != .ethereum else {
            throw SCALEError(.invalidDiscriminant(index), offset: offset)
        }
        self.init(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))!
    }

    /// The encoding as MultiSigner; an Ethereum-style key is an ecdsa key there.
    func encode(multiSigner writer: inout SCALEWriter) {
        writer.u8(scheme == .ethereum ? SignatureScheme.ecdsa.rawValue : scheme.rawValue)
        writer.raw(bytes)
    }
}

/// The keys that another signer derived from one seed.
///
/// Encoding: name, root as MultiSigner, Vec of keys; each key is address, optional path, scheme byte, genesis
/// hash. Source: Polkadot Vault, `SeedInfo`.
public struct SeedInfo: Sendable, Equatable {
    /// A key, named by its address and its path.
    public struct DerivedKey: Sendable, Equatable {
        /// SS58 for ed25519 and sr25519; `0x` and 66 hex digits of the key for ecdsa and Ethereum-style keys.
        public var address: String
        /// nil for the root key.
        public var path: String?
        /// One byte, 0 to 3.
        public var scheme: SignatureScheme
        /// The network that the key is for.
        public var genesisHash: GenesisHash

        /// A key of those parts; nothing checks that they agree.
        public init(address: String, path: String?, scheme: SignatureScheme, genesisHash: GenesisHash) {
            self.address = address
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }

        public static func == (one: DerivedKey, other: DerivedKey) -> Bool {
            one.address.utf8Equals(other.address) && one.path.utf8Equals(other.path)
                && one.scheme == other.scheme
                && one.genesisHash == other.genesisHash
        }
    }

    /// The seed's name in the other signer.
    public var name: String
    /// The sr25519 public key of the empty path, which identifies the seed.
    public var root: PublicKey
    /// In the other signer's order.
    public var keys: [DerivedKey]

    /// The keys of one seed.
    public init(name: String, root: PublicKey, keys: [DerivedKey]) {
        self.name = name
        self.root = root
        self.keys = keys
    }

    public static func == (one: SeedInfo, other: SeedInfo) -> Bool {
        one.name.utf8Equals(other.name) && one.root == other.root && one.keys == other.keys
    }

    init(from reader: inout SCALEReader) throws(SCALEError) {
        name = try reader.string()
        root = try PublicKey(multiSigner: &reader)
        keys = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
            let address = try element.string()
            let path = try element.option { (inner: inout SCALEReader) throws(SCALEError) in
                try inner.string()
            }
            let scheme = try SignatureScheme(from: &element)
            return DerivedKey(address: address, path: path, scheme: scheme, genesisHash: try element.hash32())
        }
    }

    func encode(into writer: inout SCALEWriter) {
        writer.string(name)
        root.encode(multiSigner: &writer)
        writer.vector(keys) { writer, key in
            writer.string(key.address)
            writer.option(key.path) { $0.string($1) }
            writer.u8(key.scheme.rawValue)
            writer.raw(key.genesisHash.bytes)
        }
    }
}

/// Payload de: V1 (index 0) holds several seeds, V2 (index 1) one seed and the features of its holder.
///
/// Source: Polkadot Vault, `ExportAddrs`.
public struct ExportAddrs: Sendable, Equatable {
    /// What the exporting signer can do; one byte each.
    public enum Feature: UInt8, Sendable {
        /// It reads and signs bulks, payload 04.
        case bulkOperations = 0
        /// It signs for derived keys, payloads 05 and 07, and answers payload df.
        case dynamicDerivations = 1
    }

    /// Exactly one in V2.
    public var seeds: [SeedInfo]
    /// nil in V1.
    public var features: [Feature]?

    /// V2.
    public init(seed: SeedInfo, features: [Feature]) {
        seeds = [seed]
        self.features = features
    }

    /// V1.
    public init(seeds: [SeedInfo]) {
        self.seeds = seeds
        features = nil
    }

    /// Reads the version and the content; the reader stands after them.
    /// - Throws: `SCALEError` for an unknown version or index, and for truncated bytes.
    public init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        switch try reader.u8() {
        case 0:
            seeds = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
                try SeedInfo(from: &element)
            }
            features = nil
        case 1:
            seeds = [try SeedInfo(from: &reader)]
            features = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
                let offset = element.offset
                let index = try element.u8()
                guard let feature = Feature(rawValue: index) else {
                    throw SCALEError(.invalidDiscriminant(index), offset: offset)
                }
                return feature
            }
        case let version: throw SCALEError(.invalidDiscriminant(version), offset: offset)
        }
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(into writer: inout SCALEWriter) {
        guard let features, seeds.count == 1 else {
            writer.u8(0)
            return writer.vector(seeds) { $1.encode(into: &$0) }
        }
        writer.u8(1)
        seeds[0].encode(into: &writer)
        writer.vector(features) { $0.u8($1.rawValue) }
    }
}

/// Payload df: the online side asks for the public keys of derivation paths under one root.
///
/// Encoding: version byte 0, root as MultiSigner, Vec of entries; each entry is path, scheme byte, genesis
/// hash. Source: Polkadot Vault, `DynamicDerivationsAddressRequest`.
public struct DynamicDerivationsRequest: Sendable, Equatable {
    /// A key that is asked for.
    public struct Entry: Sendable, Equatable {
        /// The derivation path, such as `//polkadot//0`; empty for the root key.
        public var path: String
        /// One byte, 0 to 3.
        public var scheme: SignatureScheme
        /// The network that the key is for.
        public var genesisHash: GenesisHash

        /// A key that is asked for.
        public init(path: String, scheme: SignatureScheme, genesisHash: GenesisHash) {
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }

        public static func == (one: Entry, other: Entry) -> Bool {
            one.path.utf8Equals(other.path) && one.scheme == other.scheme
                && one.genesisHash == other.genesisHash
        }
    }

    /// The sr25519 public key of the empty path, which identifies the seed.
    public var root: PublicKey
    /// In the order in which the answer lists the keys.
    public var entries: [Entry]

    /// A request for the keys of those paths.
    public init(root: PublicKey, entries: [Entry]) {
        self.root = root
        self.entries = entries
    }

    /// Reads the version, then what it holds; the reader stands after it.
    /// - Throws: `SCALEError` for an unknown version or index, and for truncated bytes.
    public init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let version = try reader.u8()
        guard version == 0 else { throw SCALEError(.invalidDiscriminant(version), offset: offset) }
        root = try PublicKey(multiSigner: &reader)
        entries = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
            Entry(
                path: try element.string(), scheme: try SignatureScheme(from: &element),
                genesisHash: try element.hash32())
        }
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(into writer: inout SCALEWriter) {
        writer.u8(0)
        root.encode(multiSigner: &writer)
        writer.vector(entries) { writer, entry in
            writer.string(entry.path)
            writer.u8(entry.scheme.rawValue)
            writer.raw(entry.genesisHash.bytes)
        }
    }
}

/// The answer to ``DynamicDerivationsRequest``.
///
/// Encoding: version byte 0, root as MultiSigner, Vec of keys; each is path, scheme byte, public key as
/// MultiSigner. Source: Polkadot Vault, `DynamicDerivationsAddressResponse`.
public struct DynamicDerivationsResponse: Sendable, Equatable {
    /// A key that was derived.
    public struct Derived: Sendable, Equatable {
        /// The path of the request.
        public var path: String
        /// One byte, 0 to 3.
        public var scheme: SignatureScheme
        /// The public key of the path; for an Ethereum-style key it is read back as an ecdsa key.
        public var key: PublicKey

        /// A key that was derived.
        public init(path: String, scheme: SignatureScheme, key: PublicKey) {
            self.path = path
            self.scheme = scheme
            self.key = key
        }

        public static func == (one: Derived, other: Derived) -> Bool {
            one.path.utf8Equals(other.path) && one.scheme == other.scheme && one.key == other.key
        }
    }

    /// The sr25519 public key of the empty path, which identifies the seed.
    public var root: PublicKey
    /// In the order of the request.
    public var derived: [Derived]

    /// An answer with those keys.
    public init(root: PublicKey, derived: [Derived]) {
        self.root = root
        self.derived = derived
    }

    init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let version = try reader.u8()
        guard version == 0 else { throw SCALEError(.invalidDiscriminant(version), offset: offset) }
        root = try PublicKey(multiSigner: &reader)
        derived = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
            Derived(
                path: try element.string(), scheme: try SignatureScheme(from: &element),
                key: try PublicKey(multiSigner: &element))
        }
    }

    /// Writes what `init(from:)` reads.
    public func encode(into writer: inout SCALEWriter) {
        writer.u8(0)
        root.encode(multiSigner: &writer)
        writer.vector(derived) { writer, derived in
            writer.string(derived.path)
            writer.u8(derived.scheme.rawValue)
            derived.key.encode(multiSigner: &writer)
        }
    }
}

extension SignatureScheme {
    /// The scheme byte, 0-3.
    init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let byte = try reader.u8()
        guard let scheme = SignatureScheme(rawValue: byte) else {
            throw SCALEError(.invalidDiscriminant(byte), offset: offset)
        }
        self = scheme
    }
}
