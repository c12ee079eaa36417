import Glibc
import ScanProtocol

/// Takes the files of a watched folder one by one, each by itself: a picture that came before comes again.
///
/// The scanner starts when the queue is made, and no other program afterwards: whoever holds secrets can give
/// up starting programs first. One queue or scan runs at a time.
public final class PictureQueue {
    /// What happened in the folder.
    public enum News: Equatable, Sendable {
        /// A code of the file whose end comes next.
        case code([UInt8])
        /// All of a file was read. `name` is its path as the scanner knows it; the counts are its own.
        case endOfFile(name: String, ScanReport)
        /// So many files wait: many, or one of them for long.
        case waiting(Int)
        /// New files are not seen any more, and nothing more comes.
        case folderLost(PictureProblem)
        /// Nothing until the deadline.
        case quiet
        /// SIGINT, SIGTERM or SIGHUP came.
        case interrupted
    }

    private let process: ScannerProcess
    private let folder: String
    /// From the first ``next(before:)`` on: until then a signal ends this program, at a passphrase for one.
    private var interruption: Interruption?
    private var report = ScanReport()
    private var isEnded = false

    /// - Parameters:
    ///   - client: starts the scanner.
    ///   - folder: subfolders are left out, and so are files whose names end with `AnswerName.ending`.
    ///   - skipsPresent: whether files are left out that lie there at the start, until they change.
    ///   - decoder: reads the codes.
    /// - Throws: ``ScannerClientError/cannotStart(program:errno:)``
    public init(
        _ client: ScannerClient, folder: String, skipsPresent: Bool, decoder: DecoderChoice
    ) throws(ScannerClientError) {
        self.folder = folder
        process = try ScannerProcess(
            program: client.program,
            arguments: ["--events", "--decoder", decoder.rawValue, "--each"]
                + (skipsPresent ? ["--skip-present"] : []) + ["--watch", folder])
    }

    deinit { end() }

    /// Waits until something happens, at most until `deadline`.
    /// - Throws: ``ScannerClientError`` where the scanner ends by itself; nothing more comes then.
    public func next(before deadline: ContinuousClock.Instant) throws(ScannerClientError) -> News {
        interruption =
            interruption ?? Interruption(endsScanner: process.process, on: [SIGINT, SIGTERM, SIGHUP])
        while true {
            if Interruption.wasNoticed { return .interrupted }
            guard process.hasMore(before: deadline) else { return .quiet }
            guard let event = try process.next() else {
                if Interruption.wasNoticed { return .interrupted }
                throw process.end()
            }
            switch event {
            case .code(let bytes):
                report.distinctCodes += 1
                return .code(bytes)
            case .picture(let name, nil, .problem(let problem)) where name.utf8.elementsEqual(folder.utf8):
                return .folderLost(problem)
            case .picture(let name, let frame, let outcome):
                report.count(name: name, frame: frame, outcome: outcome)
            case .endOfFile(let name):
                defer { report = ScanReport() }
                return .endOfFile(name: name, report)
            case .waiting(let pictures): return .waiting(Int(pictures))
            case .sandboxFailed(let step, let errno): throw .sandboxUnavailable(step: step, errno: errno)
            case .finished: throw process.end()
            case .camera, .preview, .raw: throw .notUnderstood
            }
        }
    }

    /// Ends the scanner, and restores the handling of signals. Pictures that were read but not reported are
    /// read again by the next queue.
    public func end() {
        guard !isEnded else { return }
        isEnded = true
        _ = interruption?.end()
        process.stop()
    }
}
