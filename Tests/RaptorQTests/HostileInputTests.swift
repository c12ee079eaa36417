import RaptorQ
import Testing

struct HostileInputTests {
    static let payload: [UInt8] = (0..<500).map { UInt8(truncatingIfNeeded: $0 * 31 / 3) }

    private func decoder(_ numbering: RepairNumbering? = nil) throws -> RaptorQDecoder {
        try RaptorQDecoder(payloadLength: Self.payload.count, packetLength: 16, numbering: numbering)
    }

    private func packets(_ payload: [UInt8] = payload, repair: Int = 20) throws -> [[UInt8]] {
        try RaptorQEncoder(payload: payload, symbolLength: 16).packets(repair: repair)
    }

    @Test(arguments: 0..<5)
    func aPacketWithoutASymbolIsRefused(length: Int) throws {
        var decoder = try decoder()
        #expect(throws: RaptorQError.packetTooShort(length: length)) {
            try decoder.add(packet: [UInt8](repeating: 0, count: length))
        }
    }

    @Test func aSymbolOfAnotherLengthIsRefused() throws {
        var decoder = try decoder()
        try decoder.add(packet: try packets()[0])
        #expect(throws: RaptorQError.symbolLengthChanged(expected: 16, found: 1)) {
            try decoder.add(packet: [0, 0, 0, 1, 9])
        }
        #expect(throws: RaptorQError.symbolLengthChanged(expected: 16, found: 17)) {
            try decoder.add(packet: try packets()[1] + [0])
        }
        #expect(decoder.progress.collected == 1)
    }

    @Test(arguments: [0, -1, Int.min, Int.max, ObjectTransmissionInformation.maximumPayloadLength + 1])
    func aPayloadLengthThatCannotBeIsRefused(length: Int) {
        #expect(throws: RaptorQError.payloadLengthOutOfRange(length: length)) {
            try RaptorQDecoder(payloadLength: length, packetLength: 1072)
        }
    }

    @Test(arguments: [0, -1, Int.min, 65, 1073, 2953, 65536, Int.max])
    func aSymbolLengthThatCannotBeIsRefused(length: Int) {
        #expect(throws: RaptorQError.symbolLengthInvalid(length: length)) {
            try RaptorQDecoder(payloadLength: 5000, packetLength: length)
        }
    }

    @Test func moreSourceBlocksThanNumbersForThemAreRefused() {
        let announced = Int(Int32.max)
        #expect(throws: RaptorQError.tooManySourceBlocks(count: 2380)) {
            try RaptorQDecoder(payloadLength: announced, packetLength: 16)
        }
    }

    @Test func anAnnouncedLengthCostsNothing() throws {
        var decoder = try RaptorQDecoder(payloadLength: Int(Int32.max), packetLength: 1072)
        #expect(decoder.progress.needed == 2_003_250)
        let progress = try decoder.add(packet: [35, 0, 0, 5] + [UInt8](repeating: 7, count: 1072))
        #expect(progress == .init(collected: 1, needed: 2_003_250, state: .collecting))
        #expect(decoder.candidates.isEmpty)
    }

    @Test func aSourceBlockOutOfRangeIsRefused() throws {
        var decoder = try decoder()
        #expect(throws: RaptorQError.sourceBlockOutOfRange(number: 1, count: 1)) {
            try decoder.add(packet: [1, 0, 0, 0] + [UInt8](repeating: 7, count: 16))
        }
    }

    @Test func anIDThatTheNumberingSkipsIsRefused() throws {
        // K = 32 = K′ for 500 bytes; 19 source symbols have K′ = 20.
        var decoder = try RaptorQDecoder(payloadLength: 19 * 16, packetLength: 16, numbering: .kPrime)
        #expect(throws: RaptorQError.encodingSymbolImpossible(block: 0, id: 19)) {
            try decoder.add(packet: [0, 0, 0, 19] + [UInt8](repeating: 7, count: 16))
        }
        #expect(decoder.progress.collected == 0)
    }

    @Test func theLargestIDIsTaken() throws {
        var decoder = try decoder()
        #expect(
            try decoder.add(packet: [0, 0xff, 0xff, 0xff] + [UInt8](repeating: 7, count: 16)).collected == 1)
    }

    @Test func aPacketThatComesAgainChangesNothing() throws {
        var decoder = try decoder()
        let packets = try packets()
        for packet in packets.prefix(20) { try decoder.add(packet: packet) }
        for packet in packets.prefix(20) { #expect(try decoder.add(packet: packet).collected == 20) }
        for packet in packets { try decoder.add(packet: packet) }
        #expect(decoder.candidates.map(\.payload) == [Self.payload])
    }

    @Test(arguments: [0, 31, 33])
    func aSymbolThatComesAgainWithOtherContentsIsRefused(index: Int) throws {
        var decoder = try decoder()
        let packets = try packets()
        try decoder.add(packet: packets[index])
        var forged = packets[index]
        forged[4] ^= 1
        #expect(throws: RaptorQError.symbolConflict(block: 0, id: index)) { try decoder.add(packet: forged) }
        for packet in packets { try decoder.add(packet: packet) }
        #expect(decoder.candidates.map(\.payload) == [Self.payload])
    }

    @Test func paddingThatIsNotZeroIsRefused() throws {
        var decoder = try decoder()
        var last = try packets()[31]
        last[19] = 1
        #expect(throws: RaptorQError.paddingNotZero(block: 0, id: 31)) { try decoder.add(packet: last) }
    }

    @Test func twoPayloadsAreNeverMixed() throws {
        let other = try packets(Self.payload.reversed())
        let mixed = Array(try packets().prefix(20)) + other.suffix(20)
        var decoder = try decoder()
        var refusal: RaptorQError?
        for packet in mixed {
            do { try decoder.add(packet: packet) } catch { refusal = error }
        }
        #expect(refusal == .symbolsInconsistent(block: 0))
        #expect(decoder.candidates.isEmpty)
        #expect(throws: RaptorQError.symbolsInconsistent(block: 0)) { try decoder.add(packet: mixed[0]) }
    }

    @Test func aFlippedBitInASurplusSymbolIsNoticed() throws {
        let packets = try packets(repair: 40)
        var decoder = try decoder()
        for packet in packets.suffix(38) { try decoder.add(packet: packet) }
        #expect(decoder.progress.isComplete)
        var forged = packets[0]
        forged[10] ^= 0x40
        #expect(throws: RaptorQError.symbolsInconsistent(block: 0)) { try decoder.add(packet: forged) }
        #expect(decoder.candidates.isEmpty)
    }

    @Test func aCopyOfADecoderGoesItsOwnWay() throws {
        let packets = try packets(repair: 40)
        var original = try decoder()
        for packet in packets.suffix(31) { try original.add(packet: packet) }
        var copy = original
        for packet in packets.dropFirst(10).prefix(5) { try copy.add(packet: packet) }
        #expect(copy.candidates.map(\.payload) == [Self.payload])
        #expect(original.progress.collected == 31)
        #expect(original.candidates.isEmpty)
    }
}
