import SubstratePrimitives

/// Which of two policies allows more.
///
/// Each key allows a part of all transactions and messages, and a policy allows what every key allows. So a
/// policy that allows something new has at least one key that allows more. The reverse does not hold: a key
/// may allow more while another still forbids it, and the person is asked anyway.
extension TransactionPolicy {
    /// The keys that allow more than in `former`, or sign without a person where `former` asked one. Empty
    /// only if nothing new is allowed.
    /// - Parameter former: the policy in force; a policy without keys if there was none.
    public func keysAllowingMore(than former: TransactionPolicy) -> [Key] {
        Key.allCases.filter { allowsMore($0, than: former) }
    }

    private func allowsMore(_ key: Key, than former: TransactionPolicy) -> Bool {
        switch key {
        case .networks:
            Self.isMore(networks, than: former.networks) {
                $0.name == $1.name && $0.scheme ?? $1.scheme == $1.scheme
            }
        case .calls: Self.isMore(calls, than: former.calls) { $0.covers($1) }
        case .destinations: Self.isMore(destinations, than: former.destinations, ==)
        case .signers: Self.isMore(signers, than: former.signers, ==)
        case .maximumAmount: Self.isHigher(maximumAmount, than: former.maximumAmount)
        case .minimumAmount: Self.isLower(minimumAmount, than: former.minimumAmount)
        case .maximumPerDay: Self.isHigher(totals.perDay, than: former.totals.perDay)
        case .maximumPerWeek: Self.isHigher(totals.perWeek, than: former.totals.perWeek)
        case .maximumPerMonth: Self.isHigher(totals.perMonth, than: former.totals.perMonth)
        case .assets: allowsMoreAssets(than: former)
        case .maximumTip: Self.isHigher(maximumTip, than: former.maximumTip)
        case .feeAsset: (feeAsset ?? .any).allowsMore(than: former.feeAsset ?? .any)
        case .mortality: (mortality ?? .any).allowsMore(than: former.mortality ?? .any)
        case .extensions: (extensions ?? .allow).allowsMore(than: former.extensions ?? .allow)
        case .messages: messagesInEffect.allowsMore(than: former.messagesInEffect)
        case .requireMetadataHash:
            (requireMetadataHash ?? .never).isWeaker(than: former.requireMetadataHash ?? .never)
        case .requireStateProof:
            (requireStateProof.map(\.strength) ?? 0) < (former.requireStateProof.map(\.strength) ?? 0)
        case .minimumRemaining: Self.isLower(minimumRemaining, than: former.minimumRemaining)
        case .existingDestinations: former.existingDestinations && !existingDestinations
        // A warning that goes allows nothing.
        case .keyAge:
            former.keyAge?.refuseDays.map { keyAge?.refuseDays ?? .max > $0 } ?? false
        case .maximumCount:
            CountWindow.allCases.contains { maximumCount(within: $0) > former.maximumCount(within: $0) }
        case .approve:
            Self.pairs(approve ?? [], former.approve ?? []).contains { !$0.isCovered }
                || Self.sharesOtherwise(approve ?? [], former.approve ?? [])
        }
    }

    /// - `covers`: whether an entry of the former list stands for a new one.
    private static func isMore<T>(_ new: [T]?, than former: [T]?, _ covers: (T, T) -> Bool) -> Bool {
        guard let former else { return false }
        guard let new else { return true }
        return !new.allSatisfy { entry in former.contains { covers($0, entry) } }
    }

    /// A unit that only the new limit names was refused before.
    private static func isHigher(_ new: Limit?, than former: Limit?) -> Bool {
        guard let former else { return false }
        guard let new else { return true }
        return new.amounts.contains { amount in former[amount.unit].map(amount.exceeds) ?? true }
    }

    private static func isLower(_ new: Limit?, than former: Limit?) -> Bool {
        guard let former else { return false }
        guard let new else { return true }
        return new.amounts.contains { amount in former[amount.unit]?.exceeds(amount) ?? true }
    }

    /// A key that limits assets refuses those that its list lacks; a policy without such a key allows every
    /// asset. If the new policy limits none, the former key is the one that allows more.
    private func allowsMoreAssets(than former: TransactionPolicy) -> Bool {
        guard former.countingKey != nil else { return false }
        guard countingKey != nil else { return former.assets != nil }
        return (assets ?? []).contains { rule in
            guard let old = former.assets?.first(where: { $0.asset == rule.asset }) else { return true }
            func isHigher(_ new: UInt128?, _ old: UInt128?) -> Bool { old.map { new ?? .max > $0 } ?? false }
            return isHigher(rule.maximumAmount, old.maximumAmount)
                || (old.minimumAmount ?? 0) > (rule.minimumAmount ?? 0)
                || BudgetWindow.allCases.contains { isHigher(rule.totals[$0], old.totals[$0]) }
        }
    }

    /// What becomes of messages where the policy does not mention them.
    public var messagesInEffect: MessageRule { messages ?? (limitsTransactions ? .deny : .allow) }

    // MARK: Rules

    /// A rule under `approve` with the former rule whose place it takes.
    public struct RulePair: Sendable, Equatable {
        /// Counted from 1.
        public let number: Int
        /// Of the former rule, counted from 1; nil for a new rule.
        public let former: Int?
        /// Whether the former rule signed everything that the rule signs.
        public let isCovered: Bool
        /// Whether the rule has the counters of the former one, and with them what it has spent.
        public let keepsCounters: Bool
    }

    /// Each new rule with a former one of its own. A former rule stands for one new rule only: two of them
    /// would sign twice as much of one payload.
    /// - Parameters:
    ///   - rules: in the order of the policy.
    ///   - former: the same of the policy in force.
    public static func pairs(_ rules: [TransactionPolicy], _ former: [TransactionPolicy]) -> [RulePair] {
        var left = Set(former.indices)
        func isCovered(_ rule: TransactionPolicy, _ index: Int) -> Bool {
            rule.budgetIdentity == former[index].budgetIdentity
                // A rule that says how often signs again what was signed within a day.
                && (former[index].limitsRepetition || !rule.limitsRepetition)
                && rule.keysAllowingMore(than: former[index]).isEmpty
        }
        func take(_ index: Int?) -> Int? { index.flatMap { left.remove($0) } }
        var taken = rules.indices.map { index in
            take(left.contains(index) && isCovered(rules[index], index) ? index : nil)
        }
        for index in rules.indices where taken[index] == nil {
            taken[index] = take(left.sorted().first { isCovered(rules[index], $0) })
        }
        let covered = taken.map { $0 != nil }
        for index in rules.indices where taken[index] == nil {
            let identity = rules[index].budgetIdentity
            taken[index] = take(
                left.sorted().first { former[$0].budgetIdentity == identity }
                    ?? (left.contains(index) ? index : nil))
        }
        return rules.indices.map { index in
            RulePair(
                number: index + 1, former: taken[index].map { $0 + 1 }, isCovered: covered[index],
                keepsCounters: taken[index].map {
                    former[$0].budgetIdentity == rules[index].budgetIdentity
                } ?? false)
        }
    }

    /// Whether the transactions of one payload may be shared among the rules in another way than before.
    ///
    /// Each goes to the first rule that has room for it. If two rules sign the same transaction and one of
    /// them moves, is removed or signs less, the transaction can go to the other rule. That leaves room in a
    /// further rule for a transaction that needed a person, although no single rule signs more. It cannot
    /// happen if the list only becomes shorter at its end and no two of the remaining former rules sign the
    /// same.
    /// - Parameters:
    ///   - rules: in the order of the policy.
    ///   - former: the same of the policy in force.
    public static func sharesOtherwise(_ rules: [TransactionPolicy], _ former: [TransactionPolicy]) -> Bool {
        guard !former.starts(with: rules) else { return false }
        let kept = pairs(rules, former).compactMap { $0.former.map { former[$0 - 1] } }
        return kept.indices.contains { index in
            !kept[(index + 1)...].allSatisfy { kept[index].signsNothing(of: $0) }
        }
    }

    /// Whether no transaction and no message is signed by two rules; false where that is not certain.
    private func signsNothing(of other: TransactionPolicy) -> Bool {
        func areApart<T>(_ own: [T]?, _ other: [T]?, _ meet: (T, T) -> Bool) -> Bool {
            guard let own, let other else { return false }
            return !own.contains { own in other.contains { meet(own, $0) } }
        }
        return areApart(networks, other.networks) {
            $0.name == $1.name && ($0.scheme == nil || $1.scheme == nil || $0.scheme == $1.scheme)
        } || areApart(signers, other.signers, ==)
            || areApart(calls, other.calls) { $0.covers($1) || $1.covers($0) }
                && messagesInEffect.allowsNothing(of: other.messagesInEffect)
    }

    /// A rule that limits nothing but what every rule limits: what a new rule is compared with.
    public static let emptyRule = TransactionPolicy().withStrictDefaults
}

extension TransactionPolicy.FeeAssetRule {
    fileprivate func allowsMore(than former: Self) -> Bool {
        switch (self, former) {
        case (_, .any): false
        case (.any, .only): true
        case (.only(let native, let assets), .only(let formerNative, let former)):
            native && !formerNative || !assets.isSubset(of: former)
        }
    }
}

extension TransactionPolicy.MortalityRule {
    fileprivate func allowsMore(than former: Self) -> Bool {
        switch (self, former) {
        case (_, .any): false
        case (.any, .mortal): true
        case (.mortal(let period), .mortal(let former)): period > former
        }
    }
}

extension TransactionPolicy.ExtensionRule {
    fileprivate func allowsMore(than former: Self) -> Bool {
        switch (self, former) {
        case (.deny, _), (_, .allow): false
        case (.allow, .deny), (.allow, .only): true
        case (.only(let allowed), .deny): !allowed.isEmpty
        case (.only(let allowed), .only(let former)):
            !allowed.allSatisfy { name, content in
                switch (content, former[name]) {
                case (_, .any?): true
                case (.exactly(let bytes), .exactly(let former)?): bytes == former
                case (.any, .exactly?), (_, nil): false
                }
            }
        }
    }
}

extension TransactionPolicy.MessageRule {
    fileprivate func allowsMore(than former: Self) -> Bool {
        switch (self, former) {
        case (.deny, _), (_, .allow): false
        case (.allow, .deny), (.allow, .prefix), (.prefix, .deny): true
        case (.prefix(let prefix), .prefix(let former)): !prefix.starts(with: former)
        }
    }

    /// Whether no message is allowed by both.
    fileprivate func allowsNothing(of other: Self) -> Bool {
        switch (self, other) {
        case (.deny, _), (_, .deny): true
        case (.allow, _), (_, .allow): false
        case (.prefix(let own), .prefix(let other)): !own.starts(with: other) && !other.starts(with: own)
        }
    }
}
