import ArgumentParser
import Ceremony
import Diagnostics
import FoundationEssentials
import Hashing
import QRCode
import Review
import SubstratePrimitives
import Terminal
import TrustStore
import UOS

/// `log note`
struct LogNote: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "note", abstract: "Write a note of your own into the log.")

    @Argument(help: "The note.") var text: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        try open.store.append([LogEvent(.userNote, [LogEvent.Fact("text", text)])])
        context.console.note(Wording.noted)
    }
}

/// `log verify`: the chain from end to end, its ends under the seal, and the metadata and types that the seal names by hash.
struct LogVerify: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the log from end to end, and all that the seal covers.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "A head that was exported before, heliograph-log:N:HASH or its hash alone: refused unless this log goes on from it.",
            valueName: "text"))
    var head: String?

    var json: Bool { output.json }

    private struct Facts: Encodable {
        let entries: UInt64
        let first: UInt64
        let last: UInt64
        let head: String
        /// Metadata blobs and types that have their sealed hashes.
        let contents: Int
        let exported_head: Explicit<UInt64>
        /// Entries that came after the exported head.
        let later: Explicit<UInt64>
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        try open.store.check()
        let contents = try open.store.checkContents()
        let exported = try head.map { try compared($0, open.store) }
        let ends = try open.store.trust().state.log
        let facts = Facts(
            entries: ends.last + 1 - ends.first, first: ends.first, last: ends.last, head: ends.hash.hex, contents: contents,
            exported_head: Explicit(exported?.number), later: Explicit(exported?.later))
        if json { return JSONText.print(facts, context.console) }
        context.console.print("entries \(facts.first) to \(facts.last) follow each other, head \(facts.head)")
        context.console.print("\(contents) metadata and types have their sealed hashes")
        if let exported { context.console.print("entry \(exported.number) is the exported head, \(exported.later) came after it") }
    }

    private func compared(_ text: String, _ store: UnlockedStore) throws -> (number: UInt64, later: UInt64) {
        guard let head = LogHead(text) else { throw CommandError.badLogHead(text) }
        switch try store.standing(ofHead: head.hash, number: head.number) {
        case .held(let number, let later): return (number, later)
        case .differs: throw CommandError.logHeadDiffers
        case .ahead(let last): throw CommandError.logHeadAhead(head.number ?? 0, last: last)
        case .cleared(let first): throw CommandError.logHeadCleared(first: first)
        }
    }
}

/// A head of the log as `log export` writes it: `heliograph-log:`, the entry's number, `:`, its hash. A person may have kept the hash alone.
struct LogHead {
    private static let label = "heliograph-log"
    let number: UInt64?
    let hash: Hash32

    init(_ ends: LogBounds) {
        number = ends.last
        hash = ends.hash
    }

    init?(_ text: String) {
        let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 1 || parts.count == 3 && parts[0] == Self.label, let hash = Hash32(hex: parts[parts.count - 1]) else {
            return nil
        }
        number = parts.count == 3 ? UInt64(parts[1]) : nil
        if parts.count == 3, number == nil { return nil }
        self.hash = hash
    }

    var text: String { "\(Self.label):\(number.map(String.init) ?? ""):\(hash.hex)" }
}

/// `log clear`
struct LogClear: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove all entries but one that says so.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.confirm(Wording.clearQuestion(try vault.device().store().uncheckedTrust().state.log), vault, console)
        let open = try context.unlock(self)
        guard !approval.approve || open.vault.isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
        try open.store.clearLog()
        console.note(Wording.changed)
    }
}

/// `log export`: every entry as a line of JSON, or the head as a QR code that a person can keep and compare later.
struct LogExport: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the log as lines of JSON, or its head as a QR code.")

    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Lines of JSON; with a name that ends in .png, a QR code of the head.", valueName: "file"))
    var out: String

    func access() throws -> Access { Access(writable: [try vault.directory(), out]) }

    func execute(_ context: CommandContext) throws {
        let store = try vault.device().store()
        try store.checkLog()
        let text = LogHead(try store.uncheckedTrust().state.log).text
        if out.hasSuffix(".png") {
            try Files.write(try QRCode(bytes: Array(text.utf8), errorCorrection: .medium).png(), to: out)
        } else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var lines: [UInt8] = []
            for entry in try store.log() {
                lines +=
                    Array(Escape.json(String(decoding: try encoder.encode(LogFacts(entry)), as: UTF8.self)).utf8) + [UInt8(ascii: "\n")]
            }
            try Files.write(lines, to: out)
        }
        context.console.note(Wording.trustStoreNotChecked)
        context.console.print(text)
    }
}

/// `log show N`: one entry whole, its transaction decoded again.
struct LogEntryView {
    let store: TrustStore
    let console: Console
    let json: Bool

    private struct Document: Encodable {
        let entry: LogFacts
        let items: [ReviewDocument.Item]
        let error: Explicit<ErrorDocument>
    }

    func show(_ number: UInt64) throws {
        guard let entry = try store.log(from: number, limit: 1).first, entry.number == number else {
            throw CommandError.noSuchEntry(number)
        }
        var items: [ReviewDocument.Item] = []
        var diagnostic: Diagnostic?
        do { items = try decoded(entry) } catch { diagnostic = Wording.diagnostic(error) }
        let facts = LogFacts(entry)
        if json {
            return JSONText.print(
                Document(entry: facts, items: items, error: Explicit(diagnostic.map { ErrorDocument($0) })), console)
        }
        console.print(facts.line)
        console.print("hash \(entry.hash)")
        if let hash = entry.event.metadataHash { console.print("metadata \(hash)") }
        if let payload = entry.event.payload { console.print("payload \(Hex.encode(payload))") }
        let printer = CardPrinter(console: console)
        for (place, item) in items.enumerated() { printer.print(item, number: place + 1, of: items.count) }
        if let diagnostic { console.note(Wording.notDecodedAgain(diagnostic)) }
    }

    /// The cards by what the vault knows now; the entry's metadata may be gone.
    private func decoded(_ entry: LogEntry) throws -> [ReviewDocument.Item] {
        guard let bytes = entry.event.payload else { return [] }
        let payload = try Payload(bytes)
        let state = try store.uncheckedTrust().state
        let reviewed = try TransactionReview(ChainData(state: state) { try store.content($0) }).review(payload)
        guard reviewed.allSatisfy({ entry.event.metadataHash == nil || $0.metadataHash == entry.event.metadataHash }) else {
            throw CommandError.otherMetadata(entry.number)
        }
        return reviewed.map(ReviewDocument.Item.init)
    }
}
