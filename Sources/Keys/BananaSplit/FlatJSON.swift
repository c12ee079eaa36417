/// Reads one JSON object whose values are strings, whole numbers, booleans or null: all that a share is.
///
/// A parser of its own, because the text can be one share short of a secret and a library would leave copies of it behind.
struct FlatJSON {
    enum Value: Equatable {
        case string(String)
        case number(Int)
        case other
    }

    /// The text is no such object.
    struct Malformed: Error, Equatable {}

    private let bytes: [UInt8]
    private var place = 0

    static func parse(_ bytes: [UInt8]) throws(Malformed) -> [String: Value] {
        var reader = FlatJSON(bytes: bytes)
        return try reader.object()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func object() throws(Malformed) -> [String: Value] {
        var members: [String: Value] = [:]
        try expect("{")
        if peek() != UInt8(ascii: "}") {
            repeat {
                guard peek() == UInt8(ascii: "\"") else { throw Malformed() }
                let key = try string()
                try expect(":")
                guard members.updateValue(try value(), forKey: key) == nil else { throw Malformed() }
            } while take(",")
        }
        try expect("}")
        guard peek() == nil else { throw Malformed() }
        return members
    }

    private mutating func value() throws(Malformed) -> Value {
        guard let first = peek() else { throw Malformed() }
        switch first {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default:
            for word in ["true", "false", "null"] where bytes[place...].starts(with: word.utf8) {
                place += word.utf8.count
                return .other
            }
            throw Malformed()
        }
    }

    /// The next byte after white space.
    private mutating func peek() -> UInt8? {
        while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
        return place < bytes.count ? bytes[place] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Malformed) {
        guard take(character) else { throw Malformed() }
    }

    private mutating func number() throws(Malformed) -> Int {
        let start = place
        if bytes[place] == UInt8(ascii: "-") { place += 1 }
        let digits = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        let hasLeadingZero = place > digits + 1 && bytes[digits] == UInt8(ascii: "0")
        guard place > digits, !hasLeadingZero, let number = Int(text) else { throw Malformed() }
        if place < bytes.count, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[place]) { throw Malformed() }
        return number
    }

    private mutating func string() throws(Malformed) -> String {
        place += 1
        var units: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else { throw Malformed() }
                return text
            case UInt8(ascii: "\\"): units += Array(String(try escape()).utf8)
            case 0..<0x20: throw Malformed()
            default: units.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escape() throws(Malformed) -> Character {
        guard place < bytes.count else { throw Malformed() }
        let letter = bytes[place]
        place += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(letter))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default: throw Malformed()
        }
    }

    /// `XXXX` after `\u`, with its second half where it is the first of a surrogate pair.
    private mutating func escapedScalar() throws(Malformed) -> Character {
        var code = UInt32(try hexUnit())
        if (0xd800..<0xdc00).contains(code) {
            guard bytes[place...].starts(with: "\\u".utf8) else { throw Malformed() }
            place += 2
            let low = UInt32(try hexUnit())
            guard (0xdc00..<0xe000).contains(low) else { throw Malformed() }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw Malformed() }
        return Character(scalar)
    }

    private mutating func hexUnit() throws(Malformed) -> UInt16 {
        guard bytes.count - place >= 4 else { throw Malformed() }
        let digits = String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }), let unit = UInt16(digits, radix: 16) else {
            throw Malformed()
        }
        place += 4
        return unit
    }

    /// A JSON string in ASCII, with `\u` escapes in lower case for everything from U+007F on.
    static func quote(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5c: quoted += "\\\\"
            case 0x08: quoted += "\\b"
            case 0x0c: quoted += "\\f"
            case 0x0a: quoted += "\\n"
            case 0x0d: quoted += "\\r"
            case 0x09: quoted += "\\t"
            case 0x20..<0x7f: quoted.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return quoted + "\""
    }
}
