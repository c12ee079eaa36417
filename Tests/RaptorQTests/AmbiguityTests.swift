import RaptorQ
import Testing

/// K = 19 and K′ = 20 with symbols of 16 bytes: the two numberings of repair symbols differ by one.
struct AmbiguityTests {
    static let sourceSymbols = 19
    static let payload: [UInt8] = (0..<(16 * sourceSymbols)).map { UInt8(truncatingIfNeeded: $0 * $0 / 7 + $0) }

    private func repairPackets(_ numbering: RepairNumbering, of payload: [UInt8] = payload) throws -> [[UInt8]] {
        Array(
            try RaptorQEncoder(payload: payload, symbolLength: 16, numbering: numbering).packets(repair: 40).dropFirst(Self.sourceSymbols))
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
        for packet in try repairPackets(.rfc6330).prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isComplete)
        #expect(decoder.candidates == [.init(payload: Self.payload, numbering: .rfc6330)])
    }

    @Test func paddingThatIsNotZeroRulesANumberingOut() throws {
        let payload = Array(Self.payload.dropLast(12))
        var decoder = try decoder(of: payload)
        for packet in try repairPackets(.kPrime, of: payload).dropFirst().prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isComplete)
        #expect(decoder.candidates == [.init(payload: payload, numbering: .kPrime)])
    }

    @Test func twoEqualCandidatesAreOne() throws {
        let zeros = [UInt8](repeating: 0, count: 16 * Self.sourceSymbols)
        var decoder = try decoder(of: zeros)
        for packet in try repairPackets(.kPrime, of: zeros).dropFirst().prefix(Self.sourceSymbols) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isComplete)
        #expect(decoder.candidates == [.init(payload: zeros, numbering: nil)])
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
        var decoder = try RaptorQDecoder(payloadLength: Self.payload.count, packetLength: 16, numbering: .kPrime)
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
