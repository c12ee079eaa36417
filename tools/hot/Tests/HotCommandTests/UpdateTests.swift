import FixtureRuntime
import Foundation
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing

@Suite struct UpdateCommandLaws {
    private let desk: Desk
    private let runtime = FixtureRuntime.standard

    init() throws { desk = try Desk() }

    private func verifier(_ scheme: SignatureScheme = .sr25519) throws -> KeyPair {
        try KeyPair.derive(miniSecret: secret([UInt8](repeating: 7, count: 32)), scheme: scheme)
    }

    @Test func anUnsignedUpdateIsWhatTheRuntimeServes() throws {
        try desk.know(runtime)
        let outcome = try desk.run("make", "load-metadata", "heliotest", "--out", "update.hex")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "unsigned update\nupdate.hex: 8990 bytes, as hex\n")
        let blob = runtime.metadata(.v14)
        let expected = SCALEWriter.encode {
            $0.raw([0x53, 0xff, 0x80])
            $0.byteVector(blob)
            $0.raw(runtime.genesisHash.bytes)
        }
        #expect(try desk.hex("update.hex") == expected)
        #expect(
            try desk.run("make", "load-metadata", "heliotest", "--format", "15", "--out", "update.bin").status
                == 0)
        #expect(try desk.read("update.bin").starts(with: [0x53, 0xff, 0x80]))
        // Three bytes of prelude, two of length, four of magic.
        #expect(try desk.read("update.bin")[9] == 15)
    }

    @Test(arguments: [SignatureScheme.ed25519, .sr25519, .ecdsa])
    func aSignatureIsCheckedBeforeAFileIsWritten(scheme: SignatureScheme) throws {
        try desk.know(runtime)
        let inner = SCALEWriter.encode { runtime.specs.encode(into: &$0) }
        let pair = try verifier(scheme)
        let key = pair.publicKey
        let signature = try pair.sign(inner)
        let crypto = [scheme.rawValue] + key.bytes + signature
        #expect(
            try desk.run(
                "make", "add-specs", "heliotest", "--sufficient", Hex.encode(crypto), "--out", "good.hex"
            ).status == 0)
        let outer = SCALEWriter.encode { $0.byteVector(inner) }
        #expect(try desk.hex("good.hex") == [0x53, scheme.rawValue, 0xc1] + key.bytes + outer + signature)
        var flipped = crypto
        flipped[flipped.count - 20] ^= 1
        let refused = try desk.run(
            "make", "add-specs", "heliotest", "--sufficient", Hex.encode(flipped), "--out", "bad.hex")
        #expect(refused.status == 65)
        #expect(
            refused.diagnostic
                == """
                the signature by the \(scheme.name) key 0x\(Hex.encode(key.bytes)) does not match this update
                """
        )
        #expect(!desk.exists("bad.hex"))
        // The same parts under the three options give the same bytes.
        let parts = try desk.run(
            "make", "add-specs", "heliotest", "--key-hex", Hex.encode(key.bytes), "--signature-hex",
            Hex.encode(signature), "--scheme",
            scheme.name, "--out", "parts.hex")
        #expect(parts.status == 0)
        #expect(try desk.hex("parts.hex") == desk.hex("good.hex"))
    }

    @Test func aSmallUpdateIsAStillPictureAndALargeOneMoves() throws {
        try desk.know(runtime)
        #expect(try desk.run("make", "add-specs", "heliotest").status == 0)
        #expect(try desk.run("make", "load-metadata", "heliotest").status == 0)
        let moves = Array("acTL".utf8)
        #expect(try desk.read("heliotest_specs.png").firstRange(of: moves) == nil)
        #expect(try desk.read("heliotest_metadata_1000.apng").firstRange(of: moves) != nil)
    }

    @Test func metadataOfAnotherRuntimeIsRefused() throws {
        try desk.know(runtime)
        try desk.write(FixtureRuntime(specName: "other").metadata(), "other.scale")
        let stranger = try desk.run("import", "other.scale", "--network", "heliotest")
        #expect(stranger.status == 1)
        #expect(stranger.diagnostic == "this is metadata for other, but heliotest runs heliotest")
        try desk.write(FixtureRuntime(ss58Prefix: 7).metadata(), "prefix.scale")
        #expect(
            try desk.run("import", "prefix.scale", "--network", "heliotest").diagnostic
                == "this metadata has SS58 prefix 7, but heliotest has 42")
    }

    @Test func aSilentChangeIsRefusedWithBothHashes() throws {
        try desk.know(runtime)
        var changed = runtime
        changed.renameCall("System", "remark", to: "note")
        try desk.write(changed.metadata(), "changed.scale")
        let outcome = try desk.run("import", "changed.scale")
        #expect(outcome.status == 1)
        let (old, new) = (Hash32.blake2b(of: runtime.metadata()), Hash32.blake2b(of: changed.metadata()))
        #expect(
            outcome.diagnostic
                == """
                metadata for heliotest 1000 changed without a new version: its hash is 0x\(old.hex) in a \
                file, but 0x\(new.hex) in a file
                """
        )
    }

    @Test func aFileOfNoKnownKindIsRefused() throws {
        try desk.write("no such thing", "file")
        #expect(
            try desk.run("import", "file").diagnostic
                == "file is neither metadata, network specs, types nor an update")
        try desk.write("{}", "file.json")
        #expect(
            try desk.run("import", "file.json").diagnostic
                == "file.json does not hold network specs as JSON: base58prefix is missing")
        try desk.write([0x00] + Array("asm".utf8) + [1, 0, 0, 0], "runtime.wasm")
        let wasm = try desk.run("import", "runtime.wasm")
        #expect(wasm.status == 1)
        #expect(wasm.diagnostic?.contains("this file is a WebAssembly runtime") == true)
        #expect(try desk.run("import", "absent").status == 74)
    }

    @Test func aPublishedUpdateCanBeImported() throws {
        try desk.know(runtime)
        #expect(try desk.run("make", "load-metadata", "heliotest", "--out", "update.bin").status == 0)
        let check = try desk.run("file", "check", "update.bin")
        #expect(
            check.output.hasPrefix(
                "unsigned update\nmetadata V14 for heliotest 1000, SS58 prefix 42, 8953 bytes"))
        #expect(
            try desk.run("import", "update.bin").errors
                == "heliotest: metadata for heliotest 1000 (V14) is already in the hot database\nunsigned update\n"
        )
    }

    @Test func fieldsCanBeSetAndGivenBack() throws {
        try desk.know(runtime)
        #expect(try desk.run("specs", "set", "heliotest", "title", "Mine").status == 0)
        #expect(try desk.run("specs", "show", "heliotest").output.contains(#""title" : "Mine""#))
        #expect(
            try desk.run("specs", "set", "heliotest", "color", "red").diagnostic
                == "red is not a valid value for color")
        #expect(try desk.run("specs", "set", "heliotest", "title").status == 0)
        #expect(try desk.run("specs", "show", "heliotest").output.contains(#""title" : "Heliotest""#))
        #expect(try desk.run("network", "remove", "heliotest").status == 0)
        #expect(try desk.run("specs", "show", "heliotest").diagnostic == "no network is named heliotest")
    }

    @Test func derivationsAreWrittenAsTheOfflineSideReadsThem() throws {
        try desk.know(runtime)
        try desk.write(
            #"[{"seed":"a","scheme":"sr25519","root":"\#(Hex.encode(Alice.publicKey))","keys":[{"address":"\#(Alice.address)","path":"//b"}]}]"#,
            "list.json")
        #expect(
            try desk.run("make", "derivations", "list.json", "--network", "heliotest", "--out", "keys.hex")
                .status == 0)
        let expected = SCALEWriter.encode {
            $0.raw([0x53, 0xff, 0xde, 0, 4])
            $0.string("a")
            $0.u8(1)
            $0.raw(Alice.publicKey)
            $0.u8(4)
            $0.string(Alice.address)
            $0.option("//b") { $0.string($1) }
            $0.u8(1)
            $0.raw(runtime.genesisHash.bytes)
        }
        #expect(try desk.hex("keys.hex") == expected)
    }

    @Test func wrongWordsAreAUsageError() throws {
        for words in [
            ["qr"], ["make"], ["fetch"], ["qr", "--hex", "00", "--out", "x.png", "--symbol", "65"],
            ["nonsense"],
        ] {
            let process = try desk.run(words: words)
            #expect(process.status == 64 || words == ["make"], "\(words)")
        }
    }
}
