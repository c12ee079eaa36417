import Forge
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import StateProof

/// Laws 2, 12, 13 and 16 to 21: what a trie's nodes prove, and that nothing else is a proof.
@Suite struct TrieLaws {
    // MARK: Nodes

    private static func children(_ places: [Int: TrieNode.Child]) -> [TrieNode.Child?] {
        (0..<16).map { places[$0] }
    }

    private static let leafChild = TrieNode.Child.hashed(.blake2b(of: [7]))

    /// The five kinds of nodes with a partial key.
    private static func nodes(_ partial: [UInt8]) -> [TrieNode] {
        let hash = Hash32.blake2b(of: [1])
        let places = children([
            0: leafChild, 15: .inline(TrieNode(partial: [3], value: .inline([9]), children: [])),
        ])
        return [
            TrieNode(partial: partial, value: .inline([1, 2]), children: []),
            TrieNode(partial: partial, value: .hashed(hash), children: []),
            TrieNode(partial: partial, value: nil, children: places),
            TrieNode(partial: partial, value: .inline([]), children: places),
            TrieNode(partial: partial, value: .hashed(hash), children: places),
        ]
    }

    @Test(arguments: [
        0, 1, 2, 14, 15, 16, 30, 31, 32, 62, 63, 64, 269, 270, 271, 285, 286, 287, 317, 318, 319, 511, 512,
    ]) func `2 13 Every kind of node with every length of partial key decodes to itself`(length: Int) throws {
        for node in Self.nodes((0..<length).map { UInt8($0 % 16) }) {
            let bytes = node.encoded
            #expect(try TrieNode(bytes, isRoot: true) == node && TrieNode(bytes, isRoot: false) == node)
            #expect(throws: TrieNode.Failure.malformed) { try TrieNode(bytes + [0], isRoot: true) }
            for count in 0..<bytes.count {
                #expect(throws: TrieNode.Failure.self) {
                    try TrieNode(Array(bytes.prefix(count)), isRoot: true)
                }
            }
        }
    }

    @Test func `18 A partial key longer than any key is refused before it is read`() {
        for node in Self.nodes([UInt8](repeating: 5, count: 513)) {
            #expect(throws: TrieNode.Failure.limit(.partialKey, 513)) {
                try TrieNode(node.encoded, isRoot: true)
            }
        }
        let endless = [UInt8](repeating: 0xff, count: 16_384)
        #expect(throws: TrieNode.Failure.limit(.partialKey, 573)) { try TrieNode(endless, isRoot: true) }
    }

    @Test func `20 Nodes of other forms are malformed`() {
        var cases: [[UInt8]] = (UInt8(1)...15).map { [$0, 0, 0, 0] }
        cases += (UInt8(1)...15).map { [$0] }
        cases += [
            [], [0, 0], [0x41, 0x1a, 4, 0x78], [0x41, 0x0a, 4, 0x78, 0], [0x41, 0x0a], [0x80, 0, 0],
            [0x80, 1], [0x80, 1, 0, 0], [0x41, 0x0a, 1, 0, 0x78], [0x80, 1, 0, 4, 0],
            // An inline child that is no node, or has a byte more.
            [0x80, 1, 0, 4, 1], [0x80, 1, 0, 20, 0x41, 0x0a, 4, 0x78, 0],
        ]
        for bytes in cases {
            #expect(throws: TrieNode.Failure.malformed, "\(Hex.encode(bytes))") {
                try TrieNode(bytes, isRoot: true)
            }
        }
        #expect(throws: TrieNode.Failure.limit(.child, 33)) {
            try TrieNode([0x80, 1, 0, 33 << 2] + [UInt8](repeating: 0, count: 33), isRoot: true)
        }
        #expect(throws: TrieNode.Failure.malformed) { try TrieNode([0], isRoot: false) }
        #expect(throws: Never.self) { try TrieNode([0], isRoot: true) }
        #expect(TrieNode.empty.encoded == [0])
    }

    @Test func `21 A child of 32 bytes is a hash, one of 31 is a node`() throws {
        let inner = TrieNode(partial: [1], value: .inline([UInt8](repeating: 7, count: 28)), children: [])
        #expect(inner.encoded.count == 31)
        let node = TrieNode(partial: [], value: nil, children: Self.children([4: .inline(inner)]))
        #expect(try TrieNode(node.encoded, isRoot: true) == node)
        let whole = TrieNode(partial: [1], value: .inline([UInt8](repeating: 7, count: 29)), children: [])
        let bytes = [0x80, 0x10, 0, 32 << 2] + whole.encoded
        #expect(
            try TrieNode(bytes, isRoot: true).children[4] == .hashed(Hash32(whole.encoded)!))
    }

    // MARK: Reading

    private static func random(_ random: inout SeededGenerator) -> [[UInt8]: [UInt8]] {
        let alphabets: [[UInt8]] = [Array(0...255), [0, 1, 0x10, 0x11], [0xff, 0xf0, 0x0f], [0]]
        let alphabet = alphabets.randomElement(using: &random)!
        var pairs: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<Int.random(in: 0...24, using: &random) {
            let key = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                alphabet.randomElement(using: &random)!
            }
            pairs[key] = random.bytes([0, 1, 3, 20, 31, 32, 33, 70].randomElement(using: &random)!)
        }
        return pairs
    }

    /// Keys that are there, and their neighbours.
    private static func keys(_ pairs: [[UInt8]: [UInt8]], _ random: inout SeededGenerator) -> [[UInt8]] {
        var keys = pairs.keys.flatMap { key -> [[UInt8]] in
            var other = key
            if !other.isEmpty { other[other.count - 1] ^= 1 << UInt8.random(in: 0...7, using: &random) }
            return [key, key + [0], Array(key.dropLast()), other]
        }
        keys.append([0x55])
        // Swift's dictionaries differ from run to run; the seed alone decides.
        keys.sort { $0.lexicographicallyPrecedes($1) }
        return Array(keys.shuffled(using: &random).prefix(Int.random(in: 1...12, using: &random)))
    }

    private static func read(
        _ keys: [[UInt8]], _ root: Hash32, _ nodes: [[UInt8]]
    ) throws(StateProofError) -> [TrieReading] {
        var walk = TrieWalk(ListedNodes(nodes))
        var readings: [TrieReading] = []
        for key in keys { readings.append(try walk.read(key, under: root)) }
        try walk.nodes.finish()
        return readings
    }

    /// A trie, keys of it, and the proof of them.
    private static func sample(
        _ random: inout SeededGenerator
    ) throws -> (trie: SampleTrie, pairs: [[UInt8]: [UInt8]], keys: [[UInt8]], nodes: [[UInt8]]) {
        let pairs = self.random(&random)
        let trie = SampleTrie(pairs, version: Bool.random(using: &random) ? 1 : 0)
        let keys = keys(pairs, &random)
        var walk = TrieWalk(GatheredNodes(trie.nodes.values))
        for key in keys { _ = try walk.read(key, under: trie.root) }
        return (trie, pairs, keys, walk.nodes.ordered)
    }

    @Test func `16 Every key of a random trie reads as the dictionary says, present or absent`() throws {
        var random = SeededGenerator.printed("TrieLaws.reads")
        for _ in 0..<400 {
            let (trie, pairs, keys, nodes) = try Self.sample(&random)
            let expected = keys.map { pairs[$0].map { TrieReading.present($0) } ?? .absent }
            #expect(try Self.read(keys, trie.root, nodes) == expected)
            // No node is taken twice, however often a key is asked for.
            #expect(try Self.read(keys + keys, trie.root, nodes) == expected + expected)
        }
    }

    @Test func `17 A node left out, doubled, moved, added or changed in one bit is refused`() throws {
        var random = SeededGenerator.printed("TrieLaws.changes")
        var seen = 0
        for _ in 0..<120 {
            let (trie, _, keys, nodes) = try Self.sample(&random)
            func refused(_ error: StateProofError, _ nodes: [[UInt8]]) {
                #expect(throws: error) { try Self.read(keys, trie.root, nodes) }
                seen += 1
            }
            for place in nodes.indices {
                let isLast = place == nodes.count - 1
                var changed = nodes
                changed.remove(at: place)
                // A node that equals its neighbour stands in for it, and the last is then missing.
                let isTwin = !isLast && nodes[place] == nodes[place + 1]
                if !isTwin { refused(isLast ? .nodeMissing : .nodeHash(place + 1), changed) }
                changed = nodes
                changed.insert(nodes[place], at: place)
                if !isTwin { refused(isLast ? .leftover(1) : .nodeHash(place + 2), changed) }
                changed = nodes
                changed[place][Int.random(in: 0..<changed[place].count, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
                refused(.nodeHash(place + 1), changed)
                if !isLast, !isTwin {
                    changed = nodes
                    changed.swapAt(place, place + 1)
                    refused(.nodeHash(place + 1), changed)
                }
            }
            refused(.leftover(2), nodes + [[0], [0x41, 0x0a, 4, 0x78]])
        }
        #expect(seen > 500)
    }

    @Test func `18 Absence needs every node of its path, in each of its forms`() throws {
        let long = [UInt8](repeating: 7, count: 40)
        // Below 12 34: a branch with value, below it two leaves; 12 40 is elsewhere.
        let pairs: [[UInt8]: [UInt8]] = [
            [0x12, 0x34]: long, [0x12, 0x34, 0x50, 0x01]: long, [0x12, 0x34, 0x61]: long, [0x12, 0x40]: long,
            [0x77, 0x77, 0x77, 0x10]: long, [0x77, 0x77, 0x77, 0x20]: long,
        ]
        for version in [0, 1] {
            let trie = SampleTrie(pairs, version: version)
            let absent: [[UInt8]] = [
                // Another partial in a leaf, the key ends inside a leaf's partial, and goes on below it.
                [0x12, 0x34, 0x50, 0x02], [0x12, 0x34, 0x50], [0x12, 0x34, 0x61, 0x00],
                // Another partial in a branch, and the key ends inside it.
                [0x77, 0x78, 0x77, 0x10], [0x77],
                // It ends at a branch without value, and at a nibble without child.
                [0x77, 0x77, 0x77], [0x12], [0x12, 0x34, 0x70], [0x30], [],
            ]
            for key in absent {
                var walk = TrieWalk(GatheredNodes(trie.nodes.values))
                #expect(try walk.read(key, under: trie.root) == .absent)
                let nodes = walk.nodes.ordered
                #expect(try Self.read([key], trie.root, nodes) == [.absent])
                for count in 0..<nodes.count {
                    #expect(throws: StateProofError.nodeMissing) {
                        try Self.read([key], trie.root, Array(nodes.prefix(count)))
                    }
                }
            }
        }
        // Nothing at all is the empty trie, which is proven by its one byte.
        let empty = SampleTrie([:])
        #expect(try Self.read([[], [1]], empty.root, [[0]]) == [.absent, .absent])
        #expect(throws: StateProofError.nodeMissing) { try Self.read([[1]], empty.root, []) }
    }

    @Test func `18 The empty trie is a root and nothing below it`() throws {
        let root = TrieNode(
            partial: [], value: nil, children: Self.children([1: .hashed(.blake2b(of: [0]))])
        ).encoded
        #expect(throws: StateProofError.node(2)) {
            try Self.read([[0x10]], .blake2b(of: root), [root, [0]])
        }
        // Also where it was a root before.
        var walk = TrieWalk(ListedNodes([[0], root]))
        #expect(try walk.read([1], under: .blake2b(of: [0])) == .absent)
        #expect(throws: StateProofError.node(2)) { try walk.read([0x10], under: .blake2b(of: root)) }
    }

    @Test func `19 A value whose bytes are a node's is sent for each of its two uses`() throws {
        let long = [UInt8](repeating: 7, count: 40)
        let leaf = TrieNode(partial: [1], value: .inline(long), children: []).encoded
        let holder = TrieNode(partial: [1], value: .hashed(.blake2b(of: leaf)), children: []).encoded
        let places = Self.children([1: .hashed(.blake2b(of: leaf)), 2: .hashed(.blake2b(of: holder))])
        let root = TrieNode(partial: [], value: nil, children: places).encoded
        let (value, node): ([UInt8], [UInt8]) = ([0x21], [0x11])
        let expected: [TrieReading] = [.present(leaf), .present(long)]
        let hash = Hash32.blake2b(of: root)
        #expect(try Self.read([value, node], hash, [root, holder, leaf, leaf]) == expected)
        #expect(try Self.read([node, value], hash, [root, leaf, holder, leaf]) == expected.reversed())
        #expect(throws: StateProofError.nodeMissing) {
            try Self.read([value, node], hash, [root, holder, leaf])
        }
        // Each use is asked for once.
        #expect(
            try Self.read([value, node, value, node], hash, [root, holder, leaf, leaf])
                == expected + expected)
    }

    @Test func `12 A value of 16,384 bytes is read, one byte more is not, and a key has at most 256 bytes`()
        throws
    {
        let key = [UInt8](repeating: 1, count: 256)
        for (length, isRead) in [(16_384, true), (16_385, false)] {
            let trie = SampleTrie([key: [UInt8](repeating: 7, count: length)])
            var walk = TrieWalk(GatheredNodes(trie.nodes.values))
            if isRead {
                #expect(try walk.read(key, under: trie.root) != .absent)
            } else {
                #expect(throws: StateProofError.limit(.value, 16_385)) {
                    try walk.read(key, under: trie.root)
                }
            }
            #expect(throws: StateProofError.limit(.key, 257)) { try walk.read(key + [1], under: trie.root) }
        }
    }

    @Test func `12 Values of 31, 32 and 33 bytes are read in both state versions`() throws {
        for (version, hashed) in [(0, 0), (1, 1)] {
            let pairs = [31, 32, 33].reduce(into: [[UInt8]: [UInt8]]()) {
                $0[[UInt8($1)]] = [UInt8](repeating: UInt8($1), count: $1)
            }
            let trie = SampleTrie(pairs, version: version)
            var walk = TrieWalk(GatheredNodes(trie.nodes.values))
            for (key, value) in pairs { #expect(try walk.read(key, under: trie.root) == .present(value)) }
            let values = walk.nodes.ordered.filter { pairs.values.contains($0) }
            #expect(values.count == hashed)
        }
    }
}
