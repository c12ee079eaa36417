import Cards
import Hashing
import SubstratePrimitives

/// What may be signed, as the owner of the machine wrote it down. A rule that is absent allows everything,
/// with one exception: a policy that limits anything and does not state `messages` refuses messages.
///
/// `approve` is a list of such objects, and what one of them allows is approved without a person. Each must
/// have the rules that `isWhole` requires, without `Pallet.*` among its calls, so that nothing is approved
/// that nobody thought of.
public struct TransactionPolicy: Sendable, Equatable {
    /// Names of networks.
    public var networks: [String]?
    /// `Pallet.call`, or `Pallet.*` for all calls of a pallet; nested calls count.
    public var calls: [String]?
    /// Every account among the arguments of calls must be one of these: SS58 addresses of any prefix, or `0x`
    /// and hex. So must be the account of a chain that assets are sent to. Bytes that may name a recipient,
    /// and places on other chains that are no account there, are refused.
    public var destinations: [String]?
    /// The accounts that may sign, written as destinations are.
    public var signers: [String]?
    /// Planck as decimal digits, for all amounts of a transaction together. Amounts of other assets, and
    /// calls that move everything or are not shown, cannot be compared and so are refused.
    public var maximumAmount: String?
    /// Planck as decimal digits, for all amounts of a transaction that has any.
    public var minimumAmount: String?
    /// Limits of the amounts that are signed within a time.
    public var totals = Totals()
    /// Limits of other tokens; amounts of a token that is not listed are then refused. Each token once.
    public var assets: [AssetRule]?
    /// Planck as decimal digits.
    public var maximumTip: String?
    public var feeAsset: FeeAssetRule?
    public var mortality: MortalityRule?
    public var extensions: ExtensionRule?
    public var messages: MessageRule?
    /// What of a transaction the chain must check; a message has no metadata.
    public var requireMetadataHash: MetadataHashDemand?
    /// How many signatures a rule under `approve` gives within a time, whatever they move, on all networks
    /// and for all signers together. A missing one is ``CountWindow/standard``. No signature is free: each
    /// uses a nonce, so whoever makes the transactions could use up all of them.
    public var maximumCount: [CountWindow: UInt32]?
    /// What is approved without a person; see `withStrictDefaults`.
    public private(set) var approve: [TransactionPolicy]?

    /// The highest sums that one signer may sign on one network within a time, in the smallest unit as
    /// decimal digits.
    public struct Totals: Sendable, Equatable {
        public var perDay: String?
        public var perWeek: String?
        public var perMonth: String?

        public init(perDay: String? = nil, perWeek: String? = nil, perMonth: String? = nil) {
            (self.perDay, self.perWeek, self.perMonth) = (perDay, perWeek, perMonth)
        }

        public var isEmpty: Bool { perDay == nil && perWeek == nil && perMonth == nil }

        public subscript(window: BudgetWindow) -> String? {
            switch window {
            case .day: perDay
            case .week: perWeek
            case .month: perMonth
            }
        }
    }

    /// The limits of one token that is not the chain's own, as ``maximumAmount``, ``minimumAmount`` and
    /// ``totals`` limit the chain's.
    public struct AssetRule: Sendable, Equatable {
        public let asset: AssetKey
        public var maximumAmount: String?
        public var minimumAmount: String?
        public var totals = Totals()

        public init(
            _ asset: AssetKey, maximumAmount: String? = nil, minimumAmount: String? = nil,
            totals: Totals = Totals()
        ) {
            (self.asset, self.maximumAmount, self.minimumAmount, self.totals) = (
                asset, maximumAmount, minimumAmount, totals
            )
        }
    }

    /// What may pay the fee.
    public enum FeeAssetRule: Sendable, Equatable {
        case any
        /// The chain's own token where `native`, and assets by the encoding of their id.
        case only(native: Bool, assets: Set<[UInt8]>)

        static let native = Self.only(native: true, assets: [])
    }

    /// How long a transaction may be included.
    public enum MortalityRule: Sendable, Equatable {
        case any
        /// In blocks, 4…65536.
        case mortal(maximumPeriod: UInt32)

        /// Every mortal era.
        static let mortal = Self.mortal(maximumPeriod: MortalEra.longestPeriod)
    }

    /// Extensions with bytes that no known extension explains.
    public enum ExtensionRule: Sendable, Equatable {
        case allow
        case deny
        /// By the UTF-8 of the identifier.
        case only([[UInt8]: Content])

        /// What a rule allows an extension to hold.
        public enum Content: Sendable, Equatable {
            case any
            /// The explicit part, then the implicit part.
            case exactly([UInt8])
        }
    }

    /// Messages, which have no calls and no extensions.
    public enum MessageRule: Sendable, Equatable {
        case allow
        case deny
        /// The first bytes of the message without its tags; what follows may be anything.
        case prefix([UInt8])
    }

    public init(
        networks: [String]? = nil, calls: [String]? = nil, destinations: [String]? = nil,
        signers: [String]? = nil,
        maximumAmount: String? = nil, minimumAmount: String? = nil, totals: Totals = Totals(),
        assets: [AssetRule]? = nil,
        maximumTip: String? = nil, feeAsset: FeeAssetRule? = nil, mortality: MortalityRule? = nil,
        extensions: ExtensionRule? = nil, messages: MessageRule? = nil,
        requireMetadataHash: MetadataHashDemand? = nil,
        maximumCount: [CountWindow: UInt32]? = nil, approve: [TransactionPolicy]? = nil
    ) {
        self.networks = networks
        self.calls = calls
        self.destinations = destinations
        self.signers = signers
        self.maximumAmount = maximumAmount
        self.minimumAmount = minimumAmount
        self.totals = totals
        self.assets = assets
        self.maximumTip = maximumTip
        self.feeAsset = feeAsset
        self.mortality = mortality
        self.extensions = extensions
        self.messages = messages
        self.requireMetadataHash = requireMetadataHash
        self.maximumCount = maximumCount
        self.approve = approve?.map(\.withStrictDefaults)
    }

    /// The rule as `approve` applies it: missing rules for extensions, messages and the metadata hash get the
    /// strictest value, so that a rule which was written before these keys existed approves less, never more.
    /// `signers` has no such value: without it, every key of the vault may sign.
    private var withStrictDefaults: TransactionPolicy {
        var rule = self
        rule.feeAsset = feeAsset ?? .native
        rule.mortality = mortality ?? .mortal
        rule.extensions = extensions ?? .deny
        rule.messages = messages ?? .deny
        // A rule stands for a person who reads the cards, and nobody reads whom to believe about them. So it
        // signs what needs no belief.
        rule.requireMetadataHash = requireMetadataHash ?? .always
        return rule
    }

    /// Whether the rule limits everything, so that it may replace a person. Only a rule for messages may omit
    /// the calls.
    var isWhole: Bool {
        guard networks?.isEmpty == false, let calls, destinations != nil, maximumAmount != nil,
            maximumTip != nil, approve == nil
        else {
            return false
        }
        if calls.isEmpty {
            guard case .prefix? = messages else { return false }
        }
        return !calls.contains { $0.utf8.last == UInt8(ascii: "*") }
    }

    /// The highest number of signatures that it gives within a time, where it stands for a person.
    public func maximumCount(within window: CountWindow) -> UInt32 {
        maximumCount?[window] ?? window.standard
    }

    /// Whether it limits what is signed within a time.
    public var hasBudget: Bool { !totals.isEmpty || (assets ?? []).contains { !$0.totals.isEmpty } }

    /// The same of it and of the rules under `approve`.
    public var hasAnyBudget: Bool { hasBudget || (approve ?? []).contains(where: \.hasBudget) }

    /// Whether the list of signers has an account, or there is no list.
    public func mayBeSigned(by account: [UInt8]) -> Bool { signerViolation(account) == nil }

    /// Whether it has any rule besides `messages` and `approve`.
    private var limitsTransactions: Bool {
        networks != nil || calls != nil || destinations != nil || signers != nil || limitsAmounts
            || maximumTip != nil
            || feeAsset != nil || mortality != nil || extensions != nil || requireMetadataHash != nil
    }
}

// MARK: What breaks a rule

extension TransactionPolicy {
    /// The rule that a transaction or a message breaks.
    public enum Violation: Error, Sendable, Equatable {
        case network(String)
        /// The name of a network on the list, which several chains of the vault have, or which only a
        /// metadata proof speaks for.
        case networkUncertain(String)
        /// A message to any network, under a policy that lists networks.
        case networkMissing
        /// Hex of the account.
        case signer(String)
        /// The key is not derived yet, so its account is not known.
        case signerUnknown
        case call(String)
        /// Hex of the account.
        case destination(String)
        /// An address that names no account by its key.
        case destinationUnknown
        case amount(total: UInt128)
        /// An amount that cannot be compared: of another asset, everything, or inside a call that is not
        /// shown.
        case amountUnknown
        case amountTooSmall(total: UInt128)
        /// An amount that cannot be counted, under the key that needs it counted.
        case amountUncounted(Key)
        /// A token that the list of assets does not have.
        case assetNotListed(AssetKey)
        case assetAmount(AssetKey, total: UInt128)
        case assetAmountTooSmall(AssetKey, total: UInt128)
        /// Together with what was signed within the time of a budget.
        case budget(BudgetExcess)
        case tip(UInt128)
        /// The encoded id of the asset; nil for the chain's own token.
        case feeAsset([UInt8]?)
        /// What pays the fee cannot be determined.
        case feeAssetUnknown
        /// The transaction never expires.
        case immortal
        /// Blocks.
        case period(UInt32, maximum: UInt32)
        /// An extension that carries bytes which the rule does not allow.
        case unknownExtension(String, [UInt8])
        case message
        case messagePrefix
        /// The policy limits transactions and has no rule for messages.
        case messageNotMentioned
        /// The chain does not check as much of the metadata as the rule demands.
        case metadataHash(MetadataHashCheck)

        /// The name of the rule in the policy file.
        public var rule: Key {
            switch self {
            case .network, .networkUncertain, .networkMissing: .networks
            case .signer, .signerUnknown: .signers
            case .call: .calls
            case .destination, .destinationUnknown: .destinations
            case .amount, .amountUnknown: .maximumAmount
            case .amountTooSmall: .minimumAmount
            case .amountUncounted(let key): key
            case .assetNotListed, .assetAmount, .assetAmountTooSmall: .assets
            case .budget(let excess): excess.window.key
            case .tip: .maximumTip
            case .feeAsset, .feeAssetUnknown: .feeAsset
            case .immortal, .period: .mortality
            case .unknownExtension: .extensions
            case .message, .messagePrefix, .messageNotMentioned: .messages
            case .metadataHash: .requireMetadataHash
            }
        }
    }

    /// - `scheme`: of the network's keys; a list may name the network with it, `westend/ed25519`. nil where
    ///   no specs say it.
    /// - `signer`: the account that signs, 32 or 20 bytes; nil while the key is not derived.
    /// - Returns: the first rule that the transaction breaks; nil when it breaks none.
    public func violation(
        of transaction: DecodedTransaction, network: String, scheme: SignatureScheme? = nil, signer: [UInt8]?
    ) -> Violation? {
        networkViolation(network, scheme) ?? signerViolation(signer) ?? callViolation(of: transaction.summary)
            ?? destinationViolation(of: transaction.summary) ?? amountViolation(of: transaction)
            ?? extensionViolation(of: transaction)
            ?? metadataHashViolation(transaction.hashCheck)
    }

    /// - `content`: the message without its tags.
    /// - `network`: nil for a message to any network.
    public func violation(
        ofMessage content: some Collection<UInt8>, network: String?, scheme: SignatureScheme? = nil,
        signer: [UInt8]?
    ) -> Violation? {
        if let found = networkViolation(network, scheme) ?? signerViolation(signer) { return found }
        switch messages {
        case .allow: return nil
        case .deny: return .message
        case .prefix(let prefix): return content.starts(with: prefix) ? nil : .messagePrefix
        case nil: return limitsTransactions ? .messageNotMentioned : nil
        }
    }

    private func networkViolation(_ network: String?, _ scheme: SignatureScheme?) -> Violation? {
        guard let networks else { return nil }
        guard let network else { return .networkMissing }
        return Self.lists(networks, network, scheme) ? nil : .network(network)
    }

    private func signerViolation(_ signer: [UInt8]?) -> Violation? {
        guard let signers else { return nil }
        guard let signer else { return .signerUnknown }
        return signers.contains { Self.account($0) == signer } ? nil : .signer(Hex.encode(signer))
    }

    private func callViolation(of summary: CallSummary) -> Violation? {
        guard let calls else { return nil }
        // A call that is not shown may be any call.
        if let hidden = summary.hiddenCalls.first { return .call("0x\(hidden.hex)") }
        let allowed = Set(calls.map { ExactText($0) })
        return summary.calls.first {
            !allowed.contains(ExactText("\($0)")) && !allowed.contains(ExactText("\($0.pallet).*"))
        }.map { .call("\($0)") }
    }

    private func destinationViolation(of summary: CallSummary) -> Violation? {
        guard let destinations else { return nil }
        let allowed = Set(destinations.compactMap(Self.account))
        for account in summary.accounts where !allowed.contains(account) {
            return .destination(Hex.encode(account))
        }
        for account in summary.chainAccounts where !allowed.contains(account) {
            return .destination(Hex.encode(account))
        }
        // A value that may name a recipient and is no account of the list is one that nobody allowed.
        if summary.hasOtherAddresses || !summary.possibleRecipients.allSatisfy(allowed.contains) {
            return .destinationUnknown
        }
        return summary.hiddenCalls.first.map { .destination($0.hex) }
    }

    private func amountViolation(of transaction: DecodedTransaction) -> Violation? {
        let summary = transaction.summary
        if let key = countingKey {
            if !summary.hasOnlyCountableAmounts || assets == nil && summary.hasAssetAmounts {
                return .uncounted(key)
            }
            if let maximumAmount {
                guard let maximum = UInt128(maximumAmount) else { return .amountUnknown }
                if summary.nativeTotal > maximum { return .amount(total: summary.nativeTotal) }
            }
            if let minimumAmount, !summary.nativeAmounts.isEmpty {
                guard let minimum = UInt128(minimumAmount) else { return .uncounted(.minimumAmount) }
                if summary.nativeTotal < minimum { return .amountTooSmall(total: summary.nativeTotal) }
            }
            if let violation = assetViolation(of: summary) { return violation }
        }
        if let maximumTip, let tip = transaction.facts.tip {
            guard let maximum = UInt128(maximumTip), tip <= maximum else { return .tip(tip) }
        }
        return nil
    }

    private func assetViolation(of summary: CallSummary) -> Violation? {
        guard let assets else { return nil }
        for (asset, total) in summary.assetTotals {
            guard let rule = assets.first(where: { $0.asset == asset }) else { return .assetNotListed(asset) }
            if let text = rule.maximumAmount {
                guard let maximum = UInt128(text), total <= maximum else {
                    return .assetAmount(asset, total: total)
                }
            }
            if let text = rule.minimumAmount {
                guard let minimum = UInt128(text), total >= minimum else {
                    return .assetAmountTooSmall(asset, total: total)
                }
            }
        }
        return nil
    }

    /// The first key that needs every amount counted; nil where none does.
    private var countingKey: Key? {
        if maximumAmount != nil { return .maximumAmount }
        if minimumAmount != nil { return .minimumAmount }
        return BudgetWindow.allCases.first { totals[$0] != nil }?.key ?? (assets == nil ? nil : .assets)
    }

    private var limitsAmounts: Bool { countingKey != nil }

    private func extensionViolation(of transaction: DecodedTransaction) -> Violation? {
        let content = ExtensionContent(of: transaction)
        return feeAssetViolation(content.feeAsset) ?? mortalityViolation(of: transaction.facts.era)
            ?? content.unexplained.lazy.compactMap(violation(of:)).first
    }

    private func feeAssetViolation(_ paid: ExtensionContent.FeeAsset) -> Violation? {
        switch feeAsset {
        case nil, .any: return nil
        case .only(let native, let assets):
            switch paid {
            case .native: return native ? nil : .feeAsset(nil)
            case .asset(let id): return assets.contains(id) ? nil : .feeAsset(id)
            case .unknown: return .feeAssetUnknown
            }
        }
    }

    /// A transaction without an era never expires.
    private func mortalityViolation(of era: Era?) -> Violation? {
        switch mortality {
        case nil, .any: return nil
        case .mortal(let maximum):
            switch era {
            case nil, .immortal: return .immortal
            case .mortal(let era): return era.period <= maximum ? nil : .period(era.period, maximum: maximum)
            }
        }
    }

    private func violation(of part: ExtensionContent.Part) -> Violation? {
        let violation = Violation.unknownExtension(part.identifier, part.bytes)
        switch extensions {
        case nil, .allow: return nil
        case .deny: return violation
        case .only(let allowed):
            switch allowed[Array(part.identifier.utf8)] {
            case nil: return violation
            case .any: return nil
            case .exactly(let bytes): return bytes == part.bytes ? nil : violation
            }
        }
    }

    private func metadataHashViolation(_ check: MetadataHashCheck) -> Violation? {
        guard let requireMetadataHash, !requireMetadataHash.allows(check) else { return nil }
        return .metadataHash(check)
    }

    /// Names are compared as UTF-8 bytes: names that look equal may be two networks.
    ///
    /// A name stands for every scheme of its chain, a name with a scheme for that scheme alone. The review
    /// refuses where another network of this device could have that name, too.
    public static func lists(_ names: [String], _ name: String, _ scheme: SignatureScheme?) -> Bool {
        names.containsUTF8(of: name) || scheme.map { names.containsUTF8(of: "\(name)/\($0.name)") } == true
    }

    /// The account that a text names; an SS58 address of 33 bytes is an ECDSA key, whose account is its
    /// BLAKE2b-256.
    static func account(_ text: String) -> [UInt8]? {
        if text.utf8Starts(with: "0x") {
            return Hex.decode(text).flatMap { [20, 32].contains($0.count) ? $0 : nil }
        }
        guard let account = (try? SS58Address(text))?.account else { return nil }
        return account.count == 33 ? BLAKE2b.hash(account) : account
    }
}

extension CallSummary {
    /// All amounts of the chain's own token together; the largest number where they are more.
    public var nativeTotal: UInt128 { nativeAmounts.reduce(0) { $0.addingSaturating($1) } }

    /// The same of each token that can be told apart from others, in the order of reading.
    public var assetTotals: [(asset: AssetKey, total: UInt128)] {
        assetAmounts.compactMap { amount in amount.key.map { (asset: $0, total: amount.raw.clamped) } }
            .merged(by: \.asset) { $0.total = $0.total.addingSaturating($1.total) }
    }

    /// Whether the stated amounts are everything that the transaction moves, each in a token that is known. A
    /// call that moves everything, a program, a hidden call and an unexplained number may move any amount.
    public var hasOnlyCountableAmounts: Bool {
        !hasBareNumbers && !movesUnstatedWorth
            && hiddenCalls.isEmpty && !warnings.contains(.movesEverything) && !warnings.contains(.runsProgram)
            && !assetAmounts.contains { $0.key == nil }
    }
}

extension TransactionPolicy.Violation {
    fileprivate static func uncounted(_ key: TransactionPolicy.Key) -> Self {
        key == .maximumAmount ? .amountUnknown : .amountUncounted(key)
    }
}
