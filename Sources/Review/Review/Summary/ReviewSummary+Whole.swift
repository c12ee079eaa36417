import History
import SubstratePrimitives

extension ReviewSummary {
    /// The summary of several payloads that one answer signs. It has all facts of each, and equal facts once.
    public init(whole parts: [ReviewSummary]) {
        for part in parts {
            networks += part.networks.filter { !networks.contains($0) }
            signers += part.signers.filter { !signers.contains($0) }
            sentences += part.sentences
            warnings += part.warnings.filter { card in
                !warnings.contains { $0.content == card.content }
            }
            budgets += part.budgets
            clockJump = clockJump ?? part.clockJump
            facts += part.facts.filter { !facts.contains($0) }
            hasOtherAddresses = hasOtherAddresses || part.hasOtherAddresses
            hasAlternatives = hasAlternatives || part.hasAlternatives
            word = TypedWord.both(word, part.word)
        }
        unread = UnreadAmount.allCases.filter { amount in parts.contains { $0.unread.contains(amount) } }
        for part in parts {
            provenance.add(part.provenance, networkName: networks.count > 1 ? part.networks.first?.name : nil)
        }
        let isOfSeveral = networks.count > 1
        func named(_ total: Total, _ part: ReviewSummary) -> Total {
            var total = total
            if isOfSeveral { total.network = part.networks.first }
            return total
        }
        totals = parts.flatMap { part in part.totals.map { named($0, part) } }
            .merged(by: \.token) { $0.add($1) }
        recipients = parts.flatMap(\.recipients).merged(by: \.address) { $0.add($1) }
        calls = parts.flatMap(\.calls).merged(by: \.name) { $0.count += $1.count }
        // Tips add up: each payload pays its own. What pays the fee and how long it is valid is said once.
        var places: [Total.Token: Int] = [:]
        for part in parts {
            for limit in part.limits {
                guard case .tip(let tip, let count) = limit else {
                    if !limits.contains(where: { $0.says(limit) }) { limits.append(limit) }
                    continue
                }
                if let place = places[tip.token], case .tip(var sum, let counted) = limits[place] {
                    sum.add(tip)
                    limits[place] = .tip(sum, count: counted + count)
                } else {
                    places[tip.token] = limits.count
                    limits.append(.tip(named(tip, part), count: count))
                }
            }
        }
    }
}

extension ReviewSummary.Limit {
    /// Whether both are one line. The cards of two transactions have other numbers where one has a warning
    /// more.
    fileprivate func says(_ other: Self) -> Bool {
        guard case .validity(let era, let notice) = self,
            case .validity(let otherEra, let otherNotice) = other
        else { return self == other }
        return era.content == otherEra.content && notice?.content == otherNotice?.content
    }
}
