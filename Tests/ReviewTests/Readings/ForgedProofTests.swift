import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import Review
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS

/// A metadata proof is written by whoever asks for the signature. The chain reads the signed bytes by its own
/// types, so a proof counts for nothing unless the chain itself compares its hash, which it does at the end
/// of the signed bytes.
@Suite struct ForgedProofLaws {
    static let chain = FixtureRuntime.standard
    static let amount: UInt128 = 1_500_000_000_000
    static let mortal = FixtureExtensionValues(
        era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: .blake2b(of: [1]), nonce: 7, tip: 3)

    static func face(_ change: (inout TwoFaced.Face) -> Void = { _ in }) -> TwoFaced.Face {
        var face = TwoFaced.Face(chain, recipient: Target.bob, amount: amount)
        change(&face)
        return face
    }

    /// - Parameter reason: why the transaction is refused; another reason would be a rule that nobody meant
    ///   to try.
    static func expectRefusal(
        _ theft: Theft, _ code: ProofCode = .byKey, target: Target = Target([chain.specs]),
        genesis: GenesisHash = chain.genesisHash,
        for reason: ExtrinsicError.Reason = .metadataHashNotAtEnd, location: SourceLocation = #_sourceLocation
    ) throws {
        let payload = code.payload(theft.body, proof: theft.forged.proof.encoded(), genesis: genesis)
        let error = #expect(throws: ReviewError.self, sourceLocation: location) {
            let reviewed = try target.review(payload)
            #expect(
                reviewed.allSatisfy { $0.refusal != nil }, "a signature can be had for this",
                sourceLocation: location)
        }
        guard case .transaction(let cause, _) = error else {
            Issue.record("refused for another cause: \(String(describing: error))", sourceLocation: location)
            return
        }
        #expect(cause.reason == reason, sourceLocation: location)
    }

    /// What the chain makes of the signed bytes.
    @Test(arguments: Theft.Place.allCases)
    func theTrueReadingIsATheft(place: Theft.Place) throws {
        let theft = try Theft(
            Self.face(), on: Self.chain, place: place, thief: Target.thief, values: Self.mortal)
        let body = theft.trueBody(callLength: theft.callLength(Self.mortal, place: place))
        let read = try Extrinsics.decode(
            body: body, metadata: try RuntimeMetadata(theft.chain.metadata()), specs: theft.chain.specs)
        #expect(read.summary.calls.contains { $0.call == "transfer_all" })
        #expect(read.summary.accounts == [Target.thief])
        #expect(read.facts.metadataHashEnabled == false)
        #expect(read.signingBytes == theft.signed)
    }

    /// The forger works: with the rules left out, the same bytes show what he wants, and nothing but the end
    /// of the bytes speaks against a proof that shows all of them.
    @Test(arguments: Theft.Place.allCases, Swallow.allCases)
    func withoutTheRulesTheForgedReadingIsShown(place: Theft.Place, way: Swallow) throws {
        let theft = try Theft(Self.face { $0.way = way }, on: Self.chain, place: place, thief: Target.thief)
        var reader = SCALEReader(theft.forged.proof.encoded())
        let proof = try MetadataProof(from: &reader)
        var context = DecodingContext()
        context.rules.endOfBytes = false
        if way == .options { (context.rules.standardShapes, context.rules.rebuild) = (false, false) }
        let shown = try Extrinsics.decode(
            body: theft.body, proof: proof, specs: Self.chain.specs, context: context)
        #expect(shown.summary.accounts == [Target.bob])
        #expect(shown.summary.nativeTotal == Self.amount)
        #expect(shown.warnings.allSatisfy { $0.fields.contains { $0.fact == .text("unknown-extension") } })
        #expect(shown.signingBytes == theft.signed)
        #expect(throws: ExtrinsicError(.metadataHashNotAtEnd, place: "extensions.CheckMetadataHash")) {
            try Extrinsics.decode(body: theft.body, proof: proof, specs: Self.chain.specs)
        }
    }

    /// Any number of bytes behind the hash, none of which the forger hides.
    @Test(arguments: Swallow.allCases)
    func noByteFollowsTheHash(way: Swallow) throws {
        for count in 0...130 {
            let forged = try TwoFaced(
                Self.face { $0.way = way }, before: [5, 3], after: [UInt8](repeating: 0, count: count))
            let signed = [5, 3] + forged.filling + [UInt8](repeating: 0, count: count)
            var reader = SCALEReader(forged.proof.encoded())
            let proof = try MetadataProof(from: &reader)
            let shown = try? Extrinsics.decode(
                body: forged.body(signing: signed), proof: proof, specs: Self.chain.specs)
            #expect((shown != nil) == (count == 0), "\(count) bytes follow")
        }
    }

    @Test(arguments: Theft.Place.allCases, ProofCode.allCases)
    func aHashInsideTheSignedBytesIsRefused(place: Theft.Place, code: ProofCode) throws {
        for way in Swallow.allCases {
            for values in [FixtureExtensionValues(), Self.mortal] {
                for shown in [FixtureExtensionValues(), Self.mortal] {
                    let face = Self.face {
                        $0.way = way
                        ($0.era, $0.blockHash) = (shown.era, shown.blockHash)
                    }
                    let theft = try Theft(
                        face, on: Self.chain, place: place, thief: Target.thief, values: values)
                    try Self.expectRefusal(theft, code)
                }
            }
        }
    }

    /// The order of extensions is the runtime's own, so the bytes that follow the hash are others.
    @Test(arguments: Swallow.allCases)
    func aHashInsideTheSignedBytesOfAReshapedRuntimeIsRefused(way: Swallow) throws {
        var chain = Self.chain
        chain.shuffle()
        let theft = try Theft(Self.face { $0.way = way }, on: chain, thief: Target.thief)
        try Self.expectRefusal(theft)
    }

    /// A runtime that cannot check the hash of metadata: its signed bytes end with a block hash.
    @Test(arguments: Swallow.allCases)
    func aRuntimeWithoutTheCheckSignsNoProof(way: Swallow) throws {
        var chain = Self.chain
        chain.extensions.removeAll { $0.role == .metadataHash }
        try Self.expectRefusal(try Theft(Self.face { $0.way = way }, on: chain, thief: Target.thief))
    }

    // MARK: what the extensions of a proof are called

    static let hashExtensions: [(items: [TwoFaced.HashExtension], refused: ExtrinsicError.Reason)] = {
        typealias Item = TwoFaced.HashExtension
        let disabled = Item(mode: 0, modeName: "Disabled", takesHash: false)
        return [
            // By identifier alone, and by the name of the type alone.
            ([Item(typeName: "Other")], .metadataHashNotAtEnd),
            ([Item(identifier: "Other")], .metadataHashNotAtEnd),
            // Two that want a hash; both get it, or only one.
            ([Item(), Item()], .repeatedExtension), ([Item(), Item(takesHash: false)], .repeatedExtension),
            ([Item(takesHash: false), Item()], .repeatedExtension),
            ([Item(identifier: "Other"), Item(typeName: "Other")], .repeatedExtension),
            // Enabled once and disabled once.
            ([Item(), disabled], .repeatedExtension), ([disabled, Item()], .repeatedExtension),
            // Disabled in the shown reading, by its byte or by its name.
            ([Item(mode: 0)], .metadataHashInconsistent), ([disabled], .metadataHashDisabled),
            ([Item(modeName: "Disabled")], .metadataHashNotAtEnd), ([Item(mode: 2)], .metadataHashDisabled),
            // None at all that is called so.
            ([Item(identifier: "Other", typeName: "Other")], .metadataHashDisabled),
            ([], .metadataHashDisabled),
        ]
    }()

    @Test(arguments: hashExtensions.indices, Swallow.allCases)
    func whateverTheExtensionIsCalledAHashInsideIsRefused(kind: Int, way: Swallow) throws {
        let face = Self.face {
            $0.way = way
            $0.hashExtensions = Self.hashExtensions[kind].items
        }
        for place in Theft.Place.allCases {
            let theft = try Theft(face, on: Self.chain, place: place, thief: Target.thief)
            try Self.expectRefusal(theft, for: Self.hashExtensions[kind].refused)
        }
    }

    /// The chain compares the hash that stands at its end, and no other.
    @Test(arguments: Swallow.allCases)
    func aHashInsideBesideTheTrueHashAtTheEndIsRefused(way: Swallow) throws {
        let metadata = try RuntimeMetadata(Self.chain.metadata(.v15))
        let digest = try MetadataDigest(
            of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, Self.chain.specs)
        ).hash
        let theft = try Theft(
            Self.face { $0.way = way }, on: Self.chain, thief: Target.thief,
            values: FixtureExtensionValues(metadataHash: digest))
        try Self.expectRefusal(theft)
    }

    @Test(arguments: Swallow.allCases)
    func aHashThatStandsInsideTwiceIsRefused(way: Swallow) throws {
        let face = Self.face { $0.way = way }
        let once = try Theft(face, on: Self.chain, thief: Target.thief)
        // Types do not depend on what stands in the gap when it is shown as an array.
        let twice = Self.face {
            $0.way = .array
            $0.gap = [UInt8](repeating: 0, count: 33)
        }
        let hash = try Theft(twice, on: Self.chain, thief: Target.thief).forged.proof.hash
        let filled = Self.face {
            $0.way = .array
            $0.gap = [1] + hash
        }
        let theft = try Theft(filled, on: Self.chain, thief: Target.thief)
        #expect(theft.forged.proof.hash == hash)
        for theft in [once, theft] { try Self.expectRefusal(theft) }
    }

    // MARK: other networks and what is held

    @Test(arguments: ProofCode.allCases, Swallow.allCases)
    func aProofForOneNetworkSignsForNoOther(code: ProofCode, way: Swallow) throws {
        // Same name, prefix and unit, as a fork or a test network has; the genesis hash is another.
        var other = Self.chain
        other.specs.genesisHash = .blake2b(of: [9])
        let theft = try Theft(Self.face { $0.way = way }, on: other, thief: Target.thief)
        try Self.expectRefusal(theft, code, target: Target([Self.chain.specs, other.specs]))
        let named = FixtureRuntime(specName: "elsewhere")
        let away = try Theft(Self.face { $0.way = way }, on: named, thief: Target.thief)
        try Self.expectRefusal(away, code, target: Target([Self.chain.specs, named.specs]))
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases, ProofCode.allCases)
    func aForgedProofIsRefusedBesideTheTrueMetadata(version: FixtureRuntime.MetadataVersion, code: ProofCode)
        throws
    {
        var target = Target([Self.chain.specs])
        target.hold(Self.chain, version)
        for way in Swallow.allCases {
            let theft = try Theft(Self.face { $0.way = way }, on: Self.chain, thief: Target.thief)
            try Self.expectRefusal(theft, code, target: target)
        }
    }

    /// A proof whose hash stands where it should and which tells other names than the metadata that this
    /// vault holds.
    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func aProofThatHeldMetadataContradictsIsRefused(version: FixtureRuntime.MetadataVersion) throws {
        var target = Target([Self.chain.specs])
        target.hold(Self.chain, version)
        let theft = Self.chain.call(
            "Balances", "transfer_all", [FixtureValue.address(Target.thief), FixtureValue.bool(false)])
        var renamed = Self.chain
        renamed.renameCall("Balances", "transfer_all", to: "rebond")
        let forged = try ForgedProof(renamed)
        let values = FixtureExtensionValues(metadataHash: Hash32(forged.hash))
        let payload = ProofCode.byKey.payload(
            Self.chain.transactionBody(call: theft, values), proof: forged.encoded(),
            genesis: Self.chain.genesisHash)
        #expect(throws: ReviewError.heldMetadataDiffers(network: "heliotest", version: 1000)) {
            try target.review(payload)
        }
        // Without held metadata it is the chain that refuses it: nothing here can know.
        #expect(try Target([Self.chain.specs]).review(payload)[0].refusal == nil)
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases, ProofCode.allCases)
    func anHonestProofIsSignedBesideHeldMetadata(version: FixtureRuntime.MetadataVersion, code: ProofCode)
        throws
    {
        var target = Target([Self.chain.specs])
        target.hold(Self.chain, version)
        let honest = try ForgedProof(Self.chain)
        let call = Self.chain.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(Target.bob), FixtureValue.compact(Self.amount)])
        let values = FixtureExtensionValues(metadataHash: Hash32(honest.hash))
        let payload = code.payload(
            Self.chain.transactionBody(call: call, values), proof: honest.encoded(),
            genesis: Self.chain.genesisHash)
        let reviewed = try target.review(payload)
        #expect(reviewed.allSatisfy { $0.refusal == nil && $0.cards.warning.isEmpty })
        #expect(
            reviewed[0].cards.method.contains {
                $0.kind == .balance && $0.value == "1.500000000000 HLO" || $0.value == "1.5 HLO"
            })
    }

    /// A rule that a person wrote for small amounts to one account.
    @Test func noStandingApprovalReadsAForgedProof() throws {
        var target = Target([Self.chain.specs])
        target.policy = """
            {"approve": [{"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"],
            "destinations": ["0x\(Hex.encode(Target.bob))"], "maximum_amount": "2000000000000", "maximum_tip": "5"}]}
            """
        let theft = try Theft(Self.face(), on: Self.chain, thief: Target.thief)
        let payload = ProofCode.byKey.payload(
            theft.body, proof: theft.forged.proof.encoded(), genesis: Self.chain.genesisHash)
        let fault = ExtrinsicError(.metadataHashNotAtEnd, place: "extensions.CheckMetadataHash")
        #expect(throws: ReviewError.transaction(fault, network: "heliotest")) {
            let reviewed = try target.review(payload)
            #expect(try target.data.standingApproval(of: reviewed) == nil)
        }
    }
}
