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
        (.secretKey, "secret:0x11:westend"), (.secretKey, "seed:0x11:westend"), (.share, "{\"v\":1}"),
        (.link, "HTTPS://example.org"),
        (.walletConnect, "wc:00@2?relay-protocol=irn"), (.bitcoin, "UR:CRYPTO-PSBT/HKAD"),
        (.bitcoin, "cHNidP8BAA=="), (.bitcoin, "70736274ff01"),
        (.address, "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"),
        (.bitcoinAddress, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
        (.bitcoinAddress, "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ"),
        (.bitcoinAddress, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
        (.bitcoinAddress, "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"),
        (.bitcoinAddress, "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?amount=1"),
        (.keystore, #"{"encoded":"AAAA","encoding":{"content":["pkcs8"]}}"#),
        (.phrase, "bottom drive obey lake curtain smoke\nbasket hold race lonely fit walk\n"),
        (.phrase, "Stay drive obey lake curtain smoke basket hold race lonely fit walk"),
        (.text, "hello"), (.text, "Some words"), (.text, "{\"name\":1}"), (.text, "grüße\n"),
        (.text, "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf4"),
        (.text, "WIFI:T:WPA;S:home;P:secret;;"), (.text, "lightning:lnbc1"),
    ])
    func `a code is told by what it is, and refused as that`(code: ForeignCode, text: String) {
        #expect(ForeignCode(Array(text.utf8)) == code)
        #expect(throws: PayloadError.foreign(code)) { try Payload(Array(text.utf8)) }
    }

    /// Both start like a share, which is joined with others before anybody asks what it is.
    @Test func `a code with a keystore is no share of a seed`() throws {
        let keystore = Array(#"{"encoded":"AAAA","encoding":{"content":["pkcs8"]}}"#.utf8)
        #expect(try QRContent(keystore) == .plain(keystore))
        let share = Array(#"{"v":1}"#.utf8)
        #expect(try QRContent(share) == .share(share))
    }

    @Test func `bytes of the length of a compact seed are never told apart by what they hold`() {
        for (count, isSeed) in [(15, false), (16, true), (17, false), (31, false), (32, true), (33, false)] {
            let bytes = (0..<count).map { UInt8(0xf0 | $0 & 7) }
            #expect((ForeignCode(bytes) == .seed) == isSeed)
        }
        #expect(ForeignCode([0x70, 0x73, 0x62, 0x74, 0xff] + [UInt8](repeating: 0, count: 11)) == .bitcoin)
    }

    @Test func `what starts like a payload, and what is like nothing known, is no such code`() {
        #expect(ForeignCode([]) == nil && ForeignCode([0x53]) == nil)
        for text in [
            "0x" + String(repeating: "ab", count: 31), "0x" + String(repeating: "gh", count: 32),
            String(repeating: "0123", count: 11),
            "bottom drive obey lake curtain smoke basket hold race lonely fit",
        ] {
            #expect(ForeignCode(Array(text.utf8)) == .text)
        }
        // A control character, an unfinished letter of UTF-8, and what only starts like text.
        for bytes: [UInt8] in [[0x68, 0x69, 0x00], [0x68, 0xc3], [0x68, 0x1b, 0x5b, 0x48], [0x41, 0xff]] {
            #expect(ForeignCode(bytes) == nil)
        }
        #expect(ForeignCode([0x53] + [UInt8](repeating: 0xff, count: 15)) == nil)
        #expect(throws: PayloadError.notAPayload(firstByte: 0x68)) { try Payload([0x68, 0x69, 0x00]) }
    }
}
