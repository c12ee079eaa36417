import ChainRPC
import FixtureRuntime
import Foundation
import Glibc
import NodeAnswers
import SubstratePrimitives

/// A stand-in node for one test: a Python program on loopback that answers from files in a folder of its own.
final class StandIn {
    let folder: URL
    let runtime: FixtureRuntime
    private var programs: [(UnsafeMutablePointer<FILE>, process: Int32)] = []

    enum Failure: Error {
        case doesNotStart
        case noCertificates
    }

    init(_ runtime: FixtureRuntime = FixtureRuntime()) throws {
        self.runtime = runtime
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "stand-in-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(runtime.metadata(.v14)).write(to: folder.appendingPathComponent("14.scale"))
        try Data(runtime.metadata(.v15)).write(to: folder.appendingPathComponent("15.scale"))
        try write(state: [:])
    }

    deinit {
        for (program, process) in programs {
            kill(process, SIGTERM)
            pclose(program)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    var genesis: GenesisHash { runtime.specs.genesisHash }

    /// Writes the chain's state; `changes` replace fields of the fixture network's.
    func write(state changes: [String: Any]) throws {
        let specs = runtime.specs
        var state: [String: Any] = [
            "chain": specs.title, "genesis": "0x\(specs.genesisHash.hex)", "specName": specs.name,
            "specVersion": Int(runtime.specVersion), "transactionVersion": 1,
            "properties": [
                "ss58Format": Int(specs.base58Prefix), "tokenDecimals": Int(specs.decimals),
                "tokenSymbol": specs.unit,
            ],
            "metadata": ["14": "14.scale", "15": "15.scale"], "finalized": 300, "nonces": ["someone": 7],
            "submit": [],
        ]
        state.merge(changes) { $1 }
        try JSONSerialization.data(withJSONObject: state).write(
            to: folder.appendingPathComponent("state.json"))
    }

    /// The path of a certificate that is made for this test.
    func authorities() throws -> CertificateAuthorities {
        let path = try certificate("ca")
        return CertificateAuthorities(
            path: path, pem: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    func certificate(_ name: String) throws -> String {
        let certificates = folder.appendingPathComponent("tls")
        if !FileManager.default.fileExists(atPath: certificates.path) {
            guard system("\(Self.command) --make-certificates '\(certificates.path)'") == 0 else {
                throw Failure.noCertificates
            }
        }
        return certificates.appendingPathComponent("\(name).pem").path
    }

    /// Starts a node and gives its address.
    func start(_ scheme: NodeURL.Scheme, _ arguments: [String] = []) throws -> NodeURL {
        let state = folder.appendingPathComponent("state.json").path
        let words = ["--state", state, "--log", log.path] + arguments
        guard let program = popen("\(Self.command) " + words.map { "'\($0)'" }.joined(separator: " "), "r")
        else {
            throw Failure.doesNotStart
        }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), program) != nil else { throw Failure.doesNotStart }
        let said = String(decoding: line.prefix { $0 > 0x20 || $0 == 0x20 }.map { UInt8($0) }, as: UTF8.self)
            .split(separator: " ")
        guard said.count == 2, let process = Int32(said[1]),
            let url = NodeURL("\(scheme.rawValue)://127.0.0.1:\(said[0])")
        else {
            throw Failure.doesNotStart
        }
        programs.append((program, process))
        return url
    }

    var log: URL { folder.appendingPathComponent("log") }

    /// The methods that were asked for so far.
    var asked: [String] {
        guard let text = try? String(contentsOf: log, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// The shell's words before the options.
    private static let command: String = {
        let developer = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../dev").standardized
            .path
        return "exec '\(developer)' stand-in-node"
    }()
}

/// Limits that make a fault show soon, and leave time to a machine that is busy with other tests.
func hasty(answerSeconds: Int = 20) -> RPCOptions {
    var options = RPCOptions()
    options.handshakeSeconds = max(20, answerSeconds)
    options.answerSeconds = answerSeconds
    options.maximumAnswerBytes = 1 << 20
    options.backOffMilliseconds = 10
    return options
}
