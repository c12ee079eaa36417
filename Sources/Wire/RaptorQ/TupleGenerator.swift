/// The random number, degree and tuple generators of a block.
///
/// Source: RFC 6330, sections 5.3.5.1 (Rand), 5.3.5.2 (Deg), 5.3.5.4 (Tuple), 5.3.5.3 (Enc, as a list of
/// columns).
struct TupleGenerator {
    /// V0, V1, V2, V3 one after the other: 1024 words that live as long as the program.
    private nonisolated(unsafe) static let words: UnsafePointer<UInt32> = {
        let all = RandomTables.v0 + RandomTables.v1 + RandomTables.v2 + RandomTables.v3
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: all.count)
        memory.initialize(from: all, count: all.count)
        return UnsafePointer(memory)
    }()

    /// f[1], f[2], …: a symbol has degree d where f[d − 1] <= v < f[d]. RFC 6330, table 1.
    private static let degreeBounds: [UInt32] = [
        5243, 529531, 704294, 791675, 844104, 879057, 904023, 922747, 937311, 948962, 958494, 966438, 973160,
        978921, 983914,
        988283, 992138, 995565, 998631, 1001391, 1003887, 1006157, 1008229, 1010129, 1011876, 1013490,
        1014983, 1016370, 1017662,
        1048576,
    ]

    /// The largest degree of an LT symbol, and the most columns that Enc adds up: 30 LT and 3 PI symbols.
    static let maximumColumns = 33

    /// The tuple (d, a, b, d1, a1, b1).
    struct Tuple: Equatable {
        var degree: Int
        var step: Int
        var start: Int
        var piDegree: Int
        var piStep: Int
        var piStart: Int
    }

    private let words: UnsafePointer<UInt32>
    private let multiplier: UInt32
    private let offset: UInt32
    private let ltSymbols: Int
    private let piSymbols: Int
    private let piPrime: Int

    init(_ parameters: BlockParameters) {
        words = Self.words
        multiplier = UInt32(53591 + parameters.systematicIndex * 997) | 1
        offset = UInt32(10267 * (parameters.systematicIndex + 1))
        ltSymbols = parameters.ltSymbols
        piSymbols = parameters.piSymbols
        piPrime = parameters.piPrime
    }

    /// Rand[y, i, m]
    @inline(__always)
    func random(_ y: UInt32, _ i: UInt32, below m: Int) -> Int {
        let word =
            words[Int(truncatingIfNeeded: (y &+ i) & 0xff)]
            ^ words[Int(truncatingIfNeeded: 256 + ((y >> 8 &+ i) & 0xff))]
            ^ words[Int(truncatingIfNeeded: 512 + ((y >> 16 &+ i) & 0xff))]
            ^ words[Int(truncatingIfNeeded: 768 + ((y >> 24 &+ i) & 0xff))]
        return Int(truncatingIfNeeded: word % UInt32(truncatingIfNeeded: m))
    }

    /// Deg[v]
    private func degree(_ v: UInt32) -> Int {
        var degree = 1
        Self.degreeBounds.withUnsafeBufferPointer { bounds in
            while v >= bounds[degree - 1] { degree += 1 }
        }
        return min(degree, ltSymbols - 2)
    }

    /// Tuple[K′, X]
    func tuple(_ x: UInt32) -> Tuple {
        let y = offset &+ x &* multiplier
        let degree = degree(UInt32(truncatingIfNeeded: random(y, 0, below: 1 << 20)))
        return Tuple(
            degree: degree,
            step: 1 + random(y, 1, below: ltSymbols - 1),
            start: random(y, 2, below: ltSymbols),
            piDegree: degree < 4 ? 2 + random(x, 3, below: 2) : 2,
            piStep: 1 + random(x, 4, below: piPrime - 1),
            piStart: random(x, 5, below: piPrime))
    }

    /// Writes the intermediate symbols that Enc adds up: first the LT ones (below W), then the PI ones.
    /// - Parameter columns: room for `tuple.degree + tuple.piDegree` numbers
    @inline(__always)
    func writeColumns(of tuple: Tuple, to columns: UnsafeMutablePointer<Int32>) {
        var column = tuple.start
        for index in 0..<tuple.degree {
            columns[index] = Int32(truncatingIfNeeded: column)
            column += tuple.step
            if column >= ltSymbols { column -= ltSymbols }
        }
        column = tuple.piStart
        for index in 0..<tuple.piDegree {
            while column >= piSymbols { column = (column + tuple.piStep) % piPrime }
            columns[tuple.degree + index] = Int32(truncatingIfNeeded: ltSymbols + column)
            column = (column + tuple.piStep) % piPrime
        }
    }
}
