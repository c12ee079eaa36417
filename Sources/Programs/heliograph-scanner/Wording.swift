import Glibc
import ScanProtocol

/// Every word that this program says to a person.
enum Wording {
    static let usage = """
        usage: heliograph-scanner [--frames-out] [--decoder auto|zbar|zxing] [--patience SECONDS] [--watch DIR]… INPUT…
               heliograph-scanner --expand

        Reads QR codes from pictures (PNG, APNG, JPEG, PNM), Y4M video, folders of those, and - for standard input. Writes each
        distinct byte string once: one line of hex a code, or with --frames-out u32 BE length and bytes.
        With --expand it expands one compressed metadata update from standard input, for the programs that call it.
        """

    static func error(_ text: String) -> String { "heliograph-scanner: error: \(text)" }

    static func sandboxFailed(step: String, errno: Int32) -> String {
        error("no picture was read, because the workers could not be shut in: \(step): \(system(errno))")
    }

    static let noCode = error("no QR code was read")

    static func cannotWrite(errno: Int32) -> String { error("what was read cannot be written: \(system(errno))") }

    static func counts(pictures: Int, codes: Int, withoutCode: Int, seconds: Double) -> String {
        let rate = seconds > 0.2 ? ", \(Int(Double(pictures) / seconds)) a second" : ""
        return "\(pictures) pictures, \(codes) codes, \(withoutCode) without a code\(rate)"
    }

    static func furtherProblems(_ count: Int) -> String { "heliograph-scanner: problem: \(count) more pictures could not be read" }

    static func problem(_ name: String, frame: UInt32?, _ problem: PictureProblem) -> String {
        let place = frame.map { "\(escaped(name)), picture \($0 + 1)" } ?? escaped(name)
        return "heliograph-scanner: problem: \(place): \(reason(problem))"
    }

    private static func reason(_ problem: PictureProblem) -> String {
        switch problem {
        case .cannotOpen(let errno): "cannot be read: \(system(errno))"
        case .vanished: "is no longer there"
        case .notAFile: "is no file"
        case .empty: "is empty"
        case .notAPicture: "is no picture or video that can be read"
        case .truncated: "ends too early"
        case .corrupt: "is damaged"
        case .unsupported: "is of a kind that cannot be read"
        case .tooManyPixels(let width, let height): "is too large: \(width) x \(height) pixels"
        case .tooManyBytes(let limit): "is too large: more than \(limit >> 20) MiB"
        case .tooManyFrames(let limit): "has more than \(limit) frames"
        case .tooManyFiles(let limit): "holds more than \(limit) files, or folders too deep"
        case .outOfMemory: "needs too much memory"
        case .tookTooLong(let milliseconds): "took longer than \(milliseconds / 1000) s and was given up"
        case .crashed(let signal): "crashed its reader (signal \(signal))"
        case .silent(let seconds): "sent nothing for \(seconds) s"
        case .nothingNew(let pictures): "showed no new code in \(pictures) pictures"
        }
    }

    private static func system(_ errno: Int32) -> String { String(cString: strerror(errno)).lowercased() }

    /// Names come from outside: nothing in them may steer a terminal.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.value >= 0x20 && !(0x7f...0x9f ~= scalar.value) && !scalar.properties.isBidiControl
            return isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}
