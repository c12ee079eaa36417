import Hashing
import SCALE
import SQLite
import SubstratePrimitives

/// The tree over the rows of the history, so that a review proves the few rows that it reads, and no others
/// are read.
///
/// ### Shape
///
/// - A row has a class (one byte), a key and a value. Its bucket is the first two bytes, big-endian, of
///   BLAKE2b-256 of `heliograph history row` (as a SCALE string) ‖ class ‖ key. Column `key` holds class ‖
///   key.
/// - The digest of a bucket is BLAKE2b-256 of `heliograph history bucket` (as a SCALE string) ‖ the bucket's
///   number as u32 ‖ its rows in the order of their keys, each as two SCALE byte vectors. A bucket without
///   rows has ``none``, 32 zero bytes.
/// - Four levels of 16 children stand above the buckets. The digest of a node is BLAKE2b-256 of
///   `heliograph history node` (as a SCALE string) ‖ its level (one byte; 0 is the root) ‖ its prefix as u32
///   ‖ the digests of its 16 children; ``none`` where all of them are.
/// - `history_node` holds every digest but the root and those that are ``none``: level 4 are the buckets,
///   level 1 the root's children. The root stands in the seal's row.
///
/// ### Why this gives an intruder nothing
///
/// The seal's tag covers the root, and BLAKE2b-256 gives no second set of rows and nodes that leads to it. So
/// the digests need no key, and a new passphrase, which brings a new key of the seal, leaves the tree as it
/// is. A row that is changed, added, removed or moved, or that comes from an older tree, gives its bucket
/// another digest; a digest that is edited to agree gives its parent another one; and so up to the root. That
/// a row is absent is proven by the same digest, because it covers the whole bucket. Whoever chooses the
/// accounts of transactions can fill one bucket: each row costs a signature of this vault.
enum HistoryTree {
    static let depth = 4
    static let width: UInt32 = 16
    /// The digest of what has no rows.
    static let none = Hash32([UInt8](repeating: 0, count: 32))!
    /// The root of a tree without rows.
    static let empty = none

    static func bucket(of key: [UInt8]) -> UInt32 {
        let hash = BLAKE2b.hash(
            SCALEWriter.encode { writer in
                writer.string("heliograph history row")
                writer.raw(key)
            })
        return UInt32(hash[0]) << 8 | UInt32(hash[1])
    }

    static func digest(ofBucket bucket: UInt32, _ rows: [(key: [UInt8], value: [UInt8])]) -> Hash32 {
        guard !rows.isEmpty else { return none }
        return Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                writer.string("heliograph history bucket")
                writer.integer(bucket)
                for row in rows {
                    writer.byteVector(row.key)
                    writer.byteVector(row.value)
                }
            })
    }

    static func digest(ofNode level: Int, prefix: UInt32, _ children: [Hash32]) -> Hash32 {
        guard children.contains(where: { $0 != none }) else { return none }
        return Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                writer.string("heliograph history node")
                writer.integer(UInt8(level))
                writer.integer(prefix)
                for child in children { writer.raw(child.bytes) }
            })
    }
}
