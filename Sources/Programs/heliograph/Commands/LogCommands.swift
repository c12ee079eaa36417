import ArgumentParser
import Ceremony
import CommandKit
import FoundationEssentials
import Lines
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO
import TrustStore

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show and verify the audit log.",
        subcommands: [LogShow.self, LogNote.self, LogVerify.self, LogClear.self, LogExport.self])
}

/// `log show`
struct LogShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the audit log.",
        discussion:
            """
            With --passphrase-fd, and in an unlocked shell, each entry is proven under the seal of the store.
            """
    )

    @Argument(help: "Show only this entry, in full and with its transaction decoded again.") var number:
        UInt64?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Start at this entry.", valueName: "n"))
    var from: UInt64 = 1

    func execute(_ context: CommandContext) throws {
        let log = try LogReader(self, context)
        if let number { return try LogEntryView(log: log, console: context.console, json: json).show(number) }
        // What happened while the vault was locked joins the chain at the next unlock.
        let waiting = try log.device.waiting().map { LogFacts($0.event, waitingSince: $0.time) }
        if json {
            return JSONText.print(
                ["log": try log.entries(from: from).map(LogFacts.init), "waiting": waiting], context.console)
        }
        var names: [ExactText: String?] = [:]
        func name(_ genesis: String) -> String? {
            if let known = names[ExactText(genesis)] { return known }
            let found = log.networkName(genesis)
            names[ExactText(genesis)] = .some(found)
            return found
        }
        func print(_ facts: LogFacts) {
            LogText(facts: facts, networkName: name).lines().forEach(context.console.print)
        }
        try log.read(from: from) { print(LogFacts($0)) }
        waiting.forEach(print)
    }
}

/// `log note`
struct LogNote: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "note", abstract: "Add a note to the log.")

    @Argument(help: "The note.") var text: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let approval = try context.device(self).preview(NoteInLog(text)).confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note("recorded the note in the log")
        if json { JSONText.print(["note": text], context.console) }
    }
}

/// `log verify`: the chain from end to end, its ends under the seal, and the metadata and types that the seal
/// names by hash.
struct LogVerify: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify the whole log and everything under the store's seal.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "An exported head that the log must continue from: heliograph-log:N:HASH, or the hash alone.",
            valueName: "text"))
    var head: String?

    private struct Facts: Encodable {
        let entries: UInt64
        let first: UInt64
        let last: UInt64
        let head: String
        /// Metadata blobs and types that have their sealed hashes.
        let contents: Int
        let exported_head: Nullable<UInt64>
        /// Entries that came after the exported head.
        let later: Nullable<UInt64>
    }

    func execute(_ context: CommandContext) throws {
        // Before the passphrase is asked for.
        let exportedHead = try head.map { text in
            guard let head = LogHead(text.trimmed) else { throw CommandError.badLogHead(text) }
            return head
        }
        let session = try context.unlock(self)
        let ends = try session.checkLog()
        let contents = try session.checkContents()
        let exported = try exportedHead.map { try compared($0, session) }
        let facts = Facts(
            entries: ends.last + 1 - ends.first, first: ends.first, last: ends.last, head: ends.hash.hex,
            contents: contents,
            exported_head: Nullable(exported?.number), later: Nullable(exported?.later))
        if json { return JSONText.print(facts, context.console) }
        context.console.print(
            "entries \(facts.first) to \(facts.last) form an unbroken chain, head \(facts.head)")
        context.console.print("the sealed hashes of metadata and types match (\(contents) checked)")
        if let exported {
            context.console.print(
                """
                entry \(exported.number) is the exported head, with \(exported.later) later \
                \(exported.later == 1 ? "entry" : "entries")
                """
            )
        }
    }

    private func compared(_ head: LogHead, _ session: Session) throws -> (number: UInt64, later: UInt64) {
        switch try session.standing(of: head) {
        case .held(let number, let later): return (number, later)
        case .differs: throw CommandError.logHeadDiffers
        case .ahead(let last): throw CommandError.logHeadAhead(head.number ?? 0, last: last)
        case .cleared(let first): throw CommandError.logHeadCleared(first: first)
        }
    }
}

/// An entry with all that its hash covers: the object of ``LogFacts`` loses the order of the facts, and all
/// but the first of one name.
private struct ExportedEntry: Encodable {
    let entry: LogEntry

    init(_ entry: LogEntry) { self.entry = entry }

    private enum CodingKeys: CodingKey { case fact_list }
    private struct Fact: Encodable { let name, value: String }

    func encode(to encoder: any Encoder) throws {
        try LogFacts(entry).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(
            entry.event.facts.map { Fact(name: $0.name, value: $0.value) }, forKey: .fact_list)
    }
}

/// `log export`: every entry as a line of JSON, or the head as a QR code that a person can keep and compare
/// later.
struct LogExport: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the log as lines of JSON, or its head as a QR code.",
        discussion:
            """
            With --passphrase-fd, and in an unlocked shell, the whole log is checked under the seal of the \
            store.
            """
    )

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "The file: lines of JSON, or the head's QR code if the name ends in .png.", valueName: "file"),
        completion: .file())
    var out: String

    @OptionGroup var replacing: ReplaceOption

    /// Whether the file gets the head's QR code.
    private var isPicture: Bool { Files.isNamedAsPNG(out) }

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], pictures: isPicture ? [out] : [],
            files: isPicture ? [] : [out],
            replaces: replacing.replace)
    }

    func execute(_ context: CommandContext) throws {
        let log = try LogReader(self, context)
        let text = try log.checkedHead().text
        if isPicture {
            try Files.write(
                try QRCode(bytes: Array(text.utf8), errorCorrection: .medium).png(), to: out,
                replacing: replacing.replace)
        } else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var lines: [UInt8] = []
            for entry in try log.entries() {
                lines +=
                    Array(
                        Escape.json(String(decoding: try encoder.encode(ExportedEntry(entry)), as: UTF8.self))
                            .utf8) + [
                        UInt8(ascii: "\n")
                    ]
            }
            try Files.write(lines, to: out, replacing: replacing.replace)
        }
        if json { return JSONText.print(["head": text, "out": out], context.console) }
        context.console.print(text)
    }
}

/// `log clear`
struct LogClear: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Clear the log, recording that it was cleared.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        let (log, waiting) = (try device.trust().state.log, try device.waiting().count)
        // Nobody is asked about what would be refused, and the question comes before the passphrase.
        try device.requireOffline()
        if !approval.approve, try !console.confirm(Wording.clearQuestion(log, waiting: waiting)) {
            throw CeremonyError.declined
        }
        let session = try context.unlock(self)
        let preview = try session.preview(ClearLog())
        // What waited is in the log now. Anything else that joined it was not in the question.
        let isAsked = preview.shown.last == log.last + UInt64(waiting)
        let approved =
            try approval.approve || !isAsked
            ? approval.confirm(preview, Wording.clearQuestion(preview.shown, waiting: 0), console)
            : preview.confirm()
        _ = try session.perform(approved)
        console.note("cleared the log and recorded that")
        if json { JSONText.print(["cleared": preview.shown.last + 1 - preview.shown.first], console) }
    }
}
