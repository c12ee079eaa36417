import Glibc
import SystemIO
import TestSupport
import Testing

/// How one try inside a locked-down process ended.
enum Outcome: Equatable, CustomStringConvertible {
    case succeeded
    case failed(Int32)
    case killed(Int32)
    /// This kernel or this library does not have the call.
    case unknownCall

    static let refused = Outcome.failed(EPERM)
    static let deadly = Outcome.killed(SIGSYS)

    var description: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed(let number): "failed with \(String(cString: strerror(number)))"
        case .killed(let signal): "killed by \(signal)"
        case .unknownCall: "unknown call"
        }
    }
}

/// Kinds of processes, as `sandbox-probe` names them.
enum Kind: String, CaseIterable, Sendable {
    case reading, vault, forking, starting

    var forks: Bool { self == .forking || self == .starting }
}

enum Probe {
    static let program = BuiltProduct.path("sandbox-probe")

    /// Runs one try in a process of its own.
    static func run(_ kind: String, _ words: [String]) throws -> Outcome {
        let status = try #require(try SpawnedProcess(program, [kind] + words).finish().status)
        if let signal = status.signal { return .killed(signal) }
        switch status.code {
        case 0: return .succeeded
        case 254: return .unknownCall
        case let code?: return .failed(code)
        case nil: return .unknownCall
        }
    }

    static func run(_ kind: Kind, _ words: String) throws -> Outcome {
        try run(kind.rawValue, words.split(separator: " ").map(String.init))
    }
}
