import RaptorQ
import Testing

/// Laws over random draws of symbols; the draws repeat from run to run.
struct RandomLossTests {
    /// Counts of source symbols, K = K′ among them and not.
    static let counts = [1, 2, 9, 10, 11, 26, 101, 257, 600]

    @Test(arguments: counts)
    func anyDrawOfALittleMoreThanKSymbolsDecodesAndNothingWrongIsHandedOut(count: Int) throws {
        var random = Xorshift(seed: UInt64(count))
        let payload = (0..<(16 * count)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let packets = try RaptorQEncoder(payload: payload, symbolLength: 16).packets(repair: count + 40)
        for _ in 0..<(count < 50 ? 200 : 10) {
            let draw = packets.shuffled(using: &random).prefix(count + 10)
            var decoder = try RaptorQDecoder(
                payloadLength: payload.count, packetLength: 16, numbering: .rfc6330)
            for packet in draw {
                let progress = try decoder.add(packet: packet)
                #expect(progress.collected >= count || decoder.candidates.isEmpty)
                #expect(decoder.candidates.isEmpty || decoder.candidates.map(\.payload) == [payload])
            }
            #expect(decoder.progress.isComplete)
        }
    }

    /// At K symbols about one draw in 200 of a block of ten falls short, so some of these take the path of a
    /// matrix that is extended.
    @Test func aMatrixThatFellShortIsCompletedByFurtherSymbols() throws {
        var random = Xorshift(seed: 6330)
        let payload = (0..<160).map { _ in UInt8.random(in: 0...255, using: &random) }
        let packets = try RaptorQEncoder(payload: payload, symbolLength: 16).packets(repair: 2000)
        var short = 0
        for _ in 0..<2000 {
            let draw = (0..<13).map { _ in packets[Int.random(in: 0..<packets.count, using: &random)] }
            var decoder = try RaptorQDecoder(payloadLength: 160, packetLength: 16, numbering: .rfc6330)
            for packet in draw
            where try !decoder.add(packet: packet).isComplete && decoder.progress.collected >= 10 {
                short += 1
            }
            if decoder.progress.collected >= 12 { #expect(decoder.candidates.map(\.payload) == [payload]) }
        }
        #expect(short > 0 && short < 100)
    }

    @Test func everyByteOfAWholeBlockOfSeveralSubBlocksReturns() throws {
        // More than 10 MiB of symbols in one block are split into sub-blocks.
        var random = Xorshift(seed: 2)
        let payload = (0..<11_000_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let encoder = try RaptorQEncoder(payload: payload, symbolLength: 1072)
        #expect(encoder.information.subBlocks == 2)
        let packets = encoder.packets(repair: 300)
        var decoder = try RaptorQDecoder(payloadLength: payload.count, packetLength: 1072)
        for packet in packets.dropFirst(290) { try decoder.add(packet: packet) }
        #expect(decoder.candidates.contains { $0.payload == payload })
    }

    @Test func severalSourceBlocksAreRecoveredEachForItself() throws {
        var random = Xorshift(seed: 3)
        let payload = (0..<1_200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let encoder = try RaptorQEncoder(payload: payload, symbolLength: 16)
        #expect(encoder.information.sourceBlocks == 2)
        let packets = encoder.packets(repair: 12)
        var decoder = try RaptorQDecoder(payloadLength: payload.count, packetLength: 16)
        // Of each block, the symbols whose id ends in 77 (hexadecimal) are lost, but for the last ones.
        for packet in packets.filter({ $0[3] != 0x77 || $0[2] > 8 }) { try decoder.add(packet: packet) }
        #expect(decoder.candidates.contains { $0.payload == payload })
    }
}
