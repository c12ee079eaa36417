import Cards
import Extrinsics
import Hashing
import History
import SubstratePrimitives

/// Collects totals, recipients and counts of calls from the cards of a call, in one pass.
///
/// Cards of nested calls count like those of the outer call, also where the nested call stands in bytes or
/// behind a hash that was supplied: those cards are derived, but a chain may run them.
struct SummaryWalk {
    private(set) var totals: [ReviewSummary.Total] = []
    private(set) var recipients: [ReviewSummary.Recipient] = []
    private(set) var calls: [ReviewSummary.CallCount] = []
    /// Each account of ``recipients``, and the other signatories of a multisig, with what it receives.
    private(set) var payments: [Payment] = []
    private var paid: [ExactText: Int] = [:]
    /// Whether an amount is of an asset that its call does not name alone.
    private(set) var hasUnclearAssets = false
    /// Whether of two calls with amounts only one runs, so that the totals are more than what can be moved.
    private(set) var hasAlternatives = false

    private var places: [ReviewSummary.Total.Token: Int] = [:]
    private var known: [ExactText: Int] = [:]
    private var counted: [CallSummary.Name: Int] = [:]
    private let network: GenesisHash?

    struct Payment {
        let address: String
        let publicKey: String
        /// The largest amount of each token that one call moves to it, and all of them together.
        private(set) var largest: [ReviewSummary.Total] = []
        private(set) var sums: [ReviewSummary.Total] = []
        /// Whether it receives an amount of an asset that its call does not name alone, which no sum has.
        fileprivate(set) var receivesUnnamed = false

        /// - Parameter isCertain: an amount of a call that another may run instead is among the sums, which
        ///   warn, and is not remembered as paid.
        mutating func receive(_ total: ReviewSummary.Total, isCertain: Bool) {
            if isCertain { largest.keep(total) { DecimalDigits.isLess($0, $1) ? $1 : $0 } }
            sums.keep(total, DecimalDigits.sum)
        }
    }

    /// A call that is open: its cards stand further in than its pallet's card.
    private struct Open {
        let indent: Int
        let pallet: String
        /// Whether one of its arguments is a call or the hash of one, so that it acts together with others or
        /// in another's name.
        let carriesCall: Bool
        /// Whether it runs when the transaction does.
        let runs: Bool
        /// Whether it may run in the place of another, or another in its place.
        let isAlternative: Bool
        var call = ""
        var argument = ""
        /// Places among the payments, and the amounts of the call's own arguments, each with its argument.
        var payments: [(argument: String, place: Int)] = []
        var amounts: [(argument: String, total: ReviewSummary.Total)] = []
        /// The arguments with an amount of an asset that the call does not name alone.
        var unnamed: [String] = []

        mutating func add(_ total: ReviewSummary.Total) { amounts.append((argument, total)) }
    }

    /// The arguments of calls that say who receives what, by the names of the standard pallets. An account
    /// that any other argument names is named, not paid: a validator gains nothing by a nomination, and the
    /// amount of a delegation stays where it is. Source: paritytech/polkadot-sdk,
    /// substrate/frame/{balances,assets,vesting}; open-web3-stack/open-runtime-module-library, tokens and
    /// currencies.
    private static let payments: [(calls: Set<ExactText>, receiver: ExactText, amount: ExactText)] = [
        (["transfer", "transfer_allow_death", "transfer_keep_alive"], "dest", "value"),
        (["transfer", "transfer_keep_alive"], "target", "amount"),
        (
            ["transfer", "transfer_keep_alive", "transfer_native_currency", "force_transfer"], "dest",
            "amount"
        ),
        (["transfer_approved"], "destination", "amount"), (["vested_transfer"], "target", "schedule"),
    ]

    /// Calls that run the calls in them. What any other call carries may never run: it waits, is announced,
    /// or is a text.
    private static let carriers: Set<ExactText> = [
        "batch", "batch_all", "force_batch", "proxy", "proxy_announced", "as_multi", "as_multi_threshold_1",
        "as_derivative",
        "as_recovered", "control_inherited_account", "if_else",
    ]

    init(_ cards: [Card], network: GenesisHash?) {
        self.network = network
        var open: [Open] = []
        for (index, card) in cards.enumerated() {
            while let last = open.last, last.indent >= card.indent { close(open.removeLast()) }
            switch card.kind {
            case .pallet:
                let runs = open.last.map { $0.runs && Self.carriers.contains(ExactText($0.call)) } ?? true
                let isAlternative =
                    open.last.map { $0.isAlternative || $0.call.utf8Equals("if_else") } ?? false
                open.append(
                    Open(
                        indent: card.indent, pallet: card.value,
                        carriesCall: Self.carriesCall(cards[index...]), runs: runs,
                        isAlternative: isAlternative))
            case .call:
                guard let pallet = open.last?.pallet else { continue }
                count(.init(pallet: pallet, call: card.value))
                if open.last?.call.utf8.isEmpty == true { open[open.count - 1].call = card.value }
                if card.value.utf8Equals("if_else") { hasAlternatives = true }
            case .fieldName, .fieldNumber:
                if let last = open.last, card.indent == last.indent + 2 {
                    open[open.count - 1].argument = card.value
                }
            case .account:
                add(account: card, argument: open.last?.argument ?? "", of: open.last)
                if !open.isEmpty {
                    pay(
                        Payment(
                            address: card.value, publicKey: card.account.map { Hex.encode($0.account) } ?? ""),
                        in: &open[open.count - 1])
                }
            case .balance:
                add(balance: card, pallet: open.last?.pallet)
                if !open.isEmpty,
                    let total = ReviewSummary.Total(card, network: network, pallet: open.last?.pallet)
                {
                    open[open.count - 1].add(total)
                }
            case .number:
                if index + 1 < cards.count, let asset = cards[index + 1].unknownAsset,
                    cards[index + 1].indent == card.indent
                {
                    add(card.value, of: asset, pallet: open.last?.pallet)
                    if let last = open.last, asset.utf8Equals("?") {
                        open[open.count - 1].unnamed.append(last.argument)
                    } else if !open.isEmpty {
                        open[open.count - 1].add(
                            .init(token: token(of: asset, pallet: open.last?.pallet), raw: card.value))
                    }
                }
            case .enumVariant, .tip, .text, .bytes, .bits, .bool, .none, .identityField, .eraImmortal,
                .eraMortal, .nonce, .blockHash,
                .genesisHash, .specVersion, .txVersion, .metadataHash, .extension, .author, .authorUnknown,
                .warning, .error, .verifier,
                .metadata, .types, .newSpecs, .network, .derivation, .message, .notice:
                break
            }
        }
        for call in open { close(call) }
    }

    /// The accounts and the amounts of a call belong together whatever their order is. Nobody receives an
    /// amount of 0.
    private mutating func close(_ call: Open) {
        guard call.runs else { return }
        for role in Self.payments where role.calls.contains(ExactText(call.call)) {
            let places = Set(call.payments.filter { role.receiver == ExactText($0.argument) }.map(\.place))
            var amounts: [ReviewSummary.Total] = []
            for (argument, total) in call.amounts
            where role.amount == ExactText(argument) && DecimalDigits.isLess("0", total.raw) {
                amounts.keep(total) { DecimalDigits.isLess($0, $1) ? $1 : $0 }
            }
            for place in places {
                for amount in amounts { payments[place].receive(amount, isCertain: !call.isAlternative) }
                if call.unnamed.contains(where: { role.amount == ExactText($0) }) {
                    payments[place].receivesUnnamed = true
                }
            }
        }
    }

    /// The account in whose name a call acts gains nothing. The other signatories of a multisig do: they may
    /// act for it.
    private mutating func pay(_ payment: Payment, in call: inout Open) {
        guard !call.carriesCall || !call.argument.utf8Equals("real") else { return }
        let text = ExactText(payment.address)
        if paid[text] == nil {
            paid[text] = payments.count
            payments.append(payment)
        }
        if let place = paid[text] { call.payments.append((call.argument, place)) }
    }

    private func token(of asset: String, pallet: String?) -> ReviewSummary.Total.Token {
        .init(
            network: network, asset: ExactText(asset), pallet: pallet.map { ExactText($0) }, symbol: nil,
            decimals: 0)
    }

    /// Whether the call whose pallet's card is the first has an argument that ``callArguments`` names.
    private static func carriesCall(_ cards: ArraySlice<Card>) -> Bool {
        guard let pallet = cards.first else { return false }
        for card in cards.dropFirst() {
            guard card.indent > pallet.indent else { return false }
            if card.indent == pallet.indent + 2, card.kind == .fieldName,
                callArguments.contains(ExactText(card.value))
            {
                return true
            }
        }
        return false
    }

    private static let callArguments: Set<ExactText> = ["call", "call_hash"]

    /// Arguments of a call that carries a call, whose accounts gain nothing by being named: the other
    /// signatories of a multisig approve with the signer, and the account in whose name a proxy acts pays.
    /// Every other account is a recipient, whatever its argument is called: a name that nobody thought of
    /// must not hide one.
    static let ownSide: Set<ExactText> = ["other_signatories", "real"]

    private mutating func add(account card: Card, argument: String, of call: Open?) {
        guard call?.carriesCall != true || !Self.ownSide.contains(ExactText(argument)) else { return }
        if let index = known[ExactText(card.value)] {
            recipients[index].count += 1
            if !recipients[index].arguments.containsUTF8(of: argument) {
                recipients[index].arguments.append(argument)
            }
            return
        }
        known[ExactText(card.value)] = recipients.count
        recipients.append(
            ReviewSummary.Recipient(
                address: card.value, publicKey: card.account.map { Hex.encode($0.account) } ?? "",
                label: card.known?.label?.text,
                relation: card.relation,
                arguments: [argument], count: 1))
    }

    private mutating func add(balance card: Card, pallet: String?) {
        guard let total = ReviewSummary.Total(card, network: network, pallet: pallet) else { return }
        add(total.raw, of: total.token)
    }

    private mutating func add(_ raw: String, of asset: String, pallet: String?) {
        guard !asset.utf8Equals("?") else { return hasUnclearAssets = true }
        add(raw, of: token(of: asset, pallet: pallet))
    }

    private mutating func add(_ raw: String, of token: ReviewSummary.Total.Token) {
        if let index = places[token] {
            totals[index].raw = DecimalDigits.sum(totals[index].raw, raw)
        } else {
            places[token] = totals.count
            totals.append(.init(token: token, raw: raw))
        }
    }

    private mutating func count(_ name: CallSummary.Name) {
        if let index = counted[name] {
            calls[index].count += 1
        } else {
            counted[name] = calls.count
            calls.append(.init(name: name, count: 1))
        }
    }
}

extension [ReviewSummary.Total] {
    /// One amount of each token, of no more tokens than the history keeps: a call may have thousands.
    fileprivate mutating func keep(_ total: ReviewSummary.Total, _ merged: (String, String) -> String) {
        guard let place = firstIndex(where: { $0.token == total.token }) else {
            if count < PaidDestination.assetLimit { append(total) }
            return
        }
        self[place].raw = merged(self[place].raw, total.raw)
    }
}

extension Card {
    /// The asset in whose smallest unit the number before this notice is.
    var unknownAsset: String? {
        guard case .foreignUnit(let asset)? = notice else { return nil }
        return asset.text
    }
}
