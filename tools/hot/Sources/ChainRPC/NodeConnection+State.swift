import Hashing
import NodeAnswers
import SCALE
import SubstratePrimitives

/// A part of a chain's state with a proof, as a node sends it. The node need not be trusted: the signer
/// checks everything against the hash of the block.
extension NodeConnection {
    /// The header of a block, encoded as its hash covers it.
    /// - Throws: ``RPCError/otherHeader(asked:found:)`` unless that is the hash that was asked for
    public func header(of block: Hash32) async throws(RPCError) -> [UInt8] {
        let answer = try await call(.header, [.text("0x\(block.hex)")])
        guard answer != .null else { throw .noSuchBlock(block.hex) }
        guard let header = BlockHeader.encoded(answer) else { throw .unexpectedAnswer(.header) }
        let found = Hash32.blake2b(of: header)
        guard found == block else { throw .otherHeader(asked: block, found: found) }
        return header
    }

    /// Trie nodes and hashed values on the paths to some keys, in any order; not checked.
    /// - Parameters:
    ///   - keys: storage keys. For an absent one its path is sent.
    ///   - block: whose state it is.
    /// - Throws: ``RPCError/noReadProof(code:message:)`` where the node refuses the method
    public func readProof(_ keys: [[UInt8]], at block: Hash32) async throws(RPCError) -> [[UInt8]] {
        let parameters: [RPCParameter] = [
            .texts(keys.map { "0x\(Hex.encode($0))" }), .text("0x\(block.hex)"),
        ]
        let answer: StrictJSON.Value
        do {
            answer = try await call(.readProof, parameters)
        } catch RPCError.refusedByNode(let code, let message) {
            throw .noReadProof(code: code, message: message)
        } catch {
            throw error
        }
        guard case .array(let nodes)? = answer["proof"] else { throw .unexpectedAnswer(.readProof) }
        return try nodes.map { (node) throws(RPCError) in
            guard let bytes = node.string.flatMap(BlockHeader.bytes) else {
                throw .unexpectedAnswer(.readProof)
            }
            return bytes
        }
    }
}

extension BlockHeader {
    /// parent 32 ‖ compact number ‖ state root 32 ‖ extrinsics root 32 ‖ vector of digest items, which nodes
    /// send encoded. nil if a field is missing or malformed. Fields of other kinds of headers are left out,
    /// and then the hash differs.
    ///
    /// Source: polkadot-sdk, `substrate/primitives/runtime/src/generic/header.rs`.
    public static func encoded(_ answer: StrictJSON.Value) -> [UInt8]? {
        func hash(_ name: String) -> Hash32? { answer[name]?.string.flatMap { Hash32(hex: $0) } }
        guard let parent = hash("parentHash"), let number = number(answer), let state = hash("stateRoot"),
            let extrinsics = hash("extrinsicsRoot"), case .array(let logs)? = answer["digest"]?["logs"]
        else { return nil }
        let items = logs.compactMap { $0.string.flatMap(bytes) }
        guard items.count == logs.count else { return nil }
        return SCALEWriter.encode { writer in
            writer.raw(parent.bytes)
            writer.compact(UInt64(number))
            writer.raw(state.bytes)
            writer.raw(extrinsics.bytes)
            writer.vector(items) { $0.raw($1) }
        }
    }

    /// Bytes that a node writes as `0x` and hex digits.
    static func bytes(_ text: String) -> [UInt8]? { text.utf8Starts(with: "0x") ? Hex.decode(text) : nil }
}
