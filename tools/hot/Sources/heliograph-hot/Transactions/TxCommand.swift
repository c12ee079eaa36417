import ArgumentParser
import ChainRPC
import Diagnostics
import Hashing
import HotStore
import HotTransactions
import Lines
import NodeAnswers
import SubstratePrimitives

/// `tx …`
struct TxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tx", abstract: "List, show, send again, make again or remove transactions.",
        discussion: """
            Each transaction that make, sign or read meets has a number and a state: made, signed, submitted, \
            in a block, final, failed, expired or replaced. Of all transactions for one intent at most one \
            takes effect.
            """,
        subcommands: [List.self, Show.self, Rebroadcast.self, Remake.self, Remove.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List transactions with their states, newest last.")
        @Option(help: "The network's name (default: all networks).") var network: String?
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let store = try database.open()
            let row = try network.map { try store.network(named: $0).name }
            let rows = try store.transactions().filter { row == nil || $0.content.network == row }
            if output.json {
                return Console.print(try Listing.json(rows.map { TxDocument($0, store) }))
            }
            if !rows.isEmpty { Console.print(TxTable.heading) }
            for row in rows { Console.print(Escape.terminal(TxTable.line(row))) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a transaction; with --url, ask nodes what became of it first.")
        @Argument(help: "The transaction's number.") var id: Int64
        @OptionGroup var nodes: TxNodeOptions
        @Option(help: "Write its payload again: a picture, .hex or .bin file.") var out: String?
        @OptionGroup var picture: PictureOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard !output.json || nodes.url.isEmpty else {
                throw ValidationError("--json and --url exclude each other: ask first, then print")
            }
        }

        func run() async throws {
            try picture.require(out)
            let store = try database.open()
            var row = try store.transaction(id)
            if !nodes.url.isEmpty {
                try await ask(row, store)
                row = try store.transaction(id)
            }
            if let out { try picture.write(row.content.payload, to: out) }
            if output.json { return Console.print(try Listing.json(TxDocument(row, store))) }
            for line in TxDocument(row, store).lines { Console.print(Escape.terminal(line)) }
        }

        /// Asks nodes, and keeps what they say of it.
        private func ask(_ row: HotTransaction, _ store: HotStore) async throws {
            let inquiry = try await TxInquiry(row, nodes, store)
            switch inquiry.verdict {
            case .found(let found):
                do {
                    try await inquiry.settle(found, store)
                } catch let error as HotError {
                    // Its record has that it failed, and is printed now.
                    Console.note(Escape.terminal(error.sentence))
                }
            case .overtaken, .over, .open, .unknown: try inquiry.note(store)
            }
        }
    }

    struct Rebroadcast: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Submit the same bytes again and follow them, if a pool dropped them.",
            discussion: "The same bytes are harmless however often they are sent: a chain takes them once.")
        @Argument(help: "The transaction's number.") var id: Int64
        @Option(help: "Seconds to follow the transaction.") var follow = 600
        @Flag(help: "End with exit status 1 if the transaction's result cannot be checked.") var strict =
            false
        @OptionGroup var nodes: TxNodeOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard (1...86_400).contains(follow) else {
                throw ValidationError("--follow must be 1 to 86400 seconds")
            }
        }

        func run() async throws {
            let store = try database.open()
            let row = try store.transaction(id)
            guard !row.state.isFinal else {
                throw HotStoreError.transactionIsOver(id, state: row.state.rawValue)
            }
            if row.state == .replaced { throw HotStoreError.replacedTransaction(id, by: row.successor ?? id) }
            guard let extrinsic = row.extrinsic else { throw TxError.unsigned(id) }
            let request = try row.request(store)
            let addresses = try nodes.addresses(request.owner(store))
            let pool = try nodes.network.pool(urls: Submission.nodes(addresses), store)
            let asked = nodes.quorum.quorum > 1 ? try nodes.network.pool(addresses, store) : pool
            try nodes.quorum.require(asked)
            let check = try request.check(nodes.quorum, strict: strict, asked, store)
            let submission = Submission(id, request, extrinsic, seconds: follow, check, store)
            try await Submission.run(all: [(submission, pool)], store)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a transaction that is over, with all that were made for the same intent.")
        @Argument(help: "The transaction's number.") var id: Int64
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let count = try database.open().removeTransactions(with: id)
            Console.note("\(Sentence.count(count, "transaction")) removed")
        }
    }
}

/// The nodes that are asked about a transaction.
struct TxNodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A node's URL, or stored for the stored URLs (default: stored; show asks only with --url).",
            discussion: "Repeat it for several nodes.")
    ) var url: [String] = []
    @OptionGroup var quorum: QuorumOptions
    @OptionGroup var network: NetworkOptions

    /// The URLs that --url names, else those that a fetch stored.
    func addresses(_ known: HotNetwork) -> [String] {
        url.isEmpty ? known.endpoints : url.flatMap { $0 == "stored" ? known.endpoints : [$0] }
    }
}

extension HotTransaction {
    /// What its payload asks to sign.
    func request(_ store: HotStore) throws -> SignedRequest {
        try SignedRequest.all(in: content.payload, store)[0]
    }
}

/// What nodes say of one transaction, and of all that were made for the same intent.
struct TxInquiry {
    let row: HotTransaction
    let fate: Fate
    let verdict: Fate.Verdict
    /// All that were made for the same intent.
    let asked: [Fate.Asked]
    /// Who says so.
    let witness: String
    private let nodes: TxNodeOptions
    private let pool: NodePool

    init(_ row: HotTransaction, _ nodes: TxNodeOptions, _ store: HotStore) async throws {
        let asked = try store.transactions(of: row.intent).map { Fate.Asked($0) }
        let known = try row.request(store).owner(store)
        let pool = try nodes.network.pool(nodes.addresses(known), store)
        let (fates, belief) = try await nodes.quorum.ask(
            pool, expecting: row.content.genesisHash, { try await Fate.ask($0, at: $1, asked) },
            facts: \.facts)
        Console.endProgress()
        (self.row, self.nodes, self.pool, self.asked) = (row, nodes, pool, asked)
        fate = fates[0]
        verdict = fate.verdict(on: Fate.Asked(row), among: asked)
        witness = Witness.text(nodes.quorum, belief)
    }

    /// Reads the result of the one that a final block has, and keeps it.
    func settle(_ found: Fate.Found, _ store: HotStore) async throws {
        let own = try store.transaction(found.id)
        let request = try own.request(store)
        let check = try request.check(nodes.quorum, strict: false, pool, store)
        let submission = Submission(own.id, request, found.extrinsic, seconds: 60, check, store)
        var failure: (any Error)?
        do {
            try await submission.settled(in: NamedBlock(hash: found.block, node: pool.urls[0]), store)
        } catch {
            failure = error
        }
        // A chain takes one transaction with a nonce, so the others of this intent cannot come any more.
        if try store.transaction(own.id).state.isFinal {
            for other in try store.transactions(of: own.intent)
            where other.id != own.id && other.content.nonce == own.content.nonce && other.state != .replaced {
                try store.settle(
                    other.id, .expired, block: nil,
                    detail: "transaction \(own.id) took effect in its place", witness: witness, at: Clock.now)
            }
        }
        if let failure { throw failure }
    }

    /// Says what is known of one that no final block has, and keeps it where that is its end. By one node's
    /// word it is kept as that: see ``HotTransaction/hasExpired``.
    func note(_ store: HotStore) throws {
        let said: String
        switch verdict {
        case .found: return
        case .overtaken:
            said = "another transaction used its nonce, up to block \(fate.block.number)"
            if let end = fate.running([Fate.Asked(row)]) {
                // That is no end yet: an account that is emptied begins its nonces again.
                return Console.note(Escape.terminal("\(said); its era runs until block \(end) (\(witness))"))
            }
        case .over(let end): said = "its era ended at block \(end)"
        case .open(let until, let unseen):
            let seen =
                unseen.map { "nothing is proven of it: \($0)" }
                ?? "not in a final block up to \(fate.block.number)"
            Console.note(
                Escape.terminal(
                    """
                    \(seen); \
                    \(until.map { "it may come until block \($0)" } ?? "it never expires") (\(witness))
                    """))
            return
        case .unknown(let reason):
            return Console.note(Escape.terminal("nothing is proven of it: \(reason) (\(witness))"))
        }
        Console.note(Escape.terminal("\(said) (\(witness))"))
        guard !row.state.isFinal else {
            // One of the two lies, and a final one must not become one that may be made again.
            return Console.note(
                "the record says \(row.state.rawValue), by \(row.witness ?? "nobody"), and stays")
        }
        guard row.state != .replaced else { return }
        try store.settle(row.id, .expired, block: nil, detail: said, witness: witness, at: Clock.now)
    }
}
