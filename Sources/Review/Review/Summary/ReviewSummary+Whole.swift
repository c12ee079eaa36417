import History
import SubstratePrimitives

extension ReviewSummary {
    /// The summary of several payloads that one answer signs: everything of each, equal things once.
    public init(whole parts: [ReviewSummary]) {
        for part in parts {
            networks += part.networks.filter { !networks.contains($0) }
            signers += part.signers.filter { !signers.contains($0) }
            sentences += part.sentences
            warnings += part.warnings.filter { card in
                !warnings.contains { $0.value.utf8Equals(card.value) && $0.facts == card.facts }
            }
            budgets += part.budgets
            clockJump = clockJump ?? part.clockJump
            facts += part.facts.filter { !facts.contains($0) }
            hasOtherAddresses = hasOtherAddresses || part.hasOtherAddresses
            hasAlternatives = hasAlternatives || part.hasAlternatives
            word = TypedWord.stronger(word, part.word)
        }
        unread = UnreadAmount.allCases.filter { amount in parts.contains { $0.unread.contains(amount) } }
        for part in parts {
            provenance.add(part.provenance, networkName: networks.count > 1 ? part.networks.first?.name : nil)
        }
        mergeTotals(parts)
        mergeLimits(parts)
        mergeRecipients(parts)
        mergeCalls(parts)
    }

    private mutating func mergeTotals(_ parts: [ReviewSummary]) {
        var places: [Total.Token: Int] = [:]
        for part in parts {
            for var total in part.totals {
                if let place = places[total.token] {
                    totals[place].raw = DecimalDigits.sum(totals[place].raw, total.raw)
                    continue
                }
                if networks.count > 1 { total.network = part.networks.first }
                places[total.token] = totals.count
                totals.append(total)
            }
        }
    }

    /// Tips add up: each payload pays its own. What pays the fee and how long it is valid is said once.
    private mutating func mergeLimits(_ parts: [ReviewSummary]) {
        var places: [Total.Token: Int] = [:]
        for part in parts {
            for limit in part.limits {
                guard case .tip(var tip, var count) = limit else {
                    if !limits.contains(limit) { limits.append(limit) }
                    continue
                }
                if let place = places[tip.token], case .tip(let sum, let counted) = limits[place] {
                    tip.raw = DecimalDigits.sum(sum.raw, tip.raw)
                    tip.network = sum.network
                    count += counted
                    limits[place] = .tip(tip, count: count)
                    continue
                }
                if networks.count > 1 { tip.network = part.networks.first }
                places[tip.token] = limits.count
                limits.append(.tip(tip, count: count))
            }
        }
    }

    private mutating func mergeRecipients(_ parts: [ReviewSummary]) {
        var places: [ExactText: Int] = [:]
        for recipient in parts.flatMap(\.recipients) {
            guard let place = places[ExactText(recipient.address)] else {
                places[ExactText(recipient.address)] = recipients.count
                recipients.append(recipient)
                continue
            }
            recipients[place].count += recipient.count
            // Networks of one prefix write an account alike, and one of them may never have paid it.
            recipients[place].history = .lessKnown(recipients[place].history, recipient.history)
            recipients[place].arguments += recipient.arguments.filter {
                !recipients[place].arguments.containsUTF8(of: $0)
            }
        }
    }

    private mutating func mergeCalls(_ parts: [ReviewSummary]) {
        for call in parts.flatMap(\.calls) {
            if let place = calls.firstIndex(where: { $0.name == call.name }) {
                calls[place].count += call.count
            } else {
                calls.append(call)
            }
        }
    }
}
