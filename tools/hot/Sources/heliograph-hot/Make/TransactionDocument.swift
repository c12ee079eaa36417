import Hashing
import StateProof
import SubstratePrimitives
import UOS

/// What `make transaction --json` prints: the payload that is drawn, and what is proven beside it.
struct TransactionDocument: Encodable {
    struct Drawn: Encodable {
        let code: String
        let kind: String
        let bytes: Int
        let blake2b_256: String
    }

    let payload: Drawn
    /// QR codes of the payload.
    let codes: Int
    /// Hex of what the key of the last transaction signs.
    let signing_bytes: String
    let state: ProvenStateDocument?

    /// - Parameters:
    ///   - payload: the drawn payload.
    ///   - codes: the number of its codes.
    init(_ made: MadeTransaction, _ payload: [UInt8], codes: Int) throws {
        let read = try Payload(payload)
        // What stands around the transaction is taken off by the reader; the code is that of the outermost.
        let code = read.guardRound?.code ?? (read.state == nil ? read.prelude.code : .stateProof)
        self.payload = Drawn(
            code: Hex.encode([code.rawValue]), kind: code.kind, bytes: payload.count,
            blake2b_256: Hash32.blake2b(of: payload).hex)
        self.codes = codes
        signing_bytes = Hex.encode(made.signed)
        state = made.state.map { ProvenStateDocument($0) }
    }
}

/// The state of a block as a node proved it. The offline side shows the same, checked once more.
struct ProvenStateDocument: Encodable {
    struct Block: Encodable {
        let number: UInt32
        let hash: String
        /// In seconds since 1970.
        let time: UInt64
        let maximum_age: UInt32
    }

    struct Fact: Encodable {
        /// `System.Account`.
        let entry: String
        /// Hex of kind and arguments, as the payload has them.
        let item: String
        let exists: Bool
        var nonce: UInt32?
        /// Of the chain's own token, in the smallest unit.
        var free: String?
        var reserved: String?
        var frozen: String?

        init(_ fact: StateFact) {
            entry = StateEntry(fact.item.kind).name
            item = Hex.encode(fact.item.bytes)
            exists = fact.reading != .absent
            guard case .present(.account(let held)) = fact.reading else { return }
            nonce = held.nonce
            (free, reserved, frozen) = (String(held.free), String(held.reserved), String(held.frozen))
        }
    }

    let block: Block
    let nodes: Int
    /// Of all nodes together, in bytes.
    let node_bytes: Int
    let facts: [Fact]
    /// Entries that the signer expects and that nothing reads on this chain.
    let not_proven: [String]

    init(_ state: StateFacts) {
        let chain = state.proven.chain
        block = Block(
            number: chain.header.number, hash: chain.header.hash.hex, time: chain.time / 1_000,
            maximum_age: state.proven.checkpoint.maximumAge)
        nodes = state.envelope.nodes.count
        node_bytes = state.envelope.nodes.reduce(0) { $0 + $1.count }
        facts = chain.facts.map { Fact($0) }
        not_proven = state.unread.map { StateEntry($0.kind).name }
    }
}
