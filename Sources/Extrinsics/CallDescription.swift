import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// A value written by a person or another program, as JSON has it. Integers too wide for JSON numbers are strings of digits.
public indirect enum Described: Sendable, Equatable, Decodable {
    case null
    case bool(Bool)
    case number(Int64)
    case text(String)
    case list([Described])
    case object([String: Described])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([Described].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Described].self))
        }
    }
}

/// Why a described call cannot be encoded.
public struct CallDescriptionError: Error, Equatable, Sendable {
    public enum Code: Sendable, Equatable {
        case unknownPallet(String)
        case unknownCall(String)
        case unknownVariant(String)
        case missingField(String)
        case unexpectedField(String)
        /// The value does not fit the type that stands there.
        case mismatch
        case metadata(MetadataError.Code)
        /// Descriptions nested deeper than ``ValueLimits/depth``.
        case tooDeep
    }

    public let code: Code
    /// Dotted path of names.
    public let place: String

    public init(code: Code, place: String) {
        self.code = code
        self.place = place
    }
}

/// Encodes calls that are described by names: `{"pallet": "Balances", "call": "transfer_keep_alive", "args": {"dest": "5…", "value": "1"}}`.
///
/// Accounts are SS58 text or hex, byte vectors are `0x` hex or text, enumerations are `"Name"` or `{"Name": value}`,
/// options are null or the value, nested calls are described like outer ones.
public struct CallEncoder {
    private let types: TypeView
    private let callType: TypeReference
    private var path: [String] = []

    private init(_ metadata: RuntimeMetadata) {
        types = TypeView(metadata.registry)
        callType = metadata.extrinsic.call
    }

    /// The encoded call, without a length.
    public static func encode(_ call: Described, metadata: RuntimeMetadata) throws(CallDescriptionError) -> [UInt8] {
        var encoder = CallEncoder(metadata)
        let value = try encoder.value(call, metadata.extrinsic.call, depth: 0)
        do throws(ValueError) {
            return try ValueEncoder.encode(value, metadata.extrinsic.call, types: encoder.types)
        } catch {
            throw CallDescriptionError(code: .mismatch, place: "call")
        }
    }

    /// The encoding of one value of any type, for extensions and conformance.
    public static func encode(
        _ described: Described, as type: TypeReference, metadata: RuntimeMetadata
    ) throws(CallDescriptionError) -> [UInt8] {
        var encoder = CallEncoder(metadata)
        let value = try encoder.value(described, type, depth: 0)
        do throws(ValueError) {
            return try ValueEncoder.encode(value, type, types: encoder.types)
        } catch {
            throw CallDescriptionError(code: .mismatch, place: "value")
        }
    }

    private func fault(_ code: CallDescriptionError.Code) -> CallDescriptionError {
        CallDescriptionError(code: code, place: path.joined(separator: "."))
    }

    private func definition(_ type: TypeReference) throws(CallDescriptionError) -> TypeDefinition {
        do throws(MetadataError) { return try types.definition(type) } catch { throw fault(.metadata(error.code)) }
    }

    private func variants(_ type: TypeReference) throws(CallDescriptionError) -> [Variant] {
        guard case .id(let id) = type else { return [] }
        do throws(MetadataError) { return try types.registry.variants(of: id) } catch { throw fault(.metadata(error.code)) }
    }

    private mutating func value(_ described: Described, _ type: TypeReference, depth: Int) throws(CallDescriptionError) -> Value {
        guard depth < ValueLimits.depth else { throw fault(.tooDeep) }
        let definition = try definition(type)
        if type == callType || definition.ident == "RuntimeCall", case .object(let object) = described, object["pallet"] != nil {
            return try call(object, type, depth: depth)
        }
        switch definition.shape {
        case .primitive(let primitive): return try self.primitive(described, primitive)
        case .compact(let inner): return try compact(described, inner)
        case .composite(let fields): return try composite(described, fields, definition, depth: depth)
        case .tuple(let elements): return try tuple(described, elements, depth: depth)
        case .enumeration: return try enumeration(described, type, definition, depth: depth)
        case .sequence(let element): return try list(described, element, count: nil, depth: depth)
        case .array(let count, let element): return try list(described, element, count: Int(count), depth: depth)
        case .bits:
            guard case .text(let text) = described, text.allSatisfy({ $0 == "0" || $0 == "1" }) else { throw fault(.mismatch) }
            return .bits(text.map { $0 == "1" })
        }
    }

    private mutating func call(_ object: [String: Described], _ type: TypeReference, depth: Int) throws(CallDescriptionError) -> Value {
        guard case .text(let palletName)? = object["pallet"], case .text(let callName)? = object["call"] else { throw fault(.mismatch) }
        guard let pallet = try variants(type).first(where: { $0.name == palletName }), let inner = pallet.fields.first?.type else {
            throw fault(.unknownPallet(palletName))
        }
        path.append(palletName)
        guard let variant = try variants(inner).first(where: { $0.name == callName }) else { throw fault(.unknownCall(callName)) }
        path.append(callName)
        let values = try fields(object["args"] ?? .object([:]), variant.fields, depth: depth + 2)
        path.removeLast(2)
        return .variant(pallet.index, [.variant(variant.index, values)])
    }

    private mutating func fields(_ described: Described, _ fields: [Field], depth: Int) throws(CallDescriptionError) -> [Value] {
        var values: [Value] = []
        switch described {
        case .object(let object):
            for name in object.keys where !fields.contains(where: { $0.name == name }) { throw fault(.unexpectedField(name)) }
            for (place, field) in fields.enumerated() {
                let name = field.name ?? "\(place + 1)"
                guard let described = object[name] else { throw fault(.missingField(name)) }
                path.append(name)
                values.append(try value(described, field.type, depth: depth + 1))
                path.removeLast()
            }
        case .list(let list) where list.count == fields.count:
            for (described, field) in zip(list, fields) { values.append(try value(described, field.type, depth: depth + 1)) }
        case .null where fields.isEmpty: break
        default: throw fault(.mismatch)
        }
        return values
    }

    private mutating func composite(
        _ described: Described, _ fields: [Field], _ definition: TypeDefinition, depth: Int
    ) throws(CallDescriptionError) -> Value {
        if ["AccountId32", "AccountId20"].contains(definition.ident), case .text(let text) = described, fields.count == 1 {
            guard let account = (try? SS58Address(text))?.account ?? Hex.decode(text) else { throw fault(.mismatch) }
            return try composite(.list([.text("0x" + Hex.encode(account))]), fields, TypeDefinition(shape: definition.shape), depth: depth)
        }
        if fields.count == 1, fields[0].name == nil {
            // A wrapper may be written as what it holds, or as a list of one.
            if case .list(let list) = described, list.count == 1, let inner = try? value(list[0], fields[0].type, depth: depth + 1) {
                return .record([inner])
            }
            return .record([try value(described, fields[0].type, depth: depth + 1)])
        }
        return .record(try self.fields(described, fields, depth: depth))
    }

    private mutating func tuple(_ described: Described, _ elements: [TypeReference], depth: Int) throws(CallDescriptionError) -> Value {
        .record(try fields(described, elements.map { Field(name: nil, type: $0) }, depth: depth))
    }

    private mutating func enumeration(
        _ described: Described, _ type: TypeReference, _ definition: TypeDefinition, depth: Int
    ) throws(CallDescriptionError) -> Value {
        let variants = try variants(type)
        if definition.ident == "Option", let some = variants.first(where: { $0.name == "Some" }) {
            if described == .null { return .variant(0, []) }
            return .variant(some.index, [try value(described, some.fields[0].type, depth: depth + 1)])
        }
        switch described {
        case .text(let name):
            if let variant = variants.first(where: { $0.name == name && $0.fields.isEmpty }) { return .variant(variant.index, []) }
            // An address may be written as its account.
            if definition.ident == "MultiAddress" || definition.ident == "Source",
                let id = variants.first(where: { $0.name == "Id" })
            {
                return .variant(id.index, [try value(described, id.fields[0].type, depth: depth + 1)])
            }
            throw fault(.unknownVariant(name))
        case .object(let object) where object.count == 1:
            let (name, inner) = object.first!
            guard let variant = variants.first(where: { $0.name == name }) else { throw fault(.unknownVariant(name)) }
            path.append(name)
            defer { path.removeLast() }
            if variant.fields.count == 1, variant.fields[0].name == nil {
                return .variant(variant.index, [try value(inner, variant.fields[0].type, depth: depth + 1)])
            }
            return .variant(variant.index, try fields(inner, variant.fields, depth: depth))
        default: throw fault(.mismatch)
        }
    }

    private mutating func list(
        _ described: Described, _ element: TypeReference, count: Int?, depth: Int
    ) throws(CallDescriptionError) -> Value {
        let isBytes = try definition(element).shape == .primitive(.u8)
        if isBytes, case .text(let text) = described {
            let bytes = text.hasPrefix("0x") ? Hex.decode(text) : Array(text.utf8)
            guard let bytes, count == nil || bytes.count == count else { throw fault(.mismatch) }
            return .bytes(bytes)
        }
        guard case .list(let list) = described, count == nil || list.count == count else { throw fault(.mismatch) }
        var values: [Value] = []
        for (place, described) in list.enumerated() {
            path.append("\(place + 1)")
            values.append(try value(described, element, depth: depth + 1))
            path.removeLast()
        }
        guard isBytes else { return .list(values) }
        return .bytes(values.compactMap(\.number).map { UInt8(truncatingIfNeeded: $0) })
    }

    private func compact(_ described: Described, _ inner: TypeReference) throws(CallDescriptionError) -> Value {
        let integer: PrimitiveType?
        do throws(MetadataError) { integer = try types.compactInteger(inner) } catch { throw fault(.metadata(error.code)) }
        guard let integer else { return .record([]) }
        return try primitive(described, integer)
    }

    private func primitive(_ described: Described, _ primitive: PrimitiveType) throws(CallDescriptionError) -> Value {
        switch (primitive, described) {
        case (.bool, .bool(let flag)): return .bool(flag)
        case (.str, .text(let text)): return .text(text)
        case (.char, .text(let text)) where text.unicodeScalars.count == 1: return .char(text.unicodeScalars.first!)
        case (.u256, .text(let text)), (.i256, .text(let text)):
            guard let digits = Decimal256.littleEndian(text) else { throw fault(.mismatch) }
            return .wide(digits)
        case (.u256, .number(let number)) where number >= 0:
            return .wide(Decimal256.littleEndian(String(number))!)
        case (_, .number(let number)):
            return primitive.isUnsigned ? .unsigned(try exactly(UInt128(exactly: number))) : .signed(Int128(number))
        case (_, .text(let text)):
            return primitive.isUnsigned ? .unsigned(try exactly(UInt128(text))) : .signed(try exactly(Int128(text)))
        default: throw fault(.mismatch)
        }
    }

    private func exactly<T>(_ number: T?) throws(CallDescriptionError) -> T {
        guard let number else { throw fault(.mismatch) }
        return number
    }
}
