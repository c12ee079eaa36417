import Diagnostics
import SystemIO

/// Why nonces cannot wait in memory.
public enum NonceError: Error, Equatable, Sendable {
    /// The folder is on a file system that may write it to a disk.
    case notInMemory(String)
    /// The folder or a file in it belongs to somebody else, may be read by others, or is a link.
    case notPrivate(String)
    /// Something waits for this request already; a second pair of nonces is never drawn for one.
    case kept
    /// What the system answered.
    case system(SystemError)

    public static func == (one: NonceError, other: NonceError) -> Bool {
        one.code == other.code && one.sentence.utf8Equals(other.sentence)
    }
}

extension NonceError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// No file system in memory.
        case notInMemory = "nonces-not-in-memory"
        /// A folder that is not private.
        case notPrivate = "nonces-not-private"
        /// A second pair for one request.
        case kept = "nonces-kept"
        /// The system refused.
        case inputOutput = "nonces-input-output"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .notInMemory: .notInMemory
        case .notPrivate: .notPrivate
        case .kept: .kept
        case .system: .inputOutput
        }
    }

    public var sentence: String {
        switch self {
        case .notInMemory(let path): "\(path) is on a disk, and nonces wait only in memory"
        case .notPrivate(let path): "\(path) is not a folder or file that only you can read"
        case .kept: "nonces for this request wait in memory already"
        case .system(let error): error.sentence
        }
    }

    public static var examples: [NonceError] {
        [
            .notInMemory("/srv/heliograph"), .notPrivate("/dev/shm/heliograph-1000"), .kept,
            .system(SystemError(.write, "/dev/shm/x", errno: 28)),
        ]
    }
}
