import RaptorQ
import Testing

/// K = 19 and K′ = 20 with symbols of 16 bytes: the two numberings of repair symbols differ by one.
struct AmbiguityTests {
    static let sourceSymbols = 19
    static let payload: [UInt8] = (0..<(16 * sourceSymbols)).map {
        UInt8(truncatingIfNeeded: $0 * $0 / 7 + $0)
    }

    private func repairPackets(_ numbering: RepairNumbering, of payload: [UInt8] = payload) throws
        -> [[UInt8]]
    {
        Array(
            try RaptorQEncoder(payload: payload, symbolLength: 16, numbering: numbering).packets(repair: 40)
                .dropFirst(Self.sourceSymbols))
    }

    private func decoder(of payload: [UInt8] = payload) throws -> RaptorQDecoder {
        try RaptorQDecoder(payloadLength: payload.count, packetLength: 16)
    }

    @Test(arguments: RepairNumbering.allCases)
    func whatTheSymbolsCannotSettleIsHandedOutTwice(numbering: RepairNumbering) throws {
        // From the second repair symbol on, so that no id lies between K and K′.
        let packets = try repairPackets(numbering).dropFirst()
        var decoder = try decoder()
        for packet in packets.prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isAmbiguous)
        #expect(decoder.payload == nil)
        #expect(Set(decoder.candidates.map(\.numbering)) == [.rfc6330, .kPrime])
        #expect(decoder.candidates.filter { $0.payload == Self.payload }.map(\.numbering) == [numbering])
    }

    @Test(arguments: RepairNumbering.allCases)
    func oneMoreSymbolSettlesIt(numbering: RepairNumbering) throws {
        let packets = try repairPackets(numbering).dropFirst()
        var decoder = try decoder()
        for packet in packets.prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        let progress = try decoder.add(packet: packets[packets.startIndex + Self.sourceSymbols])
        #expect(progress.isComplete)
        #expect(decoder.candidates == [.init(payload: Self.payload, numbering: numbering)])
    }

    @Test func anIDBetweenKAndKPrimeProvesTheNumberingOfTheRFC() throws {
        var decoder = try decoder()
        for packet in try repairPackets(.rfc6330).prefix(Self.sourceSymbols) {
            try decoder.add(packet: packet)
        }
        #expect(decoder.progress.isComplete)
        #expect(decoder.candidates == [.init(payload: Self.payload, numbering: .rfc6330)])
    }

    /// The numbering that is left is one of two that were there before: K symbols agree with any.
    @Test func paddingRulesANumberingOutAndProvesNone() throws {
        let payload = Array(Self.payload.dropLast(12))
        let packets = try repairPackets(.kPrime, of: payload).dropFirst()
        var decoder = try decoder(of: payload)
        for packet in packets.prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isAmbiguous)
        #expect(decoder.candidates == [.init(payload: payload, numbering: .kPrime)])
        #expect(decoder.payload == nil)
        var other = decoder
        try decoder.add(packet: packets[packets.startIndex + Self.sourceSymbols])
        #expect(decoder.progress.isComplete)
        #expect(decoder.payload == payload)
        // A symbol of no numbering proves nothing either.
        var damaged = packets[packets.startIndex + Self.sourceSymbols]
        damaged[4] ^= 1
        #expect(throws: RaptorQError.symbolsInconsistent(block: 0)) { try other.add(packet: damaged) }
        #expect(other.payload == nil && other.candidates.isEmpty)
    }

    /// The case that a fuzzer found: under the sender's numbering the symbols fall short, under the other one
    /// they determine a block, and its bytes were the only candidate.
    @Test(arguments: RepairNumbering.allCases)
    func aSingleReadingOfKSymbolsIsNoPayload(numbering: RepairNumbering) throws {
        let packets = try RaptorQEncoder(payload: Self.payload, symbolLength: 16, numbering: numbering)
            .packets(repair: 1500).dropFirst(20)
        var random = Xorshift(seed: 48_000)
        var wrong = 0
        for _ in 0..<1000 {
            let draw = packets.shuffled(using: &random)
            var decoder = try decoder()
            for packet in draw.prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
            #expect(decoder.payload == nil)
            if decoder.candidates.count == 1, decoder.candidates[0].payload != Self.payload { wrong += 1 }
            var further = draw[Self.sourceSymbols...].makeIterator()
            while !decoder.progress.isComplete, let packet = further.next() {
                try decoder.add(packet: packet)
            }
            #expect(decoder.payload == Self.payload)
            #expect(decoder.progress.collected <= Self.sourceSymbols + 4)
        }
        #expect(wrong > 0)
    }

    /// One repair symbol is enough to leave the numbering open; without one, and with all source symbols,
    /// there is none.
    @Test(arguments: 0...2)
    func kSymbolsProveThePayloadWithoutARepairSymbolOnly(repair: Int) throws {
        let packets = try RaptorQEncoder(payload: Self.payload, symbolLength: 16, numbering: .kPrime).packets(
            repair: 2)
        var decoder = try decoder()
        for packet in packets.dropFirst(repair).prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isComplete == (repair == 0))
        #expect(decoder.payload == (repair == 0 ? Self.payload : nil))
        for packet in packets.prefix(repair) { try decoder.add(packet: packet) }
        #expect(decoder.payload == Self.payload)
    }

    /// Of two blocks with K = K′ in neither, a symbol too many in one proves the numbering of both.
    @Test func aSurplusSymbolInOneBlockProvesTheNumberingOfAll() throws {
        var random = Xorshift(seed: 12)
        let payload = (0..<(57_000 * 16)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let encoder = try RaptorQEncoder(payload: payload, symbolLength: 16, numbering: .kPrime)
        #expect(encoder.information.sourceBlocks == 2)
        let packets = encoder.packets(repair: 4)
        let (first, second) = (packets.filter { $0[0] == 0 }, packets.filter { $0[0] == 1 })
        var decoder = try RaptorQDecoder(payloadLength: payload.count, packetLength: 16)
        for packet in first.dropFirst().dropLast(3) + second.dropFirst().dropLast(3) {
            try decoder.add(packet: packet)
        }
        try #require(decoder.progress.collected == decoder.progress.needed)
        #expect(decoder.progress.isAmbiguous)
        try decoder.add(packet: second[second.count - 3])
        let isRight = decoder.payload == payload
        #expect(isRight)
    }

    /// Of two blocks the first has K = K′, so all its symbols, and one too many, are the same in both
    /// numberings.
    @Test func aBlockThatReadsAlikeInBothNumberingsProvesNone() throws {
        var random = Xorshift(seed: 13)
        let payload = (0..<((2 * 28_248 - 1) * 16 - 8)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let encoder = try RaptorQEncoder(payload: payload, symbolLength: 16, numbering: .kPrime)
        try #require(encoder.information.sourceBlocks == 2)
        let packets = encoder.packets(repair: 4)
        let (first, second) = (packets.filter { $0[0] == 0 }, packets.filter { $0[0] == 1 })
        try #require(first.count == 28_248 + 4 && second.count == 28_247 + 4)
        var decoder = try RaptorQDecoder(payloadLength: payload.count, packetLength: 16)
        // Without the last source symbol, which holds the padding: the other numbering is ruled out by what
        // it makes of that.
        for packet in first.dropFirst(2) + second.prefix(28_246) + second[28_247...].prefix(1) {
            try decoder.add(packet: packet)
        }
        try #require(decoder.candidates.map(\.numbering) == [.kPrime])
        #expect(decoder.progress.isAmbiguous)
        try decoder.add(packet: second[28_248])
        let isRight = decoder.payload == payload
        #expect(isRight)
    }

    @Test func twoEqualCandidatesAreOne() throws {
        let zeros = [UInt8](repeating: 0, count: 16 * Self.sourceSymbols)
        var decoder = try decoder(of: zeros)
        for packet in try repairPackets(.kPrime, of: zeros).dropFirst().prefix(Self.sourceSymbols) {
            try decoder.add(packet: packet)
        }
        #expect(decoder.progress.isComplete)
        #expect(decoder.candidates == [.init(payload: zeros, numbering: nil)])
        #expect(decoder.payload == zeros)
    }

    @Test func aSourceSymbolIsNoEvidenceUntilOneIsSurplus() throws {
        let encoder = try RaptorQEncoder(payload: Self.payload, symbolLength: 16, numbering: .kPrime)
        let packets = encoder.packets(repair: 4)
        var decoder = try decoder()
        for packet in packets.dropFirst(4) { try decoder.add(packet: packet) }
        #expect(decoder.candidates.contains { $0.payload == Self.payload })
        for packet in packets.prefix(4) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isComplete)
        #expect(decoder.candidates.map(\.payload) == [Self.payload])
    }

    @Test func aKnownNumberingIsNeverAmbiguous() throws {
        var decoder = try RaptorQDecoder(
            payloadLength: Self.payload.count, packetLength: 16, numbering: .kPrime)
        for packet in try repairPackets(.kPrime).prefix(Self.sourceSymbols) {
            #expect(try !decoder.add(packet: packet).isAmbiguous)
        }
        #expect(decoder.candidates == [.init(payload: Self.payload, numbering: .kPrime)])
    }

    @Test(arguments: [1, 100, 1000, 10_000, 100_000, 331_149, 364_480, 620_000])
    func theChosenSymbolLengthMakesTheNumberingIrrelevant(length: Int) throws {
        guard let symbol = RaptorQEncoder.symbolLength(forPayloadOf: length) else {
            #expect(length < 145)
            return
        }
        #expect(symbol >= 16 && symbol <= 1072)
        let payload = [UInt8](repeating: 0x5a, count: length)
        let one = try RaptorQEncoder(payload: payload, symbolLength: symbol, numbering: .rfc6330)
        let other = try RaptorQEncoder(payload: payload, symbolLength: symbol, numbering: .kPrime)
        #expect(one.information.totalSourceSymbols >= 10)
        #expect(one.information.sourceBlocks == 1)
        #expect(one.packets(repair: 5) == other.packets(repair: 5))
    }
}
