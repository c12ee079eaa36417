import Cards
import Metadata
import SCALE
import SubstratePrimitives

/// What a transaction's parts are decoded by: full metadata, or a metadata proof.
public struct TransactionSource: Sendable {
    public let registry: any TypeRegistry
    public let extrinsic: ExtrinsicDefinition
    public let runtimeVersion: RuntimeVersion

    public init(registry: any TypeRegistry, extrinsic: ExtrinsicDefinition, runtimeVersion: RuntimeVersion) {
        self.registry = registry
        self.extrinsic = extrinsic
        self.runtimeVersion = runtimeVersion
    }

    public init(_ metadata: RuntimeMetadata) {
        self.init(registry: metadata.registry, extrinsic: metadata.extrinsic, runtimeVersion: metadata.runtimeVersion)
    }
}

extension TransactionSource {
    /// Whether a place lies in the extension of that role.
    func isPart(_ place: String, of role: TransactionExtension.Role) -> Bool {
        extrinsic.extensions.contains {
            TransactionExtension.role(of: $0, in: registry) == role && "\(place).".hasPrefix("extensions.\($0.identifier).")
        }
    }
}

/// What the extensions of a transaction say; nil for what its runtime has no extension for.
public struct TransactionFacts: Sendable, Equatable {
    public internal(set) var specVersion: UInt32?
    public internal(set) var txVersion: UInt32?
    public internal(set) var genesisHash: GenesisHash?
    public internal(set) var era: Era?
    public internal(set) var blockHash: Hash32?
    public internal(set) var nonce: UInt128?
    /// In the smallest unit of the native token.
    public internal(set) var tip: UInt128?
    /// Whether the transaction commits to the hash of the metadata; nil where the runtime cannot check it.
    public internal(set) var metadataHashEnabled: Bool?
    public internal(set) var metadataHash: Hash32?
}

/// A transaction that was decoded to its last bit.
public struct DecodedTransaction: Sendable {
    public let method: [Card]
    public let extensions: [Card]
    public let warnings: [Card]
    /// Call ‖ explicit extensions ‖ implicit extensions: what is signed, before hashing.
    public let signingBytes: [UInt8]
    public let callBytes: [UInt8]
    /// The outer call, by the type `source.extrinsic.call`.
    public let call: Value
    /// Explicit and implicit parts, in the order of the runtime's extensions.
    public let explicit: [Value]
    public let implicit: [Value]
    public let facts: TransactionFacts
    /// Name by the metadata, version by the transaction; the two versions are equal.
    public let runtimeVersion: RuntimeVersion
    public let source: TransactionSource
}

/// Decodes transactions. Nothing here keeps or writes anything.
public enum Extrinsics {
    /// - Parameters:
    ///   - body: compact length ‖ call ‖ explicit ‖ implicit: all that stands between the signer and the trailing genesis hash.
    ///   - specs: of the network that the trailing genesis hash names.
    /// - Throws: ``ExtrinsicError`` for every byte that is not understood.
    public static func decode(
        body: some Collection<UInt8>, metadata: RuntimeMetadata, specs: NetworkSpecs
    ) throws(ExtrinsicError) -> DecodedTransaction {
        try decode(body: body, source: TransactionSource(metadata), specs: specs)
    }

    /// Decodes with a metadata proof alone; the transaction must commit to the hash that the proof leads to.
    ///
    /// - Parameter specs: of the network that the trailing genesis hash names; for a network that is not known,
    ///   ``NetworkSpecs/init(_:genesisHash:)`` makes them from the proof.
    public static func decode(
        body: some Collection<UInt8>, proof: MetadataProof, specs: NetworkSpecs
    ) throws(ExtrinsicError) -> DecodedTransaction {
        let info = proof.extraInfo
        func same(_ field: ExtrinsicError.SpecsField, _ isSame: Bool) throws(ExtrinsicError) {
            guard isSame else { throw ExtrinsicError(.specsMismatch(field), place: "proof.extra_info") }
        }
        try same(.name, info.specName == specs.name)
        try same(.base58Prefix, info.base58Prefix == specs.base58Prefix)
        try same(.decimals, info.decimals == specs.decimals)
        try same(.unit, info.tokenSymbol == specs.unit)
        let source = TransactionSource(registry: proof.registry, extrinsic: proof.extrinsic, runtimeVersion: proof.runtimeVersion)
        let decoded: DecodedTransaction
        do throws(ExtrinsicError) {
            decoded = try decode(body: body, source: source, specs: specs)
        } catch {
            // A proof made for an enabled hash has no leaf for the disabled mode.
            guard error.code == .metadata(.unknownVariant(0)), source.isPart(error.place, of: .metadataHash) else { throw error }
            throw ExtrinsicError(.metadataHashDisabled, place: error.place)
        }
        guard let hash = decoded.facts.metadataHash else {
            throw ExtrinsicError(.metadataHashDisabled, place: "extensions.CheckMetadataHash")
        }
        guard hash == proof.hash else {
            throw ExtrinsicError(
                .metadataHashMismatch(computed: proof.hash, transaction: hash), place: "extensions.CheckMetadataHash")
        }
        return decoded
    }

    static func decode(
        body: some Collection<UInt8>, source: TransactionSource, specs: NetworkSpecs
    ) throws(ExtrinsicError) -> DecodedTransaction {
        let bytes = Array(body)
        let types = TypeView(source.registry)
        let callRange = try callRange(of: bytes)
        // The extensions first: they say whether this metadata is the one to read the call with.
        let extensions = try ExtensionReader(source: source, types: types).read(
            SCALEReader(bytes, range: callRange.upperBound..<bytes.count))
        try check(extensions.facts, source: source, specs: specs)
        var decoder = ValueDecoder(types: types, reader: SCALEReader(bytes, range: callRange))
        let call: Value
        do throws(ValueError) {
            call = try decoder.value(source.extrinsic.call)
        } catch {
            throw ExtrinsicError(error, in: "call")
        }
        guard decoder.reader.remaining == 0 else {
            throw ExtrinsicError(.leftoverAfterCall(count: decoder.reader.remaining), place: "call")
        }
        var builder = CardBuilder(types: types, specs: specs, callType: source.extrinsic.call)
        let method = try builder.build(call, source.extrinsic.call, part: "call")
        let extensionCards = try ExtensionCards(types: types, specs: specs, source: source).build(extensions)
        return DecodedTransaction(
            method: method, extensions: extensionCards, warnings: [], signingBytes: Array(bytes[callRange.lowerBound...]),
            callBytes: Array(bytes[callRange]), call: call, explicit: extensions.explicit, implicit: extensions.implicit,
            facts: extensions.facts,
            runtimeVersion: RuntimeVersion(
                specName: source.runtimeVersion.specName, specVersion: extensions.facts.specVersion ?? source.runtimeVersion.specVersion),
            source: source)
    }

    /// The runtime version that the extensions of a transaction announce, read with this metadata's extensions; the call is not read.
    ///
    /// The metadata to decode with is the one whose own version is what it reads here.
    public static func announcedVersion(
        body: some Collection<UInt8>, metadata: RuntimeMetadata
    ) throws(ExtrinsicError) -> UInt32? {
        let bytes = Array(body)
        let callRange = try callRange(of: bytes)
        let source = TransactionSource(metadata)
        return try ExtensionReader(source: source, types: TypeView(source.registry)).read(
            SCALEReader(bytes, range: callRange.upperBound..<bytes.count)
        ).facts.specVersion
    }

    private static func callRange(of bytes: [UInt8]) throws(ExtrinsicError) -> Range<Int> {
        var reader = SCALEReader(bytes)
        do throws(SCALEError) {
            return try reader.range(count: try reader.count())
        } catch {
            throw ExtrinsicError(.encoding(error.code), place: "call")
        }
    }

    private static func check(
        _ facts: TransactionFacts, source: TransactionSource, specs: NetworkSpecs
    ) throws(ExtrinsicError) {
        guard let specVersion = facts.specVersion else { throw ExtrinsicError(.noSpecVersion, place: "extensions") }
        guard let genesis = facts.genesisHash else { throw ExtrinsicError(.noGenesis, place: "extensions") }
        guard genesis == specs.genesisHash else {
            throw ExtrinsicError(.genesisMismatch(payload: specs.genesisHash, transaction: genesis), place: "extensions.CheckGenesis")
        }
        guard specVersion == source.runtimeVersion.specVersion else {
            throw ExtrinsicError(
                .specVersionMismatch(metadata: source.runtimeVersion.specVersion, transaction: specVersion),
                place: "extensions.CheckSpecVersion")
        }
        if facts.era == .immortal, let blockHash = facts.blockHash, blockHash != genesis {
            throw ExtrinsicError(.immortalBlockHash(blockHash), place: "extensions.CheckMortality")
        }
        if let enabled = facts.metadataHashEnabled, enabled != (facts.metadataHash != nil) {
            throw ExtrinsicError(.metadataHashInconsistent, place: "extensions.CheckMetadataHash")
        }
    }
}

extension NetworkSpecs {
    /// The specs that a metadata proof speaks for, for showing a transaction of a network that is not known.
    public init(_ proof: MetadataProof, genesisHash: GenesisHash, scheme: SignatureScheme = .sr25519) {
        let info = proof.extraInfo
        self.init(
            name: info.specName, title: info.specName, base58Prefix: info.base58Prefix, decimals: info.decimals, unit: info.tokenSymbol,
            genesisHash: genesisHash, scheme: scheme)
    }
}
