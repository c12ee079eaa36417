import Hashing
import TestSupport
import Testing

@testable import Keys

/// The published vectors, and sets that `shamir-mnemonic` made; their origin is in fixtures/shares/README.md.
@Suite struct SLIP39Tests {
    private struct Published: Decodable {
        let id: Int
        let comment: String
        let shares: [String]
        let secret: String?
    }

    private struct Made: Decodable {
        let id: Int
        let passphrase: String
        let all: [String]
        let shares: [String]
        let secret: String
        let wrongPassphrase: String
        let ethereum: String
    }

    private func cases<Case: Decodable>(_ name: String, _ type: Case.Type) throws -> [Case] {
        let cases = try Checkout.json("fixtures/shares/\(name).json", as: [Case].self)
        try #require(!cases.isEmpty)
        return cases
    }

    private func read(_ shares: [String]) throws -> [SLIP39Share] {
        try shares.map { try SLIP39Share(SecretBytes(utf8: $0)) }
    }

    private func joined(_ shares: [SLIP39Share], _ passphrase: String = "") throws -> [UInt8] {
        plain(try SLIP39.join(shares, passphrase: SecretBytes(utf8: passphrase)))
    }

    /// What each published set that does not join is refused for.
    private static let refusals: [Int: SLIP39Error] = {
        let of128: [SLIP39Error] = [
            .checksum, .malformed, .tooFewShares(missing: 1, group: 1), .mixedSets("identifier"),
            .mixedSets("iteration exponent"), .mixedSets("number of needed groups"),
            .mixedSets("number of groups"),
            .malformed, .conflictingShares(share: 3, group: 1),
            .mixedSets("number of needed shares in group 1"), .inconsistent(group: 1),
            .tooFewGroups(have: 1, need: 2), .tooFewGroups(have: 1, need: 2),
            .tooFewShares(missing: 1, group: 4),
        ]
        let numbers = [2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
        var refusals = Dictionary(uniqueKeysWithValues: zip(numbers, of128))
        refusals[39] = .wordCount(19)
        refusals[40] = .wordCount(21)
        return refusals
    }()

    @Test func `the published sets join, or are refused for what their comment says`() throws {
        for vector in try cases("slip39-published", Published.self) {
            let result = Result { try joined(read(vector.shares), "TREZOR") }
            switch (result, vector.secret) {
            case (.success(let secret), let expected?): #expect(secret == expected.hex, "vector \(vector.id)")
            case (.failure(let error as SLIP39Error), nil):
                if let expected = Self.refusals[vector.id] {
                    #expect(error == expected, "vector \(vector.id): \(vector.comment)")
                }
                // A slip of whoever copied the vector would be one of these.
                if ![2, 21].contains(vector.id) { #expect(error != .checksum, "vector \(vector.id)") }
                if case .unknownWord = error { Issue.record("vector \(vector.id)") }
            case (let other, _): Issue.record("vector \(vector.id): \(other)")
            }
        }
    }

    @Test func `sets of another program join with their passphrase, and with another to another secret`()
        throws
    {
        for set in try cases("slip39", Made.self) {
            let shares = try read(set.shares)
            #expect(try joined(shares, set.passphrase) == set.secret.hex, "set \(set.id)")
            #expect(try joined(shares.reversed(), set.passphrase) == set.secret.hex, "set \(set.id)")
            #expect(try joined(shares, set.passphrase + "x") == set.wrongPassphrase.hex, "set \(set.id)")
            // More than are needed agree with each other.
            #expect(try joined(read(set.all), set.passphrase) == set.secret.hex, "set \(set.id)")
        }
    }

    @Test func `a share is written with the words that it was read from`() throws {
        for set in try cases("slip39", Made.self) {
            for words in set.all {
                let share = try SLIP39Share(SecretBytes(utf8: words))
                #expect(plainText(share.phrase()) == words)
                #expect(try SLIP39Share(SecretBytes(utf8: " \(words.uppercased())\n")).isEqual(to: share))
            }
        }
    }

    @Test func `any one word that is wrong, missing, doubled or swapped is noticed`() throws {
        var generator = SeededGenerator.printed("slips in shares")
        for set in try cases("slip39", Made.self).prefix(5) {
            let words = set.all[0].split(separator: " ").map(String.init)
            for place in words.indices {
                var wrong = words
                wrong[place] = WordList.shares.words[Int.random(in: 0..<1024, using: &generator)]
                if wrong != words { expectRefused(wrong) }
                var missing = words
                missing.remove(at: place)
                expectRefused(missing)
                expectRefused(words[...place] + words[place...])
                guard place > 0, words[place] != words[place - 1] else { continue }
                var swapped = words
                swapped.swapAt(place, place - 1)
                expectRefused(swapped)
            }
        }
        #expect(throws: SLIP39Error.unknownWord(index: 1)) {
            _ = try read(["duckling abandon" + String(repeating: " academic", count: 18)])
        }
        for count in [0, 1, 19, 34, 59, 400] {
            #expect(throws: SLIP39Error.wordCount(count)) {
                _ = try read([Array(repeating: "academic", count: count).joined(separator: " ")])
            }
        }
    }

    private func expectRefused(_ words: some Sequence<String>) {
        #expect(throws: SLIP39Error.self) { _ = try read([words.joined(separator: " ")]) }
    }

    // MARK: Splitting

    private func split(_ secret: [UInt8], _ passphrase: String, total: Int, required: Int) throws
        -> [SLIP39Share]
    {
        try SLIP39.split(
            secretBytes(secret), passphrase: SecretBytes(utf8: passphrase), total: total, required: required)
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 2), (5, 3), (16, 16)])
    func `exactly as many shares as are needed join`(total: Int, required: Int) throws {
        var generator = SeededGenerator.printed("shares that join")
        for length in stride(from: 16, through: 32, by: 4) {
            let secret = (0..<length).map { UInt8($0 * 7 & 0xff) }
            let shares = try split(secret, "", total: total, required: required)
            #expect(shares.count == total && shares.allSatisfy { $0.set.isExtendable })
            for _ in 0..<3 {
                let some = Array(shares.shuffled(using: &generator).prefix(required))
                #expect(try joined(some) == secret)
                guard required > 1 else { continue }
                #expect(throws: SLIP39Error.tooFewShares(missing: 1, group: 1)) {
                    try joined(Array(some.dropFirst()))
                }
            }
        }
    }

    @Test func `what no set can be is refused`() throws {
        let secret = [UInt8](repeating: 1, count: 16)
        for (total, required) in [(17, 2), (0, 0), (3, 1), (2, 3), (3, 0)] {
            #expect(throws: SLIP39Error.shareCount(total: total, required: required)) {
                _ = try split(secret, "", total: total, required: required)
            }
        }
        for length in [0, 15, 17, 33, 34, 64] {
            #expect(throws: SLIP39Error.secretLength(length)) {
                _ = try split([UInt8](repeating: 1, count: length), "", total: 2, required: 2)
            }
        }
        for passphrase in ["é", "tab\t", "\u{7f}", "line\n"] {
            #expect(throws: SLIP39Error.passphrase) {
                _ = try split(secret, passphrase, total: 2, required: 2)
            }
            let shares = try split(secret, "", total: 2, required: 2)
            #expect(throws: SLIP39Error.passphrase) { _ = try joined(shares, passphrase) }
        }
    }

    @Test func `two splits of one secret have other shares and another identifier`() throws {
        let secret = [UInt8](repeating: 9, count: 32)
        let (one, other) = (
            try split(secret, "", total: 2, required: 2), try split(secret, "", total: 2, required: 2)
        )
        #expect(throws: SLIP39Error.self) { _ = try joined([one[0], other[1]]) }
        #expect(plainText(one[0].phrase()) != plainText(other[0].phrase()))
    }

    // MARK: Foreign sets

    @Test func `a share that was forged beside right ones is noticed if it is more than needed`() throws {
        let shares = try split([UInt8](repeating: 3, count: 16), "", total: 3, required: 2)
        let forged = SLIP39Share(
            shares[2].set, groupIndex: 0, memberIndex: 5, memberThreshold: 2,
            value: secretBytes([UInt8](repeating: 7, count: 16)))
        #expect(throws: SLIP39Error.inconsistent(group: 1)) { _ = try joined(shares + [forged]) }
        #expect(throws: SLIP39Error.inconsistent(group: 1)) { _ = try joined([shares[0], forged]) }
        #expect(try joined([shares[0], shares[0], shares[1], shares[1]]) == [UInt8](repeating: 3, count: 16))
    }

    @Test func `a group that was started and is not needed does not matter`() throws {
        let set = try #require(try cases("slip39", Made.self).first { $0.id == 10 })
        // Groups of 1, 2 of 3 and 3 of 5, of which two are needed.
        let all = try read(set.all)
        #expect(try joined([all[0], all[1], all[2], all[5]], set.passphrase) == set.secret.hex)
        #expect(throws: SLIP39Error.tooFewShares(missing: 1, group: 2)) {
            _ = try joined([all[0], all[1], all[5]], set.passphrase)
        }
        let progress = try SLIP39.progress([all[0], all[1]])
        #expect(progress.completeGroups == 1 && progress.neededGroups == 2 && !progress.isComplete)
        #expect(progress.group == 2 && progress.members == 1 && progress.neededMembers == 2)
    }

    // MARK: Keys

    @Test func `a master secret has the keys that other wallets derive from it, and none at names`() throws {
        for set in try cases("slip39", Made.self) {
            let seed = seedSecret(.master, set.secret.hex)
            let path = try AccountPath("bip32:m/44'/60'/0'/0/0", scheme: .ethereum)
            let key = try KeyPair.derive(seed, path: path, scheme: .ethereum).publicKey
            #expect(key.accountAddress(prefix: 42) == set.ethereum)
            #expect(throws: KeyError.masterSecretPath) {
                _ = try KeyPair.derive(seed, path: .substrate(.root), scheme: .sr25519)
            }
            #expect(throws: KeyError.masterSecretPassword) {
                _ = try KeyPair.derive(
                    seed, path: path, password: SecretBytes(utf8: "x"), scheme: .ethereum)
            }
            let place = AccountConvention.known(networks: []).first { $0.path == path }
            let convention = try #require(place)
            let account = try #require(key.accountID)
            let none = SecretBytes()
            #expect(try KeySearch(seed, password: none).first(of: account, among: [convention]) != nil)
            let other = SecretBytes(utf8: "x")
            #expect(try KeySearch(seed, password: other).first(of: account, among: [convention]) == nil)
        }
    }

    @Test func `the kinds of a seed share neither lengths that they lack nor a name`() throws {
        for length in 0...40 {
            let isPhrase = SeedSecret(.phrase, SecretBytes(count: length)) != nil
            let isMaster = SeedSecret(.master, SecretBytes(count: length)) != nil
            #expect(isPhrase == [16, 20, 24, 28, 32].contains(length))
            #expect(isMaster == ((16...32).contains(length) && length % 2 == 0))
        }
        let bytes = [UInt8](repeating: 5, count: 32)
        let phrase = seedSecret(.phrase, bytes)
        let master = seedSecret(.master, bytes)
        let again = seedSecret(.master, bytes)
        #expect(!phrase.isEqual(to: master) && master.isEqual(to: again))
        #expect(try phrase.root() != master.root() && master.root() == again.root())
    }
}

@Suite struct ShareWordTests {
    @Test func `the words of SLIP-39 are those of the standard`() {
        let text = WordList.shares.words.map { $0 + "\n" }.joined()
        #expect(
            Hex.encode(SHA256.hash(Array(text.utf8)))
                == "bcc4555340332d169718aed8bf31dd9d5248cb7da6e5d355140ef4f1e601eec3")
        #expect(
            WordList.shares.count == 1024 && Set(WordList.shares.words.map { $0.prefix(4) }).count == 1024)
        #expect(WordList.shares.words.allSatisfy { (4...WordList.longestWord).contains($0.utf8.count) })
    }
}
