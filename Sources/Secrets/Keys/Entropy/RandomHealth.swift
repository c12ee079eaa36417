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
    /// Two draws of 32 bytes were equal.
    case repeatedBlock
}

/// Start-up tests of a random source over 4096 bytes.
///
/// Repetition count and adaptive proportion follow NIST SP 800-90B, sections 4.4.1 and 4.4.2, for 8 bits of
/// entropy a byte and a rate of false alarms of about 2^-40 a test. They find a source that is broken or
/// stuck, not one that is merely predictable.
public enum RandomHealth {
    /// 1 + 40 bits / 8 bits a byte.
    static let repetitionCutoff = 6
    static let window = 512
    /// A byte value is expected twice in a window; 20 times has a probability near 2^-44.
    static let proportionCutoff = 20
    private static let sampleLength = 4096
    private static let blockLength = 32

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
        try checkProportion(sample)
        for bit in 0..<8 {
            let ones = sample.count { $0 >> UInt8(bit) & 1 == 1 }
            if ones == 0 || ones == sample.count { throw .stuckBit(bit) }
        }
        guard draw(blockLength) != draw(blockLength) else { throw .repeatedBlock }
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

extension RandomHealthError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .inputOutput(
            "random-source", "the random source of this machine is broken, so no seed is created: \(detail)")
    }

    private var detail: String {
        switch self {
        case .repetition(let count): "one byte occurred \(Sentence.count(count, "time")) in a row"
        case .proportion(let count): "one byte occurred \(Sentence.count(count, "time")) in 512 bytes"
        case .stuckBit(let bit): "bit \(bit) never changes"
        case .repeatedBlock: "it returned the same bytes twice"
        }
    }

    public static var examples: [RandomHealthError] {
        [.repetition(count: 6), .proportion(count: 20), .stuckBit(3), .repeatedBlock]
    }
}
