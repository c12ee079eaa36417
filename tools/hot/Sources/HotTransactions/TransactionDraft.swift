import Cards
import Extrinsics
import Metadata
import SCALE
import SubstratePrimitives
import UpdateGenerator

/// A transaction that was put together and decoded again: what its cards say is what the offline side will show.
public struct TransactionDraft: Sendable {
    public let payload: OutgoingTransaction
    public let decoded: DecodedTransaction

    /// - Parameters:
    ///   - signer: what the payload carries: the public key, or the 20-byte address of an Ethereum-style key.
    ///   - call: the bytes of the call.
    public init(
        call: [UInt8], signer: [UInt8], scheme: SignatureScheme, values: TransactionValues, metadata: RuntimeMetadata, specs: NetworkSpecs
    ) throws {
        let filler = ExtensionFiller(
            types: TypeView(metadata.registry), extensions: metadata.extrinsic.extensions, prefix: specs.base58Prefix)
        let parts = try filler.bytes(values)
        let extensions = parts.explicit + parts.implicit
        payload = try OutgoingTransaction(
            scheme: scheme, signer: signer, call: call, extensions: extensions, genesisHash: values.genesisHash)
        let body = SCALEWriter.encode { $0.byteVector(call) } + extensions
        decoded = try Extrinsics.decode(body: body, metadata: metadata, specs: specs)
    }

    /// The bytes of a call that is described by names.
    public static func call(_ description: JSONValue, metadata: RuntimeMetadata, specs: NetworkSpecs) throws(DescriptionError) -> [UInt8] {
        try DescriptionEncoder.encode(
            description, as: metadata.extrinsic.call, types: TypeView(metadata.registry), prefix: specs.base58Prefix, place: "call")
    }
}
