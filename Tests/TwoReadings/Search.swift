import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport

struct Search {
    enum Kind: String, CaseIterable {
        /// True metadata and a forged proof.
        case proof
        /// What the chain takes out of a byte vector and what metadata says of it.
        case length
        /// Two values of one type.
        case value
    }

    static let kinds = Kind.allCases
    private(set) var counts: [String: Int] = [:]
    private(set) var pair: String?
    private var random: SeededGenerator
    private var context = DecodingContext()

    init(_ options: TwoReadings.Options) {
        random = SeededGenerator(seed: options.seed)
        context.rules = options.rules
    }

    mutating func step() {
        let kind = random.pick(Self.kinds)
        counts["\(kind.rawValue) inputs", default: 0] += 1
        do {
            switch kind {
            case .proof: try proof()
            case .length: try length()
            case .value: try value()
            }
        } catch {
            counts["\(kind.rawValue) refused", default: 0] += 1
        }
    }

    private mutating func accepted(_ kind: Kind) { counts["\(kind.rawValue) accepted", default: 0] += 1 }

    private static func literal(_ cards: [Card]) -> [[UInt8]] {
        cards.filter { !$0.isDerived }.map {
            Array("\($0.indent) \($0.kind.rawValue) ".utf8) + Array($0.value.utf8)
        }
    }

    private static func lines(_ decoded: DecodedTransaction) -> [[UInt8]] {
        literal(decoded.method) + literal(decoded.extensions)
    }

    private func read(_ body: [UInt8], _ forged: ForgedProof, _ specs: NetworkSpecs) throws
        -> DecodedTransaction
    {
        var reader = SCALEReader(forged.encoded())
        return try Extrinsics.decode(
            body: body, proof: try MetadataProof(from: &reader), specs: specs, context: context)
    }

    private func read(_ body: [UInt8], _ runtime: FixtureRuntime) throws -> DecodedTransaction {
        try Extrinsics.decode(
            body: body, metadata: try RuntimeMetadata(runtime.metadata(.v15)), specs: runtime.specs,
            context: context)
    }

    // MARK: one byte string, two type sets

    private mutating func proof() throws {
        var chain = FixtureRuntime.standard
        if random.below(2) == 0 { chain.shuffle() }
        if random.below(3) == 0 { return try honest(chain) }
        var face = TwoFaced.Face(
            .standard, recipient: random.bytes(32), amount: UInt128(random.below(1 << 40)))
        face.way = random.pick(Swallow.allCases)
        if random.below(2) == 0 {
            (face.era, face.blockHash) = (
                .mortal(MortalEra(period: 64, phase: 27)!), Hash32(random.bytes(32))
            )
        }
        if random.below(4) == 0 { face.gap = random.bytes(random.below(70)) }
        let place = random.pick(Theft.Place.allCases)
        var values = FixtureExtensionValues(
            nonce: UInt64(random.below(1000)), tip: UInt128(random.below(1000)))
        if random.below(2) == 0 { values.metadataHash = Hash32(try ForgedProof(chain).hash) }
        let theft = try Theft(face, on: chain, place: place, thief: random.bytes(32), values: values)
        let real = try read(theft.trueBody(callLength: theft.callLength(values, place: place)), theft.chain)
        counts["proof true reading accepted", default: 0] += 1
        compare(real, try read(theft.body, theft.forged.proof, chain.specs))
    }

    /// True types with names, paths or borders changed: the hash of the proof is the one of the changed
    /// types.
    private mutating func honest(_ chain: FixtureRuntime) throws {
        let call = chain.call("System", "remark", [FixtureValue.bytes(random.bytes(random.below(60)))])
        var forged = try ForgedProof(chain)
        let true_ = forged.hash
        if random.below(2) == 0 { forged.leaves[random.below(forged.leaves.count)].path += ["x"] }
        let values = FixtureExtensionValues(metadataHash: Hash32(random.below(2) == 0 ? true_ : forged.hash))
        let body = chain.transactionBody(call: call, values)
        compare(try read(body, chain), try read(body, forged, chain.specs))
    }

    private mutating func compare(_ real: DecodedTransaction, _ forged: DecodedTransaction) {
        guard real.signingBytes == forged.signingBytes else { return }
        accepted(.proof)
        if Self.lines(real) != Self.lines(forged) {
            pair = "a proof shows \(forged.summary.calls) for \(Hex.encode(real.signingBytes))"
        }
    }

    // MARK: one byte string, two codecs

    private mutating func length() throws {
        let described = OpaqueCalls.runtime(
            OpaqueCalls.wrapper(random.pick([OpaqueCalls.keepOpaque, OpaqueCalls.opaque])))
        let chain = OpaqueCalls.runtime(.bytes)
        let call: [UInt8]
        if random.below(2) == 0 {
            call = OpaqueCalls.lyingBatch(described, other: random.bytes(32), thief: random.bytes(32))
        } else {
            let inner = described.call(
                "System", "remark", [FixtureValue.bytes(random.bytes(random.below(20)))])
            let length = inner.count + (random.below(3) == 0 ? random.below(9) - 4 : 0)
            call = OpaqueCalls.asMulti(
                described, other: random.bytes(32),
                call: FixtureValue.compact(UInt128(max(length, 0))) + inner)
        }
        let shown = try read(described.transactionBody(call: call), described)
        // A chain that cannot read the bytes at all runs nothing.
        let real = try read(chain.transactionBody(call: call), chain)
        accepted(.length)
        // The call inside the byte vector is an argument there; what stands outside of it must be the same.
        let outside = shown.summary.calls.filter { $0.call != "remark" }
        if outside != real.summary.calls.filter({ $0.call != "remark" }) {
            pair =
                """
                the chain runs \(real.summary.calls) where \(shown.summary.calls) is shown: \
                \(Hex.encode(call))
                """
        }
    }

    // MARK: two byte strings, one type

    private mutating func value() throws {
        let type = RandomTypes.type(&random)
        var runtime = FixtureRuntime.standard
        runtime.pallets.append(
            FixturePallet(
                "Probe", index: 99,
                calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", type, typeName: nil)])]))
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let first = RandomTypes.value(type, &random)
        let cards = try Extrinsics.decodeCall(
            [99, 0] + first, metadata: metadata, specs: runtime.specs, context: context
        ).cards
        accepted(.value)
        let lines = Self.literal(cards)
        var others = [RandomTypes.value(type, &random), RandomTypes.value(type, &random)]
        for place in first.indices.prefix(8) {
            var other = first
            other[place] = UInt8(random.below(6))
            others.append(other)
        }
        for other in others where other != first {
            guard
                let shown = try? Extrinsics.decodeCall(
                    [99, 0] + other, metadata: metadata, specs: runtime.specs, context: context)
            else {
                continue
            }
            counts["value pairs compared", default: 0] += 1
            if Self.literal(shown.cards) == lines {
                pair = "\(Hex.encode(first)) and \(Hex.encode(other)) show the same under \(type)"
            }
        }
    }
}
