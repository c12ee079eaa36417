import RaptorQ
import Testing

struct RoundTripTests {
    static let shapes: [(length: Int, symbol: Int)] = [
        (1, 16), (15, 16), (16, 16), (17, 16), (160, 16), (1000, 33), (4096, 63), (5000, 64), (9999, 128),
        (30_000, 1072), (100_000, 2944),
        (300_000, 1072),
    ]

    @Test(arguments: shapes, RepairNumbering.allCases)
    func whatIsLeftOfALossyTransferDecodes(shape: (length: Int, symbol: Int), numbering: RepairNumbering)
        throws
    {
        var random = Xorshift(seed: UInt64(shape.length))
        let payload = (0..<shape.length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let encoder = try RaptorQEncoder(payload: payload, symbolLength: shape.symbol, numbering: numbering)
        let needed = encoder.information.totalSourceSymbols
        let packets = encoder.packets(repair: needed + 5)
        for loss in [0.0, 0.2, 0.6, 1.0] {
            var decoder = try RaptorQDecoder(payloadLength: shape.length, packetLength: shape.symbol)
            let kept = packets.enumerated().filter {
                $0.offset >= needed || Double.random(in: 0..<1, using: &random) >= loss
            }
            for (_, packet) in kept.shuffled(using: &random) { try decoder.add(packet: packet) }
            #expect(
                decoder.candidates.contains {
                    $0.payload == payload && ($0.numbering ?? numbering) == numbering
                })
        }
    }

    /// Among the lengths are those of the answers to 2…32 transactions. None is read to wrong bytes by any
    /// version of the crate in use.
    @Test func packetsForEveryReaderDependOnNoNumberingAndNoAlignment() throws {
        for length in [1, 100, 150, 4226] + (2...32).map({ 2 + 65 * $0 }) {
            let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let packets = try RaptorQEncoder.packetsForEveryReader(of: payload, atMost: 128)
            let symbol = packets[0].count - 4
            #expect(symbol.isMultiple(of: 8))
            for numbering in RepairNumbering.allCases {
                let encoder = try RaptorQEncoder(payload: payload, symbolLength: symbol, numbering: numbering)
                #expect(
                    encoder.packets(repair: packets.count - encoder.information.totalSourceSymbols) == packets
                )
            }
        }
    }
}
