import Diagnostics
import ScanProtocol

/// Every word that this program says to a person.
enum Wording {
    static let usage = """
        usage: heliograph-scanner [--frames-out] [--decoder auto|zbar|zxing] [--patience SECONDS] [--watch DIR]… [--camera DEVICE]… INPUT…
               heliograph-scanner --cameras DEVICE…
               heliograph-scanner --expand

        Reads QR codes from pictures (PNG, APNG, JPEG, PNM), Y4M videos, directories of those, and - for standard input. Writes each
        distinct byte string once: one line of hex per code, or with --frames-out u32 BE length and bytes.
        With --camera it reads a camera such as /dev/video0 until it is interrupted; of several the first that takes pictures.
        With --cameras it lists those of the devices that take pictures: path, tab, name.
        With --expand it expands one compressed metadata update from standard input, for the programs that call it.
        """

    static func error(_ text: String) -> String { "heliograph-scanner: error: \(text)" }

    static func error(_ error: some DiagnosticError) -> String { self.error(error.sentence) }

    static func counts(pictures: Int, codes: Int, withoutCode: Int, seconds: Double) -> String {
        let rate = seconds > 0.2 ? ", \(Int(Double(pictures) / seconds)) per second" : ""
        return "\(pictures) pictures, \(codes) codes, \(withoutCode) without a QR code\(rate)"
    }

    static func furtherProblems(_ count: Int) -> String {
        "heliograph-scanner: problem: \(count) more pictures could not be read"
    }

    static func problem(_ name: String, frame: UInt32?, _ problem: PictureProblem) -> String {
        let place = frame.map { "\(escaped(name)), picture \($0 + 1)" } ?? escaped(name)
        return "heliograph-scanner: problem: \(place): \(problem.sentence)"
    }

    /// Names come from outside: nothing in them may steer a terminal.
    static func camera(_ camera: CameraDescription) -> String {
        let format =
            camera.format.map { " (\($0.width) x \($0.height) \($0.encoding == .yuyv ? "YUYV" : "MJPEG"))" }
            ?? ""
        return "heliograph-scanner: camera: \(escaped(camera.path)), \(escaped(camera.name))\(format)"
    }

    /// A line of a list.
    static func entry(_ camera: CameraDescription) -> String {
        "\(escaped(camera.path))\t\(escaped(camera.name))\n"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain =
                scalar.value >= 0x20 && !(0x7f...0x9f ~= scalar.value) && !scalar.properties.isBidiControl
            return isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}
