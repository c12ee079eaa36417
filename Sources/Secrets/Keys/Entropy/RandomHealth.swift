import CSodium
import Diagnostics

/// Why the random source is not used.
public enum RandomHealthError: Error, Equatable, Sendable {
    /// One byte value came this many times in a row.
    case repetition(count: Int)
    /// One byte value came this many times in a window of 512.
    case proportion(count: Int)
    /// A bit of every byte, 0…7, never changed.
    case stuckBit(Int)
    /// This many of all bits were set, of `of`.
    case bias(ones: Int, of: Int)
    /// Two draws of 32 bytes were equal, or eight bytes came twice in one draw.
    case repeatedBlock
    /// Numbers of this many bytes follow each other in equal steps.
    case counting(width: Int)
}

/// Start-up tests of a random source over 4096 bytes.
///
/// Repetition count and adaptive proportion follow NIST SP 800-90B, sections 4.4.1 and 4.4.2, for 8 bits of
/// entropy a byte and a rate of false alarms of about 2^-40 a test. They find a source that is constant,
/// stuck, biased, counting or repeating itself, and not one that is merely predictable: a generator with a
/// seed that somebody knows passes every test there is.
public enum RandomHealth {
    /// 1 + 40 bits / 8 bits a byte.
    static let repetitionCutoff = 6
    static let window = 512
    /// A byte value is expected twice in a window; 20 times has a probability near 2^-44.
    static let proportionCutoff = 20
    private static let sampleLength = 4096
    private static let blockLength = 32
    /// Set bits of a sample have a standard deviation of half the root of their number, 90.5; eight of them
    /// are exceeded with a probability near 2^-50.
    private static let biasCutoff = 724
    /// How many equal steps in a row no fair source makes, by the bytes of a number: 2^-40 and less at one
    /// place.
    private static let stepCutoffs = [(width: 1, steps: 6), (2, 4), (4, 3), (8, 2)]

    /// Tests the operating system's source, which ``SecretBytes/init(randomCount:)`` draws from.
    public static func check() throws(RandomHealthError) {
        SecretBytes.startLibrary()
        try check { count in
            var bytes = [UInt8](repeating: 0, count: count)
            randombytes_buf(&bytes, count)
            return bytes
        }
    }

    /// Tests any source: `draw` returns as many bytes as it is asked for.
    public static func check(source draw: (Int) -> [UInt8]) throws(RandomHealthError) {
        let sample = draw(sampleLength)
        try checkRepetition(sample)
        try checkCounting(sample)
        try checkProportion(sample)
        for bit in 0..<8 {
            let ones = sample.count { $0 >> UInt8(bit) & 1 == 1 }
            if ones == 0 || ones == sample.count { throw .stuckBit(bit) }
        }
        let ones = sample.reduce(0) { $0 + $1.nonzeroBitCount }
        guard abs(ones - 4 * sample.count) <= biasCutoff else {
            throw .bias(ones: ones, of: 8 * sample.count)
        }
        guard !hasRepeatedWord(sample), draw(blockLength) != draw(blockLength) else { throw .repeatedBlock }
    }

    private static func checkRepetition(_ sample: [UInt8]) throws(RandomHealthError) {
        var run = 0
        var last: UInt8?
        for byte in sample {
            run = byte == last ? run + 1 : 1
            last = byte
            if run >= repetitionCutoff { throw .repetition(count: run) }
        }
    }

    private static func checkProportion(_ sample: [UInt8]) throws(RandomHealthError) {
        for start in stride(from: 0, to: sample.count, by: window) {
            let part = sample[start..<min(start + window, sample.count)]
            let first = part[start]
            let count = part.count { $0 == first }
            if count >= proportionCutoff { throw .proportion(count: count) }
        }
    }

    /// A counter of any usual width and step, in both orders of bytes.
    private static func checkCounting(_ sample: [UInt8]) throws(RandomHealthError) {
        for (width, steps) in stepCutoffs {
            for isBigEndian in [false, true] where width > 1 || !isBigEndian {
                let mask = width == 8 ? UInt64.max : 1 << (8 * UInt64(width)) - 1
                var last: UInt64 = 0
                var lastStep: UInt64 = 0
                var run = 0
                for index in 0..<sample.count / width {
                    let bytes = sample[index * width..<(index + 1) * width]
                    let number =
                        isBigEndian
                        ? bytes.reduce(0) { $0 << 8 | UInt64($1) }
                        : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
                    let step = (number &- last) & mask
                    // The first number has none before it, and the first step neither.
                    run = index > 1 && step == lastStep ? run + 1 : 1
                    (last, lastStep) = (number, step)
                    if run >= steps { throw .counting(width: width) }
                }
            }
        }
    }

    /// Whether eight bytes come twice, wherever they stand: among 4096 bytes with a probability near 2^-41.
    private static func hasRepeatedWord(_ sample: [UInt8]) -> Bool {
        var seen: Set<UInt64> = []
        var word: UInt64 = 0
        for (index, byte) in sample.enumerated() {
            word = word << 8 | UInt64(byte)
            if index >= 7, !seen.insert(word).inserted { return true }
        }
        return false
    }
}

/// Uniform draws.
public enum UniformDraw {
    /// A number in 0..<bound from whole bytes of `draw`: bytes that would make some numbers likelier are
    /// discarded.
    ///
    /// `bound` is 1 to 65536.
    public static func index(below bound: Int, drawing draw: (Int) -> [UInt8]) -> Int {
        precondition((1...65536).contains(bound))
        let width = bound <= 256 ? 1 : 2
        let range = 1 << (8 * width)
        let limit = range - range % bound
        while true {
            let value = draw(width).reduce(0) { $0 << 8 | Int($1) }
            if value < limit { return value % bound }
        }
    }

    /// A random index below `bound`, drawn from the operating system.
    public static func index(below bound: Int) -> Int {
        SecretBytes.startLibrary()
        return index(below: bound) { count in
            var bytes = [UInt8](repeating: 0, count: count)
            randombytes_buf(&bytes, count)
            return bytes
        }
    }
}

extension RandomHealthError {
    /// What the test found.
    public var detail: String {
        switch self {
        case .repetition(let count): "one byte occurred \(Sentence.count(count, "time")) in a row"
        case .proportion(let count): "one byte occurred \(Sentence.count(count, "time")) in 512 bytes"
        case .stuckBit(let bit): "bit \(bit) never changes"
        case .bias(let ones, let all): "\(ones) of \(all) bits are set"
        case .repeatedBlock: "it returned the same bytes twice"
        case .counting(let width): "its numbers of \(Sentence.count(width, "byte")) count in equal steps"
        }
    }
}
