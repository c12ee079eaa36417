import Diagnostics

extension CameraProblem: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case missing = "camera-missing"
        case notACamera = "not-a-camera"
        case notPermitted = "camera-not-permitted"
        case busy = "camera-busy"
        case format = "camera-format"
        case unplugged = "camera-unplugged"
        case driver = "camera-driver"
        case silent = "camera-silent"
    }

    public var code: Code {
        switch self {
        case .missing: .missing
        case .notACamera, .takesNoPictures: .notACamera
        case .notPermitted: .notPermitted
        case .busy: .busy
        case .noFormat: .format
        case .unplugged: .unplugged
        case .refused, .inconsistent: .driver
        case .silent: .silent
        }
    }

    public var sentence: String {
        switch self {
        case .missing: "there is no such camera"
        case .notACamera: "this is not a video device"
        case .takesNoPictures: "this video device takes no pictures"
        case .notPermitted: "this user may not use the camera"
        case .busy: "another program is using the camera"
        case .noFormat: "the camera offers neither YUYV nor MJPEG pictures"
        case .unplugged: "the camera was unplugged"
        case .refused(let errno): "the camera's driver refused a request: \(Sentence.systemError(errno))"
        case .inconsistent: "the camera's driver gave contradictory answers"
        case .silent(let seconds): "the camera sent no picture for \(seconds) s"
        }
    }

    public static var examples: [CameraProblem] {
        [
            .missing, .notACamera, .takesNoPictures, .notPermitted, .busy, .noFormat, .unplugged, .refused(errno: 22), .inconsistent,
            .silent(seconds: 10),
        ]
    }
}
