import Cards
import Extrinsics
import History
import SubstratePrimitives
import TrustStore
import UOS

/// A yes that the owner of the machine gave beforehand, by a rule under `approve` of the policy.
public struct StandingApproval: Sendable, Equatable {
    /// The number of the rule in the list, counted from 1, for each transaction of a payload.
    public let rules: [Int]
    /// BLAKE2b-256 of the policy's JSON.
    public let policy: Hash32
}

/// What the rules say of a payload.
private enum Standing {
    case approved(StandingApproval)
    case person(PersonNeeded)
}

extension ChainData {
    /// The rules that approve all transactions of a payload together; nil where one of them needs a person.
    /// - `reserved`: transactions that may still be signed; they are counted first.
    public func standingApproval(
        of transactions: [ReviewedTransaction], reserving reserved: [ReviewedTransaction] = []
    ) throws -> StandingApproval? {
        switch try standing(of: transactions, reserving: reserved) {
        case .approved(let approval): approval
        case .person: nil
        }
    }

    /// Why `standingApproval(of:)` gives none; nil where it gives one.
    public func personNeeded(
        for transactions: [ReviewedTransaction], reserving reserved: [ReviewedTransaction] = []
    ) throws -> PersonNeeded? {
        switch try standing(of: transactions, reserving: reserved) {
        case .approved: nil
        case .person(let needed): needed
        }
    }

    /// A transaction is approved when it has no warning that stops rules, names no location, was read with
    /// metadata that the chain checks or a verifier signed, is vouched for, and breaks nothing of a rule that
    /// leaves nothing open; a message when it has no such warning and starts as the rule says. The sum of the
    /// amounts that one rule approves is compared with its limit, and with what its budgets have left.
    private func standing(of transactions: [ReviewedTransaction], reserving reserved: [ReviewedTransaction])
        throws -> Standing
    {
        guard !transactions.isEmpty, let json = state.settings[TransactionPolicy.setting],
            let rules = try policy()?.approve, !rules.isEmpty
        else { return .person(PersonNeeded(transaction: nil, cause: .noRules)) }
        var spent = [UInt128](repeating: 0, count: rules.count)
        var book = BudgetBook(history)
        try book?.reserve(reserved, rules: rules)
        var found: [Int] = []
        for (number, transaction) in transactions.enumerated() {
            func person(_ cause: PersonNeeded.Cause) -> Standing {
                .person(PersonNeeded(transaction: transactions.count > 1 ? number + 1 : nil, cause: cause))
            }
            if let cause = cause(for: transaction) { return person(cause) }
            var obstacles: [PersonNeeded.Obstacle] = []
            let spending = try book?.spending(of: transaction)
            var index: Int?
            for (number, rule) in rules.enumerated() {
                // Under the seal there always are counters, and what a rule signs is counted in the same
                // commit.
                let reached = try book?.countReached(rule).map {
                    PersonNeeded.Obstacle.Reason.countReached($0)
                }
                guard
                    let reason = try reached
                        ?? obstacle(to: transaction, rule, number + 1, &spent[number], spending, &book)
                else {
                    index = number
                    break
                }
                obstacles.append(PersonNeeded.Obstacle(rule: number + 1, reason: reason))
            }
            guard let index else { return person(.rules(obstacles)) }
            try book?.countSignature(rules[index])
            if let spending { try book?.charge(spending, rule: (rules[index], index + 1)) }
            found.append(index + 1)
        }
        return .approved(StandingApproval(rules: found, policy: Hash32.blake2b(of: json)))
    }

    /// Why a transaction needs a person whatever a rule says.
    private func cause(for transaction: ReviewedTransaction) -> PersonNeeded.Cause? {
        if let refusal = transaction.refusal { return .refused(refusal) }
        switch transaction.provenance {
        // A message has no metadata.
        case nil, .chain: break
        case .stored(let metadata):
            switch metadata.voucher {
            case .verifier, .verifiers: break
            // Whoever brought it may be whoever brought the transaction.
            case .nobody, .file: return .unsignedMetadata
            }
        }
        // A card without a code is one that nobody has judged.
        let warnings = transaction.cards.warning.filter { $0.warning?.effectOnRules ?? .stops == .stops }
        if let warning = warnings.first { return .warning(warning.value) }
        if let state = transaction.state, let warning = state.settled.first {
            return .warning(state.words(warning))
        }
        guard transaction.key != nil else { return .newKey }
        guard let specs = transaction.specs else { return .noNetwork }
        guard state.isNamedAlone(specs) else { return .networkUncertain(specs.name) }
        guard let decoded = transaction.decoded else { return nil }
        // A rule is a yes to what the cards say, and the proof that they come from is the sender's own.
        guard transaction.isVouched else { return .unvouched(version: decoded.runtimeVersion.specVersion) }
        if decoded.summary.hasLocations { return .location }
        // Whoever makes the transaction chooses its nonce. One signature with the highest number would end
        // all later ones without a person.
        if let nonce = transaction.history?.highFirstNonce { return .highFirstNonce(nonce) }
        return decoded.facts.tip == nil ? .unknownTip : nil
    }

    /// Why a rule does not approve a transaction; nil if it approves.
    /// - Parameters:
    ///   - number: the number of the rule, from 1.
    ///   - spent: the amounts that the rule has approved of this payload so far; the transaction's amount is
    ///     added.
    ///   - spending: the transaction's amounts for the counters; nil for a message.
    ///   - book: the counters, with what the rules have approved of this payload.
    private func obstacle(
        to transaction: ReviewedTransaction, _ rule: TransactionPolicy, _ number: Int, _ spent: inout UInt128,
        _ spending: BudgetBook.Spending?, _ book: inout BudgetBook?
    ) throws -> PersonNeeded.Obstacle.Reason? {
        let signer = transaction.key.map { transaction.signer.account(record: $0) } ?? nil
        if !rule.limitsRepetition,
            let warning = transaction.cards.warning.first(where: {
                $0.warning?.effectOnRules == .needsOwnLimit
            })
        {
            return .repetition(ExactText(warning.value))
        }
        switch transaction.subject {
        case .transaction:
            guard let decoded = transaction.decoded, let network = transaction.specs else {
                return .violation(.amountUnknown)
            }
            if let violation = rule.violation(of: decoded, on: network, signer: signer)
                ?? rule.stateViolation(of: transaction)
            {
                return .violation(violation)
            }
            let sum = spent.addingSaturating(decoded.summary.nativeTotal)
            // The reader of policies takes no rule here without a limit. Nothing is within one in any unit.
            guard let limit = rule.maximumAmount, sum <= limit.maximum(network.tokenUnit) ?? 0 else {
                return .sumAboveLimit
            }
            if rule.hasBudget {
                // Without counters nothing says what is left.
                guard book != nil, let spending else { return .violation(.amountUncounted(.approve)) }
                if let excess = try book?.excess(spending, of: rule, rule: number) {
                    return .violation(.budget(excess))
                }
            }
            spent = sum
            return nil
        case .message:
            // Nor one that allows all messages.
            return rule.violation(
                ofMessage: transaction.messageContent, on: transaction.specs, signer: signer
            )
            .map { .violation($0) }
        }
    }
}

extension TrustState {
    /// Whether the name of a network identifies its chain. A name that two chains share identifies neither,
    /// and the sender chose a name that only a proof gives.
    func isNamedAlone(_ specs: NetworkSpecs) -> Bool {
        Set(networks(named: specs.name).map(\.genesisHash)) == [specs.genesisHash]
    }
}

extension ReviewedTransaction {
    /// The message without its tags.
    fileprivate var messageContent: ArraySlice<UInt8> {
        signingBytes.dropFirst(MessagePayload.openingTag.count).dropLast(MessagePayload.closingTag.count)
    }
}
