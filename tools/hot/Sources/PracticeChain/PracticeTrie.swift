import Hashing
import StateProof
import SubstratePrimitives

/// The state trie of a block, of state version 1, made whole for each root and each proof: a practice has few
/// accounts.
///
/// Source: Polkadot specification, chapter "State".
struct PracticeTrie {
    /// Storage keys as nibbles, in ascending order, and their values.
    private let pairs: [(path: [UInt8], value: [UInt8])]

    init(_ entries: [(key: [UInt8], value: [UInt8])]) {
        pairs = entries.map { (Self.nibbles($0.key), $0.value) }
            .sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    var root: Hash32 {
        var nothing = Gathering(ways: [])
        return .blake2b(of: nothing.node(pairs[...], depth: 0).encoded)
    }

    /// The nodes and the hashed values on the ways to some keys, in the order in which they are made.
    func proof(of keys: [[UInt8]]) -> [[UInt8]] {
        var gathering = Gathering(ways: keys.map(Self.nibbles))
        // The root is a node of every proof, however short it is.
        let root = gathering.node(pairs[...], depth: 0).encoded
        return gathering.found + [root]
    }

    private static func nibbles(_ key: [UInt8]) -> [UInt8] { key.flatMap { [$0 >> 4, $0 & 0xf] } }

    /// Makes nodes, and gathers those that a reader of some keys fetches by their hash.
    private struct Gathering {
        /// Bytes from which on a value stands outside its node.
        static let hashedValue = 33

        let ways: [[UInt8]]
        var found: [[UInt8]] = []

        /// The node over some pairs, whose paths are the same up to `depth`.
        mutating func node(_ pairs: ArraySlice<(path: [UInt8], value: [UInt8])>, depth: Int) -> TrieNode {
            guard let first = pairs.first, let last = pairs.last else { return .empty }
            // The paths ascend, so what the first and the last share all share.
            let shared = zip(first.path, last.path).prefix { $0 == $1 }.count
            let value = first.path.count == shared ? value(first.value, at: first.path) : nil
            let below = value == nil ? pairs : pairs.dropFirst()
            let partial = Array(first.path[depth..<shared])
            guard !below.isEmpty else { return TrieNode(partial: partial, value: value, children: []) }
            let children = (0..<16).map { (nibble: UInt8) -> TrieNode.Child? in
                let inner = below.filter { $0.path[shared] == nibble }
                guard !inner.isEmpty else { return nil }
                let node = node(inner[...], depth: shared + 1)
                let bytes = node.encoded
                guard bytes.count >= 32 else { return .inline(node) }
                gather(bytes, at: first.path[..<shared] + [nibble])
                return .hashed(.blake2b(of: bytes))
            }
            return TrieNode(partial: partial, value: value, children: children)
        }

        private mutating func value(_ bytes: [UInt8], at path: [UInt8]) -> TrieNode.Value {
            guard bytes.count >= Self.hashedValue else { return .inline(bytes) }
            gather(bytes, at: path[...])
            return .hashed(.blake2b(of: bytes))
        }

        private mutating func gather(_ bytes: [UInt8], at path: ArraySlice<UInt8>) {
            if ways.contains(where: { $0.starts(with: path) }) { found.append(bytes) }
        }
    }
}
