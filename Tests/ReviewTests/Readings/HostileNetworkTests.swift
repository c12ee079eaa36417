import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import Review
import SubstratePrimitives
import Testing
import TrustStore
import UOS

/// Anyone can make a network, and specs that nobody signed are accepted when a person says so. Its metadata
/// is as free as a forged proof, and no hash holds it: a key that may sign on it must not sign for another
/// network by it.
@Suite struct HostileNetworkLaws {
    static let chain = FixtureRuntime.standard
    static let hostile = FixtureRuntime(specName: "freecoin", ss58Prefix: 7)
    static let polkadot = NetworkSpecs.defaults[0]

    /// How the true network ends its signed bytes.
    enum Ending: CaseIterable {
        case none, blockHash, metadataHash, reshaped, builtIn

        var chain: FixtureRuntime {
            var chain = HostileNetworkLaws.chain
            switch self {
            case .none, .metadataHash: break
            case .blockHash: chain.extensions.removeAll { $0.role == .metadataHash }
            case .reshaped: chain.shuffle()
            case .builtIn: chain.specs.genesisHash = HostileNetworkLaws.polkadot.genesisHash
            }
            return chain
        }

        var values: FixtureExtensionValues {
            get throws {
                guard self == .metadataHash else { return FixtureExtensionValues() }
                return FixtureExtensionValues(metadataHash: Hash32(try ForgedProof(chain).hash))
            }
        }
    }

    static func face(_ change: (inout TwoFaced.Face) -> Void) -> TwoFaced.Face {
        var face = TwoFaced.Face(hostile, recipient: Target.bob, amount: 1_500_000_000_000)
        face.hasHash = false
        change(&face)
        return face
    }

    /// - Parameter isHeld: whether the vault knows the network that is robbed, and its metadata.
    static func expectRefusal(
        _ theft: Theft, _ version: FixtureRuntime.MetadataVersion, _ code: PlainCode, isHeld: Bool,
        location: SourceLocation = #_sourceLocation
    ) {
        var target = Target(isHeld ? [hostile.specs, theft.chain.specs] : [hostile.specs])
        target.hold(theft.forged.shown, version)
        if isHeld { target.hold(theft.chain, .v15) }
        let payload = code.payload(theft.body, genesis: hostile.genesisHash)
        do {
            let reviewed = try target.review(payload)
            #expect(
                reviewed.allSatisfy { $0.refusal != nil }, "a signature can be had for this",
                sourceLocation: location)
        } catch {
            #expect(error is ReviewError, sourceLocation: location)
        }
    }

    @Test(arguments: Ending.allCases, PlainCode.allCases)
    func itsTypesSignForNoOtherNetwork(ending: Ending, code: PlainCode) throws {
        let mortal = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: .blake2b(of: [1]))
        for way in Swallow.allCases {
            for isHidden in [false, true] {
                let face = Self.face {
                    $0.way = way
                    $0.hidesInDisabledHash = isHidden
                }
                let theft = try Theft(face, on: ending.chain, thief: Target.thief, values: try ending.values)
                // The built-in list needs no stored network.
                Self.expectRefusal(theft, .v14, code, isHeld: ending != .builtIn)
            }
        }
        guard ending != .metadataHash else { return }
        let late = try Theft(
            Self.face { $0.way = .array }, on: ending.chain, thief: Target.thief, values: mortal)
        Self.expectRefusal(late, .v14, code, isHeld: ending != .builtIn)
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases, Theft.Place.allCases)
    func itsTypesSignForNoOtherNetworkInAnyVersion(
        version: FixtureRuntime.MetadataVersion, place: Theft.Place
    ) throws {
        for way in Swallow.allCases {
            let theft = try Theft(
                Self.face { $0.way = way }, on: Self.chain, place: place, thief: Target.thief)
            Self.expectRefusal(theft, version, .byKey, isHeld: true)
        }
    }

    /// Metadata of a hostile network with a hash of its own, enabled in the shown reading.
    @Test(arguments: FixtureRuntime.MetadataVersion.allCases, Swallow.allCases)
    func anEnabledHashOfStoredMetadataStandsAtTheEnd(version: FixtureRuntime.MetadataVersion, way: Swallow)
        throws
    {
        let face = Self.face {
            $0.way = way
            $0.hasHash = true
        }
        Self.expectRefusal(
            try Theft(face, on: Self.chain, thief: Target.thief), version, .byKey, isHeld: true)
        // Nothing else is known of the network that is robbed: only the end of the bytes tells.
        var unknown = Self.chain
        unknown.specs.genesisHash = .blake2b(of: [77])
        Self.expectRefusal(try Theft(face, on: unknown, thief: Target.thief), version, .byKey, isHeld: false)
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases, PlainCode.allCases)
    func itsOwnTransactionsAreSigned(version: FixtureRuntime.MetadataVersion, code: PlainCode) throws {
        var target = Target([Self.hostile.specs, Self.chain.specs])
        target.hold(Self.hostile, version)
        target.hold(Self.chain, version)
        let call = Self.hostile.call(
            "System", "remark",
            [FixtureValue.bytes(Self.chain.genesisHash.bytes + [UInt8](repeating: 0, count: 40))])
        let reviewed = try target.review(
            code.payload(Self.hostile.transactionBody(call: call), genesis: Self.hostile.genesisHash))
        #expect(reviewed.allSatisfy { $0.refusal == nil })
    }
}
