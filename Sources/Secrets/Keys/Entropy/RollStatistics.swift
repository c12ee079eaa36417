import Glibc

/// Looks for patterns that fair dice and fair coins do not show.
///
/// Each test has a share of the false alarms, and the shares together are below 1 in 10,000. The shares of
/// ``Share/face``, ``Share/run`` and ``Share/distance`` are proved for any number of rolls: counts of a face,
/// and of a difference between rolls at one distance, are binomial with the probability of a face, and
/// Chernoff's bound holds for them. Chi-square is exact only for many rolls; `DiceTests` counts its false
/// alarms.
struct RollStatistics {
    /// Probabilities that fair dice fail the tests of one kind.
    private enum Share {
        static let face = 1e-5
        static let run = 1e-5
        static let distance = 2e-5
    }

    /// Fewer rolls prove nothing.
    private static let minimumRolls = 12
    /// Rolls that repeat at a longer distance than this are not found; a person repeats what is on one line.
    private static let longestDistance = 512
    /// Chi-square with 5 degrees of freedom, or with 1, exceeds this with a probability of 4e-6.
    private var chiSquareLimit: Double { faces == 6 ? 33 : 21.3 }

    private let rolls: UnsafeRawBufferPointer
    private let kind: DiceRolls.Kind
    private var faces: Int { kind.sides }

    init(_ rolls: UnsafeRawBufferPointer, _ kind: DiceRolls.Kind) { (self.rolls, self.kind) = (rolls, kind) }

    var concerns: [DiceRolls.Concern] {
        guard rolls.count >= Self.minimumRolls else { return [] }
        var concerns: [DiceRolls.Concern] = []
        var counts = [Int](repeating: 0, count: faces)
        for roll in rolls { counts[side(roll)] += 1 }
        if isUnlikely(counts, tests: faces, share: Share.face) || chiSquare(counts) > chiSquareLimit {
            concerns.append(.bias(counts: counts))
        }
        let run = longestRun
        // The first of the run can stand anywhere, and each of the others equals it with the probability of a
        // face.
        if log(Double(rolls.count)) - Double(run - 1) * log(Double(faces)) < log(Share.run) {
            concerns.append(.run(length: run))
        }
        if let distance = patternDistance { concerns.append(.pattern(distance: distance)) }
        return concerns
    }

    /// A roll as a number from 0.
    private func side(_ roll: UInt8) -> Int {
        switch kind {
        case .dice: Int(roll - UInt8(ascii: "1"))
        case .coins: roll == UInt8(ascii: "h") ? 0 : 1
        }
    }

    private var longestRun: Int {
        var longest = 0
        var run = 0
        for index in rolls.indices {
            run = index > 0 && rolls[index] == rolls[index - 1] ? run + 1 : 1
            longest = max(longest, run)
        }
        return longest
    }

    /// The shortest distance at which differences between rolls, modulo 6, are not spread evenly. Of fair
    /// dice they are even and independent of each other, as the rolls are.
    private var patternDistance: Int? {
        let longest = min(Self.longestDistance, rolls.count / 2)
        for distance in 1...longest {
            var counts = [Int](repeating: 0, count: faces)
            for index in distance..<rolls.count {
                counts[(side(rolls[index]) - side(rolls[index - distance]) + faces) % faces] += 1
            }
            if isUnlikely(counts, tests: faces * longest, share: Share.distance) { return distance }
            // Neighbours are where habits show.
            if distance == 1, chiSquare(counts) > chiSquareLimit { return distance }
        }
        return nil
    }

    private func chiSquare(_ counts: [Int]) -> Double {
        let expected = Double(counts.reduce(0, +)) / Double(faces)
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }

    /// Whether one of the counts is so far from an even share, up or down, that this happens in one of
    /// `tests` with at most the probability `share`.
    ///
    /// Chernoff: a share of at least q of n, or of at most q, has a probability of at most exp(-n D), where D
    /// = q ln(q / p) + (1 - q) ln((1 - q) / (1 - p)).
    private func isUnlikely(_ counts: [Int], tests: Int, share: Double) -> Bool {
        let total = Double(counts.reduce(0, +))
        let fair = 1 / Double(faces)
        func part(_ seen: Double, _ expected: Double) -> Double { seen > 0 ? seen * log(seen / expected) : 0 }
        return counts.contains { count in
            let seen = Double(count) / total
            let divergence = part(seen, fair) + part(1 - seen, 1 - fair)
            // Each test has two sides, too often and too rarely, so twice as many chances share the limit.
            return total * divergence > log(2 * Double(tests) / share)
        }
    }
}
