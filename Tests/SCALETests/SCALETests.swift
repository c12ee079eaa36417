import SCALE
import TestSupport
import Testing

@Suite struct SCALELaws {
    /// Boundaries of every compact mode; encodings from the Polkadot specification's rules.
    @Test(
        arguments: [
            (0, [0x00]), (1, [0x04]), (63, [0xfc]), (64, [0x01, 0x01]), (16383, [0xfd, 0xff]),
            (16384, [0x02, 0x00, 0x01, 0x00]),
            ((1 << 30) - 1, [0xfe, 0xff, 0xff, 0xff]), (1 << 30, [0x03, 0x00, 0x00, 0x00, 0x40]),
            (UInt64.max, [0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ] as [(UInt64, [UInt8])])
    func aCompactHasOneEncoding(value: UInt64, encoding: [UInt8]) throws {
        #expect(SCALEWriter.encode { $0.compact(value) } == encoding)
        var reader = SCALEReader(encoding)
        #expect(try reader.compact() == value)
        try reader.finish()
    }

    @Test(
        arguments: [
            [0x01, 0x00], [0x02, 0x00, 0x00, 0x00], [0x03, 0x00, 0x00, 0x00, 0x00],
            [0x03, 0xff, 0xff, 0xff, 0x3f],
            [0x07, 0, 0, 0, 0x40, 0],
        ] as [[UInt8]])
    func aLongerCompactIsRefused(encoding: [UInt8]) {
        var reader = SCALEReader(encoding)
        #expect(throws: SCALEError(.compactNotShortest, offset: 0)) { try reader.compact() }
    }

    @Test func aTrailingByteIsRefused() throws {
        var reader = SCALEReader([1, 2])
        _ = try reader.u8()
        #expect(throws: SCALEError(.leftover(count: 1), offset: 1)) { try reader.finish() }
    }

    @Test func aCountBeyondTheInputIsRefusedBeforeAllocation() {
        var reader = SCALEReader([0xfe, 0xff, 0xff, 0xff, 0])
        #expect(throws: SCALEError(.countExceedsInput(count: (1 << 30) - 1, available: 1), offset: 0)) {
            try reader.byteVector()
        }
    }

    @Test func everyProperPrefixOfAValueIsRefused() throws {
        let encoding = SCALEWriter.encode {
            $0.string("heliograph")
            $0.integer(UInt128.max - 7)
            $0.option(true) { $0.bool($1) }
            $0.compact(1 << 40)
        }
        func read(_ bytes: [UInt8]) throws {
            var reader = SCALEReader(bytes)
            #expect(try reader.string() == "heliograph")
            #expect(try reader.integer(UInt128.self) == UInt128.max - 7)
            #expect(try reader.option { (inner) throws(SCALEError) in try inner.bool() } == true)
            #expect(try reader.compact() == 1 << 40)
            try reader.finish()
        }
        try read(encoding)
        for length in encoding.indices {
            let error = #expect(throws: SCALEError.self) { try read(Array(encoding.prefix(length))) }
            #expect(error?.saysCut == true, "\(length) bytes")
        }
    }

    @Test func badTextAndBadDiscriminantsAreRefused() {
        var text = SCALEReader([0x04, 0xff])
        #expect(throws: SCALEError(.invalidUTF8, offset: 0)) { try text.string() }
        var flag = SCALEReader([2])
        #expect(throws: SCALEError(.invalidDiscriminant(2), offset: 0)) { try flag.bool() }
    }
}
