import Foundation
import Glibc
import Hashing
import Testing

/// Where results go, and what no result replaces.
@Suite struct OutputLaws {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func path(_ name: String) -> String { desk.folder.appendingPathComponent(name).path }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// A vault as another program made it.
    private func writeVault(_ name: String) throws {
        struct Case: Decodable { let file: String }
        let path = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../../fixtures/keys/vaults.json")
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: path.standardized))
        try makeFolder(name)
        let file = try #require(cases.first).file
        try desk.write(#require(Hex.decode(file)), "\(name)/vault")
    }

    /// Each command that writes a file which a person names, without what names it.
    private static let commands = [
        ["qr", "--hex", "00ff", "--out"],
        ["message", "make", "--signer", Alice.address, "--text", "hello", "--out"],
        ["message", "make", "--signer", Alice.address, "--text", "hello", "--signing-bytes"],
        ["make", "add-specs", "polkadot", "--out"], ["make", "add-specs", "polkadot", "--signing-bytes"],
        ["make", "derivations", "paths.txt", "--network", "polkadot", "--out"],
        [
            "make", "derivations-request", "paths.txt", "--network", "polkadot", "--root", Alice.address,
            "--out",
        ],
        [
            "make", "transaction", "--network", "polkadot", "--signer", Alice.address, "--call-hex", "000000",
            "--out",
        ],
        [
            "sign", "--network", "polkadot", "--signer", Alice.address, "--call-hex", "000000", "--no-submit",
            "--out",
        ],
        ["metadata", "export", "polkadot", "--out"], ["unwasm", "none.wasm", "--out"],
        ["group", "new", "none.bin", "--threshold", "2", "--out"], ["group", "collect", "none.bin", "--out"],
        ["group", "request", "none.bin", "--signers", "1", "--record", "none.bin", "--out"],
    ]

    private func refusal(_ words: [String], _ name: String) throws -> String? {
        let outcome = try desk.run(words: words + [name])
        #expect(outcome.status == 74 && outcome.output.isEmpty, "\(words) \(name): \(outcome)")
        return outcome.diagnostic
    }

    /// A picture of the code would take the place of the bytes to sign.
    @Test func `bytes to sign are not written under the name of a picture in the folder`() throws {
        let words = ["make", "add-specs", "polkadot", "--separate", "--out", path("s"), "--signing-bytes"]
        for name in ["s/frame-1.png", "s/../s/frame-01.png"] {
            try makeFolder("s")
            let said = try #require(try refusal(words, path(name)))
            #expect(said.contains("another result"), "\(said)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("s")).isEmpty)
    }

    @Test func `what is no file or not writable is refused before any work, and stays as it is`() throws {
        try desk.write("//0\n", "paths.txt")
        try desk.write("kept", "target")
        try desk.write("kept", "locked.png")
        #expect(chmod(path("locked.png"), 0o444) == 0)
        for (link, target) in [("link.png", "target"), ("nowhere.png", "missing"), ("loop.png", "loop.png")] {
            try FileManager.default.createSymbolicLink(atPath: path(link), withDestinationPath: target)
        }
        #expect(mkfifo(path("pipe.bin"), 0o600) == 0)
        for words in Self.commands {
            for (name, obstacle) in [
                ("link.png", "it is a symbolic link"), ("nowhere.png", "it is a symbolic link"),
                ("loop.png", "it is a symbolic link"), ("pipe.bin", "it is not a regular file"),
                ("/dev/null", "it is not a regular file"), ("locked.png", "it is read-only"),
            ] {
                #expect(try refusal(words, name) == "the result is not written to \(name): \(obstacle)")
            }
            #expect(try refusal(words, "none/a.png") == "cannot write none/a.png: no such file or directory")
            #expect(try refusal(words, "target/a.png") == "cannot write target/a.png: not a directory")
        }
        for name in ["link.png", "nowhere.png", "loop.png"] {
            #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: path(name))) != nil)
        }
        for name in ["target", "locked.png"] { #expect(try desk.read(name) == Array("kept".utf8)) }
        var status = stat()
        #expect(lstat(path("pipe.bin"), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        #expect(!desk.exists("missing"))
    }

    @Test func `files of a hot database and of a vault are refused, whether they are there or not`() throws {
        try desk.write("//0\n", "paths.txt")
        #expect(try desk.run("network", "list").status == 0)
        let before = try desk.read("database/hot.sqlite")
        for vault in ["savings", "other"] { try writeVault(vault) }
        let vaults = try ["savings", "other"].map { try desk.read("\($0)/vault") }
        for words in Self.commands {
            for name in [
                "database/hot.sqlite", "database/hot.sqlite-wal", "hot.sqlite", "./database/hot.sqlite-shm",
            ] {
                #expect(
                    try refusal(words, name)
                        == "the result is not written to \(name): it is a file of the hot database")
            }
            for name in ["savings/vault", "other/vault", "other/store.sqlite", "other/a.png"] {
                #expect(
                    try refusal(words, name)
                        == "the result is not written to \(name): its directory holds a vault")
            }
        }
        #expect(try desk.read("database/hot.sqlite") == before)
        #expect(try ["savings", "other"].map { try desk.read("\($0)/vault") } == vaults)
        #expect(!desk.exists("other/store.sqlite") && !desk.exists("hot.sqlite"))
    }

    @Test func `two results of one command are two files`() throws {
        let words = [
            "message", "make", "--signer", Alice.address, "--text", "hello", "--out", "a.hex",
            "--signing-bytes",
        ]
        #expect(
            try refusal(words, "a.hex")
                == "the result is not written to a.hex: another result of this command goes there")
        #expect(!desk.exists("a.hex"))
        #expect(try desk.run(words: words + ["b.hex"]).status == 0)
        #expect(desk.exists("a.hex") && desk.exists("b.hex"))
    }

    @Test func `what a command reads is not replaced by its result`() throws {
        for name in ["call.json", "in.hex", "paths.txt"] { try desk.write("kept", name) }
        try FileManager.default.createSymbolicLink(atPath: path("other.hex"), withDestinationPath: "in.hex")
        #expect(link(path("in.hex"), path("hard.hex")) == 0)
        let transaction = ["make", "transaction", "--network", "polkadot", "--signer", Alice.address]
        let message = ["message", "make", "--signer", Alice.address]
        for (words, name) in [
            (transaction + ["--call", "call.json", "--out"], "call.json"),
            (transaction + ["--call", "call.json", "--out"], "./call.json"),
            (transaction + ["--call-hex", "@in.hex", "--out", "a.png", "--signing-bytes"], "in.hex"),
            (
                ["sign"] + transaction.dropFirst(2) + ["--call", "call.json", "--no-submit", "--out"],
                "call.json"
            ),
            (["qr", "--hex", "@in.hex", "--out"], "in.hex"),
            (["qr", "--hex", "@other.hex", "--out"], "in.hex"),
            (["qr", "--hex", "@in.hex", "--out"], "hard.hex"),
            (message + ["--hex", "@in.hex", "--out"], "in.hex"),
            (message + ["--file", "in.hex", "--out"], "in.hex"),
            (["make", "derivations", "paths.txt", "--network", "polkadot", "--out"], "paths.txt"),
            (["make", "add-specs", "polkadot", "--sufficient", "@in.hex", "--out"], "in.hex"),
            (["unwasm", "in.hex", "--out"], "in.hex"),
            (["group", "new", "in.hex", "--threshold", "2", "--out"], "in.hex"),
            (["group", "collect", "in.hex", "--out"], "in.hex"),
            (["group", "request", "none.bin", "--signers", "1", "--record", "in.hex", "--out"], "in.hex"),
        ] {
            #expect(
                try refusal(words, name)
                    == "the result is not written to \(name): it is an input of this command")
        }
        for name in ["call.json", "in.hex", "paths.txt"] {
            #expect(try desk.read(name) == Array("kept".utf8))
        }
        // Beside it there is room.
        try desk.write("00ff", "in.hex")
        #expect(try desk.run("qr", "--hex", "@in.hex", "--out", "out.hex").status == 0)
        #expect(try desk.hex("out.hex") == [0, 0xff])
    }

    /// A file is replaced, and so is one whose directory holds something else that is called a vault.
    @Test func `a file that may be written to is replaced`() throws {
        try makeFolder("codes")
        try desk.write("no vault", "codes/vault")
        for name in ["a.hex", "codes/a.hex", "codes/vault.hex", "hot.sqlite.hex"] {
            try desk.write("old", name)
            #expect(try desk.run("qr", "--hex", "00ff", "--out", name).status == 0)
            #expect(try desk.hex(name) == [0, 0xff])
        }
        // A link in front of the name is the owner's way to the directory.
        try FileManager.default.createSymbolicLink(atPath: path("linked"), withDestinationPath: "codes")
        #expect(try desk.run("qr", "--hex", "01", "--out", "linked/a.hex").status == 0)
        #expect(try desk.hex("codes/a.hex") == [1])
        #expect(try desk.run("qr", "--hex", "01", "--separate", "--out", "linked").status == 0)
        #expect(desk.exists("codes/frame-1.png"))
        // Each file of a directory is looked at.
        #expect(mkfifo(path("codes/pipe"), 0o600) == 0)
        #expect(rename(path("codes/pipe"), path("codes/frame-1.png")) == 0)
        let outcome = try desk.run("qr", "--hex", "01", "--out", "codes/")
        #expect(
            outcome.diagnostic == "the result is not written to codes/frame-1.png: it is not a regular file")
        #expect(
            try desk.run("qr", "--hex", "01", "--out", "codes").diagnostic
                == "codes is a directory, and this writes one file")
        #expect(
            try desk.run("qr", "--hex", "01", "--out", "a.hex/").diagnostic
                == "cannot write a.hex: not a directory")
    }
}
