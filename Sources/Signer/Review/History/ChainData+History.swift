import SubstratePrimitives
import TrustStore

extension ChainData {
    /// The same payloads with what the history says of them; as they are where there is no history.
    ///
    /// The payloads of a bulk are signed by one answer, so each is compared with those before it, too.
    func remembering(_ items: [ReviewedTransaction]) throws -> [ReviewedTransaction] {
        guard let history else { return items }
        let facts = items.map { SignedFacts($0, signer: $0.signer.account(record: $0.key)) }
        var rows = try history.rows(facts.reduce(into: Set()) { $0.formUnion($1.keys) })
        return zip(items, facts).map { item, facts in
            let known = KnownAccounts(state, network: facts.network)
            let rules = HistoryRules(now: history.now, extent: history.extent, known: known)
            let findings = rules.findings(facts, rows)
            facts.record(in: &rows, at: history.now)
            return item.remembering(findings)
        }
    }

    /// The rows that signing these payloads writes, made from the rows that the history has.
    /// - Parameter signed: each payload with the account that signed it.
    public func historyRows(of signed: [(reviewed: ReviewedTransaction, signer: [UInt8]?)]) throws -> [HistoryRow] {
        guard let history else { return [] }
        let facts = signed.map { SignedFacts($0.reviewed, signer: $0.signer) }
        var rows = try history.rows(facts.reduce(into: Set()) { $0.formUnion($1.keys) })
        for facts in facts { facts.record(in: &rows, at: history.now) }
        return rows.written.map { HistoryRow($0.key, $0.value) }
    }
}
