import SCALE
import SubstratePrimitives

/// What the seal's row says of the history, under the seal's tag.
///
/// ### Shape
///
/// 49 bytes: the root of the tree (32), ``since`` (u64, little-endian), ``isIncomplete`` (one byte, 0 or 1), ``pending`` (u64).
public struct HistoryBounds: Sendable, Equatable {
    static let length = 49

    /// The digest of the whole tree.
    public internal(set) var root: Hash32
    /// Every signature of this vault from here on is in the history. Seconds since 1970 by this device's clock.
    public internal(set) var since: UInt64
    /// Whether the vault has, or may have, signed before ``since`` what the history does not know.
    public internal(set) var isIncomplete: Bool
    /// The newest entry of the log that the history has not read yet, from the time before there was one; 0 for none.
    public internal(set) var pending: UInt64

    /// Of a new store.
    static func new(at time: UInt64) -> HistoryBounds {
        HistoryBounds(root: HistoryTree.empty, since: time, isIncomplete: false, pending: 0)
    }

    /// Of a store that had none before. What its log still has is read later, with the metadata that is held then.
    static func converted(of log: LogBounds, at time: UInt64) -> HistoryBounds {
        HistoryBounds(root: HistoryTree.empty, since: time, isIncomplete: log.last > 0, pending: log.last)
    }

    init(root: Hash32, since: UInt64, isIncomplete: Bool, pending: UInt64) {
        self.root = root
        self.since = since
        self.isIncomplete = isIncomplete
        self.pending = pending
    }

    init?(_ bytes: [UInt8]) {
        var reader = SCALEReader(bytes)
        guard bytes.count == Self.length, let root = try? reader.hash32(), let since = try? reader.integer(UInt64.self),
            let flag = try? reader.integer(UInt8.self), flag <= 1, let pending = try? reader.integer(UInt64.self)
        else { return nil }
        self.init(root: root, since: since, isIncomplete: flag == 1, pending: pending)
    }

    var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(root.bytes)
            writer.integer(since)
            writer.integer(UInt8(isIncomplete ? 1 : 0))
            writer.integer(pending)
        }
    }
}
