import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport

#if canImport(Glibc)
    import Glibc
#endif

/// Looks for two readings.
///
/// usage: two-readings [--seed N] [--seconds S] [--without RULE[,RULE…]]      RULE is end, shapes, lengths or
/// rebuild
///
/// What the cards do not determine is refused whatever the other rules say, so with only `shapes` or only
/// `lengths` left out nothing is found: to see that the search would find it, leave out `rebuild` with them.
///
/// One byte string that the true metadata and a forged proof both take, with different cards; one that the
/// chain and its metadata take differently; two byte strings that one type shows alike. Each is a pair, and
/// ends the run with exit code 1. With a rule left out, a run without a pair ends with 1 instead: then the
/// search would not have found anything.
@main enum TwoReadings {
    struct Options {
        var seed = SeededGenerator.givenSeed ?? UInt64.random(in: 0..<(1 << 48))
        var seconds = 60
        var rules = ReadingRules.all
        var without: [String] = []
        var isWeakened: Bool { rules != .all }
    }

    static func main() {
        guard let options = options(Array(CommandLine.arguments.dropFirst())) else {
            print("usage: two-readings [--seed N] [--seconds S] [--without end,shapes,lengths,rebuild]")
            exit(64)
        }
        let without = options.without.isEmpty ? "none" : options.without.joined(separator: ", ")
        print("seed \(options.seed), rules left out: \(without)")
        if !options.without.isEmpty, options.rules.endOfBytes, options.rules.rebuild {
            print(
                """
                the bytes are still rebuilt from the cards, which refuses what shapes and lengths would: no \
                pair is to be expected
                """
            )
        }
        var search = Search(options)
        let start = ContinuousClock().now
        while search.pair == nil, ContinuousClock().now - start < .seconds(options.seconds) { search.step() }
        for (name, count) in search.counts.sorted(by: { $0.key < $1.key }) { print("\(name): \(count)") }
        if let pair = search.pair { print("pair: \(pair)") }
        let isEmpty =
            Search.kinds.contains { search.counts["\($0.rawValue) accepted", default: 0] == 0 }
            && search.pair == nil
        if isEmpty { print("nothing was accepted, so nothing was compared") }
        exit((search.pair != nil) == options.isWeakened && !isEmpty ? 0 : 1)
    }

    private static func options(_ words: [String]) -> Options? {
        var options = Options()
        guard words.count.isMultiple(of: 2) else { return nil }
        for place in stride(from: 0, to: words.count, by: 2) {
            let value = words[place + 1]
            switch words[place] {
            case "--seed":
                guard let seed = UInt64(value) else { return nil }
                options.seed = seed
            case "--seconds":
                guard let seconds = Int(value) else { return nil }
                options.seconds = seconds
            case "--without":
                options.without = value.split(separator: ",").map { String($0) }
                for rule in options.without {
                    switch rule {
                    case "end": options.rules.endOfBytes = false
                    case "shapes": options.rules.standardShapes = false
                    case "lengths": options.rules.opaqueLengths = false
                    case "rebuild": options.rules.rebuild = false
                    default: return nil
                    }
                }
            default: return nil
            }
        }
        return options
    }
}
