/// A name as an eye may take it: without case, blanks and marks, and with one letter for those that look
/// alike.
public struct NameShape: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Characters that are neither a letter of ASCII nor look like one stay, so that two names of another
    /// script differ as their letters do.
    ///
    /// Names of one shape may be taken for each other. The reverse is not promised: this finds the
    /// look-alikes that are listed here.
    public init(_ name: String) {
        var shape: [UInt8] = []
        for scalar in Self.lowercased(name) {
            if let letter = Self.twin(of: scalar) {
                Self.append(letter, to: &shape)
            } else if scalar.properties.isAlphabetic {
                shape += Array(String(scalar).utf8)
            }
        }
        bytes = shape
    }

    /// Whether a lower-case letter beyond ASCII is taken for one of ASCII here.
    public static func isTwin(_ scalar: Unicode.Scalar) -> Bool { twins[scalar] != nil }

    /// Whether the name has no letters and no digits.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The shape in ASCII letters only. Characters that look like none of them are left out.
    static func letters(of name: String) -> [UInt8] {
        var shape: [UInt8] = []
        for scalar in lowercased(name) {
            if let letter = twin(of: scalar) { append(letter, to: &shape) }
        }
        return shape
    }

    /// The name in lower case. A word of capitals that all look like ASCII capitals becomes ASCII first:
    /// Greek `ΒΟΒ` becomes `bob`, although `β` does not look like `b`. Words with other letters are not
    /// changed, so that they have the same shape in upper and lower case.
    private static func lowercased(_ name: String) -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        let scalars = name.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let end = scalars[index...].firstIndex { !$0.properties.isAlphabetic } ?? scalars.endIndex
            let word = scalars[index..<end].map { capitalTwins[$0] ?? $0 }
            let isCapital = word.allSatisfy { ("A"..."Z").contains($0) }
            text.append(contentsOf: isCapital ? word : Array(scalars[index..<end]))
            guard end < scalars.endIndex else { break }
            text.append(scalars[end])
            index = scalars.index(after: end)
        }
        return String(text).lowercased().unicodeScalars
    }

    /// Greek capitals that look like an ASCII capital. Cyrillic ones need no entry: they also look alike in
    /// lower case, or are listed with the letter that the capital looks like.
    private static let capitalTwins: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
        uniqueKeysWithValues: zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ".unicodeScalars, "ABEZHIKMNOPTYX".unicodeScalars))

    private static func append(_ letter: UInt8, to shape: inout [UInt8]) {
        // Two letters that print as one.
        if letter == UInt8(ascii: "n"), shape.last == UInt8(ascii: "r") {
            shape[shape.count - 1] = UInt8(ascii: "m")
        } else if letter == UInt8(ascii: "v"), shape.last == UInt8(ascii: "v") {
            shape[shape.count - 1] = UInt8(ascii: "w")
        } else {
            shape.append(letter)
        }
    }

    /// The ASCII letter that a character looks like; nil for what a reader passes over.
    static func twin(of scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0": UInt8(ascii: "o")
        case "1", "i", "|", "!": UInt8(ascii: "l")
        case "3": UInt8(ascii: "e")
        case "5", "$": UInt8(ascii: "s")
        case "a"..."z", "2", "4", "6"..."9": UInt8(ascii: scalar)
        default: twins[scalar].map { UInt8(ascii: $0) }
        }
    }

    /// Letters of other alphabets, and Latin ones with marks, that print like one of ASCII.
    private static let twins: [Unicode.Scalar: Unicode.Scalar] = {
        let rows: [(Unicode.Scalar, String)] = [
            ("a", "аɑαàáâãäåā"), ("b", "Ьв"), ("c", "сϲçćč"), ("d", "ԁɗďđ"), ("e", "еёєεèéêëēěė"),
            ("g", "ɡģğ"), ("h", "һнħ"),
            ("l", "іїıɩιìíîïīӏǀⅼłļľ"), ("j", "јϳ"), ("k", "кκķ"), ("m", "мⅿ"), ("n", "ոпñńňņη"),
            ("o", "оοօòóôõöøōσ०"), ("p", "рρþ"),
            ("q", "ԛ"), ("r", "гŕř"), ("s", "ѕśšşș"), ("t", "тτţťŧț"), ("u", "υսùúûüūů"), ("v", "ѵνⅴ"),
            ("w", "ԝωŵ"), ("x", "хχⅹ"),
            ("y", "уүγýÿ"), ("z", "ᴢźžż"),
        ]
        return Dictionary(rows.flatMap { letter, alike in alike.unicodeScalars.map { ($0, letter) } }) {
            first, _ in first
        }
    }()
}
