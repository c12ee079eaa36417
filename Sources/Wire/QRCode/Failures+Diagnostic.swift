import Diagnostics

extension QRCode.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case empty = "empty-payload"
        case tooLong = "payload-too-long"
        case library = "drawing-failed"
    }

    public var code: Code {
        switch self {
        case .empty: .empty
        case .tooLong: .tooLong
        case .library: .library
        }
    }

    public var sentence: String {
        switch self {
        case .empty: "the payload is empty, so there is nothing to draw"
        case .tooLong(let bytes, let capacity):
            "the payload has \(Sentence.count(bytes, "byte")) and does not fit in one QR code, which holds \(capacity)"
        case .library(let number): "the QR code cannot be drawn: \(Sentence.systemError(number))"
        }
    }

    public static var examples: [Self] { [.empty, .tooLong(bytes: 3000, capacity: 2953), .library(errno: 12)] }
}

extension PictureFailure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case drawingFailed = "drawing-failed"
        case noTerminal = "no-terminal"
        case windowTooSmall = "window-too-small"
    }

    public var code: Code {
        switch self {
        case .library, .framesDiffer, .noFrames: .drawingFailed
        case .noTerminal: .noTerminal
        case .windowTooSmall: .windowTooSmall
        }
    }

    public var sentence: String {
        switch self {
        case .library(let reason): "the picture cannot be drawn: \(reason)"
        case .framesDiffer: "the animation cannot be drawn: its frames differ in size"
        case .noFrames: "the animation cannot be drawn: it has no frames"
        case .noTerminal: "there is no terminal to draw the QR code on"
        case .windowTooSmall(let needed, let window):
            "the QR code needs a window of \(needed.columns) x \(needed.rows) characters, and this one has \(window.columns) x \(window.rows)"
        }
    }

    public static var examples: [PictureFailure] {
        [
            .library("out of memory"), .framesDiffer, .noFrames, .noTerminal,
            .windowTooSmall(needed: TerminalWindow(columns: 47, rows: 24), window: TerminalWindow(columns: 80, rows: 20)),
        ]
    }
}
