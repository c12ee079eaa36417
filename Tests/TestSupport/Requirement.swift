import Glibc

/// What a test needs of the machine. Without it the test says that it was skipped, and fails where `HELIOGRAPH_STRICT` is set: checks that
/// everything rests on must not pass because they never ran.
public enum Requirement {
    /// The machine cannot run a test, and nobody allowed that to pass.
    public struct Missing: Error, CustomStringConvertible {
        public let description: String
    }

    private static let isStrict = getenv("HELIOGRAPH_STRICT") != nil

    /// False where the test cannot run here and may be skipped.
    public static func met(_ condition: Bool, _ reason: String) throws(Missing) -> Bool {
        if condition { return true }
        guard !isStrict else { throw Missing(description: "HELIOGRAPH_STRICT is set, and \(reason)") }
        print("skipped: \(reason)")
        return false
    }

    public static func root(_ reason: String) throws(Missing) -> Bool { try met(geteuid() == 0, reason) }
}
