import Extrinsics
import HotStore
import HotTransactions
import Keys
import Metadata
import SCALE
import SubstratePrimitives
import UOS

/// One requested transaction, with the bytes that its signature covers.
struct SignedRequest {
    let scheme: SignatureScheme
    /// The public key, or the 20-byte address of an Ethereum-style key.
    let payloadKey: [UInt8]
    let genesisHash: GenesisHash
    let proof: MetadataProof?
    let call: [UInt8]
    /// Explicit, then implicit parts.
    let extensions: [UInt8]

    init(_ payload: TransactionPayload) throws {
        switch payload.signer {
        case .key(let key): (scheme, payloadKey) = (key.scheme, key.bytes)
        case .ethereum(let address): (scheme, payloadKey) = (.ethereum, address)
        case .derived: throw HotError.derivedSigner
        }
        genesisHash = payload.genesisHash
        var reader = SCALEReader(payload.body)
        proof = payload.hasProof ? try MetadataProof(from: &reader) : nil
        call = try reader.byteVector()
        extensions = reader.rest()
    }

    /// The transactions of a payload, one or a batch.
    static func all(in bytes: [UInt8]) throws -> [SignedRequest] {
        switch try Payload(bytes).content {
        case .transaction(let one): [try SignedRequest(one)]
        case .bulk(let several):
            try several.map { inner in
                guard case .transaction(let one) = inner.content else { throw HotError.notATransaction }
                return try SignedRequest(one)
            }
        default: throw HotError.notATransaction
        }
    }

    func isSigned(by signature: MultiSignature) -> Bool {
        let message = Extrinsics.signedMessage(of: call + extensions)
        // An answer marks an Ethereum-style signature as ecdsa.
        guard signature.scheme == (scheme == .ethereum ? .ecdsa : scheme) else { return false }
        if scheme == .ethereum {
            return Signature.recover(signature.bytes, message: message, scheme: .ethereum)?.payloadKey == payloadKey
        }
        guard let key = PublicKey(scheme: scheme, bytes: payloadKey) else { return false }
        return Signature.verify(signature.bytes, message: message, key: key)
    }

    /// The extrinsic, encoded with the metadata of the transaction's runtime.
    func extrinsic(_ signature: MultiSignature, store: HotStore) throws -> [UInt8] {
        try SignedExtrinsic.bytes(
            signer: SignedExtrinsic.account(payloadKey, scheme: scheme), scheme: scheme, signature: signature.bytes, call: call,
            extensions: extensions, metadata: try metadata(store))
    }

    func decoded(store: HotStore) throws -> DecodedTransaction {
        let network = try owner(store)
        let body = TransactionPayload.body(call: call, extensions: extensions)
        return try Extrinsics.decode(body: body, metadata: try metadata(store), specs: network.specs)
    }

    private func owner(_ store: HotStore) throws -> HotNetwork {
        guard let name = try store.name(genesis: genesisHash, scheme: scheme) else { throw HotError.unknownGenesis(genesisHash) }
        return try store.network(name)
    }

    private func metadata(_ store: HotStore) throws -> RuntimeMetadata {
        let name = try owner(store).name
        let types = try store.legacyTypes()
        let newest = try RuntimeMetadata(try store.metadata(of: name).blob, types: types)
        let body = TransactionPayload.body(call: call, extensions: extensions)
        guard let version = try proof?.extraInfo.specVersion ?? Extrinsics.announcedVersion(body: body, metadata: newest) else {
            return newest
        }
        if version == newest.runtimeVersion.specVersion { return newest }
        return try RuntimeMetadata(try store.metadata(of: name, version: version).blob, types: types)
    }
}
