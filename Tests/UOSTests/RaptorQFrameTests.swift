import RaptorQ
import Testing
import UOS

@Suite struct RaptorQFrameLaws {
    private func payload(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    /// Decodes with every third frame missing, so that repair symbols are needed.
    private func decode(_ frames: [[UInt8]], numbering: RepairNumbering) throws -> [UInt8]? {
        let head = try #require(frames.first).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let packet = frames[0].count - RaptorQFrames.headerLength
        var decoder = try RaptorQDecoder(
            payloadLength: head & 0x7fff_ffff, packetLength: packet, numbering: numbering)
        for (index, frame) in frames.enumerated() where index % 3 != 0 {
            _ = try decoder.add(packet: frame[4...])
        }
        return decoder.payload
    }

    /// Lengths around one code, and the sizes of real metadata.
    @Test(arguments: [2954, 8990, 20_000, 331_149, 620_000])
    func theChosenSymbolReadsAlikeInBothNumberings(length: Int) throws {
        let payload = payload(length)
        let frames = try RaptorQFrames.frames(of: payload)
        #expect(
            frames.allSatisfy { $0.count <= RaptorQFrames.standardSymbolLength + RaptorQFrames.headerLength })
        for numbering in RepairNumbering.allCases {
            #expect(try decode(frames, numbering: numbering) == payload)
        }
    }

    @Test func everyFrameAnnouncesTheLength() throws {
        let frames = try RaptorQFrames.frames(of: payload(3000))
        #expect(frames.allSatisfy { Array($0.prefix(4)) == [0x80, 0, 0x0b, 0xb8] })
    }

    /// The published Polkadot 9190 animation: 331,149 bytes, symbols of 1072: ids 0 to 308, then 308 repair
    /// symbols from 324.
    @Test func theReferencesOwnNumbersAreMet() throws {
        let frames = try RaptorQFrames.frames(of: payload(331_149), symbolLength: 1072)
        let ids = frames.map { $0[5..<8].reduce(0) { $0 << 8 | Int($1) } }
        #expect(ids == Array(0...308) + Array(324...631))
    }

    @Test func theShareOfRepairIsKept() throws {
        let source = try RaptorQFrames.frames(of: payload(53_600), symbolLength: 1072, repairPercent: 0).count
        #expect(source == 50)
        #expect(
            try RaptorQFrames.frames(of: payload(53_600), symbolLength: 1072, repairPercent: 30).count == 65)
    }

    /// What is sent holds all source symbols, which are proof whatever the number of repair symbols and
    /// however they are numbered; in reverse order, so that the reader has to go through the repair symbols
    /// first.
    @Test(arguments: [700, 2954, 5000, 8990, 20_000], RepairNumbering.allCases)
    func aReaderThatDemandsProofHasItInEverySetOfFrames(length: Int, numbering: RepairNumbering) throws {
        let payload = payload(length)
        for symbol in [nil, 64, 1072, 2944] as [Int?] {
            for repair in [0, 1, 30, 100, 1000] {
                let frames = try RaptorQFrames.frames(
                    of: payload, symbolLength: symbol, repairPercent: repair, numbering: numbering)
                for order in [frames, frames.reversed()] {
                    var assembler = PayloadAssembler()
                    var frames = order.makeIterator()
                    while let frame = frames.next(), try assembler.add(frame) != .complete {}
                    #expect(
                        try assembler.finish().content == .payload(payload),
                        "symbols of \(symbol ?? 0), \(repair) percent")
                }
            }
        }
    }

    /// With as many symbols as RFC 6330 pads to, repair symbols are as good as source symbols: a third may be
    /// missing.
    @Test(arguments: [2954, 8990, 20_000, 331_149])
    func theChosenSymbolIsProvedByRepairSymbolsToo(length: Int) throws {
        let payload = payload(length)
        var assembler = PayloadAssembler()
        for (index, frame) in try RaptorQFrames.frames(of: payload).enumerated() where index % 3 != 0 {
            _ = try assembler.add(frame)
        }
        #expect(try assembler.finish().content == .payload(payload))
    }

    @Test func aSymbolThatCannotBeSentIsRefused() {
        #expect(throws: RaptorQFrames.Failure.raptorQ(.symbolLengthInvalid(length: 1071))) {
            try RaptorQFrames.frames(of: payload(3000), symbolLength: 1071)
        }
        #expect(throws: RaptorQFrames.Failure.raptorQ(.payloadLengthOutOfRange(length: 0))) {
            try RaptorQFrames.frames(of: [])
        }
    }

    /// Every length to beyond ten frames, limits that are no multiple of 8 too: few frames, none larger than
    /// asked for, and the payload in any order.
    @Test(arguments: [16, 70, 120, 146, 1072])
    func fewFramesAreFewAndMakeThePayload(limit: Int) throws {
        let longest = limit / 8 * 8
        for length in stride(from: 1, through: 12 * longest, by: max(1, longest / 9)) {
            let payload = payload(length)
            let frames = try RaptorQFrames.fewFrames(of: payload, atMost: limit)
            #expect(
                frames.allSatisfy {
                    $0.count <= RaptorQFrames.headerLength + limit && $0.count == frames[0].count
                })
            let fewest = (length + longest - 1) / longest
            if fewest < 10 { #expect(frames.count <= fewest && frames.count > (fewest - 1) / 2) }
            for order in [frames, frames.reversed()] {
                var assembler = PayloadAssembler()
                for frame in order { _ = try assembler.add(frame) }
                #expect(try assembler.finish().content == .payload(payload), "\(length) bytes")
            }
        }
    }

    /// The ids of repair symbols differ between readers where K is not K′, so that none is sent there.
    @Test func fewerThanTenFramesAreSourceSymbolsAlone() throws {
        for length in stride(from: 1, through: 9 * 120, by: 13) {
            let frames = try RaptorQFrames.fewFrames(of: payload(length), atMost: 120)
            #expect(frames.map { $0[5..<8].reduce(0) { $0 << 8 | Int($1) } } == Array(0..<frames.count))
        }
        #expect(try RaptorQFrames.fewFrames(of: payload(9 * 120 + 1), atMost: 120).count > 10)
    }
}
