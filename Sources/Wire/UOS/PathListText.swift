import Diagnostics
import SubstratePrimitives

/// A text file of derivation paths, one on a line, as the reference's tool reads it. Blank lines, and white space around a path, do not count.
public enum PathListText {
    /// Far above what anyone derives at once; each path costs a derivation.
    public static let maximumPaths = 1000

    /// Why a file is no list of paths. Lines count from 1.
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
    /// One bad line refuses the file: a list that lost a line on its way through would leave out a key that its owner expects.
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
            if let earlier = lines.updateValue(index + 1, forKey: ExactText(read)) { throw .repeated(line: index + 1, earlier: earlier) }
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
    public enum Code: String, CaseIterable, Sendable {
        /// The file is no list of paths.
        case badPathList = "bad-path-list"
        /// A line holds a password.
        case passwordInList = "password-in-list"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .notText, .notAPath, .repeated, .empty, .tooMany: .badPathList
        case .password: .passwordInList
        }
    }

    public var sentence: String {
        switch self {
        case .notText: "the list of derivation paths is not UTF-8 text"
        case .notAPath(let line): "line \(line) of the list is not a derivation path: it must start with /"
        case .password(let line): "line \(line) of the list holds a ///password, which a list must not contain"
        case .repeated(let line, let earlier): "line \(line) of the list repeats the path on line \(earlier)"
        case .empty: "the list holds no derivation path"
        case .tooMany: "the list holds more than \(PathListText.maximumPaths) derivation paths"
        }
    }

    public static var examples: [Self] {
        [.notText, .notAPath(line: 2), .password(line: 3), .repeated(line: 4, earlier: 1), .empty, .tooMany]
    }
}
