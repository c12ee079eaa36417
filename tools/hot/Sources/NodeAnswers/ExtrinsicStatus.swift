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
    public init?(_ notice: StrictJSON.Value) {
        switch notice {
        case .string(let word):
            switch ExactText(word) {
            case "future": self = .future
            case "ready": self = .ready
            case "dropped": self = .dropped
            case "invalid": self = .invalid
            default: return nil
            }
        case .object(let object):
            guard object.members.count == 1, let member = object.members.first else { return nil }
            self.init(name: ExactText(member.key), value: member.value)
        case .null, .bool, .number, .otherNumber, .array: return nil
        }
    }

    private init?(name: ExactText, value: StrictJSON.Value) {
        if name == "broadcast", case .array(let peers) = value {
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
    }
}
