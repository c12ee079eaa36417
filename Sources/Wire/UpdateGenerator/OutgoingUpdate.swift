import SCALE
import SubstratePrimitives
import UOS

/// An update of a signer's trust store: what a verifier signs, and the payload around it.
///
/// Source: Polkadot Vault, "Universal Offline Signatures" document.
public struct OutgoingUpdate: Sendable, Equatable {
    public let code: PayloadCode
    /// The bytes that a verifier signs: metadata ‖ genesis hash with the metadata as a byte vector, or the inner encoding alone.
    public let message: [UInt8]
    /// What the payload carries between key and signature.
    private let content: [UInt8]

    /// Network specs, encoded twice: as themselves, then as a byte vector.
    public static func addSpecs(_ specs: NetworkSpecs) -> OutgoingUpdate {
        let inner = SCALEWriter.encode { specs.encode(into: &$0) }
        return OutgoingUpdate(code: .addSpecs, message: inner, content: SCALEWriter.encode { $0.byteVector(inner) })
    }

    /// - Parameter blob: the metadata as it starts with `meta`.
    public static func loadMetadata(_ blob: [UInt8], genesisHash: GenesisHash) -> OutgoingUpdate {
        let bytes = UpdatePayload.signedBytes(metadata: blob, genesisHash: genesisHash)
        return OutgoingUpdate(code: .loadMetadata, message: bytes, content: bytes)
    }

    /// The same metadata in this project's compressed form: what a verifier signs is the same.
    /// - Parameter frame: the zstd frame that stands for `blob`.
    public static func loadMetadata(_ blob: [UInt8], compressed frame: [UInt8], genesisHash: GenesisHash) -> OutgoingUpdate {
        precondition(UInt32(exactly: blob.count) != nil, "a length has 32 bits")
        let content = SCALEWriter.encode {
            $0.integer(UInt32(blob.count))
            $0.byteVector(frame)
            $0.raw(genesisHash.bytes)
        }
        let message = UpdatePayload.signedBytes(metadata: blob, genesisHash: genesisHash)
        return OutgoingUpdate(code: .loadMetadataCompressed, message: message, content: content)
    }

    /// - Parameter entries: the SCALE encoding of the type entries for metadata 13 and older.
    public static func loadTypes(encodedEntries entries: [UInt8]) -> OutgoingUpdate {
        OutgoingUpdate(code: .loadTypes, message: entries, content: SCALEWriter.encode { $0.byteVector(entries) })
    }

    public static func loadAssets(_ units: AssetUnits) -> OutgoingUpdate {
        OutgoingUpdate(code: .loadAssets, message: units.encoded, content: SCALEWriter.encode { $0.byteVector(units.encoded) })
    }

    /// The payload: with key and signature, or marked as unsigned. The reserved tail is empty.
    public func bytes(attestation: UpdatePayload.Attestation? = nil) -> [UInt8] {
        let prelude = Prelude(scheme: attestation?.key.scheme, code: code).bytes
        return prelude + (attestation?.key.bytes ?? []) + content + (attestation?.signature ?? [])
    }
}
