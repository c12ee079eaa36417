import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `policy show`: the file as it was taken.
struct PolicyShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the policy and what is left of its budgets and signatures.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()], keepsNonces: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let session = try context.unlockUnasked(self)
        let chain = try session?.chain() ?? context.device(self).chain()
        if session == nil { console.note(Wording.trustStoreNotChecked) }
        let device = try context.device(self)
        let open = try chain.state.groupOffers.filter(device.isOpen)
        // The text is shown only where it is a policy.
        let text = try chain.policy().flatMap { _ in chain.state.settings[TransactionPolicy.setting] }
        let (balances, counts) = (try chain.budgetsLeft(reserving: open), try chain.signaturesLeft(reserving: open))
        if json {
            let rules = Explicit(try text.map { StoredRules(value: try TransactionPolicy.value(json: $0)) })
            let document = Document(policy: rules, budgets: balances.map(Balance.init), signatures: counts.map(Count.init))
            return JSONText.print(document, console)
        }
        guard let text else { return console.print(Wording.noPolicy) }
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            console.print(Escape.terminal(String(line)))
        }
        for count in counts { console.print(Wording.balance(count)) }
        for (index, balance) in balances.enumerated() {
            let isNext =
                index == 0 || !balances[index - 1].signer.utf8Equals(balance.signer) || balances[index - 1].network != balance.network
            if isNext { console.print("\(Escape.ascii(balance.signer)) on \(Wording.name(balance.network.name)):") }
            console.print("  " + Wording.balance(balance.use))
        }
        let counted = !balances.isEmpty || !counts.isEmpty
        if counted, !open.isEmpty { console.note(Wording.reserved(open.count)) }
        let moment = try session?.moment() ?? context.device(self).moment()
        if counted, let jump = moment.jump { console.note(Wording.clockIsAhead(jump)) }
    }

    private struct Document: Encodable {
        let policy: Explicit<StoredRules>
        let budgets: [Balance]
        let signatures: [Count]
    }

    /// What a rule has left of one number of its `maximum_count`.
    private struct Count: Encodable {
        let rule: Int
        /// `per_hour` or `per_day`.
        let key: String
        let limit: UInt32
        /// null where nobody knows it since a restore: then none is left.
        let given: Explicit<UInt64>
        let left: UInt32

        init(_ balance: CountBalance) {
            (rule, key, limit, left) = (balance.rule, balance.window.member, balance.limit, balance.left)
            given =
                switch balance.given {
                case .amount(let given): Explicit(UInt64(clamping: given))
                case .uncountable, .unknownSinceRestore: Explicit(nil)
                }
        }
    }

    private struct Balance: Encodable {
        let network: String
        let signer: String
        let budget: SummaryDocument.Budget

        init(_ balance: BudgetBalance) {
            (network, signer, budget) = (balance.network.name, balance.signer, SummaryDocument.Budget(balance.use))
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
