import ArgumentParser
import Ceremony
import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import Terminal
import TrustStore

struct PolicyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Limit what may be signed.", discussion: PolicyHelp.text,
        subcommands: [PolicySet.self, PolicyShow.self, PolicyClear.self])
}

/// `policy set`: the rules of a file, under the vault's seal.
struct PolicySet: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Load a policy from a JSON file.")

    @Argument(help: "The file.") var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(readable: [file], writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let text = try Files.read(file)
        let policy: TransactionPolicy
        do throws(TransactionPolicy.Fault) {
            policy = try TransactionPolicy(json: text)
        } catch {
            throw CommandError.badPolicy(path: file, reason: error.detail)
        }
        let open = try context.unlock(self)
        let unmatched = try open.chainData().unmatchedEntries(of: policy)
        let hash = Hex.encode(BLAKE2b.hash(text))
        try open.store.change(
            [.putSetting(TransactionPolicy.setting, text)], events: [LogEvent(.policySet, [LogEvent.Fact("policy", hash)])])
        let console = context.console
        console.note(Wording.policySet)
        for entry in unmatched { console.note("warning: \(Escape.terminal(Wording.unmatched(entry)))") }
        if json { JSONText.print(Document(policy: hash, warnings: unmatched.map(Warning.init)), console) }
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

/// `policy show`: the file as it was taken.
struct PolicyShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the rules.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let state = try vault.device().store().uncheckedTrust().state
        // The text is shown only where it is a policy.
        let text = try ChainData(state: state) { _ in [] }.policy().flatMap { _ in state.settings[TransactionPolicy.setting] }
        if json {
            return JSONText.print(["policy": Explicit(try text.map { StoredRules(value: try TransactionPolicy.value(json: $0)) })], console)
        }
        console.note(Wording.trustStoreNotChecked)
        guard let text else { return console.print(Wording.noPolicy) }
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            console.print(Escape.terminal(String(line)))
        }
    }
}

/// The stored policy's own JSON.
private struct StoredRules: Encodable {
    let value: StrictJSON.Value

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag): try flag.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .array(let items): try items.map(StoredRules.init).encode(to: encoder)
        case .object(let object):
            var container = encoder.container(keyedBy: Name.self)
            for member in object.members { try container.encode(StoredRules(value: member.value), forKey: Name(stringValue: member.key)) }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// `policy clear`: every transaction is allowed again.
struct PolicyClear: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove the rules: everything is allowed again.")

    @OptionGroup var vault: VaultOptions

    @Flag(help: "Do not ask whether that is meant.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try ShieldGuard.requireOffline(vault)
        guard try yes || console.confirm(Wording.clearPolicy) else { throw CeremonyError.declined }
        let open = try context.unlock(self)
        guard try open.store.trust().state.settings[TransactionPolicy.setting] != nil else { throw CommandError.noPolicy }
        try open.store.change([.removeSetting(TransactionPolicy.setting)], events: [LogEvent(.policyCleared)])
        console.note(Wording.policyCleared)
    }
}
