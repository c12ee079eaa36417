import Hashing
import SCALE

/// A 32-byte hash: of a genesis block, a block, metadata.
public struct Hash32: Sendable, Hashable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// nil unless there are exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// From 64 hex digits, with or without `0x`.
    public init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes)
    }

    public static func blake2b(of bytes: some Sequence<UInt8>) -> Hash32 { Hash32(BLAKE2b.hash(bytes))! }

    /// 64 lower-case hex digits without `0x`.
    public var hex: String { Hex.encode(bytes) }
    public var description: String { hex }
}

/// The hash of block 0: the identity of a chain.
public typealias GenesisHash = Hash32

/// An account of 32 bytes: a public key, or a hash that a chain uses as one.
public typealias AccountID32 = Hash32

extension SCALEReader {
    public mutating func hash32() throws(SCALEError) -> Hash32 { Hash32(try bytes(count: 32))! }
}
