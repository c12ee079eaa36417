import Hashing
import NIOConcurrencyHelpers
import NodeAnswers
import SCALE
import SubstratePrimitives

/// What a node says of a transaction before it is signed.
extension NodeConnection {
    /// The fee without the tip that the runtime asks for an extrinsic with its length prefix; its signature
    /// is not checked. nil where the runtime names none.
    public func fee(of extrinsic: [UInt8], at block: Hash32) async throws(RPCError) -> UInt128? {
        let arguments = extrinsic + SCALEWriter.encode { $0.integer(UInt32(clamping: extrinsic.count)) }
        guard let bytes = try await runtime("TransactionPaymentApi_query_info", arguments, at: block) else {
            return nil
        }
        guard let fee = FeeAnswer.fee(bytes) else { throw .unexpectedAnswer(.shortRuntimeCall) }
        return fee
    }

    /// The balance of an account: ``AccountBalance/none`` for an account that the chain does not know, nil if
    /// the chain keeps balances in another way.
    /// - Parameter account: 32 or 20 bytes.
    public func balance(of account: [UInt8], at block: Hash32) async throws(RPCError) -> AccountBalance? {
        guard let info = try await accountInfo(of: account, at: block) else { return AccountBalance.none }
        return AccountBalance(accountInfo: info)
    }

    /// The nonce of the account's next transaction, without any pool: 0 for an account that the chain does
    /// not know, nil if the chain keeps accounts in another way.
    /// - Parameter account: 32 or 20 bytes.
    public func nonce(of account: [UInt8], at block: Hash32) async throws(RPCError) -> UInt32? {
        guard let info = try await accountInfo(of: account, at: block) else { return 0 }
        guard AccountBalance(accountInfo: info) != nil else { return nil }
        // It comes first.
        return info.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The value of `System.Account`; nil for an account that the chain does not know.
    private func accountInfo(of account: [UInt8], at block: Hash32) async throws(RPCError) -> [UInt8]? {
        // The storage key: twox128("System") ‖ twox128("Account") ‖ BLAKE2b-128 of the account ‖ the account.
        let map = "26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9"
        let key = "0x" + map + Hex.encode(BLAKE2b.hash(account, length: 16) + account)
        let answer = try await call(.storage, [.text(key), .text("0x\(block.hex)")])
        return answer == .null ? nil : try Self.bytes(answer, .storage)
    }

    /// Executes a call in the runtime and keeps nothing of it; nil where the runtime cannot do that.
    /// - Parameter system: index of the pallet System, by which an origin is encoded.
    public func dryRun(_ call: [UInt8], by account: [UInt8], system: UInt8, at block: Hash32)
        async throws(RPCError) -> DryRun?
    {
        let arguments = [system, 1] + account + call
        // The second version of the function takes the XCM version of its result as well.
        for version in [SCALEWriter.encode { $0.integer(UInt32(4)) }, []] {
            guard let bytes = try await runtime("DryRunApi_dry_run_call", arguments + version, at: block)
            else { continue }
            guard let answer = DryRun(bytes) else { throw .unexpectedAnswer(.shortRuntimeCall) }
            return answer
        }
        return nil
    }

    /// Whether the runtime has the hash of its metadata compiled in; nil if its answer does not show it.
    ///
    /// A runtime without one cannot say what a signature covers, and answers so before it looks at the
    /// signature.
    /// - Parameter extrinsic: with an invalid signature, and with the metadata hash enabled.
    public func hasMetadataHash(_ extrinsic: [UInt8], at block: Hash32) async throws(RPCError) -> Bool? {
        // From outside; the block that it is judged at.
        let arguments = [2] + extrinsic + block.bytes
        return try await runtime("TaggedTransactionQueue_validate_transaction", arguments, at: block)
            .flatMap(ValidityAnswer.hasMetadataHash)
    }

    /// Where a transaction stands in a block, whether that block is final, and its events.
    ///
    /// A node keeps blocks for longer than their state. So the events and the metadata are asked for last,
    /// and a node that refuses them has still answered. If it were passed over, the remaining nodes would
    /// decide about something that honest ones no longer know.
    /// - Parameters:
    ///   - format: the format of the metadata to ask for, the number behind `meta`; nil to ask for none.
    ///   - known: earlier answers of nodes about the metadata of runtimes; this answer is added.
    /// - Throws: ``RPCError/noSuchBlock(_:)`` when the node does not have the block.
    public func inclusion(
        of extrinsic: [UInt8], in block: Hash32, readBy format: UInt8? = nil,
        known: KnownMetadata = KnownMetadata()
    ) async throws(RPCError) -> Inclusion {
        let (number, places) = try await places(of: extrinsic, in: block)
        // Asked in this order: what the node has at a number that was final before is its final block there.
        let isFinal = try await self.block(.finalized).number >= number
        let canonical = try await call(.blockHash, [.number(number)])
        return Inclusion(
            number: number, isFinal: isFinal, canonical: canonical.string.flatMap { Hash32(hex: $0) },
            places: places,
            events: try await events(of: block),
            metadata: isFinal ? try await metadata(of: number, format, known) : .notAsked)
    }

    /// The newest finalized block that has a transaction; nil if it is in none of those that were searched.
    ///
    /// Blocks that the node no longer has are passed over.
    /// - Parameters:
    ///   - count: how many blocks are searched, from the newest finalized one on; at least 1.
    ///   - end: no further block is asked for after this time.
    public func finalizedBlock(
        with extrinsic: [UInt8], among count: UInt32, until end: ContinuousClock.Instant
    ) async throws(RPCError) -> Hash32? {
        let newest = try await block(.finalized).number
        for number in (newest - min(newest, count - 1)...newest).reversed() {
            guard ContinuousClock.now < end else { return nil }
            do throws(RPCError) {
                let hash = try await block(.number(number)).hash
                if try await !places(of: extrinsic, in: hash).places.isEmpty { return hash }
            } catch {
                guard case .noSuchBlock = error else { throw error }
            }
        }
        return nil
    }

    /// The number of a block, and the transactions in it, inherents included.
    /// - Throws: ``RPCError/noSuchBlock(_:)`` when the node does not have the block.
    public func extrinsics(of block: Hash32) async throws(RPCError) -> (number: UInt32, bodies: [[UInt8]]) {
        let (number, all) = try await body(of: block)
        var bodies: [[UInt8]] = []
        for one in all {
            guard let bytes = Hex.decode(one) else { throw .unexpectedAnswer(.block) }
            bodies.append(bytes)
        }
        return (number, bodies)
    }

    /// The number of a block, and its transactions as the node writes them.
    private func body(of block: Hash32) async throws(RPCError) -> (number: UInt32, extrinsics: [String]) {
        let answer = try await call(.block, [.text("0x\(block.hex)")])
        guard answer != .null else { throw .noSuchBlock(block.hex) }
        guard let body = answer["block"], let number = body["header"].flatMap(BlockHeader.number),
            case .array(let all)? = body["extrinsics"]
        else { throw .unexpectedAnswer(.block) }
        var extrinsics: [String] = []
        for one in all {
            guard let text = one.string, text.utf8Starts(with: "0x") else { throw .unexpectedAnswer(.block) }
            extrinsics.append(text)
        }
        return (number, extrinsics)
    }

    /// The number of a block, and the indices of a transaction in it.
    private func places(of extrinsic: [UInt8], in block: Hash32) async throws(RPCError)
        -> (number: UInt32, places: [UInt32])
    {
        let (number, all) = try await body(of: block)
        var places: [UInt32] = []
        for (place, text) in all.enumerated() {
            // All of its bytes are compared, so its hash is.
            guard text.utf8.count == 2 + 2 * extrinsic.count, Hex.decode(text) == extrinsic else { continue }
            places.append(UInt32(place))
        }
        return (number, places)
    }

    /// The state behind a block has the code that executes the next one, so the block before tells.
    private func metadata(
        of number: UInt32, _ format: UInt8?, _ known: KnownMetadata
    ) async throws(RPCError) -> Inclusion.Metadata {
        guard let format else { return .notAsked }
        let parent = try await block(.number(number - min(number, 1)))
        do {
            let code = try await codeHash(at: parent.hash)
            if let code, let hash = known.hash(url, code, format) { return .hash(hash) }
            let blob = try await metadata(at: parent.hash, formats: [UInt32(format)])
            guard blob[4] == format else { return .none }
            let hash = Hash32.blake2b(of: blob)
            if let code { known.keep(hash, url, code, format) }
            return .hash(hash)
        } catch {
            guard case .refusedByNode = error else { throw error }
            return .untold(error)
        }
    }

    /// nil where the node does not tell, so that its metadata is asked for each time.
    private func codeHash(at block: Hash32) async throws(RPCError) -> Hash32? {
        do { return try await runtimeCodeHash(at: block) } catch {
            if case .refusedByNode = error { return nil }
            if case .unexpectedAnswer = error { return nil }
            throw error
        }
    }

    private func events(of block: Hash32) async throws(RPCError) -> Inclusion.Events {
        // The storage key: twox128("System") ‖ twox128("Events").
        let key = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"
        do {
            let answer = try await call(.events, [.text(key), .text("0x\(block.hex)")])
            return answer == .null ? .none : .bytes(try Self.bytes(answer, .events))
        } catch {
            guard case .refusedByNode = error else { throw error }
            return .untold(error)
        }
    }

    /// nil when the node refuses: the runtime has no such function, or another version of it.
    private func runtime(_ function: String, _ arguments: [UInt8], at block: Hash32) async throws(RPCError)
        -> [UInt8]?
    {
        let parameters: [RPCParameter] = [
            .text(function), .text("0x" + Hex.encode(arguments)), .text("0x\(block.hex)"),
        ]
        let answer: StrictJSON.Value
        do {
            answer = try await call(.shortRuntimeCall, parameters)
        } catch RPCError.refusedByNode {
            return nil
        } catch {
            throw error
        }
        return try Self.bytes(answer, .shortRuntimeCall)
    }

    private static func bytes(_ answer: StrictJSON.Value, _ method: RPCMethod) throws(RPCError) -> [UInt8] {
        guard let text = answer.string, text.utf8Starts(with: "0x") else { throw .unexpectedAnswer(method) }
        if text.utf8Equals("0x") { return [] }
        guard let bytes = Hex.decode(text) else { throw .unexpectedAnswer(method) }
        return bytes
    }
}

/// The answers of each node about the metadata of runtimes, during one command: several transactions have one
/// runtime, and its metadata is megabytes.
///
/// An answer counts only for its own node: a node that gives a wrong hash of the code could give wrong
/// metadata as well.
public final class KnownMetadata: Sendable {
    private struct Key: Hashable {
        let node: NodeURL
        let code: Hash32
        let format: UInt8
    }

    private let hashes = NIOLockedValueBox<[Key: Hash32]>([:])

    public init() {}

    fileprivate func hash(_ node: NodeURL, _ code: Hash32, _ format: UInt8) -> Hash32? {
        hashes.withLockedValue { $0[Key(node: node, code: code, format: format)] }
    }

    fileprivate func keep(_ hash: Hash32, _ node: NodeURL, _ code: Hash32, _ format: UInt8) {
        hashes.withLockedValue { $0[Key(node: node, code: code, format: format)] = hash }
    }
}
