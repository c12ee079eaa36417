import Keys
import Metadata
import SCALE
import SubstratePrimitives
import UOS

extension UnverifiedUpdate {
    /// The update that a payload carries; metadata is read as far as its own facts.
    public init(_ payload: UpdatePayload) throws {
        let content: Content
        switch payload.content {
        case .addSpecs(let specs): content = .addSpecs(specs)
        case .loadTypes(let types):
            var reader = SCALEReader(types)
            _ = try LegacyTypes(from: &reader)
            try reader.finish()
            content = .loadTypes(types)
        case .loadAssets(let list): content = .loadAssets(try AssetUnits(encoded: list))
        case .loadMetadata(let blob, let genesis):
            let metadata = try RuntimeMetadata(blob)
            let facts = MetadataFacts(
                runtimeVersion: metadata.runtimeVersion, ss58Prefix: metadata.ss58Prefix,
                extensionsComplete: metadata.extensionFault == nil
            )
            content = .loadMetadata(blob: blob, genesis: genesis, facts: facts)
        }
        self.init(content, signature: payload.signature, signedBytes: payload.signedBytes)
    }
}

extension UnverifiedUpdate.Content {
    /// What a payload carries of it.
    var payload: UpdatePayload.Content {
        switch self {
        case .addSpecs(let specs): .addSpecs(specs)
        case .loadMetadata(let blob, let genesis, _): .loadMetadata(blob: blob, genesisHash: genesis)
        case .loadTypes(let types): .loadTypes(types)
        case .loadAssets(let units): .loadAssets(units.encoded)
        }
    }
}

extension UpdateSignature {
    /// Whether the signature is the key's over these bytes. Updates know no Ethereum-style signature: it
    /// would be over another digest.
    public func isValid(over bytes: [UInt8]) -> Bool {
        key.scheme != .ethereum && Signature.verify(signature, message: bytes, key: key)
    }
}
