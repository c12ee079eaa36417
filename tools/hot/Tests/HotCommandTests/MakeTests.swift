import FixtureRuntime
import Foundation
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// The keys of the development phrase, which the offline side would hold.
enum Offline {
    static func pair(_ path: String, _ scheme: SignatureScheme = .sr25519) throws -> KeyPair {
        let phrase = secret(
            Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8))
        return try KeyPair.derive(phrase: phrase, path: try DerivationPath(path), scheme: scheme)
    }

    static let root = "0x46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
    static var rootKey: PublicKey { PublicKey(scheme: .sr25519, bytes: Hex.decode(root)!)! }

    /// What the offline side answers to a request.
    static func answer(_ paths: [(String, SignatureScheme)], root: PublicKey = rootKey) throws -> String {
        let derived = try paths.map { path, scheme in
            let key = try pair(path, scheme).publicKey
            return DynamicDerivationsResponse.Derived(path: path, scheme: scheme, key: key)
        }
        return Hex.encode(Answer.derivations(DynamicDerivationsResponse(root: root, derived: derived)).bytes)
    }
}

@Suite struct MessageCommandLaws {
    private let desk: Desk
    private static let runtime = FixtureRuntime.standard

    init() throws {
        desk = try Desk()
        try desk.know(Self.runtime)
    }

    private func make(_ words: String..., out: String = "m.hex") throws -> Desk.Outcome {
        try desk.run(words: ["message", "make"] + words + ["--out", out])
    }

    @Test func aMessageIsForANetworkOrForAny() throws {
        let tagged = Array("<Bytes>hello \u{e9}</Bytes>".utf8)
        let one = try make("--signer", Alice.address, "--network", "heliotest", "--text", "hello \u{e9}")
        #expect(one.status == 0 && one.output == "  text \"hello \u{e9}\"\n", "\(one.output)")
        #expect(one.errors.hasPrefix("a message for heliotest\n"))
        #expect(
            try desk.hex("m.hex") == [0x53, 1, 3] + Alice.publicKey + tagged
                + Self.runtime.specs.genesisHash.bytes)
        let any = try make("--signer", Alice.address, "--text", "hello \u{e9}")
        #expect(any.status == 0 && any.errors.hasPrefix("a message for any network\n"))
        #expect(try desk.hex("m.hex") == [0x53, 1, 8] + Alice.publicKey + tagged)
    }

    @Test(arguments: SignatureScheme.allCases) func everySchemeSignsAndIsVerified(scheme: SignatureScheme)
        throws
    {
        let pair = try Offline.pair("//Alice", scheme)
        let key = try #require(pair.publicKey.payloadKey)
        let content: [UInt8] = [0xff, 0, 7]
        try desk.write(content, "content.bin")
        let outcome = try make(
            "--signer", "0x" + Hex.encode(key), "--scheme", scheme.name, "--file", "content.bin",
            "--signing-bytes", "sign.bin")
        #expect(
            outcome.status == 0 && outcome.output == "  bytes 0xff0007\n",
            "\(outcome.output)\(outcome.errors)")
        let signed = Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
        #expect(try desk.hex("m.hex") == [0x53, scheme.rawValue, 8] + key + signed)
        #expect(try desk.read("sign.bin") == signed)
        let signature = Hex.encode(try pair.sign(signed))
        for words in [["read", "--hex", signature], ["read", "--hex", signature, "--payload", "m.hex"]] {
            let read = try desk.run(words: words)
            #expect(read.status == 0 && read.output == signature + "\n", "\(read.errors)")
            #expect(
                read.errors.contains(
                    "message signature by the \(scheme.name) key 0x\(Hex.encode(key)) verified"))
        }
        let other = Hex.encode(try pair.sign(signed + [0]))
        #expect(try desk.run("read", "--hex", other, "--payload", "m.hex").status == 65)
        #expect(try !desk.run("read", "--hex", other).errors.contains("verified by"))
    }

    @Test func aMessageThatCannotBeMadeIsRefused() throws {
        let tagged = try make("--signer", Alice.address, "--text", "<Bytes>x</Bytes>", out: "no.hex")
        #expect(
            tagged.diagnostic
                == "the message is already between <Bytes> and </Bytes>, which this command adds")
        #expect(tagged.status == 65)
        #expect(try make("--signer", Alice.address, "--text", "<Bytes>x").status == 0)
        #expect(
            try make("--signer", Alice.address, "--text", "", out: "no.hex").diagnostic == "--text is empty")
        #expect(
            try make("--signer", Alice.address, "--hex", "zz", out: "no.hex").diagnostic
                == "--hex is not hexadecimal")
        #expect(try make("--signer", "alice", "--text", "x", out: "no.hex").status == 65)
        #expect(
            try make("--signer", "0x" + String(repeating: "1", count: 62), "--text", "x", out: "no.hex")
                .status == 65)
        #expect(try make("--signer", Alice.address, "--text", "x", "--hex", "00", out: "no.hex").status == 64)
        #expect(try make("--signer", Alice.address, out: "no.hex").status == 64)
        #expect(
            try make(
                "--signer", Alice.address, "--text", "x", "--network", "heliotest", "--scheme", "ed25519",
                out: "no.hex"
            ).status == 64)
        #expect(
            try make("--signer", Alice.address, "--text", "x", "--network", "nowhere", out: "no.hex").status
                == 1)
        #expect(try desk.run("message", "make", "--signer", Alice.address, "--text", "x").status == 64)
        #expect(!desk.exists("no.hex"))
    }
}

@Suite struct DerivationCommandLaws {
    private let desk: Desk
    private static let runtime = FixtureRuntime.standard
    private static let genesis = runtime.specs.genesisHash
    private static let remark = runtime.call("System", "remark", [FixtureValue.bytes([7])])

    init() throws {
        desk = try Desk()
        try desk.know(Self.runtime)
    }

    @Test func aPlainListBecomesTheReferencesPayload() throws {
        try desk.write("//Alice\n\n  /soft \r\n", "paths.txt")
        let outcome = try desk.run(
            "make", "derivations", "paths.txt", "--network", "heliotest", "--out", "d.hex")
        #expect(outcome.status == 0)
        #expect(outcome.output == "//Alice  heliotest\n/soft  heliotest\n")
        #expect(outcome.errors.hasPrefix("the list names no seed: scan it with --seed NAME\n"))
        let list = SCALEWriter.encode {
            $0.raw([0x53, 0xff, 0xde, 1])
            $0.raw(Self.genesis.bytes)
            $0.vector(["//Alice", "/soft"]) { $0.string($1) }
        }
        #expect(try desk.hex("d.hex") == list)
    }

    @Test func jsonNamesSeedsAndAddresses() throws {
        try desk.write(
            #"[{"seed": "main", "scheme": "sr25519", "root": "\#(Offline.root)", "keys": [{"address": "\#(Alice.address)", "path": "//Alice"}]}]"#,
            "keys.json")
        let outcome = try desk.run(
            "make", "derivations", "keys.json", "--network", "heliotest", "--out", "d.hex")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let key = SeedInfo.DerivedKey(
            address: Alice.address, path: "//Alice", scheme: .sr25519, genesisHash: Self.genesis)
        let export = ExportAddrs(seeds: [SeedInfo(name: "main", root: Offline.rootKey, keys: [key])])
        #expect(try desk.hex("d.hex") == Payload.Content.importDerivations(export).encoded())
    }

    @Test(
        arguments: [
            ("//a\n//b///word", "line 2 of the list holds a ///password, which a list must not contain"),
            ("//a\nb", "line 2 of the list is not a derivation path: it must start with /"),
            ("//a\n//a", "line 2 of the list repeats the path on line 1"),
            ("\n", "the list holds no derivation path"),
            (
                "//a//",
                """
                cannot use bad.txt: //a//: the derivation path is malformed at character 4: every part is / \
                or // and a name
                """
            ),
            ("[{", "cannot use bad.txt: it is not valid JSON"),
        ])
    func aListThatIsNoneSaysWhere(text: String, said: String) throws {
        try desk.write(text, "bad.txt")
        for words in [
            ["make", "derivations", "bad.txt"],
            ["make", "derivations-request", "bad.txt", "--root", Offline.root],
        ] {
            let outcome = try desk.run(words: words + ["--network", "heliotest", "--out", "no.hex"])
            #expect(outcome.status == 65)
            #expect(outcome.diagnostic == said)
        }
        #expect(!desk.exists("no.hex"))
    }

    @Test(arguments: ["derivations", "derivations-request"]) func twoSpellingsOfOnePathAreRefused(
        command: String
    ) throws {
        let root = command == "derivations" ? [] : ["--root", Offline.root]
        for (paths, said) in [
            ("//1\n//01\n", "//1 and //01 are one path"),
            ("/a//+7\n/a//7\n", "/a//+7 and /a//7 are one path"),
        ] {
            try desk.write(paths, "twice.txt")
            let made = try desk.run(
                words: ["make", command, "twice.txt", "--network", "heliotest", "--out", "no.hex"] + root)
            #expect(made.status == 65 && made.diagnostic?.contains(said) == true, "\(made.errors)")
            #expect(!desk.exists("no.hex"))
        }
        // A hard and a soft part of one name are two keys.
        try desk.write("/1\n//1\n", "both.txt")
        #expect(
            try desk.run(
                words: ["make", command, "both.txt", "--network", "heliotest", "--out", "both.hex"] + root
            ).status == 0)
    }

    private func request(_ paths: String) throws -> Desk.Outcome {
        try desk.write(paths, "paths.txt")
        return try desk.run(
            "make", "derivations-request", "paths.txt", "--root", Offline.root, "--network", "heliotest",
            "--out", "q.hex")
    }

    @Test func aRequestHasTheBytesThatTheOfflineSideReads() throws {
        #expect(try request("//spektr//0\n//spektr//1\n").status == 0)
        let entries = ["//spektr//0", "//spektr//1"].map {
            DynamicDerivationsRequest.Entry(path: $0, scheme: .sr25519, genesisHash: Self.genesis)
        }
        let expected = Payload.Content.derivationsRequest(
            DynamicDerivationsRequest(root: Offline.rootKey, entries: entries)
        ).encoded()
        #expect(try desk.hex("q.hex") == expected)
        try desk.write(
            #"[{"path": "//spektr//0"}, {"path": "//spektr//1", "network": "heliotest"}]"#, "paths.json")
        #expect(
            try desk.run(
                "make", "derivations-request", "paths.json", "--root",
                "5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV", "--network",
                "heliotest", "--out", "j.hex"
            ).status == 0)
        #expect(try desk.hex("j.hex") == expected)
        let bad = try desk.run(
            "make", "derivations-request", "paths.txt", "--root", "0x00", "--network", "heliotest", "--out",
            "no.hex")
        #expect(bad.status == 64 && !desk.exists("no.hex"))
    }

    @Test func anAnswerGivesAddressesAndSaysWhatIsMissing() throws {
        #expect(try request("//Alice\n//gone\n//spektr//0\n").status == 0)
        let answer = try Offline.answer([("//Alice", .sr25519), ("//spektr//0", .sr25519)])
        for words in [["read", "--hex", answer], ["read", "--hex", answer, "--payload", "q.hex"]] {
            // The text of --hex is that of a QR code; the answer is bytes, as a file holds them.
            try desk.write(try #require(Hex.decode(answer)), "answer.bin")
            let read = try desk.run(words: words.map { $0 == answer ? "@answer.bin" : $0 })
            #expect(read.status == 0, "\(read.errors)")
            let lines = read.output.split(separator: "\n")
            let alice = try #require(
                SS58Address(prefix: Self.runtime.specs.base58Prefix, account: Alice.publicKey)
            ).text
            #expect(lines.first == "\(alice)  //Alice  heliotest  0x\(Hex.encode(Alice.publicKey))")
            #expect(lines.count == 2)
            #expect(read.errors.contains("not answered: //gone on heliotest\n"))
            #expect(read.errors.contains("such an answer is not signed"))
        }
    }

    private func refused(_ answer: String) throws -> Desk.Outcome {
        try desk.write(try #require(Hex.decode(answer)), "answer.bin")
        let read = try desk.run("read", "--hex", "@answer.bin")
        #expect(read.status == 65 && read.output.isEmpty)
        return read
    }

    /// Whoever shows a picture chooses what is in it.
    @Test func anAnswerOfAnotherRootOrOfOtherPathsIsRefused() throws {
        let said = "the answer matches no request for derived addresses that was made here"
        let good = try Offline.answer([("//Alice", .sr25519)])
        #expect(try refused(good).diagnostic == said)
        #expect(try request("//Alice\n//Bob\n").status == 0)
        let stranger = PublicKey(scheme: .sr25519, bytes: Alice.publicKey)!
        #expect(try refused(Offline.answer([("//Alice", .sr25519)], root: stranger)).diagnostic == said)
        #expect(try refused(Offline.answer([("//Eve", .sr25519)])).diagnostic == said)
        #expect(try refused(Offline.answer([("//Alice", .ed25519)])).diagnostic == said)
        #expect(try refused(Offline.answer([("//Bob", .sr25519), ("//Alice", .sr25519)])).diagnostic == said)
        #expect(
            try refused(Offline.answer([("//Alice", .sr25519), ("//Alice", .sr25519)])).diagnostic == said)
        // The scheme of the path, with a key of another scheme.
        let mixed = DynamicDerivationsResponse(
            root: Offline.rootKey,
            derived: [
                .init(path: "//Alice", scheme: .sr25519, key: try Offline.pair("//Alice", .ed25519).publicKey)
            ])
        #expect(try refused(Hex.encode(Answer.derivations(mixed).bytes)).diagnostic == said)
    }

    /// What the root key alone disproves.
    @Test func keysThatOneSeedCannotHaveAreRefused() throws {
        func answer(_ keys: [(path: String, key: PublicKey)]) -> String {
            let derived = keys.map {
                DynamicDerivationsResponse.Derived(path: $0.path, scheme: .sr25519, key: $0.key)
            }
            return Hex.encode(
                Answer.derivations(DynamicDerivationsResponse(root: Offline.rootKey, derived: derived)).bytes)
        }
        func isTaken(_ answer: String) throws -> Bool {
            try desk.write(try #require(Hex.decode(answer)), "answer.bin")
            return try desk.run("read", "--hex", "@answer.bin").status == 0
        }
        let (alice, eve) = (try Offline.pair("//Alice").publicKey, try Offline.pair("//Eve").publicKey)
        #expect(try request("//Alice\n//Bob\n").status == 0)
        #expect(try refused(answer([("//Alice", eve), ("//Bob", eve)])).status == 65)
        #expect(try isTaken(answer([("//Alice", alice), ("//Bob", eve)])))
        try desk.write(#"[{"path": "", "network": "heliotest"}]"#, "root.json")
        let words = [
            "make", "derivations-request", "root.json", "--root", Offline.root, "--network", "heliotest",
            "--out", "r.hex",
        ]
        #expect(try desk.run(words: words).status == 0)
        #expect(try refused(answer([("", eve)])).status == 65)
        #expect(try isTaken(answer([("", Offline.rootKey)])))
    }

    @Test func anotherKeyForAPathIsRefusedOrReplaced() throws {
        #expect(try request("//Alice\n").status == 0)
        try desk.write(try #require(Hex.decode(Offline.answer([("//Alice", .sr25519)]))), "good.bin")
        #expect(try desk.run("read", "--hex", "@good.bin").status == 0)
        let other = DynamicDerivationsResponse(
            root: Offline.rootKey,
            derived: [.init(path: "//Alice", scheme: .sr25519, key: try Offline.pair("//Eve").publicKey)])
        try desk.write(Answer.derivations(other).bytes, "other.bin")
        let refused = try desk.run("read", "--hex", "@other.bin")
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(
            refused.diagnostic == "the hot database has another key for the path //Alice of this root key")
        #expect(try desk.run("read", "--hex", "@good.bin").status == 0)
        #expect(try desk.run("read", "--hex", "@other.bin", "--replace").status == 0)
        #expect(try desk.run("read", "--hex", "@good.bin").status == 1)
    }

    // MARK: Transactions of derived keys

    private func transaction(_ words: String..., form: [String] = ["--without-proof"]) throws -> Desk.Outcome
    {
        try desk.run(
            words: [
                "make", "transaction", "--network", "heliotest", "--root", Offline.root, "--call-hex",
                Hex.encode(Self.remark),
            ] + form
                + words + ["--out", "tx.hex"])
    }

    /// The payload behind root and path, up to the genesis hash.
    private func signedPart(_ payload: [UInt8], path: String) -> [UInt8] {
        let start = 3 + 32 + SCALEWriter.encode { $0.string(path) }.count
        return Array(payload[(start + 1)..<(payload.count - 32)])
    }

    @Test func aDerivedKeyIsNamedByRootAndPath() throws {
        let plain = try transaction("--path", "//spektr//0", "--nonce", "3")
        #expect(plain.status == 0, "\(plain.errors)")
        let payload = try #require(try desk.hex("tx.hex"))
        let known = Self.runtime.transactionPayload(
            signer: Alice.publicKey, call: Self.remark, .init(nonce: 3))
        #expect(
            payload == [0x53, 1, 5] + Offline.rootKey.bytes + SCALEWriter.encode { $0.string("//spektr//0") }
                + known.dropFirst(35))
        #expect(try transaction("--path", "//spektr//0", "--nonce", "3", form: []).status == 0)
        #expect(try desk.hex("tx.hex")?.starts(with: [0x53, 1, 7] + Offline.rootKey.bytes) == true)
    }

    @Test func anAnswerOfADerivedKeyIsCheckedAgainstTheKeyThatWasTold() throws {
        let path = "//spektr//0"
        let pair = try Offline.pair(path)
        #expect(try transaction("--path", path, "--nonce", "3").status == 0)
        let payload = try #require(try desk.hex("tx.hex"))
        let answer = "01" + Hex.encode(try pair.sign(signedPart(payload, path: path)))
        // Nobody told the key: the payload proves nothing about its own signer.
        let unknown = try desk.run("read", "--hex", answer, "--payload", "tx.hex")
        #expect(unknown.status == 1 && unknown.output.isEmpty)
        #expect(
            unknown.diagnostic
                == """
                the payload names its signer by the path //spektr//0, and the key of this path is not in the \
                hot database
                """
        )
        #expect(try desk.run("read", "--hex", answer).status == 65)
        #expect(try request(path + "\n").status == 0)
        try desk.write(try #require(Hex.decode(Offline.answer([(path, .sr25519)]))), "answer.bin")
        #expect(try desk.run("read", "--hex", "@answer.bin").status == 0)
        for words in [["read", "--hex", answer], ["read", "--hex", answer, "--payload", "tx.hex"]] {
            let read = try desk.run(words: words)
            #expect(read.status == 0, "\(read.errors)")
            let parts = Self.runtime.extensionBytes(.init(nonce: 3))
            let body =
                [0x84, 0] + pair.publicKey.bytes + (Hex.decode(answer) ?? []) + parts.explicit + Self.remark
            #expect(read.output == Hex.encode(SCALEWriter.encode { $0.byteVector(body) }) + "\n")
        }
        // Root and path with the signature of another key.
        let other = "01" + Hex.encode(try Offline.pair("//Alice").sign(signedPart(payload, path: path)))
        #expect(
            try desk.run("read", "--hex", other, "--payload", "tx.hex").diagnostic
                == "the signature does not match this payload")
    }

    @Test func theUserTellsTheKeyOfAPath() throws {
        let address = try #require(try Offline.pair("//spektr//0").publicKey.accountAddress(prefix: 42))
        #expect(
            try transaction("--path", "//spektr//0", "--nonce", "3", "--signer", Alice.address).status == 0)
        let corrected = try transaction("--path", "//spektr//0", "--nonce", "3", "--signer", address)
        #expect(corrected.status == 0)
        #expect(corrected.errors.contains("//spektr//0 was 0x\(Hex.encode(Alice.publicKey)) until now\n"))
        let payload = try #require(try desk.hex("tx.hex"))
        let answer =
            "01" + Hex.encode(try Offline.pair("//spektr//0").sign(signedPart(payload, path: "//spektr//0")))
        #expect(try desk.run("read", "--hex", answer).status == 0)
    }

    @Test func theNonceOfADerivedKeyNeedsItsAddress() throws {
        let address = try #require(
            try Offline.pair("//spektr//0").publicKey.accountAddress(prefix: Self.runtime.specs.base58Prefix))
        try desk.write(state: Self.runtime, ["nonces": [address: 7]])
        let url = "ws://\(try desk.node())"
        let unknown = try transaction("--path", "//spektr//0", "--url", url)
        #expect(
            unknown.status == 64 && unknown.diagnostic == "--signer is required: its value cannot be inferred"
        )
        // A nonce of the user needs no address, and the node gives the rest.
        #expect(try transaction("--path", "//spektr//0", "--url", url, "--nonce", "5").status == 0)
        #expect(try request("//spektr//0\n").status == 0)
        try desk.write(try #require(Hex.decode(Offline.answer([("//spektr//0", .sr25519)]))), "answer.bin")
        #expect(try desk.run("read", "--hex", "@answer.bin").status == 0)
        let known = try transaction("--path", "//spektr//0", "--url", url)
        #expect(known.status == 0 && known.errors.contains("nonce 7 from \(url)\n"), "\(known.errors)")
    }

    @Test func `a key in hex needs no 0x, as a root and as a signer`() throws {
        let hex = Hex.encode(Offline.rootKey.bytes)
        #expect(try transaction("--path", "//a", "--nonce", "3").status == 0)
        let (payload, words) = (
            try desk.read("tx.hex"),
            ["make", "transaction", "--network", "heliotest", "--call-hex", Hex.encode(Self.remark)]
        )
        for text in ["0x" + hex, hex, hex.uppercased()] {
            let made = try desk.run(
                words: words + [
                    "--root", text, "--path", "//a", "--nonce", "3", "--without-proof", "--out", "again.hex",
                ])
            #expect(try made.status == 0 && desk.read("again.hex") == payload, "\(made.errors)")
        }
        for text in [
            String(hex.dropLast()), String(hex.dropLast(2)), hex + "00", "0x", "", "0x" + hex + "00",
        ] {
            #expect(
                try desk.run(
                    words: words + ["--root", text, "--path", "//a", "--nonce", "3", "--out", "no.hex"]
                ).status == 64)
        }
        // A node is asked for the nonce of the address of such a key.
        try desk.write(state: Self.runtime, ["nonces": [Alice.address: 7]])
        let url = "ws://\(try desk.node())"
        for text in ["0x" + Hex.encode(Alice.publicKey), Hex.encode(Alice.publicKey), Alice.address] {
            let made = try desk.run(
                words: words + ["--signer", text, "--url", url, "--without-proof", "--out", "signer.hex"])
            #expect(made.status == 0 && made.errors.contains("nonce 7 from \(url)\n"), "\(made.errors)")
        }
    }

    @Test func `a path whose key is unknown is told when the transaction is made`() throws {
        let note = "the key of //b is unknown here, so read cannot match the answer"
        #expect(try transaction("--path", "//b", "--nonce", "3").errors.contains(note))
        let address = try #require(try Offline.pair("//b").publicKey.accountAddress(prefix: 42))
        #expect(
            try !transaction("--path", "//b", "--nonce", "3", "--signer", address).errors.contains(
                "unknown here"))
        #expect(try !transaction("--path", "//b", "--nonce", "3").errors.contains("unknown here"))
    }

    @Test func `an ecdsa address as a signer needs its public key, or one that is known`() throws {
        var specs = Self.runtime.specs
        specs.scheme = .ecdsa
        try desk.write(Array(JSONEncoder().encode(specs)), "second.json")
        #expect(try desk.run("import", "second.json").status == 0)
        #expect(try desk.run("import", "metadata.scale", "--network", "heliotest/ecdsa").status == 0)
        let key = try Offline.pair("//c", .ecdsa).publicKey
        let address = try #require(key.accountAddress(prefix: 42))
        let words = [
            "make", "transaction", "--network", "heliotest/ecdsa", "--call-hex", Hex.encode(Self.remark),
            "--nonce", "3",
        ]
        let refused = try desk.run(
            words: words + ["--signer", address, "--without-proof", "--out", "no.hex"])
        #expect(refused.status == 64 && !desk.exists("no.hex"))
        #expect(
            refused.diagnostic
                == "\(address) is the address of an ecdsa key, which does not tell the public key")
        #expect(refused.hint?.hasPrefix("--signer 0xKEY") == true)
        let made = try desk.run(
            words: words + ["--signer", "0x" + Hex.encode(key.bytes), "--without-proof", "--out", "key.hex"])
        #expect(made.status == 0, "\(made.errors)")
        // Once the key of the path was told, the address is enough.
        let told = try desk.run(
            words: words + [
                "--root", Offline.root, "--path", "//c", "--signer", Hex.encode(key.bytes), "--without-proof",
                "--out", "t.hex",
            ])
        #expect(told.status == 0, "\(told.errors)")
        #expect(
            try desk.run(words: words + ["--signer", address, "--without-proof", "--out", "found.hex"]).status
                == 0)
        #expect(try desk.read("found.hex") == desk.read("key.hex"))
    }

    @Test func aDerivedSignerThatIsNoneIsRefused() throws {
        #expect(try transaction("--nonce", "3").status == 64)
        let password = try transaction("--path", "//a///word", "--nonce", "3")
        #expect(
            password.diagnostic == "a derivation path must not contain a ///password: others could read it")
        #expect(password.status == 64)
        var specs = Self.runtime.specs
        specs.scheme = .ed25519
        try desk.write(Array(JSONEncoder().encode(specs)), "second.json")
        #expect(try desk.run("import", "second.json").status == 0)
        let soft = try desk.run(
            "make", "transaction", "--network", "heliotest/ed25519", "--root", Offline.root, "--path",
            "//a/b", "--call-hex", "00",
            "--nonce",
            "1", "--out", "tx.hex")
        #expect(soft.diagnostic == "//a/b has a soft part (/), which ed25519 does not support: write //")
        #expect(!desk.exists("tx.hex"))
    }
}

@Suite struct UpdateFormLaws {
    private let desk: Desk
    private static let runtime = FixtureRuntime.standard
    private static let other = FixtureRuntime(specName: "other")

    init() throws {
        desk = try Desk()
        try desk.know(Self.runtime)
        try desk.know(Self.other)
    }

    @Test func severalNetworksGetAFileEach() throws {
        let names = ["heliotest_metadata_1000.hex", "other_metadata_1000.hex"]
        let made = try desk.run(
            "make", "load-metadata", "heliotest", "other", "heliotest", "--out", "updates")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.errors.contains("heliotest_metadata_1000: unsigned update\n"))
        #expect(
            desk.exists("updates/heliotest_metadata_1000.apng")
                && desk.exists("updates/other_metadata_1000.apng"))
        #expect(try desk.run("make", "add-specs", "heliotest", "other").status == 0)
        #expect(desk.exists("heliotest_specs.png") && desk.exists("other_specs.png"))
        for name in names { #expect(!desk.exists(name)) }
        // One that is not known stops all of them.
        #expect(try desk.run("make", "add-specs", "heliotest", "nowhere", "--out", "none").status == 1)
        #expect(!desk.exists("none"))
    }

    /// A picture of one network is what each of several gets, byte for byte.
    @Test func aFileOfSeveralIsThatOfOne() throws {
        #expect(try desk.run("make", "add-specs", "heliotest", "other", "--out", "both/").status == 0)
        #expect(try desk.run("make", "add-specs", "other", "--out", "one.png").status == 0)
        #expect(try desk.read("both/other_specs.png") == desk.read("one.png"))
    }

    @Test(
        arguments: [
            (["--terminal"], "--terminal"), (["--signing-bytes", "x"], "--signing-bytes"),
            (["--test-key", "//Alice"], "a given signature"),
            (["--separate"], "--separate"),
        ] as [([String], String)])
    func whatIsForOneNetworkIsRefusedForSeveral(words: [String], option: String) throws {
        let outcome = try desk.run(
            words: ["make", "add-specs", "heliotest", "other", "--out", "none"] + words)
        #expect(
            outcome.status == 64
                && outcome.diagnostic == "\(option) is for one network, and several are named")
        #expect(!desk.exists("none") && !desk.exists("x"))
        #expect(try desk.run("make", "load-metadata", "heliotest", "other", "--version", "1000").status == 64)
    }

    /// What subkey or another vault signs, and what comes back.
    @Test(arguments: [SignatureScheme.ed25519, .sr25519, .ecdsa]) func anExternalSignerSignsTheseBytes(
        scheme: SignatureScheme
    ) throws {
        let bytes = try desk.run(
            "make", "load-metadata", "heliotest", "--format", "14", "--signing-bytes", "sign.hex")
        #expect(bytes.status == 0 && !desk.exists("heliotest_metadata_1000.apng"))
        let blob = Self.runtime.metadata(.v14)
        let expected = SCALEWriter.encode {
            $0.byteVector(blob)
            $0.raw(Self.runtime.specs.genesisHash.bytes)
        }
        #expect(try desk.hex("sign.hex") == expected)
        #expect(bytes.errors == "sign.hex: \(expected.count) bytes to sign\n")
        #expect(
            try desk.run(
                "make", "load-metadata", "heliotest", "--format", "14", "--signing-bytes", "sign.bin"
            ).status == 0)
        #expect(try desk.read("sign.bin") == expected)
        let pair = try Offline.pair("//Verifier", scheme)
        let words = [
            "make", "load-metadata", "heliotest", "--format", "14", "--scheme", scheme.name, "--key-hex",
            Hex.encode(pair.publicKey.bytes),
            "--signature-hex", Hex.encode(try pair.sign(expected)), "--out", "signed.hex",
        ]
        #expect(try desk.run(words: words).status == 0)
        guard case .update(let update) = try Payload(try #require(try desk.hex("signed.hex"))).content else {
            Issue.record("not an update")
            return
        }
        #expect(update.signature?.key == pair.publicKey)
        #expect(try desk.run(words: words + ["--signing-bytes", "again.hex"]).status == 64)
    }

    @Test(arguments: [nil, SignatureScheme.ed25519, .ecdsa]) func aTestSignatureIsMarkedAndNeverKept(
        scheme: SignatureScheme?
    ) throws {
        let words =
            ["make", "add-specs", "heliotest", "--test-key", "//Alice"]
            + (scheme.map { ["--scheme", $0.name] } ?? [])
        let made = try desk.run(words: words + ["--out", "test.hex"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.errors.contains("TEST SIGNATURE: the phrase of the development key //Alice is public"))
        guard case .update(let update) = try Payload(try #require(try desk.hex("test.hex"))).content,
            let signature = update.signature
        else {
            Issue.record("not a signed update")
            return
        }
        #expect(signature.key == (try Offline.pair("//Alice", scheme ?? .sr25519).publicKey))
        #expect(
            Signature.verify(signature.signature, message: update.content.signedBytes, key: signature.key))
        let later = try desk.run("make", "add-specs", "heliotest", "--out", "later.hex")
        #expect(later.errors.hasPrefix("unsigned update\n"))
        #expect(try desk.run(words: words).status == 0)
        #expect(desk.exists("heliotest_specs_TEST.png") && !desk.exists("heliotest_specs.png"))
        #expect(try desk.run(words: words + ["--unsigned"]).status == 64)
        #expect(try desk.run(words: words + ["--sufficient", "00"]).status == 64)
    }

    /// Anyone can sign an update, and anyone can sign as //Alice: neither a test signature nor a stranger's
    /// takes the place of a verifier's.
    @Test func anImportReplacesNoVerifiersSignature() throws {
        func sign(_ path: String, to name: String) throws -> Desk.Outcome {
            let pair = try Offline.pair(path)
            let message = SCALEWriter.encode { Self.runtime.specs.encode(into: &$0) }
            return try desk.run(
                "make", "add-specs", "heliotest", "--scheme", "sr25519", "--key-hex",
                Hex.encode(pair.publicKey.bytes), "--signature-hex",
                Hex.encode(try pair.sign(message)), "--out", name)
        }
        func key(_ path: String) throws -> String {
            "sr25519 key 0x\(Hex.encode(try Offline.pair(path).publicKey.bytes))"
        }
        func published() throws -> String {
            try desk.run("make", "add-specs", "heliotest", "--out", "now.hex").errors
        }
        for path in ["//Alice", "//Bob//stash", "//Ferdie", ""] {
            let made = try sign(path, to: "test.hex")
            #expect(made.status == 0 && made.errors.contains("TEST SIGNATURE: "), "\(path)")
            #expect(try published().hasPrefix("unsigned update\n"))
            let imported = try desk.run("import", "test.hex")
            #expect(imported.status == 0 && imported.errors.contains("not kept\nTEST SIGNATURE: "))
            #expect(try published().hasPrefix("unsigned update\n"))
        }
        #expect(try sign("//Stranger", to: "strange.hex").status == 0)
        let replaced = try sign("//Verifier", to: "real.hex")
        #expect(
            try replaced.errors.contains(
                "replaces the stored one: the update was signed by the \(key("//Stranger"))"))
        let strange = try desk.run("import", "strange.hex")
        #expect(strange.status == 0)
        #expect(
            try strange.errors.contains(
                "\(key("//Stranger")), not kept: the update is already signed by the \(key("//Verifier"))"))
        #expect(try published().contains("\(key("//Verifier")), as stored"))
        #expect(try desk.run("import", "test.hex", "--replace").errors.contains("not kept\nTEST SIGNATURE: "))
        #expect(try published().contains("\(key("//Verifier")), as stored"))
        #expect(try desk.run("import", "strange.hex", "--replace").errors.contains(", kept for make"))
        #expect(try published().contains("\(key("//Stranger")), as stored"))
    }

    /// A chain chooses its name; it does not choose away the file of another.
    @Test func twoNetworksNeverGiveOneFile() throws {
        try desk.know(FixtureRuntime(specName: "westend_sr25519"))
        try desk.write(Array(JSONEncoder().encode(FixtureRuntime(specName: "westend").specs)), "westend.json")
        #expect(try desk.run("import", "westend.json", "--network", "westend/sr25519").status == 0)
        let made = try desk.run("make", "add-specs", "westend_sr25519", "westend/sr25519", "--out", "out")
        #expect(
            made.status == 64
                && made.diagnostic == "two of these networks give the file name westend_sr25519_specs",
            "\(made.errors)")
        #expect(!desk.exists("out"))
        // Nor the picture below the heading of another, on a page or for whoever publishes what is watched.
        let page = try desk.run("portal", "page")
        #expect(
            page.status == 64
                && page.diagnostic == "two of these networks give the file name westend_sr25519_specs",
            "\(page.errors)")
        #expect(!desk.exists("page"))
        #expect(try desk.run("network", "remove", "westend/sr25519").status == 0)
        #expect(try desk.run("portal", "page").status == 0)
        // Some file systems do not tell capital letters from small ones.
        try desk.know(FixtureRuntime(specName: "Westend_SR25519"))
        #expect(
            try desk.run("portal", "page").diagnostic
                == "two of these networks give the file name westend_sr25519_specs")
    }

    /// The bytes of a transaction, or their hash where they are longer than 256.
    @Test(arguments: [1, 300]) func anExternalSignerSignsATransaction(length: Int) throws {
        let call = Self.runtime.call(
            "System", "remark", [FixtureValue.bytes([UInt8](repeating: 7, count: length))])
        let words = [
            "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--nonce", "3",
            "--without-proof",
        ]
        let made = try desk.run(
            words: words + ["--call-hex", Hex.encode(call), "--signing-bytes", "sign.bin"])
        #expect(made.status == 0, "\(made.errors)")
        let parts = Self.runtime.extensionBytes(.init(nonce: 3))
        let bytes = call + parts.explicit + parts.implicit
        #expect(try desk.read("sign.bin") == (bytes.count > 256 ? BLAKE2b.hash(bytes) : bytes))
        // The answer of such a signer is read as any other.
        let signature = "01" + Hex.encode(try Offline.pair("//Alice").sign(try desk.read("sign.bin")))
        #expect(try desk.run("read", "--hex", signature).status == 0)
        let two = try desk.run(
            words: words + [
                "--call-hex", Hex.encode(call), "--call-hex", Hex.encode(call), "--signing-bytes", "two.bin",
            ])
        #expect(two.status == 64 && !desk.exists("two.bin"))
    }

    @Test func aTerminalNeedsNoFile() throws {
        let call = Hex.encode(Self.runtime.call("System", "remark", [FixtureValue.bytes([7])]))
        let words = [
            "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--nonce", "3",
            "--without-proof", "--call-hex",
            call,
        ]
        #expect(try desk.run(words: words).diagnostic == "give --out FILE, or --terminal")
        let shown = try desk.run(words: words + ["--terminal"])
        #expect(shown.status == 0 && shown.output.contains("\u{2580}"))
        let message = try desk.run("message", "make", "--signer", Alice.address, "--text", "x", "--terminal")
        #expect(message.status == 0 && message.output.contains("\u{2580}"))
    }

    @Test func metadataIsExportedAsTheChainHasIt() throws {
        #expect(
            try desk.run("metadata", "export", "heliotest", "1000", "--format", "15", "--out", "m.bin").status
                == 0)
        #expect(try desk.read("m.bin") == Self.runtime.metadata(.v15))
        let hex = try desk.run("metadata", "export", "heliotest", "--out", "m.hex")
        #expect(try desk.hex("m.hex") == Self.runtime.metadata(.v14))
        let hash = Hash32.blake2b(of: Self.runtime.metadata(.v14)).hex
        #expect(hex.errors == "m.hex: metadata V14 for heliotest 1000, BLAKE2b-256 0x\(hash)\n")
        #expect(try desk.run("metadata", "export", "heliotest").status == 0)
        #expect(try desk.read("heliotest_1000_v14.scale") == Self.runtime.metadata(.v14))
        #expect(try desk.run("metadata", "export", "heliotest", "9").status == 1)
        #expect(try desk.run("metadata", "export", "nowhere").status == 1)
        try FileManager.default.createDirectory(
            at: desk.folder.appendingPathComponent("dir"), withIntermediateDirectories: true)
        #expect(try desk.run("metadata", "export", "heliotest", "--out", "dir").status == 64)
    }
}
