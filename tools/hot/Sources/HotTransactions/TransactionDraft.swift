import Cards
import Extrinsics
import Metadata
import SubstratePrimitives
import UOS

/// A new transaction that was also decoded again: its cards are the ones that the offline side will show.
public struct TransactionDraft: Sendable {
    public let payload: OutgoingTransaction
    public let decoded: DecodedTransaction

    /// - Parameter call: the bytes of the call.
    public init(
        call: [UInt8], signer: SignerReference, values: TransactionValues, metadata: RuntimeMetadata,
        specs: NetworkSpecs
    ) throws {
        let filler = ExtensionFiller(
            types: TypeView(metadata.registry), extensions: metadata.extrinsic.extensions,
            prefix: specs.base58Prefix)
        let parts = try filler.bytes(values)
        payload = OutgoingTransaction(
            signer: signer, call: call, extensions: parts.explicit + parts.implicit,
            genesisHash: values.genesisHash)
        decoded = try Extrinsics.decode(
            body: TransactionPayload.body(call: payload.call, extensions: payload.extensions),
            metadata: metadata, specs: specs)
    }

    /// - Parameter signer: the signer in the payload: the public key, or the 20-byte address of an
    ///   Ethereum-style key.
    /// - Throws: `OutgoingTransaction.Failure` for a key of another length.
    public init(
        call: [UInt8], signer: [UInt8], scheme: SignatureScheme, values: TransactionValues,
        metadata: RuntimeMetadata, specs: NetworkSpecs
    ) throws {
        guard let reference = SignerReference(scheme: scheme, payloadKey: signer) else {
            throw OutgoingTransaction.Failure.wrongSignerLength(
                signer.count, expected: scheme.payloadKeyLength)
        }
        try self.init(call: call, signer: reference, values: values, metadata: metadata, specs: specs)
    }

    /// The payload with the metadata proof that its types need, after that proof alone has read the
    /// transaction, as an offline side without the metadata does.
    /// - Parameters:
    ///   - metadata: version 15, whose digest the extensions commit to.
    ///   - specs: of the network, as the draft was made with.
    public func bytesWithProof(metadata: RuntimeMetadata, specs: NetworkSpecs) throws -> [UInt8] {
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, specs), call: payload.call,
            extensions: payload.extensions)
        _ = try Extrinsics.decode(
            body: TransactionPayload.body(call: payload.call, extensions: payload.extensions), proof: proof,
            specs: specs)
        return payload.bytes(proof: proof.encoded)
    }

    /// The bytes of a call that is described by names.
    public static func call(_ description: JSONValue, metadata: RuntimeMetadata, specs: NetworkSpecs)
        throws(DescriptionError) -> [UInt8]
    {
        try DescriptionEncoder.encode(
            description, as: metadata.extrinsic.call, types: TypeView(metadata.registry),
            prefix: specs.base58Prefix, token: DescriptionEncoder.Token(specs), path: "call")
    }
}
