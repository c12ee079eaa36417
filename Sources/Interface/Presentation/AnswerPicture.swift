import Ceremony
import QRCode
import SubstratePrimitives
import TerminalIO
import UOS

/// An answer as QR codes: a text in one code, bytes in RaptorQ frames, of which a short answer needs only
/// one.
package struct AnswerPicture {
    private enum Content {
        case text(String)
        case framed([UInt8])
    }

    private let content: Content

    init(text: String) { content = .text(text) }

    /// Bytes in RaptorQ frames.
    package init(framed payload: [UInt8]) { content = .framed(payload) }

    package init(_ signed: [SignedTransaction]) {
        self.init(Answer(signed))
    }

    package init(_ answer: Answer) {
        switch answer {
        case .transaction, .message: self.init(text: answer.text)
        case .bulk, .derivations, .guardPoint: self.init(framed: answer.bytes)
        }
    }

    // MARK: Files

    package func png(foreground: RGB = .black) throws -> [UInt8] {
        let codes = try codes(ofVersion: Self.largestVersion)
        guard codes.count > 1 else { return try codes[0].png(foreground: foreground) }
        let rate = codes.count < Self.frequentFrames ? Self.slowRate : Self.fastRate
        return try APNG.encode(frames: codes, fps: rate, foreground: foreground)
    }

    /// The version that holds a symbol of 1072 bytes, as in published updates: phones read these from a
    /// screen.
    private static let largestVersion = 23
    private static let fastRate = 15
    /// Frames a second where every frame is needed: a camera that misses one waits for a whole round.
    private static let slowRate = 4
    private static let frequentFrames = 10

    // MARK: Terminal

    /// Draws one code that stays, or several that follow one another until a key is pressed.
    package func draw(on screen: CodeScreen, _ caption: String) throws {
        switch content {
        case .text: try screen.draw(try codes(ofVersion: Self.largestVersion)[0], caption)
        case .framed:
            // A window without room for any may still grow.
            let largest = try? screen.largestVersion()
            if let codes = try largest.map({ try codes(ofVersion: $0) }), codes.count == 1 {
                return try screen.draw(codes[0], caption)
            }
            try screen.animate(caption) { try self.codes(ofVersion: $0) }
        }
    }

    // MARK: Codes

    private static func longestSymbol(ofVersion version: Int) -> Int {
        min(
            QRCode.capacity(version: version) - RaptorQFrames.headerLength, RaptorQFrames.standardSymbolLength
        )
    }

    /// - Parameter largest: the version that frames may have; a text takes one code, whatever it needs.
    func codes(ofVersion largest: Int) throws -> [QRCode] {
        switch content {
        case .text(let text): [try QRCode.smallest(Array(text.utf8))]
        case .framed(let payload):
            try QRCode.frames(
                RaptorQFrames.fewFrames(of: payload, atMost: Self.longestSymbol(ofVersion: largest)))
        }
    }
}
