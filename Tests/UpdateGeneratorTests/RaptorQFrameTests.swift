import RaptorQ
import Testing
import UpdateGenerator

@Suite struct RaptorQFrameLaws {
    private func payload(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    /// Decodes with every third frame missing, so that repair symbols are needed.
    private func decode(_ frames: [[UInt8]], numbering: RepairNumbering) throws -> [UInt8]? {
        let head = try #require(frames.first).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let packet = frames[0].count - RaptorQFrames.headerLength
        var decoder = try RaptorQDecoder(payloadLength: head & 0x7fff_ffff, packetLength: packet, numbering: numbering)
        for (index, frame) in frames.enumerated() where index % 3 != 0 { _ = try decoder.add(packet: frame[4...]) }
        return decoder.payload
    }

    /// Lengths around one code, and the sizes of real metadata.
    @Test(arguments: [2954, 8990, 20_000, 331_149, 620_000])
    func theChosenSymbolReadsAlikeInBothNumberings(length: Int) throws {
        let payload = payload(length)
        let frames = try RaptorQFrames.frames(of: payload)
        #expect(frames.allSatisfy { $0.count <= RaptorQFrames.standardSymbolLength + RaptorQFrames.headerLength })
        for numbering in RepairNumbering.allCases { #expect(try decode(frames, numbering: numbering) == payload) }
    }

    @Test func everyFrameAnnouncesTheLength() throws {
        let frames = try RaptorQFrames.frames(of: payload(3000))
        #expect(frames.allSatisfy { Array($0.prefix(4)) == [0x80, 0, 0x0b, 0xb8] })
    }

    /// The published Polkadot 9190 animation: 331,149 bytes, symbols of 1072: ids 0 to 308, then 308 repair symbols from 324.
    @Test func theReferencesOwnNumbersAreMet() throws {
        let frames = try RaptorQFrames.frames(of: payload(331_149), symbolLength: 1072)
        let ids = frames.map { $0[5..<8].reduce(0) { $0 << 8 | Int($1) } }
        #expect(ids == Array(0...308) + Array(324...631))
    }

    @Test func theShareOfRepairIsKept() throws {
        let source = try RaptorQFrames.frames(of: payload(53_600), symbolLength: 1072, repairPercent: 0).count
        #expect(source == 50)
        #expect(try RaptorQFrames.frames(of: payload(53_600), symbolLength: 1072, repairPercent: 30).count == 65)
    }

    @Test func aSymbolThatCannotBeSentIsRefused() {
        #expect(throws: RaptorQFrames.Failure.raptorQ(.symbolLengthInvalid(length: 1071))) {
            try RaptorQFrames.frames(of: payload(3000), symbolLength: 1071)
        }
        #expect(throws: RaptorQFrames.Failure.self) { try RaptorQFrames.frames(of: []) }
    }
}
