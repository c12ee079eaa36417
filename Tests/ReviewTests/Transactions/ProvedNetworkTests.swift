import Cards
import Extrinsics
import FixtureRuntime
import Forge
import FoundationEssentials
import Hashing
import Metadata
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Review

/// Networks that only a proof describes: whoever makes the transaction chooses the proof, the names in it and
/// the genesis hash.
@Suite struct ProvedNetworkLaws {
    private static let westend = NetworkSpecs.defaults[2]
    private static let elsewhere = GenesisHash.blake2b(of: Array("a chain of somebody's own".utf8))
    private static let short = "0x\(elsewhere.hex.prefix(8))...\(elsewhere.hex.suffix(8))"

    /// The fixture runtime as a network with these specs.
    private static func runtime(_ specs: NetworkSpecs, _ change: (inout NetworkSpecs) -> Void = { _ in })
        -> FixtureRuntime
    {
        var specs = specs
        change(&specs)
        var runtime = FixtureRuntime(specName: specs.name, ss58Prefix: specs.base58Prefix)
        runtime.specs = specs
        return runtime
    }

    private static func payload(_ runtime: FixtureRuntime) throws -> [UInt8] {
        try runtime.provedPayload(signer: SigningVault.alice, call: SigningVault.transfer())
    }

    private static func review(
        _ payload: [UInt8], accepts: Bool = false, _ change: (inout TrustState) -> Void = { _ in }
    ) throws -> ReviewedTransaction {
        var state = try SigningVault.data().state
        (state.networks, state.metadata) = ([], [])
        change(&state)
        var additions = TransactionReview.Additions()
        additions.acceptsProvedNetwork = accepts
        return try TransactionReview(ChainData(state: state) { _ in [] }, additions: additions).review(
            try Payload(payload))[0]
    }

    private static func named(_ name: String, _ genesis: GenesisHash = elsewhere) -> FixtureRuntime {
        runtime(westend) { ($0.name, $0.genesisHash) = (name, genesis) }
    }

    // MARK: A listed genesis hash

    @Test
    func `a proof that agrees with the list needs no word, and still the person's yes or a stored network`()
        throws
    {
        var runtime = Self.runtime(Self.westend)
        // What the built-in list has of Westend.
        runtime.specVersion = 1_015_000
        let payload = try Self.payload(runtime)
        let shown = try Self.review(payload)
        #expect(shown.refusal == .networkOnlyProved("westend", addable: Self.westend.genesisHash))
        #expect(shown.provedNetwork == .listed(isConfirmed: true) && shown.shownNetwork == "westend")
        let accepted = try Self.review(payload, accepts: true)
        #expect(accepted.refusal == nil)
        #expect(accepted.cards.warning.map { $0.text(of: "code") } == ["listed_network_only_proved"])
        let summary = ReviewSummary(accepted)
        #expect(summary.word == nil && summary.networks[0].markedName == nil)
    }

    @Test func `each value that differs from the list is refused, and named with both`() throws {
        let changes: [(WellKnownChain.Field, String, String, (inout NetworkSpecs) -> Void)] = [
            (.specName, "westend", "Westend", { $0.name = "Westend" }),
            (.specName, "westend", "polkadot", { $0.name = "polkadot" }),
            (.base58Prefix, "42", "0", { $0.base58Prefix = 0 }),
            (.decimals, "12", "10", { $0.decimals = 10 }),
            (.unit, "WND", "DOT", { $0.unit = "DOT" }), (.unit, "WND", "WΝD", { $0.unit = "WΝD" }),
        ]
        for (field, listed, proved, change) in changes {
            let payload = try Self.payload(Self.runtime(Self.westend, change))
            let error = ReviewError.listedChainDiffers(
                ListedDifference(chain: "Westend", field: field, listed: listed, proved: proved))
            for accepts in [false, true] {
                #expect(throws: error) { try Self.review(payload, accepts: accepts) }
            }
            #expect(
                error.sentence.contains(listed) && error.sentence.contains(proved)
                    && error.sentence.contains(field.rawValue))
        }
    }

    /// What a verifier signed is compared with the proof alone: the list is for networks that nobody vouches
    /// for.
    @Test func `a stored network is not compared with the list`() throws {
        let other = Self.runtime(Self.westend) { $0.decimals = 10 }
        let shown = try Self.review(Self.payload(other)) { $0.networks = [other.specs] }
        #expect(shown.provedNetwork == nil && shown.refusal == .keyNotAllowed(network: "westend"))
    }

    @Test func `one source vouches for nothing`() throws {
        let chain = WellKnownChain.chains(named: "litmus-parachain")[0]
        #expect(!chain.isConfirmed)
        let shown = try Self.review(Self.payload(Self.runtime(chain.specs)), accepts: true)
        #expect(
            shown.provedNetwork == .listed(isConfirmed: false) && shown.shownNetwork == "litmus-parachain")
        #expect(ReviewSummary(shown).word?.text == "unknown network")
        #expect(
            try Self.review(Self.payload(Self.runtime(chain.specs))).refusal
                == .networkOnlyProved("litmus-parachain", addable: nil))
    }

    @Test func `a revoked network stays blocked, whatever the list says`() throws {
        let payload = try Self.payload(Self.runtime(Self.westend))
        #expect(throws: ReviewError.networkBlocked(Self.westend.genesisHash.hex)) {
            try Self.review(payload, accepts: true) { $0.verifiers[Self.westend.genesisHash] = .revoked }
        }
    }

    // MARK: An unknown genesis hash

    @Test(arguments: ["polkadot", "westend", "Polkadot", "polkad0t", "statemint", "node"])
    func `a known name on an unknown chain is marked and needs its word`(name: String) throws {
        let shown = try Self.review(Self.payload(Self.named(name)), accepts: true)
        let marked = "\(name)? unknown chain \(Self.short)"
        #expect(shown.refusal == nil && shown.shownNetwork == marked)
        let warning = try #require(shown.cards.warning.last)
        #expect(
            warning.text(of: "code") == "known_name_on_unknown_chain"
                && warning.value.hasSuffix(": " + marked))
        let summary = ReviewSummary(shown)
        #expect(summary.word?.text == "unknown chain" && summary.networks[0].markedName == marked)
        // The card of the runtime's version has the name too; its field keeps the proof's.
        let version = try #require(shown.cards.extensions.first { $0.kind == .specVersion })
        #expect(version.value == marked + " 1000" && version.text(of: "name") == name)
        #expect(summary.networks[0].name == name && summary.networks[0].mark == .knownNameOnUnknownChain)
        #expect(
            try Self.review(Self.payload(Self.named(name))).refusal
                == .networkOnlyProved(marked, addable: nil))
    }

    @Test func `any other unknown chain is marked too`() throws {
        let shown = try Self.review(Self.payload(Self.named("mychain")), accepts: true)
        #expect(shown.shownNetwork == "mychain, unknown chain \(Self.short)")
        #expect(shown.cards.warning.last?.value.hasSuffix(": mychain, unknown chain \(Self.short)") == true)
        #expect(
            ReviewSummary(shown).word?.text == "unknown network"
                && ReviewSummary(shown).networks[0].mark == .unknownChain)
    }

    /// A name cannot talk the mark away, nor push it out of a line that is cut short.
    @Test(arguments: [
        "polkadot, genesis 0x91b171bb", "pоlkadot", String(repeating: "a", count: 5000),
        "x\" is known as \"polkadot", "", "\u{1b}[2K",
    ])
    func `a long name, or one that is more than a word, stands behind its mark`(name: String) throws {
        let shown = try #require(try Self.review(Self.payload(Self.named(name)), accepts: true).shownNetwork)
        #expect(shown.utf8.starts(with: "unknown chain \(Self.short), named \"".utf8))
        #expect(shown.unicodeScalars.count < 200)
        let inner = shown.utf8.drop { $0 != UInt8(ascii: "\"") }.dropFirst()
        #expect(!name.contains("\"") || inner.starts(with: "x\\\"".utf8))
    }

    @Test func `the mark is in the errors and in the log's words of other refusals`() throws {
        let payload = try Self.payload(Self.named("polkadot"))
        let marked = "polkadot? unknown chain \(Self.short)"
        func refusal(_ policy: String) throws -> ReviewError? {
            try Self.review(payload, accepts: true) {
                $0.settings[TransactionPolicy.setting] = Array(policy.utf8)
            }.refusal
        }
        #expect(try refusal("{\"networks\": [\"kusama\"]}") == .policy(.network(marked)))
        #expect(try refusal("{\"networks\": [\"polkadot\"]}") == .policy(.networkUncertain(marked)))
        var cut = payload
        cut.insert(0, at: cut.count - 32)
        #expect { try Self.review(cut) } throws: { error in
            guard case ReviewError.transaction(_, let network) = error else { return false }
            return network == marked
        }
    }

    @Test func `amounts of a bulk say which of two chains of one name they are on`() throws {
        let real = try Self.review(Self.payload(Self.runtime(Self.westend)), accepts: true)
        let forged = try Self.review(Self.payload(Self.named("westend")), accepts: true)
        let whole = ReviewSummary(whole: [ReviewSummary(real), ReviewSummary(forged)])
        #expect(whole.totals.map { $0.network?.markedName } == [nil, "westend? unknown chain \(Self.short)"])
        #expect(whole.networks.count == 2 && whole.word?.text == "unknown chain")
    }

    /// The mark belongs to what was shown: a person who saw none has not seen a transaction that has one.
    @Test func `a network that is stored in between changes what is shown`() throws {
        let payload = try Self.payload(Self.runtime(Self.westend))
        let before = try Self.review(payload, accepts: true)
        let after = try Self.review(payload, accepts: true) { $0.networks = [Self.westend] }
        #expect(!before.shows(the: after))
    }

    // MARK: Fixtures

    @Test func `the fixtures are what this runtime makes`() throws {
        let polkadot = NetworkSpecs.defaults[0]
        let made: [(String, FixtureRuntime)] = [
            ("westend", Self.runtime(Self.westend)),
            ("westend-decimals", Self.runtime(Self.westend) { $0.decimals = 10 }),
            ("polkadot-elsewhere", Self.runtime(polkadot) { $0.genesisHash = Self.elsewhere }),
            (
                "polkadot-lookalike",
                Self.runtime(polkadot) { ($0.name, $0.genesisHash) = ("pоlkadot", Self.elsewhere) }
            ),
            ("litmus", Self.runtime(WellKnownChain.chains(named: "litmus-parachain")[0].specs)),
        ]
        for (name, runtime) in made {
            let file = Checkout.path("fixtures/proved/\(name).hex")
            let hex = Hex.encode(try Self.payload(runtime)) + "\n"
            if ProcessInfo.processInfo.environment["HELIOGRAPH_WRITE_FIXTURES"] != nil {
                try hex.write(toFile: file, atomically: true, encoding: .utf8)
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == hex, "\(name)")
        }
    }
}
