import ChainRPC
import Extrinsics
import Hashing
import HotStore
import HotTransactions
import Metadata
import SCALE
import SubstratePrimitives
import UOS

/// One requested transaction, with the bytes that its signature covers.
struct SignedRequest {
    let signer: RequestedSigner
    let genesisHash: GenesisHash
    let proof: MetadataProof?
    let call: [UInt8]
    /// Explicit, then implicit parts.
    let extensions: [UInt8]
    /// The payload alone, without what stands around it.
    let payload: [UInt8]
    /// The hash that names its payload where its signature is guarded.
    let digest: [UInt8]
    /// What the payload itself says of a guarded signature.
    let round: GuardRound?

    /// nil for a payload without a transaction.
    init?(_ whole: Payload, _ store: HotStore) throws {
        guard case .transaction(let payload) = whole.content else { return nil }
        self.payload = whole.bytes
        digest = GuardHash.payload(whole.bytes)
        round = whole.guardRound
        signer = try RequestedSigner(payload.signer, store)
        genesisHash = payload.genesisHash
        var reader = SCALEReader(payload.body)
        proof = payload.hasProof ? try MetadataProof(from: &reader) : nil
        call = try reader.byteVector()
        extensions = reader.rest()
    }

    /// The transactions of a payload, one or a batch.
    static func all(in bytes: [UInt8], _ store: HotStore) throws -> [SignedRequest] {
        let payload = try Payload(bytes)
        let each =
            switch payload.signable {
            case .transaction: [payload]
            case .bulk(let several): several
            case .message, nil: throw HotError.notATransaction
            }
        return try each.map {
            guard let request = try SignedRequest($0, store) else { throw HotError.notATransaction }
            return request
        }
    }

    /// The bytes that the signature is over.
    var message: [UInt8] { Extrinsics.signedMessage(of: call + extensions) }

    /// Whether these are the signatures of these transactions, each of its own and none missing.
    static func match(_ requests: [SignedRequest], _ signatures: [MultiSignature]) -> Bool {
        requests.count == signatures.count && zip(requests, signatures).allSatisfy { $0.isSigned(by: $1) }
    }

    func isSigned(by signature: MultiSignature) -> Bool {
        // An answer marks an Ethereum-style signature as ecdsa.
        guard signature.scheme == (signer.scheme == .ethereum ? .ecdsa : signer.scheme) else { return false }
        return signer.signed(message, with: signature.bytes)
    }

    /// The extrinsic, encoded with the metadata of the transaction's runtime.
    func extrinsic(_ signature: MultiSignature, store: HotStore) throws -> [UInt8] {
        try SignedExtrinsic.bytes(
            signer: SignedExtrinsic.account(signer.payloadKey, scheme: signer.scheme), scheme: signer.scheme,
            signature: signature.bytes,
            call: call,
            extensions: extensions, metadata: try metadata(store))
    }

    func decoded(store: HotStore) throws -> DecodedTransaction {
        let network = try owner(store)
        let body = TransactionPayload.body(call: call, extensions: extensions)
        return try Extrinsics.decode(body: body, metadata: try metadata(store), specs: network.specs)
    }

    /// What its result is read by, once it is in a block.
    func check(_ quorum: QuorumOptions, strict: Bool, _ pool: NodePool, _ store: HotStore) throws
        -> ResultCheck
    {
        let (metadata, source) = try stored(store)
        return ResultCheck(
            metadata: metadata, format: source.format, origin: source.origin, specs: try owner(store).specs,
            quorum: quorum, strict: strict, pool: pool)
    }

    func owner(_ store: HotStore) throws -> HotNetwork {
        guard let name = try store.name(genesis: genesisHash, scheme: signer.scheme) else {
            throw HotError.unknownGenesis(genesisHash)
        }
        return try store.network(name)
    }

    func metadata(_ store: HotStore) throws -> RuntimeMetadata { try stored(store).metadata }

    private func stored(_ store: HotStore) throws -> (metadata: RuntimeMetadata, source: HotMetadata) {
        let name = try owner(store).name
        let types = try store.legacyTypes()
        let source = try store.metadata(of: name)
        let newest = try RuntimeMetadata(source.blob, types: types)
        let body = TransactionPayload.body(call: call, extensions: extensions)
        guard
            let version = try proof?.extraInfo.specVersion
                ?? Extrinsics.announcedVersion(body: body, metadata: newest)
        else {
            return (newest, source)
        }
        if version == newest.runtimeVersion.specVersion { return (newest, source) }
        let older = try store.metadata(of: name, version: version)
        return (try RuntimeMetadata(older.blob, types: types), older)
    }
}
