import Diagnostics

/// Why the program ends without what it was asked for.
enum ScannerFailure: DiagnosticError {
    case sandbox(step: String, errno: Int32)
    case noCodes
    case cannotWrite(errno: Int32)

    enum Code: String, CaseIterable, Sendable {
        case noSandbox = "no-sandbox"
        case noCodes = "no-codes"
        case inputOutput = "input-output"
    }

    var code: Code {
        switch self {
        case .sandbox: .noSandbox
        case .noCodes: .noCodes
        case .cannotWrite: .inputOutput
        }
    }

    var sentence: String {
        switch self {
        case .sandbox(let step, let errno):
            "no picture was read: the workers cannot enter the sandbox (\(step)): \(Sentence.systemError(errno))"
        case .noCodes: "no QR code was found in the input"
        case .cannotWrite(let errno): "the output cannot be written: \(Sentence.systemError(errno))"
        }
    }

    static var examples: [ScannerFailure] { [.sandbox(step: "landlock", errno: 1), .noCodes, .cannotWrite(errno: 28)] }
}

extension Broker.Failure: DiagnosticError {
    enum Code: String, CaseIterable, Sendable {
        case noSandbox = "no-sandbox"
        case readerGone = "reader-gone"
    }

    var code: Code {
        switch self {
        case .sandbox: .noSandbox
        case .readerGone: .readerGone
        }
    }

    var sentence: String {
        switch self {
        case .sandbox(let step, let errno): ScannerFailure.sandbox(step: step, errno: errno).sentence
        case .readerGone: "the reader of the output closed it"
        }
    }

    static var examples: [Broker.Failure] { [.sandbox(step: "landlock", errno: 1), .readerGone] }
}

extension Arguments.Misuse: DiagnosticError {
    enum Code: String, CaseIterable, Sendable { case usage }

    var code: Code { .usage }
    var sentence: String { "the argument \(word) is not understood" }

    static var examples: [Arguments.Misuse] { [Arguments.Misuse(word: "--what")] }
}
