import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import Review

private let kusama = NetworkSpecs.defaults[1]

/// Signed bytes of a chain that puts `tail` behind a call of its own.
private enum Signed {
    static let own = GenesisHash.blake2b(of: Array("own".utf8))
    static let other = GenesisHash.blake2b(of: Array("other".utf8))
    static let call = [UInt8](repeating: 0x11, count: 80)

    static func bytes(_ genesis: GenesisHash, end: Int) -> [UInt8] {
        call + genesis.bytes + [UInt8](repeating: 0x22, count: end)
    }

    static func claim(_ signed: [UInt8], known: [GenesisHash] = [other], ends: [GenesisHash: Set<Int>] = [:])
        -> GenesisHash?
    {
        OtherChains.claim(in: signed, own: own, known: known) { ends[$0] ?? [] }
    }
}

@Suite struct OtherChainLaws {
    @Test func aGenesisHashBeforeTheBlockHashIsAClaim() {
        #expect(Signed.claim(Signed.bytes(Signed.other, end: 32)) == Signed.other)
    }

    @Test func aGenesisHashBeforeBlockHashAndNoMetadataHashIsAClaim() {
        #expect(Signed.claim(Signed.bytes(Signed.other, end: 33)) == Signed.other)
    }

    @Test func aGenesisHashBeforeBlockHashAndMetadataHashIsAClaim() {
        #expect(Signed.claim(Signed.bytes(Signed.other, end: 65)) == Signed.other)
    }

    @Test func noOtherPlaceIsAClaim() {
        for end in 0...130 where ![32, 33, 65].contains(end) {
            #expect(Signed.claim(Signed.bytes(Signed.other, end: end)) == nil, "\(end)")
        }
    }

    @Test func thePlaceThatHeldMetadataGivesIsAClaimOfThatChainAlone() {
        let third = GenesisHash.blake2b(of: Array("third".utf8))
        for end in 0...130 where ![32, 33, 65].contains(end) {
            let known = [Signed.other, third]
            #expect(
                Signed.claim(
                    Signed.bytes(Signed.other, end: end), known: known, ends: [Signed.other: [7, end]])
                    == Signed.other)
            #expect(
                Signed.claim(Signed.bytes(Signed.other, end: end), known: known, ends: [third: [7, end]])
                    == nil)
        }
    }

    @Test func aHarmlessPlaceDoesNotHideAClaimBehindIt() {
        let signed = Signed.other.bytes + Signed.other.bytes + Signed.bytes(Signed.other, end: 33)
        #expect(Signed.claim(signed) == Signed.other)
        #expect(
            Signed.claim(Signed.other.bytes + Signed.bytes(Signed.other, end: 40), ends: [Signed.other: [40]])
                == Signed.other)
    }

    @Test func theOwnGenesisHashIsNoClaim() {
        for end in [32, 33, 65] {
            #expect(
                Signed.claim(
                    Signed.bytes(Signed.own, end: end), known: [Signed.own, Signed.other],
                    ends: [Signed.own: [end]]) == nil)
        }
    }

    @Test func metadataIsAskedForOnlyWhenTheHashIsThere() {
        let absent = OtherChains.claim(
            in: Signed.bytes(Signed.own, end: 33), own: Signed.own, known: [Signed.other]
        ) { _ in
            Issue.record("asked for nothing")
            return []
        }
        #expect(absent == nil)
    }

    @Test func bytesShorterThanAHashClaimNothing() {
        for count in 0..<32 { #expect(Signed.claim(Array(Signed.other.bytes.prefix(count))) == nil) }
        #expect(Signed.claim(Signed.other.bytes, ends: [Signed.other: [0]]) == Signed.other)
    }

    @Test func chainsWithTheSameFirstBytesAreToldApart() {
        var bytes = Signed.other.bytes
        bytes[31] ^= 1
        let twin = GenesisHash(bytes)!
        #expect(Signed.claim(Signed.bytes(twin, end: 32), known: [Signed.other, twin]) == twin)
        #expect(
            Signed.claim(Signed.bytes(Signed.other, end: 32), known: [Signed.other, twin]) == Signed.other)
        #expect(Signed.claim(Signed.bytes(twin, end: 32), known: [Signed.other]) == nil)
    }
}

@Suite struct KnownChainLaws {
    static let chain = GenesisHash.blake2b(of: Array("some chain".utf8))

    @Test func aListedChainIsKnownToAnEmptyVault() {
        let known = KnownChains(TrustState())
        #expect(known.name(ofGenesis: kusama.genesisHash) == "Kusama")
        #expect(known.name(ofGenesis: Self.chain) == nil)
        #expect(known.names.count == WellKnownChain.all.count)
    }

    @Test func aStoredNetworkIsKnownByItsName() {
        var state = TrustState()
        state.networks = [
            NetworkSpecs(
                name: "mine", title: "Mine", base58Prefix: 1, decimals: 1, unit: "M", genesisHash: Self.chain)
        ]
        #expect(KnownChains(state).name(ofGenesis: Self.chain) == "mine")
    }

    @Test func specsInTheStoreDoNotRenameAListedChain() {
        var state = TrustState()
        var specs = kusama
        specs.name = "harmless"
        state.networks = [specs]
        #expect(KnownChains(state).name(ofGenesis: kusama.genesisHash) == "Kusama")
    }

    @Test func aChainOfWhichOnlyTheVerifierIsLeftIsKnown() {
        var state = TrustState()
        state.verifiers[Self.chain] = .revoked
        #expect(KnownChains(state).name(ofGenesis: Self.chain) == Self.chain.hex)
    }

    @Test func aNetworkThatWasRemovedIsKnown() {
        var state = TrustState()
        let specs = NetworkSpecs(
            name: "gone", title: "Gone", base58Prefix: 1, decimals: 1, unit: "G", genesisHash: Self.chain)
        state.settings["removed_network.\(Self.chain.hex)"] = SCALEWriter.encode { specs.encode(into: &$0) }
        #expect(KnownChains(state).name(ofGenesis: Self.chain) == "gone")
        state.settings["removed_network.\(Self.chain.hex)"] = []
        #expect(KnownChains(state).name(ofGenesis: Self.chain) == Self.chain.hex)
    }
}

/// A network whose maker chose an extension that puts bytes of his behind those of the others.
private struct Forge {
    var runtime: FixtureRuntime
    let tail: [UInt8]
    /// Whether the tail stands before the metadata hash, which then ends the signed bytes.
    let isBeforeMetadataHash: Bool
    var otherRuntimes: [FixtureRuntime] = []
    var state = TrustState()

    init(tail: [UInt8], isBeforeMetadataHash: Bool = false) {
        var runtime = FixtureRuntime(specName: "forged")
        let item = FixtureExtension(
            "Tail", .empty, explicit: .unit, implicit: .array(UInt32(tail.count), .u8))
        let end = runtime.extensions.count
        runtime.extensions.insert(item, at: isBeforeMetadataHash ? end - 1 : end)
        runtime.pallets.append(Self.xcm)
        self.runtime = runtime
        self.tail = tail
        self.isBeforeMetadataHash = isBeforeMetadataHash
    }

    /// A call that names a network by its genesis hash, as XCM does.
    static let xcm = FixturePallet(
        "Xcm", index: 60,
        calls: [
            FixtureVariant(
                "send", index: 0,
                fields: [
                    FixtureField(
                        "network",
                        .variant(
                            path: ["staging_xcm", "v5", "junction", "NetworkId"],
                            variants: [
                                FixtureVariant(
                                    "ByGenesis", index: 0,
                                    fields: [FixtureField(nil, .array(32, .u8), typeName: "[u8; 32]")])
                            ]), typeName: "NetworkId")
                ])
        ])

    var transfer: [UInt8] {
        runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(SigningVault.bob), FixtureValue.compact(60)])
    }

    func body(_ call: [UInt8], _ values: FixtureExtensionValues = FixtureExtensionValues()) -> [UInt8] {
        let body = runtime.transactionBody(call: call, values)
        guard isBeforeMetadataHash else { return body + tail }
        let hash = values.metadataHash == nil ? 1 : 33
        return body.dropLast(hash) + tail + body.suffix(hash)
    }

    func data() -> ChainData {
        let held = [runtime] + otherRuntimes
        let blobs = held.map { $0.metadata(.v15) }
        var state = state
        state.networks += held.map(\.specs)
        state.metadata = zip(held, blobs).map { runtime, blob in
            MetadataRecord(
                genesis: runtime.genesisHash, version: runtime.specVersion, hash: .blake2b(of: blob),
                length: blob.count)
        }
        state.keys = [
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: SigningVault.alice)!, seed: "main",
                path: "//Alice", hasPassword: false,
                networks: Set(held.map(\.genesisHash)))
        ]
        return ChainData(state: state) { hash in blobs.first { Hash32.blake2b(of: $0) == hash }! }
    }

    func review(_ body: [UInt8], code: UInt8 = 0x02) throws -> ReviewedTransaction {
        let payload = [0x53, 0x01, code] + SigningVault.alice + body + runtime.genesisHash.bytes
        return try TransactionReview(data()).review(try Payload(payload))[0]
    }

    func refusal(_ call: [UInt8]? = nil) throws -> ReviewError? { try review(body(call ?? transfer)).refusal }

    /// The same with a metadata proof that the transaction commits to.
    func refusalWithProof() throws -> ReviewError? {
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let info = ExtraInfo(metadata.runtimeVersion, runtime.specs)
        let values = FixtureExtensionValues(
            metadataHash: try MetadataDigest(of: metadata, extraInfo: info).hash)
        let body = body(transfer, values)
        let extensions = Array(body.dropFirst(1 + transfer.count))
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: transfer, extensions: extensions)
        return try review(proof.encoded + body, code: 0x06).refusal
    }
}

@Suite struct OtherNetworkLaws {
    static let hash = Hash32.blake2b(of: Array("some block".utf8)).bytes
    static let refused = ReviewError.otherNetwork(network: "forged", other: "Kusama")

    @Test func aGenesisHashBeforeABlockHashIsRefused() throws {
        #expect(try Forge(tail: kusama.genesisHash.bytes + Self.hash).refusal() == Self.refused)
    }

    @Test func aGenesisHashBeforeABlockHashAndADisabledMetadataHashIsRefused() throws {
        #expect(try Forge(tail: kusama.genesisHash.bytes + Self.hash + [0]).refusal() == Self.refused)
    }

    @Test func aGenesisHashBeforeABlockHashAndAMetadataHashIsRefused() throws {
        #expect(
            try Forge(tail: kusama.genesisHash.bytes + Self.hash + [1] + Self.hash).refusal() == Self.refused)
    }

    @Test func anImmortalTransactionOfTheOtherChainIsRefused() throws {
        #expect(
            try Forge(tail: kusama.genesisHash.bytes + kusama.genesisHash.bytes + [0]).refusal()
                == Self.refused)
    }

    @Test func itIsRefusedWithAMetadataProof() throws {
        let forge = Forge(tail: kusama.genesisHash.bytes + Self.hash, isBeforeMetadataHash: true)
        #expect(try forge.refusalWithProof() == Self.refused)
    }

    @Test func aProofAtAnotherPlaceIsNotRefused() throws {
        #expect(
            try Forge(tail: kusama.genesisHash.bytes + Self.hash + [0], isBeforeMetadataHash: true)
                .refusalWithProof() == nil)
    }

    @Test func thePlaceByHeldMetadataIsRefused() throws {
        var other = FixtureRuntime(specName: "longer")
        other.extensions.append(FixtureExtension("Tail", .empty, explicit: .unit, implicit: .u16))
        for tail in [[0, 7, 7], [1] + Self.hash + [7, 7]] as [[UInt8]] {
            var forge = Forge(tail: other.genesisHash.bytes + Self.hash + tail)
            forge.otherRuntimes = [other]
            #expect(try forge.refusal() == .otherNetwork(network: "forged", other: "longer"))
            // The same bytes say nothing of a chain whose metadata puts its hash elsewhere.
            other.extensions.removeLast()
            forge.otherRuntimes = [other]
            #expect(try forge.refusal() == nil)
            other.extensions.append(FixtureExtension("Tail", .empty, explicit: .unit, implicit: .u16))
        }
    }

    @Test func aNetworkThatWasRemovedIsRefused() throws {
        let gone = NetworkSpecs(
            name: "gone", title: "Gone", base58Prefix: 1, decimals: 1, unit: "G",
            genesisHash: .blake2b(of: Array("gone".utf8)))
        var forge = Forge(tail: gone.genesisHash.bytes + Self.hash + [0])
        #expect(try forge.refusal() == nil)
        forge.state.settings["removed_network.\(gone.genesisHash.hex)"] = SCALEWriter.encode {
            gone.encode(into: &$0)
        }
        #expect(try forge.refusal() == .otherNetwork(network: "forged", other: "gone"))
    }

    @Test func aChainOfWhichOnlyTheVerifierIsLeftIsRefused() throws {
        let genesis = GenesisHash.blake2b(of: Array("blocked".utf8))
        var forge = Forge(tail: genesis.bytes + Self.hash + [0])
        forge.state.verifiers[genesis] = .revoked
        #expect(try forge.refusal() == .otherNetwork(network: "forged", other: genesis.hex))
    }

    @Test func theRefusalComesBeforeEveryOther() throws {
        var forge = Forge(tail: kusama.genesisHash.bytes + Self.hash)
        forge.state.settings[TransactionPolicy.setting] = Array("{\"calls\": {\"allow\": []}}".utf8)
        let body = forge.body(forge.transfer)
        let payload = [0x53, 0x01, 0x02] + SigningVault.bob + body + forge.runtime.genesisHash.bytes
        #expect(try TransactionReview(forge.data()).review(try Payload(payload))[0].refusal == Self.refused)
    }

    @Test func anImmortalTransactionOfTheOwnChainIsNotRefused() throws {
        let data = try SigningVault.data()
        let payload = SigningVault.payload(SigningVault.transfer())
        #expect(try TransactionReview(data).review(try Payload(payload))[0].refusal == nil)
    }

    @Test func aGenesisHashInACallIsNoRefusalAndNoWarning() throws {
        let forge = Forge(tail: [7])
        let call = forge.runtime.call("Xcm", "send", [[0] + kusama.genesisHash.bytes])
        let reviewed = try forge.review(forge.body(call))
        let plain = try forge.review(forge.body(forge.transfer))
        #expect(reviewed.refusal == nil)
        #expect(reviewed.cards.warning.map(\.value) == plain.cards.warning.map(\.value))
    }

    @Test func theNamesOfChainsGoToTheCards() throws {
        let context = try SigningVault.data().knownChains
        #expect(context[kusama.genesisHash] == "Kusama")
        #expect(context[SigningVault.runtime.genesisHash] == "heliotest")
    }
}
