import Hashing
import Testing

@Suite struct HashingTests {
    /// Published answers: the Keccak team's KAT for the empty message, Ethereum's `testing` and
    /// `transfer(address,uint256)` selector.
    @Test(arguments: [
        ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
        ("testing", "5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02"),
        ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    ])
    func keccak256GivesPublishedAnswers(message: String, digest: String) {
        #expect(Hex.encode(Keccak256.hash(Array(message.utf8))) == digest)
    }

    /// FIPS 202 examples: the same sponge with the padding of SHA3.
    @Test(arguments: [
        (0, "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
        (200, "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"),
    ])
    func theSpongeIsThatOfSHA3(length: Int, digest: String) {
        let message = [UInt8](repeating: 0xa3, count: length)
        #expect(Hex.encode(Keccak256.sponge(message, padding: 0x06)) == digest)
    }

    /// FIPS 180-4 examples, "abc".
    @Test func sha2GivesPublishedAnswers() {
        let message = Array("abc".utf8)
        #expect(
            Hex.encode(SHA256.hash(message))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Hex.encode(SHA512.hash(message))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
    }
}
