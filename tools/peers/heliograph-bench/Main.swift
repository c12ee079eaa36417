import Glibc

/// What `tools/dev bench decode`, `tools/dev bench history`, `tools/dev bench log` and `tools/dev conformance
/// raptorq` drive; each subcommand prints one line of JSON on stdout.
@main
enum Bench {
    typealias Subcommand = @Sendable ([String]) throws -> Void

    static let subcommands: [String: Subcommand] = [
        "history-fill": HistoryBench.fill, "history-measure": HistoryBench.measure,
        "log-fill": LogBench.fill, "log-measure": LogBench.measure,
        "raptorq-decode": RaptorQBench.decode,
        "raptorq-encode": RaptorQBench.encode, "state-codes": StateBench.codes,
        "state-measure": StateBench.measure,
    ]

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let subcommand = subcommands[name] else {
            let usage =
                "usage: heliograph-bench \(subcommands.keys.sorted().joined(separator: "|")) ARGUMENT…\n"
            _ = usage.withCString { write(2, $0, strlen($0)) }
            exit(64)
        }
        try subcommand(Array(arguments.dropFirst()))
    }
}

enum BenchError: Error {
    case usage(String)
    case wrongAnswer(String)
}

/// Seconds of each run of `body`, repeated for about `seconds` and at least three times.
func measure(seconds: Double, _ body: () throws -> Void) rethrows -> [Double] {
    let clock = ContinuousClock()
    var runs: [Double] = []
    var total = 0.0
    while total < seconds || runs.count < 3 {
        let time = try clock.measure(body) / .seconds(1)
        runs.append(time)
        total += time
    }
    return runs.sorted()
}

/// `{"best": …, "median": …, "runs": …}` in seconds.
func report(_ runs: [Double]) {
    print("{\"best\": \(runs[0]), \"median\": \(runs[runs.count / 2]), \"runs\": \(runs.count)}")
}
