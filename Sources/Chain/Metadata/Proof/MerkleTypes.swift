import SCALE
import SubstratePrimitives

/// The types that an extrinsic can reach, renumbered and encoded as the leaves of RFC-0078.
struct MerkleTypes {
    struct Leaf {
        /// The id in the full registry.
        let id: UInt32
        /// The index of the variant, for an enumeration: each variant is a separate leaf.
        let variant: UInt8?
        let encoded: [UInt8]
    }

    /// In the order of the tree: by id, variants by index.
    private(set) var leaves: [Leaf] = []
    /// The encoded `ExtrinsicMetadata`.
    private(set) var extrinsic: [UInt8] = []

    private let registry: any TypeRegistry
    private let view: TypeView
    /// From the id in the full registry to the id in the tree.
    private var numbers: [UInt32: UInt32] = [:]

    init(_ metadata: RuntimeMetadata) throws(MetadataError) {
        guard metadata.version >= 15 else {
            throw MetadataError(.versionTooOld(metadata.version), place: "metadata")
        }
        registry = metadata.registry
        view = TypeView(registry)
        let definition = metadata.extrinsic
        let roots =
            [definition.call, definition.address, definition.signature].compactMap { $0 }
            + definition.extensions.flatMap { [$0.explicit, $0.implicit] }
        let reached = try Self.reachable(from: roots, in: metadata.registry)
        for id in reached.sorted() where try hasLeaf(id) { numbers[id] = UInt32(numbers.count) }
        for id in numbers.keys.sorted() { try addLeaves(id) }
        let encoded = try encodeExtrinsic(definition)
        extrinsic = encoded
    }

    /// Every id that the roots reach. Compacts hide what they wrap, bit sequences their store and order.
    static func reachable(from roots: [TypeReference], in registry: any TypeRegistry) throws(MetadataError)
        -> Set<UInt32>
    {
        var found = Set<UInt32>()
        var waiting = roots
        while let next = waiting.popLast() {
            guard case .id(let id) = next, found.insert(id).inserted else { continue }
            switch try registry.definition(of: id).shape {
            case .composite(let fields): waiting += fields.map(\.type)
            case .enumeration: waiting += try registry.variants(of: id).flatMap { $0.fields.map(\.type) }
            case .sequence(let element), .array(_, let element): waiting.append(element)
            case .tuple(let elements): waiting += elements
            case .primitive, .compact, .bits: break
            }
        }
        return found
    }

    private func hasLeaf(_ id: UInt32) throws(MetadataError) -> Bool {
        switch try view.definition(.id(id)).shape {
        case .primitive, .compact: return false
        case .composite(let fields): return !fields.isEmpty
        case .tuple(let elements): return !elements.isEmpty
        case .enumeration: return try !registry.variants(of: id).isEmpty
        case .sequence, .array, .bits: return true
        }
    }

    private mutating func addLeaves(_ id: UInt32) throws(MetadataError) {
        let definition = try view.definition(.id(id))
        guard definition.shape == .enumeration else {
            leaves.append(Leaf(id: id, variant: nil, encoded: try encode(id, definition, nil)))
            return
        }
        for variant in try registry.variants(of: id).sorted(by: { $0.index < $1.index }) {
            leaves.append(Leaf(id: id, variant: variant.index, encoded: try encode(id, definition, variant)))
        }
    }

    // MARK: encoding

    private func encode(_ id: UInt32, _ definition: TypeDefinition, _ variant: Variant?) throws(MetadataError)
        -> [UInt8]
    {
        var writer = SCALEWriter()
        writer.vector(definition.path) { $0.string($1) }
        switch definition.shape {
        case .composite(let fields):
            writer.u8(0)
            try encode(fields, &writer)
        case .enumeration:
            guard let variant else { throw MetadataError(.malformedType(id), place: "types.\(id)") }
            writer.u8(1)
            writer.string(variant.name)
            try encode(variant.fields, &writer)
            writer.compact(UInt64(variant.index))
        case .sequence(let element):
            writer.u8(2)
            try encode(element, &writer)
        case .array(let count, let element):
            writer.u8(3)
            writer.integer(count)
            try encode(element, &writer)
        case .tuple(let elements):
            writer.u8(4)
            writer.compact(UInt64(elements.count))
            for element in elements { try encode(element, &writer) }
        case .bits(let storeBytes, let leastSignificantFirst):
            writer.u8(5)
            writer.u8(UInt8(storeBytes))
            writer.bool(leastSignificantFirst)
        case .primitive, .compact: throw MetadataError(.malformedType(id), place: "types.\(id)")
        }
        writer.compact(UInt64(try number(id)))
        return writer.bytes
    }

    private func encode(_ fields: [Field], _ writer: inout SCALEWriter) throws(MetadataError) {
        writer.compact(UInt64(fields.count))
        for field in fields {
            writer.option(field.name) { $0.string($1) }
            try encode(field.type, &writer)
            writer.option(field.typeName) { $0.string($1) }
        }
    }

    private func encode(_ reference: TypeReference, _ writer: inout SCALEWriter) throws(MetadataError) {
        switch try self.reference(reference) {
        case .primitive(let primitive): writer.u8(primitive.rawValue)
        case .compact(let integer): writer.u8(TypeReference.compactCode(integer) ?? TypeReference.voidCode)
        case .void: writer.u8(TypeReference.voidCode)
        case .id(let id):
            writer.u8(TypeReference.idCode)
            writer.compact(UInt64(id))
        }
    }

    /// A reference as the tree writes it.
    private func reference(_ reference: TypeReference) throws(MetadataError) -> TypeReference {
        guard case .id(let id) = reference else { return reference }
        switch try view.definition(reference).shape {
        case .primitive(let primitive): return .primitive(primitive)
        case .compact(let inner): return try view.compactInteger(inner).map { .compact($0) } ?? .void
        default: return try hasLeaf(id) ? .id(try number(id)) : .void
        }
    }

    private func number(_ id: UInt32) throws(MetadataError) -> UInt32 {
        guard let number = numbers[id] else { throw MetadataError(.unknownType(id), place: "types.\(id)") }
        return number
    }

    private func encodeExtrinsic(_ definition: ExtrinsicDefinition) throws(MetadataError) -> [UInt8] {
        guard let address = definition.address, let signature = definition.signature else {
            throw MetadataError(.noExtrinsicVersion, place: "extrinsic")
        }
        var writer = SCALEWriter()
        writer.u8(definition.version)
        for type in [address, definition.call, signature] { try encode(type, &writer) }
        writer.compact(UInt64(definition.extensions.count))
        for item in definition.extensions {
            writer.string(item.identifier)
            try encode(item.explicit, &writer)
            try encode(item.implicit, &writer)
        }
        return writer.bytes
    }
}

/// The numbers of RFC-0078's `TypeRef`: 0…14 primitives, 15…20 compacts, 21 nothing, 22 by id.
extension TypeReference {
    static let voidCode: UInt8 = 21
    static let idCode: UInt8 = 22
    private static let compacts: [PrimitiveType] = [.u8, .u16, .u32, .u64, .u128, .u256]

    static func compactCode(_ integer: PrimitiveType) -> UInt8? {
        compacts.firstIndex(of: integer).map { UInt8(15 + $0) }
    }

    init(merkle reader: inout SCALEReader) throws(SCALEError) {
        let start = reader.offset
        let code = try reader.u8()
        if let primitive = PrimitiveType(rawValue: code) {
            self = .primitive(primitive)
        } else if (15...20).contains(code) {
            self = .compact(Self.compacts[Int(code - 15)])
        } else if code == Self.voidCode {
            self = .void
        } else if code == Self.idCode {
            self = .id(try reader.compactU32())
        } else {
            throw SCALEError(.invalidDiscriminant(code), offset: start)
        }
    }
}
