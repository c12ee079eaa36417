import Hashing
import SubstratePrimitives
import Testing
import TrustStore

@testable import Accounts
@testable import TrustUpdates

@Suite struct ResetLaws {
    /// Each thing that a reset takes away has a line in the log.
    @Test func aResetTellsEverythingThatItRemoves() throws {
        var state = TrustState()
        state.networks = Array(NetworkSpecs.defaults.prefix(2))
        for specs in state.networks { state.verifiers[specs.genesisHash] = .general }
        state.metadata = [7, 8].map {
            MetadataRecord(
                genesis: state.networks[0].genesisHash, version: $0, hash: .blake2b(of: [UInt8($0)]),
                length: 1)
        }
        state.assetLists[state.networks[1].genesisHash] = [0]
        state.types = ContentRecord(hash: .blake2b(of: [1]), length: 1)
        let step = TrustSetup.reset(state, verifier: nil, networks: [])
        let kinds = step.events.map(\.kind)
        for (kind, count) in [
            (LogEvent.Kind.networkRemoved, 2), (.metadataRemoved, 2), (.assetListRemoved, 1),
            (.typesRemoved, 1),
        ] {
            #expect(kinds.filter { $0 == kind }.count == count, "\(kind)")
        }
        for (index, change) in [
            TrustChange.removeMetadata(state.networks[0].genesisHash, version: 7), .removeTypes,
            .removeAssetList(state.networks[1].genesisHash), .forgetVerifier(state.networks[1].genesisHash),
            .removeNetwork(state.networks[0].genesisHash, .sr25519),
        ].enumerated() { #expect(step.changes.contains(change), "\(index)") }
    }
}

@Suite struct LineReaderLaws {
    @Test func theLastSeparatorDividesALine() {
        for (line, part, rest) in [
            ("a, b, c", "c", "a, b"), (", c", "c", ""), ("a, ", "", "a"), (", ", "", ""), (", , ", "", ", "),
            ("a", nil, "a"),
            ("", nil, ""),
            (",", nil, ","),
        ] as [(String, String?, String)] {
            var reader = LineReader(line)
            #expect(reader.takeLast(after: ", ") == part && reader.text == rest, "\(line)")
        }
    }

    @Test func theFirstSeparatorDividesALine() {
        for (line, part, rest) in [
            ("a, b, c", "a", "b, c"), (", c", "", "c"), ("a, ", "a", ""), (", ", "", ""), ("a", nil, "a"),
            ("", nil, ""), (",", nil, ","),
        ] as [(String, String?, String)] {
            var reader = LineReader(line)
            #expect(reader.takeFirst(before: ", ") == part && reader.text == rest, "\(line)")
        }
    }
}
