import Ceremony
import QRCode
import Review
import SubstratePrimitives
import UOS

/// The answer as QR codes: one for a single signature, frames for a bulk.
struct AnswerPicture {
    private let codes: [QRCode]

    /// Symbols of bulk answers, in bytes: small codes, which every phone reads from a screen.
    static let symbolLength = 128
    static let framesPerSecond = 15

    init(text: String) throws { codes = [try QRCode(text: text, errorCorrection: .medium)] }

    /// Bytes in RaptorQ frames.
    init(framed payload: [UInt8]) throws {
        codes = try QRCode.frames(RaptorQFrames.framesForEveryReader(of: payload, atMost: Self.symbolLength))
    }

    init(_ signed: [SignedTransaction]) throws {
        try self.init(signed.count == 1 ? signed[0].answer : .bulk(signed.map(\.multiSignature)))
    }

    init(_ answer: Answer) throws {
        switch answer {
        case .transaction, .message: try self.init(text: answer.text)
        case .bulk, .derivations: try self.init(framed: answer.bytes)
        }
    }

    func png(foreground: RGB = .black) throws -> [UInt8] {
        guard codes.count > 1 else { return try codes[0].png(foreground: foreground) }
        return try APNG.encode(frames: codes, fps: Self.framesPerSecond, foreground: foreground)
    }

    /// The code as text; of several, one below the other.
    func terminal(coloured: Bool) -> String { codes.map { $0.terminal(coloured: coloured) }.joined(separator: "\n") }
}
