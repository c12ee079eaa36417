/// One encoding packet: FEC payload id, then one symbol.
///
/// Layout: source block number (1 byte), encoding symbol id (3 bytes, big-endian), symbol. RFC 6330, section
/// 3.2.
public struct EncodingPacket: Hashable, Sendable {
    /// Bytes of the FEC payload id.
    public static let headerLength = 4
    /// The largest encoding symbol id, 2^24 − 1.
    public static let maximumSymbolID = 0xff_ffff

    /// Source block number (SBN), from 0.
    public let sourceBlockNumber: Int
    /// Encoding symbol id (ESI), 0…2^24 − 1.
    public let encodingSymbolID: Int
    public let symbol: ArraySlice<UInt8>

    /// Reads a packet; at least one byte of symbol must follow the payload id.
    public init(parsing packet: ArraySlice<UInt8>) throws(RaptorQError) {
        guard packet.count > Self.headerLength else { throw .packetTooShort(length: packet.count) }
        let start = packet.startIndex
        sourceBlockNumber = Int(packet[start])
        encodingSymbolID = Int(packet[start + 1]) << 16 | Int(packet[start + 2]) << 8 | Int(packet[start + 3])
        symbol = packet[(start + Self.headerLength)...]
    }

    /// The four bytes in front of the symbol. `block` is below 256 and `id` below 2^24.
    static func header(block: Int, id: Int) -> [UInt8] {
        [block, id >> 16, id >> 8, id].map { UInt8(truncatingIfNeeded: $0) }
    }

    public var bytes: [UInt8] { Self.header(block: sourceBlockNumber, id: encodingSymbolID) + symbol }
}
