import ScanProtocol
import ScannerClient

/// Videos that the scanner does not read, told by their names.
enum VideoFile {
    private static let endings = [".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".3gp", ".ts", ".wmv"]

    static func isProblem(_ problem: ScanReport.Problem) -> Bool {
        guard problem.problem == .notAPicture || problem.problem == .unsupported else { return false }
        let name = problem.name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        return endings.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}
