import SubstratePrimitives

/// The types that SCALE itself knows. Raw values are those of scale-info and of RFC-0078 (`TypeRef` 0…14).
public enum PrimitiveType: UInt8, Sendable, CaseIterable {
    /// One byte, 0 or 1; any other is refused.
    case bool
    /// A Unicode scalar in four bytes, little-endian.
    case char
    /// A compact count of bytes, then UTF-8.
    case str
    /// An unsigned integer of that many bits, little-endian.
    case u8, u16, u32, u64, u128, u256
    /// A signed integer of that many bits, little-endian two's complement.
    case i8, i16, i32, i64, i128, i256

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

    /// Whether it is one of u8 to u256: only these have a compact form.
    public var isUnsigned: Bool {
        switch self {
        case .u8, .u16, .u32, .u64, .u128, .u256: true
        case .bool, .char, .str, .i8, .i16, .i32, .i64, .i128, .i256: false
        }
    }
}

/// The use of a type: by its id in a registry, or directly as RFC-0078 writes simple types.
public enum TypeReference: Sendable, Hashable {
    /// A type of the registry; its id counts from 0.
    case id(UInt32)
    /// A primitive type, without an entry in a registry.
    case primitive(PrimitiveType)
    /// A compact unsigned integer of at most that width.
    case compact(PrimitiveType)
    /// Encodes to nothing.
    case void
}

/// A part of a composite or of a variant. Two fields are equal by the bytes of their texts.
public struct Field: Sendable, Equatable {
    /// As the runtime's source spells it; nil for an unnamed field, as tuple structs have.
    public let name: String?
    /// What the field's value is encoded by.
    public let type: TypeReference
    /// The type as the runtime's source spells it, `BalanceOf<T>`; nil where the metadata does not say.
    public let typeName: String?
    /// The documentation in the runtime's source, lines joined with line feeds; empty in a proof, which has
    /// none.
    public let docs: String

    /// A field of those parts.
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

/// One case of an enumeration: a call of a pallet, a pallet among all calls, `Some` of an `Option`.
public final class Variant: Sendable {
    /// As the runtime's source spells it; nothing makes it unique in its enumeration.
    public let name: String
    /// The first byte of its encoding, unique in its enumeration.
    public let index: UInt8
    /// What follows the index, in the order of encoding.
    public let fields: [Field]
    /// The documentation in the runtime's source, lines joined with line feeds; empty in a proof.
    public let docs: String

    /// A variant of those parts.
    init(name: String, index: UInt8, fields: [Field], docs: String = "") {
        self.name = name
        self.index = index
        self.fields = fields
        self.docs = docs
    }
}

/// A generic parameter of a type; metadata proofs have none.
public struct TypeParameter: Sendable, Equatable {
    /// As the runtime's source spells it, `T`.
    public let name: String
    /// What the parameter stands for; nil for one that the type information skips.
    public let type: TypeReference?

    /// A parameter of that name.
    public init(name: String, type: TypeReference?) {
        self.name = name
        self.type = type
    }

    public static func == (one: TypeParameter, other: TypeParameter) -> Bool {
        one.name.utf8Equals(other.name) && one.type == other.type
    }
}

/// What a type is made of.
public final class TypeDefinition: Sendable {
    /// The kinds of types that scale-info knows. Each says how a value is encoded.
    public enum Shape: Sendable, Equatable {
        /// The fields one after the other, at most ``MetadataLimits/fields``.
        case composite([Field])
        /// The index of a variant in one byte, then its fields. The variants are asked for one by one:
        /// ``TypeRegistry/variant(_:of:)``.
        case enumeration
        /// A compact count, then that many elements.
        case sequence(TypeReference)
        /// As many elements as the count says, without a count in front.
        case array(count: UInt32, TypeReference)
        /// The elements one after the other, at most ``MetadataLimits/fields``.
        case tuple([TypeReference])
        /// A primitive type.
        case primitive(PrimitiveType)
        /// The compact form of an unsigned integer, or of a wrapper around one.
        case compact(TypeReference)
        /// A compact count of bits, then whole store words of 1, 2, 4 or 8 bytes, little-endian.
        case bits(storeBytes: Int, leastSignificantFirst: Bool)
    }

    /// `["sp_core", "crypto", "AccountId32"]`; empty for types without a name.
    public let path: [String]
    /// `sp_core::crypto::AccountId32`
    public let pathText: String
    /// In the order of the source; empty in a proof.
    public let parameters: [TypeParameter]
    /// What its values look like.
    public let shape: Shape
    /// The documentation in the runtime's source, lines joined with line feeds; empty in a proof.
    public let docs: String

    /// A definition of those parts; ``pathText`` and ``ident`` follow from the path.
    public init(path: [String] = [], parameters: [TypeParameter] = [], shape: Shape, docs: String = "") {
        self.path = path
        pathText = path.joined(separator: "::")
        ident = path.last ?? ""
        self.parameters = parameters
        self.shape = shape
        self.docs = docs
    }

    /// The last part of ``path``: the name that may decide how a type is read. Empty for types without a
    /// name.
    public let ident: String
}
