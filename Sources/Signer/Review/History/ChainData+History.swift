import SubstratePrimitives
import TrustStore

extension ChainData {
    /// The same payloads with what the history says of them; as they are where there is no history.
    ///
    /// The payloads of a bulk are signed by one answer, so each is compared with those before it, too.
    func remembering(_ items: [ReviewedTransaction]) throws -> [ReviewedTransaction] {
        guard let history else { return items.map { weighed($0, confirmed: nil) } }
        let facts = items.map { SignedFacts($0, signer: $0.signer.account(record: $0.key)) }
        let readings = items.compactMap(\.readingKey)
        let runtimes = items.compactMap(\.runtimeKey)
        var rows = try history.rows(facts.reduce(into: Set(readings + runtimes)) { $0.formUnion($1.keys) })
        return zip(items, facts).map { item, facts in
            let known = KnownAccounts(state, network: facts.network)
            let rules = HistoryRules(now: history.now, extent: history.extent, known: known)
            let findings = rules.findings(facts, rows)
            facts.record(in: &rows, at: history.now)
            var item = item.remembering(findings)
            // As it is on the disk: what this answer would sign before vouches for nothing.
            if item.vouching == .nobody, let key = item.readingKey, rows.held(key, as: ConfirmedReading.self) != nil {
                item.vouching = .earlierSignature
            }
            return weighed(item, confirmed: item.runtimeKey.flatMap { rows.held($0, as: ConfirmedReading.self) }?.version)
        }
    }

    /// The rows that signing these payloads writes, made from the rows that the history has.
    /// - Parameters:
    ///   - signed: each payload with the account that signed it.
    ///   - isConfirmed: whether a person said yes, and not a rule: then what it was read with is vouched for from now on.
    public func historyRows(
        of signed: [(reviewed: ReviewedTransaction, signer: [UInt8]?)], isConfirmed: Bool
    ) throws -> [HistoryRow] {
        guard let history else { return [] }
        let facts = signed.map { SignedFacts($0.reviewed, signer: $0.signer) }
        var rows = try history.rows(facts.reduce(into: Set()) { $0.formUnion($1.keys) })
        for facts in facts { facts.record(in: &rows, at: history.now) }
        if isConfirmed { for each in signed { rows.confirm(each.reviewed, at: history.now) } }
        return rows.written.map { HistoryRow($0.key, $0.value) }
    }
}
