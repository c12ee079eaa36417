import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Keys
import Review
import SubstratePrimitives
import Testing
import TrustStore
import UOS

/// `\u{212a}` is the Kelvin sign, which `String` takes for `K`.
@Suite struct ExactTextLaws {
    private static func message(_ content: [UInt8]) throws -> Card {
        let payload =
            [0x53, 0x01, 0x08] + SigningVault.alice + Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
        let review = try TransactionReview(SigningVault.data()).review(try Payload(payload))
        return try #require(review.first?.cards.message.first)
    }

    @Test func aMessageOfTextAndOneOfBytesAreDifferentCards() throws {
        let text = try Self.message(Array("0xff00aa".utf8))
        let bytes = try Self.message([0xff, 0x00, 0xaa])
        #expect(text.value == "0xff00aa" && bytes.value == "0xff00aa")
        #expect(text != bytes)
        #expect(
            text.fields.contains(Card.Field("text", "0xff00aa"))
                && bytes.fields.contains(Card.Field("text", nil)))
        #expect(try Self.message(Array("é".utf8)) != Self.message(Array("e\u{301}".utf8)))
    }

    private static func kelvin(_ change: (inout NetworkSpecs) -> Void = { _ in }) -> NetworkSpecs {
        var specs = NetworkSpecs(
            name: "Kappa", title: "Kappa", base58Prefix: 7, decimals: 12, unit: "KSM",
            genesisHash: .blake2b(of: Array("Kappa".utf8)))
        change(&specs)
        return specs
    }

    @Test func anEquivalentNameOrUnitIsAChange() throws {
        let fixture = try TrustFixture(networks: [Self.kelvin()])
        #expect(
            try fixture.refusal(unsigned(.addSpecs(Self.kelvin { $0.name = "\u{212a}appa" })))
                == .nameChanges(known: "Kappa", given: "\u{212a}appa"))
        #expect(
            try fixture.refusal(unsigned(.addSpecs(Self.kelvin { $0.unit = "\u{212a}SM" })))
                == .unitChanges(known: "KSM", given: "\u{212a}SM"))
        #expect(try fixture.refusal(unsigned(.addSpecs(Self.kelvin()))) == .alreadyKnown)
        try fixture.accept(unsigned(.addSpecs(Self.kelvin { $0.title = "\u{212a}appa" })))
        #expect(try fixture.state.networks[0].title.utf8.elementsEqual("\u{212a}appa".utf8))
    }

    @Test func anEquivalentNameIsNotTheNameOfAnotherChain() throws {
        let fixture = try TrustFixture(networks: [Self.kelvin()])
        let other = Self.kelvin {
            $0.name = "\u{212a}appa"
            $0.genesisHash = .blake2b(of: [9])
        }
        #expect(try fixture.accept(unsigned(.addSpecs(other))).codes == ["update-unsigned"])
    }

    @Test func anAssetHasItsUnitByTheBytesOfItsKey() throws {
        let entry = AssetUnits.Entry(pallet: "K", id: "1", symbol: "K", decimals: 2)
        let units = try #require(AssetUnits(genesisHash: .blake2b(of: [1]), serial: 1, entries: [entry]))
        #expect(units.unit(of: .pallet("K", id: "1")) == AssetUnit(symbol: "K", decimals: 2))
        #expect(
            units.unit(of: .pallet("\u{212a}", id: "1")) == nil
                && units.unit(of: .pallet("K", id: "2")) == nil)
    }

    @Test func assetsAreFoundByExactPalletAndId() throws {
        let units = try #require(
            AssetUnits(
                genesisHash: .blake2b(of: []), serial: 1,
                entries: [.init(pallet: "Kassets", id: "1", symbol: "K", decimals: 2)]))
        #expect(units.unit(of: .pallet("Kassets", id: "1")) != nil)
        #expect(units.unit(of: .pallet("\u{212a}assets", id: "1")) == nil)
    }
}
