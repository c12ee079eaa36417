import ArgumentParser

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Poll every network and draw updates when a runtime changes.",
        discussion:
            """
            The --out directory holds the updates and the state, from which a restart continues. A signal \
            ends the command.
            """
    )
    @Option(help: "The pause between rounds: 30s, 10m, 2h.") var every = Interval(seconds: 600)
    @Option(help: "The directory of the updates, created if needed.") var out: String
    @Option(help: "Metadata formats to fetch besides the runtime's default and 15, separated by commas.")
    var formats: MetadataFormats?
    @Flag(help: "Do one round; exit with 74 if a network failed.") var once = false
    @OptionGroup var quorum: QuorumOptions
    @OptionGroup var keep: KeepOptions
    @OptionGroup var nodes: NetworkOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        var watcher = try Watcher(
            store: try database.open(), folder: out, nodes: nodes, quorum: quorum, picture: picture,
            formats: formats?.numbers ?? [],
            keep: keep.versions)
        while true {
            let failed = try await watcher.round()
            if once {
                guard failed.isEmpty else { throw HotError.notAllWatched(networks: failed) }
                return
            }
            try await Task.sleep(for: .seconds(every.seconds))
        }
    }
}

/// A length of time on the command line: a number and its unit.
struct Interval: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// 1 second to 30 days.
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    init?(argument: String) {
        let factors: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
        guard let unit = argument.last, let factor = factors[unit], let count = UInt32(argument.dropLast())
        else { return nil }
        let seconds = Int(count) * factor
        guard (1...2_592_000).contains(seconds) else { return nil }
        self.seconds = seconds
    }

    var description: String { seconds.isMultiple(of: 60) ? "\(seconds / 60)m" : "\(seconds)s" }
    var defaultValueDescription: String { description }
}
