import Diagnostics

/// Why the program ends without what it was asked for.
enum ScannerFailure: DiagnosticError {
    case sandbox(step: String, errno: Int32)
    case noCodes
    case cannotWrite(errno: Int32)

    var diagnostic: Diagnostic {
        switch self {
        case .sandbox(let step, let errno):
            .notPermitted(
                "no-sandbox",
                """
                no picture was read: the workers cannot enter the sandbox (\(step)): \
                \(Sentence.systemError(errno))
                """
            )
        case .noCodes: .badInput("no-codes", "no QR code was found in the input")
        case .cannotWrite(let errno):
            .inputOutput("input-output", "the output cannot be written: \(Sentence.systemError(errno))")
        }
    }

    static var examples: [ScannerFailure] {
        [.sandbox(step: "landlock", errno: 1), .noCodes, .cannotWrite(errno: 28)]
    }
}
