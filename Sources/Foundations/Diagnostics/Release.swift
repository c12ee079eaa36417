import CRelease

/// The version of all programs: they are made and released together.
public enum Release {
    public static let version = "0.1.0"
    /// The commit that a release was built from; nil for a build by hand.
    public static let commit: String? = {
        let text = String(cString: heliograph_commit())
        return text.isEmpty ? nil : text
    }()

    /// How many commits lead to ``commit``: it grows from release to release, also within one version. nil
    /// for a build by hand.
    public static let number: UInt32? = heliograph_number() == 0 ? nil : heliograph_number()

    /// A library that a program uses, as it states its own version while the program runs.
    public struct Library: Sendable, Equatable {
        public let name: String
        public let version: String

        public init(_ name: String, _ version: String) {
            self.name = name
            self.version = version
        }
    }

    /// What `--version` prints: program and version, the commit if it is known, and a line for each library.
    public static func text(_ program: String, _ libraries: [Library]) -> String {
        let first = "\(program) \(version)" + (commit.map { " (commit \($0))" } ?? "")
        return ([first] + libraries.map { "\($0.name) \($0.version)" }).joined(separator: "\n")
    }
}
