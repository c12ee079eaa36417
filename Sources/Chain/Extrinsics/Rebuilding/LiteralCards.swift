import Cards

/// The literal cards of a list, in order, without copying them.
struct LiteralCards {
    private let all: [Card]
    private let indices: [Int]

    init(among all: [Card]) {
        self.all = all
        indices = all.indices.filter { !all[$0].isDerived }
    }

    var count: Int { indices.count }

    subscript(_ position: Int) -> Card { all[indices[position]] }

    /// The position after each card and all deeper cards that follow it.
    static func ends(_ count: Int, indent: (Int) -> Int) -> [Int] {
        var ends = [Int](repeating: count, count: count)
        var open: [Int] = []
        for position in 0..<count {
            let depth = indent(position)
            while let last = open.last, indent(last) >= depth {
                ends[last] = position
                open.removeLast()
            }
            open.append(position)
        }
        return ends
    }
}
