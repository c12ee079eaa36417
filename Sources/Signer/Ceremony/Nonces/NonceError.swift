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
        one.diagnostic == other.diagnostic
    }
}

extension NonceError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notInMemory(let path):
            .inputOutput(
                "nonces-not-in-memory", "\(path) is on a disk, and nonces wait only in memory",
                hint: "use heliograph shell, which keeps nonces in its own memory, "
                    + "or set XDG_RUNTIME_DIR to a folder of yours in memory")
        case .notPrivate(let path):
            .inputOutput(
                "nonces-not-private", "\(path) is not a folder or file that only you can read",
                hint: "use heliograph shell, which keeps nonces in its own memory, "
                    + "or set XDG_RUNTIME_DIR to a folder of yours in memory")
        case .kept:
            .inputOutput(
                "nonces-kept", "nonces for this request wait in memory already",
                hint: "start again with a new request: heliograph group request")
        case .system(let error):
            .inputOutput(
                "nonces-input-output", error.sentence,
                hint: "use heliograph shell, which keeps nonces in its own memory")
        }
    }

    public static var examples: [NonceError] {
        [
            .notInMemory("/srv/heliograph"), .notPrivate("/dev/shm/heliograph-1000"), .kept,
            .system(SystemError(.write, "/dev/shm/x", errno: 28)),
        ]
    }
}
