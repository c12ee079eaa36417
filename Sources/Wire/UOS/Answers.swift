import Hashing
import SCALE
import SubstratePrimitives

/// What goes back to the online machine in a QR code.
public enum Answer {
    /// Text: hex of MultiSignature, `00`, `01` or `02` before the signature.
    public static func transaction(_ signature: [UInt8], scheme: SignatureScheme) -> String {
        Hex.encode(multiSignature(signature, scheme: scheme))
    }

    /// Text: hex of the bare signature.
    public static func message(_ signature: [UInt8]) -> String { Hex.encode(signature) }

    /// Bytes: `04` ‖ Vec<MultiSignature>, for two signatures or more; always drawn as RaptorQ frames.
    public static func bulk(_ signatures: [(signature: [UInt8], scheme: SignatureScheme)]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(PayloadCode.bulk.rawValue)
            writer.vector(signatures) { $0.raw(multiSignature($1.signature, scheme: $1.scheme)) }
        }
    }

    /// Bytes of SufficientCrypto: an attestation of an update for the hot side to attach.
    public static func sufficientCrypto(_ attestation: UpdatePayload.Attestation) -> [UInt8] {
        SCALEWriter.encode { writer in
            attestation.key.encode(multiSigner: &writer)
            writer.raw(attestation.signature)
        }
    }

    private static func multiSignature(_ signature: [UInt8], scheme: SignatureScheme) -> [UInt8] {
        [scheme == .ethereum ? SignatureScheme.ecdsa.rawValue : scheme.rawValue] + signature
    }
}

extension UpdatePayload.Attestation {
    /// From the bytes of SufficientCrypto.
    public init(sufficientCrypto bytes: [UInt8]) throws(SCALEError) {
        var reader = SCALEReader(bytes)
        key = try PublicKey(multiSigner: &reader)
        signature = try reader.bytes(count: key.scheme.signatureLength)
        try reader.finish()
    }
}
