import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import Hashing
import Lines
import Presentation
import Review
import TerminalIO

/// `policy set`: the rules of a file, under the vault's seal.
struct PolicySet: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Load a policy from a JSON file.")

    @Argument(help: "The JSON file.") var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    var json: Bool { output.json }

    func access() throws -> Access { Access(readable: [file], writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let text = try Files.read(file)
        let operation: SetPolicy
        do throws(TransactionPolicy.Fault) {
            operation = try SetPolicy(json: text)
        } catch {
            throw CommandError.badPolicy(path: file, reason: Wording.fault(error, in: text))
        }
        let console = context.console
        let page = json ? console.beside : console
        let preview = try context.device(self).preview(operation)
        for line in try PolicyDifference(from: preview.shown.replaced, to: text).lines { page.print(Escape.terminal(line)) }
        for entry in preview.shown.unmatched { console.note("warning: \(Escape.terminal(Wording.unmatched(entry)))") }
        let approved = try approval.confirm(preview, Wording.setPolicy, console)
        let policy = try context.unlock(self).perform(approved).outcome
        console.note(Wording.policySet)
        if json { JSONText.print(Document(policy: Hex.encode(policy.hash), warnings: policy.unmatched.map(Warning.init)), console) }
    }

    private struct Document: Encodable {
        /// BLAKE2b-256 of the file.
        let policy: String
        let warnings: [Warning]
    }

    private struct Warning: Encodable {
        let code: String
        let place: String
        let entry: String
        let message: String

        init(_ entry: UnmatchedEntry) {
            code = Wording.code(entry.reason)
            place = entry.place
            self.entry = entry.entry
            message = Wording.unmatched(entry)
        }
    }
}
