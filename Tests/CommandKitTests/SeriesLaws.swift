import TerminalIO
import Testing
import UOS

@testable import CommandKit

/// Messages that are shown to a camera one after another.
@Suite struct SeriesLaws {
    private static func frames(_ byte: UInt8) throws -> [[UInt8]] {
        try LegacyFrames.frames(of: [0x53, 0x01, 0x03] + [UInt8](repeating: byte, count: 60), partLength: 32)
    }

    @Test func `a message that was taken away before it was whole keeps no other from being read`() throws {
        var (assembler, meter) = (PayloadAssembler(), ScanMeter(Console()))
        let (one, other) = (try Self.frames(1), try Self.frames(2))
        #expect(one.count == 2 && other.count == 2)
        // The scanner tells each code once, so none of them comes again.
        let read = [one[0], other[0], other[1], one[1]].map {
            SeriesOptions.payload(of: $0, &assembler, &meter)
        }
        #expect(read == [nil, nil, [0x53, 0x01, 0x03] + [UInt8](repeating: 2, count: 60), nil])
        // What belongs to no payload changes nothing.
        #expect(SeriesOptions.payload(of: [0x00], &assembler, &meter) == nil)
    }
}
