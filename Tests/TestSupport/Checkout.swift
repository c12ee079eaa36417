import FoundationEssentials
import Glibc

/// The files of the repository that the tests were built from.
public enum Checkout {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    public static func path(_ name: String) -> String { "\(root)/\(name)" }

    public static func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// A document of JSON.
    public static func json<Document: Decodable>(_ name: String, as type: Document.Type = Document.self)
        throws -> Document
    {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path(name))))
    }
}

/// The programs that were built with the tests.
public enum BuiltProduct {
    private static let directory: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let program = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return program.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }()

    public static func path(_ name: String) -> String { "\(directory)/\(name)" }
}
