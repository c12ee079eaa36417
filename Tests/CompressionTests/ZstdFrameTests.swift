import CZstd
import Compression
import ScanProtocol
import Testing

@Suite struct ZstdFrameLaws {
    /// The example of `Payloads.md` in `heliograph.docc`, written by hand from RFC 8878: `meta` and sixty
    /// zeros.
    static let example: [UInt8] =
        [0x28, 0xb5, 0x2f, 0xfd, 0x24, 64] + [0x20, 0, 0] + Array("meta".utf8) + [0xe3, 0x01, 0, 0] + [
            0xf9, 0xdd, 0x52, 0x50,
        ]
    static let content = Array("meta".utf8) + [UInt8](repeating: 0, count: 60)

    /// Text that compresses as metadata does: few words, many times.
    static let long = (0..<4000).flatMap { Array("pallet \($0 % 37) holds type \($0 % 401); ".utf8) }

    /// A frame as the library makes it with these parameters.
    private func frame(_ bytes: [UInt8], _ parameters: [(ZSTD_cParameter, Int32)]) -> [UInt8] {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        for (name, value) in parameters { ZSTD_CCtx_setParameter(context, name, value) }
        return [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            count = ZSTD_compress2(context, buffer.baseAddress, buffer.count, bytes, bytes.count)
        }
    }

    private func problem(_ frame: [UInt8], length: Int) -> ExpansionProblem? {
        do throws(ExpansionProblem) {
            _ = try ZstdFrame.expand(frame, length: UInt32(length))
            return nil
        } catch {
            return error
        }
    }

    @Test func theDocumentedExampleExpands() throws {
        #expect(try ZstdFrame.expand(Self.example, length: 64) == Self.content)
    }

    @Test(arguments: [0, 1, 255, 256, 65_791, 65_792, 600_000]) func whatIsCompressedExpandsToItself(
        length: Int
    ) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31) }
        let frame = try ZstdFrame.compress(bytes)
        #expect(try ZstdFrame.expand(frame, length: UInt32(length)) == bytes)
    }

    @Test func everyProperPrefixIsRefused() throws {
        for whole in [Self.example, try ZstdFrame.compress(Self.long)] {
            let length = whole == Self.example ? 64 : Self.long.count
            for cut in whole.indices {
                #expect(problem(Array(whole.prefix(cut)), length: length) == .truncated)
            }
        }
    }

    @Test func bytesBehindTheFrameAreRefused() throws {
        let frame = try ZstdFrame.compress(Self.long)
        #expect(problem(frame + [0], length: Self.long.count) == .trailing(bytes: 1))
        // A second frame, or one that readers skip, is no part of the first.
        #expect(problem(frame + frame, length: Self.long.count) == .trailing(bytes: UInt32(frame.count)))
        #expect(
            problem(frame + [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], length: Self.long.count)
                == .trailing(bytes: 8))
    }

    /// A bit that no reader looks at may change; what comes out never does.
    @Test func eachFlippedBitIsRefusedOrChangesNothing() throws {
        for (whole, content) in [
            (Self.example, Self.content), (try ZstdFrame.compress(Self.long), Self.long),
        ] {
            var refused = 0
            for bit in 0..<(whole.count * 8) {
                var flipped = whole
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                if let bytes = try? ZstdFrame.expand(flipped, length: UInt32(content.count)) {
                    #expect(bytes == content, "bit \(bit)")
                } else {
                    refused += 1
                }
            }
            #expect(refused > whole.count * 8 * 9 / 10)
        }
    }

    @Test func anotherLengthThanTheFrameSaysIsRefused() {
        #expect(problem(Self.example, length: 63) == .lengthDiffers(announced: 63, found: 64))
        #expect(problem(Self.example, length: 65) == .lengthDiffers(announced: 65, found: 64))
    }

    /// A frame that says little and holds much: nothing beyond what it says is ever written.
    @Test func aBombIsRefused() {
        // One run of 128 KiB, in a frame that says 64 bytes, and one that says more than it holds.
        let bomb: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x24, 64] + [0x03, 0, 0x10, 0] + [0, 0, 0, 0]
        #expect(problem(bomb, length: 64) == .corrupt)
        var hollow = Self.example
        hollow[5] = 65
        #expect(problem(hollow, length: 65) == .corrupt)
    }

    @Test func onlyTheDocumentedKindOfFrameIsRead() {
        let ones = [(ZSTD_c_checksumFlag, Int32(1))]
        #expect(problem(frame(Self.long, ones), length: Self.long.count) == nil)
        let others: [[(ZSTD_cParameter, Int32)]] = [
            [(ZSTD_c_checksumFlag, 0)], ones + [(ZSTD_c_contentSizeFlag, 0)],
            // A window that is smaller than the content.
            ones + [(ZSTD_c_windowLog, 10)],
        ]
        for parameters in others {
            #expect(problem(frame(Self.long, parameters), length: Self.long.count) == .unsupportedFrame)
        }
        // The descriptor's dictionary, unused and reserved bits.
        for bit in [0, 1, 3, 4] {
            var flagged = Self.example
            flagged[4] ^= 1 << UInt8(bit)
            #expect(problem(flagged, length: 64) == .unsupportedFrame)
        }
        #expect(problem(Array("meta".utf8), length: 4) == .notAFrame)
        // A frame that readers skip.
        #expect(problem([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], length: 0) == .notAFrame)
    }
}
