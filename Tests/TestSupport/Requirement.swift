import Glibc

/// What a test needs and a machine may lack.
///
/// CI sets `HELIOGRAPH_STRICT`: there, a test that lacks it fails. Elsewhere the test is skipped, and a line
/// says so, which `tools/dev check` counts.
public struct Requirement: Error, CustomStringConvertible {
    public let description: String

    public static let isStrict = getenv("HELIOGRAPH_STRICT") != nil

    /// - Returns: false when the test is to be skipped.
    public static func isMet(_ isMet: Bool, _ name: String) throws(Requirement) -> Bool {
        if isMet { return true }
        try skip(name, isAllowed: !isStrict)
        return false
    }

    /// Says that a test is skipped, or fails it.
    static func skip(_ name: String, isAllowed: Bool) throws(Requirement) {
        guard isAllowed else { throw Requirement(description: "missing: \(name)") }
        // In one write and at once, so that no other output stands inside the line.
        let line = Array("skipped: \(name)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
