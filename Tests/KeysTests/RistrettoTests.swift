import Hashing
import Keys
import SubstratePrimitives
import Testing

@Suite struct RistrettoTests {
    /// Published in RFC 9496, appendix A.1: multiples of the base point.
    @Test func multiplesOfTheBasePointArePublished() throws {
        let encodings = [
            "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
            "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
            "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
        ]
        for (index, encoding) in encodings.enumerated() {
            let point = try #require(RistrettoPoint(encoding.hex))
            var scalar = [UInt8](repeating: 0, count: 32)
            #expect(RistrettoPoint.combine(scalar, point, scalar).isIdentity)
            scalar[0] = UInt8(index + 1)
            let zero = [UInt8](repeating: 0, count: 32)
            #expect(RistrettoPoint.combine(zero, point, scalar).equals(point))
            #expect(!RistrettoPoint.combine(zero, point, scalar).equals(-point))
        }
    }

    /// Published in RFC 9496, appendix A.3: not canonical, negative, no square, negative xy, s = −1.
    @Test(arguments: [
        "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
        "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        "4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func encodingsThatTheRFCForbidsAreRefused(encoding: String) {
        #expect(RistrettoPoint(encoding.hex) == nil)
    }

    @Test func bothVerifiersAgreeOnGoodAndBadSignatures() throws {
        for number in 0..<100 {
            let pair = try KeyPair.derive(miniSecret: SecretBytes(randomCount: 32), scheme: .sr25519)
            let message = [UInt8](repeating: UInt8(number), count: number)
            let good = try pair.sign(message)
            let key = pair.publicKey.bytes
            for signature in [good, flipping(number * 5 % 512, of: good)] {
                let slow = message.withUnsafeBytes { Sr25519.verifyBySodium(signature, message: $0, publicKey: key) }
                #expect(Signature.verify(signature, message: message, key: pair.publicKey) == slow)
            }
        }
    }

    /// With the identity as key, s·B = R holds for anyone who picks s.
    @Test func theIdentityIsNoKey() throws {
        let identity = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0, count: 32)))
        var signature = "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76".hex + [UInt8](repeating: 0, count: 32)
        signature[32] = 1
        signature[63] = 0x80
        #expect(!Signature.verify(signature, message: [1], key: identity))
    }
}
