import ScannerClient

/// The program under test: it lies beside the test bundle.
enum Scanner {
    static let client: ScannerClient = {
        guard let client = try? ScannerClient() else { fatalError("no path of the running program") }
        return client
    }()
}
