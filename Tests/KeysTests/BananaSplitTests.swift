import Keys
import Testing

@Suite struct BananaSplitTests {
    struct Set: Decodable {
        let id: Int
        let secret: String
        let passphrase: String
        let required: Int
        let shares: [String]
    }

    private func parse(_ shares: [String]) throws -> [BananaShare] {
        try shares.map { try BananaShare(Array($0.utf8)) }
    }

    private func joined(_ shares: [BananaShare], _ passphrase: String) throws -> String {
        plainText(try BananaSplit.join(shares, passphrase: SecretBytes(utf8: passphrase)))
    }

    @Test func sharesOfAnIndependentProgramJoin() throws {
        for set in try fixture("banana-split", Set.self) {
            let shares = try parse(set.shares)
            #expect(
                try joined(Array(shares.prefix(set.required)), set.passphrase) == set.secret, "set \(set.id)")
            #expect(
                try joined(Array(shares.suffix(set.required).reversed()), set.passphrase) == set.secret,
                "set \(set.id)")
            #expect(try joined(shares, set.passphrase) == set.secret, "set \(set.id)")
        }
    }

    @Test func aMarkBehindTheFirstDigitIsRefused() throws {
        for set in try fixture("banana-split", Set.self) {
            let text = try #require(set.shares.first)
            let marked = text.replacing("\"d\":\"8", with: "\"d\":\"8\u{301}")
            #expect(!marked.utf8.elementsEqual(text.utf8))
            #expect(throws: BananaSplitError.notAShare("d")) { try BananaShare(Array(marked.utf8)) }
        }
    }

    /// A title of equal letters and other bytes is the title of another set.
    @Test func sharesAreEqualByTheirBytes() throws {
        let text = try #require(try fixture("banana-split", Set.self).first?.shares.first)
        func share(_ title: String) throws -> BananaShare {
            try BananaShare(Array(text.replacing(#/"t":"[^"]*"/#, with: "\"t\":\"\(title)\"").utf8))
        }
        #expect(try share("K") == share("K") && share("K") != share("\u{212a}"))
    }

    /// Examples published with the reference web page, paritytech/banana_split, versions 0 and 1.
    @Test(arguments: [
        (
            "Any questions?", "amazing-daring-panda-horror",
            [
                #"{"t":"Very secret info","r":2,"d":"803c12929ba469d720a63fc8ca6f6ef1cc441f8f0b830ea04f8a484169ec800e4a7","n":"29abbb2c509adedb470f6d3fd3d083362b8c1a9283adf987"}"#,
                #"{"t":"Very secret info","r":2,"d":"801b4196813bb664141169f939414fec30c7f343326d8df45e557b25b0249fd43e2","n":"29abbb2c509adedb470f6d3fd3d083362b8c1a9283adf987"}"#,
            ]
        ),
        (
            "Version one is all-around better", "excess-torch-unfold-fix",
            [
                #"{"v":1,"t":"Pssst","r":2,"d":"8AdI3F1Xn4CK9mXEVWLWgg2gzho5WV38E/hn1OYyRMZenL/Jm6dmrZoiji2ZlMSVEW+XN9WW1I/ilDC1yiu4oBa4=","n":"a17TDZHP2iL/sdPHgFJUP3NlAC7bDgrp"}"#,
                #"{"v":1,"t":"Pssst","r":2,"d":"8A2tZOf80PWbatpM/6ML9mLrUFkOu4kpyUiY62bPA6HmkVVtQpfosdF3nuhpo6K3MfmjsJ8ROokDShDgNka/ptFI=","n":"a17TDZHP2iL/sdPHgFJUP3NlAC7bDgrp"}"#,
            ]
        ),
    ])
    func publishedSharesJoin(secret: String, passphrase: String, shares: [String]) throws {
        #expect(try joined(parse(shares), passphrase) == secret)
    }

    private func split(title: String = "title", total: Int = 3, required: Int = 2) throws -> [BananaShare] {
        try BananaSplit.split(
            SecretBytes(utf8: developmentPhrase), title: title, passphrase: SecretBytes(utf8: "pass"),
            total: total, required: required)
    }

    @Test func everyLargeEnoughSubsetJoins() throws {
        let shares = try split(title: "a \"title\" with ü, \\ and 🙂", total: 4, required: 3)
        #expect(shares.map(\.id) == [1, 2, 3, 4])
        for missing in shares.indices {
            var part = shares
            part.remove(at: missing)
            #expect(try joined(part, "pass") == developmentPhrase)
        }
        for share in shares { #expect(try BananaShare(Array(share.text.utf8)) == share) }
        #expect(shares.allSatisfy { $0.text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } })
    }

    @Test func sharesThatDoNotBelongTogetherAreRefused() throws {
        let set = try split()
        let same = try split()
        let other = try split(title: "other")
        let three = try split(required: 3)
        #expect(throws: BananaSplitError.mixedSets("nonce")) { try BananaSplit.checkSet([set[0], same[1]]) }
        #expect(throws: BananaSplitError.mixedSets("title")) { try BananaSplit.checkSet([set[0], other[1]]) }
        #expect(throws: BananaSplitError.mixedSets("required")) {
            try BananaSplit.checkSet([set[0], three[1]])
        }
        #expect(throws: BananaSplitError.tooFewShares(have: 1, need: 2)) {
            try BananaSplit.checkSet([set[0], set[0]])
        }
        #expect(throws: BananaSplitError.tooFewShares(have: 0, need: 2)) { try BananaSplit.checkSet([]) }
        #expect(try BananaSplit.checkSet([set[0], set[0], set[2]]).count == 2)
        #expect(throws: BananaSplitError.wrongPassphrase) { _ = try joined(set, "Pass") }
        #expect(throws: BananaSplitError.wrongPassphrase) { _ = try joined(set, "") }
    }

    @Test func aChangedShareIsFound() throws {
        let set = try split()
        let text = set[1].text
        // The seventh character of the data is inside the share's values.
        let place = try #require(text.range(of: "\"d\":\"")).upperBound
        let target = text.index(place, offsetBy: 7)
        let changed = text.replacingCharacters(at: target, with: text[target] == "A" ? "B" : "A")
        let forged = try BananaShare(Array(changed.utf8))
        #expect(throws: BananaSplitError.conflictingShares(id: 2)) {
            try BananaSplit.checkSet([set[1], forged])
        }
        #expect(throws: BananaSplitError.inconsistentShare(id: 3)) {
            _ = try joined([set[0], forged, set[2]], "pass")
        }
        // What two shares join to of which one is forged is another value for each set: no secret by its
        // form, or one that no passphrase opens.
        #expect {
            _ = try joined([set[0], forged], "pass")
        } throws: { error in
            [.noSecret, .wrongPassphrase].contains(error as? BananaSplitError)
        }
    }

    @Test func countsAndLengthsOutOfBoundsAreRefused() {
        #expect(throws: BananaSplitError.shareCount(total: 1, required: 1)) {
            _ = try split(total: 1, required: 1)
        }
        #expect(throws: BananaSplitError.shareCount(total: 3, required: 4)) {
            _ = try split(total: 3, required: 4)
        }
        #expect(throws: BananaSplitError.shareCount(total: 256, required: 2)) {
            _ = try split(total: 256, required: 2)
        }
        #expect(throws: BananaSplitError.length("title")) { _ = try split(title: "") }
    }

    /// A share with one part replaced, and what is said of it.
    static let noShares: [(text: String, error: BananaSplitError)] = {
        let (data, nonce) = ("\"8AQE=\"", "\"a17TDZHP2iL/sdPHgFJUP3NlAC7bDgrp\"")
        func share(v: String = "1", r: String = "2", d: String? = nil, n: String? = nil, twice: String = "")
            -> String
        {
            "{\"v\":\(v),\"t\":\"x\",\(twice)\"r\":\(r),\"d\":\(d ?? data),\"n\":\(n ?? nonce)}"
        }
        return ["", "{", "[]"].map { ($0, .notAShare("json")) } + [
            ("{}", .notAShare("t")), ("{\"v\":1}", .notAShare("t")), (share(v: "2"), .unknownVersion(2)),
            (share(r: "1"), .notAShare("r")), (share(d: "\"9AQE=\""), .notAShare("d")),
            (share(d: "\"8AAE=\""), .notAShare("d")),
            (share(n: "\"a17T\""), .notAShare("n")), (share(r: "2.5"), .notAShare("json")),
            (share(twice: "\"t\":\"x\","), .notAShare("json")), (share() + " x", .notAShare("json")),
        ]
    }()

    @Test(arguments: noShares) func whatIsNoShareIsRefused(text: String, error: BananaSplitError) {
        #expect(throws: error) { try BananaShare(Array(text.utf8)) }
    }

    @Test func everyCutShareIsRefused() throws {
        let text = Array(try split()[0].text.utf8)
        for length in text.indices {
            #expect(throws: BananaSplitError.notAShare("json")) {
                try BananaShare(Array(text.prefix(length)))
            }
        }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }

    fileprivate func replacingCharacters(at index: Index, with character: Character) -> String {
        String(self[..<index]) + String(character) + String(self[self.index(after: index)...])
    }
}
