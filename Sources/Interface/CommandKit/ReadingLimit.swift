import Diagnostics
import Presentation
import Sandbox
import TerminalIO

/// How much reading one payload may cost, and how the program ends where one costs more.
///
/// The counters of values, cards, text and depth refuse a hostile payload long before
/// (`tools/dev bench decode` prints what each costs). These limits hold where a counter forgets something.
package enum ReadingLimit: CaseIterable, Error {
    case time
    case memory

    /// Seconds of processor time from the first byte to the last card, without scanning and deriving keys. A
    /// bulk of 1,000 transactions takes a small part of it, also when it is read twice on a slow board.
    package static let processorTime = 60.0
    /// Bytes of memory that the process may use while it reads: more than twice the need of the longest file,
    /// and several times that of the largest bulk.
    package static let memoryBytes: UInt64 = 512 << 20
    /// Bytes of memory for a command that derives keys besides: Argon2id's greatest cost that a vault may
    /// state is 2 GiB.
    package static let memoryWithDerivation: UInt64 = bounds.kernelLimit + 2 << 30
    static let bounds = WorkLimit.Bounds(processorTime: processorTime, memory: memoryBytes)

    /// Runs `body`, which reads a payload. With `json`, stdout gets its document even where the program ends.
    package static func hold<R: ~Copyable, E: Error>(json: Bool, _ body: () throws(E) -> R) throws(E) -> R {
        try WorkLimit.run(
            bounds, code: Diagnostic.Exit.badInput.rawValue,
            onTime: ReadingLimit.time.ending(json: json), onMemory: ReadingLimit.memory.ending(json: json),
            body)
    }

    private func ending(json: Bool) -> WorkLimit.Ending {
        let diagnostic = Wording.diagnostic(self)
        let lines = diagnostic.lines(program: "heliograph").map { $0 + "\n" }.joined()
        let document = json ? JSONText.text(["error": ErrorDocument(diagnostic)]) + "\n" : ""
        return WorkLimit.Ending(output: Array(document.utf8), error: Array(lines.utf8))
    }
}

extension ReadingLimit: DiagnosticError {
    package var diagnostic: Diagnostic {
        switch self {
        case .time:
            .badInput(
                "payload-time",
                "reading this payload takes more than \(Int(Self.processorTime)) s of processor time")
        case .memory:
            .badInput(
                "payload-memory",
                "reading this payload takes more memory than it may, \(Self.memoryBytes >> 20) MiB at most")
        }
    }

    package static var examples: [ReadingLimit] { allCases }
}
