import ArgumentParser
import Ceremony
import Extrinsics
import Review
import SubstratePrimitives
import Terminal
import TrustStore

/// `policy show`: the file as it was taken.
struct PolicyShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the policy.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let session = try context.unlockUnasked(self)
        let chain = try session?.chain() ?? context.device(self).chain()
        if session == nil { console.note(Wording.trustStoreNotChecked) }
        // The text is shown only where it is a policy.
        let text = try chain.policy().flatMap { _ in chain.state.settings[TransactionPolicy.setting] }
        if json {
            return JSONText.print(["policy": Explicit(try text.map { StoredRules(value: try TransactionPolicy.value(json: $0)) })], console)
        }
        guard let text else { return console.print(Wording.noPolicy) }
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            console.print(Escape.terminal(String(line)))
        }
    }
}

/// The stored policy's own JSON.
struct StoredRules: Encodable {
    let value: StrictJSON.Value

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag): try flag.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        // A policy is read without such numbers.
        case .otherNumber(let text): try text.encode(to: encoder)
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
