import Extrinsics
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import TrustUpdates
import UOS

@Suite struct AssetListLaws {
    static let north = Signer("north"), south = Signer("south")

    static func list(_ serial: UInt32, decimals: UInt8 = 6, of specs: NetworkSpecs = network("alpha"))
        -> AssetUnits
    {
        let entries = [
            AssetUnits.Entry(pallet: "Assets", id: "1984", symbol: "USDt", decimals: decimals),
            AssetUnits.Entry(pallet: nil, id: "0x0102", symbol: "HLO", decimals: 12),
        ]
        return AssetUnits(genesisHash: specs.genesisHash, serial: serial, entries: entries)!
    }

    @Test func aListComesFromTheNetworksVerifier() throws {
        let fixture = try TrustFixture()
        #expect(
            try fixture.refusal(Self.north.sign(.loadAssets(Self.list(1))))
                == .unknownNetwork(network("alpha").genesisHash))
        try fixture.accept(Self.north.sign(.addSpecs(network("alpha"))))
        #expect(try fixture.refusal(unsigned(.loadAssets(Self.list(1)))) == .mustBeSignedBy([Self.north.key]))
        #expect(
            try fixture.refusal(Self.south.sign(.loadAssets(Self.list(1))))
                == .mustBeSignedBy([Self.north.key]))
        let cards = try fixture.accept(Self.north.sign(.loadAssets(Self.list(1))))
        #expect(
            cards.network.dropFirst(3).map(\.value) == [
                "0x0102: HLO, 12 decimals", "Assets 1984: USDt, 6 decimals",
            ])
        let units = try #require(try fixture.state.assetUnits(genesis: network("alpha").genesisHash))
        #expect(units.unit(of: .pallet("Assets", id: "1984")) == AssetUnit(symbol: "USDt", decimals: 6))
        #expect(units.unit(of: .location("0x0102")) == AssetUnit(symbol: "HLO", decimals: 12))
        #expect(units.unit(of: .pallet("ForeignAssets", id: "1984")) == nil)
        #expect(units.unit(of: .location("1984")) == nil)
    }

    /// An amount of it would read as one of the chain's own token.
    @Test(arguments: ["Assets", "ForeignAssets", "PoolAssets"])
    func aListWithTheOwnUnitForAnotherAssetIsRefused(pallet: String) throws {
        let specs = network("alpha")
        let fixture = try TrustFixture()
        try fixture.accept(Self.north.sign(.addSpecs(specs)))
        for symbol in [specs.unit, specs.unit.lowercased()] {
            let entries = [
                AssetUnits.Entry(pallet: "Assets", id: "1984", symbol: "USDt", decimals: 6),
                AssetUnits.Entry(pallet: pallet, id: "1985", symbol: symbol, decimals: 12),
            ]
            let list = try #require(
                AssetUnits(genesisHash: specs.genesisHash, serial: 1, entries: entries))
            #expect(
                try fixture.refusal(Self.north.sign(.loadAssets(list)))
                    == .assetHasOwnUnit(id: "1985", pallet: pallet, symbol: symbol))
        }
        // Its location may have it.
        let own = AssetUnits.Entry(pallet: nil, id: "0x0100", symbol: specs.unit, decimals: 12)
        let list = try #require(AssetUnits(genesisHash: specs.genesisHash, serial: 1, entries: [own]))
        try fixture.accept(Self.north.sign(.loadAssets(list)))
    }

    @Test func aListNeverGivesWayToAnOlderOne() throws {
        let fixture = try TrustFixture()
        try fixture.accept(unsigned(.addSpecs(network("alpha"))))
        try fixture.accept(unsigned(.loadAssets(Self.list(5))))
        #expect(try fixture.refusal(unsigned(.loadAssets(Self.list(5)))) == .alreadyKnown)
        #expect(
            try fixture.refusal(unsigned(.loadAssets(Self.list(5, decimals: 7))))
                == .olderAssetList(known: 5, given: 5))
        #expect(
            try fixture.refusal(unsigned(.loadAssets(Self.list(4)))) == .olderAssetList(known: 5, given: 4))
        #expect(
            try fixture.accept(unsigned(.loadAssets(Self.list(6, decimals: 7)))).codes == [
                "update-unsigned", "asset-unit-changes",
            ])
    }

    /// A payload of our own kind: whatever is cut or flipped, it is refused or is another update whose
    /// signature does not fit.
    @Test func aChangedPayloadIsRefused() throws {
        let fixture = try TrustFixture()
        try fixture.accept(Self.north.sign(.addSpecs(network("alpha"))))
        let signed = try #require(try Self.north.sign(.loadAssets(Self.list(1))).signature)
        let payload = OutgoingUpdate.loadAssets(Self.list(1)).bytes(signature: signed)
        func review(_ bytes: [UInt8]) throws -> VerifiedUpdate? {
            guard case .update(let update) = try Payload(bytes).content else { return nil }
            return try UpdateReviewer.review(UnverifiedUpdate(update), state: try fixture.state)
        }
        #expect(try review(payload) != nil)
        #expect(payload[..<3] == [0x53, 0x01, 0xa1])
        expectCutsRefused(payload, of: "load_assets") { _ = try review($0) }
        var random = SeededGenerator.printed("flipped bits of a list")
        for place in stride(from: 0, to: payload.count, by: 3) {
            var flipped = payload
            flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            do {
                #expect(try review(flipped) == nil, "byte \(place)")
                Issue.record("byte \(place) makes another kind of payload")
            } catch is PayloadError {
                // No payload any more.
            } catch is AssetUnits.Failure {
                // No list any more.
            } catch UpdateRefusal.wrongSignature {
                // Another list, or another signer, that the signature is not of.
            } catch {
                Issue.record("byte \(place): \(error)")
            }
        }
    }
}

/// What one vault attests, the online side makes into updates that another vault takes on first use.
@Suite struct AttestationLaws {
    @Test(arguments: [SignatureScheme.sr25519, .ed25519, .ecdsa])
    func anotherVaultAcceptsWhatOneVaultAttests(scheme: SignatureScheme) throws {
        let verifier = try TrustFixture()
        let alpha = network("alpha")
        let content = try metadata(9, of: alpha)
        guard case .loadMetadata(let blob, _, _) = content else {
            Issue.record("no metadata")
            return
        }
        for update in [.addSpecs(alpha), content, .loadAssets(AssetListLaws.list(1))] {
            try verifier.accept(unsigned(update))
        }
        try verifier.accept(unsigned(.loadTypes([0])))

        let signer = Signer("verifier", scheme)
        let second = try TrustFixture()
        let genesis = alpha.genesisHash
        let subjects: [(Attestation.Subject, OutgoingUpdate)] = [
            (.specs(genesis, .sr25519), .addSpecs(alpha)),
            (.metadata(genesis, version: 9), .loadMetadata(blob, genesisHash: genesis)),
            (.types, .loadTypes(encodedEntries: [0])), (.assets(genesis), .loadAssets(AssetListLaws.list(1))),
        ]
        for (subject, outgoing) in subjects {
            let store = try verifier.store
            let attestation = try Attestation(subject, store: store)
            #expect(attestation.signedBytes == outgoing.message)
            let signature = try signer.sign(attestation.signedBytes)
            try store.append([attestation.event(signedBy: signature.key)])
            // What travels is SufficientCrypto, and the payload around it.
            let answer = try #require(signature.sufficientCrypto)
            #expect(answer == [scheme.rawValue] + signature.key.bytes + signature.signature)
            let payload = outgoing.bytes(signature: try UpdateSignature(sufficientCrypto: answer))
            guard case .update(let update) = try Payload(payload).content else {
                Issue.record("not an update")
                continue
            }
            try second.accept(UnverifiedUpdate(update))
        }
        let state = try second.state
        #expect(state.generalVerifier == (try signer.key))
        #expect(state.networks == [alpha])
        #expect(state.metadata.map(\.version) == [9])
        #expect(state.types?.hash == .blake2b(of: [0]))
        #expect(state.assetUnits(genesis: genesis) == AssetListLaws.list(1))
        #expect(
            try verifier.store.store.log().suffix(4).map(\.event.kind) == [
                .networkSigned, .metadataSigned, .typesSigned, .assetListSigned,
            ])
    }

    @Test func whatIsNotHeldIsNotAttested() throws {
        let fixture = try TrustFixture()
        let store = try fixture.store
        #expect(throws: Attestation.Failure.notHeld(.types)) { try Attestation(.types, store: store) }
        let genesis = network("alpha").genesisHash
        #expect(throws: Attestation.Failure.notHeld(.specs(genesis, .sr25519))) {
            try Attestation(.specs(genesis, .sr25519), store: store)
        }
        #expect(throws: Attestation.Failure.notHeld(.assets(genesis))) {
            try Attestation(.assets(genesis), store: store)
        }
    }
}
