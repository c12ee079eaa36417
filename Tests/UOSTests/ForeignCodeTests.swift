import SubstratePrimitives
import Testing
import UOS

/// Codes that people show by mistake.
@Suite struct ForeignCodeTests {
    private static let signature = String(repeating: "ab", count: 64)

    @Test(arguments: [
        (ForeignCode.answer, "01" + signature), (.answer, signature), (.answer, "02" + signature + "00"),
        (.address, "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"),
        (.address, "substrate:5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty:0x00"),
        (.seed, String(repeating: "0123", count: 12)), (.seed, String(repeating: "0123", count: 24)),
        (.phrase, "bottom drive obey lake curtain smoke basket hold race lonely fit walk"),
        (.phrase, "Bottom drive obey lake curtain smoke basket hold race lonely fit walk"),
        (.hexKey, "0x" + String(repeating: "ab", count: 32)),
        (.hexKey, "0X" + String(repeating: "5A", count: 32)),
        (.secretKey, "secret:0x11:westend"), (.share, "{\"v\":1}"), (.link, "HTTPS://example.org"),
        (.walletConnect, "wc:00@2?relay-protocol=irn"), (.bitcoin, "UR:CRYPTO-PSBT/HKAD"),
        (.bitcoin, "cHNidP8BAA=="), (.bitcoin, "70736274ff01"),
    ])
    func `a code is told by what it is, and refused as that`(code: ForeignCode, text: String) {
        #expect(ForeignCode(Array(text.utf8)) == code)
        #expect(throws: PayloadError.foreign(code)) { try Payload(Array(text.utf8)) }
    }

    @Test func `bytes of the length of a compact seed are never told apart by what they hold`() {
        for (count, isSeed) in [(15, false), (16, true), (17, false), (31, false), (32, true), (33, false)] {
            let bytes = (0..<count).map { UInt8(0xf0 | $0 & 7) }
            #expect((ForeignCode(bytes) == .seed) == isSeed)
        }
        #expect(ForeignCode([0x70, 0x73, 0x62, 0x74, 0xff] + [UInt8](repeating: 0, count: 11)) == .bitcoin)
    }

    @Test func `what starts like a payload, and what is like nothing known, is no such code`() {
        #expect(ForeignCode([]) == nil && ForeignCode(Array("hello".utf8)) == nil)
        for text in ["0x" + String(repeating: "ab", count: 31), "0x" + String(repeating: "gh", count: 32)] {
            #expect(ForeignCode(Array(text.utf8)) == nil)
        }
        #expect(ForeignCode([0x53] + [UInt8](repeating: 0xff, count: 15)) == nil)
        #expect(ForeignCode(Array((String(repeating: "0123", count: 11)).utf8)) == nil)
        #expect(
            ForeignCode(Array("bottom drive obey lake curtain smoke basket hold race lonely fit".utf8)) == nil
        )
        #expect(throws: PayloadError.notAPayload(firstByte: 0x68)) { try Payload(Array("hello".utf8)) }
    }
}
