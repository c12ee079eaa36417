import Hashing
import SubstratePrimitives

/// The status of a submitted extrinsic (`author_extrinsicUpdate`).
public enum ExtrinsicStatus: Sendable, Equatable {
    /// Waiting for an earlier nonce.
    case future
    case ready
    case broadcast(peers: Int)
    case inBlock(Hash32)
    /// Its block is no longer part of the chain.
    case retracted(Hash32)
    case finalityTimeout(Hash32)
    case finalized(Hash32)
    /// Replaced by another extrinsic with the same nonce.
    case usurped(Hash32)
    /// Dropped by the pool.
    case dropped
    /// No longer valid: its era is over, or its nonce is used.
    case invalid

    /// True when nothing follows.
    public var isLast: Bool {
        switch self {
        case .finalized, .finalityTimeout, .usurped, .dropped, .invalid: true
        case .future, .ready, .broadcast, .inBlock, .retracted: false
        }
    }

    /// nil for an unknown status.
    init?(_ notice: JSON) {
        switch notice {
        case .string("future"): self = .future
        case .string("ready"): self = .ready
        case .string("dropped"): self = .dropped
        case .string("invalid"): self = .invalid
        case .object(let fields):
            guard fields.count == 1, let (name, value) = fields.first else { return nil }
            if name == "broadcast", let peers = value.array {
                self = .broadcast(peers: peers.count)
                return
            }
            guard let hash = value.string.flatMap({ Hash32(hex: $0) }) else { return nil }
            switch name {
            case "inBlock": self = .inBlock(hash)
            case "retracted": self = .retracted(hash)
            case "finalityTimeout": self = .finalityTimeout(hash)
            case "finalized": self = .finalized(hash)
            case "usurped": self = .usurped(hash)
            default: return nil
            }
        default: return nil
        }
    }
}

extension NodeConnection {
    /// Submits a signed extrinsic, including its compact length prefix, and follows it.
    ///
    /// The stream ends after a last status, or throws ``RPCError`` if the connection ends first.
    public func submitAndWatch(_ extrinsic: [UInt8]) async throws(RPCError) -> AsyncThrowingStream<ExtrinsicStatus, any Error> {
        let notices = try await subscribe("author_submitAndWatchExtrinsic", [.string("0x\(Hex.encode(extrinsic))")])
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: ExtrinsicStatus.self)
        Task {
            do {
                for try await notice in notices {
                    guard let status = ExtrinsicStatus(notice) else {
                        throw RPCError.unexpectedAnswer(method: "author_submitAndWatchExtrinsic")
                    }
                    continuation.yield(status)
                    if status.isLast { break }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return stream
    }
}
