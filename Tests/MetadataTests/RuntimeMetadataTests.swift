import FixtureRuntime
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct RuntimeMetadataLaws {
    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func metadataSaysWhichRuntimeItIsOf(version: FixtureRuntime.MetadataVersion) throws {
        let metadata = try RuntimeMetadata(
            FixtureRuntime(specName: "sample", specVersion: 77, ss58Prefix: 5).metadata(version))
        #expect(metadata.version == version.rawValue)
        #expect(metadata.runtimeVersion == RuntimeVersion(specName: "sample", specVersion: 77))
        #expect(metadata.ss58Prefix == 5)
        #expect(metadata.extensionFault == nil)
        #expect(metadata.pallets.map(\.name) == FixtureRuntime.standard.pallets.map(\.name))
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func everyProperPrefixAndATrailingByteAreRefused(version: FixtureRuntime.MetadataVersion) throws {
        let blob = FixtureRuntime.standard.metadata(version)
        // The four bytes `meta` and the version come first.
        for length in 0..<5 {
            #expect(throws: MetadataError(.notMetadata, place: "metadata")) {
                try RuntimeMetadata(Array(blob.prefix(length)))
            }
        }
        for length in blob.indices.dropFirst(5) {
            let error = #expect(throws: MetadataError.self) {
                try RuntimeMetadata(Array(blob.prefix(length)))
            }
            guard case .encoding(let reason)? = error?.reason, reason.saysCut else {
                Issue.record("\(length) bytes: \(error.map { "\($0)" } ?? "accepted")")
                continue
            }
        }
        #expect(throws: MetadataError(.encoding(.leftover(count: 1)), place: "metadata")) {
            try RuntimeMetadata(blob + [0])
        }
    }

    @Test func metadataWithoutTheGenesisOrVersionCheckSaysSo() throws {
        var runtime = FixtureRuntime.standard
        runtime.extensions.removeAll { $0.identifier == "CheckGenesis" }
        #expect(try RuntimeMetadata(runtime.metadata()).extensionFault == .noGenesis)
        runtime.extensions.removeAll { $0.identifier == "CheckSpecVersion" }
        #expect(try RuntimeMetadata(runtime.metadata()).extensionFault == .noSpecVersion)
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func `The existential deposit is the constant of the pallet Balances`(
        version: FixtureRuntime.MetadataVersion
    ) throws {
        var runtime = FixtureRuntime.standard
        #expect(try RuntimeMetadata(runtime.metadata(version)).existentialDeposit() == 10_000_000_000)
        let index = try #require(runtime.pallets.firstIndex { $0.name == "Balances" })
        runtime.pallets[index].constants = []
        #expect(try RuntimeMetadata(runtime.metadata(version)).existentialDeposit() == nil)
        runtime.pallets.remove(at: index)
        #expect(try RuntimeMetadata(runtime.metadata(version)).existentialDeposit() == nil)
    }

    /// Published metadata of others: runtime name, version, address prefix, as their nodes served them.
    @Test(
        arguments: [
            ("polkadot-1002005-v14", "polkadot", 1_002_005, 0),
            ("polkadot-2000000-v15", "polkadot", 2_000_000, 0),
            ("asset-hub-polkadot-2000000-v15", "statemint", 2_000_000, 0),
            ("polkadot-2003000-v16", "polkadot", 2_003_000, 0),
            ("westend-9122-v14", "westend", 9122, 42),
        ] as [(String, String, UInt32, UInt16)])
    func publishedMetadataIsRead(file: String, name: String, version: UInt32, prefix: UInt16) throws {
        guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        #expect(metadata.runtimeVersion == RuntimeVersion(specName: name, specVersion: version))
        #expect(metadata.ss58Prefix == prefix)
        #expect(metadata.extensionFault == nil)
    }
}
