import Extrinsics
import History
import SubstratePrimitives
import TrustStore

extension BudgetBook {
    /// nil for a message, which moves nothing.
    /// - Parameter signer: the account that signs, where the review knows none yet.
    mutating func spending(of reviewed: ReviewedTransaction, signer: [UInt8]? = nil) throws -> Spending? {
        guard let decoded = reviewed.decoded, let specs = reviewed.specs else { return nil }
        let account = reviewed.signer.account(record: reviewed.key) ?? signer
        let key = SignedFacts(reviewed, signer: account).payloadKey
        let isRepeated = try key.map { key in try signed.contains(key) || isHeld(key) } ?? false
        if let key { signed.insert(key) }
        return Spending(
            network: specs.genesisHash,
            // A key that is not derived yet has signed nothing. Its seed and path identify it.
            signer: account ?? Array(reviewed.signer.address(prefix: 42).utf8),
            amounts: [(nil, decoded.summary.nativeTotal)]
                + decoded.summary.assetTotals.map { ($0.asset, $0.total) },
            isRepeated: isRepeated, unit: specs.tokenUnit)
    }

    /// Counts what may still be signed under the policy and under all of its rules, because nobody knows
    /// which of them will say yes.
    mutating func reserve(_ reserved: [ReviewedTransaction], rules: [TransactionPolicy] = []) throws {
        isReserving = true
        defer { isReserving = false }
        for item in reserved {
            for rule in rules { try countSignature(rule) }
            guard let spending = try spending(of: item) else { continue }
            try charge(spending, rule: nil)
            for (index, rule) in rules.enumerated() { try charge(spending, only: (rule, index + 1)) }
        }
    }
}
