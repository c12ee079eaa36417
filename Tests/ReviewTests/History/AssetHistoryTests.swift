import Extrinsics
import FixtureRuntime
import SubstratePrimitives
import Testing
import TrustStore

@testable import History
@testable import Review

/// What payments of several assets say of each other.
@Suite struct AssetHistoryLaws {
    private static func payment(_ items: [ReviewedTransaction]) throws -> HistoryFindings.Payment {
        try #require(ReviewSummary(items[0]).recipients.first?.history)
    }

    /// Anybody can make an asset that is worth nothing and have a million of it paid to himself.
    @Test(arguments: [false, true])
    func `a payment of one asset says nothing of another`(isContact: Bool) throws {
        let memory = Memory()
        if isContact {
            memory.contacts = [ContactRecord(scheme: .sr25519, account: SigningVault.bob, label: "Kraken")]
        }
        func asset(_ id: UInt128, _ amount: UInt128) -> [UInt8] {
            SigningVault.runtime.call(
                "Assets", "transfer",
                [
                    FixtureValue.compact(id), FixtureValue.address(SigningVault.bob),
                    FixtureValue.compact(amount),
                ])
        }
        func payment(_ call: [UInt8]) throws -> HistoryFindings.Payment {
            try Self.payment(memory.review(Memory.payload(call, nonce: 50, block: 60)))
        }
        func count(_ call: [UInt8]) throws -> UInt64? {
            switch try payment(call) {
            case .paid(let record, _), .named(let record?, _): record.count
            case .notPaid, .firstInAsset, .named(nil, _): nil
            }
        }
        for nonce in 0..<3 as Range<UInt8> {
            try memory.sign(
                Memory.payload(asset(7, 1_000_000 + UInt128(nonce)), nonce: UInt64(nonce), block: nonce))
        }
        #expect(try count(asset(7, 1)) == 3)
        #expect(try payment(SigningVault.transfer(60)) == .firstInAsset(nil, largest: nil))
        #expect(try payment(asset(8, 1)) == .firstInAsset(nil, largest: nil))
        // Beside the asset that was paid, one that was not.
        let both = SigningVault.runtime.call(
            "Utility", "batch_all", [FixtureValue.vector([asset(7, 1), SigningVault.transfer(60)])])
        #expect(try payment(both) == .firstInAsset(nil, largest: nil))
        try memory.sign(Memory.transfer(60, nonce: 3, block: 3))
        #expect(try count(SigningVault.transfer(60)) == 1 && count(both) == 1 && count(asset(7, 1)) == 3)
        guard case .firstInAsset(let record?, let largest?) = try payment(asset(8, 1)) else {
            Issue.record("not the first")
            return
        }
        #expect(record.count == 1 && largest.symbol.utf8Equals(SigningVault.runtime.specs.unit))
        // An amount is compared with those of its own asset.
        func codes(_ call: [UInt8]) throws -> [String] {
            let warnings =
                try memory.review(Memory.payload(call, nonce: 50, block: 60))[0].history?.warnings ?? []
            return warnings.compactMap { $0.text(of: "code") }.filter { $0.utf8Equals("payment_far_above") }
        }
        #expect(try codes(SigningVault.transfer(601)).count == 1 && codes(asset(7, 10_000_021)).count == 1)
        #expect(try codes(asset(7, 10_000_019)).isEmpty && codes(asset(8, .max)).isEmpty)
    }

    /// A second instance of a pallet counts a token that nothing here names.
    @Test func `a payment of an asset that is not known is like none before`() throws {
        let memory = Memory()
        let balances = try #require(memory.runtime.pallets.first { $0.name == "Balances" })
        var second = balances
        (second.name, second.index) = ("SecondBalances", 92)
        memory.runtime.pallets.append(second)
        let native = SigningVault.transfer(60)
        let unnamed = [92] + native.dropFirst()
        let both = SigningVault.runtime.call(
            "Utility", "batch_all", [FixtureValue.vector([unnamed, native])])
        func payment(_ call: [UInt8]) throws -> HistoryFindings.Payment {
            try Self.payment(memory.review(Memory.payload(call, nonce: 50, block: 60)))
        }
        for call in [unnamed, both, native] {
            guard case .notPaid = try payment(call) else {
                Issue.record("paid before anything was")
                return
            }
        }
        try memory.sign(Memory.transfer(60, nonce: 3, block: 3))
        for call in [unnamed, both] {
            guard case .firstInAsset(let record?, _) = try payment(call) else {
                Issue.record("paid before in an asset that is not known")
                return
            }
            #expect(record.count == 1)
        }
        guard case .paid = try payment(native) else {
            Issue.record("not paid")
            return
        }
    }
}
