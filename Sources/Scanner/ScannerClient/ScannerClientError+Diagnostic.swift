import Diagnostics
import ScanProtocol

extension ScannerClientError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case noScanner = "no-scanner"
        case noSandbox = "no-sandbox"
        case ended = "scanner-ended"
        case scannerVersion = "scanner-version"
        case compressedTooLong = "compressed-too-long"
        case compressedFrame = "compressed-frame"
        case compressedLength = "compressed-length"
        case compressedTruncated = "compressed-truncated"
        case compressedLeftover = "compressed-leftover"
        case compressedDamaged = "compressed-damaged"
        case compressedMemory = "compressed-memory"
        case compressedTimeout = "compressed-timeout"
        case compressedCrash = "compressed-crash"

        init(_ code: ExpansionProblem.Code) {
            self =
                switch code {
                case .tooLong: .compressedTooLong
                case .frame: .compressedFrame
                case .length: .compressedLength
                case .truncated: .compressedTruncated
                case .leftover: .compressedLeftover
                case .damaged: .compressedDamaged
                case .memory: .compressedMemory
                case .timeout: .compressedTimeout
                case .crash: .compressedCrash
                }
        }
    }

    public var code: Code {
        switch self {
        case .cannotStart: .noScanner
        case .sandboxUnavailable: .noSandbox
        case .ended: .ended
        case .expansion(let problem): Code(problem.code)
        case .notUnderstood: .scannerVersion
        }
    }

    public var sentence: String {
        switch self {
        case .cannotStart(let program, let number): "\(program) cannot be started: \(Sentence.systemError(number))"
        case .sandboxUnavailable(let step, let number):
            "pictures cannot be read: the scanner cannot enter the sandbox (\(step)): \(Sentence.systemError(number))"
        case .ended(let status, let signal):
            "the scanner ended early (\(signal.map { "signal \($0)" } ?? "status \(status ?? 0)"))"
        case .expansion(let problem): problem.sentence
        case .notUnderstood: ScanEventError().sentence
        }
    }

    public static var examples: [ScannerClientError] {
        [
            .cannotStart(program: "heliograph-scanner", errno: 2), .sandboxUnavailable(step: "landlock", errno: 1),
            .ended(status: 1, signal: nil),
            .ended(status: nil, signal: 9), .notUnderstood,
        ] + ExpansionProblem.examples.map(ScannerClientError.expansion)
    }
}
