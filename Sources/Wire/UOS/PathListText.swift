import Diagnostics
import SubstratePrimitives

/// A text file of derivation paths, one on a line, as the reference's tool reads it. Blank lines, and white
/// space around a path, do not count.
public enum PathListText {
    /// Far above what anyone derives at once; each path costs a derivation.
    public static let maximumPaths = 1000

    /// Why a file is not a list of paths. Lines count from 1.
    public enum Failure: Error, Equatable, Sendable {
        /// The file is not UTF-8.
        case notText
        /// A line does not start with `/`.
        case notAPath(line: Int)
        /// A line holds `///`, behind which a password stands.
        case password(line: Int)
        /// The path stood on an earlier line.
        case repeated(line: Int, earlier: Int)
        /// No line holds a path.
        case empty
        /// More than ``maximumPaths``.
        case tooMany
    }

    /// The paths in their order.
    ///
    /// One bad line refuses the file: a list that lost a line on its way through would leave out a key that
    /// its owner expects.
    public static func paths(in bytes: [UInt8]) throws(Failure) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        var paths: [String] = []
        var lines: [ExactText: Int] = [:]
        for (index, line) in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            let path = trimmed(line)
            guard let first = path.first else { continue }
            guard first == UInt8(ascii: "/") else { throw .notAPath(line: index + 1) }
            let read = String(decoding: path, as: UTF8.self)
            guard !read.utf8Contains("///") else { throw .password(line: index + 1) }
            if let earlier = lines.updateValue(index + 1, forKey: ExactText(read)) {
                throw .repeated(line: index + 1, earlier: earlier)
            }
            guard paths.count < maximumPaths else { throw .tooMany }
            paths.append(read)
        }
        guard !paths.isEmpty else { throw .empty }
        return paths
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        let blank: Set<UInt8> = [0x20, 0x09, 0x0d]
        var rest = line.drop { blank.contains($0) }
        while let last = rest.last, blank.contains(last) { rest = rest.dropLast() }
        return rest
    }
}

extension PathListText.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notText:
            .badInput(
                "bad-path-list", "the list of derivation paths is not UTF-8 text",
                hint: Self.oneOnEachLine)
        case .notAPath(let line):
            .badInput(
                "bad-path-list", "line \(line) of the list is not a derivation path: it must start with /",
                hint: Self.oneOnEachLine)
        case .password(let line):
            .badInput(
                "password-in-list",
                "line \(line) of the list holds a ///password, which a list must not contain",
                hint: "heliograph key derive SEED PATH --password derives such a key")
        case .repeated(let line, let earlier):
            .badInput(
                "bad-path-list", "line \(line) of the list repeats the path on line \(earlier)",
                hint: Self.oneOnEachLine)
        case .empty:
            .badInput(
                "bad-path-list", "the list holds no derivation path",
                hint: Self.oneOnEachLine)
        case .tooMany:
            .badInput(
                "bad-path-list", "the list holds more than \(PathListText.maximumPaths) derivation paths",
                hint: Self.oneOnEachLine)
        }
    }

    /// How a list is written: the hint for a faulty one.
    public static let oneOnEachLine = "write one path on each line, e.g. //polkadot//0"

    public static var examples: [Self] {
        [.notText, .notAPath(line: 2), .password(line: 3), .repeated(line: 4, earlier: 1), .empty, .tooMany]
    }
}
