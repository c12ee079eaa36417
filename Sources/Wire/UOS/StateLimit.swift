import Diagnostics

/// What a state proof may have at most. A larger one is refused before its parts are allocated.
public enum StateLimit: Sendable, CaseIterable {
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
        case .partialKey: 2 * StateLimit.key.maximum
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

/// Why bytes are not a state proof around a transaction.
public enum StateFailure: Error, Equatable, Sendable {
    /// The bytes end too early, a number is not in its shortest form, or the version is unknown. The
    /// offset counts from the start of the payload.
    case malformed(offset: Int)
    /// More than ``StateLimit/maximum``.
    case limit(StateLimit, Int)
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

extension StateFailure: DiagnosticError {
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
