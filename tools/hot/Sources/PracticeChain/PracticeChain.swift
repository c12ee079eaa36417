import FixtureRuntime
import Hashing
import SCALE
import StateProof
import SubstratePrimitives
import UOS

/// The practice chain: blocks in memory, made only from the transactions that were sent to it.
///
/// Each transaction makes a block, which is final at once. So the chain follows from its transactions and the
/// times when they came, and only those are stored: a practice that is continued starts where it stopped.
public struct PracticeChain: Sendable {
    /// One block.
    public struct Block: Sendable {
        public let number: UInt32
        public let hash: Hash32
        /// Milliseconds since 1970.
        public let time: UInt64
        let header: BlockHeader
        /// At most one.
        let extrinsics: [[UInt8]]
        /// The value of `System.Events`; nil for a block without any.
        let events: [UInt8]?
        let state: PracticeState
        /// What happened in the block, for whoever watches the node; nil where nothing did.
        public let outcome: Outcome?

        /// What stands under a storage key.
        func value(_ key: [UInt8]) -> [UInt8]? {
            if let account = StateEntry(.account).account(key) { return state[account].encoded }
            return Self.entries(state, events: events, time: time).first { $0.key == key }?.value
        }

        /// Nodes that prove what stands under some keys.
        /// - Throws: ``PracticeRefusal/notStored`` for an account that is not stored
        func proof(of keys: [[UInt8]]) throws(PracticeRefusal) -> [[UInt8]] {
            for key in keys {
                guard StateEntry(.account).account(key).map(state.stores) ?? true else { throw .notStored }
            }
            return PracticeTrie(Self.entries(state, events: events, time: time)).proof(of: keys)
        }

        /// The whole state.
        static func entries(
            _ state: PracticeState, events: [UInt8]?, time: UInt64
        ) -> [(key: [UInt8], value: [UInt8])] {
            let runtime = PracticeNetwork.runtime
            let upgrade = SCALEWriter.encode { writer in
                writer.compact(UInt64(runtime.specVersion))
                writer.string(runtime.specName)
            }
            return state.entries + [
                (StateEntry(.codeHash).key(), PracticeNetwork.code), (StateEntry(.runtime).key(), upgrade),
                (StateEntry(.time).key(), FixtureValue.integer(time)),
            ] + (events.map { [(eventsKey, $0)] } ?? [])
        }

        private static let eventsKey =
            Twox.hash128(Array("System".utf8)) + Twox.hash128(Array("Events".utf8))
    }

    /// What became of a transaction.
    public struct Outcome: Sendable, Equatable {
        public let signer: Hash32
        public let succeeded: Bool
        /// With the tip, in the smallest unit.
        public let fee: UInt128
    }

    /// Blocks before the first transaction: a real chain has a past, too, and an era needs a block to start
    /// at.
    public static let past: UInt32 = 1000

    private var blocks: [Block] = []
    private var places: [Hash32: Int] = [:]

    /// The chain before anybody sent anything.
    public init() {
        for number in 0...Self.past {
            add(
                time: PracticeNetwork.start + PracticeNetwork.blockTime * UInt64(number),
                state: PracticeState())
        }
    }

    /// The newest block, which is final.
    public var head: Block { blocks[blocks.count - 1] }

    /// The block of this hash.
    func block(_ hash: Hash32) -> Block? { places[hash].map { blocks[$0] } }

    /// The block of this number.
    func block(number: UInt32) -> Block? {
        Int(number) < blocks.count ? blocks[Int(number)] : nil
    }

    /// The next nonce of an account.
    /// - Parameter account: 32 bytes.
    public func nonce(of account: Hash32) -> UInt32 { head.state[account].nonce }

    // MARK: Transactions

    /// Takes a transaction into a new block.
    /// - Parameters:
    ///   - bytes: the whole extrinsic.
    ///   - time: when it came, in milliseconds since 1970; a block is never older than its parent. nil for
    ///     the parent's.
    /// - Throws: why a node would refuse it. A failing call is included: its fee is paid, and its events tell
    ///   that it failed.
    public mutating func submit(_ bytes: [UInt8], at time: UInt64? = nil) throws(PracticeRefusal) -> Block {
        let extrinsic = try PracticeExtrinsic(bytes)
        try check(extrinsic)
        var state = head.state
        let fee = PracticeNetwork.fee(length: bytes.count) + extrinsic.tip
        state[extrinsic.signer].free -= fee
        state[extrinsic.signer].nonce += 1
        var (events, end) = ([PracticeEvent](), PracticeEvent.succeeded)
        do throws(PracticeFailure) {
            events = try state.carryOut(extrinsic.call, by: extrinsic.signer)
        } catch {
            end = .failed(error)
        }
        let records = events + [.feePaid(by: extrinsic.signer, fee, tip: extrinsic.tip), end]
        let succeeded = if case .succeeded = end { true } else { false }
        add(
            extrinsics: [bytes], events: FixtureValue.vector(records.map(\.record)),
            time: max(head.time, time ?? 0), state: state,
            outcome: Outcome(signer: extrinsic.signer, succeeded: succeeded, fee: fee))
        return head
    }

    /// In the order of Substrate's nodes: first what the signature covers, then the nonce, then the fee.
    func check(_ extrinsic: PracticeExtrinsic) throws(PracticeRefusal) {
        guard let birth = birth(of: extrinsic.era) else { throw .ancientBirthBlock }
        guard extrinsic.isSigned(birth: birth) else { throw .badSignature }
        let account = head.state[extrinsic.signer]
        guard extrinsic.nonce >= UInt64(account.nonce) else { throw .outdated }
        guard extrinsic.nonce == UInt64(account.nonce) else { throw .early }
        let fee = PracticeNetwork.fee(length: extrinsic.bytes.count)
        guard extrinsic.tip <= account.free, fee <= account.free - extrinsic.tip else { throw .cannotPay }
    }

    /// The hash of the block that an era starts at, seen from the next block: `(current - phase) / period`
    /// whole periods behind the phase.
    ///
    /// Source: polkadot-sdk, `substrate/primitives/runtime/src/generic/era.rs` (`Era::birth`).
    private func birth(of era: Era) -> Hash32? {
        switch era {
        case .immortal: return blocks[0].hash
        case .mortal(let era):
            let current = max(head.number + 1, era.phase)
            return block(number: (current - era.phase) / era.period * era.period + era.phase)?.hash
        }
    }

    // MARK: Blocks

    private mutating func add(
        extrinsics: [[UInt8]] = [], events: [UInt8]? = nil, time: UInt64, state: PracticeState,
        outcome: Outcome? = nil
    ) {
        let number = UInt32(blocks.count)
        let header = BlockHeader(
            parent: blocks.last?.hash ?? Hash32([UInt8](repeating: 0, count: 32))!, number: number,
            stateRoot: PracticeTrie(Block.entries(state, events: events, time: time)).root,
            extrinsicsRoot: .blake2b(of: extrinsics.flatMap { $0 }), digest: [])
        // The first block is known by the hash that all signatures cover, and that no header has.
        let hash = number == 0 ? PracticeNetwork.specs.genesisHash : header.hash
        blocks.append(
            Block(
                number: number, hash: hash, time: time, header: header, extrinsics: extrinsics,
                events: events,
                state: state, outcome: outcome))
        places[hash] = Int(number)
    }
}

extension StateEntry {
    /// The account of a storage key of this entry, `System.Account`; nil for another key.
    func account(_ key: [UInt8]) -> Hash32? {
        guard let account = Hash32(key.suffix(32)), self.key([account.bytes]) == key else { return nil }
        return account
    }
}
