import FixtureRuntime
import Foundation
import Hashing
import SCALE
import SubstratePrimitives
import Testing

/// Commands are a noun and a verb.
@Suite struct GrammarLaws {
    static let nouns = [
        "network", "specs", "metadata", "types", "verifier", "pin", "history", "file", "message", "group",
        "tx",
    ]
    static let fixedWords = [
        "import", "unwasm", "fetch", "watch", "portal", "make", "sign", "qr", "read", "digest", "proof",
        "practice",
    ]

    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `a listing for one network holds no other`() throws {
        try desk.know(.standard)
        try desk.know(FixtureRuntime(specName: "other"))
        #expect(try desk.run("network", "list").output.contains("other"))
        for words in [
            ["network", "show"], ["specs", "show"], ["metadata", "list"], ["metadata", "show"],
            ["history", "list"],
        ] {
            #expect(try !desk.run(words: words + ["heliotest"]).output.contains("other"))
            #expect(try desk.run(words: words + ["nowhere"]).diagnostic == "no network is named nowhere")
        }
    }

    /// Specs of the standard runtime for another scheme.
    private func knowSecondScheme() throws {
        var specs = FixtureRuntime.standard.specs
        specs.scheme = .ed25519
        try desk.write(Array(JSONEncoder().encode(specs)), "second.json")
        #expect(try desk.run("import", "second.json").errors.hasPrefix("heliotest/ed25519: specs saved"))
    }

    @Test func `a chain of two schemes is named with the scheme, and the name alone is refused`() throws {
        try desk.know(.standard)
        #expect(
            try desk.run("network", "list").output.contains("\nheliotest  ")
                || desk.run("network", "list").output.hasPrefix("heliotest  "))
        try knowSecondScheme()
        let lines = try desk.run("network", "list").output.split(separator: "\n").filter {
            $0.hasPrefix("heliotest")
        }
        #expect(lines.map { $0.prefix { $0 != " " } } == ["heliotest/sr25519", "heliotest/ed25519"])
        #expect(try desk.run("network", "show", "heliotest").output.split(separator: "\n").count == 2)
        let call = Hex.encode(FixtureRuntime.standard.call("System", "remark", [FixtureValue.bytes([7])]))
        let account = "0x" + String(repeating: "11", count: 32)
        for words in [
            ["make", "add-specs", "heliotest"], ["make", "load-metadata", "heliotest"],
            ["metadata", "list", "heliotest"],
            ["metadata", "remove", "heliotest", "1000"], ["specs", "set", "heliotest", "title", "x"],
            ["network", "remove", "heliotest"],
            ["digest", "heliotest"], ["fetch", "--name", "heliotest"],
            ["import", "metadata.scale", "--network", "heliotest"],
            ["history", "list", "heliotest"],
            [
                "make", "transaction", "--network", "heliotest", "--signer", account, "--call-hex", call,
                "--nonce", "1", "--out", "x.bin",
            ],
        ] {
            let outcome = try desk.run(words: words)
            #expect(outcome.status == 64, "\(words): \(outcome.errors)")
            #expect(
                outcome.diagnostic
                    == "heliotest names several networks: heliotest/ed25519, heliotest/sr25519", "\(words)")
            #expect(outcome.hint == "name one of them, e.g. heliotest/ed25519")
        }
        for (index, scheme) in ["ed25519", "sr25519"].enumerated() {
            #expect(
                try desk.run("make", "add-specs", "heliotest/\(scheme)", "--out", "\(scheme).hex").status == 0
            )
            let payload = try #require(try desk.hex("\(scheme).hex"))
            var specs = FixtureRuntime.standard.specs
            specs.scheme = index == 0 ? .ed25519 : .sr25519
            #expect(payload.dropFirst(5).elementsEqual(SCALEWriter.encode { specs.encode(into: &$0) }))
        }
        #expect(try desk.run("make", "add-specs", "heliotest/ed25519").status == 0)
        #expect(desk.exists("heliotest_ed25519_specs.png"))
        #expect(try desk.run("network", "remove", "heliotest/sr25519").status == 0)
        #expect(try desk.run("network", "show", "heliotest/ed25519").status == 0)
        #expect(
            try desk.run("network", "show", "heliotest/sr25519").diagnostic
                == "no network is named heliotest/sr25519")
    }

    @Test func `a name for specs stays out of other directories`() throws {
        try desk.know(.standard)
        var specs = FixtureRuntime(specName: "../up").specs
        specs.scheme = .ed25519
        try desk.write(Array(JSONEncoder().encode(specs)), "up.json")
        #expect(try desk.run("import", "up.json").diagnostic == "../up is not a valid network name")
        #expect(try desk.run("import", "up.json", "--network", "../up/ed25519").status == 1)
        #expect(try desk.run("import", "up.json", "--network", "up/ed25519").status == 1)
        let longest = String(repeating: "n", count: 100)
        for name in [longest + "n", "-up"] {
            #expect(try desk.run("import", "up.json", "--network=\(name)").status == 1, "\(name)")
        }
        #expect(try desk.run("import", "up.json", "--network", longest).status == 0)
    }

    @Test func `metadata of one version is shown in every format`() throws {
        try desk.know(.standard)
        var next = FixtureRuntime.standard
        next.specVersion = 1001
        try desk.write(next.metadata(.v14), "next.scale")
        #expect(try desk.run("import", "next.scale").status == 0)
        let lines = { (words: [String]) in
            try desk.run(words: ["metadata"] + words).output.split(separator: "\n")
        }
        let formats = FixtureRuntime.MetadataVersion.allCases.map { "V\($0.rawValue)"[...] }
        #expect(try lines(["list", "heliotest"]).count == formats.count + 1)
        #expect(try lines(["show", "heliotest"]).map { $0.split(separator: " ")[1] } == ["1001"])
        #expect(try lines(["show", "heliotest", "1000"]).map { $0.split(separator: " ")[2] } == formats)
        let absent = try desk.run("metadata", "show", "heliotest", "9")
        #expect(absent.status == 1)
        #expect(absent.diagnostic == "metadata for heliotest 9 is not in the hot database")
    }

    @Test(arguments: [["network", "remove"], ["specs", "remove"]])
    func `a network is removed by either word`(words: [String]) throws {
        try desk.know(.standard)
        #expect(try desk.run(words: words + ["heliotest"]).status == 0)
        #expect(try desk.run("network", "show", "heliotest").status == 1)
        #expect(try desk.run("history", "list").output.contains("removed  heliotest  network"))
    }

    @Test func `metadata is removed`() throws {
        try desk.know(.standard)
        #expect(try desk.run("metadata", "remove", "heliotest", "1000").status == 0)
        #expect(try desk.run("metadata", "list").output.isEmpty)
        #expect(try desk.run("network", "show", "heliotest").status == 0)
        #expect(try desk.run("metadata", "remove", "heliotest", "1000").status == 1)
    }

    @Test func `types are removed`() throws {
        // A load_types update without a type.
        try desk.write([0x53, 0xff, 0x81, 0x04, 0x00], "types.bin")
        let before = try desk.run("import", "types.bin")
        #expect(before.status == 0, "\(before.errors)")
        #expect(try desk.run("make", "load-types", "--out", "out.bin").status == 0)
        let shown = try desk.run("types", "show").output
        #expect(shown == "0x\(Hash32.blake2b(of: [0]).hex)  1 byte\n")
        let json =
            try JSONSerialization.jsonObject(with: Data(desk.run("types", "show", "--json").output.utf8))
            as? [String: [String: Any]]
        #expect(json?["types"]?["bytes"] as? Int == 1)
        #expect(try desk.run("types", "remove").status == 0)
        #expect(try desk.run("types", "show").output == "none\n")
        #expect(
            try desk.run("make", "load-types", "--out", "out.bin").diagnostic
                == "the hot database holds no types")
    }

    @Test func `the default networks are restored`() throws {
        #expect(try desk.run("network", "remove", "kusama").status == 0)
        #expect(try desk.run("specs", "set", "polkadot", "title", "Mine").status == 0)
        #expect(try desk.run("network", "restore-defaults").status == 0)
        #expect(try desk.run("network", "show", "kusama").status == 0)
        #expect(try !desk.run("specs", "show", "polkadot").output.contains("Mine"))
    }

    @Test func `a field is set`() throws {
        #expect(try desk.run("specs", "set", "polkadot", "title", "Mine").status == 0)
        #expect(try desk.run("specs", "show", "polkadot").output.contains("Mine"))
        let unknown = try desk.run("specs", "set", "polkadot", "genesis_hash", "00")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("hint: heliograph-hot help specs set"))
    }

    @Test func `a file is checked`() throws {
        try desk.know(.standard)
        let checked = try desk.run("file", "check", "specs.json")
        #expect(checked.status == 0)
        #expect(checked.output.hasSuffix("heliotest: already in the hot database\n"))
    }

    /// The names in the list of subcommands: the first word of each line that is indented by two spaces.
    private func listed(_ help: String) -> Set<Substring> {
        let lines = help.split(separator: "\n").drop { !$0.hasPrefix("SUBCOMMANDS:") }.prefix {
            !$0.hasPrefix("  See ")
        }
        return Set(
            lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
                $0.split(separator: " ").first
            })
    }

    @Test(arguments: [["--help"], ["help"], []]) func `help lists every command`(words: [String]) throws {
        let help = try desk.run(words: words)
        #expect(help.status == 0)
        #expect(listed(help.output) == Set((Self.nouns + Self.fixedWords + ["help"]).map { $0[...] }))
    }

    @Test func `help of a command is the same by either form`() throws {
        for words in [["metadata"], ["metadata", "show"], ["make", "transaction"], ["qr"]] {
            let (noun, flag) = (
                try desk.run(words: ["help"] + words), try desk.run(words: words + ["--help"])
            )
            #expect(noun.status == 0)
            #expect(noun.output.contains("USAGE: heliograph-hot \(words.joined(separator: " "))"))
            #expect(
                noun.output.trimmingCharacters(in: .newlines) == flag.output.trimmingCharacters(in: .newlines)
            )
        }
        #expect(try desk.run("help", "nonsense").status == 64)
    }
}
