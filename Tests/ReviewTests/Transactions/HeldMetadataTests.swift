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

/// What a vault holds of a network is asked too, whatever a proof says.
@Suite struct HeldMetadataLaws {
    static let runtime = FixtureRuntime.standard

    /// A vault with these blobs as metadata of the fixture network, each under a version of its own.
    static func data(_ held: [(version: UInt32, blob: [UInt8])], specs: NetworkSpecs = runtime.specs) throws
        -> ChainData
    {
        var state = try SigningVault.data().state
        state.networks = [specs]
        state.metadata = held.map {
            MetadataRecord(
                genesis: specs.genesisHash, version: $0.version, hash: .blake2b(of: $0.blob),
                length: $0.blob.count)
        }
        return ChainData(state: state) { hash in held.first { .blake2b(of: $0.blob) == hash }?.blob ?? [] }
    }

    /// A payload 06 of a runtime, with the proof of its own metadata.
    static func payload(_ runtime: FixtureRuntime, _ call: [UInt8]) throws -> Payload {
        try Payload(runtime.provedPayload(signer: SigningVault.alice, call: call))
    }

    static func review(_ payload: Payload, _ data: ChainData) throws -> ReviewedTransaction {
        try #require(try TransactionReview(data).review(payload).first)
    }

    /// The fixture with another name for the call that is signed.
    static var renamed: FixtureRuntime {
        var runtime = runtime
        runtime.renameCall("Balances", "transfer_keep_alive", to: "burn")
        return runtime
    }

    /// The fixture with another docs line, which a proof does not hold.
    static var redocumented: FixtureRuntime {
        var runtime = runtime
        let pallet = runtime.pallets.firstIndex { $0.name == "Balances" }!
        runtime.pallets[pallet].calls[0].docs = ["Other words."]
        return runtime
    }

    @Test func aProofOfTheHeldMetadataIsSigned() throws {
        let payload = try Self.payload(Self.runtime, SigningVault.transfer())
        for version in FixtureRuntime.MetadataVersion.allCases {
            let held = [(version: Self.runtime.specVersion, blob: Self.runtime.metadata(version))]
            #expect(try Self.review(payload, Self.data(held)).refusal == nil)
        }
        #expect(try Self.review(payload, Self.data([])).refusal == nil)
    }

    /// The digest decides, although nothing that shows is different: the version-15 blob differs in a call
    /// that is not used.
    @Test func heldMetadataOfVersion15MustHaveTheDigestOfTheProof() throws {
        var other = Self.runtime
        other.renameCall("System", "remark", to: "note")
        let payload = try Self.payload(Self.runtime, SigningVault.transfer())
        let data = try Self.data([(Self.runtime.specVersion, other.metadata(.v15))])
        #expect(throws: ReviewError.heldMetadataDiffers(network: "heliotest", version: 1000)) {
            try Self.review(payload, data)
        }
    }

    /// Version 14 has no digest: what it reads must be the same, and a difference elsewhere does not count.
    @Test func heldMetadataOfVersion14MustReadTheSame() throws {
        let payload = try Self.payload(Self.runtime, SigningVault.transfer())
        let version = Self.runtime.specVersion
        var elsewhere = Self.runtime
        elsewhere.renameCall("System", "remark", to: "note")
        #expect(try Self.review(payload, Self.data([(version, elsewhere.metadata(.v14))])).refusal == nil)
        #expect(
            try Self.review(payload, Self.data([(version, Self.redocumented.metadata(.v14))])).refusal == nil)
        #expect(throws: ReviewError.heldMetadataDiffers(network: "heliotest", version: 1000)) {
            try Self.review(payload, Self.data([(version, Self.renamed.metadata(.v14))]))
        }
    }

    /// Extensions are compared like calls.
    @Test func heldMetadataMustReadTheSameExtensions() throws {
        var other = Self.runtime
        other.renameExtension("CheckWeight", to: "CheckOther")
        let payload = try Self.payload(Self.runtime, SigningVault.transfer())
        let data = try Self.data([(Self.runtime.specVersion, other.metadata(.v14))])
        #expect(throws: ReviewError.heldMetadataDiffers(network: "heliotest", version: 1000)) {
            try Self.review(payload, data)
        }
    }

    @Test func heldMetadataOfAnotherVersionIsNotAsked() throws {
        let payload = try Self.payload(Self.runtime, SigningVault.transfer())
        var older = Self.renamed
        older.specVersion = 999
        #expect(try Self.review(payload, Self.data([(999, older.metadata(.v15))])).refusal == nil)
    }

    // MARK: several stored versions

    /// A runtime whose extensions stand in another order finds its own number where this one has the version
    /// of transactions.
    @Test func bytesThatTwoStoredVersionsReadAsTheirOwnAreRefused() throws {
        var other = Self.runtime
        other.specVersion = Self.runtime.transactionVersion
        let spec = other.extensions.firstIndex { $0.identifier == "CheckSpecVersion" }!
        other.extensions.swapAt(spec, spec + 1)
        let payload = try Payload(SigningVault.payload(SigningVault.transfer()))
        let own = (version: Self.runtime.specVersion, blob: Self.runtime.metadata())
        #expect(try Self.review(payload, Self.data([own])).refusal == nil)
        #expect(throws: ReviewError.severalVersions(network: "heliotest", versions: [1000, 3])) {
            try Self.review(payload, Self.data([own, (other.specVersion, other.metadata())]))
        }
    }

    @Test func aRuntimeWithoutCheckSpecVersionIsToldAsSuch() throws {
        var bare = Self.runtime
        bare.extensions.removeAll { $0.identifier == "CheckSpecVersion" }
        let payload = try Payload(
            bare.transactionPayload(signer: SigningVault.alice, call: SigningVault.transfer()))
        let data = try Self.data([(bare.specVersion, bare.metadata())])
        #expect(
            throws: ReviewError.transaction(
                ExtrinsicError(.noSpecVersion, place: "extensions"), network: "heliotest")
        ) {
            try Self.review(payload, data)
        }
    }

    // MARK: one refusal for each fact that a proof shares with the network

    static func specs(_ change: (inout NetworkSpecs) -> Void) -> NetworkSpecs {
        var specs = runtime.specs
        change(&specs)
        return specs
    }

    static let fields: [(ExtrinsicError.SpecsField, NetworkSpecs)] = [
        (.name, specs { $0.name = "other" }), (.base58Prefix, specs { $0.base58Prefix = 7 }),
        (.decimals, specs { $0.decimals = 10 }),
        (.unit, specs { $0.unit = "HLX" }),
        // Equal as text, other bytes: the Kelvin sign, which a canonical mapping makes a K.
        (.name, specs { $0.name = "heliotest\u{301}" }),
    ]

    @Test(arguments: fields.indices)
    func aProofMustAgreeWithTheSpecs(index: Int) throws {
        let (field, specs) = Self.fields[index]
        let payload = try Self.payload(Self.runtime, SigningVault.transfer())
        #expect(
            throws: ReviewError.transaction(
                ExtrinsicError(.specsMismatch(field), place: "proof.extra_info"), network: specs.name)
        ) { try Self.review(payload, Self.data([], specs: specs)) }
    }

    /// The payload names a network that the vault knows, the extensions another one.
    @Test func aProofMustAgreeWithTheGenesisHash() throws {
        var moved = Self.runtime
        moved.specs.genesisHash = .blake2b(of: [1])
        let bytes = try Self.payload(moved, SigningVault.transfer()).bytes
        let payload = try Payload(Array(bytes.dropLast(32)) + Self.runtime.genesisHash.bytes)
        #expect(
            throws: ReviewError.transaction(
                ExtrinsicError(
                    .genesisMismatch(payload: Self.runtime.genesisHash, transaction: moved.genesisHash),
                    place: "extensions.CheckGenesis"),
                network: "heliotest")
        ) { try Self.review(payload, Self.data([])) }
    }

    @Test func aKeyOfAnotherNetworkOnlyIsShownAndNotSigned() throws {
        var state = try Self.data([]).state
        state.keys[0].networks = [.blake2b(of: [1])]
        let data = ChainData(state: state) { _ in [] }
        let reviewed = try Self.review(try Self.payload(Self.runtime, SigningVault.transfer()), data)
        #expect(reviewed.refusal == .keyNotAllowed(network: "heliotest"))
    }
}
