import FixtureRuntime
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@testable import Metadata

/// Digests and proofs as a program that shares no code with this one computes them;
/// `fixtures/fixture-runtime/README.md` says which.
@Suite struct IndependentProofLaws {
    struct Answers: Decodable {
        struct Proof: Decodable {
            let call: String
            let extensions: String
            let proof: String
        }

        let metadata_blake2b_256: String
        let digest: String
        let changed: [String: String]
        let proofs: [String: Proof]
    }

    private static let runtime = FixtureRuntime.standard
    private static func answers() throws -> Answers {
        try Checkout.json("fixtures/fixture-runtime/rfc78.json", as: Answers.self)
    }
    private static func metadata() throws -> RuntimeMetadata { try RuntimeMetadata(runtime.metadata(.v15)) }
    private static func info() throws -> ExtraInfo { ExtraInfo(try metadata().runtimeVersion, runtime.specs) }

    @Test func theDigestIsTheOther() throws {
        let answers = try Self.answers()
        #expect(Hash32.blake2b(of: Self.runtime.metadata(.v15)).hex == answers.metadata_blake2b_256)
        #expect(try MetadataDigest(of: Self.metadata(), extraInfo: Self.info()).hash.hex == answers.digest)
    }

    /// Each fact of the specs is in the digest at its own place.
    @Test func eachFieldOfTheSpecsChangesTheDigestAsItDoesThere() throws {
        let changes: [String: (inout ExtraInfo) -> Void] = [
            "spec_version": { $0.specVersion = 1001 }, "spec_name": { $0.specName = "heliotesu" },
            "prefix": { $0.base58Prefix = 43 },
            "decimals": { $0.decimals = 11 }, "symbol": { $0.tokenSymbol = "HLP" },
        ]
        let answers = try Self.answers()
        #expect(Set(changes.keys) == Set(answers.changed.keys))
        for (field, change) in changes {
            var info = try Self.info()
            change(&info)
            let hash = try MetadataDigest(of: Self.metadata(), extraInfo: info).hash.hex
            #expect(hash == answers.changed[field] && hash != answers.digest, "\(field)")
        }
    }

    @Test func proofsAreTheOthersAndLeadToItsDigest() throws {
        let answers = try Self.answers()
        #expect(answers.proofs.count >= 5)
        for (name, sample) in answers.proofs {
            let (call, extensions) = (Hex.decode(sample.call)!, Hex.decode(sample.extensions)!)
            let made = try MetadataProof.make(
                metadata: Self.metadata(), extraInfo: Self.info(), call: call, extensions: extensions)
            #expect(Hex.encode(made.encoded) == sample.proof, "\(name)")
            var reader = SCALEReader(Hex.decode(sample.proof)!)
            let read = try MetadataProof(from: &reader)
            try reader.finish()
            #expect(read.hash.hex == answers.digest, "\(name)")
        }
    }

    /// A changed byte of a proof is refused, or leads to another digest.
    @Test func aChangedByteOfAProofIsNoticed() throws {
        let answers = try Self.answers()
        let proof = Hex.decode(try #require(answers.proofs["remark"]).proof)!
        for index in stride(from: 0, to: proof.count, by: 3) {
            var changed = proof
            changed[index] ^= 1 << UInt8(index % 8)
            var reader = SCALEReader(changed)
            guard let read = try? MetadataProof(from: &reader), (try? reader.finish()) != nil else {
                continue
            }
            #expect(read.hash.hex != answers.digest, "byte \(index)")
        }
    }
}

/// What a tree's proof may not have.
@Suite struct ProofWalkLaws {
    private static func leaf(_ number: Int) -> [UInt8] { BLAKE3.hash([UInt8(number)]) }

    /// Trees of 1 to 7 leaves, and every choice of leaves that are shown.
    private static func forEach(
        _ body: (_ root: Hash32, _ indices: [UInt32], _ leaves: [[UInt8]], _ nodes: [[UInt8]], _ count: Int)
            throws -> Void
    ) rethrows {
        for count in 1...7 {
            let tree = MerkleTree(leaves: (0..<count).map(leaf))
            for choice in 1..<(1 << count) {
                let proof = tree.proof(of: Set((0..<count).filter { choice >> $0 & 1 == 1 }))
                try body(
                    tree.root, proof.indices, proof.indices.map { leaf(Int($0) - (count - 1)) }, proof.nodes,
                    count)
            }
        }
    }

    private static func root(_ indices: [UInt32], _ leaves: [[UInt8]], _ nodes: [[UInt8]]) -> Hash32? {
        MerkleProofWalk.root(indices: indices, leafHashes: leaves, nodes: nodes)
    }

    @Test func everyProofLeadsToItsRoot() {
        Self.forEach { root, indices, leaves, nodes, _ in #expect(Self.root(indices, leaves, nodes) == root) }
    }

    @Test func anExtraNodeAndAMissingNodeAreRefused() {
        Self.forEach { root, indices, leaves, nodes, _ in
            for place in 0...nodes.count {
                for extra in [Self.leaf(99)] + nodes {
                    var more = nodes
                    more.insert(extra, at: place)
                    #expect(Self.root(indices, leaves, more) == nil)
                }
            }
            for place in nodes.indices {
                var fewer = nodes
                fewer.remove(at: place)
                #expect(Self.root(indices, leaves, fewer) == nil)
                var other = nodes
                other[place] = Self.leaf(99)
                #expect(Self.root(indices, leaves, other) != root)
            }
        }
    }

    /// A leaf at the place of a node that is computed from others changes no hash on the way: only that it is
    /// left over tells.
    @Test func anExtraLeafIsRefused() {
        Self.forEach { root, indices, leaves, nodes, count in
            for index in 0..<UInt32(2 * count + 2) where !indices.contains(index) {
                // Where the order of leaves wants it: the deepest level first.
                let level = MerkleTree.level(Int(index))
                let place =
                    indices.firstIndex { (-MerkleTree.level(Int($0)), $0) > (-level, index) } ?? indices.count
                var (more, hashes) = (indices, leaves)
                more.insert(index, at: place)
                hashes.insert(Self.leaf(99), at: place)
                let found = Self.root(more, hashes, nodes)
                #expect(found != root)
                let isAncestor = indices.contains { shown in
                    sequence(first: Int(shown)) { $0 > 0 ? ($0 - 1) / 2 : nil }.contains(Int(index))
                }
                #expect(!isAncestor || found == nil)
            }
        }
    }

    @Test func aLeafThatStandsTwiceOrOutOfOrderIsRefused() {
        Self.forEach { root, indices, leaves, nodes, _ in
            for place in indices.indices {
                var (twice, hashes) = (indices, leaves)
                twice.insert(indices[place], at: place)
                hashes.insert(leaves[place], at: place)
                #expect(Self.root(twice, hashes, nodes) == nil)
                guard place + 1 < indices.count else { continue }
                (twice, hashes) = (indices, leaves)
                twice.swapAt(place, place + 1)
                hashes.swapAt(place, place + 1)
                #expect(Self.root(twice, hashes, nodes) == nil)
            }
        }
    }

    /// Leaves that a walk from left to right would meet in turn, in a tree that has a shorter branch at its
    /// left: no list of leaves makes it.
    @Test func aTreeThatIsNotCompleteIsRefused() {
        let hashes = (0..<5).map(Self.leaf)
        // 3 and 4 below 1; 5 and 6 below 2; 13 and 14 below 6.
        for (indices, nodes) in [([3, 13], 3), ([3, 4, 13], 2), ([4, 13, 14], 2), ([1, 5, 13, 14], 0)]
            as [([UInt32], Int)]
        {
            #expect(
                Self.root(indices, Array(hashes[..<indices.count]), Array(hashes[..<nodes])) == nil,
                "\(indices)")
        }
        // The same with its deepest leaves at the left.
        #expect(Self.root([7, 8, 4], Array(hashes[..<3]), Array(hashes[..<1])) != nil)
    }

    @Test func anotherPlaceOrAnotherHashNeverLeadsToTheRoot() {
        Self.forEach { root, indices, leaves, nodes, count in
            for place in indices.indices {
                var hashes = leaves
                hashes[place] = Self.leaf(99)
                #expect(Self.root(indices, hashes, nodes) != root)
                for index in 0..<UInt32(2 * count + 2) where index != indices[place] {
                    var moved = indices
                    moved[place] = index
                    #expect(Self.root(moved, leaves, nodes) != root)
                }
            }
        }
    }

    @Test func listsOfDifferentLengthsAndNoLeavesAreRefused() {
        Self.forEach { _, indices, leaves, nodes, _ in
            #expect(Self.root(indices, leaves + [Self.leaf(0)], nodes) == nil)
            #expect(Self.root(indices, Array(leaves.dropLast()), nodes) == nil)
        }
        #expect(Self.root([], [], []) == nil && Self.root([], [], [Self.leaf(0)]) == nil)
    }
}
