import SCALE
import SubstratePrimitives
import UOS

/// Payloads that ask for the signature of a transaction.
public struct OutgoingTransaction: Sendable, Equatable {
    public enum Failure: Error, Equatable, Sendable {
        case wrongSignerLength(Int, expected: Int)
        /// A batch signs at least one transaction.
        case emptyBatch
    }

    public let scheme: SignatureScheme
    /// The public key, or the 20-byte address of an Ethereum-style key.
    public let signer: [UInt8]
    public let call: [UInt8]
    /// All explicit parts of the extensions, then all implicit parts.
    public let extensions: [UInt8]
    public let genesisHash: GenesisHash

    public init(
        scheme: SignatureScheme, signer: [UInt8], call: [UInt8], extensions: [UInt8], genesisHash: GenesisHash
    ) throws(Failure) {
        guard signer.count == scheme.payloadKeyLength else {
            throw .wrongSignerLength(signer.count, expected: scheme.payloadKeyLength)
        }
        self.scheme = scheme
        self.signer = signer
        self.call = call
        self.extensions = extensions
        self.genesisHash = genesisHash
    }

    /// Payload 02, or 06 when there is a metadata proof (its SCALE encoding).
    public func bytes(proof: [UInt8]? = nil) -> [UInt8] {
        SCALEWriter.encode {
            $0.raw(Prelude(scheme: scheme, code: proof == nil ? .transaction : .transactionWithProof).bytes)
            $0.raw(signer)
            $0.raw(proof ?? [])
            $0.byteVector(call)
            $0.raw(extensions)
            $0.raw(genesisHash.bytes)
        }
    }

    /// Payload 04 of several payloads, each of which stands in it without its first byte.
    public static func batch(_ payloads: [[UInt8]]) throws(Failure) -> [UInt8] {
        guard !payloads.isEmpty else { throw .emptyBatch }
        precondition(payloads.allSatisfy { $0.first == Prelude.firstByte }, "payloads start with 53")
        return SCALEWriter.encode {
            $0.raw(Prelude(scheme: nil, code: .bulk).bytes)
            // The only version of the structure.
            $0.u8(0)
            $0.vector(payloads) { $0.byteVector($1.dropFirst()) }
        }
    }
}
