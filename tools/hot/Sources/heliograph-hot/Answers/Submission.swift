import ChainRPC
import Diagnostics
import HotStore
import HotTransactions
import Lines
import Metadata
import NodeAnswers
import SubstratePrimitives

/// Submits an extrinsic, prints its status until it is final or can no longer be included, and then prints
/// its result.
///
/// Once the bytes were written to a node, nothing that it answers makes them unsent: it may have passed them
/// on, and its refusal may say only that the chain has them already. So no later node is asked to take them
/// as if they were new, because its refusal would then stand for the whole: "outdated" is what an honest node
/// says of a payment that is in a block. The nodes are asked where it is instead, and what stays unknown is
/// called so.
struct Submission: Sendable {
    let extrinsic: [UInt8]
    let genesisHash: GenesisHash
    /// The time limit.
    let seconds: Int
    let check: ResultCheck
    /// The signer, as the state of the chain has it.
    let account: [UInt8]
    let again: Again
    /// The number of its record.
    let life: Int64

    /// - Parameters:
    ///   - life: the number of its record.
    ///   - request: what was signed.
    ///   - extrinsic: it with its signature.
    ///   - seconds: the time limit.
    init(
        _ life: Int64, _ request: SignedRequest, _ extrinsic: [UInt8], seconds: Int, _ check: ResultCheck,
        _ store: HotStore
    ) {
        (self.life, self.extrinsic, self.seconds, self.check) = (life, extrinsic, seconds, check)
        genesisHash = request.genesisHash
        account = SignedExtrinsic.account(request.signer.payloadKey, scheme: request.signer.scheme)
        again = Again((try? request.decoded(store: store))?.facts.nonce)
    }

    private var hash: Hash32 { SignedExtrinsic.hash(extrinsic) }

    /// The nodes to which a transaction can be submitted: those with a WebSocket, because a status comes over
    /// it and an unwatched transaction is not sent.
    /// - Throws: an error for a text that is not a URL, and if no URL is a WebSocket's.
    static func nodes(_ addresses: [String]) throws -> [NodeURL] {
        guard !addresses.isEmpty else { throw HotError.noAddress }
        let urls = try addresses.map(NetworkOptions.url).filter(\.scheme.isWebSocket)
        guard !urls.isEmpty else { throw RPCError.needsWebSocket }
        return urls
    }

    /// - Returns: why the result is unknown; nil for a success.
    func run(_ pool: NodePool, _ trace: Trace) async throws -> String? {
        var once = pool.options
        once.attempts = 1
        let nodes = NodePool(pool.urls, options: once)
        let named: NamedBlock
        do {
            named = try await followed(nodes, trace)
        } catch {
            guard let node = await trace.given else { throw error }
            named = try await found(after: error, node, nodes, await trace.block)
        }
        do {
            return try await check.run(
                extrinsic, in: named, expecting: genesisHash, within: seconds, again, trace)
        } catch let error as QuorumError {
            // Nodes that do not agree on the block say nothing against the transaction, which was given away.
            Console.note("0x\(hash.hex) was submitted and may be included: \(again.hint)")
            throw error
        }
    }

    /// Each URL gets one attempt, and the first that is given the extrinsic is the last.
    /// - Throws: ``AfterSending`` for an error of the node that was given it.
    private func followed(_ nodes: NodePool, _ trace: Trace) async throws -> NamedBlock {
        let (extrinsic, genesisHash, seconds, again) = (extrinsic, genesisHash, seconds, again)
        let alone = check.quorum.quorum == 1
        return try await nodes.run { node in
            let found = try await node.genesisHash()
            guard found == genesisHash else { throw RPCError.wrongChain(expected: genesisHash, found: found) }
            await trace.give(to: node.url)
            do {
                return try await withThrowingTaskGroup(of: Hash32.self) { group in
                    group.addTask {
                        try await Self.follow(node, extrinsic, alone: alone, again, trace)
                    }
                    group.addTask {
                        try await Task.sleep(for: .seconds(seconds))
                        throw HotError.notIncluded(seconds: seconds, again)
                    }
                    defer { group.cancelAll() }
                    guard let block = try await group.next() else { throw RPCError.cutOff }
                    return NamedBlock(hash: block, node: node.url)
                }
            } catch let error as RPCError {
                throw AfterSending(error: error)
            }
        }
    }

    /// Submits one after the other. The first failure stops, because later transactions may depend on it.
    /// From the first on, Ctrl-C says what may still be included.
    ///
    /// Whoever submits an answer a second time must not take its result for a second payment: the chain takes
    /// the same bytes once.
    static func run(all: [(submission: Submission, pool: NodePool)], _ store: HotStore) async throws {
        for (index, (submission, pool)) in all.enumerated() {
            let again = submission.again.hint
            Interrupt.say(
                """
                interrupted: 0x\(submission.hash.hex) was submitted, or is about to be, and may still be \
                included: \(again)
                """)
            do {
                try await submission.recorded(pool, store)
            } catch {
                let left = all.count - index - 1
                if left > 0 {
                    Console.note("\(Sentence.count(left, "transaction")) \(Sentence.be(left)) not submitted")
                }
                throw error
            }
        }
    }

    /// - Parameter alone: whether this node is believed; with a quorum, its hosts are asked whether the block
    ///   is final.
    /// - Returns: the block that the node calls final.
    private static func follow(
        _ node: NodeConnection, _ extrinsic: [UInt8], alone: Bool, _ again: Again, _ trace: Trace
    ) async throws -> Hash32 {
        let statuses = try await node.submitAndWatch(extrinsic)
        Console.note("submitted as 0x\(SignedExtrinsic.hash(extrinsic).hex)")
        for try await status in statuses {
            switch status {
            case .future: Console.note("waiting for an earlier nonce")
            case .ready: Console.note("waiting for a block")
            case .broadcast(let peers): Console.note("sent to \(peers) node\(peers == 1 ? "" : "s")")
            case .inBlock(let block):
                await trace.enter(block)
                Console.note("in block 0x\(block.hex)")
            case .retracted(let block):
                await trace.enter(nil)
                Console.note("block 0x\(block.hex) is no longer part of the chain")
            case .finalized(let block):
                believe(block, alone: alone)
                return block
            case .finalityTimeout(let block): throw HotError.notFinal(block: block, again)
            case .usurped(let other): throw HotError.usurped(by: other, again)
            case .dropped: throw HotError.dropped(again)
            case .invalid: throw HotError.expired(again)
            }
        }
        throw RPCError.cutOff
    }

    /// The status is one node's word; another node or an explorer can confirm it.
    static func believe(_ block: Hash32, alone: Bool) {
        Console.note(
            alone
                ? "finality believed from one node"
                : "one node calls block 0x\(block.hex) final; the others are asked")
    }

    static func finalized(_ block: Hash32) -> String { "finalized in block 0x\(block.hex)" }
}

/// Reads what became of a transaction: a final transaction may have failed.
struct ResultCheck: Sendable {
    /// Of the runtime version that the transaction is signed for: no other includes it, so no other made its
    /// events.
    let metadata: RuntimeMetadata
    /// Of its blob, the byte behind `meta`.
    let format: UInt8
    /// One node may have given it. With a quorum, each host is asked for the same.
    let origin: MetadataOrigin
    let specs: NetworkSpecs
    let quorum: QuorumOptions
    /// Whether an unknown result is an error.
    let strict: Bool
    /// Asked about the block; with a quorum, all of its hosts.
    let pool: NodePool

    /// Of all transactions of this command.
    private static let known = KnownMetadata()
    /// Seconds: a host may be some blocks behind the one that called the block final.
    private static let patience = (alone: 2, together: 30)

    /// - Returns: why the result is unknown; nil for a success.
    func run(
        _ extrinsic: [UInt8], in named: NamedBlock, expecting genesis: GenesisHash, within seconds: Int,
        _ again: Again, _ trace: Trace
    ) async throws -> String? {
        let block = named.hash
        let together = quorum.quorum > 1
        let (asked, known) = (together ? format : nil, Self.known)
        let patience = min(seconds, together ? Self.patience.together : Self.patience.alone)
        let (answers, belief): ([Inclusion], String)
        do {
            (answers, belief) = try await quorum.ask(
                pool, at: .hash(block), expecting: genesis,
                { node, _ in
                    let found = try await node.genesisHash()
                    guard found == genesis else { throw RPCError.wrongChain(expected: genesis, found: found) }
                    for _ in 0..<patience {
                        do throws(RPCError) {
                            let found = try await node.inclusion(
                                of: extrinsic, in: block, readBy: asked, known: known)
                            // A block that a host has and does not call final may still be replaced, and its
                            // result with it.
                            if found.isFinal || !together { return found }
                        } catch {
                            guard case .noSuchBlock = error else { throw error }
                        }
                        try await Task.sleep(for: .seconds(1))
                    }
                    return try await node.inclusion(of: extrinsic, in: block, readBy: asked, known: known)
                }, facts: \.facts)
        } catch let error as AllNodesFailed where quorum.quorum == 1 {
            // Whoever named the block has it. A node that then knows no such block contradicts itself, so
            // nothing that it said before counts. One that does not answer contradicts nothing, and its
            // status stays.
            let denied = error.attempts.contains { attempt in
                if case .noSuchBlock = attempt.error { attempt.url == named.node } else { false }
            }
            if denied { throw HotError.notInBlock(block, .noSuchBlock) }
            await trace.finish(block, "believed from one node")
            Console.print(Submission.finalized(block))
            return try unknown(error.sentence)
        }
        Console.endProgress()
        let answer = answers[0]
        if together {
            // The answers agree in this too, so one of them tells for all. The node that called the block
            // final need not be among them.
            guard answer.isFinal, answer.canonical == block else {
                throw HotError.notFinal(block: block, again)
            }
            Console.note(Escape.terminal("finality \(belief)"))
        }
        // What a block holds follows from its hash: whoever named this block for the transaction was wrong,
        // and nobody knows whether another block has it.
        if answer.places.isEmpty { throw HotError.notInBlock(block, .notInIt) }
        await trace.finish(block, belief)
        Console.print(Submission.finalized(block))
        guard answer.canonical == block else {
            return try unknown("the node has another block \(answer.number)")
        }
        guard answer.places.count == 1 else {
            return try unknown("the block has the transaction \(Sentence.count(answer.places.count, "time"))")
        }
        let events: [UInt8]
        switch Self.events(of: answers) {
        case .bytes(let bytes): events = bytes
        case .none: return try unknown("the node has no events of the block")
        case .untold(let error):
            let silent = together ? "not all of the \(answers.count) nodes tell" : "the node does not tell"
            return try unknown("\(silent) the events of the block: \(error.sentence)")
        }
        if together, let reason = doubt(answers) { return try unknown(reason) }
        let result: TransactionResult
        do throws(TransactionResult.Unknown) {
            // A node chooses how many events it answers with, so reading them has the time of an answer.
            result = try TransactionResult(
                events: events, place: answer.places[0], metadata: metadata,
                deadline: .now + .seconds(min(seconds, pool.options.answerSeconds)))
        } catch {
            return try unknown(error.sentence)
        }
        try tell(result, belief)
        return nil
    }

    /// The events if no answers contradict each other; known only if every node gives them, because a result
    /// that one node does not confirm has fewer witnesses than must agree.
    private static func events(of answers: [Inclusion]) -> Inclusion.Events {
        for answer in answers {
            if case .untold = answer.events { return answer.events }
        }
        return answers[0].events
    }

    /// Why the metadata here may differ from that of the nodes; nil if it is the same. Nodes agree only about
    /// the bytes of events, and metadata gives them their meaning.
    private func doubt(_ answers: [Inclusion]) -> String? {
        for answer in answers {
            switch answer.metadata {
            case .hash(origin.hash): continue
            case .hash(let hash):
                return
                    """
                    the metadata here has the hash 0x\(origin.hash.hex) (\(origin.phrase)), that of the \
                    nodes 0x\(hash.hex)
                    """
            case .none: return "the nodes have no metadata V\(format) of the block"
            case .notAsked: return "the nodes do not tell the metadata of the block"
            case .untold(let error):
                return
                    """
                    not all of the \(answers.count) nodes tell the metadata of the block: \(error.sentence)
                    """
            }
        }
        return nil
    }

    private func tell(_ result: TransactionResult, _ belief: String) throws {
        let fee = result.fee.map { planck in
            let amount = TokenAmount(planck: planck, decimals: specs.decimals, unit: specs.unit)
            return Amount.plain(amount.plain, unit: amount.symbol)
        }
        let word =
            result.failure != nil
            ? "failed" : result.innerFailures.isEmpty ? "succeeded" : "succeeded in part"
        Console.print(Escape.terminal("\(word); fee paid: \(fee ?? "unknown")"))
        let unread =
            quorum.quorum > 1
            ? "" : "; the metadata that reads it (\(origin.phrase)) is compared with no node's"
        Console.note(Escape.terminal("result \(belief)\(unread)"))
        func reason(_ error: [UInt8]) -> String {
            CallFailure(error)?.sentence(metadata) ?? "an unknown error"
        }
        if let failure = result.failure { throw HotError.failed(reason(failure)) }
        guard !result.innerFailures.isEmpty else { return }
        throw HotError.partlyFailed(
            result.innerFailures.map { inner in
                inner.error.map { "\(inner.event): \(reason($0))" } ?? inner.event
            }, of: result.innerFailureCount)
    }

    private func unknown(_ reason: String) throws -> String {
        Console.endProgress()
        if strict { throw HotError.resultUnknown(reason) }
        Console.note(Escape.terminal("included, result not checked: \(reason)"))
        return reason
    }
}

extension CallFailure {
    /// With the pallet's name for its error and what its documentation says, where the metadata has them.
    func sentence(_ metadata: RuntimeMetadata) -> String {
        if case .module(let pallet, let error) = self,
            let known = metadata.moduleError(pallet: pallet, error: error)
        {
            return known.docs.utf8.isEmpty ? known.name : "\(known.name): \(RPCError.clipped(known.docs))"
        }
        return sentence(Dictionary(metadata.pallets.map { ($0.index, $0.name) }) { one, _ in one })
    }
}
