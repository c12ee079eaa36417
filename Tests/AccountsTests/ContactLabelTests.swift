import Accounts
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@Suite struct ContactLabelLaws {
    @Test(arguments: [
        "Exchange", "Exchange cold wallet", "O.K. & Co", "A-1", "Zoë", "Łódź", "Δέλτα", "Жизнь", "東京", "서울",
        "team@corp #2", "x+y", "a_b",
        String(repeating: "x", count: 64),
    ])
    func `these are labels`(text: String) { #expect(throws: Never.self) { try ContactLabel.check(text) } }

    @Test func `each rule refuses alone`() {
        func problem(_ text: String) -> ContactLabel.Problem? {
            do throws(ContactLabel.Problem) { try ContactLabel.check(text) } catch { return error }
            return nil
        }
        #expect(problem("") == .length(0) && problem(String(repeating: "x", count: 65)) == .length(65))
        for text in [
            "x: main", "x (own)", "a, b", "a/b", "a\"b", "a\\b", "a'b", "a|b", "a=b", "a<b", "x\n",
            "x\u{1b}[1m", "x\u{200b}", "x\u{202e}y",
            "x\u{301}", "x\u{a0}y",
            "שלום", "\u{212a}", "ﬁne", "x\u{e0041}", "𝐀", "Ⅷ", "x!", "øre\u{338}",
        ] {
            guard case .character? = problem(text) else {
                Issue.record("\(text.debugDescription) has \(String(describing: problem(text)))")
                continue
            }
        }
        #expect(problem(" x") == .blanks && problem("x ") == .blanks && problem("x  y") == .blanks)
        #expect(problem("123") == .noLetter && problem("-_.") == .noLetter)
        #expect(problem("Exсhange") == .mixedAlphabets(word: "Exсhange"))
        #expect(problem("Exchange Жизнь") == nil)
        for text in [
            "own", "own main", "Own-main", "0wn", "ОШN own".split(separator: " ").last.map(String.init)!,
            "not yours", "Contact of Bob",
            "YOUR key", "you", "Dealer", "member 2", "Memb3r-2", "host contact", "this machine",
            "Office this machine",
            "cleo your host contact", "cleo-host_contacts", "Bob not compared", "bob th1s mach1ne",
            "contact Kraken",
            // What a review says behind the name of an account.
            "Zoe paid before", "Zoe-paid_before", "Zoe pa1d BEFORE", "Zoe not paid before",
            "Zoe named before",
            "Zoe signed before", "Zed your key", "Zed one of your keys", "Zed your group", "Zed own key",
            "Zed first payment in this asset", "Zoe private contact", "Zoe from the list of Office",
            "Zoe but not for this network", "Zoe key of this vault", "Zoe not derived yet",
            "Zoe taken for Bob",
        ] {
            guard case .reserved? = problem(text) else {
                Issue.record("\(text) has \(String(describing: problem(text)))")
                continue
            }
        }
        #expect(
            problem("member 2") == .reserved(word: "member")
                && problem("x this machine") == .reserved(word: "this machine")
                && problem("Zoe pa1d before") == .reserved(word: "paid before"))
        for text in [
            "owner", "Notary", "Young", "Membership fund", "Hostel", "machine of this office", "this office",
            "Prepaid before 2020", "Beforehand paid", "Monkey", "The list of Zoe", "Keys and more",
            "Bob payment",
        ] {
            #expect(problem(text) == nil, "\(text)")
        }
        #expect(problem("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY") == .address)
    }

    static func trust() -> TrustState {
        var trust = TrustState()
        trust.keys = [
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32))!,
                seed: "main", path: "//a",
                hasPassword: false,
                label: "Savings")
        ]
        trust.networks = [
            NetworkSpecs(
                name: "zebra", title: "Zebra Net", base58Prefix: 42, decimals: 10, unit: "Z",
                genesisHash: GenesisHash([UInt8](repeating: 2, count: 32))!,
                scheme: .sr25519)
        ]
        trust.listSigners = [
            ListSignerRecord(
                publicKey: PublicKey(scheme: .ed25519, bytes: [UInt8](repeating: 3, count: 32))!,
                label: "Office")
        ]
        trust.contacts = [
            ContactRecord(
                scheme: nil, account: [UInt8](repeating: 4, count: 32), label: "Exchange", source: "typed")
        ]
        return trust
    }

    @Test(
        arguments: [
            ("savings", .ownKey("Savings")), ("Sav1ngs", .ownKey("Savings")), ("MAIN", .seed("main")),
            ("rnain", .seed("main")),
            ("zebrα", .network("zebra")),
            ("zebra net", .network("Zebra Net")), ("ZebraNet", .network("Zebra Net")),
            ("0ffice", .listSigner("Office")),
            ("Exch-ange", .contact("Exchange")),
            ("exchangё", .contact("Exchange")), ("spare", .seed("spare")), ("P0lkadot", .network("Polkadot")),
        ] as [(String, ContactLabel.Holder)])
    func `a name that may be taken for another is refused`(label: String, holder: ContactLabel.Holder) {
        var names = TakenNames(Self.trust(), seeds: ["spare"])
        names.add(contact: "Exchange")
        #expect(names.holder(of: label) == holder)
        // A word of two alphabets is refused for that, whatever it is taken for.
        let isMixed = ["zebrα", "exchangё"].contains(label)
        #expect(
            throws: isMixed
                ? ContactRefusal.label(label, .mixedAlphabets(word: label)) : .taken(label, by: holder)
        ) {
            try names.check(label)
        }
    }

    @Test func `names of other alphabets differ as their letters do`() throws {
        var names = TakenNames(Self.trust())
        names.add(contact: "東京")
        try names.check("大阪")
        try names.check("Жизнь")
        #expect(names.holder(of: "東京") == .contact("東京"))
    }

    /// `Β`, `Η`, `Μ`, `Ν`, `Υ` and `Ζ` look like letters of ASCII, and in lower case like others or none.
    @Test(arguments: [
        ("ΒΟΒ", "bob"), ("ΑΝΝΑ", "Anna"), ("ΗΥΜΝ 2", "Hymn-2"), ("ΖΟΕ", "zoe"), ("ΤΙΜ ΒΟΒ", "Tim Bob"),
    ])
    func `a word of Greek capitals is taken for the ASCII word that it looks like`(
        greek: String, ascii: String
    ) {
        #expect(NameShape(greek) == NameShape(ascii))
        // With one letter more that ASCII does not have, it is a Greek name in either case.
        #expect(NameShape(greek + "Ω") == NameShape((greek + "Ω").lowercased()) || greek.utf8.contains(0x20))
    }

    @Test func `a word of this program is one in Greek capitals, too`() {
        #expect(throws: ContactLabel.Problem.reserved(word: "ΜΥ")) { try ContactLabel.check("ΜΥ") }
    }

    @Test func `a freed name is free, and only a contact's`() {
        var names = TakenNames(Self.trust())
        names.add(contact: "Exchange")
        names.remove(contact: "exchange")
        #expect(names.holder(of: "Exchange") == nil)
        names.remove(contact: "Savings")
        #expect(names.holder(of: "Savings") == .ownKey("Savings"))
    }
}

@Suite struct AccountTextLaws {
    static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    static let genesis = String(repeating: "07", count: 32)

    @Test(arguments: ["", "substrate:"], ["", ":0x\(genesis)", ":0x\(genesis):Any name: with colons"])
    func `addresses are read with or without a code around them`(before: String, behind: String) throws {
        guard !(before.isEmpty && !behind.isEmpty) else { return }
        let read = try AccountText(before + Self.alice + behind)
        #expect(read.account.count == 32 && read.prefix == 42)
        #expect(read.genesis?.hex == (behind.isEmpty ? nil : Self.genesis))
    }

    @Test(arguments: [
        "", "substrate", "substrate:", "ethereum:\(alice)", "bitcoin:\(alice)",
        "substrate:0x0000000000000000000000000000000000000001",
        "\(alice)x",
        "substrate:\(alice):07", "substrate:\(alice):0x07", " \(alice)", "substrate:\(alice):\(genesis)",
        "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ",
    ])
    func `anything else is refused`(text: String) {
        // Of a long text the start is said.
        #expect(throws: ContactRefusal.notAnAddress(String(text.prefix(80)))) { try AccountText(text) }
    }

    @Test func `an Ethereum-style account has 20 bytes`() throws {
        #expect(
            try AccountText("ethereum:0x0000000000000000000000000000000000000001:0x\(Self.genesis)").account
                .count == 20)
    }
}

@Suite struct ContactSourceTests {
    @Test func `a source is read as it was written, and any other text is invalid`() throws {
        let key = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32)))
        let sources: [(ContactSource, String)] = [
            (.typed(prefix: nil), "typed"), (.typed(prefix: 0), "typed:0"),
            (.scanned(prefix: 16383), "scanned:16383"), (.log, "log"),
            (.list(key), "list:sr25519:" + String(repeating: "07", count: 32)),
        ]
        for (source, text) in sources {
            #expect(source.text.utf8Equals(text) && ContactSource(text: text) == source)
        }
        for text in [
            "", "typed:", "typed:07", "typed:+7", "typed:70000", "typed:0:0", "log:0", "list:0", "x",
        ] {
            #expect(ContactSource(text: text) == nil, "\(text)")
        }
    }
}
