import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// Standard output: each distinct byte string once, in one of three forms; or events for a program that
/// listens.
final class Output {
    enum Form {
        /// One line of hex a code.
        case hex
        /// u32 BE length, then the bytes.
        case frames
        /// Records of `ScanEvent`, with an account of every picture.
        case events
    }

    /// Bytes of codes that are remembered at most, so that an endless video stays within its memory.
    private static let memory = 32 << 20

    private(set) var codes = 0
    private(set) var pictures = 0
    /// Inputs that could not even be opened.
    private(set) var unopened = 0
    /// Why the last write failed, 0 when none did.
    private(set) var writeError: Int32 = 0
    private let form: Form
    /// Whether a code comes again with the next file.
    private let each: Bool
    private let progress: Progress
    private var known: Set<[UInt8]> = []
    private var knownBytes = 0

    init(form: Form, each: Bool = false, progress: Progress) {
        self.form = form
        self.each = each
        self.progress = progress
    }

    /// False when nobody reads any more.
    func picture(_ name: String, frame: UInt32?, _ outcome: PictureOutcome) -> Bool {
        pictures += 1
        switch outcome {
        case .problem(.cannotOpen), .problem(.camera): unopened += 1
        case .codes, .noCode, .known, .problem: break
        }
        progress.picture(name, frame: frame, outcome)
        guard form == .events else { return true }
        return write(ScanEvent.picture(name: name, frame: frame, outcome: outcome).encoded)
    }

    /// Whether the code was new; nil when nobody reads any more.
    func code(_ bytes: [UInt8]) -> Bool? {
        guard !known.contains(bytes) else { return false }
        if knownBytes > Self.memory {
            known.removeAll()
            knownBytes = 0
        }
        known.insert(bytes)
        knownBytes += bytes.count
        codes += 1
        progress.newCode()
        let written =
            switch form {
            case .hex: write(hexLine(bytes))
            case .frames:
                write([24, 16, 8, 0].map { UInt8(UInt32(bytes.count) >> UInt32($0) & 255) } + bytes)
            case .events: write(ScanEvent.code(bytes).encoded)
            }
        return written ? true : nil
    }

    /// The camera whose pictures follow.
    func camera(_ camera: CameraDescription) -> Bool {
        progress.camera(camera)
        return form == .events ? write(ScanEvent.camera(camera).encoded) : true
    }

    /// A camera of a list.
    func entry(_ camera: CameraDescription) -> Bool {
        write(form == .events ? ScanEvent.camera(camera).encoded : Array(Wording.entry(camera).utf8))
    }

    func preview(_ picture: PreviewPicture) -> Bool {
        form == .events ? write(ScanEvent.preview(picture).encoded) : true
    }

    /// A raw picture of the camera.
    func raw(_ picture: [UInt8]) -> Bool { ScanEvent.parts(ofRaw: picture).allSatisfy { write($0.encoded) } }

    /// Whether somebody reads on.
    func endOfFile(_ name: String) -> Bool {
        guard each else { return true }
        known.removeAll()
        knownBytes = 0
        return write(ScanEvent.endOfFile(name: name).encoded)
    }

    /// Tells a queue how many pictures wait. False when nobody reads any more.
    func waiting(_ pictures: Int) -> Bool {
        each ? write(ScanEvent.waiting(pictures: UInt32(clamping: pictures)).encoded) : true
    }

    func finish() -> Bool {
        progress.finish()
        return form == .events ? write(ScanEvent.finished.encoded) : true
    }

    func sandboxFailed(step: String, errno: Int32) {
        if form == .events { _ = write(ScanEvent.sandboxFailed(step: step, errno: errno).encoded) }
    }

    private func hexLine(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        guard !Descriptor.write(STDOUT_FILENO, bytes) else { return true }
        writeError = errno
        return false
    }
}
