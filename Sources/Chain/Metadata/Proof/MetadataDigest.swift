import Hashing
import SCALE
import SubstratePrimitives

/// What the hash of metadata covers besides types: RFC-0078, `ExtraInfo`.
public struct ExtraInfo: Sendable, Equatable {
    /// The runtime's version, from its constant `System.Version`.
    public var specVersion: UInt32
    /// The runtime's name, from its constant `System.Version`.
    public var specName: String
    /// The prefix of the network's SS58 addresses.
    public var base58Prefix: UInt16
    /// Decimals of the native token: its smallest unit is 10⁻ᵈ.
    public var decimals: UInt8
    /// The native token's symbol, `DOT`.
    public var tokenSymbol: String

    /// Values that the chain's own build put into its hash; any other value gives another hash.
    public init(
        specVersion: UInt32, specName: String, base58Prefix: UInt16, decimals: UInt8, tokenSymbol: String
    ) {
        self.specVersion = specVersion
        self.specName = specName
        self.base58Prefix = base58Prefix
        self.decimals = decimals
        self.tokenSymbol = tokenSymbol
    }

    /// The runtime's own name and version, and the network's prefix, decimals and unit.
    public init(_ version: RuntimeVersion, _ specs: NetworkSpecs) {
        self.init(
            specVersion: version.specVersion, specName: version.specName, base58Prefix: specs.base58Prefix,
            decimals: specs.decimals,
            tokenSymbol: specs.unit)
    }

    public static func == (one: ExtraInfo, other: ExtraInfo) -> Bool {
        SCALEWriter.encode { one.encode(into: &$0) } == SCALEWriter.encode { other.encode(into: &$0) }
    }

    /// Reads the fields in their order; the reader stands after them.
    /// - Throws: `SCALEError` for truncated bytes and for a text that is not UTF-8.
    public init(from reader: inout SCALEReader) throws(SCALEError) {
        specVersion = try reader.integer()
        specName = try reader.string()
        base58Prefix = try reader.integer()
        decimals = try reader.u8()
        tokenSymbol = try reader.string()
    }

    /// u32 version, name, u16 prefix, u8 decimals, symbol; integers little-endian, texts with a compact count
    /// of bytes.
    public func encode(into writer: inout SCALEWriter) {
        writer.integer(specVersion)
        writer.string(specName)
        writer.integer(base58Prefix)
        writer.u8(decimals)
        writer.string(tokenSymbol)
    }
}

/// The digest of a runtime's metadata; its hash is what `CheckMetadataHash` compares.
///
/// Source: RFC-0078, "Metadata digest".
public struct MetadataDigest: Sendable, Equatable {
    /// The BLAKE3 root of the tree over all types that the extrinsic reaches.
    let typesTreeRoot: Hash32
    /// The BLAKE3 of the encoded `ExtrinsicMetadata`.
    let extrinsicMetadataHash: Hash32
    /// Name, version, prefix, decimals and symbol.
    let extraInfo: ExtraInfo

    /// A digest of those parts, as a proof leads to them.
    init(typesTreeRoot: Hash32, extrinsicMetadataHash: Hash32, extraInfo: ExtraInfo) {
        self.typesTreeRoot = typesTreeRoot
        self.extrinsicMetadataHash = extrinsicMetadataHash
        self.extraInfo = extraInfo
    }

    /// The digest of full metadata. It is defined over version 15; version 16 gives the same digest if it
    /// lists the types in the same order.
    /// - Throws: ``MetadataError/Reason/versionTooOld(_:)`` before version 15, and other reasons for a
    ///   malformed type.
    public init(of metadata: RuntimeMetadata, extraInfo: ExtraInfo) throws(MetadataError) {
        let types = try MerkleTypes(metadata)
        self.init(
            typesTreeRoot: MerkleTree(leaves: types.leaves.map { BLAKE3.hash($0.encoded) }).root,
            extrinsicMetadataHash: Hash32(BLAKE3.hash(types.extrinsic))!, extraInfo: extraInfo)
    }

    /// BLAKE3 of the encoded digest: the version byte 1, both hashes, the extra info.
    public var hash: Hash32 {
        Hash32(
            BLAKE3.hash(
                SCALEWriter.encode {
                    // Version 1.
                    $0.u8(1)
                    $0.raw(typesTreeRoot.bytes)
                    $0.raw(extrinsicMetadataHash.bytes)
                    extraInfo.encode(into: &$0)
                }))!
    }
}
