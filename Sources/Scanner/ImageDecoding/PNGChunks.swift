import CPNG
import ScanProtocol

/// The chunks of a PNG file. Source: PNG specification (third edition), 5.3.
struct PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    struct Chunk {
        let type: String
        /// Where the data is in the file.
        let data: Range<Int>
    }

    let bytes: [UInt8]
    private var offset = PNGChunks.signature.count

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next chunk with its checksum verified, nil after the last byte.
    mutating func next() throws(PictureProblem) -> Chunk? {
        guard offset < bytes.count else { return nil }
        guard bytes.count - offset >= 12, let length = Int(exactly: u32(offset)) else { throw .truncated }
        guard length <= Int(Int32.max) else { throw .corrupt }
        guard length <= bytes.count - offset - 12 else { throw .truncated }
        let data = (offset + 8)..<(offset + 8 + length)
        guard Self.checksum(bytes[(offset + 4)..<data.upperBound]) == u32(data.upperBound) else {
            throw .corrupt
        }
        let type = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self)
        offset = data.upperBound + 4
        return Chunk(type: type, data: data)
    }

    /// Four bytes, most significant first.
    func u32(_ position: Int) -> UInt32 {
        bytes[position..<(position + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func checksum(_ slice: ArraySlice<UInt8>) -> UInt32 {
        slice.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, uInt($0.count))) }
    }

    /// A whole chunk with length and checksum.
    static func encode(type: String, _ data: ArraySlice<UInt8>) -> [UInt8] {
        let typed = Array(type.utf8) + data
        return bigEndian(UInt32(data.count)) + typed + bigEndian(checksum(typed[...]))
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
}
