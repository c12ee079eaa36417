import ArgumentParser
import ChainRPC
import Diagnostics
import Extrinsics
import HotStore
import HotTransactions
import Lines
import Metadata
import NodeAnswers
import StateProof
import SubstratePrimitives
import UOS

/// Whether a transaction carries facts of the chain's state.
struct StateOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Prove what the chain's state says of the accounts beside the transaction.",
            discussion: """
                For heliograph only: other signers, and older heliographs, refuse such a payload. It is for \
                one mortal transaction, and needs a node.
                """))
    var state = false
    @Flag(help: "As --state, but make the transaction without facts if the node offers no proofs.")
    var stateIfOffered = false

    var isWanted: Bool { state || stateIfOffered }
}

/// Facts of a chain's state beside one transaction: asked of a node, put into the order of the verifier's
/// walk, and checked as on the offline side. Facts that it would refuse are not drawn.
struct StateFacts {
    let envelope: StateEnvelope
    let proven: ProvenState
    /// What the offline side expects, and no layout reads on this chain.
    let unread: [StateItem]
    private let specs: NetworkSpecs

    /// - Parameters:
    ///   - draft: a mortal transaction.
    ///   - isProved: whether it carries a metadata proof, so that the signer may have no metadata.
    ///   - metadata: of its runtime.
    ///   - known: its network.
    ///   - values: the node.
    ///   - store: has the keys of derived signers.
    /// - Throws: `StateProofError`, and what the nodes' answers say
    init(
        _ draft: TransactionDraft, isProved: Bool, metadata: RuntimeMetadata, network known: HotNetwork,
        _ values: ValueOptions, _ store: HotStore
    ) async throws {
        let specs = known.specs
        self.specs = specs
        let checkpoint = try StateCheckpoint(signedBy: draft.decoded, network: specs)
        let authorities = Self.authorities(isProved: isProved, metadata, specs.genesisHash)
        let layouts = try authorities.map { try $0.layouts(of: specs.genesisHash, at: checkpoint.runtime) }
        let scheme = draft.payload.signer.scheme
        // Without the key of a derived signer, what is proven is what the rest of the transaction names.
        let key = try? RequestedSigner(draft.payload.signer, store).payloadKey
        let account = key.flatMap { AccountID32(SignedExtrinsic.account($0, scheme: scheme)) }
        var subjects = StateSubjects(draft.decoded, signer: account)
        var items = subjects.expected.filter { item in layouts.allSatisfy { $0.reads(item.kind) } }
        unread = subjects.expected.filter { !items.contains($0) }
        if layouts.contains(where: \.migratesInSteps) { items.append(.migration) }
        let (keys, block) = (StateEnvelope.storageKeys(items), checkpoint.blockHash)
        let (header, nodes) = try await values.network.pool(values.addresses(known), store).run { node in
            (try await node.header(of: block), try await node.readProof(keys, at: block))
        }
        Console.endProgress()
        let asked = StateEnvelope(header: header, items: items, nodes: [])
        envelope = try asked.ordered(checkpoint, by: authorities[0], from: nodes)
        var proven = try envelope.verified(checkpoint, by: authorities[0])
        for authority in authorities.dropFirst() {
            proven = try envelope.verified(checkpoint, by: authority)
        }
        try subjects.check(proven, prefix: specs.base58Prefix)
        self.proven = proven
    }

    /// The layouts by which the signer may read: those of its metadata, if it has any, otherwise the built-in
    /// ones. Both must read the proof, because it is unknown here which of them the signer uses.
    private static func authorities(
        isProved: Bool, _ metadata: RuntimeMetadata, _ genesis: GenesisHash
    ) -> [StateAuthority] {
        let fromMetadata = StateAuthority { chain, runtime in
            chain == genesis && runtime == metadata.runtimeVersion ? metadata : nil
        }
        guard isProved, StateChain.chain(genesis) != nil else { return [fromMetadata] }
        let builtIn = StateAuthority { _, _ in nil }
        return [builtIn, fromMetadata]
    }

    /// The payload with the proof around it.
    /// - Parameter payload: the transaction, with claims or without.
    func around(_ payload: [UInt8]) throws -> [UInt8] { try envelope.around(Payload(payload)) }

    // MARK: Words

    /// What is proven, said before anything is drawn.
    var lines: [String] {
        let number = Sentence.grouped(proven.chain.header.number)
        let age = Sentence.grouped(proven.checkpoint.maximumAge)
        var lines = ["proven: state of block \(number), at most \(age) blocks old when it is included"]
        lines += proven.chain.facts.map { "proven: \(words($0))" }
        lines += unread.map { "not proven: \(name($0)), whose layout on this chain is not known" }
        if case .metadata(let version) = proven.chain.source, StateChain.chain(specs.genesisHash) == nil {
            lines.append(
                "the signer needs metadata for \(specs.name) \(version): no layout of this chain is built in")
        }
        return lines
    }

    /// How large the proof is, and how many codes it costs.
    func size(codes: Int, without: Int) -> String {
        let bytes = envelope.nodes.reduce(0) { $0 + $1.count }
        return """
            state proof: \(Sentence.count(envelope.nodes.count, "node")) of \
            \(Sentence.count(bytes, "byte")), \(Sentence.count(codes, "QR code")) instead of \(without)
            """
    }

    private func words(_ fact: StateFact) -> String {
        guard case .present(let value) = fact.reading else { return "\(name(fact.item)) is absent" }
        guard case .account(let state) = value else { return name(fact.item) }
        return """
            \(name(fact.item)): free \(amount(state.free)), reserved \(amount(state.reserved)), frozen \
            \(amount(state.frozen)); nonce \(state.nonce) is next
            """
    }

    private func amount(_ planck: UInt128) -> String {
        let amount = TokenAmount(planck: planck, decimals: specs.decimals, unit: specs.unit)
        return Amount.plain(amount.plain, unit: amount.symbol)
    }

    private func name(_ item: StateItem) -> String {
        func of(_ account: AccountID32) -> String {
            SS58Address(prefix: specs.base58Prefix, account: account.bytes)?.text ?? "0x\(account.hex)"
        }
        let entry = StateEntry(item.kind).name
        switch item {
        case .account(let account), .proxies(let account), .bonded(let account), .ledger(let account),
            .nextKeys(let account), .identity(let account), .superIdentity(let account):
            return "\(entry) of \(of(account))"
        case .assetMetadata(let asset): return "\(entry) of asset \(asset)"
        case .assetAccount(let asset, let account): return "\(entry) of asset \(asset), \(of(account))"
        case .foreignMetadata: return entry
        case .foreignAccount(_, let account), .multisig(let account, _): return "\(entry) of \(of(account))"
        case .codeHash, .migration: return entry
        }
    }
}
