/// Sets of columns, joined by rows with two open columns. The largest set can be taken out quickly.
///
/// A component closes as a whole: once one of its columns is determined or set aside, so is the rest. So sets
/// are only ever joined.
struct Components: ~Copyable {
    private let parents: FixedArray<Int32>
    private let sizes: FixedArray<Int32>
    /// A heap of sets as they once were, the largest first: size in the upper half, root in the lower.
    private let heap: FixedArray<UInt64>
    private var heapCount = 0

    init(count: Int) {
        parents = FixedArray(repeating: 0, count: count)
        sizes = FixedArray(repeating: 1, count: count)
        // Every join makes one set of two, so there are fewer than `count` of them.
        heap = FixedArray(repeating: 0, count: count)
        for column in 0..<count { parents[column] = Int32(truncatingIfNeeded: column) }
    }

    private func root(of column: Int32) -> Int32 {
        var column = column
        while parents[column] != column {
            parents[column] = parents[parents[column]]
            column = parents[column]
        }
        return column
    }

    mutating func join(_ first: Int32, _ second: Int32) {
        var large = root(of: first)
        var small = root(of: second)
        if large == small { return }
        if sizes[large] < sizes[small] { swap(&large, &small) }
        parents[small] = large
        sizes[large] += sizes[small]
        push(UInt64(truncatingIfNeeded: sizes[large]) << 32 | UInt64(truncatingIfNeeded: large))
    }

    /// Removes and returns the root of the largest set of two or more columns, even if the set is closed; nil
    /// if none is left.
    mutating func popLargest() -> Int32? {
        while heapCount > 0 {
            let entry = pop()
            let root = Int32(truncatingIfNeeded: entry & 0xffff_ffff)
            if parents[root] == root && UInt64(truncatingIfNeeded: sizes[root]) == entry >> 32 { return root }
        }
        return nil
    }

    private mutating func push(_ entry: UInt64) {
        var index = heapCount
        heapCount += 1
        while index > 0 && heap[(index - 1) / 2] < entry {
            heap[index] = heap[(index - 1) / 2]
            index = (index - 1) / 2
        }
        heap[index] = entry
    }

    private mutating func pop() -> UInt64 {
        let top = heap[0]
        heapCount -= 1
        let entry = heap[heapCount]
        var index = 0
        while 2 * index + 1 < heapCount {
            var child = 2 * index + 1
            if child + 1 < heapCount && heap[child + 1] > heap[child] { child += 1 }
            if heap[child] <= entry { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = entry
        return top
    }
}
