import Diagnostics

/// Why a camera gives no pictures, or no more of them.
public enum CameraProblem: Error, Equatable, Hashable, Sendable {
    /// No device has this path; or it is there without hardware behind it.
    case missing
    /// The path is not one of a video device.
    case notACamera
    /// A video device that takes no pictures: a tuner, a display, the channel that carries a camera's
    /// metadata.
    case takesNoPictures
    /// This user may not open it.
    case notPermitted
    /// Another program uses it.
    case busy
    /// It offers neither YUYV nor MJPEG.
    case noFormat
    /// It went away while it was used.
    case unplugged
    /// The driver refused a request; the `errno` of it.
    case refused(errno: Int32)
    /// The driver's answers contradict each other, or are out of every bound.
    case inconsistent
    /// No picture came for this long.
    case silent(seconds: UInt32)
}

extension CameraProblem {
    /// A number for the kind and one for the detail.
    var fields: (kind: UInt64, detail: UInt64) {
        switch self {
        case .missing: (0, 0)
        case .notACamera: (1, 0)
        case .takesNoPictures: (2, 0)
        case .notPermitted: (3, 0)
        case .busy: (4, 0)
        case .noFormat: (5, 0)
        case .unplugged: (6, 0)
        case .refused(let errno): (7, UInt64(UInt32(bitPattern: errno)))
        case .inconsistent: (8, 0)
        case .silent(let seconds): (9, UInt64(seconds))
        }
    }

    init?(kind: UInt32, detail: UInt32) {
        switch kind {
        case 0: self = .missing
        case 1: self = .notACamera
        case 2: self = .takesNoPictures
        case 3: self = .notPermitted
        case 4: self = .busy
        case 5: self = .noFormat
        case 6: self = .unplugged
        case 7: self = .refused(errno: Int32(bitPattern: detail))
        case 8: self = .inconsistent
        case 9: self = .silent(seconds: detail)
        default: return nil
        }
    }
}

extension CameraProblem: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .missing:
            .inputOutput("camera-missing", "there is no such camera", hint: "heliograph camera list")
        case .notACamera:
            .inputOutput("not-a-camera", "this is not a video device", hint: "heliograph camera list")
        case .takesNoPictures:
            .inputOutput(
                "not-a-camera", "this video device takes no pictures", hint: "heliograph camera list")
        case .notPermitted:
            .notPermitted(
                "camera-not-permitted", "this user may not use the camera",
                hint: "sudo usermod -aG video $USER, then log in again")
        case .busy:
            .inputOutput(
                "camera-busy", "another program is using the camera", hint: "close the program that uses it")
        case .noFormat:
            .inputOutput(
                "camera-format", "the camera offers neither YUYV nor MJPEG pictures",
                hint: "take pictures with another program: heliograph scan --watch DIR")
        case .unplugged:
            .inputOutput(
                "camera-unplugged", "the camera was unplugged", hint: "plug it in and run the command again")
        case .refused(let errno):
            .inputOutput(
                "camera-driver", "the camera's driver refused a request: \(Sentence.systemError(errno))",
                hint: "plug it in again, or use another camera: heliograph camera list")
        case .inconsistent:
            .inputOutput(
                "camera-driver", "the camera's driver gave contradictory answers",
                hint: "plug it in again, or use another camera: heliograph camera list")
        case .silent(let seconds):
            .inputOutput(
                "camera-silent", "the camera sent no picture for \(seconds) s",
                hint: "look for a cover on the lens or a switch, or "
                    + "use another camera: heliograph camera list")
        }
    }

    public static var examples: [CameraProblem] {
        [
            .missing, .notACamera, .takesNoPictures, .notPermitted, .busy, .noFormat, .unplugged,
            .refused(errno: 22), .inconsistent,
            .silent(seconds: 10),
        ]
    }
}
