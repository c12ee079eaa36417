/// Text from outside, made safe to print: every form is ASCII apart from a short list of letters that do not
/// look like ASCII.
///
/// Everything else is printed as `\u{hex}`, a backslash as `\\`, so each form can be read back exactly. All
/// take time linear in the text. A character that is escaped many times in a row stands once with its count,
/// `\u{20*29999}`: blanks cannot push what follows out of sight. `ReadableLetters` lists what is printed raw.
/// Everything else (unassigned, invisible, combining, symbols, look-alikes) is escaped, so no table of what
/// to escape can be out of date.
public enum Escape {
    /// Free text and the lines around it: words in the listed scripts stay readable.
    ///
    /// A letter that looks like ASCII (Cyrillic `а`) stays only in a word of its own script that also has a
    /// letter that does not (`да`).
    public static func terminal(_ text: String) -> String { free(text, quote: false, keepsSpaces: true) }

    /// Free text on a card's line.
    ///
    /// Of several spaces in a row only the first is printed: a line that the terminal wraps cannot start with
    /// an indent, as a card does.
    public static func line(_ text: String) -> String { free(text, quote: false, keepsSpaces: false) }

    /// Free text from a sender, in quotes; a `"` inside becomes `\"`.
    public static func quoted(_ text: String) -> String {
        "\"" + free(text, quote: true, keepsSpaces: false) + "\""
    }

    /// A derivation path: unchanged if each junction is a plain name, `[A-Za-z0-9._-]+`, or if it is one of
    /// numbers, and otherwise in quotes.
    ///
    /// The maker of a payload chose the path, and it is printed among the program's own words: `//cold,
    /// compared` would look like one of its sentences. A blank at the end is invisible, so it is escaped.
    public static func path(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard !isPlain, !isNumbers(text) else { return text }
        let quoted = quoted(text)
        let end = Array(" \"".utf8)
        guard quoted.utf8.suffix(2).elementsEqual(end) else { return quoted }
        return String(decoding: quoted.utf8.dropLast(2), as: UTF8.self) + "\\u{20}\""
    }

    /// Whether a text is a kind, `:m` and numbers: `ledger:m/44'/354'/0'`. It has no blank, so it cannot look
    /// like words of the program.
    private static func isNumbers(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let numbers = text.utf8[colon...].dropFirst()
        return !text.utf8[..<colon].isEmpty
            && text.utf8[..<colon].allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
            && numbers.first == UInt8(ascii: "m")
            && numbers.dropFirst().allSatisfy { (0x2f...0x39).contains($0) || $0 == UInt8(ascii: "'") }
    }

    /// Titles, notices and the like: ASCII with spaces, everything else escaped.
    public static func ascii(_ text: String) -> String {
        var afterSpace = false
        return shortened(text) { scalar, safe in
            put(
                scalar, raw: (0x20...0x7e).contains(scalar.value) && !(scalar == " " && afterSpace),
                into: &safe)
            afterSpace = scalar == " "
        }
    }

    /// Text from one of the other functions, for a terminal that shows only ASCII.
    package static func nonASCII(_ safe: String) -> String {
        escaping(safe) { scalar, ascii in
            if scalar.isASCII {
                ascii.append(UInt8(scalar.value))
            } else {
                put(scalar, raw: false, into: &ascii)
            }
        }
    }

    /// A unit: visible ASCII; spaces and quotes are escaped too.
    public static func unit(_ text: String) -> String {
        shortened(text) { scalar, safe in
            put(scalar, raw: (0x21...0x7e).contains(scalar.value) && scalar != "\"", into: &safe)
        }
    }

    /// A name of the runtime's source: `[A-Za-z_][A-Za-z0-9_]*`, anything else in it escaped, so that it
    /// contains no space and no quote.
    ///
    /// A name that could be read as a value, such as `true` or an address, has its first character escaped.
    public static func name(_ text: String) -> String {
        let passesForValue =
            valueWords.contains { $0.utf8.elementsEqual(text.utf8) } || passesForAddress(text)
        var isFirst = true
        return shortened(text) { scalar, safe in
            let isDigit = (0x30...0x39).contains(scalar.value)
            let isLetter = isASCIILetter(scalar) || scalar == "_"
            let isOfName = isLetter || isDigit && !isFirst
            let isMark = isFirst && passesForValue
            put(scalar, raw: isOfName && !isMark, into: &safe)
            isFirst = false
        }
    }

    /// A JSON document that says the same: everything but visible ASCII, spaces and line feeds stands as
    /// `\uXXXX` inside its strings.
    public static func json(_ document: String) -> String {
        escaping(document) { scalar, safe in
            // The encoder escapes line breaks inside strings; those that are left part its lines.
            if scalar == "\n" || (0x20...0x7e).contains(scalar.value) {
                safe.append(UInt8(scalar.value))
            } else {
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16)
                    safe += "\\u".utf8
                    safe += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    safe += digits.utf8
                }
            }
        }
    }

    // MARK: parts

    /// Cards print these for values that are not names.
    private static let valueWords = ["true", "false", "none"]

    /// Base58 has no underscore, and an SS58 address of 32 bytes has at least 46 characters.
    private static func passesForAddress(_ name: String) -> Bool {
        name.utf8.count >= 40 && !name.utf8.contains(UInt8(ascii: "_"))
    }

    private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x41...0x5a).contains(scalar.value) || (0x61...0x7a).contains(scalar.value)
    }

    private static func escaping(_ text: String, _ body: (Unicode.Scalar, inout [UInt8]) -> Void) -> String {
        var safe: [UInt8] = []
        safe.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { body(scalar, &safe) }
        return String(decoding: safe, as: UTF8.self)
    }

    private static func shortened(_ text: String, _ body: (Unicode.Scalar, inout [UInt8]) -> Void) -> String {
        String(decoding: shortened(Array(escaping(text, body).utf8)), as: UTF8.self)
    }

    /// The text with each run of more than ``longestRun`` equal escapes shortened to one escape and its
    /// count.
    private static func shortened(_ safe: [UInt8]) -> [UInt8] {
        guard safe.contains(UInt8(ascii: "\\")) else { return safe }
        var short: [UInt8] = []
        short.reserveCapacity(safe.count)
        var index = 0
        while index < safe.count {
            guard safe[index] == UInt8(ascii: "\\") else {
                short.append(safe[index])
                index += 1
                continue
            }
            let escape = safe[index..<endOfEscape(safe, index)]
            var end = escape.endIndex
            var count = 1
            while safe[end...].starts(with: escape) {
                count += 1
                end += escape.count
            }
            if count > longestRun, let code = code(escape) {
                short += "\\u{\(code)*\(count)}".utf8
            } else {
                short += safe[index..<end]
            }
            index = end
        }
        return short
    }

    /// The largest number of blanks in a row that somebody may write on purpose.
    private static let longestRun = 8

    private static func endOfEscape(_ safe: [UInt8], _ start: Int) -> Int {
        guard start + 2 < safe.count, safe[start + 1] == UInt8(ascii: "u"),
            safe[start + 2] == UInt8(ascii: "{")
        else {
            return min(start + 2, safe.count)
        }
        return (safe[start...].firstIndex(of: UInt8(ascii: "}")) ?? start + 1) + 1
    }

    /// The hex between the braces; nil for a backslash and a quote, which are visible themselves.
    private static func code(_ escape: ArraySlice<UInt8>) -> String? {
        switch escape.dropFirst().first {
        case UInt8(ascii: "n"): "a"
        case UInt8(ascii: "t"): "9"
        case UInt8(ascii: "u"): String(decoding: escape.dropFirst(3).dropLast(), as: UTF8.self)
        default: nil
        }
    }

    private static func put(_ scalar: Unicode.Scalar, raw: Bool, into safe: inout [UInt8]) {
        switch scalar {
        case "\\": safe += "\\\\".utf8
        case "\n": safe += "\\n".utf8
        case "\t": safe += "\\t".utf8
        case _ where raw: safe += UTF8.encode(scalar)!
        default: safe += "\\u{\(String(scalar.value, radix: 16))}".utf8
        }
    }

    private static func free(_ text: String, quote: Bool, keepsSpaces: Bool) -> String {
        var safe: [UInt8] = []
        safe.reserveCapacity(text.utf8.count)
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        var afterSpace = false
        while index < scalars.endIndex {
            let scalar = scalars[index]
            guard isInsideWord(scalar) else {
                switch scalar {
                case "\"" where quote: safe += "\\\"".utf8
                case " " where !keepsSpaces && afterSpace: safe += "\\u{20}".utf8
                default: put(scalar, raw: (0x20...0x7e).contains(scalar.value), into: &safe)
                }
                afterSpace = scalar == " "
                index = scalars.index(after: index)
                continue
            }
            afterSpace = false
            let end = scalars[index...].firstIndex { !isInsideWord($0) } ?? scalars.endIndex
            let word = scalars[index..<end]
            let script = ReadableLetters.script(of: word)
            for scalar in word {
                let raw =
                    switch ReadableLetters.look(of: scalar) {
                    case .ascii, .distinct: true
                    case .alike(let own): own == script
                    case nil: false
                    }
                put(scalar, raw: raw, into: &safe)
            }
            index = end
        }
        return String(decoding: shortened(safe), as: UTF8.self)
    }

    /// Words are separated by ASCII spaces, controls and punctuation.
    private static func isInsideWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7f || isASCIILetter(scalar) || (0x30...0x39).contains(scalar.value)
    }
}
