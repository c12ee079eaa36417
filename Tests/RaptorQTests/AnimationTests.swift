import FoundationEssentials
import Glibc
import Hashing
import RaptorQ
import TestSupport
import Testing

/// The Polkadot 9190 metadata animation as published: 617 frames, K = 309, K′ = 324, repair symbols numbered
/// from K′.
///
/// The frames are read from the published picture by `tools/dev frames`, which needs the shared data.
struct AnimationTests {
    static let payloadLength = 331_149
    static let symbolLength = 1072
    static let sourceSymbols = 309

    /// QR contents without the four bytes of the envelope.
    static let packets: [[UInt8]]? = loadAnimation()

    /// nil when the test is to be skipped.
    private func requirePackets() throws -> [[UInt8]]? {
        if Self.packets == nil {
            try SharedData.skip("frames of the animation: `tools/dev frames` makes them from it")
        }
        return Self.packets
    }

    @Test func thePublishedFramesDecodeInOrder() throws {
        guard let packets = try requirePackets() else { return }
        #expect(packets.count == 617)
        var decoder = try RaptorQDecoder(payloadLength: Self.payloadLength, packetLength: Self.symbolLength)
        for packet in packets.prefix(Self.sourceSymbols - 1) {
            #expect(try decoder.add(packet: packet).state == .collecting)
        }
        #expect(try decoder.add(packet: packets[Self.sourceSymbols - 1]).isComplete)
        let candidate = try #require(decoder.candidates.first)
        #expect(candidate.payload.count == Self.payloadLength)
        #expect(candidate.payload.starts(with: [0x53, 0x01, 0x80]))
        #expect(candidate.numbering == nil)
    }

    @Test func allRepairFramesAndOneSourceFrameDecode() throws {
        guard let packets = try requirePackets() else { return }
        let payload = try sourcePayload(packets)
        for source in [0, 100, 308] {
            var decoder = try RaptorQDecoder(
                payloadLength: Self.payloadLength, packetLength: Self.symbolLength)
            try decoder.add(packet: packets[source])
            for packet in packets.suffix(308) { try decoder.add(packet: packet) }
            #expect(decoder.candidates.contains { $0.payload == payload && $0.numbering == .kPrime })
        }
    }

    @Test func aRandomHalfIsSettledByOneFurtherFrame() throws {
        guard let packets = try requirePackets() else { return }
        let payload = try sourcePayload(packets)
        var random = Xorshift(seed: 9190)
        for _ in 0..<10 {
            let shuffled = packets.shuffled(using: &random)
            var decoder = try RaptorQDecoder(
                payloadLength: Self.payloadLength, packetLength: Self.symbolLength)
            var count = 0
            while !decoder.progress.isComplete, count < shuffled.count {
                try decoder.add(packet: shuffled[count])
                count += 1
            }
            #expect(count <= Self.sourceSymbols + 3)
            #expect(decoder.candidates.map(\.payload) == [payload])
            #expect(decoder.candidates.first?.numbering == .kPrime)
        }
    }

    @Test func theEncoderReproducesEveryPublishedFrame() throws {
        guard let packets = try requirePackets() else { return }
        let encoder = try RaptorQEncoder(
            payload: try sourcePayload(packets), symbolLength: Self.symbolLength, numbering: .kPrime)
        #expect(encoder.packets(repair: 308) == packets)
    }

    private func sourcePayload(_ packets: [[UInt8]]) throws -> [UInt8] {
        Array(packets.prefix(Self.sourceSymbols).flatMap { $0.dropFirst(4) }.prefix(Self.payloadLength))
    }
}

private func loadAnimation() -> [[UInt8]]? {
    let path =
        getenv("HELIOGRAPH_ANIMATION_FRAMES").map { String(cString: $0) }
        ?? Checkout.path(".build/raptorq/polkadot_metadata_9190.hex")
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return data.split(separator: UInt8(ascii: "\n")).map { line in
        guard let frame = Hex.decode(String(decoding: line, as: UTF8.self)) else {
            fatalError("\(path) holds a line that is not hexadecimal")
        }
        return Array(frame.dropFirst(4))
    }
}

/// A small generator whose draws repeat from run to run.
struct Xorshift: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
