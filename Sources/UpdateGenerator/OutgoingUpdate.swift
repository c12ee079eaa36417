import SCALE
import SubstratePrimitives

/// An update of a signer's trust store: what a verifier signs, and the payload around it.
///
/// Layouts: UOS document of the reference; all begin `53`, the verifier's scheme (or `ff`), the payload code.
public struct OutgoingUpdate: Sendable, Equatable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case loadMetadata = 0x80
        case loadTypes = 0x81
        case addSpecs = 0xc1
    }

    public let kind: Kind
    /// The bytes that a verifier signs: metadata ‖ genesis hash with the metadata as a byte vector, or the inner encoding alone.
    public let message: [UInt8]
    /// What the payload carries between key and signature.
    private let content: [UInt8]

    /// Network specs, encoded twice: as themselves, then as a byte vector.
    public static func addSpecs(_ specs: NetworkSpecs) -> OutgoingUpdate {
        let inner = SCALEWriter.encode { specs.encode(into: &$0) }
        return OutgoingUpdate(kind: .addSpecs, message: inner, content: SCALEWriter.encode { $0.byteVector(inner) })
    }

    /// - Parameter blob: the metadata as it starts with `meta`.
    public static func loadMetadata(_ blob: [UInt8], genesisHash: GenesisHash) -> OutgoingUpdate {
        let bytes = SCALEWriter.encode {
            $0.byteVector(blob)
            $0.raw(genesisHash.bytes)
        }
        return OutgoingUpdate(kind: .loadMetadata, message: bytes, content: bytes)
    }

    /// - Parameter entries: the SCALE encoding of the type entries for metadata 13 and older.
    public static func loadTypes(encodedEntries entries: [UInt8]) -> OutgoingUpdate {
        OutgoingUpdate(kind: .loadTypes, message: entries, content: SCALEWriter.encode { $0.byteVector(entries) })
    }

    /// The payload: with key and signature, or marked as unsigned. The reserved tail is empty.
    public func bytes(signature: UpdateSignature? = nil) -> [UInt8] {
        guard let signature else { return [OutgoingTransaction.marker, 0xff, kind.rawValue] + content }
        return [OutgoingTransaction.marker, signature.key.scheme.rawValue, kind.rawValue] + signature.key.bytes + content
            + signature.signature
    }
}
