import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// What `heliograph help policy` says of every key.
enum PolicyHelp {
    static let text = """
        A policy is a JSON object with any of the keys below. What it does not allow is refused before any \
        question. A missing key allows \
        everything, with one exception: a policy with any key except approve and key_age refuses messages unless it has \
        the key messages. Duplicate and \
        unknown keys are errors. Names and texts are compared byte by byte.

        networks: network names; with a scheme (westend/ed25519) for its keys alone. Messages that name no network are refused.
          "networks": ["polkadot"]

        calls: Pallet.call, or Pallet.* for every call of a pallet. Nested calls count.
          "calls": ["Balances.transfer_keep_alive", "Staking.*"]

        destinations: accounts allowed in the arguments of calls, as SS58 addresses with any prefix or as \
        hex with 0x. \
        A place on another chain that is not simply an account there, bytes that may name a recipient, and \
        calls for the benefit of a number (a pool, a parachain) are \
        refused. A parachain from 2000 on that assets are sent to must be listed by its account, which the \
        refusal \
        names.
          "destinations": ["5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"]

        signers: accounts that may sign, in the same form as destinations.
          "signers": ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"]

        maximum_amount: the highest total of all amounts in a transaction. An amount has its unit, as the \
        review shows it; where networks \
        have different units, a list has one amount for each: ["20 DOT", "1 KSM"]. An amount in another unit \
        is refused. So are amounts of assets that the key assets does not \
        list, programs, calls that move everything, and numbers and variants of unknown meaning: \
        under a \
        limit each may be an amount, as Max is.
          "maximum_amount": "150 DOT"

        minimum_amount: the lowest total of all amounts in a transaction that has any.
          "minimum_amount": "1 DOT"

        maximum_per_day, maximum_per_week, maximum_per_month: the highest total that one signer may sign on \
        one network in the last 24 hours, \
        7 days and 30 days. Every signature that this vault gave counts, whether it was sent or \
        not; the same bytes count once. \
        Tips and fees do not count. heliograph policy show says what is left, and heliograph vault time by \
        which time they count. After \
        vault restore they count as spent for as long as they are.
          "maximum_per_day": "500 DOT"

        assets: the same limits for other tokens, each with the id and the pallet that the review shows; an \
        id of an XCM location has no pallet. An asset with an amount states its decimals. \
        Amounts of other assets are refused.
          "assets": [{"asset": "1984", "pallet": "Assets", "decimals": 6, "maximum_amount": "50 USDT", "maximum_per_day": "100 USDT"}]

        maximum_tip: the highest tip.
          "maximum_tip": "0 DOT"

        fee_asset: what may pay the fee: "native" for the chain's own token, "any", or a list of "native" and encoded asset ids.
          "fee_asset": ["native", "0xc0070000"]

        mortality: "any", "mortal" for every transaction that expires, or the longest period in blocks.
          "mortality": {"maximum_period": 64}

        extensions: transaction extensions that carry data unknown to this program: "allow", "deny", or an \
        object of allowed identifiers, \
        each with "any" or with its exact bytes (explicit part, then implicit part).
          "extensions": {"AuthorizeCall": "any", "CheckOrigin": "0x01"}

        messages: "allow", "deny", or the text that a message must start with. The text is compared as UTF-8 \
        bytes with the message without \
        its <Bytes> tags; anything may follow it. networks and signers apply to messages too.
          "messages": {"prefix": "login to example.org: "}

        require_metadata_hash: whether the chain must check the metadata that a transaction was read with: \
        "always", "where_possible" to \
        allow also runtimes that cannot check it, or "never". Messages have no metadata. heliograph network \
        set demands the same for one \
        network; what the policy or the network demands more is what counts.
          "require_metadata_hash": "where_possible"

        require_state_proof: what must be proven of the chain's state beside a transaction: "signer" for the \
        signer's account, or "signer_and_destinations". This key and the next two take a proof only where \
        the chain itself checks how the transaction was read and where the layouts are not older than the \
        runtime. They can only forbid: no proof allows what the other keys forbid.
          "require_state_proof": "signer"

        minimum_remaining: the lowest proven free balance of the signer after the amounts and the tip, \
        before the fee. What is left cannot be told where an amount is unread, where a call moves \
        everything, or where another account pays: that is refused.
          "minimum_remaining": "5 DOT"

        existing_destinations: true, where every destination must be proven to exist.
          "existing_destinations": true

        key_age: how old the seed of a key may be, in days since it came into this vault; of a key without a \
        seed its own age. From warn_days on a review warns, and check_days after the words were last checked \
        with heliograph seed check. Both only warn. From refuse_days on nothing is signed. An unknown age \
        counts as too old. Not in a rule under approve, which signs in spite of the warnings.
          "key_age": {"warn_days": 730, "check_days": 365}

        maximum_count: only in a rule under approve: how many signatures the rule gives in the last hour and \
        the last 24 hours, on all networks \
        and for all signers together, whatever they move. A missing number is \(CountWindow.hour.standard) \
        per hour and \(CountWindow.day.standard) per day. \
        After vault restore all of them count as given for as long.
          "maximum_count": {"per_hour": 4, "per_day": 24}

        approve: a list of rules, each an object with the keys above. scan --approve signs without a \
        question what one rule allows and the \
        rest of the policy does not forbid. Each rule must have networks, calls without *, destinations, \
        maximum_amount and maximum_tip. \
        In a rule a missing fee_asset means "native", mortality "mortal", extensions "deny", messages "deny" \
        and require_metadata_hash \
        "always"; without signers, every key of the vault may sign. A rule from before require_metadata_hash \
        therefore approves no \
        transaction with the hash turned off. In a rule messages may only be "deny" or a prefix; only a rule \
        with a prefix may have an empty list of calls. \
        All amounts that one rule approves in a payload count together against its maximum_amount. A rule \
        with a limit per day, week or month \
        must have signers. It counts what it approved itself; a rule with other calls or destinations is \
        another rule, which has spent nothing. Payloads with a warning that a person decides on, below, or with an XCM \
        location, with unsigned metadata that the chain does not check, and updates are never approved this \
        way. Nor is a metadata proof that only its sender \
        vouches for: the vault has a verifier's metadata of that version, or a person confirmed an earlier signature with the same metadata hash.
          "approve": [{"networks": ["polkadot"],
            "calls": ["Balances.transfer_keep_alive"],
            "destinations": ["5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"],
            "maximum_amount": "150 DOT", "maximum_tip": "0 DOT", "mortality": "any"}]

        Who decides on a payload with a warning, by the warning's code:
        \(warnings)

        policy set warns about networks that are not in this vault, about units that none of them has, and \
        about calls that are missing from their metadata in this vault. It asks for a word where the new \
        policy allows something that the former one did not.
        """

    /// One line for each warning.
    private static let warnings = RuleWarning.table.map { "  \($0.code): \($0.effect.words)" }.joined(
        separator: "\n")
}

/// `policy example`: prints a policy that `policy set` accepts. If there is a vault, the example uses its
/// networks and accounts.
struct PolicyExample: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "example",
        abstract: "Print an example of a policy, made for the networks and keys of this vault.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    /// In the order of the file.
    private struct Example: Encodable {
        var networks: [String]
        var calls: [String]
        var destinations: [String]
        var maximum_amount: Amounts
        var maximum_tip: Amounts
        var mortality: [String: Int]
        var messages: String
        var require_metadata_hash: String
    }

    /// The same number in the unit of each network.
    private struct Amounts: Encodable {
        let texts: [String]

        init(_ number: String, _ networks: [NetworkSpecs]) {
            let units = networks.isEmpty ? ["DOT"] : networks.map(\.unit)
            var texts: [String] = []
            for text in units.map({ "\(number) \($0)" }) where !texts.containsUTF8(of: text) {
                texts.append(text)
            }
            self.texts = texts
        }

        func encode(to encoder: any Encoder) throws {
            try texts.count == 1 ? texts[0].encode(to: encoder) : texts.encode(to: encoder)
        }
    }

    private static let stranger = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    private static let calls = ["Balances.transfer_keep_alive", "Balances.transfer_allow_death", "Staking.*"]
    /// Period of a transaction in blocks: about six minutes on most chains.
    private static let period = 64

    func execute(_ context: CommandContext) throws {
        let chain = try? context.device(self).chain()
        if chain == nil { context.console.note("there is no vault: the networks and accounts are examples") }
        JSONText.print(Self.example(chain), context.console)
    }

    private static func example(_ chain: ChainData?) -> Example {
        let state = chain?.state ?? TrustState()
        let chosen = state.keyedNetworks
        var example = Example(
            networks: chosen.isEmpty ? ["polkadot"] : chosen.map(\.name), calls: calls,
            // Each as its owner knows it: in the form of its own network.
            destinations: state.keys.prefix(2).map { key in
                let own = key.networks.lazy.compactMap { state.networks(genesis: $0).first }.first
                return key.publicKey.address(prefix: own?.base58Prefix ?? 42)
            },
            maximum_amount: Amounts("10", chosen), maximum_tip: Amounts("0", chosen),
            mortality: ["maximum_period": period], messages: "deny",
            require_metadata_hash: MetadataHashDemand.wherePossible.rawValue)
        if example.destinations.isEmpty { example.destinations = [stranger] }
        // Calls that the metadata of these networks does not have would only warn.
        if let chain, let policy = try? TransactionPolicy(json: Array(JSONText.line(example).utf8)) {
            let missing = chain.unmatchedEntries(of: policy).filter { $0.reason == .unknownCall }.map(\.entry)
            let held = calls.filter { !missing.containsUTF8(of: $0) }
            if !held.isEmpty { example.calls = held }
        }
        return example
    }
}
