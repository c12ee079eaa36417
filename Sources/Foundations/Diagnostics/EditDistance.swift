/// How far a mistyped word is from one that exists.
public enum EditDistance {
    /// Bytes to insert, to remove, to replace, or to swap with the next, until `one` is `other`.
    @inlinable
    public static func between(
        _ one: some RandomAccessCollection<UInt8>, _ other: some RandomAccessCollection<UInt8>
    ) -> Int {
        let (a, b) = (Array(one.indices), Array(other.indices))
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1] + [Int](repeating: 0, count: b.count)
            for j in b.indices {
                row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (one[a[i]] == other[b[j]] ? 0 : 1))
                if i > 0, j > 0, one[a[i]] == other[b[j - 1]], one[a[i - 1]] == other[b[j]] {
                    row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
                }
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }

    /// The name that was most likely meant: the first of the nearest, if it is near enough for its length;
    /// nil otherwise.
    public static func nearest(to word: String, among names: [String]) -> String? {
        let typed = Array(word.utf8.prefix(64))
        let ranked = names.enumerated().map {
            (distance: between(typed, Array($0.element.utf8)), index: $0.offset)
        }
        guard let best = ranked.min(by: { ($0.distance, $0.index) < ($1.distance, $1.index) }) else {
            return nil
        }
        let name = names[best.index]
        // A name that was only begun is meant as well: `meta` for `metadata`.
        let limit = max(1, (min(typed.count, name.utf8.count) + 1) / 3)
        if best.distance <= limit { return name }
        let begun = names.filter { typed.count >= 2 && $0.utf8.starts(with: typed) }
        return begun.count == 1 ? begun[0] : nil
    }
}
