import Cards
import Extrinsics
import FixtureRuntime
import SubstratePrimitives
import Testing

@testable import Review

/// One sentence for each call, and a call that is not known by its name.
@Suite struct SentenceTests {
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    private static func sentence(_ sample: SummarySample) throws -> String { try sample.summary().sentences[0].text }

    @Test func standardCallsAreSaidInWords() throws {
        #expect(try Self.sentence(.transfer(1_500_000_000_000)) == "sends 1.5 HLO to \(Self.bob)")
        #expect(try Self.sentence(.transferAll()) == "sends everything that can be moved to \(Self.bob)")
        #expect(try Self.sentence(.asset(5)) == "sends 5 of the smallest unit of asset 1984 to \(Self.bob)")
        #expect(try Self.sentence(.remark("hello")) == "writes \"hello\" into a block")
        #expect(try Self.sentence(.remark(String(repeating: "x", count: 121))) == "writes a text of 121 bytes into a block")
        #expect(try Self.sentence(.addProxy()) == "lets \(Self.bob) act for this account")
    }

    @Test func callsInsideCallsAreSaidToo() throws {
        let carol = try #require(SS58Address(prefix: 42, account: SummarySample.carol)?.text)
        #expect(try Self.sentence(.proxy(SummarySample.carol, .transfer(0))) == "acts for \(carol): sends 0 HLO to \(Self.bob)")
        #expect(try Self.sentence(.multisig(.remark("x"))) == "acts as a multisig: writes \"x\" into a block")
        #expect(try Self.sentence(.batch([])) == "batch of no calls")
        #expect(try Self.sentence(.batch([.remark("x")])) == "batch of 1 call: writes \"x\" into a block")
        let many = Array(repeating: SummarySample.transfer(1), count: 299) + [.remark("x")]
        #expect(try Self.sentence(.batch(many)) == "batch of 300 calls: 299 x Balances.transfer_keep_alive, 1 x System.remark")
    }

    @Test func anythingElseIsSaidByItsName() throws {
        let runtime = SummarySample.runtime
        let unknown = SummarySample(call: runtime.call("Rights", "unheard_of", [FixtureValue.integer(UInt128(5))]))
        #expect(try Self.sentence(unknown) == "calls Rights.unheard_of")
        // A batch of something else is not empty.
        let list = SummarySample(call: runtime.call("Rights", "batch", [FixtureValue.vector([FixtureValue.integer(UInt32(5))])]))
        #expect(try Self.sentence(list) == "calls Rights.batch")
        // An address by its index is no account: the phrase does not fit.
        let byIndex = SummarySample(call: runtime.call("Balances", "transfer_keep_alive", [[1], FixtureValue.compact(1)]))
        #expect(try Self.sentence(byIndex) == "calls Balances.transfer_keep_alive")
        // Deeper than a sentence goes.
        let deep = (0..<8).reduce(SummarySample.remark("x")) { inner, _ in .proxy(SigningVault.bob, inner) }
        #expect(try Self.sentence(deep).hasSuffix(": calls Proxy.proxy"))
    }

    @Test func messagesAreQuotedOrCounted() throws {
        func sentence(_ text: String) throws -> String {
            ReviewSummary(try SummarySample.review(SigningVault.message(text))[0]).sentences[0].text
        }
        #expect(try sentence("hello") == "signs the text \"hello\"")
        #expect(try sentence(String(repeating: "x", count: 201)) == "signs a text of 201 bytes")
    }
}

/// The word that is typed instead of yes.
@Suite struct TypedWordTests {
    private static func word(_ sample: SummarySample) throws -> String? { try sample.summary().word?.text }

    @Test func ordinaryTransactionsHaveNone() throws {
        for sample: SummarySample in [
            .transfer(5), .asset(5), .remark("x"), .batch([.transfer(5), .asset(1)]), .proxy(SigningVault.bob, .transfer(1)),
            .multisig(.transfer(1)),
        ] {
            #expect(try Self.word(sample) == nil)
        }
    }

    @Test func aDangerousCallIsTypedByItsName() throws {
        let runtime = SummarySample.runtime
        #expect(try Self.word(.transferAll()) == "transfer all")
        #expect(try Self.word(.addProxy()) == "add proxy")
        #expect(
            try Self.word(SummarySample(call: runtime.call("Rights", "remove_proxy", [FixtureValue.address(SigningVault.bob)])))
                == "remove proxy")
        #expect(try Self.word(SummarySample(call: runtime.call("Rights", "set_code", [FixtureValue.bytes([1])]))) == "set code")
        #expect(try Self.word(SummarySample(call: runtime.call("Rights", "approve_as_multi", [SigningVault.bob]))) == "hidden call")
        #expect(try Self.word(.proxy(SigningVault.bob, .batch([.transfer(1), .transferAll()]))) == "transfer all")
    }

    @Test func aNameThatManyPalletsUseIsTypedWithItsPallet() {
        func word(_ pallet: String, _ call: String, _ warnings: [Card] = []) -> String? {
            TypedWord(calls: [.init(name: .init(pallet: pallet, call: call), count: 1)], warnings: warnings)?.text
        }
        #expect(word("PolkadotXcm", "send") == "polkadotxcm send" && word("Contracts", "call") == "contracts call")
        #expect(word("Registrar", "swap") == "registrar swap" && word("Other", "swap") == nil)
        #expect(word("Contracts", "instantiate_with_code") == "instantiate with code")
        #expect(word("Assets", "approve_transfer") == "approve transfer")
        #expect(word("NominationPools", "update_roles") == "update roles")
        // A payee that is the stake's own account has no warning, and no word.
        #expect(word("Staking", "set_payee") == nil)
        #expect(word("Staking", "set_payee", [Warning.redirectsRewards.card()]) == "set payee")
    }

    @Test func ofSeveralTheMostDangerousIsTyped() throws {
        let runtime = SummarySample.runtime
        let sudo = SummarySample(call: runtime.call("Rights", "sudo", [SummarySample.transferAll().call]))
        let hidden = SummarySample(call: runtime.call("Rights", "approve_as_multi", [SigningVault.bob]))
        #expect(try Self.word(.batch([.transferAll(), .addProxy()])) == "add proxy")
        #expect(try Self.word(.batch([.addProxy(), .transferAll()])) == "add proxy")
        #expect(try Self.word(.batch([.transferAll(), sudo])) == "sudo")
        #expect(try Self.word(.batch([sudo, hidden, .transferAll()])) == "hidden call")
    }

    /// The table of dangerous calls is the one of the warnings: each of them has a word.
    @Test func everyWarningThatACallHasByItsNameHasAWord() {
        for name in ["transfer_all", "set_code", "set_keys", "add_proxy", "set_team", "sudo", "kill_pure"] {
            let count = ReviewSummary.CallCount(name: .init(pallet: "P", call: name), count: 1)
            #expect(TypedWord(calls: [count], warnings: [])?.text == name.replacing("_", with: " "))
        }
        for warning in Warning.allCases {
            let needsNone = warning == .unknownExtension
            #expect((TypedWord(calls: [], warnings: [warning.card()]) == nil) == needsNone)
        }
        for warning in ReviewWarning.allCases {
            let word: String? =
                switch warning {
                case .networkOnlyProved: "unknown network"
                case .knownNameOnUnknownChain: "unknown chain"
                case .unsignedMetadata: "unsigned metadata"
                case .unknownAuthor, .keyNotForNetwork, .olderRuntime, .keyNotDerived, .metadataBelieved,
                    .listedNetworkOnlyProved, .lookAlike, .nonceReused, .nonceBelowHighest, .nonceFarAhead, .callRepeated, .signedBefore,
                    .eraExpired, .shortEraForGroup:
                    nil
                }
            #expect(TypedWord(calls: [], warnings: [Card(warning: warning)])?.text == word)
        }
    }
}
