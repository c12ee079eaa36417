import History
import SubstratePrimitives
import TrustStore

extension ChainData {
    /// The payloads with their findings in the history; unchanged if there is no history.
    ///
    /// The payloads of a bulk are signed by one answer, so each is compared with those before it, too.
    func remembering(_ items: [ReviewedTransaction]) throws -> [ReviewedTransaction] {
        guard let history else { return items.map { weighed($0, confirmed: nil) } }
        let facts = items.map { SignedFacts($0, signer: $0.signer.account(record: $0.key)) }
        let readings = items.compactMap(\.readingKey)
        let runtimes = items.compactMap(\.runtimeKey)
        var rows = try history.rows(facts.reduce(into: Set(readings + runtimes)) { $0.formUnion($1.keys) })
        // Most payloads of a bulk are of one network.
        var known: [GenesisHash?: KnownAccounts] = [:]
        let remembered = zip(items, facts).map { item, facts in
            var (item, facts) = (item, facts)
            // Only a reading in the store vouches, not one that this same answer would confirm.
            if item.vouching == .nobody, let key = item.readingKey,
                rows.held(key, as: ConfirmedReading.self) != nil
            {
                (item, facts.isVouched) = (item.vouched(by: .earlierSignature), true)
            }
            let accounts =
                known[facts.network] ?? KnownAccounts(state, network: facts.network, forms: facts.forms)
            known[facts.network] = accounts
            let rules = HistoryRules(now: history.now, extent: history.extent, known: accounts)
            let findings = rules.findings(facts, rows)
            facts.record(in: &rows, at: history.now, warnings: findings.warnings, isWithinReview: true)
            let version = item.runtimeKey.flatMap { rows.held($0, as: ConfirmedReading.self) }?.version
            return weighed(item.remembering(findings), confirmed: version)
        }
        // One yes vouches for one reading; of several, a person would have to judge a list.
        let newReadings = Set(remembered.filter(\.isNewReading).map(\.readingKey))
        guard newReadings.count == 1 else { return remembered }
        return remembered.map { $0.isNewReading ? $0.vouchedByYes() : $0 }
    }

    /// The rows that signing these payloads writes, made from the rows that the history has.
    /// - Parameters:
    ///   - signed: each payload with the account that signed it.
    ///   - isConfirmed: whether a person said yes, and not a rule: then what the review named is vouched for
    ///     from now on.
    public func historyRows(
        of signed: [(reviewed: ReviewedTransaction, signer: [UInt8]?)], isConfirmed: Bool
    ) throws -> [HistoryRow] {
        guard let history else { return [] }
        let facts = signed.map { SignedFacts($0.reviewed, signer: $0.signer) }
        var rows = try history.rows(facts.reduce(into: Set()) { $0.formUnion($1.keys) })
        for (each, facts) in zip(signed, facts) {
            facts.record(in: &rows, at: history.now, warnings: each.reviewed.history?.warnings ?? [])
        }
        if isConfirmed { for each in signed { rows.confirm(each.reviewed, at: history.now) } }
        return rows.written.map { HistoryRow($0.key, $0.value) }
    }

    /// The remembered nonces of an account on one network, and the row that forgets them.
    ///
    /// A row cannot be removed, so the new one begins a generation, and nonces of earlier generations do not
    /// count.
    public func nonceMemory(of account: [UInt8], on network: GenesisHash) throws -> (
        highest: UInt128?, forgetting: HistoryRow
    ) {
        let key = HistoryKey(.highestNonce, network.bytes, account)
        guard let history else { return (nil, HistoryRow(key, [])) }
        let held = try history.rows([key]).held(key, as: HighestNonce.self)
        let forgotten = HighestNonce(
            nil, at: history.now, generation: (held?.generation ?? 0).addingSaturating(1))
        return (held?.nonce, HistoryRow(key, forgotten.encoded))
    }
}
