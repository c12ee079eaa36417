import Hashing
import SubstratePrimitives

/// A complete binary tree over the hashes of leaves: root 0, children 2i+1 and 2i+2, leaf k of N at N-1+k.
///
/// Source: RFC-0078, "Building the Merkle Tree Root", with the order of paritytech's implementation, which
/// chains use.
struct MerkleTree {
    /// 2N-1 hashes; empty without leaves.
    private let nodes: [[UInt8]]
    private let leafCount: Int

    init(leaves: [[UInt8]]) {
        leafCount = leaves.count
        guard !leaves.isEmpty else {
            nodes = []
            return
        }
        var nodes = [[UInt8]](repeating: [], count: leaves.count - 1) + leaves
        for index in (0..<(leaves.count - 1)).reversed() {
            nodes[index] = BLAKE3.hash(nodes[2 * index + 1] + nodes[2 * index + 2])
        }
        self.nodes = nodes
    }

    /// All zeros without leaves.
    var root: Hash32 { Hash32(nodes.first ?? [UInt8](repeating: 0, count: 32))! }

    /// Node indices of leaves, deepest level first, then left to right, and the hashes that complete them to
    /// the root.
    func proof(of leaves: Set<Int>) -> (indices: [UInt32], nodes: [[UInt8]]) {
        let indices = leaves.map { leafCount - 1 + $0 }.sorted {
            (Self.level($0), $1) > (Self.level($1), $0)
        }
        // Every ancestor of a leaf that is shown is computed; every other child of such an ancestor is sent.
        var computed = Set(indices)
        for index in indices {
            var ancestor = index
            while ancestor > 0 {
                ancestor = (ancestor - 1) / 2
                computed.insert(ancestor)
            }
        }
        var sent: [[UInt8]] = []
        if !indices.isEmpty { collect(0, computed, &sent) }
        return (indices.map { UInt32($0) }, sent)
    }

    private func collect(_ index: Int, _ computed: Set<Int>, _ sent: inout [[UInt8]]) {
        guard computed.contains(index) else {
            sent.append(nodes[index])
            return
        }
        guard index < leafCount - 1 else { return }
        collect(2 * index + 1, computed, &sent)
        collect(2 * index + 2, computed, &sent)
    }

    static func level(_ index: Int) -> Int { Int.bitWidth - 1 - (index + 1).leadingZeroBitCount }
}

/// Walks from the root to the leaves of a proof and takes every leaf, index and node on the way.
struct MerkleProofWalk {
    private var leaves: ArraySlice<(index: Int, hash: [UInt8])>
    private var nodes: ArraySlice<[UInt8]>

    /// - Returns: the root; nil when something is missing, left over, out of order or listed twice.
    static func root(indices: [UInt32], leafHashes: [[UInt8]], nodes: [[UInt8]]) -> Hash32? {
        guard indices.count == leafHashes.count, !indices.isEmpty else { return nil }
        let leaves = zip(indices, leafHashes).map { (index: Int($0), hash: $1) }
        for (first, second) in zip(leaves, leaves.dropFirst()) {
            let (upper, lower) = (MerkleTree.level(first.index), MerkleTree.level(second.index))
            guard upper > lower || upper == lower && first.index < second.index else { return nil }
        }
        var walk = MerkleProofWalk(leaves: leaves[...], nodes: nodes[...])
        guard let root = walk.hash(at: 0), walk.leaves.isEmpty, walk.nodes.isEmpty else { return nil }
        return Hash32(root)
    }

    private mutating func hash(at index: Int) -> [UInt8]? {
        guard let next = leaves.first, Self.isAncestorOrSelf(index, next.index) else {
            return nodes.popFirst()
        }
        if next.index == index {
            leaves.removeFirst()
            return next.hash
        }
        guard let left = hash(at: 2 * index + 1), let right = hash(at: 2 * index + 2) else { return nil }
        return BLAKE3.hash(left + right)
    }

    private static func isAncestorOrSelf(_ index: Int, _ other: Int) -> Bool {
        let difference = MerkleTree.level(other) - MerkleTree.level(index)
        return difference >= 0 && (other + 1) >> difference == index + 1
    }
}
