import ChainRPC
import Diagnostics
import Extrinsics
import Glibc
import Hashing
import HotStore
import HotTransactions
import Lines
import NodeAnswers
import SubstratePrimitives
import UOS

extension Clock {
    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}

/// Who says something about a transaction, as its record has it.
enum Witness {
    static let oneNode = HotTransaction.oneNodesWord

    /// - Parameter belief: of ``QuorumOptions``, `believed from one node` or `agreed by …`.
    static func text(_ quorum: QuorumOptions, _ belief: String) -> String {
        quorum.quorum > 1 ? belief : oneNode
    }
}

extension SignedRequest {
    /// Keeps the transaction in the hot database; the record that is there already for the same bytes.
    @discardableResult
    func record(in store: HotStore) throws -> HotTransaction { try store.keep(content(store), at: Clock.now) }

    /// What its record says of it.
    func content(_ store: HotStore) throws -> HotTransaction.Content {
        // The signature is checked over bytes, so a transaction that the metadata does not describe still
        // has a life, without nonce and era.
        let (network, metadata) = (try owner(store), try metadata(store))
        let body = TransactionPayload.body(call: call, extensions: extensions)
        let decoded = try? Extrinsics.decode(body: body, metadata: metadata, specs: network.specs)
        let tail = try SignedExtrinsic.tail(call: call, extensions: extensions, metadata: metadata)
        let (scheme, length) = (signer.scheme, signer.scheme.signatureLength)
        let account = SignedExtrinsic.account(signer.payloadKey, scheme: scheme)
        let blank = try SignedExtrinsic.bytes(
            signer: account, scheme: scheme, signature: [UInt8](repeating: 0, count: length), call: call,
            extensions: extensions, metadata: metadata)
        var (period, block): (UInt32?, Hash32?)
        if case .mortal(let era)? = decoded?.facts.era {
            (period, block) = (era.period, decoded?.facts.blockHash)
        }
        let identity = genesisHash.bytes + [scheme.rawValue] + signer.payloadKey
        return HotTransaction.Content(
            network: network.name, genesisHash: genesisHash, payload: payload,
            digest: .blake2b(of: identity + body), account: account,
            nonce: decoded?.facts.nonce.flatMap { UInt64(exactly: $0) }, period: period, eraBlock: block,
            call: decoded?.summary.calls.first.map { "\($0)" } ?? "unknown", callHash: .blake2b(of: call),
            head: Array(blank.dropLast(tail.count + length)), tail: tail, signatureLength: length)
    }

    /// The records of transactions that were signed, before anything of them is printed or sent.
    /// - Parameter isSent: whether they are about to be submitted; then one that was replaced is refused.
    static func keep(
        signed requests: [SignedRequest], _ extrinsics: [[UInt8]], isSent: Bool, _ store: HotStore
    ) throws -> [Int64] {
        try zip(requests, extrinsics).map { request, extrinsic in
            let row = try request.record(in: store)
            if row.state == .replaced {
                let error = HotStoreError.replacedTransaction(row.id, by: row.successor ?? row.id)
                if isSent { throw error }
                Console.note(Escape.terminal(error.sentence))
            }
            try store.keepSigned(extrinsic, of: row.id, at: Clock.now)
            return row.id
        }
    }
}

extension MadeTransaction {
    /// Records the transactions of the payload. One whose key is unknown here has no account yet, so its
    /// record begins with its answer.
    func record(in store: HotStore) throws {
        guard let requests = try? SignedRequest.all(in: payload, store) else { return }
        for request in requests {
            let row = try request.record(in: store)
            // The same payment with another nonce is a second payment, unless the first one cannot happen.
            guard let other = try store.signed(like: row).last else { continue }
            // Of one intent only the newest is made again.
            let newest = try store.transactions(of: other.intent).last { $0.state != .replaced } ?? other
            let nonce = other.content.nonce.map { " and nonce \($0)" } ?? ""
            Console.note(
                """
                transaction \(other.id) has the same call\(nonce) and may still take effect: if both are sent, \
                both may. heliograph-hot tx remake \(newest.id) makes it again, once
                """)
        }
    }
}

extension HotTransaction.Content {
    /// How an extrinsic in a block is one of this transaction.
    enum Match: Equatable {
        case same
        /// It ends with everything that the signature covers, and begins in another way. Nothing signs the
        /// address in front of a signature, so whoever passes a transaction on may write the account there
        /// in another form. So this counts as neither found nor absent.
        case similar
    }

    /// With any signature: a signer that is asked twice gives two, and a chain takes either. An extrinsic
    /// that names another account in the same form is that account's own.
    func match(_ extrinsic: [UInt8]) -> Match? {
        guard extrinsic.count > tail.count, extrinsic.suffix(tail.count).elementsEqual(tail) else {
            return nil
        }
        guard extrinsic.count == head.count + signatureLength + tail.count else { return .similar }
        if extrinsic.starts(with: head) { return .same }
        // Behind the account stands the scheme of the signature, but for Ethereum-style chains.
        let end = head.suffix(account.count).elementsEqual(account) ? head.count : head.count - 1
        let start = end - account.count
        guard start >= 0, extrinsic.starts(with: head[..<start]) else { return .similar }
        return extrinsic[start..<end].elementsEqual(account) ? .similar : nil
    }
}

extension Submission {
    /// Submits a transaction and keeps what becomes of it.
    func recorded(_ pool: NodePool, _ store: HotStore) async throws {
        let row = try store.transaction(life)
        let before = try store.giveAway(life, extrinsic, at: Clock.now)
        if before != .made, before != .signed {
            let time = UTCMinute(seconds: UInt64(max(0, row.changed)))
            Console.note(
                """
                an earlier command (\(time.text)) submitted this transaction, or tried to: the chain takes it \
                once, so this is no second payment
                """)
        }
        let trace = Trace()
        do {
            try await settle(trace, .final, Self.unchecked(try await run(pool, trace)), store)
        } catch {
            if await trace.end != nil {
                let (state, detail) = Self.ending(error)
                try await settle(trace, state, detail, store)
            } else if await trace.given != nil {
                let detail = (error as? any DiagnosticError)?.sentence
                try store.note(life, block: await trace.block, detail: detail, at: Clock.now)
            } else if before == .made || before == .signed {
                // Nobody got it. Where an earlier command gave it away, that stays true.
                try store.takeBack(life, at: Clock.now)
            }
            throw error
        }
    }

    /// Reads the result of a transaction that a finalized block is said to have, and keeps it.
    func settled(in block: NamedBlock, _ store: HotStore) async throws {
        let trace = Trace()
        do {
            let unknown = try await check.run(
                extrinsic, in: block, expecting: genesisHash, within: seconds, again, trace)
            try await settle(trace, .final, Self.unchecked(unknown), store)
        } catch {
            let (state, detail) = Self.ending(error)
            try await settle(trace, state, detail, store)
            throw error
        }
    }

    /// Nothing is kept where no block counts as final.
    private func settle(
        _ trace: Trace, _ state: HotTransaction.State, _ detail: String?, _ store: HotStore
    ) async throws {
        guard let end = await trace.end else { return }
        try store.settle(
            life, state, block: end.block, detail: detail, witness: Witness.text(check.quorum, end.belief),
            at: Clock.now)
    }

    private static func unchecked(_ reason: String?) -> String? { reason.map { "result not checked: \($0)" } }

    /// How a transaction in a final block ended, by the error that told it.
    private static func ending(_ error: any Error) -> (HotTransaction.State, String?) {
        if case .failed(let reason)? = error as? HotError { return (.failed, reason) }
        if case .partlyFailed(let reasons, _)? = error as? HotError {
            return (.failed, "a call inside it: \(reasons.joined(separator: "; "))")
        }
        // Nothing says that it failed.
        return (.final, (error as? any DiagnosticError)?.sentence)
    }
}
