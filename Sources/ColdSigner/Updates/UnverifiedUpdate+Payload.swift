import Keys
import Metadata
import SCALE
import SubstratePrimitives
import UOS

extension UnverifiedUpdate {
    /// The update that a payload carries; metadata is read as far as its own facts.
    public init(_ payload: UpdatePayload) throws {
        let signature = payload.attestation.map { UpdateSignature(key: $0.key, signature: $0.signature) }
        switch payload.content {
        case .addSpecs(let specs): self.init(.addSpecs(specs), signature: signature)
        case .loadTypes(let types):
            var reader = SCALEReader(types)
            _ = try LegacyTypes(from: &reader)
            try reader.finish()
            self.init(.loadTypes(types), signature: signature)
        case .loadAssets(let list): self.init(.loadAssets(try AssetUnits(encoded: list)), signature: signature)
        case .loadMetadata(let blob, let genesis):
            let metadata = try RuntimeMetadata(blob)
            let facts = MetadataFacts(
                runtimeVersion: metadata.runtimeVersion, ss58Prefix: metadata.ss58Prefix, extensionsComplete: metadata.extensionFault == nil
            )
            self.init(.loadMetadata(blob: blob, genesis: genesis, facts: facts), signature: signature)
        }
    }
}

extension UpdatePayload.Attestation {
    /// Whether the signature is the key's over these bytes.
    public func isValid(over bytes: [UInt8]) -> Bool { Signature.verify(signature, message: bytes, key: key) }
}
