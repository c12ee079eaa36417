import FixtureRuntime
import SCALE
import SubstratePrimitives
import Testing

@Suite struct FixtureRuntimeLaws {
    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func metadataNamesItsVersion(version: FixtureRuntime.MetadataVersion) {
        let blob = FixtureRuntime.standard.metadata(version)
        #expect(blob.starts(with: Array("meta".utf8) + [version.rawValue]))
        #expect(blob == FixtureRuntime.standard.metadata(version))
    }

    @Test func aCallCarriesTheIndicesOfItsRuntime() {
        var runtime = FixtureRuntime.standard
        let before = runtime.call("System", "remark", [FixtureValue.bytes([7])])
        #expect(before == [0, 0, 4, 7])
        runtime.shuffle()
        runtime.renamePallet("System", to: "Base")
        runtime.renameCall("Base", "remark", to: "note")
        #expect(runtime.call("Base", "note", [FixtureValue.bytes([7])]) == [101, 57, 4, 7])
    }

    @Test func extensionsFollowTheOrderOfTheRuntime() throws {
        var runtime = FixtureRuntime.standard
        let era = Era.mortal(try #require(MortalEra(period: 64, phase: 27)))
        let values = FixtureExtensionValues(era: era, blockHash: .blake2b(of: [1]), nonce: 46, tip: 5)
        let genesis = runtime.genesisHash.bytes
        let block = Hash32.blake2b(of: [1]).bytes
        let forward = runtime.extensionBytes(values)
        #expect(forward.explicit == [0xb5, 0x01, 46 << 2, 5 << 2, 0])
        #expect(forward.implicit == [0xe8, 3, 0, 0, 3, 0, 0, 0] + genesis + block + [0])
        runtime.shuffle()
        let backward = runtime.extensionBytes(values)
        #expect(backward.explicit == [0, 5 << 2, 46 << 2, 0xb5, 0x01])
        #expect(backward.implicit == [0] + block + genesis + [3, 0, 0, 0, 0xe8, 3, 0, 0])
    }

    @Test func anImmortalTransactionNamesTheGenesisBlock() {
        let runtime = FixtureRuntime.standard
        let parts = runtime.extensionBytes()
        #expect(parts.explicit == [0, 0, 0, 0])
        #expect(
            parts.implicit.dropFirst(8).dropLast()
                == (runtime.genesisHash.bytes + runtime.genesisHash.bytes)[...])
    }

    @Test func aMetadataHashIsSignedAndItsModeIsSent() {
        let hash = Hash32.blake2b(of: [2])
        let parts = FixtureRuntime.standard.extensionBytes(FixtureExtensionValues(metadataHash: hash))
        #expect(parts.explicit.last == 1)
        #expect(parts.implicit.suffix(33) == ([1] + hash.bytes)[...])
    }

    @Test func aPayloadStandsBetweenSignerAndGenesis() {
        let runtime = FixtureRuntime.standard
        let signer = [UInt8](repeating: 3, count: 32)
        let call = runtime.call("System", "remark", [FixtureValue.bytes([])])
        let payload = runtime.transactionPayload(signer: signer, call: call)
        #expect(payload.starts(with: [0x53, 1, 2] + signer + [12, 0, 0, 0]))
        #expect(payload.suffix(32) == runtime.genesisHash.bytes[...])
    }
}
