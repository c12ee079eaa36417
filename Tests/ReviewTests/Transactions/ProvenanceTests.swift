import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import History
@testable import Review

/// Why the cards of a transaction can be believed: by the chain, or by whoever signed the metadata.
@Suite struct ProvenanceLaws {
    static let runtime = SigningVault.runtime

    /// The fixture without CheckMetadataHash.
    static let older = {
        var older = SigningVault.runtime
        older.extensions.removeAll { $0.identifier == "CheckMetadataHash" }
        return older
    }()

    /// What is done about the metadata hash.
    enum Form: CaseIterable {
        case proof, disabled, hashOf14, hashOf15, hashOf16, unsupported

        var runtime: FixtureRuntime { self == .unsupported ? ProvenanceLaws.older : ProvenanceLaws.runtime }

        var metadata: FixtureRuntime.MetadataVersion {
            switch self {
            case .proof, .disabled, .hashOf14, .unsupported: .v14
            case .hashOf15: .v15
            case .hashOf16: .v16
            }
        }

        /// nil where the chain checks.
        var check: MetadataHashCheck? {
            switch self {
            case .proof, .hashOf15: nil
            case .disabled: .disabled
            case .hashOf14: .notCompared(version: 14)
            case .hashOf16: .notCompared(version: 16)
            case .unsupported: .unsupported
            }
        }

        func payload(_ call: [UInt8] = SigningVault.transfer()) throws -> [UInt8] {
            switch self {
            case .proof: return try runtime.provedPayload(signer: SigningVault.alice, call: call)
            case .disabled, .unsupported: return SigningVault.payload(call, runtime: runtime)
            case .hashOf14, .hashOf15, .hashOf16:
                let metadata = try RuntimeMetadata(runtime.metadata(.v15))
                let hash = try MetadataDigest(
                    of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, runtime.specs)
                ).hash
                let values = FixtureExtensionValues(
                    era: SigningVault.mortal, blockHash: Hash32(SigningVault.bob), metadataHash: hash)
                return runtime.transactionPayload(signer: SigningVault.alice, call: call, values)
            }
        }
    }

    /// Who vouches for the metadata of a network, and what the state says of that.
    enum Vouching: CaseIterable {
        case general, custom, generalNobody, customNobody, file

        func change(_ state: inout TrustState, _ genesis: GenesisHash) {
            state.generalVerifier = nil
            switch self {
            case .general:
                (state.generalVerifier, state.verifiers[genesis]) = (SigningVault.verifier, .general)
            case .custom: state.verifiers[genesis] = .custom(SigningVault.verifier)
            case .generalNobody: state.verifiers[genesis] = .general
            case .customNobody: state.verifiers[genesis] = .custom(nil)
            case .file: state.verifiers = [:]
            }
        }

        var voucher: MetadataVoucher {
            switch self {
            case .general, .custom: .verifier(SigningVault.verifier)
            case .generalNobody, .customNobody: .nobody
            case .file: .file
            }
        }
    }

    static func data(
        _ runtime: FixtureRuntime, _ version: FixtureRuntime.MetadataVersion = .v14,
        _ vouching: Vouching = .custom, policy: String? = nil
    ) throws -> ChainData {
        let blob = runtime.metadata(version)
        var state = try SigningVault.data(policy: policy, runtime: runtime).state
        state.metadata = [
            MetadataRecord(
                genesis: runtime.genesisHash, version: runtime.specVersion, hash: .blake2b(of: blob),
                length: blob.count)
        ]
        vouching.change(&state, runtime.genesisHash)
        return ChainData(state: state) { _ in blob }
    }

    static func review(_ payload: [UInt8], _ data: ChainData) throws -> ReviewedTransaction {
        try TransactionReview(data).review(try Payload(payload))[0]
    }

    @Test(arguments: Form.allCases, Vouching.allCases)
    func aTransactionIsCheckedByTheChainOrSaysWhoIsBelieved(form: Form, vouching: Vouching) throws {
        let policy = StandingApprovalLaws.policy.replacing(
            "\"maximum_tip\"", with: "\"mortality\": \"any\", \"maximum_tip\"")
        let data = try Self.data(form.runtime, form.metadata, vouching, policy: policy)
        let reviewed = try Self.review(form.payload(), data)
        let summary = ReviewSummary(reviewed)
        let isApproved = try data.standingApproval(of: [reviewed]) != nil
        #expect(reviewed.refusal == nil)
        guard let check = form.check else {
            #expect(
                reviewed.provenance == .chain(beyond: []) && reviewed.cards.warning.isEmpty
                    && summary.word == nil
            )
            // The chain checks, and a rule wants somebody who vouches for what it would check. A proof has a
            // digest, and metadata 14 has none.
            let isVouched = form != .proof && (vouching == .general || vouching == .custom)
            #expect(isApproved == isVouched && reviewed.vouching == (isVouched ? .metadata : .nobody))
            #expect(summary.provenance.isCheckedByChain && summary.provenance.readings.isEmpty)
            return
        }
        #expect(
            reviewed.provenance
                == .stored(.init(version: form.runtime.specVersion, voucher: vouching.voucher, check: check)))
        #expect(
            !summary.provenance.isCheckedByChain && summary.provenance.checked == 0
                && summary.provenance.readings.map(\.count) == [1])
        let isUnsigned = vouching.voucher == .nobody
        let codes = reviewed.cards.warning.compactMap { $0.text(of: "code") }
        #expect(
            codes == (isUnsigned ? ["unsigned_metadata"] : check == .unsupported ? [] : ["metadata_believed"])
        )
        #expect(
            summary.provenance.readings[0].warns == !codes.isEmpty && summary.warningsBesideProvenance.isEmpty
        )
        #expect(summary.word?.text == (isUnsigned ? "unsigned metadata" : nil))
        // Nobody vouches for a file, either.
        #expect(isApproved == (!isUnsigned && vouching.voucher != .file))
    }

    /// The card names the whole key, so that none with the same ends passes for it.
    @Test func theCardSaysWhichMetadataAndWhoseWholeKey() throws {
        func card(_ vouching: Vouching) throws -> Card {
            try #require(
                try Self.review(Form.disabled.payload(), Self.data(Self.runtime, .v14, vouching)).cards
                    .warning.first)
        }
        let key = Hex.encode(SigningVault.verifier.bytes)
        #expect(try card(.custom).value == "read with metadata 1000, believed from 0x\(key)")
        #expect(
            try card(.custom).text(of: "believed_from") == key
                && card(.custom).text(of: "check") == "disabled")
        #expect(try card(.customNobody).value == "read with unsigned metadata 1000: nobody vouches for it")
        #expect(
            try card(.customNobody).text(of: "believed_from") == nil
                && card(.customNobody).number(of: "version") == 1000)
        #expect(try card(.file).value == "read with metadata 1000 from a file: nobody vouches for it")
    }

    /// A revoked network is refused; its metadata, if there were some, would be nobody's.
    @Test func nobodyVouchesForARevokedNetwork() throws {
        var state = try SigningVault.data().state
        state.verifiers[Self.runtime.genesisHash] = .revoked
        #expect(state.voucher(genesis: Self.runtime.genesisHash, format: 15) == .nobody)
    }

    /// Types decide how metadata up to version 13 is read, so whoever signed them vouches too; later metadata
    /// does not read them. Bytes behind the last type would be bytes that nobody reads.
    @Test func typesForOldMetadataAreReadToTheirLastByte() {
        let blob = Array("meta".utf8) + [13]
        #expect {
            _ = try RuntimeMetadata(blob, supplement: [0, 0])
        } throws: {
            ($0 as? SCALEError)?.reason == .leftover(count: 1)
        }
    }

    @Test func oldMetadataIsBelievedFromWhoeverSignedItsTypesToo() throws {
        let genesis = Self.runtime.genesisHash
        let (own, other) = (
            PublicKey(scheme: .sr25519, bytes: SigningVault.bob)!,
            PublicKey(scheme: .ed25519, bytes: SigningVault.alice)!
        )
        var state = try SigningVault.data().state
        state.verifiers[genesis] = .custom(own)
        for types in [nil, ContentRecord(hash: .blake2b(of: [1]), length: 1)] {
            for general in [nil, own, other] {
                (state.types, state.generalVerifier) = (types, general)
                let old: MetadataVoucher =
                    types == nil || general == own
                    ? .verifier(own) : general.map { .verifiers(own, types: $0) } ?? .nobody
                for format in [UInt8(12), 13] {
                    #expect(state.voucher(genesis: genesis, format: format) == old)
                }
                for format in [UInt8(14), 15, 16] {
                    #expect(state.voucher(genesis: genesis, format: format) == .verifier(own))
                }
            }
        }
        state.verifiers[genesis] = .custom(nil)
        #expect(state.voucher(genesis: genesis, format: 12) == .nobody)
        let metadata = Provenance.StoredMetadata(
            version: 9, voucher: .verifiers(own, types: other), check: .disabled)
        let card = try #require(Card(warningOf: .stored(metadata)))
        #expect(card.value.contains(Hex.encode(own.bytes)) && card.value.contains(Hex.encode(other.bytes)))
    }

    @Test func whatNoHashReachesIsNamed() throws {
        let encoded = FixtureType.composite(
            path: ["xcm", "double_encoded", "DoubleEncoded"],
            fields: [FixtureField("encoded", .bytes, typeName: "Vec<u8>")])
        var runtime = SummarySample.runtime
        runtime.pallets.append(
            FixturePallet(
                "Xcm", index: 60,
                calls: [
                    FixtureVariant("transact", index: 0, fields: [FixtureField("it", encoded, typeName: nil)])
                ]))
        var state = try SigningVault.data(runtime: runtime).state
        func beyond(_ call: [UInt8]) throws -> [Provenance.Unreached]? {
            let data = ChainData(state: state) { _ in runtime.metadata() }
            guard
                case .chain(let beyond) = try Self.review(
                    runtime.provedPayload(signer: SigningVault.alice, call: call), data
                ).provenance
            else { return nil }
            return beyond
        }
        let hidden = runtime.call("Rights", "approve_as_multi", [SigningVault.bob])
        let foreign = runtime.call("Xcm", "transact", [FixtureValue.bytes([1, 2])])
        let asset = SummarySample.asset(5).call
        #expect(try beyond(SigningVault.transfer()) == [])
        #expect(try beyond(hidden) == [.hiddenCalls])
        #expect(try beyond(foreign) == [.hiddenCalls, .foreignCalls])
        // Without a list the number stays a number, which the hash reaches.
        #expect(try beyond(asset) == [])
        state.assetLists[runtime.genesisHash] = AssetListLaws.list(1, of: runtime.specs).encoded
        #expect(try beyond(asset) == [.assetUnits])
        let all = runtime.call("Utility", "batch_all", [FixtureValue.vector([asset, foreign, hidden])])
        #expect(try beyond(all) == [.hiddenCalls, .foreignCalls, .assetUnits])
    }
}

/// What one transaction of a bulk rests on is not claimed for another.
@Suite struct BulkProvenanceLaws {
    private static func summary(_ payloads: [[UInt8]], _ data: ChainData) throws -> ReviewSummary {
        ReviewSummary(
            whole: try TransactionReview(data).review(try Payload(SigningVault.bulk(payloads))).map {
                ReviewSummary($0)
            })
    }

    @Test func aProvedOneDoesNotVouchForABelievedOne() throws {
        let (proved, believed) = (
            try ProvenanceLaws.Form.proof.payload(), try ProvenanceLaws.Form.disabled.payload()
        )
        let data = try ProvenanceLaws.data(ProvenanceLaws.runtime)
        let mixed = try Self.summary([proved, believed, proved], data)
        #expect(
            !mixed.provenance.isCheckedByChain && mixed.provenance.checked == 2
                && mixed.provenance.payloads == 3)
        #expect(
            mixed.provenance.readings.map(\.count) == [1] && mixed.warnings.count == 1 && mixed.word == nil)
        let all = try Self.summary([proved, proved], data)
        #expect(all.provenance.isCheckedByChain && all.provenance.readings.isEmpty)
        // No hash reaches a message.
        let message = try Self.summary([proved, SigningVault.message("hello")], data)
        #expect(
            !message.provenance.isCheckedByChain && message.provenance.checked == 1
                && message.provenance.payloads == 2
        )
        #expect(try !Self.summary([SigningVault.message("hello")], data).provenance.isCheckedByChain)
    }

    @Test func oneUnsignedReadingAsksForTheWord() throws {
        let data = try ProvenanceLaws.data(ProvenanceLaws.runtime, .v14, .customNobody)
        let mixed = try Self.summary(
            [try ProvenanceLaws.Form.proof.payload(), try ProvenanceLaws.Form.disabled.payload()], data)
        #expect(mixed.word?.text == "unsigned metadata" && mixed.provenance.checked == 1)
        // The name of a dangerous call stands before this word, which such a network asks for every time.
        let call = SummarySample.transferAll().call
        let dangerous = try Self.summary(
            [ProvenanceLaws.Form.disabled.payload(call), ProvenanceLaws.Form.disabled.payload()], data)
        #expect(dangerous.word?.text == "transfer all and unsigned metadata")
    }

    @Test func readingsAreCountedByNetworkAndTheUnsignedComeFirst() throws {
        func part(_ name: String, _ provenance: Provenance) -> ReviewSummary {
            var summary = ReviewSummary()
            let genesis = GenesisHash.blake2b(of: Array(name.utf8))
            summary.networks = [.init(name: name, genesisHash: genesis, specVersion: 1)]
            summary.provenance = .init(provenance, network: genesis)
            return summary
        }
        func stored(_ voucher: MetadataVoucher, _ check: MetadataHashCheck) -> Provenance {
            .stored(.init(version: 1, voucher: voucher, check: check))
        }
        let signed = MetadataVoucher.verifier(SigningVault.verifier)
        let parts = [
            part("a", stored(signed, .unsupported)), part("a", stored(signed, .disabled)),
            part("b", stored(signed, .disabled)),
            part("a", stored(.nobody, .unsupported)), part("b", .chain(beyond: [.assetUnits])),
            part("a", stored(signed, .disabled)),
            part("b", .chain(beyond: [.hiddenCalls])),
        ]
        let provenance = ReviewSummary(whole: parts).provenance
        #expect(
            provenance.payloads == 7 && provenance.checked == 2
                && provenance.beyond == [.hiddenCalls, .assetUnits])
        #expect(provenance.readings.map(\.count) == [1, 2, 1, 1])
        #expect(provenance.readings.map(\.networkName) == ["a", "a", "b", "a"])
        #expect(provenance.readings.map(\.metadata.voucher) == [.nobody, signed, signed, signed])
        #expect(provenance.readings.map(\.warns) == [true, true, true, false])
        // Where all are of one network its name says nothing.
        #expect(
            ReviewSummary(whole: [parts[0], parts[1]]).provenance.readings.map(\.networkName) == [nil, nil])
    }
}
