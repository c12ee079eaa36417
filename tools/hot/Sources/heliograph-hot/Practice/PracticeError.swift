import Diagnostics
import Glibc
import Lines

/// What the practice network refuses.
enum PracticeError: Error, Equatable {
    /// The directory holds no practice network.
    case missing(folder: String)
    /// A hot database without the practice network is where that of the practice network goes.
    case otherDatabase(String)
    /// Another process plays the node of this directory.
    case nodeRuns(folder: String)
    /// Another program listens on this port.
    case portInUse(Int)
    case cannotListen(port: Int, errno: Int32)
    /// A line of the kept chain is not a transaction that follows on those before it.
    case brokenChain(path: String, line: Int)
}

extension PracticeError: DiagnosticError {
    var diagnostic: Diagnostic {
        switch self {
        case .missing(let folder):
            .usage(
                "no-practice", "\(folder) holds no practice network",
                hint: "heliograph-hot practice \(folder)")
        case .otherDatabase(let path):
            .refused(
                "other-database", "\(path) is a hot database without the practice network: it stays as it is",
                hint: "name another directory for the practice network")
        case .nodeRuns(let folder):
            .refused("directory-in-use", "another process already plays the node of \(folder)")
        case .portInUse(let port):
            .inputOutput(
                "port-in-use", "port \(port) of this machine is in use by another program",
                hint: "--port NUMBER, or --port 0 for one that is free")
        case .cannotListen(let port, let number):
            .inputOutput(
                "input-output", "cannot listen on port \(port): \(Sentence.systemError(number))")
        case .brokenChain(let path, let line):
            .badInput(
                "broken-practice", "line \(line) of \(path) is no transaction that fits those before it",
                hint: "remove this file: the practice chain then starts anew")
        }
    }

    static var examples: [PracticeError] {
        [
            .missing(folder: "practice"), .otherDatabase("practice/hot"), .nodeRuns(folder: "practice"),
            .portInUse(29_944),
            .cannotListen(port: 80, errno: EACCES), .brokenChain(path: "practice/chain", line: 3),
        ]
    }
}
