import Cards
import Hashing
import SubstratePrimitives

extension TransactionPolicy {
    /// The rule that a transaction or a message breaks.
    public enum Violation: Error, Sendable, Equatable {
        case network(String)
        /// The name of a network on the list, which several chains of the vault have, or which only a
        /// metadata proof speaks for.
        case networkUncertain(String)
        /// A message to any network, under a policy that lists networks.
        case networkMissing
        /// The address.
        case signer(String)
        /// The key is not derived yet, so its account is not known.
        case signerUnknown
        case call(String)
        /// The address.
        case destination(String)
        /// An address that names no account by its key.
        case destinationUnknown
        case amount(total: Tokens)
        /// An amount that cannot be compared: of another asset, everything, or inside a call that is not
        /// shown.
        case amountUnknown
        case amountTooSmall(total: Tokens)
        /// The limit under the key has no amount in the unit of the network.
        case amountUnit(Key, unit: String)
        /// An amount that cannot be counted, under the key that needs it counted.
        case amountUncounted(Key)
        /// A token that the list of assets does not have.
        case assetNotListed(AssetKey)
        case assetAmount(AssetKey, total: Tokens)
        case assetAmountTooSmall(AssetKey, total: Tokens)
        /// Together with what was signed within the time of a budget.
        case budget(BudgetExcess)
        case tip(Tokens)
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
        /// What the key looks for is not proven.
        case stateUnproven(Key, StateEvidence.Lack)
        /// What is proven to be left of the signer's free balance.
        case remainingTooSmall(Tokens)
        /// What is left cannot be computed: an amount is unread, everything is moved, another account pays,
        /// or more leaves than there is.
        case remainingUnknown
        /// The address of an account that is proven not to exist.
        case destinationAbsent(String)
        /// In days; nil for an unknown age.
        case keyTooOld(days: UInt64?, maximum: UInt32)

        /// The name of the rule in the policy file.
        public var rule: Key {
            switch self {
            case .network, .networkUncertain, .networkMissing: .networks
            case .signer, .signerUnknown: .signers
            case .call: .calls
            case .destination, .destinationUnknown: .destinations
            case .amount, .amountUnknown: .maximumAmount
            case .amountTooSmall: .minimumAmount
            case .amountUncounted(let key), .amountUnit(let key, _): key
            case .assetNotListed, .assetAmount, .assetAmountTooSmall: .assets
            case .budget(let excess): excess.window.key
            case .tip: .maximumTip
            case .feeAsset, .feeAssetUnknown: .feeAsset
            case .immortal, .period: .mortality
            case .unknownExtension: .extensions
            case .message, .messagePrefix, .messageNotMentioned: .messages
            case .metadataHash: .requireMetadataHash
            case .stateUnproven(let key, _): key
            case .remainingTooSmall, .remainingUnknown: .minimumRemaining
            case .destinationAbsent: .existingDestinations
            case .keyTooOld: .keyAge
            }
        }
    }

    /// The first rule that a transaction breaks; nil when it breaks none.
    /// - Parameters:
    ///   - transaction: as it was decoded.
    ///   - network: that it is for.
    ///   - signer: the account that signs, 32 or 20 bytes; nil while the key is not derived.
    public func violation(
        of transaction: DecodedTransaction, on network: NetworkSpecs, signer: [UInt8]?
    ) -> Violation? {
        networkViolation(network) ?? signerViolation(signer, network)
            ?? callViolation(of: transaction.summary)
            ?? destinationViolation(of: transaction.summary, network)
            ?? amountViolation(of: transaction, network.tokenUnit)
            ?? extensionViolation(of: transaction)
            ?? metadataHashViolation(transaction.hashCheck)
    }

    /// The same for a message.
    /// - Parameters:
    ///   - content: the message without its tags.
    ///   - network: nil for a message to any network.
    ///   - signer: the account that signs, 32 or 20 bytes; nil while the key is not derived.
    public func violation(
        ofMessage content: some Collection<UInt8>, on network: NetworkSpecs?, signer: [UInt8]?
    ) -> Violation? {
        if let found = networkViolation(network) ?? signerViolation(signer, network) { return found }
        switch messages {
        case .allow: return nil
        case .deny: return .message
        case .prefix(let prefix): return content.starts(with: prefix) ? nil : .messagePrefix
        case nil: return limitsTransactions ? .messageNotMentioned : nil
        }
    }

    /// Names are compared as UTF-8 bytes: names that look equal may be two networks. The review refuses where
    /// another network of this device could have that name, too.
    private func networkViolation(_ network: NetworkSpecs?) -> Violation? {
        guard networks != nil else { return nil }
        guard let network else { return .networkMissing }
        return names(network.name, network.scheme) ? nil : .network(network.name)
    }

    /// Whether the list of networks contains this network, or there is no list.
    /// - Parameters:
    ///   - network: the name of the network.
    ///   - scheme: the scheme of its keys.
    public func names(_ network: String, _ scheme: SignatureScheme) -> Bool {
        networks?.contains { $0.isName(of: network, scheme) } ?? true
    }

    private func signerViolation(_ signer: [UInt8]?, _ network: NetworkSpecs?) -> Violation? {
        guard signers != nil else { return nil }
        guard let signer else { return .signerUnknown }
        // The usual prefix where the message is for no network.
        return mayBeSigned(by: signer)
            ? nil : .signer(Account.address(of: signer, prefix: network?.base58Prefix ?? 42))
    }

    private func callViolation(of summary: CallSummary) -> Violation? {
        guard let calls else { return nil }
        // A call that is not shown may be any call.
        if let hidden = summary.hiddenCalls.first { return .call("0x\(hidden.hex)") }
        for name in summary.calls where !calls.contains(where: { $0.matches(name) }) {
            return .call("\(name)")
        }
        return nil
    }

    private func destinationViolation(of summary: CallSummary, _ network: NetworkSpecs) -> Violation? {
        guard let destinations else { return nil }
        let allowed = Set(destinations.map(\.bytes))
        for account in summary.accounts + summary.chainAccounts where !allowed.contains(account) {
            return .destination(Account.address(of: account, prefix: network.base58Prefix))
        }
        // A value that may name a recipient and is not an account of the list is one that nobody allowed, and
        // a call that is not shown may pay anybody.
        if summary.hasOtherAddresses || !summary.possibleRecipients.allSatisfy(allowed.contains)
            || !summary.hiddenCalls.isEmpty
        {
            return .destinationUnknown
        }
        return nil
    }

    private func amountViolation(of transaction: DecodedTransaction, _ unit: AssetUnit) -> Violation? {
        let summary = transaction.summary
        if let key = countingKey {
            if !summary.hasOnlyCountableAmounts || assets == nil && summary.hasAssetAmounts {
                return .uncounted(key)
            }
            let found =
                ownAmountViolation(summary.nativeTotal, isStated: !summary.nativeAmounts.isEmpty, unit)
                ?? assetViolation(of: summary)
            if let found { return found }
        }
        // Nothing is no tip, in whatever unit.
        if let maximumTip, let tip = transaction.facts.tip, tip > 0 {
            guard let maximum = maximumTip.maximum(unit) else {
                return .amountUnit(.maximumTip, unit: unit.symbol)
            }
            guard tip <= maximum else { return .tip(Tokens(tip, unit)) }
        }
        return nil
    }

    /// - `isStated`: whether the transaction has any amount of the chain's own token; it may be 0.
    private func ownAmountViolation(_ total: UInt128, isStated: Bool, _ unit: AssetUnit) -> Violation? {
        if let maximumAmount, total > 0 {
            guard let maximum = maximumAmount.maximum(unit) else {
                return .amountUnit(.maximumAmount, unit: unit.symbol)
            }
            if total > maximum { return .amount(total: Tokens(total, unit)) }
        }
        if let minimumAmount, isStated {
            guard let minimum = minimumAmount.minimum(unit) else {
                return .amountUnit(.minimumAmount, unit: unit.symbol)
            }
            if total < minimum { return .amountTooSmall(total: Tokens(total, unit)) }
        }
        // What is left of a budget is compared with the counters; here only whether it can be.
        for window in BudgetWindow.allCases where total > 0 {
            if let limit = totals[window], limit.maximum(unit) == nil {
                return .amountUnit(window.key, unit: unit.symbol)
            }
        }
        return nil
    }

    private func assetViolation(of summary: CallSummary) -> Violation? {
        guard let assets else { return nil }
        for (asset, total) in summary.assetTotals {
            guard let rule = assets.first(where: { $0.asset == asset }) else { return .assetNotListed(asset) }
            if let maximum = rule.maximumAmount, total > maximum {
                return .assetAmount(asset, total: rule.tokens(total))
            }
            if let minimum = rule.minimumAmount, total < minimum {
                return .assetAmountTooSmall(asset, total: rule.tokens(total))
            }
        }
        return nil
    }

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
        let violation = Violation.unknownExtension(part.identifier.text, part.bytes)
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
    /// call that moves everything, a program, a hidden call, an unexplained number and an unexplained choice
    /// may move any amount.
    public var hasOnlyCountableAmounts: Bool {
        !hasBareNumbers && !hasBareChoices && !movesUnstatedWorth
            && hiddenCalls.isEmpty && !warnings.contains(.movesEverything) && !warnings.contains(.runsProgram)
            && !assetAmounts.contains { $0.key == nil }
    }

    /// Whether what is stated as an amount of another token may be the chain's own one under another name.
    /// What is left of the own token is not known then.
    public var mayNameOwnTokenAsAsset: Bool { assetAmounts.contains { $0.key?.isNeverOwnToken != true } }
}

extension TransactionPolicy.Violation {
    fileprivate static func uncounted(_ key: TransactionPolicy.Key) -> Self {
        key == .maximumAmount ? .amountUnknown : .amountUncounted(key)
    }
}
