import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import Testing

/// Nothing of a runtime's layout is built in: with every pallet, call and extension renamed and in another
/// order the same transactions decode.
@Suite struct ReshapedRuntimeLaws {
    /// `System` keeps its name: its constant `Version` is where every reader learns the runtime's name and
    /// version.
    private static let pallets = ["System": "System", "Balances": "Tokens", "Utility": "Tools"]
    private static let calls = ["remark": "note", "transfer_keep_alive": "send", "batch_all": "together"]
    private static let extensions = [
        "CheckNonce": "Counting", "CheckMortality": "Lifetime", "ChargeTransactionPayment": "Paying",
        "CheckSpecVersion": "Release",
        "CheckGenesis": "Chain",
    ]
    private static let homes = [
        "remark": "System", "transfer_keep_alive": "Balances", "batch_all": "Utility",
    ]

    private static var reshaped: FixtureRuntime {
        var runtime = FixtureRuntime.standard
        runtime.shuffle()
        for (call, pallet) in homes { runtime.renameCall(pallet, call, to: calls[call]!) }
        for (pallet, name) in pallets { runtime.renamePallet(pallet, to: name) }
        for (identifier, name) in extensions { runtime.renameExtension(identifier, to: name) }
        return runtime
    }

    /// A transfer and a remark in a batch, in the names of a runtime.
    private static func batch(_ runtime: FixtureRuntime, isReshaped: Bool) -> [UInt8] {
        func call(_ name: String, _ arguments: [[UInt8]]) -> [UInt8] {
            let pallet = homes[name]!
            return runtime.call(
                isReshaped ? pallets[pallet]! : pallet, isReshaped ? calls[name]! : name, arguments)
        }
        let transfer = call(
            "transfer_keep_alive", [FixtureValue.address(Account.bob), FixtureValue.compact(5_000_000_000)])
        let remark = call("remark", [FixtureValue.bytes(Array("hello".utf8))])
        return call("batch_all", [FixtureValue.vector([transfer, remark])])
    }

    /// The value of a card in the names of the standard runtime.
    private static func standardName(_ card: Card) -> String {
        let names = pallets.merging(calls) { first, _ in first }
        return names.first { $0.value == card.value }?.key ?? card.value
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func theSameTransactionsDecodeInAReshapedRuntime(version: FixtureRuntime.MetadataVersion) throws {
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: Hash32(Account.bob), nonce: 46, tip: 7
        )
        let (standard, reshaped) = (FixtureRuntime.standard, Self.reshaped)
        let (before, after) = (
            Self.batch(standard, isReshaped: false), Self.batch(reshaped, isReshaped: true)
        )
        #expect(before != after)
        let expected = try standard.decode(standard.transactionBody(call: before, values), version)
        let found = try reshaped.decode(reshaped.transactionBody(call: after, values), version)
        // Whose token an amount is of goes by the names of pallet and call; the number is the same.
        func said(_ cards: [Card], _ name: (Card) -> String) -> [String] {
            cards.filter { !$0.fields.contains(.init("code", "asset")) }.map { card in
                guard let raw = card.text(of: "raw") else {
                    return "\(card.indent) \(card.kind) \(name(card))"
                }
                return "\(card.indent) amount \(raw)"
            }
        }
        #expect(said(found.method, Self.standardName) == said(expected.method, \.value))
        func facts(_ decoded: DecodedTransaction) -> [String] {
            decoded.extensions.filter { $0.kind != .extension && $0.kind != .notice }.map {
                "\($0.kind) \($0.value)"
            }.sorted()
        }
        #expect(facts(found) == facts(expected))
        #expect(found.facts == expected.facts)
        #expect(found.signingBytes == reshaped.signingBytes(call: after, values))
    }
}
