import Ceremony
import QRCode
import RaptorQ
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
        let length = UInt32(payload.count)
        let prefix = [0x80 | UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
        codes = try QRCode.frames(RaptorQEncoder.packetsForEveryReader(of: payload, atMost: Self.symbolLength).map { prefix + $0 })
    }

    init(_ signed: [SignedTransaction]) throws {
        if signed.count == 1 {
            try self.init(text: signed[0].text)
        } else {
            try self.init(framed: Answer.bulk(signed.map { ($0.signature, $0.scheme) }))
        }
    }

    func png(foreground: RGB = .black) throws -> [UInt8] {
        guard codes.count > 1 else { return try codes[0].png(foreground: foreground) }
        return try APNG.encode(frames: codes, fps: Self.framesPerSecond, foreground: foreground)
    }

    /// The code as text; of several, one below the other.
    func terminal(coloured: Bool) -> String { codes.map { $0.terminal(coloured: coloured) }.joined(separator: "\n") }
}
