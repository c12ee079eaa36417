import SubstratePrimitives

/// The types that SCALE itself knows. Raw values are those of scale-info and of RFC-0078 (`TypeRef` 0…14).
public enum PrimitiveType: UInt8, Sendable, CaseIterable {
    case bool, char, str, u8, u16, u32, u64, u128, u256, i8, i16, i32, i64, i128, i256

    /// Bytes of an encoded integer, bool or char; nil for `str`.
    public var width: Int? {
        switch self {
        case .bool, .u8, .i8: 1
        case .u16, .i16: 2
        case .char, .u32, .i32: 4
        case .u64, .i64: 8
        case .u128, .i128: 16
        case .u256, .i256: 32
        case .str: nil
        }
    }

    public var isUnsigned: Bool {
        switch self {
        case .u8, .u16, .u32, .u64, .u128, .u256: true
        default: false
        }
    }
}

/// Where a type is used: by its id in a registry, or directly.
public enum TypeReference: Sendable, Hashable {
    case id(UInt32)
    case primitive(PrimitiveType)
    /// A compact unsigned integer of that width.
    case compact(PrimitiveType)
    /// Encodes to nothing.
    case void
}

public struct Field: Sendable, Equatable {
    public let name: String?
    public let type: TypeReference
    /// The type as the runtime's source spells it, `BalanceOf<T>`.
    public let typeName: String?
    /// Lines joined with line feeds.
    public let docs: String

    public init(name: String?, type: TypeReference, typeName: String? = nil, docs: String = "") {
        self.name = name
        self.type = type
        self.typeName = typeName
        self.docs = docs
    }

    public static func == (one: Field, other: Field) -> Bool {
        one.type == other.type && one.name.utf8Equals(other.name) && one.typeName.utf8Equals(other.typeName)
            && one.docs.utf8Equals(other.docs)
    }
}

/// One case of an enumeration.
public final class Variant: Sendable {
    public let name: String
    public let index: UInt8
    public let fields: [Field]
    public let docs: String

    public init(name: String, index: UInt8, fields: [Field], docs: String = "") {
        self.name = name
        self.index = index
        self.fields = fields
        self.docs = docs
    }
}

public struct TypeParameter: Sendable, Equatable {
    public let name: String
    public let type: TypeReference?

    public init(name: String, type: TypeReference?) {
        self.name = name
        self.type = type
    }

    public static func == (one: TypeParameter, other: TypeParameter) -> Bool { one.name.utf8Equals(other.name) && one.type == other.type }
}

/// What a type is made of.
public final class TypeDefinition: Sendable {
    public enum Shape: Sendable, Equatable {
        case composite([Field])
        /// Its variants are asked for one by one: ``TypeRegistry/variant(_:of:)``.
        case enumeration
        case sequence(TypeReference)
        case array(count: UInt32, TypeReference)
        case tuple([TypeReference])
        case primitive(PrimitiveType)
        case compact(TypeReference)
        /// A compact count of bits, then whole store words of 1, 2, 4 or 8 bytes, little-endian.
        case bits(storeBytes: Int, leastSignificantFirst: Bool)
    }

    /// `["sp_core", "crypto", "AccountId32"]`; empty for types without a name.
    public let path: [String]
    /// `sp_core::crypto::AccountId32`
    public let pathText: String
    public let parameters: [TypeParameter]
    public let shape: Shape
    public let docs: String

    public init(path: [String] = [], parameters: [TypeParameter] = [], shape: Shape, docs: String = "") {
        self.path = path
        pathText = path.joined(separator: "::")
        ident = path.last ?? ""
        self.parameters = parameters
        self.shape = shape
        self.docs = docs
    }

    /// The last part of ``path``: the name that may decide how a type is read. Empty for types without a name.
    public let ident: String
}
