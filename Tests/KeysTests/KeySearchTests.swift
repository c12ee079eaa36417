import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct KeySearchTests {
    private static let words = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    private static let conventions = AccountConvention.known(networks: [
        ("polkadot", try! DerivationPath("//polkadot"))
    ])

    private func search(_ phrase: String, password: String = "") throws -> KeySearch {
        KeySearch(try Mnemonic(phrase: SecretBytes(utf8: phrase)), password: SecretBytes(utf8: password))
    }

    private func found(_ address: String, _ phrase: String, password: String = "") throws -> String? {
        let account =
            address.hasPrefix("0x")
            ? try EthereumAddress(address).bytes : try SS58Address(address).account
        return try search(phrase, password: password).first(of: account, among: Self.conventions).map {
            "\($0.name): \($0.scheme.name) \($0.path)"
        }
    }

    /// Addresses that Zondax, Moonbeam and subkey publish for these phrases.
    @Test(arguments: [
        (
            "166wVhuQsKFeb7bd1faydHgVvX1bZU2rUuY7FJmWApNz2fQY",
            "equip will roof matter pink blind book anxiety banner elbow sun young",
            "Ledger generic app, account 0: ed25519 ledger:m/44'/354'/0'/0'/0'"
        ),
        (
            "16nK5XEGrPHjSwzHAdkKabmwu6L2t1RGW6drYyGgS84UZDRy",
            "equip will roof matter pink blind book anxiety banner elbow sun young",
            "Ledger app for Kusama, account 0: ed25519 ledger:m/44'/434'/0'/0'/0'"
        ),
        (
            "0x3Cd0A705a2DC65e5b1E1205896BaA2be8A07c6e0", words,
            "MetaMask and wallets like it, account 1: ethereum bip32:m/44'/60'/0'/0/1"
        ),
        (
            "5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV", words,
            "polkadot-js, Talisman, SubWallet, Nova or Fearless, the phrase itself: sr25519 "
        ),
    ])
    func `published addresses are found where their wallets put them`(
        address: String, phrase: String, answer: String
    ) throws {
        #expect(try found(address, phrase) == answer)
    }

    struct PlaceCase: Decodable {
        let id: Int
        let phrase: String
        let password: String
        let wallet: String
        let scheme: String
        let path: String
        let address: String
    }

    @Test func `accounts that independent programs derived have the place and the wallet of their habit`()
        throws
    {
        let cases = try Checkout.json("fixtures/wallets/places.json", as: [PlaceCase].self)
        #expect(cases.count == 49)
        let conventions = AccountConvention.known(networks: [
            ("polkadot", try DerivationPath("//polkadot")), ("kusama", try DerivationPath("//kusama")),
        ])
        for sample in cases {
            let account =
                sample.scheme == "ethereum"
                ? try EthereumAddress(sample.address).bytes : try SS58Address(sample.address).account
            let search = try search(sample.phrase, password: sample.password)
            // The whole table for what people saw in a wallet, and for some habits.
            let isSeen = sample.address.hasPrefix("1")
            let among =
                isSeen || sample.id.isMultiple(of: 9)
                ? conventions
                : conventions.filter { $0.path.description == sample.path && $0.scheme.name == sample.scheme }
            let found = try #require(search.first(of: account, among: among), "case \(sample.id)")
            #expect(found.name == sample.wallet, "case \(sample.id)")
            #expect(found.path.description == sample.path && found.scheme.name == sample.scheme)
            let other = try self.search(sample.phrase, password: sample.password + "x")
            #expect(other.first(of: account, among: [found])?.name == nil)
        }
    }

    @Test func `the number of accounts that are tried has bounds, and each place is told of`() throws {
        func count(_ numbers: UInt32) -> Int { AccountConvention.known(networks: [], numbers: numbers).count }
        #expect(count(0) == count(1) && count(1) < count(2))
        #expect(count(AccountConvention.mostNumbers + 1) == count(AccountConvention.mostNumbers))
        let late = try KeyPair.derive(
            entropy: Mnemonic(phrase: SecretBytes(utf8: Self.words)).entropy, path: DerivationPath("//20"),
            password: SecretBytes(), scheme: .sr25519
        ).publicKey
        let account = try #require(late.accountID)
        let search = try search(Self.words)
        var told: [Int] = []
        let sr25519 = { (numbers: UInt32) in
            AccountConvention.known(networks: [], numbers: numbers).filter { $0.scheme == .sr25519 }
        }
        let missing = search.first(of: account, among: sr25519(20)) { told.append($0) }
        #expect(missing?.name == nil)
        #expect(told == Array(0..<sr25519(20).count))
        #expect(search.first(of: account, among: sr25519(21))?.path.description == "//20")
    }

    @Test func `every place that is tried is found, and no account of another phrase`() throws {
        let other = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        let search = try search(Self.words)
        let stranger = try self.search(other)
        for (number, place) in Self.conventions.enumerated() {
            let key = try KeyPair.derive(
                entropy: Mnemonic(phrase: SecretBytes(utf8: Self.words)).entropy, path: place.path,
                password: SecretBytes(), scheme: place.scheme
            ).publicKey
            let account = try #require(key.accountID)
            // The whole table for some of them: each search of it derives hundreds of keys.
            let among = number.isMultiple(of: 40) ? Self.conventions : [place]
            let found = try #require(search.first(of: account, among: among))
            #expect(found.path == place.path && found.scheme == place.scheme, "\(place.name)")
            #expect(stranger.first(of: account, among: among)?.name == nil)
        }
        #expect(Set(Self.conventions.map { "\($0.scheme) \($0.path)" }).count == Self.conventions.count)
    }

    @Test func `a password is used only where it is given`() throws {
        let entropy = try Mnemonic(phrase: SecretBytes(utf8: Self.words)).entropy.copy()
        let key = try KeyPair.derive(
            entropy: entropy, path: .root, password: SecretBytes(utf8: "word"), scheme: .sr25519
        ).publicKey
        let address = try #require(key.accountAddress(prefix: 42))
        #expect(try found(address, Self.words) == nil)
        #expect(try found(address, Self.words, password: "word") != nil)
    }

    private func candidates(_ slip: PhraseSlip, of phrase: String) throws -> [(phrase: String, words: [Int])]
    {
        var all: [(String, [Int])] = []
        var last = (0, 0)
        try slip.search(SecretBytes(utf8: phrase)) {
            last = ($0, $1)
        } _: { mnemonic, words in
            all.append((plainText(mnemonic.phrase()), words))
            return false
        }
        #expect(last.0 == last.1)
        return all
    }

    @Test func `two swapped words are found, and only phrases with a valid checksum`() throws {
        var words = Self.words.split(separator: " ").map(String.init)
        words.swapAt(2, 9)
        let typed = words.joined(separator: " ")
        let all = try candidates(.swapped, of: typed)
        #expect(all.contains { $0.phrase == Self.words && $0.words == [3, 10] })
        for one in all { _ = try Mnemonic(phrase: SecretBytes(utf8: one.phrase)) }
        #expect(all.count < 20)
    }

    @Test func `one wrong word is found, also one that is no word`() throws {
        for wrong in ["abandon", "obeyy"] {
            var words = Self.words.split(separator: " ").map(String.init)
            words[2] = wrong
            let all = try candidates(.oneWord, of: words.joined(separator: " "))
            #expect(all.contains { $0.phrase == Self.words && $0.words == [3] })
        }
    }

    @Test func `more than one slip is refused`() throws {
        let two = Self.words.replacing("obey", with: "obeyy").replacing("fit", with: "fitt")
        #expect(throws: MnemonicError.unknownWord(index: 10)) { try candidates(.oneWord, of: two) }
        #expect(throws: MnemonicError.unknownWord(index: 2)) { try candidates(.swapped, of: two) }
        for count in [0, 11, 13, 25] {
            let phrase = Array(repeating: "abandon", count: count).joined(separator: " ")
            #expect(throws: MnemonicError.wordCount(count)) { try candidates(.swapped, of: phrase) }
        }
    }
}
