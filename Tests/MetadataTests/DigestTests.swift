import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct HashLaws {
    /// First 32 bytes of the published test vectors (BLAKE3-team/BLAKE3, test_vectors.json); input bytes
    /// count 0…250 and again.
    @Test(
        arguments: [
            (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
            (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
            (1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"),
            (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
            (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
            (2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"),
            (3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"),
            (3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"),
            (5121, "628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff"),
            (7168, "61da957ec2499a95d6b8023e2b0e604ec7f6b50e80a9678b89d2628e99ada77a"),
        ] as [(Int, String)])
    func blake3MatchesItsVectors(length: Int, digest: String) {
        #expect(Hex.encode(BLAKE3.hash((0..<length).map { UInt8($0 % 251) })) == digest)
    }
}

@Suite struct DigestLaws {
    /// The known answer of the metadata's own project for that file and those facts.
    @Test func thePublishedDigestIsComputed() throws {
        guard let blob = try SharedData.read("metadata/polkadot-rfc78-v15.scale") else { return }
        let info = ExtraInfo(
            specVersion: 1, specName: "nice", base58Prefix: 1, decimals: 1, tokenSymbol: "lol")
        let digest = try MetadataDigest(of: RuntimeMetadata(blob), extraInfo: info)
        #expect(digest.hash.hex == "72b3e70cb722edeb45a9380720ecad79b09b4113ab2dee5f5d974f170fb77a7e")
    }

    @Test func metadataOfVersion14HasNoDigest() throws {
        let runtime = FixtureRuntime.standard
        let metadata = try RuntimeMetadata(runtime.metadata(.v14))
        #expect(throws: MetadataError(.versionTooOld(14), place: "metadata")) {
            try MetadataDigest(of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, runtime.specs))
        }
    }
}
