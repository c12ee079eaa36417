import SCALE
import SubstratePrimitives
import UOS

/// A block header of a chain with 32-bit block numbers and BLAKE2b hashes.
///
/// Parent hash 32 ‖ compact number ‖ state root 32 ‖ extrinsics root 32 ‖ vector of digest items. The hash of
/// the block is BLAKE2b-256 of all of it, the seal included.
public struct BlockHeader: Equatable, Sendable {
    /// A note of consensus in a header; the four-byte engine says whose.
    public enum DigestItem: Equatable, Sendable {
        case other([UInt8])
        case consensus(engine: [UInt8], [UInt8])
        case seal(engine: [UInt8], [UInt8])
        case preRuntime(engine: [UInt8], [UInt8])
        case runtimeEnvironmentUpdated

        init(from reader: inout SCALEReader) throws(SCALEError) {
            let offset = reader.offset
            switch try reader.u8() {
            case 0: self = .other(try reader.byteVector())
            case 4: self = .consensus(engine: try reader.bytes(count: 4), try reader.byteVector())
            case 5: self = .seal(engine: try reader.bytes(count: 4), try reader.byteVector())
            case 6: self = .preRuntime(engine: try reader.bytes(count: 4), try reader.byteVector())
            case 8: self = .runtimeEnvironmentUpdated
            case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: offset)
            }
        }

        func encode(into writer: inout SCALEWriter) {
            func item(_ byte: UInt8, _ engine: [UInt8], _ data: [UInt8]) {
                writer.u8(byte)
                writer.raw(engine)
                writer.byteVector(data)
            }
            switch self {
            case .other(let data): item(0, [], data)
            case .consensus(let engine, let data): item(4, engine, data)
            case .seal(let engine, let data): item(5, engine, data)
            case .preRuntime(let engine, let data): item(6, engine, data)
            case .runtimeEnvironmentUpdated: writer.u8(8)
            }
        }
    }

    /// More digest items than any chain writes; each may be a single byte.
    public static let maximumDigestItems = 64
    /// `RPSR`: the consensus item of a parachain that names a relay parent's state root.
    static let relayState = Array("RPSR".utf8)

    public let parent: Hash32
    public let number: UInt32
    public let stateRoot: Hash32
    public let extrinsicsRoot: Hash32
    public let digest: [DigestItem]

    /// A header of those parts.
    public init(
        parent: Hash32, number: UInt32, stateRoot: Hash32, extrinsicsRoot: Hash32, digest: [DigestItem]
    ) {
        self.parent = parent
        self.number = number
        self.stateRoot = stateRoot
        self.extrinsicsRoot = extrinsicsRoot
        self.digest = digest
    }

    /// Decodes a header that takes all bytes, in its only encoding.
    /// - Throws: ``StateProofError/limit(_:_:)`` above 4,096 bytes, else ``StateProofError/header(offset:)``
    public init(_ bytes: [UInt8]) throws(StateProofError) {
        guard bytes.count <= StateLimit.header.maximum else { throw .limit(.header, bytes.count) }
        do throws(SCALEError) {
            var reader = SCALEReader(bytes)
            parent = try reader.hash32()
            number = try reader.compactU32()
            stateRoot = try reader.hash32()
            extrinsicsRoot = try reader.hash32()
            let count = try reader.count()
            guard count <= Self.maximumDigestItems else {
                throw reader.error(
                    .countExceedsInput(count: UInt64(count), available: Self.maximumDigestItems))
            }
            var digest: [DigestItem] = []
            for _ in 0..<count { digest.append(try DigestItem(from: &reader)) }
            self.digest = digest
            try reader.finish()
        } catch {
            throw .header(offset: error.offset)
        }
        // One header has one hash: a second encoding would be a second block.
        guard encoded == bytes else { throw .header(offset: 0) }
    }

    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(parent.bytes)
            writer.compact(UInt64(number))
            writer.raw(stateRoot.bytes)
            writer.raw(extrinsicsRoot.bytes)
            writer.vector(digest) { $1.encode(into: &$0) }
        }
    }

    /// The hash of the block.
    public var hash: Hash32 { .blake2b(of: encoded) }

    /// The state root of the relay parent, which the relay chain's validators enforce: root 32 ‖ compact
    /// number of the relay parent.
    /// - Throws: ``StateProofError/Hop/noRelayState`` unless exactly one digest item of at least 33 bytes has
    ///   it
    func relayStateRoot() throws(StateProofError) -> Hash32 {
        var found: [[UInt8]] = []
        for case .consensus(Self.relayState, let data) in digest { found.append(data) }
        guard found.count == 1, found[0].count >= 33, let root = Hash32(found[0].prefix(32)) else {
            throw .hop(.noRelayState)
        }
        return root
    }
}

extension SCALEReader {
    /// A compact integer of at most 32 bits.
    mutating func compactU32() throws(SCALEError) -> UInt32 {
        let start = offset
        guard let value = UInt32(exactly: try compact()) else {
            throw SCALEError(.compactTooWide(bits: 32), offset: start)
        }
        return value
    }
}
