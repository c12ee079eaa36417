import Diagnostics
import SCALE
import SubstratePrimitives

/// The envelope of a transaction in a payload of code a8: the header of the first block of the transaction's
/// era, the proven items of its state, and the nodes that prove them.
///
/// Only the form is checked here. The encoding: version `00` ‖ header, a byte vector ‖ vector of items ‖
/// vector of hops ‖ vector of byte vectors. Every count and length is compared with its limit before anything
/// is allocated. Source: `Payloads.md` in `heliograph.docc`.
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

    init(from reader: inout SCALEReader) throws(StateFailure) {
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
}

// MARK: Limits

extension StateEnvelope {
    /// Refuses a count or length above its limit.
    /// - Parameters:
    ///   - count: the announced or found number; a number beyond `Int` is passed as its largest.
    ///   - limit: the limit for it.
    public static func check(_ count: Int, _ limit: StateLimit) throws(StateFailure) {
        guard count <= limit.maximum else { throw .limit(limit, count) }
    }

    static func count(_ reader: inout SCALEReader, _ limit: StateLimit) throws(StateFailure) -> Int {
        let announced = try scale(&reader) { (reader) throws(SCALEError) in try reader.compact() }
        let count = Int(exactly: announced) ?? .max
        try check(count, limit)
        return count
    }

    static func byteVector(_ reader: inout SCALEReader, _ limit: StateLimit) throws(StateFailure) -> [UInt8] {
        let length = try count(&reader, limit)
        return try scale(&reader) { (reader) throws(SCALEError) in try reader.bytes(count: length) }
    }

    static func items(_ reader: inout SCALEReader) throws(StateFailure) -> [StateItem] {
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
    ) throws(StateFailure) -> T {
        do throws(SCALEError) { return try read(&reader) } catch { throw .malformed(offset: error.offset) }
    }
}
