import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct KeystoreTests {
    struct Case: Decodable {
        let id: Int
        let password: String
        let scheme: String
        let publicKeys: [String]
        let file: String
    }

    private static let cases = Result {
        try Checkout.json("fixtures/wallets/keystores.json", as: [Case].self)
    }

    private func cases() throws -> [Case] { try Self.cases.get() }

    private func opened(_ sample: Case, file: String? = nil, password: String? = nil) throws -> [ForeignKey] {
        try Keystore(Array((file ?? sample.file).utf8)).open(
            password: SecretBytes(utf8: password ?? sample.password))
    }

    @Test func `keystores of every version and type of key give the keys that others put in`() throws {
        let cases = try cases()
        #expect(cases.count == 13)
        #expect(Set(try cases.map { try Keystore(Array($0.file.utf8)).version }) == [0, 1, 2, 3])
        for sample in cases {
            let keys = try opened(sample)
            #expect(keys.map { $0.pair.publicKey.bytes } == sample.publicKeys.map(\.hex), "case \(sample.id)")
            for key in keys {
                let signature = try key.pair.sign([1, 2, 3])
                #expect(Signature.verify(signature, message: [1, 2, 3], key: key.pair.publicKey))
                // What would be exported is the same key again.
                let again = try KeyPair.importing(key.pair.exportSecret(), scheme: key.pair.scheme)
                #expect(again.publicKey == key.pair.publicKey, "case \(sample.id)")
            }
        }
    }

    @Test func `a wrong password opens nothing`() throws {
        for sample in try cases() where try Keystore(Array(sample.file.utf8)).isEncrypted {
            #expect(throws: KeystoreError.wrongPassword) { _ = try opened(sample, password: "wrong") }
            #expect(throws: KeystoreError.wrongPassword) { _ = try opened(sample, password: "") }
        }
    }

    @Test func `a changed byte of the encrypted part opens nothing`() throws {
        let sample = try #require(
            try cases().first { $0.scheme == "ed25519" && $0.file.utf8Contains("\"1\"") })
        let start = try #require(sample.file.firstRange(of: "0x")).upperBound
        for offset in [0, 48, 100, 200] {
            var text = sample.file
            let place = text.index(start, offsetBy: offset)
            text.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
            #expect(throws: KeystoreError.wrongPassword) { _ = try opened(sample, file: text) }
        }
    }

    @Test func `a key under the address of another account is refused`() throws {
        let cases = try cases()
        let (one, other) = (cases[2], cases[3])
        let accounts = try [one, other].map { try Keystore(Array($0.file.utf8)).accounts[0].address }
        let text = one.file.replacing(accounts[0], with: accounts[1])
        #expect(throws: KeystoreError.otherAccount(accounts[1])) { _ = try opened(one, file: text) }
    }

    @Test func `a batch that lists other accounts than it holds is refused`() throws {
        let batch = try #require(try cases().last)
        let text = batch.file.replacing("account ecdsa", with: "account other")
        #expect(throws: KeystoreError.damaged("accounts")) { _ = try opened(batch, file: text) }
    }

    @Test func `unknown versions, encryptions and types are named`() throws {
        let file = try cases()[7].file
        func refused(_ old: String, _ new: String, _ error: KeystoreError) {
            #expect(throws: error) { _ = try Keystore(Array(file.replacing(old, with: new).utf8)) }
        }
        refused("\"version\": \"3\"", "\"version\": \"4\"", .unknownVersion("4"))
        refused("\"version\": \"3\"", "\"version\": 3", .notAKeystore("version"))
        refused("\"scrypt\", ", "\"argon2\", ", .unknownEncryption("argon2, xsalsa20-poly1305"))
        refused("\"pkcs8\", \"sr25519\"", "\"pkcs8\", \"bls\"", .unknownType("bls"))
        refused("\"pkcs8\", ", "\"pkcs1\", ", .notAKeystore("content"))
        refused("\"encoded\": \"", "\"encoded\": \"!", .notAKeystore("encoded"))
        refused("{", "[", .notAKeystore("json"))
        #expect(throws: KeystoreError.notAKeystore("length")) {
            _ = try Keystore([UInt8](repeating: 0x20, count: Keystore.lengthLimit + 1))
        }
        for end in stride(from: 0, to: file.utf8.count, by: 17) {
            #expect(throws: KeystoreError.notAKeystore("json")) {
                _ = try Keystore(Array(file.utf8.prefix(end)))
            }
        }
    }

    @Test func `a sentence quotes no more of a file than a line`() {
        let long = String(repeating: "b", count: Keystore.lengthLimit / 2)
        let quote = String(repeating: "b", count: 100) + "…"
        for error in [
            KeystoreError.unknownVersion(long), .unknownEncryption(long), .unknownType(long),
            .otherAccount(long),
        ] {
            #expect(error.diagnostic.message.contains(quote) && error.diagnostic.message.count < 200)
        }
        let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        #expect(KeystoreError.otherAccount(address).diagnostic.message.contains(address + ","))
    }

    private static let refusedCosts: [[UInt32]] = [
        [4096, 8, 1], [262_144, 8, 1], [1_073_741_824, 8, 1], [32768, 1, 1], [32768, 9, 1], [32768, 8, 0],
        [8192, 8, 11], [131_072, 8, 2], [32769, 8, 1], [0, 8, 1], [32768, 8, 4_294_967_295],
    ]

    @Test(arguments: refusedCosts)
    func `a cost that no wallet writes is refused before it is paid`(cost: [UInt32]) throws {
        func little(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
        var body = [UInt8](repeating: 1, count: 32)
        for number in [cost[0], cost[2], cost[1]] { body += little(number) }
        body += [UInt8](repeating: 2, count: 141)
        let encoding = #"{"content":["pkcs8","sr25519"],"type":["scrypt","xsalsa20-poly1305"],"version":"3"}"#
        let text = #"{"encoded":"\#(Base64.encode(body))","encoding":\#(encoding),"address":"x","meta":{}}"#
        let file = try Keystore(Array(text.utf8))
        #expect(throws: KeystoreError.costRefused(n: cost[0], r: cost[1], p: cost[2])) {
            _ = try file.open(password: SecretBytes(utf8: "p"))
        }
    }

    /// The settings of scrypt have 44 bytes; without them there is nothing to read a cost from.
    @Test(arguments: [3, 32, 43])
    func `what is too short for the settings of scrypt is damaged`(count: Int) throws {
        let encoding = #"{"content":["pkcs8","sr25519"],"type":["scrypt","xsalsa20-poly1305"],"version":"3"}"#
        let body = Base64.encode([UInt8](repeating: 1, count: count))
        let text = #"{"encoded":"\#(body)","encoding":\#(encoding),"address":"x","meta":{}}"#
        #expect(throws: KeystoreError.damaged("length")) {
            _ = try Keystore(Array(text.utf8)).open(password: SecretBytes(utf8: "p"))
        }
    }

    @Test func `a batch has 1 to 100 accounts`() throws {
        func batch(_ count: Int) -> [UInt8] {
            let accounts = Array(repeating: #"{"address":"a"}"#, count: count).joined(separator: ",")
            let text =
                #"{"encoded":"AAAA","encoding":{"content":["batch-pkcs8"],"type":["none"],"version":"3"},"#
                + #""accounts":[\#(accounts)]}"#
            return Array(text.utf8)
        }
        for count in [1, 100] { #expect(try Keystore(batch(count)).accounts.count == count) }
        for count in [0, 101] {
            #expect(throws: KeystoreError.keyCount(count)) { _ = try Keystore(batch(count)) }
        }
    }

    @Test func `an sr25519 scalar of zero, or not below the group order, is no key`() throws {
        for scalar in [UInt8(0), 0xff] {
            let secret = secretBytes([UInt8](repeating: scalar, count: 32) + [UInt8](repeating: 5, count: 32))
            #expect(throws: KeyError.unusableSecret) { _ = try KeyPair.importing(secret, scheme: .sr25519) }
        }
        #expect(throws: KeyError.secretLength(64)) {
            _ = try KeyPair.importing(SecretBytes(randomCount: 64), scheme: .ed25519)
        }
    }
}
