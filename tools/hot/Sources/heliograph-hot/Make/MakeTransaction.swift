import ArgumentParser
import ChainRPC
import Extrinsics
import Glibc
import Hashing
import HotStore
import HotTransactions
import Lines
import Metadata
import NodeAnswers
import SubstratePrimitives
import UOS

struct MakeTransaction: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transaction", abstract: "Make a transaction for signing.")
    @Option(help: "The network's name.") var network: String
    @OptionGroup var author: SignerOptions
    @Option(help: "The call: hex, or @FILE of hex or raw bytes. Repeat it for a batch of transactions.")
    var callHex: [String] = []
    @Option(help: "The call as a JSON file with names and arguments. Repeat it for a batch of transactions.")
    var call: [String] = []
    @Flag(help: "Require a metadata proof (default: add one where the runtime checks its hash).")
    var withProof = false
    @Flag(help: "Disable the metadata hash; the signer needs the runtime's metadata.") var withoutProof =
        false
    @Flag(
        name: .customLong("guard"),
        help: "Let signer and this machine make the nonce in two scans, and check it (sr25519, ed25519).")
    var isGuarded = false
    @Option(help: "A picture, .hex or .bin file; with --separate a directory.") var out: String?
    @Option(help: "Write the bytes that the key signs to this file, .hex or raw, for another signer.")
    var signingBytes: String?
    @Flag(help: "Print one JSON document instead of the cards.") var json = false
    @OptionGroup var values: ValueOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !callHex.isEmpty || !call.isEmpty else { throw ValidationError("give --call-hex or --call") }
        guard !withProof || !withoutProof else {
            throw ValidationError("--with-proof and --without-proof exclude each other")
        }
        guard signingBytes == nil || callHex.count + call.count == 1 else {
            throw ValidationError("--signing-bytes is for one transaction")
        }
        guard !json || !drawing.terminal else {
            throw ValidationError("--json and --terminal exclude each other")
        }
        guard !values.state.isWanted || callHex.count + call.count == 1 else {
            throw ValidationError("--state is for one transaction")
        }
        guard !isGuarded || callHex.count + call.count == 1 else {
            throw ValidationError("--guard is for one transaction")
        }
    }

    func run() async throws {
        guard out != nil || drawing.terminal || signingBytes != nil else {
            throw ValidationError("give --out FILE, or --terminal")
        }
        try requireOutputs()
        let store = try database.open()
        let made = try await made(in: store)
        if let signingBytes { try Files.write(signingBytes: made.signed, to: signingBytes) }
        var payload = try withFacts(made, made.payload)
        if isGuarded { payload = try GuardedRequest.begin(payload, store) }
        // Whoever sees the code finds its record: a kill between the two leaves a payload that nobody saw.
        try made.remember(in: store)
        if let out { try picture.write(payload, to: out, or: drawing) }
        if json {
            let codes = try picture.contents(of: payload).count
            Console.print(exactly: try Listing.json(TransactionDocument(made, payload, codes: codes)))
        }
        // Several codes are drawn until the program is interrupted, so this comes last.
        if out == nil, drawing.terminal { _ = try picture.show(payload) }
    }

    /// The payload with the facts of the chain's state, if there are any; says what they cost.
    /// - Parameter payload: the transaction, with claims or without.
    func withFacts(_ made: MadeTransaction, _ payload: [UInt8]) throws -> [UInt8] {
        guard let state = made.state else { return payload }
        let proven = try state.around(payload)
        // The offline side's decoder checks it before a file is written.
        _ = try Payload(proven)
        let isShown = drawing.terminal || out == nil
        let codes = try [proven, payload].map { try picture.contents(of: $0, isShown: isShown).count }
        Console.note(state.size(codes: codes[0], without: codes[1]))
        return proven
    }

    /// Before anything is asked, made or kept.
    func requireOutputs() throws {
        Files.note(inputs: call + Files.named(by: callHex))
        try picture.require(out, or: drawing, beside: signingBytes)
    }

    /// Puts the payload together and prints its cards.
    func made(in store: HotStore) async throws -> MadeTransaction {
        let known = try store.network(named: network)
        let name = try store.shownName(of: known)
        let signer = try author.signer(known.specs, store)
        let others = try values.others()
        let live = try await values.live(known, signer, store)
        let newest = try store.newestVersion(of: known.name)
        let wish = TransactionForm.Wish(
            proof: withProof ? true : withoutProof ? false : nil, ownValues: Set(others.keys))
        let source = TransactionMetadata(
            store: store, network: known, wish: wish, fetch: try values.snapshot(of: known, store))
        var (metadata, form) = try await source.choose(
            version: values.version(of: known, live: live, newest: newest))
        var common = try values.resolve(network: known, metadata: metadata, live: live, others: others)
        let calls = try calls(metadata, known.specs)
        if form.isProved {
            common.metadataHash = try MetadataDigest(
                of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, known.specs)
            ).hash
            let draft = try TransactionDraft(
                call: calls[0], signer: signer.reference, values: common, metadata: metadata,
                specs: known.specs)
            form = try await checked(form, draft, metadata, known, store)
            if !form.isProved { common.metadataHash = nil }
        }
        var payloads: [[UInt8]] = []
        var signed: [UInt8] = []
        var drafts: [TransactionDraft] = []
        for bytes in calls {
            let draft = try TransactionDraft(
                call: bytes, signer: signer.reference, values: common, metadata: metadata, specs: known.specs)
            signed = Extrinsics.signedMessage(of: draft.payload.call + draft.payload.extensions)
            payloads.append(
                form.isProved
                    ? try draft.bytesWithProof(metadata: metadata, specs: known.specs) : draft.payload.bytes()
            )
            drafts.append(draft)
            for row in json ? [] : CardRow.rows(draft.decoded.method) + CardRow.rows(draft.decoded.extensions)
            {
                Console.print(row.text)
            }
            common.nonce += 1
        }
        let payload =
            payloads.count == 1
            ? payloads[0] : Payload.Content.bulk(try payloads.map { try Payload($0) }).encoded()
        // The offline side's decoder checks the payload before a file is written.
        _ = try Payload(payload)
        let version = metadata.runtimeVersion.specVersion
        Console.note(Escape.terminal(form.line(runtime: "\(name) \(version)")))
        if let newest, version < newest {
            Console.note(Escape.terminal("\(name) \(version) is older than the newest metadata, \(newest)"))
        }
        if case .derived(_, let path, _) = signer.reference, signer.address == nil {
            Console.note(
                Escape.terminal(
                    """
                    the key of \(path.isEmpty ? "the root" : path) is unknown here, so read cannot match the \
                    answer: give --signer ADDRESS, or ask for the key with heliograph-hot make \
                    derivations-request
                    """))
        }
        let state = try await state(drafts[0], form, metadata, known, store)
        return MadeTransaction(
            payload: payload, signed: signed, drafts: drafts, network: known, metadata: metadata,
            eraStart: values.blockNumber ?? live?.block.number, state: state)
    }

    /// What is proven of the chain's state, printed; nil if nobody asks for it.
    private func state(
        _ draft: TransactionDraft, _ form: TransactionForm, _ metadata: RuntimeMetadata, _ known: HotNetwork,
        _ store: HotStore
    ) async throws -> StateFacts? {
        guard values.state.isWanted else { return nil }
        do {
            let facts = try await StateFacts(
                draft, isProved: form.isProved, metadata: metadata, network: known, values, store)
            facts.lines.forEach { Console.note(Escape.terminal($0)) }
            return facts
        } catch let error as AllNodesFailed {
            guard values.state.stateIfOffered, case .noReadProof = error.last else { throw error }
            Console.endProgress()
            Console.note(Escape.terminal("without facts of the chain's state: \(error.sentence)"))
            return nil
        }
    }

    /// Asks the node, if there is one, whether the runtime has a hash to compare the proof's with: without it
    /// the transaction is void.
    private func checked(
        _ form: TransactionForm, _ draft: TransactionDraft, _ metadata: RuntimeMetadata, _ known: HotNetwork,
        _ store: HotStore
    ) async throws -> TransactionForm {
        // A key that is named by its path alone has no address to put into an extrinsic.
        guard case .proved(let format, _) = form, let pool = try values.pool(known, store),
            let extrinsic = try? NodeView.Question(draft, metadata: metadata, store).extrinsic
        else { return form }
        let genesis = known.specs.genesisHash
        let (answers, _) = try await values.quorum.ask(
            pool, expecting: genesis,
            { node, choice in
                let found = try await node.genesisHash()
                guard found == genesis else { throw RPCError.wrongChain(expected: genesis, found: found) }
                return try await node.hasMetadataHash(extrinsic, at: try await node.block(choice).hash)
            },
            facts: { [NodeFact("built with its metadata hash", $0.map { $0 ? "yes" : "no" } ?? "unknown")] })
        Console.endProgress()
        guard let isBuilt = answers[0] else { return form }
        if !isBuilt, withProof { throw HotError.hashNotBuilt(network: known.name) }
        return isBuilt ? .proved(format: format, isBuilt: true) : .plain(.notBuilt)
    }

    private func calls(_ metadata: RuntimeMetadata, _ specs: NetworkSpecs) throws -> [[UInt8]] {
        let given = try callHex.map { try Files.bytes($0, name: "--call-hex") }
        return try given
            + call.map { path in
                let value = try Files.value(try Files.read(path)) {
                    .badDescription(path: path, detail: $0)
                }
                return try TransactionDraft.call(value, metadata: metadata, specs: specs)
            }
    }
}

/// A payload of transactions, and what it was made from.
struct MadeTransaction {
    let payload: [UInt8]
    /// What the key of the last transaction signs.
    let signed: [UInt8]
    /// In the order of the payload.
    let drafts: [TransactionDraft]
    let network: HotNetwork
    let metadata: RuntimeMetadata
    /// The number of the block that a mortal era starts at.
    let eraStart: UInt32?
    /// What is proven of the chain's state; around the payload that is drawn, and no part of what is signed.
    let state: StateFacts?

    /// The block from which on a mortal transaction is in no block any more; nil for one that never expires.
    var expiry: UInt32? {
        guard let eraStart, case .mortal(let era)? = drafts.first?.decoded.facts.era else { return nil }
        return eraStart.addingSaturating(era.period)
    }

    /// Keeps the payload, so that an answer finds it, and the record of each transaction.
    func remember(in store: HotStore) throws {
        try record(in: store)
        try store.remember(payload: payload, network: network.name, at: Int64(time(nil)))
    }
}
