import SCALE
import SubstratePrimitives

/// A public key with its scheme as an enum index: ed25519 0, sr25519 1, ecdsa 2.
extension PublicKey {
    public init(multiSigner reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let index = try reader.u8()
        guard let scheme = SignatureScheme(rawValue: index), scheme != .ethereum else {
            throw SCALEError(.invalidDiscriminant(index), offset: offset)
        }
        self.init(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))!
    }

    /// The encoding as MultiSigner; an Ethereum-style key is an ecdsa key there.
    public func encode(multiSigner writer: inout SCALEWriter) {
        writer.u8(scheme == .ethereum ? SignatureScheme.ecdsa.rawValue : scheme.rawValue)
        writer.raw(bytes)
    }
}

/// The keys that another signer derived from one seed.
public struct SeedInfo: Sendable, Equatable {
    public struct DerivedKey: Sendable, Equatable {
        /// SS58 for ed25519 and sr25519; `0x` and 66 hex digits of the key for ecdsa and Ethereum-style keys.
        public var address: String
        /// nil for the root key.
        public var path: String?
        public var scheme: SignatureScheme
        public var genesisHash: GenesisHash

        public init(address: String, path: String?, scheme: SignatureScheme, genesisHash: GenesisHash) {
            self.address = address
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }

        public static func == (one: DerivedKey, other: DerivedKey) -> Bool {
            one.address.utf8Equals(other.address) && one.path.utf8Equals(other.path) && one.scheme == other.scheme
                && one.genesisHash == other.genesisHash
        }
    }

    public var name: String
    public var root: PublicKey
    public var keys: [DerivedKey]

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
            let path = try element.option { (inner: inout SCALEReader) throws(SCALEError) in try inner.string() }
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
public struct ExportAddrs: Sendable, Equatable {
    public enum Feature: UInt8, Sendable {
        case bulkOperations = 0
        case dynamicDerivations = 1
    }

    public var seeds: [SeedInfo]
    /// nil in V1.
    public var features: [Feature]?

    public init(seed: SeedInfo, features: [Feature]) {
        seeds = [seed]
        self.features = features
    }

    /// V1.
    public init(seeds: [SeedInfo]) {
        self.seeds = seeds
        features = nil
    }

    public init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        switch try reader.u8() {
        case 0:
            seeds = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in try SeedInfo(from: &element) }
            features = nil
        case 1:
            seeds = [try SeedInfo(from: &reader)]
            features = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
                let offset = element.offset
                let index = try element.u8()
                guard let feature = Feature(rawValue: index) else { throw SCALEError(.invalidDiscriminant(index), offset: offset) }
                return feature
            }
        case let version: throw SCALEError(.invalidDiscriminant(version), offset: offset)
        }
    }

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

/// Payload df: the hot side asks for the public keys of paths under one root.
public struct DynamicDerivationsRequest: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        public var path: String
        public var scheme: SignatureScheme
        public var genesisHash: GenesisHash

        public init(path: String, scheme: SignatureScheme, genesisHash: GenesisHash) {
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }

        public static func == (one: Entry, other: Entry) -> Bool {
            one.path.utf8Equals(other.path) && one.scheme == other.scheme && one.genesisHash == other.genesisHash
        }
    }

    public var root: PublicKey
    public var entries: [Entry]

    public init(root: PublicKey, entries: [Entry]) {
        self.root = root
        self.entries = entries
    }

    public init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let version = try reader.u8()
        guard version == 0 else { throw SCALEError(.invalidDiscriminant(version), offset: offset) }
        root = try PublicKey(multiSigner: &reader)
        entries = try reader.vector { (element: inout SCALEReader) throws(SCALEError) in
            Entry(path: try element.string(), scheme: try SignatureScheme(from: &element), genesisHash: try element.hash32())
        }
    }

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
public struct DynamicDerivationsResponse: Sendable, Equatable {
    public struct Derived: Sendable, Equatable {
        public var path: String
        public var scheme: SignatureScheme
        public var key: PublicKey

        public init(path: String, scheme: SignatureScheme, key: PublicKey) {
            self.path = path
            self.scheme = scheme
            self.key = key
        }

        public static func == (one: Derived, other: Derived) -> Bool {
            one.path.utf8Equals(other.path) && one.scheme == other.scheme && one.key == other.key
        }
    }

    public var root: PublicKey
    public var derived: [Derived]

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
            Derived(path: try element.string(), scheme: try SignatureScheme(from: &element), key: try PublicKey(multiSigner: &element))
        }
    }

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
        guard let scheme = SignatureScheme(rawValue: byte) else { throw SCALEError(.invalidDiscriminant(byte), offset: offset) }
        self = scheme
    }
}
