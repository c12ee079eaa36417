import RaptorQ

/// Frames of RFC 6330 packets: `0x80000000 + payload length` as big-endian u32, packet.
public enum RaptorQFrames {
    public enum Failure: Error, Equatable, Sendable {
        /// Payload lengths have 31 bits in a frame.
        case payloadTooLong(Int)
        case raptorQ(RaptorQError)
    }

    /// Bytes before the symbol: the length, and the packet's own header.
    public static let headerLength = 8
    /// Bytes of a symbol that the reference sends.
    public static let standardSymbolLength = 1072

    /// Frames of one payload, its source symbols first.
    /// - Parameters:
    ///   - symbolLength: bytes; nil takes the largest up to `limit` with as many symbols as RFC 6330 pads to (K = K′), which readers of
    ///     both repair numberings decode.
    ///   - limit: bytes of a symbol at most, where none is given.
    ///   - repairPercent: repair symbols for each hundred source symbols; the reference sends one for each whole symbol of the payload.
    ///   - numbering: how repair symbols are numbered where K differs from K′. The readers in use number them from K′.
    public static func frames(
        of payload: [UInt8], symbolLength: Int? = nil, limit: Int = standardSymbolLength, repairPercent: Int = 100,
        numbering: RepairNumbering = .kPrime
    ) throws(Failure) -> [[UInt8]] {
        precondition(repairPercent >= 0, "a share is not negative")
        guard let length = UInt32(exactly: payload.count), length < 1 << 31 else { throw .payloadTooLong(payload.count) }
        let symbol = symbolLength ?? RaptorQEncoder.symbolLength(forPayloadOf: payload.count, atMost: limit) ?? limit / 8 * 8
        let announced = length | 1 << 31
        let head = [UInt8(announced >> 24), UInt8(announced >> 16 & 0xff), UInt8(announced >> 8 & 0xff), UInt8(announced & 0xff)]
        do throws(RaptorQError) {
            let encoder = try RaptorQEncoder(payload: payload, symbolLength: symbol, numbering: numbering)
            let repair = payload.count / symbol * repairPercent / 100
            return encoder.packets(repair: repair).map { head + $0 }
        } catch {
            throw .raptorQ(error)
        }
    }
}
