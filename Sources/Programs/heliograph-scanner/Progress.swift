import Glibc
import ScanProtocol

/// Standard error: a line that moves while it is a terminal, and a line for each problem.
final class Progress {
    /// Problems that are printed one by one; later ones are only counted.
    private static let namedProblems = 20

    private let isQuiet: Bool
    private let isTerminal: Bool
    private let start = Clock.now
    private var drawn = 0.0
    private var pictures = 0
    private var codes = 0
    private var withoutCode = 0
    private(set) var problems = 0

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    func picture(_ name: String, frame: UInt32?, _ outcome: PictureOutcome) {
        guard !isQuiet else { return }
        pictures += 1
        switch outcome {
        case .codes, .known: break
        case .noCode: withoutCode += 1
        case .problem(let problem):
            problems += 1
            if problems <= Self.namedProblems { say(Wording.problem(name, frame: frame, problem)) }
        }
        if isTerminal, Clock.now - drawn > 0.1 { draw() }
    }

    func camera(_ camera: CameraDescription) { if !isQuiet { say(Wording.camera(camera)) } }

    func newCode() { codes += 1 }

    func finish() {
        guard !isQuiet else { return }
        if isTerminal {
            say(
                Wording.counts(
                    pictures: pictures, codes: codes, withoutCode: withoutCode, seconds: Clock.now - start))
        }
        if problems > Self.namedProblems { say(Wording.furtherProblems(problems - Self.namedProblems)) }
    }

    func say(_ line: String) { write((isTerminal ? "\r\u{1b}[K" : "") + line + "\n") }

    private func draw() {
        drawn = Clock.now
        write(
            "\r\u{1b}[K"
                + Wording.counts(
                    pictures: pictures, codes: codes, withoutCode: withoutCode, seconds: drawn - start))
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
