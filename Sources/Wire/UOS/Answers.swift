import Hashing
import SCALE
import SubstratePrimitives

/// A signature with its scheme as an enum index: ed25519 0, sr25519 1, ecdsa 2.
public struct MultiSignature: Sendable, Equatable {
    /// Never Ethereum-style: those signatures are marked as ecdsa.
    public let scheme: SignatureScheme
    /// `SignatureScheme.signatureLength` bytes.
    public let bytes: [UInt8]

    /// A signature of that scheme; an Ethereum-style one becomes ecdsa.
    /// - `bytes`: `SignatureScheme.signatureLength` bytes, which is not checked.
    public init(scheme: SignatureScheme, bytes: [UInt8]) {
        self.scheme = scheme == .ethereum ? .ecdsa : scheme
        self.bytes = bytes
    }

    init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let scheme = try SignatureScheme(from: &reader)
        guard scheme != .ethereum else {
            throw SCALEError(.invalidDiscriminant(scheme.rawValue), offset: offset)
        }
        self.init(scheme: scheme, bytes: try reader.bytes(count: scheme.signatureLength))
    }

    func encode(into writer: inout SCALEWriter) {
        writer.u8(scheme.rawValue)
        writer.raw(bytes)
    }
}

/// What goes back to the online machine by QR code.
public enum Answer: Sendable, Equatable {
    /// Text: the hex of MultiSignature.
    case transaction(MultiSignature)
    /// Text: the hex of the bare signature, 64 or 65 bytes.
    case message([UInt8])
    /// Bytes: `04` ‖ Vec<MultiSignature>, for two signatures or more; always drawn as RaptorQ frames.
    case bulk([MultiSignature])
    /// Bytes: `53 ff df` ‖ ``DynamicDerivationsResponse``, always drawn as RaptorQ frames.
    case derivations(DynamicDerivationsResponse)
    /// Bytes: ``GuardPoint``, the answer to the first round of a guarded signature.
    case guardPoint(GuardPoint)

    /// Reads the content of the QR codes, without their envelopes; nil for bytes that are not an answer of a
    /// signer.
    ///
    /// A bare ecdsa signature that starts with `00` or `01` looks like a MultiSignature, and is read as one.
    public init?(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self), let signature = Hex.decode(text) {
            if let multi = try? Self.reading(signature[...], MultiSignature.init(from:)) {
                self = .transaction(multi)
            } else if (64...65).contains(signature.count) {
                self = .message(signature)
            } else {
                return nil
            }
            return
        }
        if bytes.first == PayloadCode.bulk.rawValue {
            let signatures = try? Self.reading(bytes.dropFirst()) {
                (reader: inout SCALEReader) throws(SCALEError) in
                try reader.vector(minimumElementSize: 65) { (inner) throws(SCALEError) in
                    try MultiSignature(from: &inner)
                }
            }
            guard let signatures else { return nil }
            self = .bulk(signatures)
            return
        }
        if let point = GuardPoint(bytes) {
            self = .guardPoint(point)
            return
        }
        guard bytes.starts(with: Self.derivationsPrelude),
            let response = try? Self.reading(
                bytes.dropFirst(Prelude.length), DynamicDerivationsResponse.init(from:))
        else { return nil }
        self = .derivations(response)
    }

    /// What the QR codes hold, without their envelopes.
    public var bytes: [UInt8] {
        switch self {
        case .transaction, .message: Array(text.utf8)
        case .bulk(let signatures):
            SCALEWriter.encode { writer in
                writer.u8(PayloadCode.bulk.rawValue)
                writer.vector(signatures) { $1.encode(into: &$0) }
            }
        case .derivations(let response):
            SCALEWriter.encode { writer in
                writer.raw(Self.derivationsPrelude)
                response.encode(into: &writer)
            }
        case .guardPoint(let point): point.bytes
        }
    }

    /// The text that the QR code holds; the hex of ``bytes`` where it holds no text.
    public var text: String {
        switch self {
        case .transaction(let signature): Hex.encode(SCALEWriter.encode { signature.encode(into: &$0) })
        case .message(let signature): Hex.encode(signature)
        case .bulk, .derivations, .guardPoint: Hex.encode(bytes)
        }
    }

    private static let derivationsPrelude = Prelude(scheme: nil, code: .derivationsRequest).bytes

    private static func reading<T>(
        _ bytes: ArraySlice<UInt8>, _ read: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(SCALEError) -> T {
        var reader = SCALEReader(Array(bytes))
        let value = try read(&reader)
        try reader.finish()
        return value
    }
}
