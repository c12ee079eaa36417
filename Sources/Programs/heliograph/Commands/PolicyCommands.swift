import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import FoundationEssentials
import Hashing
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

struct PolicyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Limit what may be signed.", discussion: PolicyHelp.text,
        subcommands: [PolicySet.self, PolicyShow.self, PolicyClear.self, PolicyExample.self])
}

/// `policy show`: the policy as `policy set` said it; its JSON with `--json`.
struct PolicyShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the policy and what is left of its budgets and signatures.",
        discussion: "With --json the policy is printed as policy set takes it.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func access() throws -> Access { Access(writable: [try vault.directory()], keepsNonces: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let session = try context.unlockUnasked(self)
        let chain = try session?.chain() ?? context.device(self).chain()
        if session == nil { console.note(Wording.trustStoreNotVerified) }
        let device = try context.device(self)
        let open = try chain.state.groupOffers.filter(device.isOpen)
        let policy = try chain.policy()
        // The text is shown only where it is a policy.
        let text = policy.flatMap { _ in chain.state.settings[TransactionPolicy.setting] }
        let (balances, counts) = (
            try chain.budgetsLeft(reserving: open), try chain.signaturesLeft(reserving: open)
        )
        if json {
            let rules = Nullable(try text.map { StoredRules(value: try TransactionPolicy.value(json: $0)) })
            let document = Document(
                policy: rules, budgets: balances.map(Balance.init), signatures: counts.map(Count.init))
            return JSONText.print(document, console)
        }
        guard let policy else { return console.print(Wording.noPolicy) }
        PolicyLines(showing: policy, in: chain.state).lines.forEach(console.print)
        for count in counts { console.print(Wording.balance(count)) }
        for (index, rule) in (policy.approve ?? []).enumerated() where !rule.limitsRepetition {
            console.print(Wording.repetitionNeedsPerson(rule: index + 1))
        }
        for (index, balance) in balances.enumerated() {
            let isNext =
                index == 0 || !balances[index - 1].signer.utf8Equals(balance.signer)
                || balances[index - 1].network != balance.network
            if isNext {
                console.print("\(Escape.ascii(balance.signer)) on \(Wording.name(balance.network.name)):")
            }
            console.print("  " + Wording.balance(balance))
        }
        let counted = !balances.isEmpty || !counts.isEmpty
        if counted, !open.isEmpty { console.note(Wording.reserved(open.count)) }
        let moment = try session?.moment() ?? context.device(self).moment()
        if counted, let jump = moment.jump { console.note(Wording.clockIsAhead(jump)) }
    }

    private struct Document: Encodable {
        let policy: Nullable<StoredRules>
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
        let given: Nullable<UInt64>
        /// Of these, those of open requests of groups.
        let reserved: UInt64
        let left: UInt32

        init(_ balance: CountBalance) {
            (rule, key, limit, left) = (balance.rule, balance.window.member, balance.limit, balance.left)
            reserved = UInt64(clamping: balance.reserved)
            given =
                switch balance.given {
                case .amount(let given): Nullable(UInt64(clamping: given))
                case .uncountable, .unknownSinceRestore: Nullable(nil)
                }
        }
    }

    private struct Balance: Encodable {
        let network: String
        let signer: String
        let budget: SummaryDocument.Budget
        /// What open requests of groups may yet take, in the smallest unit.
        let reserved: String

        init(_ balance: BudgetBalance) {
            (network, signer, budget, reserved) = (
                balance.network.name, balance.signer, SummaryDocument.Budget(balance.use),
                String(balance.reserved)
            )
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
            for member in object.members {
                try container.encode(StoredRules(value: member.value), forKey: Name(stringValue: member.key))
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// `policy set`: the rules of a file, under the vault's seal.
struct PolicySet: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Load a policy from a JSON file.")

    @Argument(help: "The JSON file.", completion: .file()) var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    func access() throws -> Access { Access(readable: [file], writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let text = try Files.read(file)
        let operation: SetPolicy
        do throws(TransactionPolicy.Fault) {
            operation = try SetPolicy(json: text)
        } catch {
            // Without a vault the fault is told with the units of an example.
            let state = try? context.device(self).trust().state
            throw CommandError.badPolicy(
                path: file, reason: Wording.fault(error, in: text, networks: state?.keyedNetworks ?? []))
        }
        let console = context.console
        let page = json ? console.beside : console
        let (lines, preview) = try context.device(self).preview(operation).reading { shown, trust in
            PolicyLines(from: shown.replaced, to: shown.policy, in: trust).lines
        }
        lines.forEach { page.print($0) }
        for entry in preview.shown.unmatched {
            console.note("warning: \(Escape.terminal(Wording.unmatched(entry)))")
        }
        let question = ReviewQuestion("Put this policy in force?", word: preview.shown.word)
        let approved = try approval.confirm(preview, question, console) { context.requirePerson(for: $0) }
        let policy = try context.unlock(self).perform(approved).outcome
        console.note("the policy is now in force")
        if json {
            JSONText.print(
                Document(policy: Hex.encode(policy.hash), warnings: policy.unmatched.map(Warning.init)),
                console)
        }
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

/// `policy clear`: every transaction is allowed again.
struct PolicyClear: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Remove the policy; everything is allowed again.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let page = json ? console.beside : console
        let (lines, preview) = try context.device(self).preview(ClearPolicy()).reading { shown, trust in
            PolicyLines(from: shown.text, to: TransactionPolicy(), in: trust).lines
        }
        lines.forEach { page.print($0) }
        page.print("Without it no rule limits what may be signed.")
        let question = ReviewQuestion("Remove the policy?", word: preview.shown.word)
        let approved = try approval.confirm(preview, question, console) { context.requirePerson(for: $0) }
        _ = try context.unlock(self).perform(approved)
        console.note("removed the policy: everything is allowed")
        if json { JSONText.print(["policy": Nullable<String>(nil)], console) }
    }
}

extension TrustState {
    /// The networks that a key is allowed on; all of them where there is none.
    var keyedNetworks: [NetworkSpecs] {
        let keyed = networks.filter { network in
            keys.contains { $0.networks.contains(network.genesisHash) }
        }
        return keyed.isEmpty ? networks : keyed
    }
}
