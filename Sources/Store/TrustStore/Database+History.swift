import SQLite
import SubstratePrimitives

/// Digests of the tree that are proven to lead to one root. It keeps what it has proven, because all paths
/// share their upper part.
struct HistoryProof {
    let root: Hash32
    private var known: [Place: [Hash32]] = [:]

    struct Place: Hashable {
        let level: Int
        let prefix: UInt32
    }

    init(root: Hash32) { self.root = root }

    /// The digest of a node, proven; a bucket's where the level is that of the buckets.
    mutating func digest(_ level: Int, _ prefix: UInt32, _ database: Database) throws(StoreError) -> Hash32 {
        guard level > 0 else { return root }
        return try children(level - 1, prefix / HistoryTree.width, database)[Int(prefix % HistoryTree.width)]
    }

    /// The digests of a node's children, proven.
    mutating func children(_ level: Int, _ prefix: UInt32, _ database: Database) throws(StoreError)
        -> [Hash32]
    {
        let place = Place(level: level, prefix: prefix)
        if let children = known[place] { return children }
        let expected = try digest(level, prefix, database)
        let first = Int64(prefix) * Int64(HistoryTree.width)
        var children = [Hash32](repeating: HistoryTree.none, count: Int(HistoryTree.width))
        let rows = try database.query(
            "SELECT prefix, digest FROM history_node WHERE level = ? AND prefix BETWEEN ? AND ?",
            [.integer(Int64(level + 1)), .integer(first), .integer(first + Int64(HistoryTree.width) - 1)])
        for row in rows {
            guard case .integer(let number) = row[0], let digest = row[1].blob.flatMap({ Hash32($0) }) else {
                throw .sealBroken([.history(level: level, prefix: prefix)])
            }
            children[Int(number - first)] = digest
        }
        guard HistoryTree.digest(ofNode: level, prefix: prefix, children) == expected else {
            throw .sealBroken([.history(level: level, prefix: prefix)])
        }
        known[place] = children
        return children
    }
}

extension Database {
    /// The rows of a bucket, each by its stored key, proven to the last byte; that no other row is there is
    /// proven with them.
    func historyBucket(_ bucket: UInt32, _ proof: inout HistoryProof) throws(StoreError) -> [[UInt8]: [UInt8]]
    {
        let expected = try proof.digest(HistoryTree.depth, bucket, self)
        var rows: [(key: [UInt8], value: [UInt8])] = []
        for row in try query(
            "SELECT key, value FROM history WHERE bucket = ? ORDER BY key", [.integer(Int64(bucket))])
        {
            guard case .blob(let key) = row[0], case .blob(let value) = row[1] else {
                throw .sealBroken([.historyBucket(bucket)])
            }
            rows.append((key, value))
        }
        guard HistoryTree.digest(ofBucket: bucket, rows) == expected else {
            throw .sealBroken([.historyBucket(bucket)])
        }
        return Dictionary(rows.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Writes rows, each in the place of the one with its key, and the digests above them. Everything that is
    /// touched is proven first, so that an edit of somebody else is not taken into the new tree.
    /// - Returns: the new root.
    func put(_ rows: [HistoryRow], under root: Hash32) throws(StoreError) -> Hash32 {
        var proof = HistoryProof(root: root)
        var buckets: [UInt32: [[UInt8]: [UInt8]]] = [:]
        for row in rows {
            let key = row.key.stored
            let bucket = HistoryTree.bucket(of: key)
            if buckets[bucket] == nil { buckets[bucket] = try historyBucket(bucket, &proof) }
            buckets[bucket]![key] = row.value
            try run(
                "INSERT OR REPLACE INTO history (bucket, key, value) VALUES (?, ?, ?)",
                [.integer(Int64(bucket)), .blob(key), .blob(row.value)])
        }
        var changed: [UInt32: Hash32] = [:]
        for (bucket, rows) in buckets {
            let ordered = rows.map { (key: $0.key, value: $0.value) }.sorted {
                $0.key.lexicographicallyPrecedes($1.key)
            }
            changed[bucket] = HistoryTree.digest(ofBucket: bucket, ordered)
        }
        for level in (0..<HistoryTree.depth).reversed() {
            var parents: [UInt32: Hash32] = [:]
            for (parent, members) in Dictionary(grouping: changed, by: { $0.key / HistoryTree.width }) {
                var children = try proof.children(level, parent, self)
                for (prefix, digest) in members { children[Int(prefix % HistoryTree.width)] = digest }
                parents[parent] = HistoryTree.digest(ofNode: level, prefix: parent, children)
            }
            for (prefix, digest) in changed {
                try run(
                    "INSERT OR REPLACE INTO history_node (level, prefix, digest) VALUES (?, ?, ?)",
                    [.integer(Int64(level + 1)), .integer(Int64(prefix)), .blob(digest.bytes)])
            }
            changed = parents
        }
        return changed[0] ?? root
    }

    /// Reads the whole history and compares it with its root. Nothing else notices added rows, or damage in
    /// rows that no review reads.
    func checkHistory(_ root: Hash32) throws(StoreError) {
        var proof = HistoryProof(root: root)
        var count: Int64 = 0
        for bucket in 0..<UInt32(1) << (4 * HistoryTree.depth)
        where try proof.digest(HistoryTree.depth, bucket, self) != HistoryTree.none {
            count += Int64(try historyBucket(bucket, &proof).count)
        }
        guard try query("SELECT count(*) FROM history") == [[.integer(count)]] else {
            throw .sealBroken([.historyExtra])
        }
    }
}

/// Looks up rows of the history and proves them under the root of one moment.
///
/// From ``UnlockedStore/history(_:)`` the root and every answer are sealed. From
/// ``TrustStore/uncheckedHistory(_:)`` the root is unchecked, like all trust that is read without the
/// passphrase.
public final class HistorySource {
    public let bounds: HistoryBounds
    private let store: TrustStore
    private let isSealed: Bool
    private var proof: HistoryProof

    init(_ bounds: HistoryBounds, _ store: TrustStore, isSealed: Bool) {
        self.bounds = bounds
        self.store = store
        self.isSealed = isSealed
        proof = HistoryProof(root: bounds.root)
    }

    /// The values of the existing rows. A key that is missing from the result provably has no row.
    /// - Throws: ``StoreError/sealBroken(_:)`` where the rows or the digests above them are not those of the
    ///   root, ``StoreError/busy`` where another program changed an unchecked store meanwhile.
    public func values(of keys: [HistoryKey]) throws(StoreError) -> [HistoryKey: [UInt8]] {
        try store.reading { () throws(StoreError) in
            if !isSealed {
                guard try Seal.stored(in: store.database)?.history == bounds else { throw .busy }
            }
            var found: [HistoryKey: [UInt8]] = [:]
            var read: [UInt32: [[UInt8]: [UInt8]]] = [:]
            for key in keys {
                let stored = key.stored
                let bucket = HistoryTree.bucket(of: stored)
                if read[bucket] == nil { read[bucket] = try store.database.historyBucket(bucket, &proof) }
                found[key] = read[bucket]?[stored]
            }
            return found
        }
    }
}

extension TrustStore {
    /// The history as it lies on the disk, **not checked**.
    public func uncheckedHistory(_ trust: UncheckedTrust) -> HistorySource? {
        trust.state.history.map { HistorySource($0, self, isSealed: false) }
    }
}

extension UnlockedStore {
    /// The history under the seal that `trust` was read under.
    public func history(_ trust: SealedTrust) -> HistorySource? {
        trust.state.history.map { HistorySource($0, store, isSealed: true) }
    }
}
