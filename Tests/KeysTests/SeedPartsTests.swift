import TestSupport
import Testing

@testable import Keys

/// Children by BIP-85 and parts of Seed XOR; the origin of the answers is in fixtures/shares/README.md.
@Suite struct SeedPartsTests {
    private func cases<Case: Decodable>(_ name: String, _ type: Case.Type) throws -> [Case] {
        let cases = try Checkout.json("fixtures/shares/\(name).json", as: [Case].self)
        try #require(!cases.isEmpty)
        return cases
    }

    private func entropy(_ phrase: String) throws -> SecretBytes {
        try Mnemonic(phrase: SecretBytes(utf8: phrase)).entropy.copy()
    }

    private func phrase(_ entropy: borrowing SecretBytes) throws -> String {
        plainText(try Mnemonic(entropy: entropy.copy()).phrase())
    }

    // MARK: Children

    private struct Published: Decodable {
        let id: Int
        let key: String
        let chainCode: String
        let path: String
        let entropy: String
        let phrase: String?
    }

    @Test func `the nodes of BIP-85 give its entropy and its phrases`() throws {
        for vector in try cases("bip85-published", Published.self) {
            let path = try HDPath("bip32:" + vector.path)
            let made = try withSecretScratch(HDNode.length) { node in
                for (place, byte) in (vector.key.hex + vector.chainCode.hex).enumerated() {
                    node[place] = byte
                }
                try HDNode.walk(path, node)
                return plain(ChildPhrase.entropy(ofKey: node))
            }
            let expected = vector.entropy.hex
            #expect(Array(made.prefix(expected.count)) == expected, "vector \(vector.id)")
            guard let words = vector.phrase else { continue }
            #expect(try phrase(secretBytes(expected)) == words)
            let count = words.split(separator: " ").count
            #expect(ChildPhrase.path(words: count, index: 0) == path)
        }
    }

    private struct Child: Decodable {
        let id: Int
        let phrase: String
        let words: Int
        let index: UInt32
        let child: String
    }

    @Test func `children are those of other programs`() throws {
        for child in try cases("bip85", Child.self) {
            let seed = seedSecret(.phrase, plain(try entropy(child.phrase)))
            let made = try ChildPhrase.entropy(of: seed, words: child.words, index: child.index)
            #expect(try phrase(made) == child.child, "child \(child.id)")
        }
    }

    @Test func `children differ by parent, kind, index and number of words`() throws {
        let bytes = [UInt8](repeating: 1, count: 16)
        let parent = seedSecret(.phrase, bytes)
        let master = seedSecret(.master, bytes)
        let one = try plain(ChildPhrase.entropy(of: parent, words: 12, index: 0))
        #expect(try one == plain(ChildPhrase.entropy(of: parent, words: 12, index: 0)))
        #expect(try one != plain(ChildPhrase.entropy(of: parent, words: 12, index: 1)))
        #expect(try one != plain(ChildPhrase.entropy(of: master, words: 12, index: 0)))
        let longer = try plain(ChildPhrase.entropy(of: parent, words: 24, index: 0))
        #expect(longer.count == 32 && Array(longer.prefix(16)) != one)
        for (words, index) in [(15, 0), (12, UInt32(1) << 31), (0, 0)] {
            #expect(throws: KeyError.self) {
                _ = try ChildPhrase.entropy(of: parent, words: words, index: index)
            }
        }
    }

    // MARK: Seed XOR

    private struct Parts: Decodable {
        let id: Int
        let parts: [String]
        let seed: String
    }

    private func held(_ phrases: [String]) throws -> [HeldSecret] {
        try phrases.map { HeldSecret(try entropy($0)) }
    }

    @Test func `Coldcard's parts join to its seeds, in any order`() throws {
        for set in try cases("seed-xor", Parts.self) {
            for parts in [set.parts, set.parts.reversed(), Array(set.parts[1...]) + [set.parts[0]]] {
                #expect(try phrase(SeedXOR.join(held(parts))) == set.seed, "set \(set.id)")
            }
        }
    }

    @Test(arguments: [16, 20, 24, 28, 32], [2, 3, 4])
    func `all parts join to the seed, and fewer to another`(length: Int, count: Int) throws {
        let secret = (0..<length).map { UInt8($0 &* 37 & 0xff) }
        let parts = try SeedXOR.split(secretBytes(secret), into: count)
        #expect(parts.count == count)
        #expect(try plain(SeedXOR.join(parts)) == secret)
        guard count > 2 else { return }
        #expect(try plain(SeedXOR.join(Array(parts.dropLast()))) != secret)
    }

    @Test func `parts that are no set are refused`() throws {
        let one = HeldSecret(secretBytes([UInt8](repeating: 1, count: 16)))
        let two = HeldSecret(secretBytes([UInt8](repeating: 2, count: 16)))
        let sum = HeldSecret(secretBytes([UInt8](repeating: 3, count: 16)))
        let long = HeldSecret(secretBytes([UInt8](repeating: 4, count: 32)))
        #expect(throws: SeedXORError.tooFewParts(0)) { _ = try SeedXOR.join([]) }
        #expect(throws: SeedXORError.tooFewParts(1)) { _ = try SeedXOR.join([one]) }
        #expect(throws: SeedXORError.differentLengths(12, 24)) { _ = try SeedXOR.join([one, long]) }
        #expect(throws: SeedXORError.sameParts(1, 3)) { _ = try SeedXOR.join([one, two, one]) }
        #expect(throws: SeedXORError.nothingLeft) { _ = try SeedXOR.join([one, two, sum]) }
        for count in [0, 1, 5] {
            #expect(throws: SeedXORError.partCount(count)) {
                _ = try SeedXOR.split(SecretBytes(count: 16), into: count)
            }
        }
    }
}
