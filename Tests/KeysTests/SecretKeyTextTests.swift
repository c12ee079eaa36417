import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct SecretKeyTextTests {
    private static let digits = String(repeating: "0123456789abcdef", count: 4)
    private static let genesis = GenesisHash.blake2b(of: [1])

    private func read(_ text: String) -> (bytes: [UInt8], genesis: GenesisHash?)? {
        guard let read = SecretKeyText(SecretBytes(utf8: text)) else { return nil }
        return (read.secret.withUnsafeBytes { Array($0) }, read.genesis)
    }

    @Test(arguments: [32, 64]) func `what a QR code says is read again`(count: Int) throws {
        let secret = SecretBytes(randomCount: count)
        let code = SecretKeyText.code(secret, genesis: Self.genesis)
        let text = code.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let bytes = secret.withUnsafeBytes { Array($0) }
        #expect(text.hasPrefix("secret:0x") && text.hasSuffix(":" + Self.genesis.hex))
        let again = try #require(read(text))
        #expect(again.bytes == bytes && again.genesis == Self.genesis)
    }

    @Test func `a typed secret may stand alone, in capitals, and between blanks`() throws {
        let bytes = try #require(Hex.decode(Self.digits))
        for text in [
            "0x" + Self.digits, "  0x\(Self.digits.uppercased())\r\n", "secret:0x\(Self.digits)",
            "secret:0x\(Self.digits):0x\(Self.genesis.hex)",
            "seed:0x\(Self.digits)", "seed:0x\(Self.digits):\(Self.genesis.hex)",
        ] {
            #expect(read(text)?.bytes == bytes, "\(text)")
        }
        #expect(read("0x" + Self.digits)?.genesis == nil)
        #expect(read("0x\(Self.digits):\(Self.genesis.hex)")?.genesis == Self.genesis)
    }

    @Test func `any other text is no secret`() {
        let whole = "secret:0x\(Self.digits):\(Self.genesis.hex)"
        for end in whole.utf8.indices where end != whole.startIndex {
            let text = String(whole[..<end])
            guard text != "secret:0x\(Self.digits)" else { continue }
            #expect(read(text) == nil, "\(text)")
        }
        for text in [
            "", Self.digits, "0x", "0x" + Self.digits.dropLast(2), "0x" + Self.digits + "00",
            "0x" + Self.digits.dropLast() + "g", "secret:" + Self.digits, "seed:" + Self.digits,
            "seed:secret:0x" + Self.digits,
            "secret:seed:0x" + Self.digits,
            "seed:bottom drive obey lake curtain smoke basket hold race lonely fit walk",
            "secret:0x\(Self.digits):00", whole + ":name", "secret:0x\(Self.digits):",
            "bottom drive obey lake curtain smoke basket hold race lonely fit walk",
        ] {
            #expect(read(text) == nil, "\(text)")
        }
    }
}
