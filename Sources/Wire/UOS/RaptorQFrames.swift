import Diagnostics
import RaptorQ

/// Frames of RFC 6330 packets: `0x80000000 + payload length` as big-endian u32, packet.
///
/// Source: the "Universal Offline Signatures" document for the header; RFC 6330 for the packet, which is the
/// source block number in 1 byte, the encoding symbol id in 3 bytes, big-endian, and the symbol.
public enum RaptorQFrames {
    /// Why a payload cannot be framed.
    public enum Failure: Error, Equatable, Sendable {
        /// Payload lengths have 31 bits in a frame.
        case payloadTooLong(Int)
        /// RFC 6330 cannot cut the payload that way: too many symbols or blocks, or an invalid symbol length.
        case raptorQ(RaptorQError)
    }

    /// Bytes before the symbol: the length, and the packet's own header.
    public static let headerLength = 8
    /// Bytes of a symbol that the reference sends.
    public static let standardSymbolLength = 1072

    /// Frames of one payload, its source symbols first.
    /// - `symbolLength`: bytes; nil takes the largest up to `limit` with as many symbols as RFC 6330 pads to
    ///   (K = K′), which readers of both repair numberings decode.
    /// - `limit`: the most bytes of a symbol, if `symbolLength` is nil.
    /// - `repairPercent`: repair symbols for each hundred source symbols; the reference sends one for each
    ///   whole symbol of the payload.
    /// - `numbering`: how repair symbols are numbered where K differs from K′. The readers in use number them
    ///   from K′.
    public static func frames(
        of payload: [UInt8], symbolLength: Int? = nil, limit: Int = standardSymbolLength,
        repairPercent: Int = 100,
        numbering: RepairNumbering = .kPrime
    ) throws(Failure) -> [[UInt8]] {
        precondition(repairPercent >= 0, "a share is not negative")
        guard payload.count <= maximumPayloadLength else { throw .payloadTooLong(payload.count) }
        let symbol =
            symbolLength ?? RaptorQEncoder.symbolLength(forPayloadOf: payload.count, atMost: limit) ?? limit
            / 8 * 8
        do throws(RaptorQError) {
            let encoder = try RaptorQEncoder(payload: payload, symbolLength: symbol, numbering: numbering)
            let repair = payload.count / symbol * repairPercent / 100
            return framed(encoder.packets(repair: repair), of: payload)
        } catch {
            throw .raptorQ(error)
        }
    }

    /// Frames that every reader decodes, whichever way it numbers repair symbols:
    /// `RaptorQEncoder.packetsForEveryReader(of:atMost:)`.
    /// - Parameters:
    ///   - payload: 1 byte to 2^31 - 1 bytes
    ///   - limit: bytes of a symbol at most, a multiple of 8 and 16 or more
    public static func framesForEveryReader(of payload: [UInt8], atMost limit: Int) throws(RaptorQError)
        -> [[UInt8]]
    {
        precondition(payload.count <= maximumPayloadLength, "a payload length has 31 bits")
        return framed(try RaptorQEncoder.packetsForEveryReader(of: payload, atMost: limit), of: payload)
    }

    /// The fewest frames that every reader decodes: one for a payload of one symbol, source symbols alone
    /// for a payload of two to nine, and those of ``framesForEveryReader(of:atMost:)`` for a longer one.
    ///
    /// Signers read a single frame: Talisman sends one for a payload of one symbol.
    /// - Parameters:
    ///   - payload: 1 byte to 2^31 - 1 bytes
    ///   - limit: bytes of a symbol at most, 16 or more
    public static func fewFrames(of payload: [UInt8], atMost limit: Int) throws(RaptorQError) -> [[UInt8]] {
        guard let symbol = fewSymbolsLength(of: payload, atMost: limit) else {
            return try framesForEveryReader(of: payload, atMost: limit / alignment * alignment)
        }
        return framed(
            try RaptorQEncoder(payload: payload, symbolLength: symbol).packets(repair: 0), of: payload)
    }

    /// The symbol length for a payload of fewer than ten symbols, which is sent without repair symbols; nil
    /// for a longer payload.
    ///
    /// Readers agree on the numbers of repair symbols only from ten source symbols on. A payload of two to
    /// nine would need ten source symbols and ten for repair, more than its source symbols alone, which every
    /// reader decodes. All symbols have the same length; the last has less than 8 bytes of padding for each.
    /// - `limit`: bytes of a symbol at most, 16 or more
    public static func fewSymbolsLength(of payload: [UInt8], atMost limit: Int) -> Int? {
        let longest = limit / alignment * alignment
        let count = max(1, (payload.count + longest - 1) / longest)
        guard count < fewestExtendedSymbols else { return nil }
        let even = (payload.count + count - 1) / count
        return max(shortestSymbolLength, (even + alignment - 1) / alignment * alignment)
    }

    /// Readers of both alignments of short symbols agree on multiples of it.
    private static let alignment = 8
    /// No reader is known to take shorter ones.
    private static let shortestSymbolLength = 16
    /// The smallest K′ of RFC 6330, table 2.
    private static let fewestExtendedSymbols = 10

    private static let maximumPayloadLength = (1 << 31) - 1

    private static func framed(_ packets: [[UInt8]], of payload: [UInt8]) -> [[UInt8]] {
        packets.map { QRContent.raptorQ(payloadLength: payload.count, packet: $0[...]).bytes }
    }
}

extension RaptorQFrames.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .payloadTooLong(let count):
            .badInput(
                "payload-too-long",
                "the payload has \(Sentence.count(count, "byte")), more than RaptorQ frames can announce")
        case .raptorQ(.payloadLengthOutOfRange(length: 0)): LegacyFrames.Failure.emptyPayload.diagnostic
        case .raptorQ(let error):
            .badInput(
                "raptorq",
                "the payload does not fit in RaptorQ frames: \(error.sentence)")
        }
    }

    public static var examples: [Self] {
        [
            .payloadTooLong(1 << 31), .raptorQ(.payloadLengthOutOfRange(length: 0)),
            .raptorQ(.tooManySourceBlocks(count: 300)),
        ]
    }
}
