import Diagnostics
import SCALE

/// Why bytes are not a value of a type.
public struct ValueError: Error, Equatable, Sendable {
    /// What is wrong with the bytes or the value.
    public enum Reason: Sendable, Equatable {
        /// The bytes are too few, too many, or not SCALE.
        case encoding(SCALEError.Reason)
        /// The metadata does not describe the type.
        case metadata(MetadataError.Reason)
        /// Values nested deeper than ``ValueLimits/depth``.
        case tooDeep
        /// More values than ``ValueLimits/count``.
        case tooMany
        /// Four bytes that are not a Unicode scalar.
        case notACharacter(UInt32)
        /// Bits after the last announced one are set.
        case paddingBits
        /// A value that is not of the type it is to be written as.
        case mismatch
        /// The length in front of an opaque value differs from the length of the value inside.
        case opaqueLength(announced: Int, found: Int)
    }

    /// What is wrong.
    public let reason: Reason
    /// Names from the outside in, numbers from 1: `["Balances", "transfer_keep_alive", "value"]`; empty for
    /// an encoding error.
    public let path: [String]

    /// An error at a path.
    public init(_ reason: Reason, path: [String]) {
        self.reason = reason
        self.path = path
    }
}

/// Bounds on one decode, so that hostile bytes cost little time and memory.
public enum ValueLimits {
    /// Levels of types inside types. Dozens of calls may stand inside each other
    /// (`callsMayNestThirtyLevels`), and the recursion fits the smallest thread stacks.
    public static let depth = 200
    /// Values of one transaction: room for a batch of 1,000 transfers (`tools/dev bench decode`); a hostile
    /// one is refused soon and in little memory.
    public static let count = 1 << 16

    /// Values of that many bytes: values of no bytes, and wrappers around wrappers, are bounded by what there
    /// is to decode.
    static func count(bytes: Int) -> Int { min(count, 1 << 12 + 8 * min(bytes, count)) }
}

/// Decodes values by their types: the one decoder for full metadata and for metadata proofs.
public struct ValueDecoder {
    /// The types to decode by.
    let types: TypeView
    /// Stands after the last value that was read.
    public private(set) var reader: SCALEReader
    private let rules: ReadingRules
    /// Levels around the values that are read.
    private let depth: Int
    private let limit: Int
    /// How many more values may be read.
    private var left: Int
    private var path: [PathPart] = []

    private enum PathPart {
        case name(String)
        case number(Int)

        var text: String {
            switch self {
            case .name(let name): name
            case .number(let number): String(number)
            }
        }
    }

    /// A decoder of what is left in the reader, under ``ReadingRules/all`` and ``ValueLimits``.
    public init(types: TypeView, reader: SCALEReader) { self.init(types: types, reader: reader, rules: .all) }

    package init(
        types: TypeView, reader: SCALEReader, rules: ReadingRules, limit: Int = ValueLimits.count,
        depth: Int = 0
    ) {
        self.limit = min(limit, ValueLimits.count(bytes: reader.remaining))
        left = self.limit
        self.depth = depth
        self.types = types
        self.reader = reader
        self.rules = rules
    }

    /// Values that were read.
    public var used: Int { limit - left }

    /// Reads one value; the reader stands after it.
    /// - Throws: ``ValueError`` with the path of the part that fails; the decoder is of no use afterwards.
    public mutating func value(_ reference: TypeReference) throws(ValueError) -> Value {
        do throws(Fault) {
            return try decode(reference, depth: depth)
        } catch {
            let reason: ValueError.Reason =
                switch error {
                case .encoding(let reason): .encoding(reason)
                case .metadata(let reason): .metadata(reason)
                case .value(let reason): reason
                }
            throw ValueError(reason, path: path.map(\.text))
        }
    }

    /// Reads one value that takes all bytes.
    /// - Throws: ``ValueError``, also when bytes are left.
    public mutating func whole(_ reference: TypeReference) throws(ValueError) -> Value {
        let value = try value(reference)
        guard reader.remaining == 0 else {
            throw ValueError(.encoding(.leftover(count: reader.remaining)), path: [])
        }
        return value
    }

    private enum Fault: Error {
        case encoding(SCALEError.Reason)
        case metadata(MetadataError.Reason)
        case value(ValueError.Reason)
    }

    @inline(__always)
    private mutating func read<T>(_ body: (inout SCALEReader) throws(SCALEError) -> T) throws(Fault) -> T {
        do throws(SCALEError) { return try body(&reader) } catch { throw .encoding(error.reason) }
    }

    private func definition(_ reference: TypeReference) throws(Fault) -> TypeDefinition {
        do throws(MetadataError) { return try types.definition(reference) } catch {
            throw .metadata(error.reason)
        }
    }

    private mutating func decode(_ reference: TypeReference, depth: Int) throws(Fault) -> Value {
        guard depth < ValueLimits.depth else { throw .value(.tooDeep) }
        guard left > 0 else { throw .value(.tooMany) }
        left -= 1
        let definition = try definition(reference)
        if let content = try opaqueContent(of: definition) { return try opaque(content, depth: depth) }
        switch definition.shape {
        case .primitive(let primitive): return try decode(primitive)
        case .compact(let inner): return try compact(inner)
        case .composite(let fields): return .record(try decode(fields, depth: depth))
        case .enumeration: return try enumeration(reference, depth: depth)
        case .sequence(let element): return try sequence(of: element, depth: depth)
        case .array(let count, let element): return try elements(of: element, count: Int(count), depth: depth)
        case .tuple(let elements): return .record(try tuple(elements, depth: depth))
        case .bits(let storeBytes, let leastSignificantFirst):
            return try bits(storeBytes: storeBytes, leastSignificantFirst: leastSignificantFirst)
        }
    }

    private func opaqueContent(of definition: TypeDefinition) throws(Fault) -> TypeReference? {
        do throws(MetadataError) { return try types.opaqueContent(of: definition) } catch {
            throw .metadata(error.reason)
        }
    }

    /// The chain reads as many bytes as the length says, and decodes them on their own and to their end. Any
    /// other length would move the border between this value and what follows it.
    private mutating func opaque(_ content: TypeReference, depth: Int) throws(Fault) -> Value {
        let announced = try read { (reader) throws(SCALEError) in Int(try reader.compactU32()) }
        let start = reader.offset
        let value = try decode(content, depth: depth + 1)
        let found = reader.offset - start
        guard found == announced || !rules.opaqueLengths else {
            throw .value(.opaqueLength(announced: announced, found: found))
        }
        return .record([value])
    }

    private mutating func enumeration(_ reference: TypeReference, depth: Int) throws(Fault) -> Value {
        let index = try read { (reader) throws(SCALEError) in try reader.u8() }
        let variant: Variant
        do throws(MetadataError) { variant = try types.variant(index, of: reference) } catch {
            throw .metadata(error.reason)
        }
        path.append(.name(variant.name))
        let fields = try decode(variant.fields, depth: depth)
        path.removeLast()
        return .variant(index, fields)
    }

    private mutating func decode(_ fields: [Field], depth: Int) throws(Fault) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(fields.count)
        for (index, field) in fields.enumerated() {
            // A lone unnamed field is a wrapper, which has no name in a path.
            let isWrapper = fields.count == 1 && field.name == nil
            if !isWrapper { path.append(field.name.map(PathPart.name) ?? .number(index + 1)) }
            values.append(try decode(field.type, depth: depth + 1))
            if !isWrapper { path.removeLast() }
        }
        return values
    }

    private mutating func tuple(_ elements: [TypeReference], depth: Int) throws(Fault) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            path.append(.number(index + 1))
            values.append(try decode(element, depth: depth + 1))
            path.removeLast()
        }
        return values
    }

    private mutating func sequence(of element: TypeReference, depth: Int) throws(Fault) -> Value {
        // Elements that encode to nothing leave the count unbounded by the input; the limit on values bounds
        // it.
        let count = try read { (reader) throws(SCALEError) in try reader.count(minimumElementSize: 0) }
        return try elements(of: element, count: count, depth: depth)
    }

    private mutating func elements(of element: TypeReference, count: Int, depth: Int) throws(Fault) -> Value {
        // A proof need not hold the element type of a sequence without elements.
        guard count > 0 else {
            return (try? types.definition(element))?.shape == .primitive(.u8) ? .bytes([]) : .list([])
        }
        if case .primitive(.u8) = try definition(element).shape {
            return .bytes(try read { (reader) throws(SCALEError) in try reader.bytes(count: count) })
        }
        guard count <= left else { throw .value(.tooMany) }
        var values: [Value] = []
        values.reserveCapacity(min(count, reader.remaining))
        for index in 0..<count {
            path.append(.number(index + 1))
            values.append(try decode(element, depth: depth + 1))
            path.removeLast()
        }
        return .list(values)
    }

    private mutating func decode(_ primitive: PrimitiveType) throws(Fault) -> Value {
        switch primitive {
        case .bool: return .bool(try read { (reader) throws(SCALEError) in try reader.bool() })
        case .char:
            let number = try read { (reader) throws(SCALEError) in try reader.integer(UInt32.self) }
            guard let scalar = Unicode.Scalar(number) else { throw .value(.notACharacter(number)) }
            return .char(scalar)
        case .str: return .text(try read { (reader) throws(SCALEError) in try reader.string() })
        case .u8: return .unsigned(UInt128(try read { (reader) throws(SCALEError) in try reader.u8() }))
        case .u16:
            return .unsigned(
                UInt128(try read { (reader) throws(SCALEError) in try reader.integer(UInt16.self) }))
        case .u32:
            return .unsigned(
                UInt128(try read { (reader) throws(SCALEError) in try reader.integer(UInt32.self) }))
        case .u64:
            return .unsigned(
                UInt128(try read { (reader) throws(SCALEError) in try reader.integer(UInt64.self) }))
        case .u128:
            return .unsigned(try read { (reader) throws(SCALEError) in try reader.integer(UInt128.self) })
        case .i8:
            return .signed(Int128(try read { (reader) throws(SCALEError) in try reader.integer(Int8.self) }))
        case .i16:
            return .signed(Int128(try read { (reader) throws(SCALEError) in try reader.integer(Int16.self) }))
        case .i32:
            return .signed(Int128(try read { (reader) throws(SCALEError) in try reader.integer(Int32.self) }))
        case .i64:
            return .signed(Int128(try read { (reader) throws(SCALEError) in try reader.integer(Int64.self) }))
        case .i128:
            return .signed(try read { (reader) throws(SCALEError) in try reader.integer(Int128.self) })
        case .u256, .i256:
            return .wide(try read { (reader) throws(SCALEError) in try reader.bytes(count: 32) })
        }
    }

    private mutating func compact(_ inner: TypeReference) throws(Fault) -> Value {
        let integer: PrimitiveType?
        do throws(MetadataError) { integer = try types.compactInteger(inner) } catch {
            throw .metadata(error.reason)
        }
        guard let width = integer?.width else { return .record([]) }
        let digits = try read { (reader) throws(SCALEError) in try reader.compactLittleEndian() }
        guard digits.count <= width else { throw .encoding(.compactTooWide(bits: 8 * width)) }
        guard width <= 16 else { return .wide(digits + [UInt8](repeating: 0, count: 32 - digits.count)) }
        return .unsigned(digits.reversed().reduce(0) { $0 << 8 | UInt128($1) })
    }

    private mutating func bits(storeBytes: Int, leastSignificantFirst: Bool) throws(Fault) -> Value {
        let count = try read { (reader) throws(SCALEError) in try reader.count(minimumElementSize: 0) }
        let wordBits = 8 * storeBytes
        guard count <= left, count <= 8 * reader.remaining else { throw .value(.tooMany) }
        let words = (count + wordBits - 1) / wordBits
        let bytes = try read { (reader) throws(SCALEError) in try reader.bytes(count: words * storeBytes) }
        var bits: [Bool] = []
        bits.reserveCapacity(words * wordBits)
        for index in 0..<(words * wordBits) {
            let inWord = leastSignificantFirst ? index % wordBits : wordBits - 1 - index % wordBits
            bits.append(bytes[index / wordBits * storeBytes + inWord / 8] >> UInt8(inWord % 8) & 1 == 1)
        }
        guard !bits[count...].contains(true) else { throw .value(.paddingBits) }
        return .bits(Array(bits[..<count]))
    }
}

extension ValueError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .badInput(
            "bad-value", "the value is invalid: \(Sentence.at(path.joined(separator: "."), reason.sentence))",
            hint: Hints.makeAgain)
    }

    public static var examples: [ValueError] {
        Reason.examples.map { ValueError($0, path: ["Balances", "transfer_keep_alive", "value"]) }
    }
}

extension ValueError.Reason {
    /// What is wrong with the value, without the place.
    public var sentence: String {
        switch self {
        case .encoding(let reason): reason.sentence
        case .metadata(let reason): "the metadata does not describe it: \(reason.sentence)"
        case .tooDeep: "values are nested too deeply"
        case .tooMany: "there are too many values"
        case .notACharacter(let number): "\(number) is not a Unicode character"
        case .paddingBits: "the padding bits are not zero"
        case .mismatch: "the value does not match its type"
        case .opaqueLength(let announced, let found):
            "the value has \(Sentence.count(found, "byte")), but its length prefix says \(announced)"
        }
    }

    static var examples: [Self] {
        [
            .encoding(.compactNotShortest), .metadata(.unknownType(5)), .tooDeep, .tooMany,
            .notACharacter(0xd800), .paddingBits, .mismatch,
            .opaqueLength(announced: 9, found: 8),
        ]
    }
}

/// The rules without which one byte string has two readings.
///
/// All of them always apply. Only this package can leave one out: the fuzzer that looks for two readings
/// does, to prove that it finds them.
public struct ReadingRules: Sendable, Equatable {
    /// With the hash of the metadata enabled, the signed bytes end with it.
    package var endOfBytes = true
    /// A special reading needs the standard shape, not only the standard name.
    package var standardShapes = true
    /// The length in front of an opaque value is compared.
    package var opaqueLengths = true
    /// The cards are turned back into bytes, which must be the signed ones.
    package var rebuild = true

    package init() {}

    /// Every rule.
    public static let all = ReadingRules()
}
