import Accounts
import Hashing
import SubstratePrimitives
import Testing
import TrustStore
import UOS

/// Names and paths that `String` takes for each other are different seeds and different keys.
@Suite struct ExactDerivationLaws {
    @Test func seedsOfEquivalentNamesBothKeepTheirRoots() throws {
        var state = TrustState()
        state.settings[TrustState.seedRootPrefix + "é"] = DerivationTests.root.bytes
        state.settings[TrustState.seedRootPrefix + "e\u{301}"] = DerivationTests.root.bytes
        // A mark behind the prefix belongs to the name, and does not hide the setting.
        state.settings[TrustState.seedRootPrefix + "\u{301}a"] = DerivationTests.root.bytes
        #expect(
            Set(state.seeds(root: DerivationTests.root).map { Array($0.utf8) })
                == Set(["é", "e\u{301}", "\u{301}a"].map { Array($0.utf8) }))
    }

    @Test func anImportIsForTheSeedOfExactlyItsName() throws {
        var state = DerivationTests.state
        state.settings = SealedSettings()
        state.settings[TrustState.seedRootPrefix + "e\u{301}"] = DerivationTests.root.bytes
        state.settings[TrustState.seedRootPrefix + "é"] = DerivationTests.root.bytes
        for name in ["é", "e\u{301}"] {
            let review = DerivationTests.review(
                [try DerivationTests.exported("//a", .sr25519)], seed: name, state: state)
            #expect(review.groups.map { Array(($0.seed ?? "").utf8) } == [Array(name.utf8)])
        }
    }

    @Test func keysOfEquivalentPathsAreDifferentKeys() throws {
        var state = DerivationTests.state
        let composed = try DerivationTests.key("//é", .sr25519)
        state.keys = [
            KeyRecord(
                publicKey: composed, seed: "main", path: "//é", hasPassword: false,
                networks: [DerivationTests.genesis(.sr25519)])
        ]
        let review = DerivationTests.review(
            [try DerivationTests.exported("//e\u{301}", .sr25519)], state: state)
        #expect(review.targets.map(\.status) == [.new])
        let both = DerivationTests.review(
            try ["//é", "//e\u{301}"].map { try DerivationTests.exported($0, .sr25519) })
        #expect(both.targets.map(\.status) == [.new, .new])
        let reference = { SignerReference.derived(root: DerivationTests.root, path: $0, scheme: .sr25519) }
        #expect(reference("//é") != reference("//e\u{301}") && reference("//é") == reference("//é"))
        #expect(
            DerivationTests.review([try DerivationTests.exported("//é", .sr25519)])
                != DerivationTests.review([try DerivationTests.exported("//e\u{301}", .sr25519)]))
    }

    @Test func aPasswordBehindAMarkIsStillAPassword() throws {
        let key = try DerivationTests.exported("//a", .sr25519)
        var changed = key
        changed.path = "//a///\u{301}"
        #expect(DerivationTests.review([changed]).targets.map(\.status) == [.passwordProtected])
    }
}
