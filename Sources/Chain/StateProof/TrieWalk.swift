import Hashing
import SubstratePrimitives
import UOS

/// Where a walk takes its nodes and hashed values from.
public protocol TrieNodes {
    /// The bytes whose BLAKE2b-256 is `hash`.
    mutating func next(_ hash: Hash32) throws(StateProofError) -> [UInt8]
    /// How many were given; the last of them is the one that an error is about.
    var count: Int { get }
}

/// The nodes of a payload, taken in order as the walk asks for them. Any extra, repeated or moved node is
/// refused.
public struct ListedNodes: TrieNodes {
    private let nodes: [[UInt8]]
    public private(set) var count = 0

    /// - Parameter nodes: in the order of the walk.
    public init(_ nodes: [[UInt8]]) { self.nodes = nodes }

    public mutating func next(_ hash: Hash32) throws(StateProofError) -> [UInt8] {
        guard count < nodes.count else { throw .nodeMissing }
        let bytes = nodes[count]
        guard Hash32.blake2b(of: bytes) == hash else { throw .nodeHash(count + 1) }
        count += 1
        return bytes
    }

    /// Refuses nodes that no walk asked for.
    public func finish() throws(StateProofError) {
        guard count == nodes.count else { throw .leftover(nodes.count - count) }
    }
}

/// Nodes in any order, as a node of the chain sends them. The nodes that a walk takes are kept in the order
/// of the walk, because a payload has them in that order.
public struct GatheredNodes: TrieNodes {
    private let known: [Hash32: [UInt8]]
    public private(set) var ordered: [[UInt8]] = []

    /// - Parameter nodes: in any order, doubled or not needed ones too.
    public init(_ nodes: some Sequence<[UInt8]>) {
        known = Dictionary(nodes.map { (.blake2b(of: $0), $0) }) { first, _ in first }
    }

    public var count: Int { ordered.count }

    public mutating func next(_ hash: Hash32) throws(StateProofError) -> [UInt8] {
        guard let bytes = known[hash] else { throw .nodeMissing }
        ordered.append(bytes)
        return bytes
    }
}

/// What stands under a key. That a node is missing is never an absence: it is
/// ``StateProofError/nodeMissing``.
public enum TrieReading: Equatable, Sendable {
    case present([UInt8])
    /// Every node of the path was read, and the key is not there.
    case absent
}

/// Reads keys of one or several state tries. What was asked for once is remembered and not asked for again.
public struct TrieWalk<Nodes: TrieNodes> {
    public private(set) var nodes: Nodes
    private var seen: [Hash32: TrieNode] = [:]
    private var values: [Hash32: [UInt8]] = [:]

    public init(_ nodes: Nodes) { self.nodes = nodes }

    /// The value under a key.
    /// - Parameters:
    ///   - key: at most 256 bytes.
    ///   - root: the state root of a header.
    public mutating func read(_ key: [UInt8], under root: Hash32) throws(StateProofError) -> TrieReading {
        switch try find(key, under: root) {
        case .none: return .absent
        case .inline(let bytes): return .present(bytes)
        case .hashed(let hash):
            if let known = values[hash] { return .present(known) }
            // Never decoded as a node: where it stands says that it is a value.
            let bytes = try nodes.next(hash)
            guard bytes.count <= StateLimit.value.maximum else { throw .limit(.value, bytes.count) }
            values[hash] = bytes
            return .present(bytes)
        }
    }

    /// The place of a key's value: its bytes or its hash; nil for an absent key.
    mutating func find(_ key: [UInt8], under root: Hash32) throws(StateProofError) -> TrieNode.Value? {
        guard key.count <= StateLimit.key.maximum else { throw .limit(.key, key.count) }
        let path = key.flatMap { [$0 >> 4, $0 & 0xf] }
        var (place, node) = (0, try fetch(root, isRoot: true))
        while true {
            guard path[place...].starts(with: node.partial) else { return nil }
            place += node.partial.count
            guard place < path.count else { return node.value }
            guard !node.children.isEmpty, let child = node.children[Int(path[place])] else { return nil }
            place += 1
            switch child {
            case .hashed(let hash): node = try fetch(hash, isRoot: false)
            case .inline(let inner): node = inner
            }
        }
    }

    private mutating func fetch(_ hash: Hash32, isRoot: Bool) throws(StateProofError) -> TrieNode {
        if let node = seen[hash] {
            guard isRoot || !node.isEmpty else { throw .node(nodes.count) }
            return node
        }
        let bytes = try nodes.next(hash)
        do throws(TrieNode.Failure) {
            let node = try TrieNode(bytes, isRoot: isRoot)
            seen[hash] = node
            return node
        } catch {
            switch error {
            case .malformed: throw .node(nodes.count)
            case .limit(let limit, let count): throw .limit(limit, count)
            }
        }
    }
}
