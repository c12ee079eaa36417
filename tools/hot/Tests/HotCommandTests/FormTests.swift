import FixtureRuntime
import Foundation
import Hashing
import SubstratePrimitives
import Testing

/// Whether a transaction carries a metadata proof, what is said of it, and which metadata it is made from.
@Suite struct TransactionFormLaws {
    private let desk: Desk
    private static let runtime = FixtureRuntime.standard
    private static let remark = runtime.call("System", "remark", [FixtureValue.bytes([7])])

    init() throws { desk = try Desk() }

    private func make(_ words: String..., out: String = "tx.hex") throws -> Desk.Outcome {
        try desk.run(
            words: [
                "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
                Hex.encode(Self.remark),
            ]
                + (words.contains("--url") ? [] : ["--nonce", "3"]) + words + ["--out", out])
    }

    /// The payload code of what was made: 06 with a proof, 02 without.
    private func code() throws -> UInt8? { try desk.hex("tx.hex")?[2] }

    private static func runtime(_ version: UInt32, checks: Bool = true) -> FixtureRuntime {
        var runtime = runtime
        runtime.specVersion = version
        if !checks { runtime.extensions.removeAll { $0.identifier == "CheckMetadataHash" } }
        return runtime
    }

    private func stored() throws -> [String] {
        try desk.run("metadata", "list", "heliotest").output.split(separator: "\n").map {
            $0.split(separator: " ")[1...2].joined(separator: " ")
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let checks: Bool
        let formats: [FixtureRuntime.MetadataVersion]
        let words: [String]
        /// The code of the payload, or nil where it is refused.
        let code: UInt8?
        let said: String
        var hint: String?

        var testDescription: String {
            "\(checks ? "checks" : "no check") \(formats.map(\.rawValue)) \(words)"
        }
    }

    private static let proved =
        """
        with a metadata proof: heliotest 1000 checks the metadata hash, if the runtime was built with its hash
        """
    private static let unchecked = "without a metadata proof: heliotest 1000 does not check metadata hashes"
    private static let asked =
        "without a metadata proof, as --without-proof says: the signer needs metadata for heliotest 1000"
    private static let useless =
        "this runtime does not check metadata hashes, so a metadata proof is of no use"
    private static let missing = "metadata V15 for heliotest 1000 is not in the hot database"
    private static let fetch = "heliograph-hot fetch URL --name heliotest"

    /// The runtime, what is stored of it, and the flag decide, without a node.
    static let cases: [Case] = [
        Case(checks: true, formats: [.v14, .v15, .v16], words: [], code: 6, said: proved),
        Case(checks: true, formats: [.v15], words: [], code: 6, said: proved),
        Case(checks: true, formats: [.v14, .v15], words: ["--with-proof"], code: 6, said: proved),
        Case(checks: true, formats: [.v14, .v15], words: ["--without-proof"], code: 2, said: asked),
        Case(checks: true, formats: [.v14], words: ["--without-proof"], code: 2, said: asked),
        Case(checks: true, formats: [.v16], words: ["--without-proof"], code: 2, said: asked),
        Case(checks: true, formats: [.v14], words: [], code: nil, said: missing, hint: fetch),
        Case(checks: true, formats: [.v14], words: ["--with-proof"], code: nil, said: missing, hint: fetch),
        Case(checks: true, formats: [.v14, .v16], words: [], code: nil, said: missing, hint: fetch),
        Case(
            checks: true, formats: [.v14, .v16], words: ["--with-proof"], code: 6,
            said:
                """
                with a metadata proof made from V16: heliotest 1000 checks the hash of V15, if it was built \
                with one, and rejects the transaction if the two differ
                """
        ),
        Case(checks: false, formats: [.v14, .v15, .v16], words: [], code: 2, said: unchecked),
        Case(checks: false, formats: [.v14], words: [], code: 2, said: unchecked),
        Case(checks: false, formats: [.v16], words: ["--without-proof"], code: 2, said: asked),
        Case(
            checks: false, formats: [.v14, .v15], words: ["--with-proof"], code: nil, said: useless,
            hint: "--without-proof"),
        Case(
            checks: true, formats: [], words: [], code: nil,
            said: "metadata for heliotest is not in the hot database", hint: fetch),
    ]

    @Test(arguments: cases)
    func theRuntimeAndTheFlagDecideAndTheLineSaysWhy(sample: Case) throws {
        try desk.know(Self.runtime(1000, checks: sample.checks), sample.formats)
        let outcome = try desk.run(
            words: [
                "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
                Hex.encode(Self.remark),
                "--nonce",
                "3", "--era", "immortal", "--out", "tx.hex",
            ] + sample.words)
        guard let code = sample.code else {
            #expect(outcome.status == 1)
            #expect(outcome.diagnostic == sample.said)
            #expect(outcome.hint == sample.hint)
            #expect(!desk.exists("tx.hex") && outcome.output.isEmpty)
            return
        }
        #expect(outcome.status == 0)
        #expect(try self.code() == code)
        #expect(outcome.errors.split(separator: "\n").dropLast() == [sample.said[...]], "\(outcome.errors)")
    }

    @Test func bothFlagsAreAContradiction() throws {
        try desk.know(Self.runtime)
        #expect(try make("--with-proof", "--without-proof").status == 64)
    }

    /// The metadata of 1000 could give a proof, which the chain would reject.
    @Test func olderMetadataNeverStandsInForTheNewest() throws {
        try desk.know(Self.runtime(1000), [.v15])
        try desk.know(Self.runtime(1001), [.v14])
        let words = ["proof", "heliotest", "--call-hex", Hex.encode(Self.remark)]
        for outcome in try [
            make(), make("--with-proof"), desk.run("digest", "heliotest"), desk.run(words: words),
        ] {
            #expect(outcome.status == 1)
            #expect(outcome.diagnostic == "metadata V15 for heliotest 1001 is not in the hot database")
            #expect(outcome.hint == Self.fetch)
        }
        // A user who names the older version is told of the newer one.
        let older = try make("--spec-version", "1000")
        #expect(try older.status == 0 && code() == 6)
        #expect(older.errors.contains("heliotest 1000 is older than the newest metadata, 1001\n"))
        #expect(try !make("--spec-version", "1001", "--without-proof").errors.contains("older"))
    }

    @Test func aValueOfTheUserForTheHashLeavesTheProofOut() throws {
        try desk.know(Self.runtime)
        let value = #"CheckMetadataHash={"explicit": "Disabled", "implicit": null}"#
        let outcome = try make("--extension", value)
        #expect(try outcome.status == 0 && code() == 2)
        #expect(outcome.errors.contains("without a metadata proof: --extension sets CheckMetadataHash\n"))
        #expect(try make("--extension", value, "--with-proof", out: "refused.hex").status == 65)
        #expect(!desk.exists("refused.hex"))
        #expect(try make("--extension", #"CheckNonce={"explicit": 9}"#).status == 0)
        #expect(try code() == 6)
    }

    // MARK: With a node

    /// What is missing of the node's runtime is fetched and stays.
    @Test(arguments: [[FixtureRuntime.MetadataVersion](), [.v14], [.v14, .v16]])
    func whatIsMissingIsFetched(known: [FixtureRuntime.MetadataVersion]) throws {
        try desk.know(Self.runtime, known)
        try desk.write(state: Self.runtime, ["nonces": [Alice.address: 7]])
        let log = desk.folder.appendingPathComponent("log").path
        let url = "ws://\(try desk.node("--log", log))"
        let outcome = try make("--url", url)
        #expect(try outcome.status == 0 && code() == 6)
        #expect(String(decoding: try desk.read("log"), as: UTF8.self).contains("state_call"))
        let fetched = known.contains(.v14) ? "V15" : "V14, V15"
        #expect(
            outcome.errors.split(separator: "\n").dropLast() == [
                "nonce, era and versions believed from one node", "nonce 7 from \(url)",
                "heliotest: fetched metadata for 1000 from \(url) (\(fetched))", Self.proved[...],
            ])
        #expect(try stored() == Set([14, 15] + known.map(\.rawValue)).sorted().map { "1000 V\($0)" })
        // Nothing is asked for that is there.
        try desk.write("", "log")
        #expect(try !make("--url", url).errors.contains("fetched"))
        // The one call asks whether the runtime has its hash, and not for metadata.
        #expect(
            try String(decoding: desk.read("log"), as: UTF8.self).split(separator: "\n").count {
                $0 == "state_call"
            } == 1)
        #expect(try make().status == 0)
    }

    @Test func metadataThatNoProofNeedsIsNotFetched() throws {
        try desk.know(Self.runtime(1000, checks: false), [.v14])
        try desk.write(state: Self.runtime(1000, checks: false), ["nonces": [Alice.address: 7]])
        #expect(try make("--url", "ws://\(desk.node())").status == 0)
        #expect(try stored() == ["1000 V14"])
    }

    @Test func theNodesRuntimeDecides() throws {
        try desk.know(Self.runtime(1000))
        try desk.write(state: Self.runtime(1001), ["nonces": [Alice.address: 7]])
        let url = "ws://\(try desk.node())"
        let named = try make("--url", url, "--spec-version", "1000")
        #expect(named.status == 1)
        #expect(
            named.diagnostic
                == "heliotest runs version 1001 at this node, but the transaction would be for 1000")
        #expect(named.hint == "--spec-version 1001")
        #expect(try make("--url", url).status == 0)
        #expect(try desk.hex("tx.hex")?.count ?? 0 > 1000)
        #expect(try desk.run("digest", "heliotest").status == 0)
        #expect(try stored().prefix(2) == ["1001 V14", "1001 V15"])
        // A node behind the newest metadata is not believed without a word.
        try desk.write(state: Self.runtime(1000), ["nonces": [Alice.address: 7]])
        let behind = try make("--url", url, out: "behind.hex")
        #expect(behind.status == 1 && !desk.exists("behind.hex"))
        #expect(
            behind.diagnostic
                == "heliotest runs version 1000 at this node, but the transaction would be for 1001")
        let word = try make("--url", url, "--spec-version", "1000")
        #expect(
            word.status == 0 && word.errors.contains("heliotest 1000 is older than the newest metadata, 1001")
        )
    }

    /// A node that offers no V15: the proof is made from V16 with a word, or not at all.
    @Test func aDigestOfAnotherFormatIsSaidSo() throws {
        try desk.know(Self.runtime, [])
        try desk.write(state: Self.runtime, formats: [.v14], ["nonces": [Alice.address: 7]])
        let url = "ws://\(try desk.node())"
        for words in [[], ["--with-proof"]] {
            let none = try desk.run(
                words: [
                    "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
                    Hex.encode(Self.remark),
                    "--url",
                    url, "--out", "tx.hex",
                ] + words)
            #expect(none.status == 1)
            #expect(
                none.diagnostic
                    == "heliotest 1000 offers no metadata V15 or V16, so its metadata hash is unknown")
            #expect(none.hint == "--without-proof")
        }
        #expect(try make("--url", url, "--without-proof").status == 0)
        try desk.write(Self.runtime.metadata(.v16), "16.scale")
        #expect(try desk.run("import", "16.scale").status == 0)
        let other = try make("--url", url)
        #expect(try other.status == 0 && code() == 6)
        #expect(
            other.errors.contains(
                "with a metadata proof made from V16: heliotest 1000 checks the hash of V15"))
    }

    @Test func aNodeOfAnotherRuntimeIsRefused() throws {
        try desk.know(Self.runtime)
        try desk.write(state: Self.runtime, ["nonces": [Alice.address: 7], "specName": "elsewhere"])
        let outcome = try make("--url", "ws://\(desk.node())")
        #expect(outcome.status == 1)
        #expect(outcome.diagnostic == "this is metadata for elsewhere, but heliotest runs heliotest")
    }

    // MARK: Pictures

    /// Two to nine symbols go without repair symbols, which readers number in two ways below ten.
    @Test(arguments: [(2953, 1), (2954, 3), (3216, 3), (3217, 4), (9648, 9), (9649, 19)])
    func aPayloadOfFewSymbolsHasNoMoreCodesThanItNeeds(length: Int, codes: Int) throws {
        try desk.write([UInt8](repeating: 0x53, count: length), "payload.bin")
        let outcome = try desk.run("qr", "--hex", "@payload.bin", "--out", "code.png")
        #expect(outcome.errors.contains("\(length) bytes in \(codes) QR code"), "\(outcome.errors)")
    }

    /// A reader of a few pictures a second would meet the same ones of three in each fast round.
    @Test(
        arguments: [(3000, [], 4), (9649, [], 15), (3000, ["--fps", "30"], 30), (3000, ["--legacy"], 15)]
            as [(Int, [String], Int)])
    func fewFramesStayLonger(length: Int, words: [String], rate: Int) throws {
        try desk.write([UInt8](repeating: 0x53, count: length), "payload.bin")
        #expect(
            try desk.run(words: ["qr", "--hex", "@payload.bin", "--out", "code.png"] + words).status == 0)
        let picture = try desk.read("code.png")
        // The chunk fcTL: number, width, height and place in 20 bytes, then the delay as a fraction of two
        // u16, big-endian.
        let name = Array("fcTL".utf8)
        let start = try #require(picture.indices.first { picture[$0...].starts(with: name) }) + 24
        let delay = stride(from: start, to: start + 4, by: 2).map {
            Int(picture[$0]) << 8 | Int(picture[$0 + 1])
        }
        #expect(delay[0] * rate == delay[1])
    }

    /// The shortest symbol that readers take has 16 bytes.
    @Test(arguments: [(1, 16), (16, 16), (17, 24), (100, 104)])
    func aTinyPayloadIsOneFrame(length: Int, symbol: Int) throws {
        try desk.write([UInt8](repeating: 0x53, count: length), "payload.bin")
        let outcome = try desk.run("qr", "--hex", "@payload.bin", "--raptorq", "always", "--out", "code.png")
        #expect(outcome.errors.contains("\(length) bytes in 1 QR code\n"), "\(outcome.errors)")
        #expect(
            try desk.run(
                "qr", "--hex", "@payload.bin", "--symbol", "\(symbol)", "--repair", "0", "--out", "same.png"
            ).status == 0)
        #expect(try desk.read("code.png") == desk.read("same.png"))
    }

    @Test func optionsStillChooseTheSymbols() throws {
        try desk.write([UInt8](repeating: 0x53, count: 3000), "payload.bin")
        for (words, codes) in [
            (["--symbol", "1000"], 6), (["--repair", "100"], 19), (["--repair", "0"], 10),
        ] {
            let outcome = try desk.run(words: ["qr", "--hex", "@payload.bin", "--out", "code.png"] + words)
            #expect(outcome.errors.contains(" in \(codes) QR codes"), "\(words): \(outcome.errors)")
        }
    }
}
