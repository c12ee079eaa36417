import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

/// A row of `fixtures/calls/amounts.tsv`: an argument that holds an amount, and whose token it is of.
struct AmountFact {
    let pallet: String
    let call: String
    let argument: String
    let decided: String
    let isFromMetadata: Bool

    var place: String { "\(pallet).\(call).\(argument)" }
    var isNative: Bool { decided.utf8Equals("native") }

    static func all() throws -> [AmountFact] {
        let text = String(decoding: try Checkout.read("fixtures/calls/amounts.tsv"), as: UTF8.self)
        return try text.split(separator: "\n").dropFirst().map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            try #require(
                parts.count == 6 && ["native", "chains", "asset", "location", "unknown"].contains(parts[4]),
                "\(line)")
            return AmountFact(
                pallet: parts[0], call: parts[1], argument: parts[2], decided: parts[4],
                isFromMetadata: parts[5].utf8Equals("metadata"))
        }
    }
}

/// Whose token the amounts of known calls are of.
@Suite struct AmountFactLaws {
    @Test func `the table says of each known amount what was decided`() throws {
        let facts = try AmountFact.all()
        #expect(facts.count > 180 && Set(facts.map(\.place)).count == facts.count)
        for fact in facts {
            let isNative = ArgumentMeaning.isNative(
                pallet: fact.pallet, call: fact.call, argument: fact.argument, on: nil)
            #expect(isNative == fact.isNative, "\(fact.place)")
        }
        // A row without a decision does not count.
        let native = Set(facts.filter(\.isNative).map(\.place))
        let rows = ArgumentMeaning.all.filter { $0.meaning == .native }.map {
            "\($0.pallet).\($0.call).\($0.argument)"
        }
        #expect(Set(rows) == native && rows.count == native.count)
        let onChains = ArgumentMeaning.allOnChains.map { "\($0.pallet).\($0.call).\($0.argument)" }
        #expect(Set(onChains) == Set(facts.filter { $0.decided.utf8Equals("chains") }.map(\.place)))
        #expect(Set(onChains).count == onChains.count)
    }

    /// The same call of the same shape stakes the shares of a pool elsewhere, or counts another token.
    @Test(
        arguments: [
            ("moonbeam", "ParachainStaking", "delegate", "amount", true),
            ("moonriver", "ParachainStaking", "join_candidates", "bond", true),
            ("mangata-parachain", "ParachainStaking", "delegate", "amount", false),
            ("kilt-spiritnet", "ParachainStaking", "delegate", "amount", false),
            ("kilt-spiritnet", "ParachainStaking", "join_delegators", "amount", true),
            ("acala", "Democracy", "propose", "value", true),
            ("interlay-parachain", "Democracy", "propose", "value", false),
            ("moonbeam", "Staking", "delegate", "amount", false),
        ])
    func `an amount is of the chain's own token where its runtime was read`(
        chain: String, pallet: String, call: String, argument: String, isNative: Bool
    ) throws {
        let known = try #require(WellKnownChain.chains(named: chain).first)
        for (genesis, expected) in [(known.genesisHash, isNative), (.blake2b(of: [1]), false)] {
            var runtime = ArgumentMeaningLaws.runtime(
                .u128, typeName: "BalanceOf<T>", pallet: pallet, call: call, argument: argument)
            runtime.specs.genesisHash = genesis
            let summary = try runtime.decode(
                runtime.transactionBody(call: [99, 0] + FixtureValue.integer(UInt128(5)))
            ).summary
            #expect(summary.nativeAmounts == (expected ? [5] : []) && summary.hasAssetAmounts == !expected)
        }
    }

    /// New metadata with an amount that nobody looked at fails here. Until somebody does, it is of no known
    /// asset.
    @Test(arguments: KnownCallLaws.files)
    func `no amount of a known runtime is unseen`(file: String) throws {
        guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        let decided = Set(try AmountFact.all().map(\.place))
        var unseen: [String] = []
        for (pallet, call, _) in try KnownCallLaws.calls(metadata) {
            for field in call.fields {
                let spelled = field.typeName ?? ""
                guard spelled.utf8Contains("Balance") || spelled.utf8Contains("ItemPrice") else { continue }
                let place = "\(pallet).\(call.name).\(field.name ?? "")"
                if !decided.contains(place) { unseen.append(place) }
            }
        }
        #expect(unseen == [])
    }

    /// The class of each call in `gains.tsv`.
    private static func gains() throws -> [String: String] {
        let text = String(decoding: try Checkout.read("fixtures/calls/gains.tsv"), as: UTF8.self)
        let rows = text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t").map { String($0) }
        }
        let classes: Set<String> = ["account", "payee", "own", "chain", "request", "program", "other-origin"]
        #expect(rows.allSatisfy { $0.count == 3 && classes.contains($0[2]) })
        return Dictionary(uniqueKeysWithValues: rows.map { ("\($0[0]).\($0[1])", $0[2]) })
    }

    /// A call that moves the token for somebody who is no argument passed a list of destinations.
    @Test func `of each call with an amount it is decided who gains`() throws {
        let facts = try AmountFact.all().filter { $0.isNative || $0.decided.utf8Equals("chains") }
        let gains = try Self.gains()
        #expect(Set(facts.map { "\($0.pallet).\($0.call)" }) == Set(gains.keys))
        for fact in facts {
            let decided = try #require(gains["\(fact.pallet).\(fact.call)"])
            // Whatever its arguments are.
            let runtime = ArgumentMeaningLaws.runtime(
                .bool, pallet: fact.pallet, call: fact.call, argument: "is")
            let summary = try runtime.decode(runtime.transactionBody(call: [99, 0, 1])).summary
            #expect(summary.hasOtherAddresses == decided.utf8Equals("payee"), "\(fact.place)")
            if decided.utf8Equals("program") {
                #expect(summary.warnings.contains(.runsProgram), "\(fact.place)")
            }
            let violation = TransactionPolicy(destinations: []).violation(
                of: try runtime.decode(runtime.transactionBody(call: [99, 0, 1])), on: runtime.specs,
                signer: Account.alice)
            #expect((violation == nil) != decided.utf8Equals("payee"), "\(fact.place)")
        }
    }

    @Test(arguments: KnownCallLaws.files)
    func `a call of a known runtime whose amount an account gains has one`(file: String) throws {
        guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        let gains = try Self.gains()
        let specs = NetworkSpecs(
            name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: .blake2b(of: [1]), scheme: .sr25519)
        let types = TypeView(metadata.registry)
        for (pallet, call, _) in try KnownCallLaws.calls(metadata) {
            let name = "\(pallet).\(call.name)"
            guard let decided = gains[name], decided.utf8Equals("account") else { continue }
            let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
            let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
            let summary = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).summary
            #expect(
                !summary.accounts.isEmpty || summary.hasOtherAddresses || !summary.possibleRecipients.isEmpty,
                "\(name)")
        }
    }

    /// Calls whose sample holds no amount: the first variant of an argument has none, or a type parameter
    /// spells it.
    private static let withoutSample: Set<String> = [
        "Identity.provide_judgement", "NominationPools.set_configs", "Staking.set_staking_configs",
        "Nfts.mint",
        "Nfts.claim_swap", "Nfts.create_swap", "Nfts.mint_pre_signed", "Nfts.update_mint_settings",
    ]

    /// Users of Polkadot, its hub and Westend see these in the chain's unit, and limits count them.
    @Test(arguments: KnownCallLaws.files)
    func `ordinary calls stay in the chain's own token`(file: String) throws {
        guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        let facts = Dictionary(grouping: try AmountFact.all()) { "\($0.pallet).\($0.call)" }
        let specs = NetworkSpecs(
            name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: .blake2b(of: [1]), scheme: .sr25519)
        let types = TypeView(metadata.registry)
        var count = 0
        for (pallet, call, _) in try KnownCallLaws.calls(metadata) {
            let name = "\(pallet).\(call.name)"
            guard let known = facts[name], known.allSatisfy(\.isNative), !Self.withoutSample.contains(name)
            else { continue }
            let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
            let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
            let decoded = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs)
            #expect(!decoded.summary.hasAssetAmounts && !decoded.summary.nativeAmounts.isEmpty, "\(name)")
            count += 1
        }
        #expect(count > 12)
    }
}
