import Hashing
import SCALE
import SubstratePrimitives

/// The two ends of the log and its newest checkpoint; all of it is under the seal.
public struct LogBounds: Sendable, Equatable {
    /// The number of the oldest entry that is kept, and the hash that it follows.
    public var first: UInt64
    public var before: Hash32
    /// The number and hash of the newest entry: the head that a person can compare later. In an empty log the
    /// number is `first - 1`.
    public var last: UInt64
    public var hash: Hash32
    /// The digest of the newest `LogCheckpoint`.
    public var checkpoint: Hash32

    /// The ends of a log without entries.
    static let empty: LogBounds = {
        let start = Hash32.blake2b(of: Array("heliograph log 1".utf8))
        return LogBounds(first: 1, before: start, last: 0, hash: start, checkpoint: LogCheckpoint.none)
    }()

    /// Whether these can be the bounds of a log. Until the seal's tag is compared, the bounds on the disk are
    /// only a claim, but the program already calculates with them.
    var isPossible: Bool { first >= 1 && last >= first - 1 && last < 1 << 62 }

    /// Removes every entry.
    mutating func clear() {
        first = last + 1
        before = hash
        checkpoint = LogCheckpoint.none
    }

    func encode(into writer: inout SCALEWriter) {
        writer.integer(first)
        writer.raw(before.bytes)
        writer.integer(last)
        writer.raw(hash.bytes)
        writer.raw(checkpoint.bytes)
    }
}

/// A place inside the log that is as good as its head: the hash of every 64th entry, bound to the checkpoint
/// before it.
///
/// The seal holds the digest of the newest checkpoint. Whoever knows a checkpoint's digest can prove its row,
/// and the row names the digest of the checkpoint before it; so the hash of any checkpoint is proven without
/// reading the entries after it, and entries are proven by following the hash chain from one checkpoint to
/// the next.
struct LogCheckpoint {
    /// Entries from one checkpoint to the next. An unlock reads at most so many.
    static let interval: UInt64 = 64
    /// The digest that the first checkpoint names.
    static let none = Hash32.blake2b(of: Array("heliograph log checkpoints 1".utf8))

    let number: UInt64
    /// The hash of the entry with this number.
    let hash: Hash32
    /// The digest of the checkpoint before.
    let previous: Hash32

    /// BLAKE2b-256
    var digest: Hash32 {
        Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                writer.string("heliograph log checkpoint")
                writer.integer(number)
                writer.raw(hash.bytes)
                writer.raw(previous.bytes)
            })
    }

    /// The number of the newest checkpoint up to `number`; 0 if there is none.
    static func number(notAbove number: UInt64) -> UInt64 { number / interval * interval }
}

/// Entries that follow each other from one proven hash to another.
struct LogRange {
    let first: UInt64
    let before: Hash32
    let last: UInt64
    let hash: Hash32
}
