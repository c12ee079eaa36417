import Diagnostics
import SCALE
import SubstratePrimitives

/// What stands around a transaction in a payload of code a8: the header of the block that the transaction's
/// era starts at, what is proven of its state, and the nodes that prove it.
///
/// Nothing is checked here but the form. The encoding: version `00` ‖ header, a byte vector ‖ vector of items
/// ‖ vector of hops ‖ vector of byte vectors. Every count and length is compared with its limit before
/// anything is allocated. Source: `Payloads.md` in `heliograph.docc`.
public struct StateEnvelope: Equatable, Sendable {
    /// The only version.
    static let version: UInt8 = 0

    /// The SCALE header of the block, as it is hashed; not yet decoded.
    public let header: [UInt8]
    /// What is proven on the transaction's own chain; ascending by their encodings.
    public let items: [StateItem]
    /// What is proven on another parachain.
    public let hop: StateHop?
    /// Trie nodes and hashed values, in the order in which the verifier's walk asks for them.
    public let nodes: [[UInt8]]

    /// - Parameters:
    ///   - header: the SCALE header of the block.
    ///   - items: in any order; the same item twice is one.
    ///   - hop: items of another parachain.
    ///   - nodes: in the order of the walk.
    public init(header: [UInt8], items: some Sequence<StateItem>, hop: StateHop? = nil, nodes: [[UInt8]]) {
        self.header = header
        self.items = Set(items).sorted()
        self.hop = hop
        self.nodes = nodes
    }

    init(from reader: inout SCALEReader) throws(Failure) {
        let offset = reader.offset
        let version = try Self.scale(&reader) { (reader) throws(SCALEError) in try reader.u8() }
        guard version == Self.version else { throw .malformed(offset: offset) }
        header = try Self.byteVector(&reader, .header)
        items = try Self.items(&reader)
        hop = try Self.count(&reader, .hops) == 1 ? StateHop(from: &reader) : nil
        var (nodes, total): ([[UInt8]], Int) = ([], 0)
        for _ in 0..<(try Self.count(&reader, .nodes)) {
            let node = try Self.byteVector(&reader, .node)
            total += node.count
            try Self.check(total, .allNodes)
            nodes.append(node)
        }
        self.nodes = nodes
    }

    /// The encoding that stands between the prelude and the payload of the transaction.
    public var bytes: [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(Self.version)
            writer.byteVector(header)
            writer.vector(items) { $0.raw($1.bytes) }
            writer.vector(hop.map { [$0] } ?? []) { $1.encode(into: &$0) }
            writer.vector(nodes) { $0.byteVector($1) }
        }
    }

    /// Payload a8: this proof around a transaction, and around its claims where it carries some.
    /// - Parameter payload: codes 00, 02, 05, 06 and 07; a state proof that it carries is left out.
    /// - Throws: ``PayloadError/stateProof(_:)`` for every other payload
    public func around(_ payload: Payload) throws(PayloadError) -> [UInt8] {
        guard payload.prelude.code.isTransaction, payload.prelude.scheme != .ethereum else {
            throw .stateProof(.content(payload.prelude.code))
        }
        let inner = try payload.claims?.around(payload) ?? payload.bytes
        return Prelude(scheme: payload.prelude.scheme, code: .stateProof).bytes + bytes + inner
    }
}

// MARK: Limits

extension StateEnvelope {
    /// What a state proof may have at most. A larger one is refused before its parts are allocated.
    public enum Limit: Sendable, CaseIterable {
        /// The block header, in bytes.
        case header
        /// Nodes and hashed values, by number.
        case nodes
        /// One node, in bytes.
        case node
        /// All nodes and hashed values, in bytes.
        case allNodes
        /// One value, in bytes.
        case value
        /// A storage key, in bytes.
        case key
        /// What a node says of a key, in nibbles.
        case partialKey
        /// A child inside a node, in bytes.
        case child
        /// Items of one chain, by number.
        case items
        /// Other chains, by number.
        case hops

        /// In the unit that the case names.
        public var maximum: Int {
            switch self {
            // The headers of relay and system chains have up to 288 bytes. One that carries all authorities
            // has 16 to 72 kB, and the online machine takes the block before it.
            case .header: 4_096
            // Eleven accounts took 82.
            case .nodes: 256
            // A branch with sixteen hashed children has 547 bytes; the rest is for values.
            case .node, .value: 16_384
            case .allNodes: 49_152
            // The longest key of the table has 160 bytes.
            case .key: 256
            case .partialKey: 2 * Limit.key.maximum
            case .child: 32
            case .items: 24
            case .hops: 1
            }
        }

        func words(_ count: Int) -> String {
            switch self {
            case .header: "a header of \(Sentence.count(count, "byte"))"
            case .nodes: Sentence.count(count, "node")
            case .node: "a node of \(Sentence.count(count, "byte"))"
            case .allNodes: "nodes of \(Sentence.count(count, "byte"))"
            case .value: "a value of \(Sentence.count(count, "byte"))"
            case .key: "a key of \(Sentence.count(count, "byte"))"
            case .partialKey: "a partial key of \(Sentence.count(count, "nibble"))"
            case .child: "a child of \(Sentence.count(count, "byte"))"
            case .items: Sentence.count(count, "item")
            case .hops: Sentence.count(count, "other chain")
            }
        }
    }

    /// Refuses a count or length above its limit.
    /// - Parameters:
    ///   - count: what was announced or found; every number beyond `Int` is its largest.
    ///   - limit: what it counts.
    public static func check(_ count: Int, _ limit: Limit) throws(Failure) {
        guard count <= limit.maximum else { throw .limit(limit, count) }
    }

    static func count(_ reader: inout SCALEReader, _ limit: Limit) throws(Failure) -> Int {
        let announced = try scale(&reader) { (reader) throws(SCALEError) in try reader.compact() }
        let count = Int(exactly: announced) ?? .max
        try check(count, limit)
        return count
    }

    static func byteVector(_ reader: inout SCALEReader, _ limit: Limit) throws(Failure) -> [UInt8] {
        let length = try count(&reader, limit)
        return try scale(&reader) { (reader) throws(SCALEError) in try reader.bytes(count: length) }
    }

    static func items(_ reader: inout SCALEReader) throws(Failure) -> [StateItem] {
        var items: [StateItem] = []
        for _ in 0..<(try count(&reader, .items)) {
            let item = try StateItem(from: &reader)
            if let last = items.last, last >= item { throw .itemOrder }
            items.append(item)
        }
        return items
    }

    static func scale<T>(
        _ reader: inout SCALEReader, _ read: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(Failure) -> T {
        do throws(SCALEError) { return try read(&reader) } catch { throw .malformed(offset: error.offset) }
    }
}

// MARK: Failures

extension StateEnvelope {
    /// Why bytes are not a state proof around a transaction.
    public enum Failure: Error, Equatable, Sendable {
        /// The bytes end too early, a number is not in its shortest form, or the version is unknown. The
        /// offset counts from the start of the payload.
        case malformed(offset: Int)
        /// More than ``Limit/maximum``.
        case limit(Limit, Int)
        /// The content is not one transaction of a 32-byte account. The value is its payload code, or nil if
        /// the content is not a payload.
        case content(PayloadCode?)
        /// Its prelude names another scheme than the transaction.
        case scheme
        /// The first byte of an item is not a ``StateItem/Kind``.
        case unknownItem(UInt8)
        /// Items do not ascend, or name what is read without an item.
        case itemOrder
    }
}

extension StateEnvelope.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .malformed(let offset):
            .badInput(
                "state-malformed", "the state proof is malformed at byte \(offset)", hint: Hints.scanAgain)
        case .limit(let limit, let count):
            .badInput(
                "state-limit",
                "the state proof is too large: \(limit.words(count)), at most \(limit.maximum)",
                hint: "ask for fewer facts")
        case .content(.some(let code)) where code.isTransaction:
            .badInput(
                "state-content", "the state proof holds a transaction of a 20-byte account",
                hint: Hints.makeAgain)
        case .content(let code?):
            .badInput(
                "state-content",
                "the state proof holds a payload of kind \(code.kind) instead of one transaction",
                hint: Hints.makeAgain)
        case .content(nil):
            .badInput(
                "state-content", "the content of the state proof is not a payload", hint: Hints.makeAgain)
        case .scheme:
            .badInput(
                "state-scheme", "the state proof and its transaction name different signature schemes",
                hint: Hints.makeAgain)
        case .unknownItem(let kind):
            .badInput(
                "state-item-unknown",
                "the state proof has an item of the unknown kind \(Sentence.byte(kind))",
                hint: "update heliograph")
        case .itemOrder:
            .badInput(
                "state-item-order", "the items of the state proof are out of order", hint: Hints.makeAgain)
        }
    }

    public static var examples: [Self] {
        [
            .malformed(offset: 7), .limit(.nodes, 257), .content(.message), .content(.transaction),
            .content(nil), .scheme, .unknownItem(0x7f), .itemOrder,
        ]
    }
}
