import Extrinsics
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Encodes JSON values with the types of a runtime. Calls, fields and variants are given by name.
///
/// | type | JSON |
/// |---|---|
/// | call | `{"pallet": "Balances", "call": "transfer_keep_alive", "args": {…}}` |
/// | enumeration | `"Name"`, or `{"Name": …}` with an object or a list of fields, or a single field |
/// | `Option` | `null`, or the value itself |
/// | fields | an object, or a list if they have no names; a single field may be given without either |
/// | account, address | SS58 text, or hex |
/// | integer | number, or text of its digits; `"1.5 DOT"` for an amount of the chain's own token |
/// | bytes | hex with `0x`, else text as UTF-8, or a list of numbers |
/// | call as bytes (`WrapperKeepOpaque`) | the call |
/// | bits | text of 0 and 1, in the order of their indexes |
public struct DescriptionEncoder {
    private let types: TypeView
    private let prefix: UInt16
    /// The chain's own token; nil where amounts are numbers only.
    private let token: Token?
    private var writer = SCALEWriter()
    private var path: [String] = []

    /// Generic addresses have this prefix, whatever the network.
    private static let genericPrefix: UInt16 = 42
    /// Levels of types inside types; what is deeper no reader takes.
    private static let maximumDepth = ValueLimits.depth

    /// The unit of a chain's own token.
    public struct Token: Sendable {
        let unit: String
        let decimals: UInt8
        /// Some calls have amounts of it on some chains only.
        let genesis: GenesisHash

        public init(_ specs: NetworkSpecs) {
            unit = specs.unit
            decimals = specs.decimals
            genesis = specs.genesisHash
        }
    }

    private init(types: TypeView, prefix: UInt16, token: Token?) {
        self.types = types
        self.prefix = prefix
        self.token = token
    }

    /// - Parameters:
    ///   - prefix: the network's own SS58 prefix; addresses with it, or the generic 42, are taken.
    ///   - token: the token; an amount may have its unit.
    ///   - path: the value's name in errors.
    public static func encode(
        _ value: JSONValue, as type: TypeReference, types: TypeView, prefix: UInt16, token: Token? = nil,
        path: String
    ) throws(DescriptionError) -> [UInt8] {
        var encoder = DescriptionEncoder(types: types, prefix: prefix, token: token)
        encoder.path = [path]
        try encoder.encode(value, type, depth: 0)
        return encoder.writer.bytes
    }

    private func error(_ reason: DescriptionError.Reason) -> DescriptionError {
        DescriptionError(reason, path: path.joined(separator: "."))
    }

    private func wrongKind(_ wanted: String, _ value: JSONValue) -> DescriptionError {
        error(.wrongKind(wanted: wanted, found: value.kind))
    }

    private func definition(_ type: TypeReference) throws(DescriptionError) -> TypeDefinition {
        do { return try types.definition(type) } catch { throw self.error(.noType) }
    }

    private mutating func inside(_ name: String, _ body: (inout Self) throws(DescriptionError) -> Void)
        throws(DescriptionError)
    {
        path.append(name)
        try body(&self)
        path.removeLast()
    }

    private mutating func encode(_ value: JSONValue, _ type: TypeReference, depth: Int)
        throws(DescriptionError)
    {
        guard depth < Self.maximumDepth else { throw error(.tooDeep) }
        let definition = try definition(type)
        if try encodeAccount(value, type, definition) { return }
        if let content = try opaqueContent(of: definition) {
            return try encodeOpaque(value, content, depth: depth)
        }
        switch definition.shape {
        case .primitive(let primitive): try encode(value, primitive)
        case .compact(let inner): try encodeCompact(value, inner)
        case .composite(let fields): try encode(fields: fields, value, depth: depth)
        case .tuple(let elements):
            try encode(fields: elements.map { Field(name: nil, type: $0) }, value, depth: depth)
        case .enumeration: try encodeVariant(value, type, definition, depth: depth)
        case .sequence(let element):
            let items = try items(value, of: element)
            writer.compact(UInt64(items.count))
            try encode(items, element, depth: depth)
        case .array(let count, let element):
            let items = try items(value, of: element)
            guard items.count == Int(count) else {
                throw error(.wrongLength(expected: Int(count), found: items.count))
            }
            try encode(items, element, depth: depth)
        case .bits(let storeBytes, let leastSignificantFirst):
            try encodeBits(value, storeBytes: storeBytes, leastSignificantFirst: leastSignificantFirst)
        }
    }

    // MARK: Composed values

    private func opaqueContent(of definition: TypeDefinition) throws(DescriptionError) -> TypeReference? {
        do { return try types.opaqueContent(of: definition) } catch { throw self.error(.noType) }
    }

    /// Runtimes of 2022 take the call of a multisig as bytes that hold it. Their length follows from the
    /// call, so nobody has to count it.
    private mutating func encodeOpaque(
        _ value: JSONValue, _ content: TypeReference, depth: Int
    ) throws(DescriptionError) {
        var inner = DescriptionEncoder(types: types, prefix: prefix, token: token)
        inner.path = path
        try inner.encode(value, content, depth: depth + 1)
        writer.byteVector(inner.writer.bytes)
    }

    private mutating func encode(_ items: [JSONValue], _ element: TypeReference, depth: Int)
        throws(DescriptionError)
    {
        for (index, item) in items.enumerated() {
            try inside("\(index + 1)") { (inner) throws(DescriptionError) in
                try inner.encode(item, element, depth: depth + 1)
            }
        }
    }

    private mutating func encode(fields: [Field], _ value: JSONValue, depth: Int) throws(DescriptionError) {
        if fields.isEmpty {
            if case .null = value { return }
            if case .list(let items) = value, items.isEmpty { return }
            if case .object(let items) = value, items.isEmpty { return }
            throw wrongKind("null", value)
        }
        if fields.count == 1, !Self.names(value, fields[0]) {
            return try encode(value, fields[0].type, depth: depth + 1)
        }
        switch value {
        case .object(let values): try encode(fields: fields, named: values, depth: depth)
        case .list(let values):
            guard values.count == fields.count else {
                throw error(.wrongLength(expected: fields.count, found: values.count))
            }
            for (field, value) in zip(fields, values) { try encode(value, field.type, depth: depth + 1) }
        default: throw wrongKind(fields[0].name == nil ? "list" : "object", value)
        }
    }

    /// Whether the value is an object that spells out the field's name.
    private static func names(_ value: JSONValue, _ field: Field) -> Bool {
        guard let name = field.name, case .object(let parts) = value else { return false }
        return parts[name] != nil
    }

    private mutating func encode(fields: [Field], named values: [String: JSONValue], depth: Int)
        throws(DescriptionError)
    {
        let names = fields.enumerated().map { $1.name ?? "\($0 + 1)" }
        if let stranger = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw error(.unknownName(stranger))
        }
        for (name, field) in zip(names, fields) {
            guard let value = values[name] else { throw error(.missingName(name)) }
            try inside(name) { (inner) throws(DescriptionError) in
                try inner.encode(value, field.type, depth: depth + 1)
            }
        }
    }

    private mutating func encodeVariant(
        _ value: JSONValue, _ type: TypeReference, _ definition: TypeDefinition, depth: Int
    ) throws(DescriptionError) {
        if definition.ident == "Option", let some = try variant(named: "Some", of: type),
            some.fields.count == 1
        {
            if case .null = value { return writer.u8(0) }
            if case .text("None") = value { return writer.u8(0) }
            if case .object(let parts) = value, parts.count == 1, let inner = parts["Some"] {
                writer.u8(some.index)
                return try encode(inner, some.fields[0].type, depth: depth + 1)
            }
            writer.u8(some.index)
            return try encode(value, some.fields[0].type, depth: depth + 1)
        }
        let (name, content) = try nameAndContent(value)
        guard let variant = try variant(named: name, of: type) else { throw error(.unknownName(name)) }
        writer.u8(variant.index)
        try inside(name) { (inner) throws(DescriptionError) in
            try inner.encode(fields: variant.fields, content, depth: depth)
        }
    }

    /// The variant that a value names, and its content; a call names two variants, one inside the other.
    private func nameAndContent(_ value: JSONValue) throws(DescriptionError) -> (String, JSONValue) {
        switch value {
        case .text(let name): return (name, .null)
        case .object(let parts):
            if case .text(let pallet) = parts["pallet"] {
                guard case .text(let call) = parts["call"] else { throw error(.missingName("call")) }
                if let stranger = parts.keys.sorted().first(where: {
                    !["pallet", "call", "args"].contains($0)
                }) {
                    throw error(.unknownName(stranger))
                }
                return (pallet, .object([call: parts["args"] ?? .null]))
            }
            guard parts.count == 1, let part = parts.first else { throw wrongKind("variant", value) }
            return (part.key, part.value)
        default: throw wrongKind("variant", value)
        }
    }

    private func variant(named name: String, of type: TypeReference) throws(DescriptionError) -> Variant? {
        guard case .id(let id) = type else { return nil }
        do { return try types.registry.variants(of: id).first { $0.name == name } } catch {
            throw self.error(.noType)
        }
    }

    // MARK: Accounts

    /// Text that is an address, for an account or a `MultiAddress`.
    /// - Returns: false when the type is neither, or the value is written in another way.
    private mutating func encodeAccount(
        _ value: JSONValue, _ type: TypeReference, _ definition: TypeDefinition
    ) throws(DescriptionError)
        -> Bool
    {
        guard case .text(let text) = value, !text.hasPrefix("0x") else { return false }
        switch definition.ident {
        case "AccountId32", "AccountId":
            writer.raw(try account(text))
        case "MultiAddress":
            guard let own = try variant(named: "Id", of: type), try variant(named: text, of: type) == nil
            else { return false }
            writer.u8(own.index)
            writer.raw(try account(text))
        default: return false
        }
        return true
    }

    private func account(_ text: String) throws(DescriptionError) -> [UInt8] {
        guard let address = try? SS58Address(text), address.account.count == 32 else {
            throw error(.badAddress(text))
        }
        guard address.prefix == prefix || address.prefix == Self.genericPrefix else {
            throw error(.otherNetwork(expected: prefix, found: address.prefix))
        }
        return address.account
    }

    // MARK: Leaves

    private mutating func encode(_ value: JSONValue, _ primitive: PrimitiveType) throws(DescriptionError) {
        switch primitive {
        case .bool:
            guard case .bool(let flag) = value else { throw wrongKind("bool", value) }
            writer.bool(flag)
        case .str:
            guard case .text(let text) = value else { throw wrongKind("text", value) }
            writer.string(text)
        case .char:
            guard case .text(let text) = value else { throw wrongKind("text", value) }
            guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first else {
                throw error(.notOneCharacter(text))
            }
            writer.integer(scalar.value)
        case .u256, .i256:
            guard case .text(let text) = value, let bytes = Hex.decode(text), bytes.count == 32 else {
                throw wrongKind("32 bytes", value)
            }
            writer.raw(bytes)
        case .u8: writer.integer(try integer(value) as UInt8)
        case .u16: writer.integer(try integer(value) as UInt16)
        case .u32: writer.integer(try integer(value) as UInt32)
        case .u64: writer.integer(try integer(value) as UInt64)
        case .u128: writer.integer(try integer(value) as UInt128)
        case .i8: writer.integer(try integer(value) as Int8)
        case .i16: writer.integer(try integer(value) as Int16)
        case .i32: writer.integer(try integer(value) as Int32)
        case .i64: writer.integer(try integer(value) as Int64)
        case .i128: writer.integer(try integer(value) as Int128)
        }
    }

    private func integer<T: FixedWidthInteger>(_ value: JSONValue) throws(DescriptionError) -> T {
        let number: T?
        let text: String
        switch value {
        case .whole(let whole): (number, text) = (T(exactly: whole), "\(whole)")
        case .otherNumber(let digits): (number, text) = (try wholeNumber(digits), digits)
        case .text(let digits):
            if let planck = try amount(digits) {
                (number, text) = (T(exactly: planck), digits)
            } else {
                (number, text) = (try wholeNumber(digits.filter { $0 != "_" }), digits)
            }
        default: throw wrongKind("number", value)
        }
        guard let number else { throw error(.outOfRange(text)) }
        return number
    }

    /// nil for a number that the type does not have. `1.5` and `5.0` are no numbers here: whoever writes them
    /// means units of a token, and `5.0` read as 5 would be far less.
    private func wholeNumber<T: FixedWidthInteger>(_ text: String) throws(DescriptionError) -> T? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            if TokenAmount.hasCommas(text) { throw error(.commas(text)) }
            throw error(.notWhole(text, unit: isOfOwnToken ? token?.unit : nil))
        }
        return T(text)
    }

    /// An amount with its unit; nil for text without one.
    private func amount(_ text: String) throws(DescriptionError) -> UInt128? {
        guard text.utf8.contains(UInt8(ascii: " ")), let token else { return nil }
        guard isOfOwnToken else { throw error(.takesNoUnit(text)) }
        guard let planck = TokenAmount.planck(plain: text, decimals: token.decimals, unit: token.unit) else {
            if TokenAmount.hasCommas(text) { throw error(.commas(text)) }
            throw error(.badAmount(text, unit: token.unit, decimals: token.decimals))
        }
        return planck
    }

    /// Whether the innermost call's argument is an amount of the chain's own token: of another asset the unit
    /// would have other decimals.
    private var isOfOwnToken: Bool {
        path.count >= 3
            && ArgumentMeaning.isNative(
                pallet: path[path.count - 3], call: path[path.count - 2], argument: path[path.count - 1],
                on: token?.genesis)
    }

    private mutating func encodeCompact(_ value: JSONValue, _ inner: TypeReference) throws(DescriptionError) {
        let primitive: PrimitiveType?
        do { primitive = try types.compactInteger(inner) } catch { throw self.error(.noType) }
        guard let primitive else { return }
        let number: UInt128 = try integer(value)
        guard let width = primitive.width, width >= 16 || number >> (8 * UInt128(width)) == 0 else {
            throw error(.outOfRange("\(number)"))
        }
        writer.compact(littleEndian: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * UInt128($0))) })
    }

    /// The items of a list; text stands for a list of bytes.
    private func items(_ value: JSONValue, of element: TypeReference) throws(DescriptionError) -> [JSONValue]
    {
        switch value {
        case .list(let items): return items
        case .text(let text):
            guard case .primitive(.u8) = try definition(element).shape else { throw wrongKind("list", value) }
            guard text.hasPrefix("0x") else { return text.utf8.map { .whole(Int($0)) } }
            guard let bytes = Hex.decode(text) else { throw error(.notHex(text)) }
            return bytes.map { .whole(Int($0)) }
        default: throw wrongKind("list", value)
        }
    }

    private mutating func encodeBits(_ value: JSONValue, storeBytes: Int, leastSignificantFirst: Bool)
        throws(DescriptionError)
    {
        guard case .text(let text) = value, text.allSatisfy({ $0 == "0" || $0 == "1" }) else {
            throw wrongKind("bits", value)
        }
        let bits = text.map { $0 == "1" }
        writer.compact(UInt64(bits.count))
        let width = storeBytes * 8
        for start in stride(from: 0, to: bits.count, by: width) {
            var word: UInt64 = 0
            for (index, bit) in bits[start..<min(start + width, bits.count)].enumerated() where bit {
                word |= 1 << UInt64(leastSignificantFirst ? index : width - 1 - index)
            }
            for index in 0..<storeBytes { writer.u8(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
        }
    }
}
