import FixtureRuntime
import Hashing
import SCALE
import SubstratePrimitives

/// The practice chain: blocks in memory, made only from the transactions that were sent to it.
///
/// Each transaction makes a block, which is final at once; no time passes between two. So the chain follows
/// from its transactions, and only they are stored: a practice that is continued starts where it stopped.
public struct PracticeChain: Sendable {
    /// One block.
    public struct Block: Sendable {
        public let number: UInt32
        public let hash: Hash32
        let parent: Hash32
        let stateDigest: Hash32
        let extrinsicsDigest: Hash32
        /// At most one.
        let extrinsics: [[UInt8]]
        /// The value of `System.Events`; nil for a block without any.
        let events: [UInt8]?
        let state: PracticeState
        /// What happened in the block, for whoever watches the node; nil where nothing did.
        public let outcome: Outcome?
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
        add(extrinsics: [], events: nil, state: PracticeState(), outcome: nil)
        for _ in 0..<Self.past { add(extrinsics: [], events: nil, state: blocks[0].state, outcome: nil) }
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
    /// - Throws: why a node would refuse it. A failing call is included: its fee is paid, and its events tell
    ///   that it failed.
    public mutating func submit(_ bytes: [UInt8]) throws(PracticeRefusal) -> Block {
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
            extrinsics: [bytes], events: FixtureValue.vector(records.map(\.record)), state: state,
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
        extrinsics: [[UInt8]], events: [UInt8]?, state: PracticeState, outcome: Outcome?
    ) {
        let number = UInt32(blocks.count)
        let parent = blocks.last?.hash ?? Hash32([UInt8](repeating: 0, count: 32))!
        let (stateDigest, extrinsicsDigest) = (state.digest, Hash32.blake2b(of: extrinsics.flatMap { $0 }))
        let header = SCALEWriter.encode { writer in
            writer.raw(parent.bytes)
            writer.compact(UInt64(number))
            writer.raw(stateDigest.bytes)
            writer.raw(extrinsicsDigest.bytes)
            // No digest items.
            writer.compact(0)
        }
        // The first block is known by the hash that all signatures cover, and that no header has.
        let hash = number == 0 ? PracticeNetwork.specs.genesisHash : Hash32.blake2b(of: header)
        blocks.append(
            Block(
                number: number, hash: hash, parent: parent, stateDigest: stateDigest,
                extrinsicsDigest: extrinsicsDigest, extrinsics: extrinsics, events: events, state: state,
                outcome: outcome))
        places[hash] = Int(number)
    }
}
