import Cards
import SubstratePrimitives

/// What all calls of a transaction do, nested ones included.
///
/// Calls, accounts and amounts are those of the cards. The card builder adds what no card shows.
public struct CallSummary: Sendable, Equatable {
    public internal(set) var shown = ShownCalls([])
    /// Whether any argument is an address that does not name an account by its key: an index, bytes of
    /// another length, or a place on another chain that is not simply an account of that chain.
    public internal(set) var hasOtherAddresses = false
    /// Byte strings of unknown meaning: each may name a recipient.
    public internal(set) var possibleRecipients: [[UInt8]] = []
    /// The accounts here that hold what is sent to other chains, 32 bytes each. The relay chain and its
    /// system chains have none.
    public internal(set) var chainAccounts: [[UInt8]] = []
    /// Whether locations (XCM) are among the arguments: accounts on other chains, and ways to get there.
    public internal(set) var hasLocations = false
    /// Whether any argument is an integer, of whatever width, that neither its type nor ``ArgumentMeaning``
    /// explains: it may be an amount.
    public internal(set) var hasBareNumbers = false
    /// Whether any argument is a variant without fields that neither its type nor ``ArgumentMeaning``
    /// explains: where another variant has an amount, it may say all of it.
    public internal(set) var hasBareChoices = false
    /// Whether a call gives away, destroys or locks something whose worth no argument states.
    public internal(set) var movesUnstatedWorth = false
    /// Whether a remark has no length before its bytes. On every known runtime it has one; without it the
    /// bytes of the call are whatever its maker likes, from the third on.
    public internal(set) var hasRemarkWithoutLength = false
    /// Hashes of calls that are not shown.
    public internal(set) var hiddenCalls: [Hash32] = []
    /// Whether one of the hidden calls is for another chain, whose types this chain's metadata does not have.
    public internal(set) var hasForeignCalls = false
    public internal(set) var warnings: [Warning] = []

    /// In the order of reading.
    public var calls: [ShownCalls.Name] { shown.calls.map(\.name) }
    /// Every account among the arguments, 32 or 20 bytes.
    public var accounts: [[UInt8]] { shown.accounts.map(\.account) }
    /// Every amount of the chain's own token, in its smallest unit; the largest number for one beyond 128
    /// bits.
    public var nativeAmounts: [UInt128] {
        shown.amounts.filter { $0.token.asset == nil }.map(\.raw.clamped)
    }
    /// Amounts of other tokens, in the order of reading.
    public var assetAmounts: [ShownCalls.Amount] { shown.amounts.filter { $0.token.asset != nil } }
    /// Whether amounts of other tokens are among the arguments.
    public var hasAssetAmounts: Bool { shown.amounts.contains { $0.token.asset != nil } }
    /// Whether an amount is shown in a unit from an ``AssetDirectory``; no metadata has it.
    public var usesAssetUnits: Bool {
        shown.amounts.contains { $0.token.asset != nil && $0.token.symbol != nil }
    }
}

/// The calls of a transaction as their cards show them. The policy, the budgets, the history and the person's
/// summary all use this one reading.
///
/// Cards of nested calls count like those of the outer call, also where the nested call stands in bytes or
/// behind a hash that was supplied: those cards are derived, but a chain may run them.
public struct ShownCalls: Sendable, Equatable {
    /// A pallet and a call, as the metadata spells them.
    public struct Name: Sendable, Hashable, CustomStringConvertible {
        public let pallet: ExactText
        public let call: ExactText

        public init(pallet: ExactText, call: ExactText) { (self.pallet, self.call) = (pallet, call) }

        /// `Pallet.call`
        public var description: String { "\(pallet).\(call)" }
    }

    /// A call, and where it stands.
    public struct Call: Sendable, Equatable {
        public let name: Name
        /// The places of its cards and of all that it carries, its pallet's first.
        public fileprivate(set) var cards: Range<Int>
        /// Behind the last call that it carries, among all calls.
        public fileprivate(set) var end: Int
        /// Whether one of its arguments is a call or the hash of one, so that it acts together with others or
        /// in another's name.
        public fileprivate(set) var carriesCall = false
        /// Whether it runs when the transaction does.
        public let runs: Bool
        /// Whether it does so as the signer. What runs as another account, behind a proxy or as a multisig,
        /// runs only if that account allows it, and nobody here knows that.
        public let runsAsSigner: Bool
        /// Whether it may run in the place of another, or another in its place.
        public let isAlternative: Bool
    }

    /// An account among the arguments.
    public struct Account: Sendable, Equatable {
        /// 32 or 20 bytes.
        public let account: [UInt8]
        /// As the card writes it.
        public let address: ExactText
        /// The argument that names it; empty beside all arguments.
        public let argument: ExactText
        /// Among ``ShownCalls/calls``; nil beside all calls.
        public let call: Int?
        /// The place of its card.
        public let card: Int
    }

    /// What keeps two tokens apart that print the same unit.
    public struct Token: Sendable, Hashable {
        /// The text of the asset's id; nil for the chain's own token.
        public let asset: ExactText?
        /// The pallet of the call that names the asset. The same id in another pallet is another asset.
        public let pallet: ExactText?
        /// nil where the decimals of the asset are unknown.
        public let symbol: ExactText?
        public let decimals: UInt8

        public init(asset: ExactText?, pallet: ExactText?, symbol: ExactText?, decimals: UInt8) {
            (self.asset, self.pallet, self.symbol, self.decimals) = (asset, pallet, symbol, decimals)
        }

        /// Of an amount in a unit.
        public init(_ amount: Card.Amount, pallet: ExactText?) {
            self.init(
                asset: amount.asset?.id, pallet: amount.asset == nil ? nil : pallet,
                symbol: ExactText(amount.text.symbol), decimals: amount.decimals)
        }

        /// Whether nothing names the asset.
        public var isUnclear: Bool { asset == Notice.unnamedAsset }
    }

    /// An amount among the arguments, also one that is only a limit, such as the least that a swap may
    /// return: a total can be too large, never too small.
    public struct Amount: Sendable, Equatable {
        public let token: Token
        /// nil for the chain's own token, and where nothing tells the asset apart from others: its call names
        /// several, or another chain reads its name.
        public let key: AssetKey?
        public let raw: Planck
        /// As in ``ShownCalls/Account``.
        public let argument: ExactText
        public let call: Int?
        public let card: Int
    }

    /// All calls in reading order: nested calls follow the call that contains them.
    public private(set) var calls: [Call] = []
    public private(set) var accounts: [Account] = []
    public private(set) var amounts: [Amount] = []

    /// Calls that run the calls in them. A call inside any other call may never run: it waits, is announced,
    /// or is only text.
    private static let carriers: Set<ExactText> = [
        "batch", "batch_all", "force_batch", "proxy", "proxy_announced", "as_multi", "as_multi_threshold_1",
        "as_derivative", "as_recovered", "control_inherited_account", "if_else",
    ]
    /// Those of them that run their calls as the account that makes them. Other pallets have batches, too,
    /// and one of Mythos runs each call as another account.
    private static let ownCarriers = Set(
        ["batch", "batch_all", "force_batch"].map { Name(pallet: "Utility", call: $0) })
    private static let alternative: ExactText = "if_else"
    private static let callArguments: Set<ExactText> = ["call", "call_hash"]

    /// - Parameter cards: of calls. A call's arguments stand two levels further in than its pallet.
    public init(_ cards: [Card]) {
        var open: [(call: Int, indent: Int, argument: ExactText, part: ExactText)] = []
        func close(at end: Int) {
            let last = open.removeLast().call
            calls[last].cards = calls[last].cards.lowerBound..<end
            calls[last].end = calls.count
        }
        for (index, card) in cards.enumerated() {
            while let last = open.last, last.indent >= card.indent { close(at: index) }
            let call = open.last?.call
            switch card.kind {
            case .pallet:
                guard index + 1 < cards.count, cards[index + 1].kind == .call else { continue }
                let name = Name(pallet: ExactText(card.value), call: ExactText(cards[index + 1].value))
                let around = call.map { calls[$0] }
                open.append((calls.count, card.indent, "", ""))
                calls.append(
                    Call(
                        name: name, cards: index..<index, end: calls.count,
                        runs: around.map { $0.runs && Self.carriers.contains($0.name.call) } ?? true,
                        runsAsSigner: around.map {
                            $0.runsAsSigner && Self.ownCarriers.contains($0.name)
                        } ?? true,
                        isAlternative: around.map { $0.isAlternative || $0.name.call == Self.alternative }
                            ?? false))
            case .fieldName, .fieldNumber:
                guard let last = open.last else { continue }
                if card.indent == last.indent + 3 { open[open.count - 1].part = ExactText(card.value) }
                guard card.indent == last.indent + 2 else { continue }
                open[open.count - 1].part = ""
                let argument = ExactText(card.value)
                open[open.count - 1].argument = argument
                if Self.callArguments.contains(argument) { calls[last.call].carriesCall = true }
            case .account:
                accounts.append(
                    Account(
                        account: card.account?.address.account ?? [], address: ExactText(card.value),
                        argument: open.last?.argument ?? "", call: call, card: index))
            case .balance:
                guard let amount = card.amount else { continue }
                if let last = open.last, isRate(card, amount, calls[last.call].name, last) { continue }
                amounts.append(
                    Amount(
                        token: Token(amount, pallet: call.map { calls[$0].name.pallet }), key: amount.asset,
                        raw: amount.raw, argument: open.last?.argument ?? "", call: call, card: index))
            case .number:
                guard index + 1 < cards.count, cards[index + 1].indent == card.indent,
                    case .foreignUnit(let asset, let key)? = cards[index + 1].notice,
                    let raw = Planck(card.value)
                else { continue }
                amounts.append(
                    Amount(
                        token: Token(
                            asset: asset, pallet: call.map { calls[$0].name.pallet }, symbol: nil, decimals: 0
                        ),
                        key: key, raw: raw, argument: open.last?.argument ?? "", call: call, card: index))
            case .call, .enumVariant, .tip, .text, .bytes, .bits, .bool, .none, .identityField, .eraImmortal,
                .eraMortal, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash,
                .extension, .author, .authorUnknown, .warning, .verifier, .metadata, .types,
                .newSpecs,
                .network, .derivation, .message, .notice:
                break
            }
        }
        while !open.isEmpty { close(at: cards.count) }
    }

    /// Whether an amount only says how fast the one before it becomes free. A rate is never higher than that
    /// amount: a higher one counts as an amount, and so does one on a chain where the argument has another
    /// meaning.
    private func isRate(
        _ card: Card, _ amount: Card.Amount, _ name: Name,
        _ place: (call: Int, indent: Int, argument: ExactText, part: ExactText)
    ) -> Bool {
        guard card.indent == place.indent + 4, let whole = amounts.last, whole.call == place.call,
            whole.argument == place.argument, whole.raw >= amount.raw
        else { return false }
        return ArgumentMeaning.isRate(
            pallet: name.pallet, call: name.call, argument: place.argument, part: place.part)
    }

    /// Arguments that name accounts without paying them, in calls that carry a call: the other signatories of
    /// a multisig approve with the signer, and the account for which a proxy acts pays. Every other account
    /// is a recipient, whatever its argument is called, so that an unknown name hides none.
    private static let ownSide: Set<ExactText> = ["other_signatories", "real"]

    /// The accounts that may gain something; one that is named twice is there twice.
    public var recipients: [Account] {
        accounts.filter { named in
            let carriesCall = named.call.map { calls[$0].carriesCall } ?? false
            return !carriesCall || !Self.ownSide.contains(named.argument)
        }
    }

    /// The outermost of the calls whose cards are among these.
    public func outermost(in cards: Range<Int>) -> [Int] {
        var found: [Int] = []
        var index = calls.partition { $0.cards.lowerBound >= cards.lowerBound }
        while index < calls.count, calls[index].cards.lowerBound < cards.upperBound {
            found.append(index)
            index = calls[index].end
        }
        return found
    }

    /// The amounts of a call and of all that it carries.
    public func amounts(of call: Int) -> ArraySlice<Amount> {
        let cards = calls[call].cards
        return amounts[
            amounts.partition {
                $0.card >= cards.lowerBound
            }..<amounts.partition { $0.card >= cards.upperBound }]
    }

    /// Whether this call, or one inside it, carries two calls and runs only one of them. The sum of all
    /// amounts is then more than what can be moved.
    public func hasAlternatives(in call: Int) -> Bool {
        calls[call..<calls[call].end].contains { $0.name.call == Self.alternative }
    }
}

extension Array {
    /// The first index at which `holds` is true, or the end if it is true nowhere. It must stay true for all
    /// later elements.
    fileprivate func partition(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
