import Ceremony
import Diagnostics
import Hashing
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// The log for commands that print it. It is checked under the seal if the vault is open or a passphrase is
/// given; otherwise it is read unchecked from the disk.
package struct LogReader {
    package let device: Device
    /// nil if the log is unchecked; the command has said so.
    let session: Session?

    package init(_ command: some VaultCommand, _ context: CommandContext) throws {
        device = try context.device(command)
        session = try context.unlockUnasked(command)
        if session == nil { context.console.note(Wording.trustStoreNotVerified) }
    }

    /// The name that the vault has for a genesis hash in hex.
    package func networkName(_ genesis: String) -> String? {
        guard let genesis = GenesisHash(hex: genesis),
            let state = try? session?.trust().state ?? device.trust().state
        else { return nil }
        return state.networks(genesis: genesis).first?.name
    }

    /// Entries in order, from number `first` on, at most `limit`.
    package func read(from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) -> Void) throws {
        if let session {
            try session.readLog(from: first, limit: limit, body)
        } else {
            try device.readLog(from: first, limit: limit, body)
        }
    }

    package func entries(from first: UInt64 = 1, limit: Int = .max) throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try read(from: first, limit: limit) { entries.append($0) }
        return entries
    }

    /// The head, after the whole chain was followed to it.
    package func checkedHead() throws -> LogHead {
        if let session { return LogHead(try session.checkLog()) }
        try device.checkLog()
        return LogHead(try device.trust().state.log)
    }

    /// The chain data that decodes a payload again.
    func chain() throws -> ChainData { try session?.chain() ?? device.chain() }
}

/// `log show N`: one entry whole, its transaction decoded again.
package struct LogEntryView {
    let log: LogReader
    let console: Console
    let json: Bool

    package init(log: LogReader, console: Console, json: Bool) {
        (self.log, self.console, self.json) = (log, console, json)
    }

    private struct Document: Encodable {
        let entry: LogFacts
        let items: [ReviewDocument.Item]
        let error: Nullable<ErrorDocument>
    }

    package func show(_ number: UInt64) throws {
        guard let entry = try log.entries(from: number, limit: 1).first, entry.number == number else {
            throw CommandError.noSuchEntry(number)
        }
        var items: [ReviewDocument.Item] = []
        var diagnostic: Diagnostic?
        do { items = try entry.reviewed(log.chain()).map(ReviewDocument.Item.init) } catch {
            diagnostic = Wording.diagnostic(error)
        }
        let facts = LogFacts(entry)
        if json {
            return JSONText.print(
                Document(entry: facts, items: items, error: Nullable(diagnostic.map { ErrorDocument($0) })),
                console)
        }
        LogText(facts: facts, networkName: log.networkName).lines(whole: true).forEach(console.print)
        console.print("hash 0x\(entry.hash)")
        if let hash = entry.event.metadataHash { console.print("metadata 0x\(hash)") }
        if let payload = entry.event.payload { console.print("payload 0x\(Hex.encode(payload))") }
        if !items.isEmpty {
            PlainReview(console: console).print(
                ReviewPage(items, isNumbered: true, question: ReviewQuestion("")))
        }
        if let diagnostic {
            console.note(
                "heliograph: the transaction cannot be decoded again: \(Escape.terminal(diagnostic.message))")
        }
    }
}
