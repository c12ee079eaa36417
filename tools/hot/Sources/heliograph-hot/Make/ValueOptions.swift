import ArgumentParser
import ChainRPC
import HotStore
import HotTransactions
import Lines
import Metadata
import NodeAnswers
import SubstratePrimitives
import UOS

/// The values of a transaction's extensions, from options or from a node.
struct ValueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A node's URL for missing values, or stored for the stored URLs (default: stored, without --nonce).
            """,
            discussion: "Repeat it for several nodes.")
    ) var url: [String] = []
    @Option(help: "The signer's nonce (default: from the node).") var nonce: UInt64?
    @Option(
        help: """
            The era in blocks, or immortal (default: 64 with a node, 256 with --state, 4096 with --group).
            """)
    var era: String?
    @Flag(help: "The signer is a threshold group: its two rounds take longer than an era of 64 blocks.")
    var group = false
    @Option(help: "The number of the era's first block (default: from the node).") var blockNumber: UInt32?
    @Option(help: "The hash of the era's first block (default: from the node).") var blockHash: String?
    @Option(help: "The tip in planck, or with the unit of the chain's token.") var tip = "0"
    @Option(help: "The spec version (default: the node's, else the newest metadata).") var specVersion:
        UInt32?
    @Option(help: "The transaction version (default: from the node or the metadata).") var txVersion: UInt32?
    @Option(help: "NAME={\"explicit\": …, \"implicit\": …} for an extension unknown to this program.")
    var `extension`: [String] = []
    @OptionGroup var state: StateOptions
    @OptionGroup var quorum: QuorumOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
        guard tip.utf8.contains(UInt8(ascii: " ")) || UInt128(tip) != nil || TokenAmount.hasCommas(tip) else {
            throw ValidationError("--tip must be a number of planck, or an amount with its unit: \"0.1 DOT\"")
        }
        if let era, era != "immortal" {
            guard let period = UInt32(era), MortalEra(period: period, phase: 0) != nil else {
                throw ValidationError("--era must be immortal, or a power of two from 4 to 65536")
            }
        }
        if state.isWanted {
            guard era != "immortal" else {
                throw ValidationError("--state needs an era: an immortal transaction names no block")
            }
            guard !group else { throw ValidationError("--state and --group exclude each other") }
            guard !state.state || !state.stateIfOffered else {
                throw ValidationError("--state and --state-if-offered exclude each other")
            }
        }
        if let blockHash {
            guard Hash32(hex: blockHash) != nil else {
                throw ValidationError("--block-hash must be 64 hex digits")
            }
        }
    }

    /// Values from a node.
    struct Live: Sendable {
        let nonce: UInt64
        let block: BlockReference
        /// The node that gave the values.
        let url: NodeURL
        let version: NodeRuntimeVersion

        var facts: [NodeFact] {
            [
                NodeFact("nonce", "\(nonce)"), NodeFact("block", "\(block.number)"),
                NodeFact("block hash", "0x\(block.hash.hex)"),
            ]
                + version.facts
        }
    }

    func resolve(
        network known: HotNetwork, metadata: RuntimeMetadata, live: Live?,
        others: [String: ExtensionDescription]
    ) throws -> TransactionValues {
        let version = metadata.runtimeVersion
        guard let nonce = nonce ?? live?.nonce else { throw HotError.valueMissing("--nonce") }
        let stated = try metadata.transactionVersion()
        guard let transactionVersion = txVersion ?? live?.version.transactionVersion ?? stated else {
            throw HotError.valueMissing("--tx-version")
        }
        // The chain signs its own version into what it verifies, so another one makes a void signature,
        // whoever names it.
        if let stated, stated != transactionVersion {
            throw HotError.otherTransactionVersion(given: transactionVersion, metadata: stated)
        }
        let (era, block) = try era(known.specs.genesisHash, live)
        return TransactionValues(
            era: era, blockHash: block, nonce: nonce, tip: try tip(on: known.specs),
            specVersion: version.specVersion,
            transactionVersion: transactionVersion, genesisHash: known.specs.genesisHash, others: others)
    }

    private func tip(on specs: NetworkSpecs) throws -> UInt128 {
        if let planck = UInt128(tip) { return planck }
        guard let planck = TokenAmount.planck(plain: tip, decimals: specs.decimals, unit: specs.unit) else {
            throw DescriptionError(
                TokenAmount.hasCommas(tip)
                    ? .commas(tip) : .badAmount(tip, unit: specs.unit, decimals: specs.decimals),
                path: "--tip")
        }
        return planck
    }

    private func era(_ genesis: GenesisHash, _ live: Live?) throws -> (Era, Hash32) {
        // 4096 blocks are about seven hours at 6 seconds a block: members answer one after another.
        // With a state proof a ceremony takes minutes, and the proof is about the era's first block.
        let isMortal = live != nil || blockNumber != nil || state.isWanted
        let wanted = era ?? (!isMortal ? "immortal" : group ? "4096" : state.isWanted ? "256" : "64")
        if era == nil, !isMortal {
            Console.note("the transaction never expires: no node was asked for a block, as --url stored does")
        }
        guard let period = UInt32(wanted) else { return (.immortal, genesis) }
        guard let number = blockNumber ?? live?.block.number else {
            throw HotError.valueMissing("--block-number")
        }
        guard
            let hash = blockHash.flatMap({ Hash32(hex: $0) }) ?? (blockNumber == nil ? live?.block.hash : nil)
        else {
            throw HotError.valueMissing("--block-hash")
        }
        let quantum = max(period >> 12, 1)
        guard let mortal = MortalEra(period: period, phase: number % period / quantum * quantum) else {
            preconditionFailure("a valid period and a phase below it make an era")
        }
        // The era starts at a multiple of the quantum, and its hash is the hash of its first block.
        guard number.isMultiple(of: quantum) else {
            throw HotError.blockNotAtEraStart(number: number, quantum: quantum)
        }
        return (.mortal(mortal), hash)
    }

    /// The nodes of --url, or else those that a fetch stored; nil without either. With a given nonce and
    /// without --url, the command works offline.
    func pool(_ known: HotNetwork, _ store: HotStore) throws -> NodePool? {
        guard !url.isEmpty else {
            return nonce == nil && !known.endpoints.isEmpty ? try network.pool(known.endpoints, store) : nil
        }
        return try network.pool(addresses(known), store)
    }

    /// The URLs that --url names, else those that a fetch stored.
    func addresses(_ known: HotNetwork) -> [String] {
        url.isEmpty
            ? known.endpoints : url.flatMap { $0 == "known" || $0 == "stored" ? known.endpoints : [$0] }
    }

    /// Asks the node for everything that a fetch takes, at its newest finalized block; nil without a node.
    func snapshot(of known: HotNetwork, _ store: HotStore) throws -> (() async throws -> ChainSnapshot)? {
        guard let pool = try pool(known, store) else { return nil }
        let (genesis, quorum) = (known.specs.genesisHash, quorum)
        return {
            try await quorum.ask(
                pool, expecting: genesis, { try await ChainSnapshot.take($0, at: $1, expecting: genesis) },
                facts: \.facts
            )
            .answers[0]
        }
    }

    /// The spec version of the transaction: as given, else the node's; nil without both. It is the node's if
    /// there is one.
    ///
    /// - Parameter newest: in the hot database. A node that runs an older version is behind, or the newest is
    ///   not in force yet.
    func version(of known: HotNetwork, live: Live?, newest: UInt32?) throws -> UInt32? {
        guard let runtime = live?.version.runtime else { return specVersion }
        guard runtime.specName.utf8Equals(known.specs.name) else {
            throw HotError.otherRuntimeName(
                network: known.name, expected: known.specs.name, found: runtime.specName)
        }
        guard let chosen = specVersion ?? newest.map({ max($0, runtime.specVersion) }),
            chosen != runtime.specVersion
        else {
            return runtime.specVersion
        }
        throw HotError.otherVersionRuns(network: known.name, chosen: chosen, current: runtime.specVersion)
    }

    /// Asks a node if --url names one, or if the nonce is missing and a node is known.
    func live(_ known: HotNetwork, _ signer: Signer, _ store: HotStore) async throws -> Live? {
        guard let pool = try pool(known, store) else { return nil }
        let genesis = known.specs.genesisHash
        // A node knows the nonce of an address, and a derived key may have none that is known here.
        guard signer.address != nil || nonce != nil else { throw HotError.valueMissing("--signer") }
        let (address, era, given, proves) = (signer.address, era, nonce, state.isWanted)
        let (lives, belief) = try await quorum.ask(
            pool, expecting: genesis,
            { node, choice in
                let found = try await node.genesisHash()
                guard found == genesis else { throw RPCError.wrongChain(expected: genesis, found: found) }
                var block = try await node.block(choice)
                let quantum = max((era.flatMap { UInt32($0) } ?? 64) >> 12, 1)
                if !block.number.isMultiple(of: quantum) {
                    block = try await node.block(.number(block.number / quantum * quantum))
                }
                // A header that lists all authorities is too large for a state proof; the one before it does
                // not.
                if proves, block.number >= quantum,
                    try await node.header(of: block.hash).count > StateLimit.header.maximum
                {
                    block = try await node.block(.number(block.number - quantum))
                }
                let asked = if let address { try await node.nextNonce(of: address) } else { given }
                guard let nonce = asked else { throw HotError.valueMissing("--nonce") }
                return Live(
                    nonce: nonce, block: block, url: node.url,
                    version: try await node.runtimeVersion(at: block.hash))
            }, facts: \.facts)
        Console.endProgress()
        Console.note(Escape.terminal("nonce, era and versions \(belief)"))
        if nonce == nil { Console.note(Escape.terminal("nonce \(lives[0].nonce) from \(lives[0].url)")) }
        return lives[0]
    }

    /// The values of `--extension`, by identifier.
    func others() throws -> [String: ExtensionDescription] {
        var values: [String: ExtensionDescription] = [:]
        for text in `extension` {
            let fault = HotError.badDescription(path: "--extension", detail: "\(text) is not NAME=JSON")
            guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw fault }
            let value = try Files.value(Array(text.utf8[equals...].dropFirst())) { _ in fault }
            guard let description = ExtensionDescription(value) else { throw fault }
            values[String(text[..<equals])] = description
        }
        return values
    }
}
