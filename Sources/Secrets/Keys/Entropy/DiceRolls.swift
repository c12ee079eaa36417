/// Rolls of a six-sided die, for people who do not want to trust a computer's random source alone.
public struct DiceRolls: ~Copyable, Sendable {
    /// ASCII `1`…`6`, in the order of rolling.
    public let faces: SecretBytes

    public enum Failure: Error, Equatable, Sendable {
        /// A character other than 1…6 and white space; the number counts characters from 0.
        case notAFace(offset: Int)
        case tooFew(have: Int, need: Int)
        /// More than 10,000 rolls.
        case tooMany
    }

    private static let limit = 10_000

    /// Reads ASCII digits 1…6; white space between them is allowed.
    public init(_ text: borrowing SecretBytes) throws(Failure) {
        guard text.count <= 2 * Self.limit else { throw .tooMany }
        let faces = SecretBytes(count: text.count)
        var count = 0
        for offset in 0..<text.count {
            let byte = text.withUnsafeBytes { $0[offset] }
            switch byte {
            case UInt8(ascii: "1")...UInt8(ascii: "6"):
                faces.withUnsafeMutableBytes { $0[count] = byte }
                count += 1
            case 0x20, 0x09, 0x0a, 0x0d: continue
            default: throw .notAFace(offset: offset)
            }
        }
        guard count <= Self.limit else { throw .tooMany }
        self.faces = faces.slice(0..<count)
    }

    public var count: Int { faces.count }

    /// Rolls that carry at least the entropy of a phrase, log2(6) = 2.585 bits each: 50 for 12 words (129.2 bits), 99 for 24 words
    /// (255.9 bits, as near as is customary).
    public static func required(forWords words: Int) -> Int { words <= 12 ? 50 : 99 }

    /// A pattern that is unlikely for fair dice. The person is told; it is no reason to refuse, because fair dice show it once in a thousand
    /// times.
    public enum Concern: Equatable, Sendable {
        /// Chi-square with 5 degrees of freedom above 20.5: counts of the faces 1…6.
        case bias(counts: [Int])
        /// One face this many times in a row.
        case run(length: Int)
        /// Rolls equal those `period` rolls before far too often.
        case pattern(period: Int)
    }

    /// 99.9 % quantile of chi-square with 5 degrees of freedom.
    private static let chiSquareLimit = 20.515
    /// Among 99 rolls a run of 7 comes about once in 600 times.
    private static let runLimit = 7
    private static let longestPeriod = 12

    public var concerns: [Concern] { faces.withUnsafeBytes(Self.concerns) }

    private static func concerns(_ faces: UnsafeRawBufferPointer) -> [Concern] {
        guard faces.count >= 12 else { return [] }
        var concerns: [Concern] = []
        let counts = (UInt8(ascii: "1")...UInt8(ascii: "6")).map { face in faces.count { $0 == face } }
        let expected = Double(faces.count) / 6
        let chiSquare = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        if chiSquare > chiSquareLimit { concerns.append(.bias(counts: counts)) }
        let run = longestRun(faces)
        if run >= runLimit { concerns.append(.run(length: run)) }
        if let period = period(faces) { concerns.append(.pattern(period: period)) }
        return concerns
    }

    private static func longestRun(_ faces: UnsafeRawBufferPointer) -> Int {
        var longest = 0
        var run = 0
        for index in faces.indices {
            run = index > 0 && faces[index] == faces[index - 1] ? run + 1 : 1
            longest = max(longest, run)
        }
        return longest
    }

    /// The shortest distance at which rolls agree more than five standard deviations too often.
    private static func period(_ faces: UnsafeRawBufferPointer) -> Int? {
        for period in 1...min(longestPeriod, faces.count / 2) {
            let pairs = Double(faces.count - period)
            let agreements = Double((period..<faces.count).count { faces[$0] == faces[$0 - period] })
            let deviation = (pairs * 5 / 36).squareRoot()
            if agreements > pairs / 6 + 5 * deviation { return period }
        }
        return nil
    }
}
