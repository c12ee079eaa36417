import ArgumentParser
import ColdSigner
import ColdStore
import Extrinsics
import Hashing
import Terminal

struct PolicyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Set what transactions may do.",
        discussion: """
            A policy is a JSON object with any of the rules networks, calls, destinations, maximum_amount and maximum_tip. What it does not \
            allow is refused before anything is asked. Under approve it may list objects that have all five of them, with calls named whole, \
            as Pallet.call: scan --approve signs without a person what such an object allows. Every call of the payload must be on its list, \
            nested ones too, all amounts together are held against its limit, and nothing with a warning, no message and no update is \
            approved so.
            """,
        subcommands: [PolicySet.self, PolicyShow.self, PolicyClear.self])
}

/// `policy set`: the rules of a file, under the vault's seal.
struct PolicySet: Command, UsesVault {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Take the rules of a JSON file.")

    @Argument(help: "The file.") var file: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(readable: [file], writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let json = try Files.read(file)
        guard json.count <= TransactionPolicy.maximumBytes else { throw CommandError.badPolicy(path: file, reason: "too long") }
        do {
            _ = try TransactionPolicy(json: json)
        } catch {
            throw CommandError.badPolicy(path: file, reason: Wording.policyFault(error))
        }
        let open = try surroundings.unlock(vault)
        try open.store.change(
            [.putSetting(TransactionPolicy.setting, json)],
            events: [LogEvent(.policySet, [LogEvent.Fact("policy", Hex.encode(BLAKE2b.hash(json)))])])
        surroundings.console.note(Wording.policySet)
    }
}

/// `policy show`: the file as it was taken.
struct PolicyShow: Command, UsesVault {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the rules.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let console = surroundings.console
        let state = try vault.lockedStore().uncheckedState()
        let policy = try ChainData(state: state) { _ in [] }.policy()
        if json { return JSONText.print(["policy": Explicit(policy.map(Rules.init))], console) }
        console.note(Wording.trustStoreNotChecked)
        guard policy != nil, let text = state.settings[TransactionPolicy.setting] else { return console.print(Wording.noPolicy) }
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            console.print(Escape.terminal(String(line)))
        }
    }

    /// Rules that are absent stay absent.
    private struct Rules: Encodable {
        let networks: [String]?
        let calls: [String]?
        let destinations: [String]?
        let maximum_amount: String?
        let maximum_tip: String?
        let approve: [Rules]?

        init(_ policy: TransactionPolicy) {
            networks = policy.networks
            calls = policy.calls
            destinations = policy.destinations
            maximum_amount = policy.maximumAmount
            maximum_tip = policy.maximumTip
            approve = policy.approve?.map(Rules.init)
        }
    }
}

/// `policy clear`: every transaction is allowed again.
struct PolicyClear: Command, UsesVault {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove the rules: everything is allowed again.")

    @OptionGroup var vault: VaultOptions

    @Flag(help: "Do not ask whether that is meant.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let console = surroundings.console
        try ShieldGuard.requireOffline(vault)
        guard try yes || console.confirm(Wording.clearPolicy) else { throw CommandError.answeredNo }
        let open = try surroundings.unlock(vault)
        guard try open.store.state().settings[TransactionPolicy.setting] != nil else { throw CommandError.noPolicy }
        try open.store.change([.removeSetting(TransactionPolicy.setting)], events: [LogEvent(.policyCleared)])
        console.note(Wording.policyCleared)
    }
}
