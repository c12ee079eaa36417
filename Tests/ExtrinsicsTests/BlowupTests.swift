import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// What a payload may cost is bounded by what it is, whatever its types say.
@Suite(.serialized) struct BlowupLaws {
    /// Far more than a person reads, and than any transaction that was published needs.
    static let mostCards = 1 << 16
    /// Everything that is printed of the cards, as text and as facts.
    static let mostText = 16 << 20
    /// Of an unoptimised build on a busy machine; the benchmark holds the optimised one to 100 ms.
    static let longest = Duration.seconds(10)

    /// Knows no asset, and is asked for each.
    private struct Unknown: AssetDirectory {
        func unit(of asset: AssetKey) -> AssetUnit? { nil }
    }

    static func decode(_ blowup: Blowup) throws -> DecodedTransaction {
        var reader = SCALEReader(blowup.proof)
        let proof = try MetadataProof(from: &reader)
        try reader.finish()
        return try Extrinsics.decode(
            body: blowup.body, proof: proof, specs: FixtureRuntime.standard.specs,
            context: DecodingContext(assets: Unknown()))
    }

    /// Bytes that a card takes where it is printed or written.
    static func text(_ card: Card) -> Int {
        card.fields.reduce(card.value.utf8.count + 2 * card.indent) { sum, field in
            guard case .text(let text) = field.fact else { return sum }
            return sum + text.text.utf8.count
        }
    }

    @Test(arguments: Blowup.texts.indices)
    func aSmallPayloadMakesNoHugeText(place: Int) throws {
        let blowup = Blowup.texts[place]()
        guard let decoded = try? Self.decode(blowup) else { return }
        let cards = decoded.method + decoded.extensions
        let text = cards.reduce(0) { $0 + Self.text($1) }
        #expect(cards.count <= Self.mostCards, "\(blowup.name), \(blowup.size) bytes")
        #expect(text <= Self.mostText, "\(blowup.name), \(blowup.size) bytes")
    }

    @Test(arguments: Blowup.works.indices)
    func aSmallPayloadMakesNoLongWork(place: Int) throws {
        let blowup = Blowup.works[place]()
        let time = ContinuousClock().measure { _ = try? Self.decode(blowup) }
        #expect(time <= Self.longest, "\(blowup.name), \(blowup.size) bytes")
    }
}
