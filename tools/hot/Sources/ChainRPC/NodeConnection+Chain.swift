import Hashing
import NodeAnswers
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

/// The methods of a Substrate node that the hot side needs, as in Substrate's JSON-RPC documentation.
extension NodeConnection {
    public func genesisHash() async throws(RPCError) -> GenesisHash {
        try await hash(.blockHash, [.number(0)])
    }

    public func finalizedHead() async throws(RPCError) -> Hash32 {
        try await hash(.finalizedHead, [])
    }

    /// Number and hash of a block that the node knows.
    public func block(_ choice: BlockChoice) async throws(RPCError) -> BlockReference {
        let hash: Hash32
        switch choice {
        case .finalized: hash = try await finalizedHead()
        case .hash(let given): hash = given
        case .number(let number):
            let answer = try await call(.blockHash, [.number(number)])
            guard answer != .null else { throw .noSuchBlock("\(number)") }
            guard let found = answer.string.flatMap({ Hash32(hex: $0) }) else {
                throw .unexpectedAnswer(.blockHash)
            }
            return BlockReference(number: number, hash: found)
        }
        let header = try await call(.header, [.text("0x\(hash.hex)")])
        guard header != .null else { throw .noSuchBlock(hash.hex) }
        guard let number = BlockHeader.number(header) else { throw .unexpectedAnswer(.header) }
        return BlockReference(number: number, hash: hash)
    }

    public func runtimeVersion(at block: Hash32) async throws(RPCError) -> NodeRuntimeVersion {
        guard let version = NodeRuntimeVersion(try await call(.runtimeVersion, [.text("0x\(block.hex)")]))
        else {
            throw .unexpectedAnswer(.runtimeVersion)
        }
        return version
    }

    /// BLAKE2b-256 of the runtime's code, which is stored under `:code`.
    public func runtimeCodeHash(at block: Hash32) async throws(RPCError) -> Hash32 {
        let key = "0x\(Hex.encode(Array(":code".utf8)))"
        return try await hash(.storageHash, [.text(key), .text("0x\(block.hex)")])
    }

    /// The chain's display name: `Westend Asset Hub`.
    public func chainName() async throws(RPCError) -> String {
        guard let name = try await call(.chainName).string else { throw .unexpectedAnswer(.chainName) }
        return name
    }

    public func properties() async throws(RPCError) -> ChainProperties {
        guard let properties = ChainProperties(try await call(.properties)) else {
            throw .unexpectedAnswer(.properties)
        }
        return properties
    }

    /// The next nonce of an account, including transactions in the node's pool.
    public func nextNonce(of address: String) async throws(RPCError) -> UInt64 {
        guard let nonce = try await call(.nextIndex, [.text(address)]).number.flatMap({ UInt64(exactly: $0) })
        else {
            throw .unexpectedAnswer(.nextIndex)
        }
        return nonce
    }

    /// Metadata, from its `meta` on, in the first of `formats` that the runtime offers, else as version 14
    /// from `state_getMetadata`.
    public func metadata(at block: Hash32, formats: [UInt32] = [15, 16]) async throws(RPCError) -> [UInt8] {
        for format in formats where format != 14 {
            if let blob = try await metadata(format: format, at: block) { return blob }
        }
        return try checked(try await bytes(.metadata, [.text("0x\(block.hex)")]), .metadata)
    }

    /// nil if the runtime does not offer this metadata version.
    private func metadata(format: UInt32, at block: Hash32) async throws(RPCError) -> [UInt8]? {
        let argument = Hex.encode(SCALEWriter.encode { $0.integer(format) })
        let parameters: [RPCParameter] = [
            .text("Metadata_metadata_at_version"), .text("0x\(argument)"), .text("0x\(block.hex)"),
        ]
        do {
            var reader = SCALEReader(try await bytes(.runtimeCall, parameters))
            let blob = try reader.option { (reader) throws(SCALEError) in try reader.byteVector() }
            try reader.finish()
            return try blob.map { (blob) throws(RPCError) in try checked(blob, .runtimeCall) }
        } catch RPCError.refusedByNode {
            return nil
        } catch is SCALEError {
            throw .unexpectedAnswer(.runtimeCall)
        } catch let error as RPCError {
            throw error
        } catch {
            preconditionFailure("calls throw RPC errors and readers SCALE errors")
        }
    }

    private func checked(_ blob: [UInt8], _ method: RPCMethod) throws(RPCError) -> [UInt8] {
        guard blob.starts(with: Array("meta".utf8)), blob.count > 5 else { throw .unexpectedAnswer(method) }
        return blob
    }

    private func hash(_ method: RPCMethod, _ parameters: [RPCParameter]) async throws(RPCError) -> Hash32 {
        guard let hash = try await call(method, parameters).string.flatMap({ Hash32(hex: $0) }) else {
            throw .unexpectedAnswer(method)
        }
        return hash
    }

    private func bytes(_ method: RPCMethod, _ parameters: [RPCParameter]) async throws(RPCError) -> [UInt8] {
        guard let text = try await call(method, parameters).string, text.utf8Starts(with: "0x"),
            let bytes = Hex.decode(text)
        else {
            throw .unexpectedAnswer(method)
        }
        return bytes
    }
}
