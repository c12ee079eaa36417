/// What the bytes of one QR code are, told by their first byte.
public enum QRContent: Sendable, Equatable {
    /// A Banana Split share: a bare JSON object.
    case share([UInt8])
    /// `payloadLength` bytes cut by RFC 6330; `packet` is source block number, encoding symbol id, symbol.
    case raptorQ(payloadLength: Int, packet: ArraySlice<UInt8>)
    /// One frame of a payload, marked by a first byte `00`.
    case legacy(LegacyFrame)
    /// Anything else: a whole payload, an answer as text, or a code that has nothing to do with this scan.
    case plain([UInt8])

    /// - Throws: ``TransportError`` when an envelope is announced and not kept.
    public init(_ code: [UInt8]) throws(TransportError) {
        let data = RawCodewords.data(of: code) ?? code
        guard let first = data.first else { throw .emptyCode }
        switch first {
        // A keystore of a wallet is JSON as well. As a payload it is refused as what it is.
        case UInt8(ascii: "{"): self = ForeignCode(data) == .keystore ? .plain(data) : .share(data)
        case 0x80...: self = try Self.raptorQ(data)
        case 0: self = .legacy(try LegacyFrame(data))
        default: self = .plain(data)
        }
    }

    /// The bytes that ``init(_:)`` reads as this content.
    /// - Precondition: `payloadLength` has 31 bits.
    public var bytes: [UInt8] {
        switch self {
        case .share(let data), .plain(let data): data
        case .legacy(let frame): frame.bytes
        case .raptorQ(let length, let packet):
            [
                0x80 | UInt8(length >> 24), UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff),
                UInt8(length & 0xff),
            ] + packet
        }
    }

    /// 4 bytes BE `0x80000000 + payload length`, then the packet.
    private static func raptorQ(_ data: [UInt8]) throws(TransportError) -> QRContent {
        // Four bytes of packet header and the shortest symbol that any sender uses would be 16; one byte is
        // the minimum.
        guard data.count > RaptorQFrames.headerLength else { throw .frameTooShort(bytes: data.count) }
        let length = data.prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        return .raptorQ(payloadLength: length, packet: data[4...])
    }
}

/// `00` ‖ frame count u16 BE ‖ frame index u16 BE (from 0) ‖ part of the payload.
public struct LegacyFrame: Sendable, Equatable {
    /// Frames of the payload, 1…65535.
    public let count: Int
    /// Below ``count``.
    public let index: Int
    /// 1 byte or more.
    public let part: [UInt8]

    init(count: UInt16, index: UInt16, part: some Sequence<UInt8>) {
        self.count = Int(count)
        self.index = Int(index)
        self.part = Array(part)
    }

    var bytes: [UInt8] {
        [0, UInt8(count >> 8), UInt8(count & 0xff), UInt8(index >> 8), UInt8(index & 0xff)] + part
    }

    init(_ data: [UInt8]) throws(TransportError) {
        guard data.count > LegacyFrames.headerLength else { throw .frameTooShort(bytes: data.count) }
        count = Int(data[1]) << 8 | Int(data[2])
        index = Int(data[3]) << 8 | Int(data[4])
        part = Array(data[LegacyFrames.headerLength...])
        guard index < count else { throw .frameIndexOutOfRange(index: index, count: count) }
    }
}

/// A dump of a byte-mode QR code as its codewords: nibble 4, a length, the data, filler `ec 11`.
enum RawCodewords {
    /// The data, or nil when the bytes are not such a dump.
    static func data(of code: [UInt8]) -> [UInt8]? {
        guard let first = code.first, first >> 4 == 4 else { return nil }
        // Versions 1-9 count in 8 bits, later ones in 16.
        return data(of: code, lengthBits: 16) ?? data(of: code, lengthBits: 8)
    }

    private static func data(of code: [UInt8], lengthBits: Int) -> [UInt8]? {
        func byte(atNibble nibble: Int) -> UInt8? {
            let index = nibble / 2
            guard index < code.count else { return nil }
            guard nibble.isMultiple(of: 2) == false else { return code[index] }
            guard index + 1 < code.count else { return nil }
            return code[index] << 4 | code[index + 1] >> 4
        }
        var length = 0
        for step in 0..<(lengthBits / 8) {
            guard let next = byte(atNibble: 1 + 2 * step) else { return nil }
            length = length << 8 | Int(next)
        }
        let start = 1 + lengthBits / 4
        var data: [UInt8] = []
        for step in 0..<length {
            guard let next = byte(atNibble: start + 2 * step) else { return nil }
            data.append(next)
        }
        // Four terminator bits complete the last byte; only filler may follow.
        let end = start + 2 * length
        guard length > 0, end / 2 < code.count, code[end / 2] & 0x0f == 0 else { return nil }
        let filler: [UInt8] = [0xec, 0x11]
        for (step, next) in code[(end / 2 + 1)...].enumerated() where next != filler[step % 2] { return nil }
        return data
    }
}
