import Extrinsics
import FixtureRuntime
import Forge
import SCALE
import StateProof
import SubstratePrimitives
import Testing
import UOS

@testable import Review

/// What is left, where a reader could believe that more is.
@Suite struct StateMarginLaws {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)

    /// One call that moves any token by its number, the chain's own too, as Hydration, Acala and Bifrost have
    /// it.
    private static let currencies: FixtureRuntime = {
        let token = FixtureType.variant(
            path: ["primitives", "TokenSymbol"],
            variants: [FixtureVariant("OWN", index: 0), FixtureVariant("USD", index: 1)])
        let currency = FixtureType.variant(
            path: ["primitives", "CurrencyId"],
            variants: [
                FixtureVariant("Token", index: 0, fields: [FixtureField(nil, token, typeName: "TokenSymbol")])
            ])
        var runtime = StateTransaction.listed("polkadot", 2_003_000)
        runtime.pallets.append(
            FixturePallet(
                "Currencies", index: 98,
                calls: [
                    FixtureVariant(
                        "transfer", index: 0,
                        fields: [
                            FixtureField("dest", StandardTypes.accountID, typeName: "T::AccountId"),
                            FixtureField("currency_id", currency, typeName: "CurrencyIdOf<T>"),
                            FixtureField("amount", .compact(.u128), typeName: "BalanceOf<T>"),
                        ])
                ]))
        return runtime
    }()

    private static func vault(sending amount: UInt128) -> StateVault {
        var vault = StateVault(nonce: 0, network: currencies)
        vault.nonce = 0
        vault.call = [98, 0] + bob.bytes + [0, 0] + FixtureValue.compact(amount)
        return vault
    }

    @Test func `45 Nothing is said to be left where an amount of an asset may be the chain's own token`()
        throws
    {
        var vault = Self.vault(sending: 999)
        #expect(try vault.state().remaining == nil)
        vault.policy = #"{"minimum_remaining": "1"}"#
        #expect(try vault.reviewed().refusal == .policy(.remainingUnknown))
        let rule = """
            {"approve": [{"networks": ["polkadot"], "calls": ["Currencies.transfer"], "mortality": "any", \
            "destinations": ["0x\(Self.bob.hex)"], "maximum_amount": "100", "maximum_tip": "5", \
            "assets": [{"pallet": "Currencies", "asset": "0x0000"}], "minimum_remaining": "900"}]}
            """
        vault.policy = nil
        let reviewed = try vault.reviewed().vouched(by: .metadata)
        #expect(
            try vault.data(policy: rule).personNeeded(for: [reviewed])?.cause
                == .rules([PersonNeeded.Obstacle(rule: 1, reason: .violation(.remainingUnknown))]))
    }

    @Test func `45 An asset that is never the chain's own token leaves the balance as it is`() throws {
        var vault = StateVault(network: StateTransaction.listed("statemint", 2_000_003))
        vault.call = Self.send(60, of: vault.network)
        vault.items = [.account(Self.alice)]
        #expect(try vault.state().remaining == 1_000)
    }

    @Test func `38 46 Several transfers of one asset need all of it together`() throws {
        for (held, warnings) in [
            (UInt128(120), []), (119, [.assetShort]), (0, [.assetShort]),
        ] as [(UInt128, [StateReview.Warning])] {
            var vault = StateVault(network: StateTransaction.listed("statemint", 2_000_003))
            let one = Self.send(60, of: vault.network)
            vault.call = vault.network.call("Utility", "batch_all", [FixtureValue.vector([one, one])])
            vault.chain[.assetAccount(1_984, Self.alice)] = Self.holding(held)
            vault.items = [.account(Self.alice), .assetAccount(1_984, Self.alice)]
            #expect(try vault.warnings() == warnings, "\(held)")
        }
        // Sums beyond the largest number are more than any balance.
        var vault = StateVault(network: StateTransaction.listed("statemint", 2_000_003))
        let most = Self.send(.max, of: vault.network)
        vault.call = vault.network.call("Utility", "batch_all", [FixtureValue.vector([most, most])])
        vault.chain[.assetAccount(1_984, Self.alice)] = Self.holding(.max - 1)
        vault.items = [.account(Self.alice), .assetAccount(1_984, Self.alice)]
        #expect(try vault.warnings() == [.assetShort])
    }

    @Test func `38 An account that is proven absent has nothing, and nonce 0 comes next`() throws {
        var vault = StateVault()
        vault.chain[.account(Self.alice)] = nil
        #expect(try vault.warnings() == [.nonceGap(866), .notCovered])
        vault.nonce = 0
        vault.call = StateVault.transfer(0)
        #expect(try vault.warnings() == [])
        vault.tip = 1
        #expect(try vault.warnings() == [.notCovered])
    }

    @Test func `39 Of more recipients than a proof has room for the others are said to be unproven`() throws {
        for (count, proven, isMissing) in [(8, 8, false), (9, 8, true), (9, 9, false), (8, 7, true)] {
            var vault = StateVault()
            let accounts = (0..<count).map { AccountID32([UInt8](repeating: UInt8($0 + 1), count: 32))! }
            let calls = accounts.map { StateVault.transfer(1, to: $0) }
            vault.call = vault.network.call("Utility", "batch_all", [FixtureValue.vector(calls)])
            for account in accounts { vault.chain[.account(account)] = SampleChain.account(free: 10) }
            let items = [Self.alice.bytes] + accounts.prefix(proven).map(\.bytes)
            vault.items = items.sorted { $0.lexicographicallyPrecedes($1) }.map { .account(AccountID32($0)!) }
            #expect(try vault.state().missing.contains(.destinations) == isMissing, "\(count) \(proven)")
        }
    }

    private static func send(_ amount: UInt128, of network: FixtureRuntime) -> [UInt8] {
        network.call(
            "Assets", "transfer",
            [FixtureValue.compact(1_984), FixtureValue.address(bob.bytes), FixtureValue.compact(amount)])
    }

    private static func holding(_ balance: UInt128) -> [UInt8] {
        SCALEWriter.encode {
            $0.integer(balance)
            $0.u8(0)
            $0.u8(0)
        }
    }
}
