import FixtureRuntime
import Foundation
import Glibc
import Hashing
import RuntimeWasm
import SubstratePrimitives
import Testing

@testable import heliograph_hot

/// `unwasm`: metadata of a runtime file goes where metadata of other files goes, and the output says what it
/// does not prove.
@Suite struct UnwasmLaws {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private let warning =
        """
        this file proves nothing about a chain: compare the hash with the proposal. The metadata is unsigned \
        until it is attested
        """

    @Test func `the next runtime is saved beside the present one, unsigned, with the hash of its file`()
        throws
    {
        try desk.know(.standard)
        let next = FixtureRuntime(specName: "heliotest", specVersion: 1001)
        try desk.writeRuntime(next, "next.wasm")
        let hash = Hash32.blake2b(of: try desk.read("next.wasm")).hex
        let outcome = try desk.run("unwasm", "next.wasm")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "runtime: heliotest 1001, transaction version \(next.transactionVersion)")
        #expect(
            lines.contains {
                $0.hasPrefix("file: ")
                    && $0.hasSuffix("not compressed, BLAKE2b-256 0x\(hash) (the hash in the proposal)")
            })
        #expect(
            lines.last
                == """
                metadata: V14, \(next.metadata(.v14).count) bytes, BLAKE2b-256 \
                0x\(Hash32.blake2b(of: next.metadata(.v14)).hex)
                """
        )
        #expect(
            outcome.errors.split(separator: "\n") == [
                "heliotest: metadata for heliotest 1001 (V14) saved", Substring(warning),
            ])
        #expect(try desk.run("unwasm", "next.wasm").errors.contains("is already in the hot database"))
        #expect(try desk.run("metadata", "list", "heliotest").output.contains("1001"))
        #expect(
            try desk.run("history", "list", "heliotest").output.contains("metadata 1001 (V14) from a file"))
        // The same as hex, as some explorers give it.
        try desk.write("0x" + Hex.encode(try desk.read("next.wasm")), "next.hex")
        #expect(try desk.run("unwasm", "next.hex").output == outcome.output)
        #expect(
            try desk.run("unwasm", "next.wasm", "--network", "nowhere").diagnostic
                == "no network is named nowhere")
    }

    @Test func `other metadata for a version that is stored is refused`() throws {
        try desk.know(.standard)
        var changed = FixtureRuntime.standard
        changed.renamePallet("Balances", to: "Balance")
        try desk.writeRuntime(changed, "changed.wasm")
        let outcome = try desk.run("unwasm", "changed.wasm")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("heliotest"))
        #expect(try desk.run("metadata", "list", "heliotest").output.split(separator: "\n").count >= 1)
    }

    @Test func `a runtime of no known network names the option, and goes to a file without one`() throws {
        try desk.writeRuntime(.standard, "runtime.wasm")
        let outcome = try desk.run("unwasm", "runtime.wasm")
        #expect(outcome.status == 64)
        #expect(outcome.diagnostic == "the runtime name in runtime.wasm does not identify one network")
        #expect(outcome.hint == "--network NAME")
        #expect(try desk.run("unwasm", "runtime.wasm", "--out", "metadata.scale").status == 0)
        #expect(try desk.read("metadata.scale") == FixtureRuntime.standard.metadata(.v14))
        #expect(try desk.run("unwasm", "runtime.wasm", "--out", "14.scale", "--format", "14").status == 0)
        let other = try desk.run("unwasm", "runtime.wasm", "--out", "15.scale", "--format", "15")
        #expect(other.status == 64)
        #expect(other.diagnostic == "the runtime gives no metadata V15, but V14")
        #expect(!desk.exists("15.scale"))
        #expect(try desk.run("unwasm", "runtime.wasm", "--format", "14").status == 64)
        #expect(
            try desk.run("unwasm", "runtime.wasm", "--out", "x.scale", "--network", "heliotest").status == 64)
    }

    @Test func `without nodejs the reason and the remedy are given`() throws {
        try desk.writeRuntime(.standard, "runtime.wasm")
        let outcome = try desk.run(words: ["unwasm", "runtime.wasm"], variables: ["PATH": "/nowhere"])
        #expect(outcome.status == 74)
        #expect(outcome.diagnostic == "nodejs, which runs the runtime, is not installed")
        #expect(outcome.hint == "apt-get install nodejs")
    }

    /// The two forms in which runtimes have it: 32 bytes, and hex text in either case.
    @Test func `a metadata hash is compared with the one that is compiled in`() throws {
        try desk.know(.standard)
        let runtime = FixtureRuntime.standard
        let hash = try #require(
            Hash32(hex: try desk.run("digest", "heliotest").output.split(separator: "\n").joined()))
        let shown = "metadata hash: 0x\(hash.hex) (12 decimals, unit HLO)"
        func line(_ data: [UInt8]) throws -> String? {
            try desk.writeRuntime(runtime, "runtime.wasm", formats: [.v14, .v15], data: data)
            let outcome = try desk.run("unwasm", "runtime.wasm")
            #expect(outcome.status == 0)
            return outcome.output.split(separator: "\n").last.map(String.init)
        }
        #expect(try line(hash.bytes) == "\(shown), as compiled into the runtime (bytes)")
        for text in [hash.hex, hash.hex.uppercased(), "0x" + hash.hex] {
            #expect(try line(Array(text.utf8)) == "\(shown), as compiled into the runtime (hex text)")
        }
        let absent =
            """
            \(shown) is not in the runtime, which was built without its hash, or for other decimals or \
            another unit
            """
        #expect(try line([]) == absent)
        for bit in [0, 255] {
            var other = hash.bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try line(other) == absent)
            #expect(try line(Array(Hex.encode(other).utf8)) == absent)
        }
        #expect(
            try line(Array(hash.bytes.dropLast())) == absent
                && line(Array(hash.hex.utf8.dropFirst())) == absent)
    }

    /// The length of a file is known before a byte of it is read.
    @Test func `a file beyond the limit is refused by its length`() throws {
        let path = desk.folder.appendingPathComponent("huge.wasm").path
        #expect(FileManager.default.createFile(atPath: path, contents: Data(RuntimeFile.compressedPrefix)))
        func reads() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
            return try #require(
                text.split(separator: "\n").first.flatMap { Int($0.dropFirst("rchar: ".count)) })
        }
        for (length, isRead) in [(Files.maximumSize, true), (Files.maximumSize + 1, false), (1 << 40, false)]
        {
            #expect(truncate(path, off_t(length)) == 0)
            let before = try reads()
            do {
                _ = try Files.read(path)
                #expect(isRead)
            } catch HotError.tooLarge(path, Files.maximumSize) {
                #expect(!isRead)
            }
            #expect(try (reads() - before >= Files.maximumSize) == isRead, "\(length)")
        }
    }

    @Test func `import sends a runtime here`() throws {
        try desk.writeRuntime(.standard, "runtime.wasm")
        try desk.write(RuntimeFile.compressedPrefix + [0x28, 0xb5, 0x2f], "compressed.wasm")
        for file in ["runtime.wasm", "compressed.wasm"] {
            let outcome = try desk.run("import", file)
            #expect(outcome.status == 1)
            #expect(
                outcome.diagnostic == "this file is a WebAssembly runtime, which holds its metadata in code")
            #expect(outcome.hint == "heliograph-hot unwasm FILE")
        }
        #expect(try desk.run("unwasm", "compressed.wasm").diagnostic == "the compressed runtime is truncated")
        try desk.write("meta", "metadata.scale")
        #expect(
            try desk.run("unwasm", "metadata.scale").diagnostic == "the file is not a WebAssembly runtime")
    }
}
