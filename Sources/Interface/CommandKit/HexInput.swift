import Hashing
import SubstratePrimitives
import TerminalIO
import UOS

/// Hex for a payload, a key or a call, and what people give by mistake instead. A mistake is explained by the
/// same table as a picture that is not a payload, so both name the command that the input belongs to.
package enum HexInput {
    /// - Parameter text: hex digits, or `@` and the file that holds them.
    /// - Throws: `PayloadError.foreign(_:)` for what belongs elsewhere;
    ///   ``CommandError/otherThanHex(source:_:)``; ``CommandError/badHex(source:)`` for all other text.
    package static func bytes(_ text: String) throws -> [UInt8] {
        do throws(CommandError) {
            return try Files.hex(text)
        } catch {
            guard case .badHex(let source) = error else { throw error }
            let file = Files.named(by: text)
            // Standard input is gone once it was read.
            let given = file == "-" ? [] : try file.map { try Files.read($0) } ?? Array(text.utf8)
            let digits = Array(String(decoding: given, as: UTF8.self).trimmed.utf8)
            if let code = ForeignCode(digits), code != .text { throw PayloadError.foreign(code) }
            throw mistake(digits, isFile: file != nil).map { .otherThanHex(source: source, $0) } ?? error
        }
    }

    static func mistake(_ text: [UInt8], isFile: Bool) -> OtherThanHex? {
        if pictures.contains(where: { text.starts(with: $0) }) { return isFile ? .picture : nil }
        if isBase64(text) { return .base64 }
        return !isFile && isName(text) ? .file : nil
    }

    /// As they are after reading them as text: PNG, JPEG, and the first letters of PNM.
    private static let pictures = [
        Array("\u{fffd}PNG".utf8), Array("\u{fffd}\u{fffd}\u{fffd}".utf8), Array("P5\n".utf8),
        Array("P6\n".utf8),
    ]

    /// Fewer characters are a word as well.
    private static let shortestBase64 = 16

    private static func isBase64(_ text: [UInt8]) -> Bool {
        let body = text.reversed().drop { $0 == UInt8(ascii: "=") }
        let padding = text.count - body.count
        guard text.count >= shortestBase64, text.count.isMultiple(of: 4), padding <= 2 else { return false }
        return body.allSatisfy { byte in
            isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        } && text.contains { isLetter($0) && $0 & 0x20 == 0 }
    }

    /// With a folder before it, or an ending of two to four letters and digits behind its last dot.
    private static func isName(_ text: [UInt8]) -> Bool {
        if text.contains(UInt8(ascii: "/")) { return true }
        guard let dot = text.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = text[(dot + 1)...]
        return (2...4).contains(ending.count) && ending.allSatisfy { isLetter($0) || isDigit($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
