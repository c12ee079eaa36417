import SCALE
import SubstratePrimitives
import UOS

/// A node of a chain's state trie, of either state version.
///
/// A node is bound by its hash, so every byte that is accepted has one meaning and every node one encoding.
/// Source: Polkadot specification, chapter "State".
public struct TrieNode: Equatable, Sendable {
    /// What is stored under the key that ends at the node.
    public enum Value: Equatable, Sendable {
        case inline([UInt8])
        /// The BLAKE2b-256 of the value: version 1 stores values of 33 bytes and more so. A reader needs the
        /// threshold nowhere.
        case hashed(Hash32)
    }

    /// The next node on the way to a longer key.
    public indirect enum Child: Equatable, Sendable {
        case hashed(Hash32)
        /// A node of 1 to 31 bytes stands in its parent.
        case inline(TrieNode)
    }

    /// Why bytes are not a node.
    enum Failure: Error, Equatable {
        case malformed
        case limit(StateLimit, Int)
    }

    /// The nibbles between the parent's and this node's, 0 to 15 each.
    public let partial: [UInt8]
    public let value: Value?
    /// By the nibble that leads to it, sixteen places; empty for a leaf.
    public let children: [Child?]

    /// The trie without keys, which is only a root: one byte `00`.
    public static let empty = TrieNode(partial: [], value: nil, children: [])

    /// A node of those parts. A leaf has no `children` and a value; a branch has sixteen places for children
    /// and at least one child.
    public init(partial: [UInt8], value: Value?, children: [Child?]) {
        self.partial = partial
        self.value = value
        self.children = children
    }

    var isEmpty: Bool { value == nil && children.isEmpty }

    /// Decodes a node that takes all bytes.
    /// - Parameters:
    ///   - bytes: compared with their hash before.
    ///   - isRoot: whether the empty trie may stand here.
    init(_ bytes: [UInt8], isRoot: Bool) throws(Failure) {
        var reader = NodeReader(reader: SCALEReader(bytes))
        self = try reader.node()
        guard reader.reader.remaining == 0, isRoot || !isEmpty else { throw .malformed }
    }

    /// The only encoding of the node.
    public var encoded: [UInt8] {
        guard !isEmpty else { return [0] }
        return SCALEWriter.encode { writer in
            let form = Form(of: self)
            // All ones say that bytes follow, which are added up to the first that is not ff.
            var rest = partial.count - form.mask
            writer.u8(form.bits | UInt8(min(partial.count, form.mask)))
            while rest >= 0 {
                writer.u8(UInt8(min(rest, 255)))
                rest -= 255
            }
            let even = partial.count.isMultiple(of: 2) ? partial : [0] + partial
            for place in stride(from: 0, to: even.count, by: 2) {
                writer.u8(even[place] << 4 | even[place + 1])
            }
            if form.isBranch {
                writer.integer(
                    children.indices.reduce(UInt16(0)) { $0 | (children[$1] == nil ? 0 : 1 << UInt16($1)) })
            }
            switch value {
            case .none: break
            case .inline(let bytes): writer.byteVector(bytes)
            case .hashed(let hash): writer.raw(hash.bytes)
            }
            for case .some(let child) in children {
                switch child {
                case .hashed(let hash): writer.byteVector(hash.bytes)
                case .inline(let node): writer.byteVector(node.encoded)
                }
            }
        }
    }
}

/// The first byte of a node, without the length of the partial key.
private enum Form: UInt8, CaseIterable {
    case leaf = 0b0100_0000
    case branch = 0b1000_0000
    case branchWithValue = 0b1100_0000
    case leafWithHash = 0b0010_0000
    case branchWithHash = 0b0001_0000

    /// nil for `00` to `0f`: the empty trie, the mark of compact proofs, and what means nothing.
    init?(first byte: UInt8) {
        switch byte {
        case 0b1100_0000...: self = .branchWithValue
        case 0b1000_0000...: self = .branch
        case 0b0100_0000...: self = .leaf
        case 0b0010_0000...: self = .leafWithHash
        case 0b0001_0000...: self = .branchWithHash
        default: return nil
        }
    }

    init(of node: TrieNode) {
        switch (node.value, node.children.isEmpty) {
        case (.none, _): self = .branch
        case (.inline, true): self = .leaf
        case (.inline, false): self = .branchWithValue
        case (.hashed, true): self = .leafWithHash
        case (.hashed, false): self = .branchWithHash
        }
    }

    var bits: UInt8 { rawValue }

    /// The largest length of a partial key in the first byte.
    var mask: Int {
        switch self {
        case .leaf, .branch, .branchWithValue: 63
        case .leafWithHash: 31
        case .branchWithHash: 15
        }
    }

    var isBranch: Bool {
        switch self {
        case .leaf, .leafWithHash: false
        case .branch, .branchWithValue, .branchWithHash: true
        }
    }
}

private struct NodeReader {
    var reader: SCALEReader

    private mutating func scale<T>(
        _ read: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(TrieNode.Failure) -> T {
        do throws(SCALEError) { return try read(&reader) } catch { throw .malformed }
    }

    /// A byte vector whose length is compared with its limit first.
    private mutating func byteVector(_ limit: StateLimit) throws(TrieNode.Failure) -> [UInt8] {
        let announced = try scale { (reader) throws(SCALEError) in try reader.compact() }
        let length = Int(exactly: announced) ?? .max
        guard length <= limit.maximum else { throw .limit(limit, length) }
        return try scale { (reader) throws(SCALEError) in try reader.bytes(count: length) }
    }

    mutating func node() throws(TrieNode.Failure) -> TrieNode {
        let first = try scale { (reader) throws(SCALEError) in try reader.u8() }
        guard first != 0 else { return .empty }
        guard let form = Form(first: first) else { throw .malformed }
        let partial = try partial(Int(first) & form.mask, form)
        var bitmap: UInt16 = 0
        if form.isBranch {
            bitmap = try scale { (reader) throws(SCALEError) in try reader.integer() }
            guard bitmap != 0 else { throw .malformed }
        }
        let value: TrieNode.Value? =
            switch form {
            case .branch: nil
            case .leaf, .branchWithValue: .inline(try byteVector(.value))
            case .leafWithHash, .branchWithHash:
                .hashed(try scale { (reader) throws(SCALEError) in try reader.hash32() })
            }
        guard form.isBranch else { return TrieNode(partial: partial, value: value, children: []) }
        var children: [TrieNode.Child?] = []
        for nibble in 0..<16 {
            children.append(bitmap >> UInt16(nibble) & 1 == 1 ? try child() : nil)
        }
        return TrieNode(partial: partial, value: value, children: children)
    }

    /// 32 bytes are the hash of the child; fewer are the child itself. Nesting ends: each node is shorter
    /// than the one around it, and the outermost has at most 31 bytes.
    private mutating func child() throws(TrieNode.Failure) -> TrieNode.Child {
        let bytes = try byteVector(.child)
        if let hash = Hash32(bytes) { return .hashed(hash) }
        return .inline(try TrieNode(bytes, isRoot: false))
    }

    private mutating func partial(_ short: Int, _ form: Form) throws(TrieNode.Failure) -> [UInt8] {
        var length = short
        if short == form.mask {
            var more: UInt8 = 255
            while more == 255 {
                more = try scale { (reader) throws(SCALEError) in try reader.u8() }
                length += Int(more)
                guard length <= StateLimit.partialKey.maximum else {
                    throw .limit(.partialKey, length)
                }
            }
        }
        let half = (length + 1) / 2
        let bytes = try scale { (reader) throws(SCALEError) in try reader.bytes(count: half) }
        let nibbles = bytes.flatMap { [$0 >> 4, $0 & 0xf] }
        guard !length.isMultiple(of: 2) else { return nibbles }
        // The nibble that fills the first byte has one value, so that a key has one encoding.
        guard nibbles[0] == 0 else { throw .malformed }
        return Array(nibbles.dropFirst())
    }
}
