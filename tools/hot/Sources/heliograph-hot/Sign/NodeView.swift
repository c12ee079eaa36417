import ChainRPC
import Extrinsics
import Glibc
import HotStore
import HotTransactions
import Lines
import Metadata
import NodeAnswers
import SubstratePrimitives
import UOS

/// What a node says of transactions that are not signed yet. Nobody but the node says it.
struct NodeView: Sendable {
    /// Without the tips, of all transactions together; nil where the runtime does not say.
    var fee: UInt128?
    /// nil where the chain keeps balances in another way.
    var balance: UInt128?
    /// Only where the calls are such that nothing but their amounts, tips and fees leaves the account.
    var balanceAfter: UInt128?
    var existentialDeposit: UInt128?
    /// Of the last call; the first that fails ends the dry run. nil without one.
    var dryRun: DryRun?
    /// The newest finalized block.
    var block: BlockReference

    /// Amounts and fee of one node; all of them are asked about one block.
    var facts: [NodeFact] {
        func text(_ amount: UInt128?) -> String { amount.map { "\($0)" } ?? "unknown" }
        return [
            NodeFact("fee", text(fee)), NodeFact("balance", text(balance)),
            NodeFact("block", "\(block.number)"),
            NodeFact("block hash", "0x\(block.hash.hex)"),
            NodeFact("dry run", dryRun.map { "\($0)" } ?? "none"),
        ]
    }

    /// One transaction as the questions need it.
    struct Question: Sendable {
        /// With a signature of zeros: fee and length do not depend on it.
        let extrinsic: [UInt8]
        let call: [UInt8]
        let account: [UInt8]
        let system: UInt8

        init(_ draft: TransactionDraft, metadata: RuntimeMetadata, _ store: HotStore) throws {
            let scheme = draft.payload.signer.scheme
            account = SignedExtrinsic.account(
                try RequestedSigner(draft.payload.signer, store).payloadKey, scheme: scheme)
            call = draft.payload.call
            system = metadata.pallets.first { $0.name.utf8Equals("System") }?.index ?? 0
            extrinsic = try SignedExtrinsic.bytes(
                signer: account, scheme: scheme,
                signature: [UInt8](repeating: 0, count: scheme.signatureLength), call: call,
                extensions: draft.payload.extensions, metadata: metadata)
        }
    }

    /// Asks one node about one block.
    static func ask(
        _ node: NodeConnection, at choice: BlockChoice, _ questions: [Question], runs: Bool,
        genesis: GenesisHash
    ) async throws
        -> NodeView
    {
        let found = try await node.genesisHash()
        guard found == genesis else { throw RPCError.wrongChain(expected: genesis, found: found) }
        let block = try await node.block(choice)
        var view = NodeView(block: block)
        var fees: [UInt128] = []
        for question in questions {
            if let fee = try await node.fee(of: question.extrinsic, at: block.hash) { fees.append(fee) }
            guard runs else { continue }
            switch view.dryRun {
            case .fails, .notExecuted: break
            case .succeeds, nil:
                view.dryRun =
                    try await node.dryRun(
                        question.call, by: question.account, system: question.system, at: block.hash)
                    ?? .notExecuted
            }
        }
        if fees.count == questions.count { view.fee = fees.reduce(0) { $0.addingSaturating($1) } }
        view.balance = try await node.balance(of: questions[0].account, at: block.hash)?.spendable
        return view
    }

    /// Adds what follows from the transactions themselves.
    mutating func complete(_ made: MadeTransaction, _ questions: [Question]) throws {
        existentialDeposit = try made.metadata.existentialDeposit()
        guard let fee, let balance else { return }
        var leaving = fee.addingSaturating(tips(made))
        for (draft, question) in zip(made.drafts, questions) {
            guard let amount = Self.leaving(draft.decoded.summary, question.account) else { return }
            leaving = leaving.addingSaturating(amount)
        }
        if leaving <= balance { balanceAfter = balance - leaving }
    }

    func tips(_ made: MadeTransaction) -> UInt128 {
        made.drafts.reduce(0) { $0.addingSaturating($1.decoded.facts.tip ?? 0) }
    }

    /// The calls whose amounts are all that leaves the signer, by pallet.
    private static let plainCalls: [(pallet: ExactText, calls: [ExactText])] = [
        ("Balances", ["transfer", "transfer_keep_alive", "transfer_allow_death"]),
        ("System", ["remark", "remark_with_event"]),
        ("Utility", ["batch_all"]),
    ]

    /// nil for a call that may move more or less than its amounts.
    private static func leaving(_ summary: CallSummary, _ account: [UInt8]) -> UInt128? {
        let isPlain = summary.calls.allSatisfy { name in
            plainCalls.contains { $0.pallet == name.pallet && $0.calls.contains(name.call) }
        }
        guard isPlain, summary.hiddenCalls.isEmpty, !summary.hasBareNumbers, !summary.hasBareChoices,
            !summary.accounts.contains(account)
        else { return nil }
        return summary.nativeTotal
    }
}

extension NodeView {
    /// - Parameter amount: writes planck with the network's unit.
    func lines(_ made: MadeTransaction, _ amount: (UInt128) -> String) -> [String] {
        var lines = ["fee " + (fee.map(amount) ?? "unknown: the runtime does not say")]
        let after = balanceAfter.map { ", \(amount($0)) after it" } ?? ""
        lines.append(
            "balance "
                + (balance.map { amount($0) + after } ?? "unknown: the chain keeps balances in its own way"))
        if let existentialDeposit { lines.append("existential deposit \(amount(existentialDeposit))") }
        switch dryRun {
        case .succeeds?: lines.append("dry run: the call succeeds")
        case .fails?, .notExecuted?, nil: break
        }
        return lines
    }

    /// Refuses what the node says would fail.
    func requireSuccess(_ made: MadeTransaction, _ amount: (UInt128) -> String) throws {
        switch dryRun {
        case .fails(let failure)?: throw SignError.wouldFail(failure.sentence(made.metadata))
        case .notExecuted?: throw SignError.noDryRun
        case .succeeds?, nil: break
        }
        guard let fee, let balance else { return }
        let due = fee.addingSaturating(tips(made))
        guard due <= balance else { throw SignError.cannotPay(fee: amount(due), balance: amount(balance)) }
    }

    /// As numbers for the offline side, made now.
    var claims: ClaimedFacts {
        var claims = ClaimedFacts()
        (claims.fee, claims.balance, claims.existentialDeposit, claims.balanceAfter) = (
            fee, balance, existentialDeposit, balanceAfter
        )
        claims.block = UInt64(block.number)
        claims.time = UInt64(exactly: time(nil))
        return claims
    }
}
