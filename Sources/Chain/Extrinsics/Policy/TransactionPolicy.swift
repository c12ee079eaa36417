import Cards
import Hashing
import SubstratePrimitives

/// What the owner of the machine allows to be signed. A missing key allows everything, with one exception: a
/// policy that limits anything and does not state `messages` refuses messages.
///
/// `approve` is a list of such objects: each approves without a person what it allows. Each must have the
/// keys that `isWhole` requires, and no `Pallet.*` among its calls, so that it approves nothing by accident.
public struct TransactionPolicy: Sendable, Equatable {
    /// Networks whose transactions and messages may be signed.
    public var networks: [NetworkName]?
    /// Calls that may be signed; nested calls count.
    public var calls: [CallPattern]?
    /// Every account among the arguments of calls must be one of these. So must be the account of a chain
    /// that assets are sent to. Bytes that may name a recipient, and places on other chains that are no
    /// account there, are refused.
    public var destinations: [Account]?
    /// The accounts that may sign.
    public var signers: [Account]?
    /// For all amounts of a transaction together. Amounts of other assets, and calls that move everything or
    /// are not shown, cannot be compared and so are refused.
    public var maximumAmount: Limit?
    /// For all amounts of a transaction that has any.
    public var minimumAmount: Limit?
    /// Limits of the amounts that are signed within a time.
    public var totals = Totals<Limit>()
    /// Limits of other tokens; amounts of a token that is not listed are then refused. Each token once.
    public var assets: [AssetRule]?
    public var maximumTip: Limit?
    public var feeAsset: FeeAssetRule?
    public var mortality: MortalityRule?
    public var extensions: ExtensionRule?
    public var messages: MessageRule?
    /// What of a transaction the chain must check; a message has no metadata.
    public var requireMetadataHash: MetadataHashDemand?
    /// Whose accounts must be proven beside a transaction, see ``StateEvidence``; a message has no state.
    public var requireStateProof: StateDemand?
    /// Of the signer's proven free balance, after the amounts and the tip.
    public var minimumRemaining: Limit?
    /// Whether every destination must be proven to exist.
    public var existingDestinations = false
    /// How old keys may be. Only of the policy itself: a rule under `approve` is no older than the keys.
    public var keyAge: AgeRule?
    /// How many signatures a rule under `approve` gives within a time, whatever they move, on all networks
    /// and for all signers together. A missing one is ``CountWindow/standard``. No signature is free: each
    /// uses a nonce, so whoever makes the transactions could use up all of them.
    public var maximumCount: [CountWindow: UInt32]?
    /// What is approved without a person; see `withStrictDefaults`.
    public private(set) var approve: [TransactionPolicy]?

    /// The highest sums that one signer may sign on one network within a time.
    public struct Totals<Value: Sendable & Equatable>: Sendable, Equatable {
        public var perDay: Value?
        public var perWeek: Value?
        public var perMonth: Value?

        public init(perDay: Value? = nil, perWeek: Value? = nil, perMonth: Value? = nil) {
            (self.perDay, self.perWeek, self.perMonth) = (perDay, perWeek, perMonth)
        }

        public var isEmpty: Bool { perDay == nil && perWeek == nil && perMonth == nil }

        public subscript(window: BudgetWindow) -> Value? {
            switch window {
            case .day: perDay
            case .week: perWeek
            case .month: perMonth
            }
        }
    }

    /// The limits of one token that is not the chain's own, as ``maximumAmount``, ``minimumAmount`` and
    /// ``totals`` limit the chain's. The rule states the decimals itself, so that no list of assets that
    /// comes later moves a limit.
    public struct AssetRule: Sendable, Equatable {
        public let asset: AssetKey
        /// Of the amounts; nil where none is limited.
        public let unit: AssetUnit?
        /// In the smallest unit, as the following.
        public var maximumAmount: UInt128?
        public var minimumAmount: UInt128?
        public var totals = Totals<UInt128>()

        public init(
            _ asset: AssetKey, unit: AssetUnit? = nil, maximumAmount: UInt128? = nil,
            minimumAmount: UInt128? = nil, totals: Totals<UInt128> = Totals()
        ) {
            (self.asset, self.unit, self.maximumAmount, self.minimumAmount, self.totals) = (
                asset, unit, maximumAmount, minimumAmount, totals
            )
        }

        /// An amount of the token, for a sentence.
        /// - Parameter raw: in the smallest unit.
        public func tokens(_ raw: UInt128) -> Tokens {
            Tokens(raw, unit ?? AssetUnit(symbol: "", decimals: 0))
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
        networks: [NetworkName]? = nil, calls: [CallPattern]? = nil, destinations: [Account]? = nil,
        signers: [Account]? = nil, maximumAmount: Limit? = nil, minimumAmount: Limit? = nil,
        totals: Totals<Limit> = Totals(), assets: [AssetRule]? = nil, maximumTip: Limit? = nil,
        feeAsset: FeeAssetRule? = nil, mortality: MortalityRule? = nil,
        extensions: ExtensionRule? = nil, messages: MessageRule? = nil,
        requireMetadataHash: MetadataHashDemand? = nil,
        requireStateProof: StateDemand? = nil, minimumRemaining: Limit? = nil,
        existingDestinations: Bool = false, keyAge: AgeRule? = nil,
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
        self.requireStateProof = requireStateProof
        self.minimumRemaining = minimumRemaining
        self.existingDestinations = existingDestinations
        self.keyAge = keyAge
        self.maximumCount = maximumCount
        self.approve = approve?.map(\.withStrictDefaults)
    }

    /// The rule as `approve` applies it: missing rules for extensions, messages and the metadata hash get the
    /// strictest value, so that a rule which was written before these keys existed approves less, never more.
    /// `signers` has no such value: without it, every key of the vault may sign.
    var withStrictDefaults: TransactionPolicy {
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
        return calls.allSatisfy { call in
            switch call {
            case .call: true
            case .pallet: false
            }
        }
    }

    /// The highest number of signatures that it gives within a time, where it stands for a person.
    public func maximumCount(within window: CountWindow) -> UInt32 {
        maximumCount?[window] ?? window.standard
    }

    /// How much of a token may be signed within a time; nil without a limit.
    /// - Parameters:
    ///   - asset: nil for the chain's own token.
    ///   - window: the time.
    ///   - unit: of the chain's own token. Under a limit in other units nothing of it may be signed.
    public func budget(of asset: AssetKey?, within window: BudgetWindow, in unit: AssetUnit) -> Tokens? {
        guard let asset else { return totals[window].map { Tokens($0.maximum(unit) ?? 0, unit) } }
        guard let rule = assets?.first(where: { $0.asset == asset }) else { return nil }
        return rule.totals[window].map(rule.tokens)
    }

    /// The limits of the chain's own token, with their keys.
    public var limits: [(key: Key, limit: Limit)] {
        let own: [(Key, Limit?)] = [
            (.maximumAmount, maximumAmount), (.minimumAmount, minimumAmount), (.maximumTip, maximumTip),
            (.minimumRemaining, minimumRemaining),
        ]
        let all = own + BudgetWindow.allCases.map { ($0.key, totals[$0]) }
        return all.compactMap { key, limit in limit.map { (key, $0) } }
    }

    /// Whether it limits what is signed within a time.
    public var hasBudget: Bool { !totals.isEmpty || (assets ?? []).contains { !$0.totals.isEmpty } }

    /// Whether it says itself how often, or how much within a time.
    public var limitsRepetition: Bool { maximumCount != nil || hasBudget }

    /// The same of it and of the rules under `approve`.
    public var hasAnyBudget: Bool { hasBudget || (approve ?? []).contains(where: \.hasBudget) }

    /// Whether the list of signers has an account, or there is no list.
    public func mayBeSigned(by account: [UInt8]) -> Bool {
        signers?.contains { $0.bytes == account } ?? true
    }

    /// The first key that needs every amount counted; nil where none does.
    var countingKey: Key? {
        if maximumAmount != nil { return .maximumAmount }
        if minimumAmount != nil { return .minimumAmount }
        return BudgetWindow.allCases.first { totals[$0] != nil }?.key ?? (assets == nil ? nil : .assets)
    }

    private var limitsAmounts: Bool { countingKey != nil }

    /// Whether it has any rule besides `messages` and `approve`.
    var limitsTransactions: Bool {
        networks != nil || calls != nil || destinations != nil || signers != nil || limitsAmounts
            || maximumTip != nil
            || feeAsset != nil || mortality != nil || extensions != nil || requireMetadataHash != nil
            || requireStateProof != nil || minimumRemaining != nil || existingDestinations
    }
}
