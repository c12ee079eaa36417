import Cards
import Extrinsics
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

extension ChainData {
    /// The rules that approve all transactions of a payload together; nil where one of them needs a person.
    ///
    /// A transaction is approved when it has no warning, names no location, and breaks nothing of a rule that leaves nothing open; a message
    /// when it has no warning and starts as the rule says. The sum of the amounts that one rule approves is compared with
    /// its limit.
    public func standingApproval(of transactions: [ReviewedTransaction]) throws(ReviewError) -> StandingApproval? {
        guard !transactions.isEmpty, let json = state.settings[TransactionPolicy.setting], let rules = try policy()?.approve else {
            return nil
        }
        var spent = [UInt128](repeating: 0, count: rules.count)
        var found: [Int] = []
        for transaction in transactions {
            let index = rules.indices.first { index in
                guard let amount = amount(of: transaction, approvedBy: rules[index]), let maximum = rules[index].maximumAmount else {
                    return false
                }
                guard let limit = UInt128(maximum), spent[index].addingSaturating(amount) <= limit else { return false }
                spent[index] = spent[index].addingSaturating(amount)
                return true
            }
            guard let index else { return nil }
            found.append(index + 1)
        }
        return StandingApproval(rules: found, policy: Hash32.blake2b(of: json))
    }

    /// The amount that an approved transaction moves, 0 for a message; nil if the rule does not approve it.
    private func amount(of transaction: ReviewedTransaction, approvedBy rule: TransactionPolicy) -> UInt128? {
        // A rule of its own allows content of unknown extensions, and believed metadata is what a rule reads; every other warning needs a person,
        // unsigned metadata too.
        let warnings = transaction.cards.warning.filter { !$0.isUnknownExtension && !$0.isOfBelievedMetadata }
        guard transaction.refusal == nil, warnings.isEmpty, transaction.cards.error.isEmpty,
            let key = transaction.key, let specs = transaction.specs
        else { return nil }
        guard state.isNamedAlone(specs) else { return nil }
        let signer = transaction.signer.account(record: key)
        switch transaction.subject {
        case .transaction:
            guard let decoded = transaction.decoded, decoded.facts.tip != nil, !decoded.summary.hasLocations,
                rule.violation(of: decoded, network: specs.name, signer: signer) == nil
            else { return nil }
            return decoded.summary.nativeTotal
        case .message:
            // The reader of policies takes no rule here that allows all messages.
            guard rule.violation(ofMessage: transaction.messageContent, network: specs.name, signer: signer) == nil else { return nil }
            return 0
        }
    }
}

extension Card {
    /// Whether it warns of metadata that a verifier signed and the chain does not check.
    fileprivate var isOfBelievedMetadata: Bool { text(of: "code").utf8Equals(ReviewWarning.metadataBelieved.rawValue) }
}

extension TrustState {
    /// Whether the name of a network stands for its chain. A name that two chains share identifies neither, and a name that only a proof speaks
    /// for is one that the sender chose.
    func isNamedAlone(_ specs: NetworkSpecs) -> Bool { Set(networks(named: specs.name).map(\.genesisHash)) == [specs.genesisHash] }
}

extension ReviewedTransaction {
    /// The message without its tags.
    fileprivate var messageContent: ArraySlice<UInt8> {
        signingBytes.dropFirst(MessagePayload.openingTag.count).dropLast(MessagePayload.closingTag.count)
    }
}
