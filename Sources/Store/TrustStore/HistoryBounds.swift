import SCALE
import SubstratePrimitives

/// The history's part of the seal's row, under the seal's tag.
///
/// ### Shape
///
/// 40 bytes: the root of the tree (32), ``since`` (u64, little-endian).
public struct HistoryBounds: Sendable, Equatable {
    static let length = 40

    /// The digest of the whole tree.
    public internal(set) var root: Hash32
    /// When the store was made: every signature of this vault is in the history. Seconds since 1970 by this
    /// device's clock.
    public let since: UInt64

    /// The bounds of a new store's history.
    static func new(at time: UInt64) -> HistoryBounds { HistoryBounds(root: HistoryTree.empty, since: time) }

    init(root: Hash32, since: UInt64) {
        self.root = root
        self.since = since
    }

    init?(_ bytes: [UInt8]) {
        var reader = SCALEReader(bytes)
        guard bytes.count == Self.length, let root = try? reader.hash32(),
            let since = try? reader.integer(UInt64.self)
        else {
            return nil
        }
        self.init(root: root, since: since)
    }

    var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(root.bytes)
            writer.integer(since)
        }
    }
}
