import ArgumentParser
import ChainRPC
import Diagnostics
import Glibc
import Hashing
import HotStore
import Lines
import NodeAnswers
import ScannerClient
import SubstratePrimitives
import UOS

/// The whole way of a transaction: make it, show it, read the answer, submit it, follow it.
struct Sign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Make a transaction, show it, read its signature, submit it and follow it to finality.")
    @OptionGroup var transaction: MakeTransaction
    @Option(
        name: .customLong("camera"), defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp("Read the answer with this camera (default: the first one).", valueName: "device"))
    var camera: String?
    @Option(help: "Read the answer from new pictures in this directory.") var watch: [String] = []
    @Flag(help: "Let the node execute the call first, and stop if it would fail.") var dryRun = false
    @Flag(help: "Add what the node says to the payload as claims (for heliograph only).") var claims = false
    @Flag(help: "Print the signed transaction and do not submit it.") var noSubmit = false
    @Option(help: "Seconds to follow the transaction.") var follow = 600
    @Flag(help: "End with exit status 1 if the transaction's result cannot be checked.") var strict = false
    @OptionGroup var scanner: ScannerOptions

    func validate() throws {
        guard camera == nil || watch.isEmpty else {
            throw ValidationError("--camera and --watch exclude each other")
        }
        guard !transaction.json else { throw ValidationError("--json is for make transaction") }
        guard (1...86_400).contains(follow) else {
            throw ValidationError("--follow must be 1 to 86400 seconds")
        }
    }

    func run() async throws {
        try transaction.requireOutputs()
        let (store, source) = (try transaction.database.open(), try source())
        let known = try store.network(named: transaction.network)
        let pool = try nodes(known, store)
        Interrupt.say("interrupted: nothing was submitted")
        let made = try await transaction.made(in: store)
        let view = try await ask(made, store)
        var payload = made.payload
        if claims {
            guard let view else { throw SignError.nothingToClaim }
            payload = try view.claims.around(Payload(payload))
        }
        payload = try transaction.withFacts(made, payload)
        // An answer that comes later, or to another command, finds the payload.
        try made.remember(in: store)
        let requests = try SignedRequest.all(in: payload, store)
        Interrupt.say(
            """
            interrupted: nothing was submitted; heliograph-hot read PICTURE --submit stored takes the answer \
            later
            """
        )
        if transaction.isGuarded { payload = try agreed(payload, source, store) }
        let signatures = try signatures(of: requests, over: payload, source, store)
        Console.note("\(Sentence.count(signatures.count, "signature")) verified")
        let extrinsics = try zip(requests, signatures).map { try $0.extrinsic($1, store: store) }
        let lives = try SignedRequest.keep(signed: requests, extrinsics, isSent: pool != nil, store)
        for extrinsic in extrinsics { Console.print(Hex.encode(extrinsic)) }
        guard let pool else { return }
        let asked = try asked(made.network, pool, store)
        let check = try requests[0].check(transaction.values.quorum, strict: strict, asked, store)
        try await requireTime(made, pool, made.network.specs.genesisHash)
        try await Submission.run(
            all: requests.indices.map { index in
                (
                    Submission(
                        lives[index], requests[index], extrinsics[index], seconds: follow, check, store),
                    pool
                )
            }, store)
    }

    /// Shows the payload and waits for its signatures.
    private func signatures(
        of requests: [SignedRequest], over payload: [UInt8], _ source: AnswerSource, _ store: HotStore
    ) throws -> [MultiSignature] {
        try AnswerWait(
            source: source, scanner: scanner, animation: show(payload, source), hasText: requests.count == 1
        ) { content, picture in
            let signatures: [MultiSignature]
            switch content {
            case .signatures(let given): signatures = given
            // The answer to the first code still lies in the watched directory.
            case .guardPoint(let point) where point.payload == requests[0].digest: return nil
            case .guardPoint, .messageSignature, .derivations, .addresses:
                AnswerNote.foreign.tell(picture)
                return nil
            }
            guard SignedRequest.match(requests, signatures) else {
                AnswerNote.mismatch.tell(picture)
                return nil
            }
            for (request, signature) in zip(requests, signatures) {
                try GuardedRequest(request, store).check(signature)
            }
            return signatures
        }.run()
    }

    /// Shows the first code of a guarded transaction and waits for the signer's point.
    /// - Returns: the second code.
    private func agreed(_ payload: [UInt8], _ source: AnswerSource, _ store: HotStore) throws -> [UInt8] {
        let first = try GuardedRequest.begin(payload, store)
        let animation = try show(first, source, isFirst: true)
        return try AnswerWait(source: source, scanner: scanner, animation: animation, hasText: true) {
            content, picture in
            guard case .guardPoint(let point) = content else {
                AnswerNote.foreign.tell(picture)
                return nil
            }
            do {
                let second = try GuardedRequest.reveal(to: point, store)
                Console.note("the signer's point is kept: the second code follows")
                return second
            } catch HotError.noMatchingRequest {
                AnswerNote.otherPoint.tell(picture)
                return nil
            }
        }.run()
    }

    private func source() throws -> AnswerSource {
        if let camera {
            let devices = camera.utf8.isEmpty ? CameraPaths.all() : [camera]
            guard let first = devices.first else {
                throw HotError.cannotRead(path: "/dev/video0", errno: ENOENT)
            }
            guard camera.utf8.isEmpty || Files.exists(first) else {
                throw HotError.cannotRead(path: first, errno: ENOENT)
            }
            return .camera(devices)
        }
        for folder in watch where !Files.isFolder(folder) {
            throw HotError.cannotRead(path: folder, errno: ENOTDIR)
        }
        return watch.isEmpty ? .lines : .folders(watch)
    }

    /// The nodes that the transaction is sent to, checked before anything is shown; nil with --no-submit.
    private func nodes(_ known: HotNetwork, _ store: HotStore) throws -> NodePool? {
        guard !noSubmit else { return nil }
        let values = transaction.values
        let pool = try values.network.pool(urls: Submission.nodes(values.addresses(known)), store)
        try values.quorum.require(asked(known, pool, store))
        return pool
    }

    /// Who is asked about the result: with a quorum also nodes that nothing can be submitted to.
    private func asked(_ known: HotNetwork, _ pool: NodePool, _ store: HotStore) throws -> NodePool {
        let values = transaction.values
        return values.quorum.quorum > 1 ? try values.network.pool(values.addresses(known), store) : pool
    }

    /// Shows the payload, or writes it and says what to do with it.
    /// - Parameter isFirst: whether it is the first of two codes, which has a name of its own.
    private func show(_ payload: [UInt8], _ source: AnswerSource, isFirst: Bool = false) throws
        -> TerminalAnimation?
    {
        guard let named = transaction.out, !transaction.drawing.terminal else {
            return try transaction.picture.animation(of: payload)
        }
        let out = isFirst ? GuardedRequest.nameOfFirst(named) : named
        try transaction.picture.write(payload, to: out, or: transaction.drawing)
        Console.note(Escape.terminal("show \(out) to the signer, \(source.instruction(moves: false))"))
        return nil
    }

    // MARK: The node

    /// What the node says of the transactions, printed; nil without a node.
    private func ask(_ made: MadeTransaction, _ store: HotStore) async throws -> NodeView? {
        guard !claims || made.drafts.count == 1 else { throw SignError.severalClaimed(made.drafts.count) }
        let values = transaction.values
        // Nothing is submitted, the nonce is given and no node is named: then none is needed.
        let needsNode = !noSubmit || !values.url.isEmpty || values.nonce == nil
        guard needsNode, !values.addresses(made.network).isEmpty else {
            if dryRun { throw HotError.noAddress }
            Console.note("no node is asked: fee and balance are unknown")
            return nil
        }
        let questions = try made.drafts.map { try NodeView.Question($0, metadata: made.metadata, store) }
        let (genesis, runs) = (made.network.specs.genesisHash, dryRun)
        let (views, belief) = try await values.quorum.ask(
            values.network.pool(values.addresses(made.network), store), expecting: genesis,
            { try await NodeView.ask($0, at: $1, questions, runs: runs, genesis: genesis) }, facts: \.facts)
        Console.endProgress()
        var view = views[0]
        try view.complete(made, questions)
        for line in view.lines(made, { amount($0, made.network) }) { Console.print(Escape.terminal(line)) }
        Console.print(validity(made, at: view.block.number))
        if let last = made.expiry, view.block.number >= last { throw HotError.expired(nil) }
        Console.note(Escape.terminal("fee and balance \(belief)"))
        try view.requireSuccess(made) { amount($0, made.network) }
        return view
    }

    private func amount(_ planck: UInt128, _ network: HotNetwork) -> String {
        let amount = TokenAmount(planck: planck, decimals: network.specs.decimals, unit: network.specs.unit)
        return Amount.plain(amount.plain, unit: amount.symbol)
    }

    private func validity(_ made: MadeTransaction, at block: UInt32) -> String {
        guard let last = made.expiry else { return "never expires (valid until its nonce is used)" }
        let left = last > block ? last - block : 0
        return
            """
            expires at block \(last): \(Sentence.count(left, "block")) left after \(block), the newest \
            finalized one
            """
    }

    // MARK: Submitting

    /// The era may have ended while the signer was at work.
    private func requireTime(_ made: MadeTransaction, _ pool: NodePool, _ genesis: GenesisHash) async throws {
        guard let last = made.expiry else { return }
        let now = try await pool.run { try await $0.block(.finalized).number }
        guard now < last else { throw HotError.expired(nil) }
        Console.note("\(Sentence.count(last - now, "block")) left before the transaction expires")
    }
}
