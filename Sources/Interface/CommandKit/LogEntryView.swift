import Ceremony
import Diagnostics
import Hashing
import Lines
import Presentation
import TerminalIO
import TrustStore

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
        let error: Explicit<ErrorDocument>
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
                Document(entry: facts, items: items, error: Explicit(diagnostic.map { ErrorDocument($0) })),
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
        if let diagnostic { console.note(Wording.notDecodedAgain(diagnostic)) }
    }
}
