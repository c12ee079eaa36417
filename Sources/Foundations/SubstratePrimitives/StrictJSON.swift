import Diagnostics
import SCALE

/// Reads JSON (RFC 8259) that has exactly one meaning: UTF-8, no key twice in an object, nothing after the
/// value, and whole numbers only unless the caller takes others.
///
/// This project has its own parser for three reasons. Libraries silently accept duplicate keys, so a file
/// could mean one thing to its reader and another to the program. The text may be a share of a secret, and a
/// library would leave copies of it in memory. And a stranger may send it: a value of two bytes takes a
/// library hundreds of bytes and a long time, while this reader's time is linear in the text and its memory
/// is bounded by the text and by a count of values that the caller states.
public struct StrictJSON {
    /// A JSON value.
    public enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(Int)
        /// Any other number, as it is written: a fraction, an exponent, or more than 64 bits. Only if
        /// ``Limits/takesEveryNumber``.
        case otherNumber(String)
        case string(String)
        case array([Value])
        case object(Object)

        /// Texts by their bytes.
        public static func == (one: Value, other: Value) -> Bool {
            switch (one, other) {
            case (.null, .null): true
            case (.bool(let one), .bool(let other)): one == other
            case (.number(let one), .number(let other)): one == other
            case (.otherNumber(let one), .otherNumber(let other)): one.utf8Equals(other)
            case (.string(let one), .string(let other)): one.utf8Equals(other)
            case (.array(let one), .array(let other)): one == other
            case (.object(let one), .object(let other)): one == other
            case (.null, _), (.bool, _), (.number, _), (.otherNumber, _), (.string, _), (.array, _),
                (.object, _):
                false
            }
        }
    }

    /// Members in the order of the text; no two keys have the same UTF-8 bytes.
    public struct Object: Sendable, Equatable {
        /// A key and its value.
        public struct Member: Sendable, Equatable {
            public let key: String
            public let value: Value

            public static func == (one: Member, other: Member) -> Bool {
                one.key.utf8Equals(other.key) && one.value == other.value
            }
        }

        public let members: [Member]

        /// Keys compare as UTF-8 bytes.
        public subscript(key: String) -> Value? { members.first { $0.key.utf8Equals(key) }?.value }
    }

    /// Why a text is refused.
    public enum Failure: Error, Sendable, Equatable {
        /// `offset` is the first byte that breaks the rules.
        case malformed(offset: Int)
        /// The key as it reads after its escapes.
        case duplicateKey(String)
        /// More levels of arrays and objects than the caller allows.
        case tooDeep(limit: Int)
        /// More values than the caller allows.
        case tooManyValues(limit: Int)
        /// The caller's time is over.
        case outOfTime
    }

    /// What a reader spends on a text at most.
    public struct Limits: Sendable {
        /// Levels of arrays and objects, 1 for an object that holds neither.
        public let depth: Int
        /// Values of every kind, the outermost included.
        public let values: Int
        /// Whether fractions, exponents and numbers of more than 64 bits are read, as text.
        public let takesEveryNumber: Bool
        /// Asked at the start, at every 1024th value, and in long texts, numbers and white space at every
        /// 64th KiB: false stops the reader.
        public let hasTime: @Sendable () -> Bool

        public init(
            depth: Int, values: Int, takesEveryNumber: Bool = false,
            hasTime: @escaping @Sendable () -> Bool = { true }
        ) {
            self.depth = depth
            self.values = values
            self.takesEveryNumber = takesEveryNumber
            self.hasTime = hasTime
        }
    }

    private static let valuesBetweenChecks = 1 << 10
    private static let bytesBetweenChecks = 1 << 16

    private let bytes: [UInt8]
    private let limits: Limits
    private var offset = 0
    private var depth = 0
    private var values = 0

    /// - Parameters:
    ///   - bytes: the whole text; the caller bounds its length.
    ///   - depthLimit: levels of arrays and objects, 1 for an object that holds neither.
    public static func parse(_ bytes: [UInt8], depthLimit: Int) throws(Failure) -> Value {
        try parse(bytes, limits: Limits(depth: depthLimit, values: bytes.count))
    }

    /// - `bytes`: the whole text; the caller bounds its length.
    public static func parse(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Value {
        var reader = StrictJSON(bytes: bytes, limits: limits)
        try reader.checkTime()
        let value = try reader.value()
        guard try reader.peek() == nil else { throw reader.malformed }
        return value
    }

    private init(bytes: [UInt8], limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    private func checkTime() throws(Failure) {
        guard limits.hasTime() else { throw .outOfTime }
    }

    /// Goes one byte on inside what may be long.
    private mutating func step() throws(Failure) {
        offset += 1
        if offset.isMultiple(of: Self.bytesBetweenChecks) { try checkTime() }
    }

    private var malformed: Failure { .malformed(offset: offset) }

    private mutating func value() throws(Failure) -> Value {
        guard let first = try peek() else { throw malformed }
        guard values < limits.values else { throw .tooManyValues(limit: limits.values) }
        values += 1
        if values.isMultiple(of: Self.valuesBetweenChecks) { try checkTime() }
        switch first {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default:
            for (word, value) in [("true", Value.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[offset...].starts(with: word.utf8) {
                offset += word.utf8.count
                return value
            }
            throw malformed
        }
    }

    private mutating func object() throws(Failure) -> Object {
        try open("{")
        var members: [Object.Member] = []
        var keys: Set<[UInt8]> = []
        if try peek() != UInt8(ascii: "}") {
            repeat {
                guard try peek() == UInt8(ascii: "\"") else { throw malformed }
                let key = try string()
                guard keys.insert(Array(key.utf8)).inserted else { throw .duplicateKey(key) }
                try expect(":")
                members.append(Object.Member(key: key, value: try value()))
            } while try take(",")
        }
        try close("}")
        return Object(members: members)
    }

    private mutating func array() throws(Failure) -> [Value] {
        try open("[")
        var items: [Value] = []
        if try peek() != UInt8(ascii: "]") {
            repeat { items.append(try value()) } while try take(",")
        }
        try close("]")
        return items
    }

    private mutating func open(_ bracket: Unicode.Scalar) throws(Failure) {
        try expect(bracket)
        depth += 1
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
    }

    private mutating func close(_ bracket: Unicode.Scalar) throws(Failure) {
        try expect(bracket)
        depth -= 1
    }

    /// The next byte after white space.
    private mutating func peek() throws(Failure) -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: try step()
            default: return bytes[offset]
            }
        }
        return nil
    }

    private mutating func take(_ character: Unicode.Scalar) throws(Failure) -> Bool {
        guard try peek() == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
        guard try take(character) else { throw malformed }
    }

    /// `-`, digits without a leading zero, then perhaps a fraction and an exponent.
    private mutating func number() throws(Failure) -> Value {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let first = offset
        try digits()
        guard offset == first + 1 || bytes[first] != UInt8(ascii: "0") else { throw malformed }
        if let number = wholeNumber(from: start) { return .number(number) }
        guard limits.takesEveryNumber else { throw malformed }
        if isNext(UInt8(ascii: ".")) {
            offset += 1
            try digits()
        }
        if isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E")) {
            offset += 1
            if isNext(UInt8(ascii: "+")) || isNext(UInt8(ascii: "-")) { offset += 1 }
            try digits()
        }
        return .otherNumber(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    /// nil if more than digits follows, or they do not fit.
    private func wholeNumber(from start: Int) -> Int? {
        if isNext(UInt8(ascii: ".")) || isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E")) { return nil }
        return Int(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private func isNext(_ byte: UInt8) -> Bool { offset < bytes.count && bytes[offset] == byte }

    /// At least one digit.
    private mutating func digits() throws(Failure) {
        let start = offset
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { try step() }
        guard offset > start else { throw malformed }
    }

    private mutating func string() throws(Failure) -> String {
        offset += 1
        var units: [UInt8] = []
        var start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                units += bytes[start..<offset]
                offset += 1
                guard let text = String(validating: units, as: UTF8.self) else { throw malformed }
                return text
            }
            guard byte >= 0x20 else { throw malformed }
            let before = offset
            offset += 1
            if byte == UInt8(ascii: "\\") {
                units += bytes[start..<(offset - 1)]
                let scalar = try escape()
                if let plain = UInt8(exactly: scalar.value), plain < 0x80 {
                    units.append(plain)
                } else {
                    units += UTF8.encode(scalar)!
                }
                start = offset
            }
            // An escape takes several bytes, so the offset may jump over a multiple.
            if before / Self.bytesBetweenChecks != offset / Self.bytesBetweenChecks { try checkTime() }
        }
        throw malformed
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        guard offset < bytes.count else { throw malformed }
        let letter = bytes[offset]
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default: throw malformed
        }
    }

    /// The scalar of `\uXXXX`; the first half of a surrogate pair must be followed by the second.
    private mutating func escapedScalar() throws(Failure) -> Unicode.Scalar {
        var code = UInt32(try hexUnit())
        if (0xd800..<0xdc00).contains(code) {
            guard bytes[offset...].starts(with: "\\u".utf8) else { throw malformed }
            offset += 2
            let low = UInt32(try hexUnit())
            guard (0xdc00..<0xe000).contains(low) else { throw malformed }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed }
        return scalar
    }

    private mutating func hexUnit() throws(Failure) -> UInt16 {
        guard bytes.count - offset >= 4 else { throw malformed }
        var unit: UInt16 = 0
        for byte in bytes[offset..<(offset + 4)] {
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt16(byte - 0x30)
            case 0x41...0x46: unit = unit << 4 | UInt16(byte - 0x41 + 10)
            case 0x61...0x66: unit = unit << 4 | UInt16(byte - 0x61 + 10)
            default: throw malformed
            }
        }
        offset += 4
        return unit
    }

    /// A JSON string in ASCII, with `\u` escapes in lower case for everything from U+007F on.
    public static func quote(_ text: String) -> String {
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

extension StrictJSON.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .malformed(let offset):
            .badInput("invalid-json", "invalid JSON at byte \(offset)", hint: Hints.policyHelp)
        case .duplicateKey(let key):
            .badInput("duplicate-key", "duplicate key \(key)", hint: Hints.policyHelp)
        case .tooDeep(let limit):
            .badInput(
                "json-too-deep", "more than \(Sentence.count(limit, "level")) of lists and objects",
                hint: Hints.policyHelp)
        case .tooManyValues(let limit):
            .badInput(
                "json-too-many-values", "more than \(Sentence.count(limit, "value"))",
                hint: Hints.policyHelp)
        case .outOfTime:
            .badInput("json-out-of-time", "no time is left to read the JSON", hint: Hints.policyHelp)
        }
    }

    public static var examples: [Self] {
        [
            .malformed(offset: 7), .duplicateKey("calls"), .tooDeep(limit: 4), .tooManyValues(limit: 64),
            .outOfTime,
        ]
    }
}
