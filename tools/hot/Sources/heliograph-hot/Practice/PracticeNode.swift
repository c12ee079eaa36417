import ChainRPC
import Diagnostics
import Glibc
import Hashing
import HotStore
import Lines
import PracticeChain
import SubstratePrimitives
import Synchronization
import SystemIO

/// The node of a practice network: answers on this machine, and keeps each transaction on the disk before it
/// confirms it to anybody.
final class PracticeNode: Sendable {
    private let folder: PracticeFolder
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let kept: OwnedDescriptor
        var chain: PracticeChain
        /// Bytes of whole lines in the file.
        var length: Int
    }

    /// - Throws: ``PracticeError/nodeRuns(folder:)`` if another process plays this node, and the refusals of
    ///   the kept transactions.
    init(_ folder: PracticeFolder) throws {
        _ = try folder.open()
        self.folder = folder
        let kept = try OwnedDescriptor(folder.chain, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
        guard try kept.tryLock() else { throw PracticeError.nodeRuns(folder: folder.path) }
        let bytes = try kept.contents(limit: Files.maximumSize)
        let length = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        state = Mutex(State(kept: kept, chain: try folder.chain(after: bytes), length: length))
    }

    /// Listens until a signal ends the program.
    /// - Parameter port: 0 for one that is free.
    func run(port: Int) async throws {
        let store = try folder.open()
        let server: LocalServer
        do {
            server = try await LocalServer.start(port: port) { [self] in answers(to: $0) }
        } catch LocalServer.Failure.portInUse(let port) {
            throw PracticeError.portInUse(port)
        } catch LocalServer.Failure.cannotListen(let port, let number) {
            throw PracticeError.cannotListen(port: port, errno: number)
        }
        let url = "ws://127.0.0.1:\(server.port)"
        // The node of this network is this one; where an earlier one listened, nobody does, or somebody else.
        let specs = PracticeNetwork.specs
        try store.save(HotNetwork(name: specs.name, specs: specs, endpoints: [url]))
        Interrupt.say("the practice node has ended; its transactions are kept in \(folder.chain)")
        Console.note(
            Escape.terminal(
                "the node of \(specs.name), at block \(state.withLock { $0.chain.head.number }); Ctrl-C ends it"
            ))
        Console.print(url)
        await server.closed()
    }

    // MARK: Requests

    /// What goes back for a request.
    private func answers(to request: [UInt8]) -> [[UInt8]] {
        state.withLock { state in
            var next = state.chain
            let reply = next.reply(to: request, at: Self.milliseconds())
            guard let (extrinsic, block) = reply.submitted else { return reply.messages }
            do {
                try Self.keep(extrinsic, at: block.time, &state)
            } catch {
                // It is in no block: what cannot be kept is not confirmed.
                Console.show(Wording.diagnostic(error))
                return [PracticeChain.refusal(.cannotKeep, of: request)]
            }
            state.chain = next
            Self.tell(block)
            return reply.messages
        }
    }

    /// Writes a transaction behind those before it. Half a line, left by a disk that was full, is overwritten
    /// by the next one.
    private static func keep(
        _ extrinsic: [UInt8], at time: UInt64, _ state: inout State
    ) throws(SystemError) {
        let line = Array("\(Hex.encode(extrinsic)) \(time)\n".utf8)
        try state.kept.truncate(to: state.length)
        try line.withUnsafeBufferPointer { (bytes) throws(SystemError) in
            try state.kept.write(UnsafeRawBufferPointer(bytes), at: state.length)
        }
        try state.kept.sync()
        state.length += line.count
    }

    /// Since 1970.
    private static func milliseconds() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(clamping: now.tv_sec) * 1000 + UInt64(clamping: now.tv_nsec / 1_000_000)
    }

    private static func tell(_ block: PracticeChain.Block) {
        guard let outcome = block.outcome else { return }
        let specs = PracticeNetwork.specs
        let address = SS58Address(prefix: specs.base58Prefix, account: outcome.signer.bytes)
        let amount = TokenAmount(planck: outcome.fee, decimals: specs.decimals, unit: specs.unit)
        Console.note(
            Escape.terminal(
                """
                block \(block.number): a transaction of \(address?.text ?? "an account") \
                \(outcome.succeeded ? "succeeded" : "failed"); fee \
                \(Amount.plain(amount.plain, unit: amount.symbol))
                """))
    }
}
