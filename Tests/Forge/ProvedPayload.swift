import FixtureRuntime
import Metadata
import SubstratePrimitives

extension FixtureRuntime {
    /// A payload with the proof of this runtime's own metadata, honest in every part.
    /// - Parameters:
    ///   - signer: what names the signer in the payload.
    ///   - code: `06`, or `07` for a signer by root and path.
    public func provedPayload(
        signer: [UInt8], scheme: SignatureScheme = .sr25519, code: UInt8 = 0x06, call: [UInt8],
        _ values: FixtureExtensionValues = FixtureExtensionValues()
    ) throws -> [UInt8] {
        let metadata = try RuntimeMetadata(metadata(.v15))
        let info = ExtraInfo(metadata.runtimeVersion, specs)
        var values = values
        values.metadataHash = try MetadataDigest(of: metadata, extraInfo: info).hash
        let parts = extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: call, extensions: parts.explicit + parts.implicit)
        return [0x53, scheme.rawValue, code] + signer + proof.encoded + transactionBody(call: call, values)
            + genesisHash.bytes
    }
}
