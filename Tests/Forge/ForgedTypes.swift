import FixtureRuntime
import Metadata
import SubstratePrimitives

/// Turns what metadata says into the leaves of a proof, true or not, by a walk of its own.
public struct ForgedTypes {
    public private(set) var leaves: [ForgedLeaf] = []
    private let registry: any TypeRegistry
    private var numbers: [UInt32: UInt32] = [:]

    private init(_ registry: any TypeRegistry, roots: [TypeReference]) throws {
        self.registry = registry
        var reached: Set<UInt32> = []
        for root in roots { try Self.reach(root, registry, &reached) }
        // A type that has nothing to describe is no leaf: it is written where it is used.
        for id in reached.sorted() where try isLeaf(id) { numbers[id] = UInt32(numbers.count) }
        for id in reached.sorted() { leaves += try leaves(of: id) }
    }

    private static func reach(
        _ reference: TypeReference, _ registry: any TypeRegistry, _ reached: inout Set<UInt32>
    ) throws {
        guard case .id(let id) = reference, reached.insert(id).inserted else { return }
        switch try registry.definition(of: id).shape {
        case .composite(let fields): for field in fields { try reach(field.type, registry, &reached) }
        case .enumeration:
            for field in try registry.variants(of: id).flatMap(\.fields) {
                try reach(field.type, registry, &reached)
            }
        case .sequence(let inner), .array(_, let inner): try reach(inner, registry, &reached)
        case .tuple(let items): for item in items { try reach(item, registry, &reached) }
        default: break
        }
    }

    private func isLeaf(_ id: UInt32) throws -> Bool {
        switch try registry.definition(of: id).shape {
        case .composite(let fields): !fields.isEmpty
        case .tuple(let items): !items.isEmpty
        case .enumeration: try !registry.variants(of: id).isEmpty
        case .sequence, .array, .bits: true
        default: false
        }
    }

    private func reference(_ reference: TypeReference) throws -> ForgedReference {
        switch reference {
        case .primitive(let primitive): return .primitive(primitive)
        case .compact(let primitive): return .compact(width: primitive.width!)
        case .void: return .void
        case .id(let id):
            if let number = numbers[id] { return .id(number) }
            switch try registry.definition(of: id).shape {
            case .primitive(let primitive): return .primitive(primitive)
            case .compact(let inner): return try width(inner).map { .compact(width: $0) } ?? .void
            default: return .void
            }
        }
    }

    /// Bytes of the integer that a compact holds, behind any wrappers.
    private func width(_ reference: TypeReference) throws -> Int? {
        guard case .id(let id) = reference else { return nil }
        switch try registry.definition(of: id).shape {
        case .primitive(let primitive): return primitive.width
        case .composite(let fields): return try fields.first.flatMap { try width($0.type) }
        case .tuple(let items): return try items.first.flatMap { try width($0) }
        case .compact(let inner): return try width(inner)
        default: return nil
        }
    }

    private func fields(_ fields: [Field]) throws -> [ForgedField] {
        try fields.map { ForgedField($0.name, try reference($0.type), typeName: $0.typeName) }
    }

    private func leaves(of id: UInt32) throws -> [ForgedLeaf] {
        guard let number = numbers[id] else { return [] }
        let definition = try registry.definition(of: id)
        func leaf(_ shape: ForgedLeaf.Definition) -> ForgedLeaf {
            ForgedLeaf(number, path: definition.path, shape)
        }
        switch definition.shape {
        case .composite(let parts): return [leaf(.composite(try fields(parts)))]
        case .enumeration:
            return try registry.variants(of: id).sorted { $0.index < $1.index }.map {
                leaf(.variant(name: $0.name, fields: try fields($0.fields), index: UInt32($0.index)))
            }
        case .sequence(let inner): return [leaf(.sequence(try reference(inner)))]
        case .array(let count, let inner): return [leaf(.array(count, try reference(inner)))]
        case .tuple(let items): return [leaf(.tuple(try items.map { try reference($0) }))]
        case .bits(let bytes, let order):
            return [leaf(.bits(bytes: UInt8(bytes), leastSignificantFirst: order))]
        case .primitive, .compact: return []
        }
    }

    fileprivate static func proof(_ metadata: RuntimeMetadata, info: ExtraInfo) throws -> ForgedProof {
        let extrinsic = metadata.extrinsic
        let frame = [extrinsic.address, extrinsic.call, extrinsic.signature].map { $0 ?? .void }
        let types = try ForgedTypes(
            metadata.registry, roots: frame + extrinsic.extensions.flatMap { [$0.explicit, $0.implicit] })
        var proof = ForgedProof(
            leaves: types.leaves, call: try types.reference(extrinsic.call),
            extensions: try extrinsic.extensions.map {
                ForgedExtension(
                    $0.identifier, try types.reference($0.explicit), try types.reference($0.implicit))
            }, info: info)
        proof.address = try types.reference(frame[0])
        proof.signature = try types.reference(frame[2])
        return proof
    }
}

extension ForgedProof {
    /// Everything that metadata says, of a true runtime or of one that nobody runs.
    public init(_ metadata: RuntimeMetadata, info: ExtraInfo) throws {
        self = try ForgedTypes.proof(metadata, info: info)
    }

    public init(_ runtime: FixtureRuntime) throws {
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        try self.init(metadata, info: ExtraInfo(metadata.runtimeVersion, runtime.specs))
    }
}
