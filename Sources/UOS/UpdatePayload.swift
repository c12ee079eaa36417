import SCALE
import SubstratePrimitives

/// Codes 80, 81, a1 and c1: data that changes how later transactions are read.
public struct UpdatePayload: Sendable {
    public enum Content: Sendable {
        case addSpecs(NetworkSpecs)
        /// The blob that starts `meta`, and the network it belongs to.
        case loadMetadata(blob: [UInt8], genesisHash: GenesisHash)
        /// The encoding of the legacy type entries.
        case loadTypes([UInt8])
        /// The encoding of ``AssetUnits``.
        case loadAssets([UInt8])
    }

    public struct Attestation: Sendable, Equatable {
        public let key: PublicKey
        public let signature: [UInt8]
        public init(key: PublicKey, signature: [UInt8]) {
            self.key = key
            self.signature = signature
        }
    }

    public let content: Content
    /// What the attestation covers: metadata Vec ‖ genesis hash for 80, the inner encoding alone for 81, a1 and c1.
    public let signedBytes: [UInt8]
    /// nil for an update that nobody signed.
    public let attestation: Attestation?

    init(_ prelude: Prelude, _ source: SCALEReader) throws(PayloadError) {
        var reader = source
        do {
            // Scheme 03 stands for 02 here: a 33-byte key, signed over BLAKE2b-256.
            let scheme = prelude.scheme == .ethereum ? .ecdsa : prelude.scheme
            let key = try scheme.map { scheme in PublicKey(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))! }
            (content, signedBytes) = try Self.read(prelude.code, &reader)
            attestation = try key.map { key in
                Attestation(key: key, signature: try reader.bytes(count: key.scheme.signatureLength))
            }
        } catch let error as SCALEError {
            throw .malformed(place: prelude.code.kind, error)
        } catch {
            fatalError("a reader throws its own errors only")
        }
        guard reader.remaining == 0 else { throw .reservedTail(bytes: reader.remaining) }
    }

    private static func read(_ code: PayloadCode, _ reader: inout SCALEReader) throws(SCALEError) -> (Content, [UInt8]) {
        guard code == .loadMetadata else {
            let inner = try reader.byteVector()
            guard code == .addSpecs else { return (code == .loadAssets ? .loadAssets(inner) : .loadTypes(inner), inner) }
            var specs = SCALEReader(inner)
            let content = Content.addSpecs(try NetworkSpecs(from: &specs))
            try specs.finish()
            return (content, inner)
        }
        let start = reader.offset
        let blob = try reader.byteVector()
        let genesis = try reader.hash32()
        return (.loadMetadata(blob: blob, genesisHash: genesis), Array(reader.bytes[start..<reader.offset]))
    }
}
