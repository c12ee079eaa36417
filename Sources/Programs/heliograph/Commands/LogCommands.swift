import ArgumentParser
import Glibc
import Hashing
import Terminal
import TrustStore

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "What happened, in a hash chain.",
        subcommands: [LogShow.self, LogNote.self, LogVerify.self, LogClear.self, LogExport.self])
}

/// `log show`
struct LogShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what happened.")

    @Argument(help: "Show this one entry whole, its transaction decoded again.") var number: UInt64?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Start at this entry.", valueName: "n"))
    var from: UInt64 = 1

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let store = try vault.device().store()
        if let number { return try LogEntryView(store: store, console: context.console, json: json).show(number) }
        let entries = try store.log(from: from).map(LogFacts.init)
        // What happened while the vault was locked joins the chain at the next unlock.
        let waiting = store.waiting.map { LogFacts($0.event, waitingSince: $0.time) }
        if json { return JSONText.print(["log": entries, "waiting": waiting], context.console) }
        for entry in entries + waiting { context.console.print(entry.line) }
    }
}

struct LogFacts: Encodable {
    let number: Explicit<UInt64>
    let time: Explicit<UInt64>
    let event: String
    let dangerous: Bool
    let facts: [String: String]
    let payload: Explicit<String>
    let metadata_hash: Explicit<String>
    let hash: Explicit<String>

    init(_ entry: LogEntry) { self.init(entry.event, number: entry.number, time: entry.time, hash: entry.hash.hex) }
    init(_ event: LogEvent, waitingSince time: UInt64) { self.init(event, number: nil, time: time, hash: nil) }

    private init(_ event: LogEvent, number: UInt64?, time: UInt64?, hash: String?) {
        self.number = Explicit(number)
        self.time = Explicit(time)
        self.event = event.kind.rawValue
        dangerous = event.kind.isDangerous
        facts = Dictionary(event.facts.map { ($0.name, $0.value) }) { first, _ in first }
        payload = Explicit(event.payload.map(Hex.encode))
        metadata_hash = Explicit(event.metadataHash?.hex)
        self.hash = Explicit(hash)
    }

    /// `2026-11-21 09:26:40` by UTC, as a device without a network is rarely told its time zone.
    static func date(_ seconds: UInt64) -> String {
        guard var time = time_t(exactly: seconds) else { return String(seconds) }
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return String(seconds) }
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var line: String {
        let place = number.value.map(String.init) ?? "-"
        let details = facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let date = (number.value == nil ? "waiting since " : "") + (time.value.map(Self.date) ?? "")
        return Escape.terminal("\(place)\t\(date)\t\(dangerous ? "! " : "")\(event)  \(details)")
            .replacingTabs
    }
}

extension String {
    /// Columns of a line that was escaped as one text.
    var replacingTabs: String { split(separator: "\\t", omittingEmptySubsequences: false).joined(separator: "  ") }
}
