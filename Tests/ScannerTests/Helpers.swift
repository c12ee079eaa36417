import Glibc
import ScannerClient

/// The program under test: it lies beside the test bundle.
enum Scanner {
    static let client: ScannerClient = {
        guard let client = try? ScannerClient() else { fatalError("no path of the running program") }
        return client
    }()
}

enum SharedData {
    static let root: String = {
        if let folder = getenv("HELIOGRAPH_SHARED_DATA") { return String(cString: folder) }
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/") + "/shared/data"
    }()

    /// Nil, with a printed word, where the data is not at hand.
    static func path(_ name: String) -> String? {
        let path = root + "/" + name
        if access(path, R_OK) == 0 { return path }
        print("skipped: no shared data (\(name))")
        return nil
    }
}
