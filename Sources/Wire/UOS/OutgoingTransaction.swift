import Diagnostics
import RaptorQ
import SubstratePrimitives

/// A transaction in its parts, for the payload that asks for its signature.
public struct OutgoingTransaction: Sendable, Equatable {
    /// Why the parts make no transaction.
    public enum Failure: Error, Equatable, Sendable {
        /// Bytes of the signer, and how many its scheme has in a payload.
        case wrongSignerLength(Int, expected: Int)
    }

    /// The key that is asked to sign.
    public let signer: SignerReference
    /// The SCALE encoding of the call: pallet index, call index, arguments.
    public let call: [UInt8]
    /// All explicit parts of the extensions, then all implicit parts.
    public let extensions: [UInt8]
    /// The network that the transaction is for.
    public let genesisHash: GenesisHash

    /// A transaction of those parts; nothing is decoded.
    public init(signer: SignerReference, call: [UInt8], extensions: [UInt8], genesisHash: GenesisHash) {
        self.signer = signer
        self.call = call
        self.extensions = extensions
        self.genesisHash = genesisHash
    }

    /// - `signer`: the public key, or the 20-byte address of an Ethereum-style key.
    public init(
        scheme: SignatureScheme, signer: [UInt8], call: [UInt8], extensions: [UInt8], genesisHash: GenesisHash
    ) throws(Failure) {
        guard let reference = SignerReference(scheme: scheme, payloadKey: signer) else {
            throw .wrongSignerLength(signer.count, expected: scheme.payloadKeyLength)
        }
        self.init(signer: reference, call: call, extensions: extensions, genesisHash: genesisHash)
    }

    /// The payload that ``bytes(proof:)`` encodes.
    /// - Parameter proof: the SCALE encoding of a metadata proof.
    public func payload(proof: [UInt8]? = nil) -> TransactionPayload {
        TransactionPayload(
            signer: signer, proof: proof, call: call, extensions: extensions, genesisHash: genesisHash)
    }

    /// Payload 02, or 06 when there is a metadata proof; 05 and 07 for a derived signer.
    public func bytes(proof: [UInt8]? = nil) -> [UInt8] {
        Payload.Content.transaction(payload(proof: proof)).encoded()
    }
}

extension OutgoingTransaction.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .wrongSignerLength(let count, let expected):
            .usage("key-length", "the signer has \(Sentence.count(count, "byte")), not \(expected)")
        }
    }

    public static var examples: [Self] { [.wrongSignerLength(20, expected: 32)] }
}
