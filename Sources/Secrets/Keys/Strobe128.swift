import CSodium
import Hashing

/// The subset of STROBE v1.0.2 at 128 bits that Merlin uses: meta-AD, AD, PRF and KEY.
///
/// Source: strobe.sourceforge.io/specs (section 5 and 7). The state lives at one address and is wiped when it
/// is released.
struct Strobe128: ~Copyable {
    /// Bytes of a block: 200 − 2·128/8 − 2.
    private static let rate = 166

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let inbound = Flags(rawValue: 1)
        static let application = Flags(rawValue: 2)
        static let cipher = Flags(rawValue: 4)
        static let meta = Flags(rawValue: 16)
    }

    private let lanes: UnsafeMutablePointer<KeccakF1600.State>
    private let bytes: UnsafeMutablePointer<UInt8>
    private var position = 0
    private var positionOfBegin: UInt8 = 0

    init(protocolLabel: StaticString) {
        self.init(lanes: KeccakF1600.State(repeating: 0))
        let header: [UInt8] = [1, UInt8(Self.rate + 2), 1, 0, 1, 96] + Array("STROBEv1.0.2".utf8)
        for (index, byte) in header.enumerated() { bytes[index] = byte }
        KeccakF1600.permute(&lanes.pointee)
        metaAssociate(protocolLabel)
    }

    private init(lanes state: KeccakF1600.State) {
        lanes = .allocate(capacity: 1)
        lanes.initialize(to: state)
        bytes = UnsafeMutableRawPointer(lanes).bindMemory(to: UInt8.self, capacity: 200)
    }

    deinit {
        sodium_memzero(bytes, 200)
        lanes.deallocate()
    }

    borrowing func copy() -> Strobe128 {
        var other = Strobe128(lanes: lanes.pointee)
        other.position = position
        other.positionOfBegin = positionOfBegin
        return other
    }

    mutating func metaAssociate(_ label: StaticString) {
        begin([.meta, .application])
        absorb(UnsafeRawBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount))
    }

    /// meta-AD of a label, continued by a length of four bytes, little-endian.
    mutating func metaAssociate(_ label: StaticString, length: Int) {
        metaAssociate(label)
        withUnsafeBytes(of: UInt32(length).littleEndian) { absorb($0) }
    }

    mutating func metaAssociate(_ data: UnsafeRawBufferPointer) {
        begin([.meta, .application])
        absorb(data)
    }

    mutating func associate(_ data: UnsafeRawBufferPointer) {
        begin([.application])
        absorb(data)
    }

    mutating func generate(into out: UnsafeMutableRawBufferPointer) {
        begin([.inbound, .application, .cipher])
        for index in out.indices {
            out[index] = bytes[position]
            bytes[position] = 0
            advance()
        }
    }

    mutating func key(_ data: UnsafeRawBufferPointer) {
        begin([.application, .cipher])
        for byte in data {
            bytes[position] = byte
            advance()
        }
    }

    private mutating func begin(_ flags: Flags) {
        let previous = positionOfBegin
        positionOfBegin = UInt8(position + 1)
        xor(previous)
        xor(flags.rawValue)
        if flags.contains(.cipher) && position != 0 { permute() }
    }

    private mutating func absorb(_ data: UnsafeRawBufferPointer) {
        for byte in data { xor(byte) }
    }

    @inline(__always)
    private mutating func xor(_ byte: UInt8) {
        bytes[position] ^= byte
        advance()
    }

    @inline(__always)
    private mutating func advance() {
        position += 1
        if position == Self.rate { permute() }
    }

    private mutating func permute() {
        bytes[position] ^= positionOfBegin
        bytes[position + 1] ^= 0x04
        bytes[Self.rate + 1] ^= 0x80
        KeccakF1600.permute(&lanes.pointee)
        position = 0
        positionOfBegin = 0
    }
}
