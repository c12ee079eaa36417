import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `seed rotate`: moves the accounts of a seed to another one, step by step.
struct SeedRotate: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Move the accounts of a seed to a new seed, step by step.",
        discussion: """
            Make the new seed first: heliograph seed new. With --to NEW the keys of the old seed are derived \
            from the new one, at the same paths and for the same networks. After that the command lists each \
            account with its successor and what is known of it, and with --commands the commands that make \
            the transactions on the online machine. Each is reviewed and signed here as any other.

            The move is in the sealed store: stop anywhere, and go on with the same command. The old seed \
            cannot be removed until each of its accounts is said to be empty: with --empty, or by the state \
            proof of a signed transaction (make transaction --state). Such a proof holds only if the chain took \
            that transaction. It proves nothing of assets, stakes, proxies and multisigs, which do not move \
            with a balance; nor does this vault know accounts that were never derived in it. Then heliograph \
            seed remove NAME ends the move.
            """)

    @Argument(help: "The old seed's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    @Option(help: ArgumentHelp("Begin: move to this seed.", valueName: "name"), completion: .named(.seed))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "Keep what a file says of accounts: lines with an address and a text.", valueName: "file"),
        completion: .file())
    var known: String?

    @Option(
        help: ArgumentHelp("Say that this account is empty, or all of them.", valueName: "address|all"),
        completion: .named(.address))
    var empty: String?

    @Option(
        help: ArgumentHelp("Only on this network (default: on each of the account's).", valueName: "name"),
        completion: .named(.network))
    var network: String?

    @Flag(help: "Print the commands for the online machine, for accounts that are not empty yet.")
    var commands = false

    @Flag(help: "Give the move up; both seeds stay.")
    var stop = false

    @OptionGroup var confirmation: YesOption

    func validate() throws {
        let steps = [to != nil, known != nil, empty != nil, commands, stop].count { $0 }
        guard steps <= 1 else {
            throw ValidationError("--to, --known, --empty, --commands and --stop exclude each other")
        }
        guard network == nil || empty != nil else { throw ValidationError("--network needs --empty") }
        guard !commands || !json else { throw ValidationError("--commands and --json exclude each other") }
    }

    func access() throws -> Access {
        Access(readable: known.map { [$0] } ?? [], writable: [try vault.directory()])
    }

    func execute(_ context: CommandContext) throws {
        try word.requireAllowed(vault)
        if let step = try step() { return try act(step, context) }
        let state = try context.readTrust(self)
        guard try context.device(self).vault().seedNames.containsUTF8(of: name) else {
            // The refusal of a seed that is not there, in its own words.
            _ = try context.device(self).preview(RotateSeed(name, .stop))
            return
        }
        guard let rotation = state.rotation(of: name) else {
            if json { throw RotationRefusal.notMoved(name) }
            Wording.rotationFirst(name).forEach(context.console.print)
            return
        }
        let page = RotationPage(name, rotation, state, now: try context.device(self).now)
        if json { return JSONText.print(page.document, context.console) }
        (commands ? page.commands : page.lines).forEach(context.console.print)
    }

    private func step() throws -> RotateSeed.Step? {
        if let to { return .begin(to: to) }
        if let empty { return .empty(address: empty.utf8Equals("all") ? nil : empty, network: network) }
        if stop { return .stop }
        return try known.map { path in
            let lines = try Files.read(path, limit: Self.longestList)
                .split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                .map { String(decoding: $0, as: UTF8.self).trimmed }
            return .note(
                lines.filter { !$0.utf8.isEmpty && !$0.utf8Starts(with: "#") }.map { line in
                    let parts = Array(line.utf8).split(maxSplits: 1) {
                        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
                    }.map { String(decoding: $0, as: UTF8.self).trimmed }
                    return (parts[0], parts.count == 1 ? "" : parts[1])
                })
        }
    }

    /// Bytes of a file with notes: a thousand accounts.
    private static let longestList = 1 << 18

    private func act(_ step: RotateSeed.Step, _ context: CommandContext) throws {
        let console = context.console
        let operation = RotateSeed(name, step)
        let preview = try context.device(self).preview(operation)
        let shown = preview.shown
        let page = json ? console.beside : console
        let names = AccountNames(state: try context.device(self).trust().state)
        Wording.rotationStep(step, shown, naming: names.shown).forEach { page.print($0) }
        let approval = try preview.confirm {
            guard let question = Wording.rotationQuestion(step, shown) else { return true }
            return try confirmation.skipsQuestion(vault) || console.confirm(question)
        }
        let person = TerminalPerson(console: console, word: word)
        let session = try context.unlock(self)
        _ = try session.perform(approval, asking: person)
        console.note(Wording.rotationDone(step, shown))
        if json { JSONText.print(["seed": name], console) }
    }
}

/// Accounts as every line of a move names them, so that the line and what is typed are the same.
private struct AccountNames {
    let state: TrustState

    func specs(_ account: SeedRotation.Account) -> NetworkSpecs? {
        account.place.genesis.flatMap {
            state.network(genesis: $0, scheme: account.record.publicKey.scheme)
                ?? state.networks(genesis: $0).first
        }
    }

    func address(_ key: KeyRecord, _ account: SeedRotation.Account) -> String {
        key.publicKey.address(prefix: specs(account)?.base58Prefix ?? 42)
    }

    /// As `key list` names it.
    func network(_ account: SeedRotation.Account) -> String? {
        specs(account).map { state.shownName(of: $0) } ?? account.place.genesis?.hex
    }

    func shown(_ account: SeedRotation.Account) -> (address: String, network: String?) {
        (address(account.record, account), network(account))
    }
}

/// How far the move of a seed is.
private struct RotationPage {
    let old: String
    let rotation: SeedRotation
    let state: TrustState
    let now: UInt64
    let accounts: [SeedRotation.Account]
    let names: AccountNames

    init(_ old: String, _ rotation: SeedRotation, _ state: TrustState, now: UInt64) {
        (self.old, self.rotation, self.state, self.now) = (old, rotation, state, now)
        names = AccountNames(state: state)
        accounts = rotation.accounts(of: old, in: state)
    }

    var lines: [String] {
        let left = accounts.count { $0.ground == nil }
        let heading = Wording.rotationHeading(old, rotation)
        return heading
            + accounts.flatMap { account in
                Wording.rotated(
                    names.address(account.record, account), on: names.network(account), account,
                    to: account.successor.map { names.address($0, account) })
            } + Wording.rotationLeft(left, of: accounts.count, old)
    }

    /// A script for the online machine. Addresses and names of networks are quoted for its shell.
    var commands: [String] {
        var lines = Wording.rotationScript(old, rotation)
        for (index, account) in accounts.enumerated() where account.ground == nil {
            let from = names.address(account.record, account)
            guard let successor = account.successor, let specs = names.specs(account) else {
                lines.append("# " + Escape.terminal(Wording.rotationByHand(from, on: names.network(account))))
                continue
            }
            lines += Wording.rotationCommands(
                number: index + 1, from: from, to: names.address(successor, account),
                network: state.shownName(of: specs))
        }
        return lines
    }

    struct Document: Encodable {
        struct Account: Encodable {
            let address: String
            let path: String
            let network: Nullable<String>
            let genesis_hash: Nullable<String>
            let successor: Nullable<String>
            let last_used: Nullable<UInt64>
            let note: Nullable<String>
            /// `person`, `state_proof`, or null while nobody says that it is empty.
            let empty_by: Nullable<String>
            /// Of the state proof.
            let block: Nullable<UInt32>
        }
        let seed: String
        let new_seed: String
        let started: UInt64
        let accounts: [Account]
    }

    var document: Document {
        Document(
            seed: old, new_seed: rotation.new, started: rotation.started,
            accounts: accounts.map { account in
                let (ground, block): (String?, UInt32?) =
                    switch account.ground {
                    case .person?: ("person", nil)
                    case .state(let block)?: ("state_proof", block)
                    case nil: (nil, nil)
                    }
                return Document.Account(
                    address: names.address(account.record, account), path: account.record.path,
                    network: Nullable(names.network(account)),
                    genesis_hash: Nullable(account.place.genesis?.hex),
                    successor: Nullable(account.successor.map { names.address($0, account) }),
                    last_used: Nullable(account.record.lastUsed), note: Nullable(account.note),
                    empty_by: Nullable(ground), block: Nullable(block))
            })
    }
}
