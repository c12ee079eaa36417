import Foundation

enum Fixture {
    static var isWritten: Bool { ProcessInfo.processInfo.environment["HELIOGRAPH_WRITE_ERRORS"] != nil }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let table = root.appending(path: "fixtures/errors.tsv")

    static func read() throws -> String { try String(contentsOf: table, encoding: .utf8) }
    static func write(_ text: String) throws { try Data(text.utf8).write(to: table) }

    /// Every Swift file of the sources, by its path in the repository.
    static func sources() throws -> [(path: String, text: String)] {
        let folder = root.appending(path: "Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
            (path: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
    }
}
