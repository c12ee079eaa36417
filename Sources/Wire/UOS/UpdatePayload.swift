import SCALE
import SubstratePrimitives

/// Codes 80, 81, a1 and c1, and a2 once it is expanded: data that changes how later transactions are read.
///
/// After the prelude: the verifier's public key, the content, the signature. An unsigned update has scheme
/// `ff`, no key and no signature. Scheme 03 stands for 02: a key of 33 bytes, whose signature is over
/// BLAKE2b-256.
public struct UpdatePayload: Sendable, Equatable {
    /// What an update brings; the encodings follow the UOS document.
    public enum Content: Sendable, Equatable {
        /// A byte vector that holds the SCALE encoding of the specs.
        case addSpecs(NetworkSpecs)
        /// The blob that starts with `meta`, as a byte vector, then the genesis hash of its network.
        case loadMetadata(blob: [UInt8], genesisHash: GenesisHash)
        /// A byte vector that holds the SCALE encoding of the type entries for metadata 13 and older; not
        /// decoded here.
        case loadTypes([UInt8])
        /// A byte vector that holds the SCALE encoding of `AssetUnits`; not decoded here.
        case loadAssets([UInt8])
    }

    /// What the update brings.
    public let content: Content
    /// The bytes that the signature covers: metadata Vec ‖ genesis hash for codes 80 and a2, and only the
    /// inner encoding for 81, a1 and c1.
    public let signedBytes: [UInt8]
    /// nil for an unsigned update. Not verified here.
    public let signature: UpdateSignature?

    init(_ prelude: Prelude, _ source: SCALEReader) throws(PayloadError) {
        let envelope = try UpdateEnvelope(prelude, source) { (reader: inout SCALEReader) throws(SCALEError) in
            try Self.read(prelude.code, &reader)
        }
        (content, signedBytes) = envelope.body
        signature = envelope.signature
    }

    /// An update of that content.
    /// - `signature`: over the content's ``Content/signedBytes``; nil for an unsigned update.
    public init(_ content: Content, signature: UpdateSignature?) {
        self.content = content
        signedBytes = content.signedBytes
        self.signature = signature
    }

    private static func read(_ code: PayloadCode, _ reader: inout SCALEReader) throws(SCALEError) -> (
        Content, [UInt8]
    ) {
        guard code == .loadMetadata else {
            let inner = try reader.byteVector()
            guard code == .addSpecs else {
                return (code == .loadAssets ? .loadAssets(inner) : .loadTypes(inner), inner)
            }
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

/// Code a2: metadata whose bytes travel compressed. Nothing is known of them before they are expanded, and
/// this library does not expand them.
///
/// After the prelude: the verifier's public key, the length as u32, little-endian, the frame as a byte
/// vector, the genesis hash, the signature; without key and signature in an unsigned update. Source:
/// `Payloads.md` in `heliograph.docc`.
public struct CompressedMetadata: Sendable, Equatable {
    /// One zstd frame, as `Payloads.md` in `heliograph.docc` describes it.
    public let frame: [UInt8]
    /// Bytes of the expanded metadata, as the payload announces them. Expanding checks that.
    public let length: UInt32
    /// The network that the metadata belongs to.
    public let genesisHash: GenesisHash
    /// Covers the expanded form; nil for an unsigned update. Not verified here.
    public let signature: UpdateSignature?

    /// - `length`: bytes that `frame` stands for.
    public init(frame: [UInt8], length: UInt32, genesisHash: GenesisHash, signature: UpdateSignature?) {
        self.frame = frame
        self.length = length
        self.genesisHash = genesisHash
        self.signature = signature
    }

    init(_ prelude: Prelude, _ source: SCALEReader) throws(PayloadError) {
        let envelope = try UpdateEnvelope(prelude, source) { (reader: inout SCALEReader) throws(SCALEError) in
            (try reader.integer(UInt32.self), try reader.byteVector(), try reader.hash32())
        }
        (length, frame, genesisHash) = envelope.body
        signature = envelope.signature
    }

    func update(of blob: [UInt8]) -> UpdatePayload {
        UpdatePayload(.loadMetadata(blob: blob, genesisHash: genesisHash), signature: signature)
    }
}

/// The envelope of every update: the key before the content, the signature behind it, and nothing after that.
private struct UpdateEnvelope<Body> {
    let body: Body
    let signature: UpdateSignature?

    init(
        _ prelude: Prelude, _ source: SCALEReader, _ read: (inout SCALEReader) throws(SCALEError) -> Body
    ) throws(PayloadError) {
        var reader = source
        do throws(SCALEError) {
            // Scheme 03 stands for 02 here: a 33-byte key, signed over BLAKE2b-256.
            let scheme = prelude.scheme == .ethereum ? .ecdsa : prelude.scheme
            var key: PublicKey?
            if let scheme {
                key = PublicKey(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))
            }
            body = try read(&reader)
            if let key {
                signature = UpdateSignature(
                    key: key, signature: try reader.bytes(count: key.scheme.signatureLength))
            } else {
                signature = nil
            }
        } catch {
            throw .malformed(place: prelude.code.kind, error)
        }
        guard reader.remaining == 0 else { throw .reservedTail(bytes: reader.remaining) }
    }
}

extension UpdatePayload.Content {
    /// The bytes that a verifier signs: of metadata, in either form, its byte vector ‖ genesis hash; of other
    /// updates the inner encoding alone.
    public var signedBytes: [UInt8] {
        switch self {
        case .addSpecs(let specs): SCALEWriter.encode { specs.encode(into: &$0) }
        case .loadMetadata(let blob, let genesisHash):
            SCALEWriter.encode { writer in
                writer.byteVector(blob)
                writer.raw(genesisHash.bytes)
            }
        case .loadTypes(let inner), .loadAssets(let inner): inner
        }
    }
}
