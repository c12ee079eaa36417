import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `log verify`: the chain from end to end, its ends under the seal, and the metadata and types that the seal names by hash.
struct LogVerify: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify the whole log and everything under the store's seal.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "An exported head that the log must continue from: heliograph-log:N:HASH, or the hash alone.",
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
        let session = try context.unlock(self)
        let ends = try session.checkLog()
        let contents = try session.checkContents()
        let exported = try head.map { try compared($0, session) }
        let facts = Facts(
            entries: ends.last + 1 - ends.first, first: ends.first, last: ends.last, head: ends.hash.hex, contents: contents,
            exported_head: Explicit(exported?.number), later: Explicit(exported?.later))
        if json { return JSONText.print(facts, context.console) }
        context.console.print("entries \(facts.first) to \(facts.last) form an unbroken chain, head \(facts.head)")
        context.console.print("the sealed hashes of metadata and types match (\(contents) checked)")
        if let exported {
            context.console.print(
                "entry \(exported.number) is the exported head, with \(exported.later) later \(exported.later == 1 ? "entry" : "entries")")
        }
    }

    private func compared(_ text: String, _ session: Session) throws -> (number: UInt64, later: UInt64) {
        guard let head = LogHead(text.trimmed) else { throw CommandError.badLogHead(text) }
        switch try session.standing(of: head) {
        case .held(let number, let later): return (number, later)
        case .differs: throw CommandError.logHeadDiffers
        case .ahead(let last): throw CommandError.logHeadAhead(head.number ?? 0, last: last)
        case .cleared(let first): throw CommandError.logHeadCleared(first: first)
        }
    }
}
