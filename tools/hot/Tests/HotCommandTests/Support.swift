import FixtureRuntime
import Foundation
import Glibc
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing

/// A folder with a database and files for one test, and the program that works on them.
final class Desk {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        /// The line that says what is refused.
        var diagnostic: String? {
            errors.split(separator: "\n").first { $0.hasPrefix("heliograph-hot: error: ") }.map {
                String($0.dropFirst(23))
            }
        }

        /// The command that helps.
        var hint: String? {
            errors.split(separator: "\n").first { $0.hasPrefix("heliograph-hot: hint: ") }.map {
                String($0.dropFirst(22))
            }
        }
    }

    let folder: URL
    private var nodes: [Process] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hot-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        for node in nodes { node.terminate() }
        for node in nodes { node.waitUntilExit() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The programs lie beside the test program.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    @discardableResult
    func run(_ words: String...) throws -> Outcome { try run(words: words) }

    /// - Parameter variables: of its environment, besides those of the test program.
    func run(words: [String], variables: [String: String] = [:]) throws -> Outcome {
        let process = Process()
        process.executableURL = Self.programs.appendingPathComponent("heliograph-hot")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HELIOGRAPH_HOT": folder.path + "/database"
        ]) { $1 }
        .merging(variables) { $1 }
        // Files hold what is said, since a pipe that nobody empties would stop the program.
        let (out, err) = (folder.appendingPathComponent("stdout"), folder.appendingPathComponent("stderr"))
        for file in [out, err] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: out, encoding: .utf8),
            errors: try String(contentsOf: err, encoding: .utf8))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// The bytes that a `.hex` file stands for.
    func hex(_ name: String) throws -> [UInt8]? {
        Hex.decode(String(decoding: try read(name).filter { $0 > 0x20 }, as: UTF8.self))
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// Puts a runtime's specs and metadata into the database.
    func know(
        _ runtime: FixtureRuntime,
        _ formats: [FixtureRuntime.MetadataVersion] = FixtureRuntime.MetadataVersion.allCases
    ) throws {
        try write(Array(JSONEncoder().encode(runtime.specs)), "specs.json")
        #expect(try run("import", "specs.json").status == 0)
        for version in formats {
            try write(runtime.metadata(version), "metadata.scale")
            #expect(try run("import", "metadata.scale").status == 0)
        }
    }

    // MARK: A node

    /// Writes the state of a chain that runs the fixture runtime.
    func write(
        state runtime: FixtureRuntime, formats: [FixtureRuntime.MetadataVersion] = [.v14, .v15],
        _ changes: [String: Any] = [:]
    ) throws {
        for format in formats { try write(runtime.metadata(format), "\(format.rawValue).scale") }
        let specs = runtime.specs
        var state: [String: Any] = [
            "chain": specs.title, "genesis": "0x\(specs.genesisHash.hex)", "specName": specs.name,
            "specVersion": Int(runtime.specVersion),
            "transactionVersion": Int(runtime.transactionVersion), "finalized": 300,
            "nonces": [String: Int](), "submit": [String](),
            "properties": [
                "ss58Format": Int(specs.base58Prefix), "tokenDecimals": Int(specs.decimals),
                "tokenSymbol": specs.unit,
            ],
            "metadata": Dictionary(
                uniqueKeysWithValues: formats.map { ("\($0.rawValue)", "\($0.rawValue).scale") }),
        ]
        state.merge(changes) { $1 }
        try JSONSerialization.data(withJSONObject: state).write(
            to: folder.appendingPathComponent("state.json"))
    }

    /// Starts a stand-in node on loopback; its `host:port`.
    func node(_ words: String...) throws -> String {
        let process = Process()
        process.executableURL =
            URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../dev").standardized
        process.arguments =
            ["stand-in-node", "--state", folder.appendingPathComponent("state.json").path] + words
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        nodes.append(process)
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(line.split(separator: " ").first)
        return "127.0.0.1:\(port)"
    }
}

/// Secret bytes of a test, which are no secret.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(wiping: &bytes)
}

/// The well-known development account, as the source of signatures.
enum Alice {
    static let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    static let publicKey = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
}

extension Desk {
    /// A runtime that wabt assembles here: its calls give bytes of a data segment.
    /// - Parameters:
    ///   - formats: the first is what it gives when no format is asked for; a second is offered as well.
    ///   - data: further bytes that its code holds.
    func writeRuntime(
        _ runtime: FixtureRuntime, _ name: String, formats: [FixtureRuntime.MetadataVersion] = [.v14],
        data: [UInt8] = []
    ) throws {
        let version = SCALEWriter.encode { writer in
            writer.byteVector(Array(runtime.specName.utf8))
            writer.byteVector([])
            writer.integer(UInt32(0))
            writer.integer(runtime.specVersion)
            writer.integer(UInt32(0))
            writer.compact(0)
            writer.integer(runtime.transactionVersion)
        }
        let metadata = SCALEWriter.encode { $0.byteVector(runtime.metadata(formats[0])) }
        func call(_ name: String, _ bytes: [UInt8], at offset: Int) -> String {
            let text = bytes.map { "\\" + Hex.encode([$0]) }.joined()
            let packed = UInt64(offset) | UInt64(bytes.count) << 32
            return
                """
                (data (i32.const \(offset)) \"\(text)\") (func (export \"\(name)\") (param i32 i32) (result \
                i64) (i64.const \(packed)))
                """
        }
        var more =
            data.isEmpty
            ? "" : "(data (i32.const 900000) \"\(data.map { "\\" + Hex.encode([$0]) }.joined())\")"
        if formats.count > 1 {
            let list = SCALEWriter.encode { writer in
                writer.compact(1)
                writer.integer(UInt32(formats[1].rawValue))
            }
            more += call("Metadata_metadata_versions", list, at: 600_000)
            let other = SCALEWriter.encode { writer in
                writer.u8(1)
                writer.byteVector(runtime.metadata(formats[1]))
            }
            more += call("Metadata_metadata_at_version", other, at: 610_000)
        }
        try write(
            """
            (module (import "env" "memory" (memory 20)) (global (export "__heap_base") i32 (i32.const \
            1048576))
            """
                + call("Core_version", version, at: 16) + call("Metadata_metadata", metadata, at: 1024) + more
                + ")", "runtime.wat")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/wat2wasm")
        process.arguments = ["runtime.wat", "-o", name]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
