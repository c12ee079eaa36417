import Keys
import SubstratePrimitives
import Testing
import TrustStore

@testable import CommandKit

/// `--first-keys`: a seed's first key on a network lies at the path that the network's specs name, and nobody
/// may choose a key that is another's.
@Suite struct FirstKeysLaws {
    private static func specs(_ name: String, _ path: String, _ scheme: SignatureScheme = .sr25519)
        -> NetworkSpecs
    {
        NetworkSpecs(
            name: name, title: name, base58Prefix: 42, decimals: 12, unit: "UNT",
            genesisHash: .blake2b(of: Array(name.utf8)),
            scheme: scheme, pathID: path)
    }

    private static func derived(_ networks: [NetworkSpecs]) -> [String] {
        var state = TrustState()
        state.networks = networks
        return FirstKeysOption.networks(of: state).map { "\($0.specs.name) \($0.path)" }
    }

    /// Specs that were stored before such a path was refused, or that a verifier signed.
    @Test func `the path of a listed chain is for that chain, whoever stands before it`() {
        let polkadot = NetworkSpecs.defaults[0]
        let kusama = NetworkSpecs.defaults[1]
        #expect(Self.derived([Self.specs("aaa", "//polkadot"), polkadot]) == ["polkadot //polkadot"])
        #expect(Self.derived([Self.specs("aaa", "//polkadot")]) == [])
        #expect(
            Self.derived([Self.specs("aaa", "//polkadot", .ed25519), polkadot]) == ["polkadot //polkadot"])
        // The chain code of this number is that of `kusama`.
        #expect(Self.derived([Self.specs("aaa", "//27423338057263896"), kusama]) == ["kusama //kusama"])
        #expect(
            Self.derived([Self.specs("aaa", "//polkadot//0"), polkadot]) == [
                "aaa //polkadot//0", "polkadot //polkadot",
            ])
    }

    @Test
    func `of two networks whose paths lead to one key only the first gets it, however they are written`() {
        #expect(Self.derived([Self.specs("aaa", "//own"), Self.specs("bbb", "//own")]) == ["aaa //own"])
        #expect(Self.derived([Self.specs("aaa", "//1"), Self.specs("bbb", "//01")]) == ["aaa //1"])
        #expect(
            Self.derived([Self.specs("aaa", "//own"), Self.specs("bbb", "/own")]) == [
                "aaa //own", "bbb /own",
            ])
        #expect(
            Self.derived([Self.specs("aaa", "//own"), Self.specs("bbb", "//own", .ed25519)]) == [
                "aaa //own", "bbb //own",
            ])
        #expect(Self.derived([Self.specs("aaa", "no path")]) == [])
    }
}
