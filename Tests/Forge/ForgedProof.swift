import Hashing
import Metadata
import SCALE

/// A metadata proof of any types that somebody writes down, true of a runtime or not.
///
/// It shares no code with the reader of proofs: leaves, tree and hash are written from RFC-0078, so that a
/// mistake of the reader is not repeated by the forger.
public struct ForgedProof: Sendable {
    /// In the order of the tree.
    public var leaves: [ForgedLeaf]
    public var extrinsicVersion: UInt8 = 4
    public var address = ForgedReference.void
    public var call: ForgedReference
    public var signature = ForgedReference.void
    public var extensions: [ForgedExtension]
    public var info: ExtraInfo

    public init(leaves: [ForgedLeaf], call: ForgedReference, extensions: [ForgedExtension], info: ExtraInfo) {
        self.leaves = leaves
        self.call = call
        self.extensions = extensions
        self.info = info
    }

    /// What a transaction has to commit to.
    public var hash: [UInt8] { hash(under: root ?? [UInt8](repeating: 0, count: 32)) }

    /// Of the leaves; nil where there are none.
    public var root: [UInt8]? { ForgedTree(leaves: leaves.map { BLAKE3.hash($0.encoded) })?.hash }

    /// The same for a root that is known: who tries many names of a runtime has no leaf to hash again.
    public func hash(under root: [UInt8]) -> [UInt8] {
        BLAKE3.hash(
            SCALEWriter.encode {
                $0.u8(1)
                $0.raw(root)
                $0.raw(BLAKE3.hash(extrinsic))
                info.encode(into: &$0)
            })
    }

    /// The proof as it stands in a payload.
    /// - Parameter shown: places of the leaves that are in it; nil for all, which needs no hash beside them.
    public func encoded(showing shown: Set<Int>? = nil) -> [UInt8] {
        let shown = shown ?? Set(leaves.indices)
        let tree = ForgedTree(leaves: leaves.map { BLAKE3.hash($0.encoded) })
        let found = (tree?.leaves(shown) ?? []).sorted { ($1.depth, $0.index) < ($0.depth, $1.index) }
        return SCALEWriter.encode { writer in
            writer.compact(UInt64(found.count))
            for leaf in found { writer.raw(leaves[leaf.place].encoded) }
            writer.vector(found) { $0.integer(UInt32($1.index)) }
            writer.vector(tree?.completion(shown) ?? []) { $0.raw($1) }
            writer.raw(extrinsic)
            info.encode(into: &writer)
        }
    }

    /// `ExtrinsicMetadata`
    private var extrinsic: [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(extrinsicVersion)
            for reference in [address, call, signature] { writer.raw(reference.encoded) }
            writer.vector(extensions) { writer, item in
                writer.string(item.identifier)
                writer.raw(item.explicit.encoded)
                writer.raw(item.implicit.encoded)
            }
        }
    }
}

/// `TypeRef` of RFC-0078, as it is written.
public struct ForgedReference: Sendable, Hashable {
    public let encoded: [UInt8]

    /// 0…14, the numbers of the primitives.
    public static func primitive(_ primitive: PrimitiveType) -> ForgedReference {
        ForgedReference(encoded: [primitive.rawValue])
    }

    /// 15…20 by the width of the integer in bytes: 1, 2, 4, 8, 16 or 32.
    public static func compact(width: Int) -> ForgedReference {
        ForgedReference(encoded: [15 + UInt8(width.trailingZeroBitCount)])
    }

    public static let void = ForgedReference(encoded: [21])

    public static func id(_ id: UInt32) -> ForgedReference {
        ForgedReference(encoded: [22] + SCALEWriter.encode { $0.compact(UInt64(id)) })
    }
}

public struct ForgedField: Sendable {
    public var name: String?
    public var type: ForgedReference
    public var typeName: String?

    public init(_ name: String?, _ type: ForgedReference, typeName: String? = nil) {
        self.name = name
        self.type = type
        self.typeName = typeName
    }
}

/// `Type` of RFC-0078: a type, or one variant of an enumeration.
public struct ForgedLeaf: Sendable {
    public enum Definition: Sendable {
        case composite([ForgedField])
        case variant(name: String, fields: [ForgedField], index: UInt32)
        case sequence(ForgedReference)
        case array(UInt32, ForgedReference)
        case tuple([ForgedReference])
        case bits(bytes: UInt8, leastSignificantFirst: Bool)
    }

    public var path: [String]
    public var definition: Definition
    public var id: UInt32

    public init(_ id: UInt32, path: [String] = [], _ definition: Definition) {
        self.path = path
        self.definition = definition
        self.id = id
    }

    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector(path) { $0.string($1) }
            switch definition {
            case .composite(let fields):
                writer.u8(0)
                write(fields, &writer)
            case .variant(let name, let fields, let index):
                writer.u8(1)
                writer.string(name)
                write(fields, &writer)
                writer.compact(UInt64(index))
            case .sequence(let element):
                writer.u8(2)
                writer.raw(element.encoded)
            case .array(let count, let element):
                writer.u8(3)
                writer.integer(count)
                writer.raw(element.encoded)
            case .tuple(let elements):
                writer.u8(4)
                writer.vector(elements) { $0.raw($1.encoded) }
            case .bits(let bytes, let leastSignificantFirst):
                writer.u8(5)
                writer.u8(bytes)
                writer.bool(leastSignificantFirst)
            }
            writer.compact(UInt64(id))
        }
    }

    private func write(_ fields: [ForgedField], _ writer: inout SCALEWriter) {
        writer.vector(fields) { writer, field in
            writer.option(field.name) { $0.string($1) }
            writer.raw(field.type.encoded)
            writer.option(field.typeName) { $0.string($1) }
        }
    }
}

public struct ForgedExtension: Sendable {
    public var identifier: String
    public var explicit: ForgedReference
    public var implicit: ForgedReference

    public init(_ identifier: String, _ explicit: ForgedReference, _ implicit: ForgedReference) {
        self.identifier = identifier
        self.explicit = explicit
        self.implicit = implicit
    }
}

/// The tree of RFC-0078, built as the text says: two nodes leave the back of a queue, right then left, and
/// their parent joins its front.
private indirect enum ForgedTree {
    case leaf(place: Int, hash: [UInt8])
    case parent(ForgedTree, ForgedTree, hash: [UInt8], places: Set<Int>)

    init?(leaves: [[UInt8]]) {
        var queue = leaves.enumerated().map { ForgedTree.leaf(place: $0.offset, hash: $0.element) }
        // The front of the queue is kept reversed in an array of its own: an insertion there would move
        // everything.
        var front: [ForgedTree] = []
        while queue.count + front.count > 1 {
            if queue.count < 2 {
                queue = front.reversed() + queue
                front = []
            }
            let (right, left) = (queue.removeLast(), queue.removeLast())
            front.append(
                .parent(
                    left, right, hash: BLAKE3.hash(left.hash + right.hash),
                    places: left.places.union(right.places)))
        }
        guard let root = queue.first ?? front.first else { return nil }
        self = root
    }

    var hash: [UInt8] {
        switch self {
        case .leaf(_, let hash), .parent(_, _, let hash, _): hash
        }
    }

    private var places: Set<Int> {
        switch self {
        case .leaf(let place, _): [place]
        case .parent(_, _, _, let places): places
        }
    }

    struct Found {
        let place: Int
        let depth: Int
        /// Root 0, children 2i+1 and 2i+2.
        let index: Int
    }

    func leaves(_ shown: Set<Int>, depth: Int = 0, index: Int = 0) -> [Found] {
        switch self {
        case .leaf(let place, _):
            shown.contains(place) ? [Found(place: place, depth: depth, index: index)] : []
        case .parent(let left, let right, _, let places):
            places.isDisjoint(with: shown)
                ? []
                : left.leaves(shown, depth: depth + 1, index: 2 * index + 1)
                    + right.leaves(shown, depth: depth + 1, index: 2 * index + 2)
        }
    }

    /// Hashes of the parts without a shown leaf, from left to right.
    func completion(_ shown: Set<Int>) -> [[UInt8]] {
        guard case .parent(let left, let right, let hash, let places) = self else {
            return places.isDisjoint(with: shown) ? [hash] : []
        }
        return places.isDisjoint(with: shown) ? [hash] : left.completion(shown) + right.completion(shown)
    }
}
