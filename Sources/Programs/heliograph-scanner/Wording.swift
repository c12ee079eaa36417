import Diagnostics
import ScanProtocol

/// Every word that this program says to a person.
enum Wording {
    static let usage = """
        usage: heliograph-scanner [--frames-out] [--decoder auto|zbar|zxing] [--patience SECONDS] [--watch DIR]… INPUT…
               heliograph-scanner --expand

        Reads QR codes from pictures (PNG, APNG, JPEG, PNM), Y4M videos, directories of those, and - for standard input. Writes each
        distinct byte string once: one line of hex per code, or with --frames-out u32 BE length and bytes.
        With --expand it expands one compressed metadata update from standard input, for the programs that call it.
        """

    static func error(_ text: String) -> String { "heliograph-scanner: error: \(text)" }

    static func error(_ error: some DiagnosticError) -> String { self.error(error.sentence) }

    static func counts(pictures: Int, codes: Int, withoutCode: Int, seconds: Double) -> String {
        let rate = seconds > 0.2 ? ", \(Int(Double(pictures) / seconds)) per second" : ""
        return "\(pictures) pictures, \(codes) codes, \(withoutCode) without a QR code\(rate)"
    }

    static func furtherProblems(_ count: Int) -> String { "heliograph-scanner: problem: \(count) more pictures could not be read" }

    static func problem(_ name: String, frame: UInt32?, _ problem: PictureProblem) -> String {
        let place = frame.map { "\(escaped(name)), picture \($0 + 1)" } ?? escaped(name)
        return "heliograph-scanner: problem: \(place): \(problem.sentence)"
    }

    /// Names come from outside: nothing in them may steer a terminal.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.value >= 0x20 && !(0x7f...0x9f ~= scalar.value) && !scalar.properties.isBidiControl
            return isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}
