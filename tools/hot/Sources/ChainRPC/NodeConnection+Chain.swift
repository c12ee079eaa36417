import Hashing
import SCALE
import SubstratePrimitives

/// A block to query.
public enum BlockChoice: Sendable, Equatable {
    /// The newest block that cannot be reverted.
    case finalized
    case number(UInt32)
    case hash(Hash32)

    /// From a decimal number or 64 hex digits; nil for anything else.
    public init?(_ text: String) {
        if let number = UInt32(text) {
            self = .number(number)
        } else if let hash = Hash32(hex: text) {
            self = .hash(hash)
        } else {
            return nil
        }
    }
}

/// A block by number and hash, such as the start of a mortal era.
public struct BlockReference: Sendable, Equatable {
    public let number: UInt32
    public let hash: Hash32
}

/// The answer to `state_getRuntimeVersion`.
public struct NodeRuntimeVersion: Sendable, Equatable {
    public let runtime: RuntimeVersion
    /// The version of the transaction format.
    public let transactionVersion: UInt32
}

/// The methods of a Substrate node that the hot side needs, as in Substrate's JSON-RPC documentation.
extension NodeConnection {
    public func genesisHash() async throws(RPCError) -> GenesisHash {
        try await hash("chain_getBlockHash", [.integer(0)])
    }

    public func finalizedHead() async throws(RPCError) -> Hash32 {
        try await hash("chain_getFinalizedHead", [])
    }

    /// Number and hash of a block that the node knows.
    public func block(_ choice: BlockChoice) async throws(RPCError) -> BlockReference {
        let hash: Hash32
        switch choice {
        case .finalized: hash = try await finalizedHead()
        case .hash(let given): hash = given
        case .number(let number):
            let answer = try await call("chain_getBlockHash", [.integer(Int64(number))])
            guard answer != .null else { throw .noSuchBlock("\(number)") }
            guard let found = answer.string.flatMap({ Hash32(hex: $0) }) else { throw .unexpectedAnswer(method: "chain_getBlockHash") }
            return BlockReference(number: number, hash: found)
        }
        let header = try await call("chain_getHeader", [.string("0x\(hash.hex)")])
        guard header != .null else { throw .noSuchBlock(hash.hex) }
        guard let text = header["number"]?.string, text.hasPrefix("0x"), let number = UInt32(text.dropFirst(2), radix: 16) else {
            throw .unexpectedAnswer(method: "chain_getHeader")
        }
        return BlockReference(number: number, hash: hash)
    }

    public func runtimeVersion(at block: Hash32) async throws(RPCError) -> NodeRuntimeVersion {
        let method = "state_getRuntimeVersion"
        let answer = try await call(method, [.string("0x\(block.hex)")])
        guard let name = answer["specName"]?.string,
            let version = answer["specVersion"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let transactions = answer["transactionVersion"]?.integer.flatMap({ UInt32(exactly: $0) })
        else { throw .unexpectedAnswer(method: method) }
        return NodeRuntimeVersion(runtime: RuntimeVersion(specName: name, specVersion: version), transactionVersion: transactions)
    }

    /// BLAKE2b-256 of the runtime's code, which is stored under `:code`.
    public func runtimeCodeHash(at block: Hash32) async throws(RPCError) -> Hash32 {
        let key = "0x\(Hex.encode(Array(":code".utf8)))"
        return try await hash("state_getStorageHash", [.string(key), .string("0x\(block.hex)")])
    }

    /// The chain's display name: `Westend Asset Hub`.
    public func chainName() async throws(RPCError) -> String {
        guard let name = try await call("system_chain").string else { throw .unexpectedAnswer(method: "system_chain") }
        return name
    }

    public func properties() async throws(RPCError) -> ChainProperties {
        guard let properties = ChainProperties(try await call("system_properties")) else {
            throw .unexpectedAnswer(method: "system_properties")
        }
        return properties
    }

    /// The next nonce of an account, including transactions in the node's pool.
    public func nextNonce(of address: String) async throws(RPCError) -> UInt64 {
        let method = "system_accountNextIndex"
        guard let nonce = try await call(method, [.string(address)]).integer.flatMap({ UInt64(exactly: $0) }) else {
            throw .unexpectedAnswer(method: method)
        }
        return nonce
    }

    /// Metadata, from its `meta` on, in the first of `formats` that the runtime offers, else as version 14 from `state_getMetadata`.
    public func metadata(at block: Hash32, formats: [UInt32] = [15, 16]) async throws(RPCError) -> [UInt8] {
        for format in formats where format != 14 {
            if let blob = try await metadata(format: format, at: block) { return blob }
        }
        return try checked(try await bytes("state_getMetadata", [.string("0x\(block.hex)")]), method: "state_getMetadata")
    }

    /// nil if the runtime does not offer this metadata version.
    private func metadata(format: UInt32, at block: Hash32) async throws(RPCError) -> [UInt8]? {
        let argument = Hex.encode(SCALEWriter.encode { $0.integer(format) })
        let parameters: [JSON] = [.string("Metadata_metadata_at_version"), .string("0x\(argument)"), .string("0x\(block.hex)")]
        do {
            var reader = SCALEReader(try await bytes("state_call", parameters))
            let blob = try reader.option { (reader) throws(SCALEError) in try reader.byteVector() }
            try reader.finish()
            return try blob.map { (blob) throws(RPCError) in try checked(blob, method: "state_call") }
        } catch RPCError.refusedByNode {
            return nil
        } catch is SCALEError {
            throw .unexpectedAnswer(method: "state_call")
        } catch let error as RPCError {
            throw error
        } catch {
            preconditionFailure("calls throw RPC errors and readers SCALE errors")
        }
    }

    private func checked(_ blob: [UInt8], method: String) throws(RPCError) -> [UInt8] {
        guard blob.starts(with: Array("meta".utf8)), blob.count > 5 else { throw .unexpectedAnswer(method: method) }
        return blob
    }

    private func hash(_ method: String, _ parameters: [JSON]) async throws(RPCError) -> Hash32 {
        guard let hash = try await call(method, parameters).string.flatMap({ Hash32(hex: $0) }) else {
            throw .unexpectedAnswer(method: method)
        }
        return hash
    }

    private func bytes(_ method: String, _ parameters: [JSON]) async throws(RPCError) -> [UInt8] {
        guard let text = try await call(method, parameters).string, text.hasPrefix("0x"), let bytes = Hex.decode(text) else {
            throw .unexpectedAnswer(method: method)
        }
        return bytes
    }
}
