import Forge
import Hashing
import StateProof
import SubstratePrimitives
import TestSupport
import UOS

/// The golden cases of an independent prototype, and real data of others.
struct StateVectors: Decodable {
    struct Trie: Decodable {
        let name: String
        let state_version: Int
        let pairs: [String: String]
        let root: String
        let reads: [[String?]]
        let nodes: [String]
    }
    struct Signed: Decodable {
        let block_hash: String?
        let period: UInt32?
        let phase: UInt32?
        let spec_version: UInt32
        let spec_name: String
        let relay: Bool
    }
    struct Accepted: Decodable {
        struct Chain: Decodable { let block: UInt32 }
        let name: String
        let payload: String
        let signed: Signed
        let chains: [Chain]
    }
    struct Refused: Decodable {
        let name: String
        let refusal: String
        let payload: String
        let signed: Signed
        let subjects: [String]?
    }
    struct RefusedNode: Decodable {
        let name: String
        let node: String?
        let refusal: String?
        let root: String?
        let nodes: [String]?
        let reads: [[String?]]?
    }
    struct Proof: Decodable {
        let name: String
        let state_root: String
        let nodes: [String]
        let reads: [[String?]]
    }
    struct Header: Decodable {
        let source: String
        let hash: String
        let header: String
        let number: UInt32
        let state_root: String
    }
    struct Genesis: Decodable {
        let name: String
        let version: Int
        let state_root: String
        let genesis: String
    }
    struct Hop: Decodable {
        let header: String
        let hash: String
        let relay_root: String
        let para: UInt32
        let key: String
        let nodes: [String]
        let head_number: UInt32
        let head_hash: String
        let head_is_parent: Bool
    }
    struct KeyHash: Decodable {
        let twox_128: String
        let of: String
    }

    let tries: [Trie]
    let payloads: [Accepted]
    let refused_payloads: [Refused]
    let refused_nodes: [RefusedNode]
    let others_proofs: [Proof]
    let others_headers: [Header]
    let others_hops: [Hop]
    let others_genesis_roots: [Genesis]
    let hashes: [KeyHash]

    static let own: StateVectors = try! Checkout.json("fixtures/state/vectors.json")

    static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex)! }
    static func hash(_ hex: String) -> Hash32 { Hash32(hex: hex)! }

    /// Keys with what stands under them.
    static func readings(_ reads: [[String?]]) -> [(key: [UInt8], reading: TrieReading)] {
        reads.map { (bytes($0[0]!), $0[1].map { .present(bytes($0)) } ?? .absent) }
    }
}

extension StateVectors.Signed {
    /// nil for what names no block or no era: that is found in the signed bytes, before a proof is checked.
    var checkpoint: StateCheckpoint? {
        guard let hash = block_hash, let period, let phase, let era = MortalEra(period: period, phase: phase)
        else { return nil }
        return StateCheckpoint(
            genesisHash: relay ? PrototypeAuthority.relay : PrototypeAuthority.parachain,
            blockHash: StateVectors.hash(hash), era: era,
            runtime: RuntimeVersion(specName: spec_name, specVersion: spec_version))
    }
}
