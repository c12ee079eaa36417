import RaptorQ
import TestSupport
import Testing
import UOS

@Suite struct AssemblyLaws {
    static let payload = (0..<2500).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    static func legacy(_ payload: [UInt8], size: Int) -> [[UInt8]] {
        let count = (payload.count + size - 1) / size
        return (0..<count).map { index in
            let part = payload[(index * size)..<min(payload.count, (index + 1) * size)]
            return [0, UInt8(count >> 8), UInt8(count & 255), UInt8(index >> 8), UInt8(index & 255)] + part
        }
    }

    @Test(arguments: [16, 256, 512, 1024, 2500])
    func framesInAnyOrderWithRepeatsMakeThePayload(size: Int) throws {
        var assembler = PayloadAssembler()
        var random = SeededGenerator.printed("order of legacy frames")
        let frames = Self.legacy(Self.payload, size: size).shuffled(using: &random)
        for frame in frames + frames { _ = try assembler.add(frame) }
        let result = try assembler.finish()
        #expect(result.content == .payload(Self.payload))
        #expect(result.transport.envelope == .legacy)
        #expect(result.transport.frames == frames.count)
    }

    static func raptorQ(_ payload: [UInt8], symbolLength: Int, repair: Int) throws -> [[UInt8]] {
        let length = UInt32(payload.count)
        let prefix = [0x80, UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
        return try RaptorQEncoder(payload: payload, symbolLength: symbolLength).packets(repair: repair).map {
            prefix + $0
        }
    }

    @Test(arguments: [16, 64, 128, 1072])
    func raptorQFramesWithLossMakeThePayload(symbolLength: Int) throws {
        var assembler = PayloadAssembler()
        let frames = try Self.raptorQ(Self.payload, symbolLength: symbolLength, repair: 40)
        for frame in frames.dropFirst(5) where try assembler.add(frame) == .complete { break }
        let result = try assembler.finish()
        #expect(result.content == .payload(Self.payload))
        #expect(result.transport.envelope == .raptorQ)
    }

    @Test func tooFewRaptorQFramesAreCounted() throws {
        var assembler = PayloadAssembler()
        for frame in try Self.raptorQ(Self.payload, symbolLength: 128, repair: 0).prefix(7) {
            _ = try assembler.add(frame)
        }
        #expect(throws: TransportError.missingSymbols(collected: 7, needed: 20)) { try assembler.finish() }
    }

    /// 19 symbols, 20 with those that pad: the two numberings of repair symbols differ.
    static let ambiguous = Array(payload.prefix(19 * 128))

    @Test func kFramesWithRepairSymbolsAreNoPayload() throws {
        // Without the first repair symbol, whose id only one numbering has.
        var frames = try Self.raptorQ(Self.ambiguous, symbolLength: 128, repair: 4)
        frames.remove(at: 19)
        var assembler = PayloadAssembler()
        for frame in frames[1..<19] { #expect(try assembler.add(frame) != .complete) }
        #expect(try assembler.add(frames[19]) == .unproved(collected: 19))
        let result = try assembler.finish()
        guard case .unproved(let readings) = result.content else {
            Issue.record("K frames with a repair symbol among them prove a payload")
            return
        }
        #expect(readings.count == 2 && readings.contains(Self.ambiguous))
        #expect(result.shares.isEmpty)
        #expect(readings.allSatisfy { result.admits($0) } && !result.admits([0x53]))
        #expect((result.transport.frames, result.transport.needed) == (19, 20))
        #expect(try assembler.add(frames[20]) == .complete)
        let settled = try assembler.finish()
        #expect(settled.content == .payload(Self.ambiguous))
        #expect((settled.transport.frames, settled.transport.needed) == (20, 19))
    }

    @Test func kFramesWithoutRepairSymbolsAreThePayload() throws {
        var assembler = PayloadAssembler()
        var random = SeededGenerator.printed("order of RaptorQ frames")
        let frames = try Self.raptorQ(Self.ambiguous, symbolLength: 128, repair: 0).shuffled(using: &random)
        for frame in frames { _ = try assembler.add(frame) }
        let result = try assembler.finish()
        #expect(result.content == .payload(Self.ambiguous))
        #expect(result.admits(Self.ambiguous) && !result.admits([0x53]))
    }

    @Test func bothEnvelopesAtOnceAreRefused() throws {
        var assembler = PayloadAssembler()
        _ = try assembler.add(Self.legacy(Self.payload, size: 256)[0])
        let frame = try Self.raptorQ(Self.payload, symbolLength: 128, repair: 0)[0]
        #expect(throws: TransportError.mixedEnvelopes) { try assembler.add(frame) }
    }

    @Test func missingFramesAreNamed() throws {
        var assembler = PayloadAssembler()
        for (index, frame) in Self.legacy(Self.payload, size: 256).enumerated() where index != 3 && index != 7
        {
            _ = try assembler.add(frame)
        }
        #expect(throws: TransportError.missingFrames(missing: [3, 7], count: 10)) { try assembler.finish() }
    }

    @Test func aFrameThatContradictsAnEarlierOneIsRefused() throws {
        var assembler = PayloadAssembler()
        let frames = Self.legacy(Self.payload, size: 256)
        _ = try assembler.add(frames[2])
        var other = frames[2]
        other[9] ^= 1
        #expect(throws: TransportError.frameContradicts(index: 2, count: 10)) { try assembler.add(other) }
    }

    @Test func aSecondPayloadIsCountedAndNeverMixedIn() throws {
        var assembler = PayloadAssembler()
        let other = Self.legacy(Array(Self.payload.reversed()), size: 100)
        for frame in other.prefix(4) { _ = try assembler.add(frame) }
        for frame in Self.legacy(Self.payload, size: 256) { _ = try assembler.add(frame) }
        let result = try assembler.finish()
        #expect(result.content == .payload(Self.payload))
        #expect(result.transport.otherPayloads == 1)
    }

    /// Each payload in one frame, shown twice.
    @Test(arguments: [PayloadAssembler.Envelope.legacy, .raptorQ, .plain])
    func thePayloadThatIsCompleteFirstIsTheResult(envelope: PayloadAssembler.Envelope) throws {
        let payloads: [[UInt8]] = [[0x53, 1, 2], [0x53, 1, 3, 4]]
        let codes = try payloads.map { payload in
            switch envelope {
            case .legacy: Self.legacy(payload, size: 16)[0]
            case .raptorQ: try Self.raptorQ(payload, symbolLength: 16, repair: 0)[0]
            case .plain, .hex: payload
            }
        }
        var assembler = PayloadAssembler()
        for code in codes + codes { #expect(try assembler.add(code) == .complete) }
        let result = try assembler.finish()
        #expect(result.content == .payload(payloads[0]))
        #expect(result.transport.otherPayloads == 1)
    }

    @Test func aCompletePayloadIsContradictedToo() throws {
        var assembler = PayloadAssembler()
        let frames = Self.legacy(Self.payload, size: 256)
        for frame in frames { _ = try assembler.add(frame) }
        var other = frames[2]
        other[9] ^= 1
        #expect(throws: TransportError.frameContradicts(index: 2, count: 10)) { try assembler.add(other) }
        #expect(throws: TransportError.mixedEnvelopes) {
            try assembler.add([0x80, 0, 0, 4, 0, 0, 0, 0, 1, 2, 3, 4])
        }
    }

    @Test func anyNumberOfPayloadsMayFollowTheCompleteOne() throws {
        var assembler = PayloadAssembler()
        for number in 0..<40 { #expect(try assembler.add([0x53, UInt8(number)]) == .complete) }
        let result = try assembler.finish()
        #expect(result.content == .payload([0x53, 0]))
        // Beyond these none is kept, so that a long scan costs no more memory.
        #expect(result.transport.otherPayloads == 15 && result.transport.codes == 40)
    }

    /// Before one is complete: each incomplete payload costs memory.
    @Test func aScanHasSixteenPayloadsAtMost() throws {
        let stray = (0..<17).map { Array("https://example.org/\($0)".utf8) }
        // First frames of payloads of 2, 3, 4 … frames.
        let legacy = (0..<17).map { [0, 0, UInt8($0 + 2), 0, 0, 7] as [UInt8] }
        // First symbols of payloads of 100, 101, 102 … bytes.
        let raptorQ = try (0..<17).map {
            try Self.raptorQ([UInt8](repeating: 7, count: 100 + $0), symbolLength: 16, repair: 0)[0]
        }
        let mixed = Array(stray.prefix(8) + legacy.prefix(9))
        for codes in [stray, legacy, raptorQ, mixed, Array(stray.prefix(1) + raptorQ.prefix(16))] {
            var assembler = PayloadAssembler()
            // Repeats are no further payloads.
            for code in codes.prefix(16) + codes.prefix(16) { #expect(try assembler.add(code) != .complete) }
            #expect(assembler.transport.otherPayloads == 15)
            #expect(throws: TransportError.tooManyPayloads(17)) { try assembler.add(codes[16]) }
        }
    }

    /// As many as the largest set has; each further one would be kept and compared with all others.
    @Test func aScanHasNoMoreSharesThanASet() throws {
        let shares = (0..<256).map { Array("{\"v\":1,\"d\":\($0)}".utf8) }
        var assembler = PayloadAssembler()
        for share in shares.prefix(255) + shares.prefix(255) { _ = try assembler.add(share) }
        #expect(throws: TransportError.tooManyShares(limit: 255)) { try assembler.add(shares[255]) }
        #expect(try assembler.finish().content == .shares(Array(shares.prefix(255))))
    }

    @Test func anIndexBeyondTheCountIsRefused() {
        var assembler = PayloadAssembler()
        #expect(throws: TransportError.frameIndexOutOfRange(index: 2, count: 2)) {
            try assembler.add([0, 0, 2, 0, 2, 1])
        }
    }

    @Test func aPlainCodeIsThePayload() throws {
        var assembler = PayloadAssembler()
        #expect(try assembler.add([0x53, 1, 2]) == .complete)
        #expect(try assembler.finish().content == .payload([0x53, 1, 2]))
    }

    @Test(arguments: [8, 16])
    func aDumpOfCodewordsIsReadAsItsData(lengthBits: Int) throws {
        let data: [UInt8] = [0x53, 0x01, 0xc1, 0xff, 0x00]
        let length: [UInt8] = lengthBits == 8 ? [5] : [0, 5]
        let plain = length + data
        var dump: [UInt8] = [0x40 | plain[0] >> 4]
        for (index, byte) in plain.enumerated() {
            dump.append(byte << 4 | (index + 1 < plain.count ? plain[index + 1] >> 4 : 0))
        }
        #expect(try QRContent(dump + [0xec, 0x11, 0xec]) == .plain(data))
    }

    @Test func aStrayCodeInViewDoesNotEndAScan() throws {
        var assembler = PayloadAssembler()
        let frames = Self.legacy(Self.payload, size: 256)
        _ = try assembler.add(frames[0])
        #expect(try assembler.add(Array("https://example.org".utf8)) != .complete)
        for frame in frames.dropFirst() { _ = try assembler.add(frame) }
        let result = try assembler.finish()
        #expect(result.content == .payload(Self.payload))
        #expect(result.transport.otherPayloads == 1)
    }

    @Test func nothingReadIsSaid() {
        #expect(throws: TransportError.noCodes) { try PayloadAssembler().finish() }
    }
}
