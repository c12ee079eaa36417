import SCALE
import SubstratePrimitives

extension Payload.Content {
    /// The payload as a sender writes it.
    ///
    /// The inverse of ``Payload/init(_:)``: a payload that was read is its content encoded with its prelude,
    /// byte for byte.
    /// - Parameter prelude: ``prelude``, unless the content allows others: `00` for `02` of a transaction,
    ///   scheme `03` for `02` of an update, any scheme where no key follows.
    public func encoded(prelude: Prelude? = nil) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw((prelude ?? self.prelude).bytes)
            encodeBody(into: &writer)
        }
    }

    /// The prelude that this content is sent with.
    public var prelude: Prelude {
        switch self {
        case .transaction(let transaction): Prelude(scheme: transaction.signer.scheme, code: transaction.code)
        case .message(let message):
            Prelude(
                scheme: message.signer.scheme,
                code: message.genesisHash == nil ? .anyNetworkMessage : .message)
        case .bulk: Prelude(scheme: nil, code: .bulk)
        case .update(let update): Prelude(scheme: update.signature?.key.scheme, code: update.content.code)
        case .contactList(let list): Prelude(scheme: list.signature.key.scheme, code: .contactList)
        case .group(let message): Prelude(scheme: message.scheme, code: message.code)
        case .importDerivations, .importPaths: Prelude(scheme: nil, code: .importDerivations)
        case .derivationsRequest: Prelude(scheme: nil, code: .derivationsRequest)
        }
    }

    private func encodeBody(into writer: inout SCALEWriter) {
        switch self {
        case .transaction(let transaction): transaction.encode(into: &writer)
        case .message(let message): message.encode(into: &writer)
        case .bulk(let payloads):
            // The only version of the structure.
            writer.u8(0)
            writer.vector(payloads) { $0.byteVector($1.bytes.dropFirst()) }
        case .update(let update): update.encode(into: &writer)
        case .contactList(let list): list.encode(into: &writer)
        case .group(let message): writer.raw(message.bytes.dropFirst(Prelude.length))
        case .importDerivations(let export): export.encode(into: &writer)
        case .importPaths(let list): list.encode(into: &writer)
        case .derivationsRequest(let request): request.encode(into: &writer)
        }
    }
}

extension SignerReference {
    /// The key or address that a payload carries for its signer; nil when its length does not fit the scheme.
    /// - `payloadKey`: `SignatureScheme.payloadKeyLength` bytes.
    public init?(scheme: SignatureScheme, payloadKey: [UInt8]) {
        switch scheme {
        case .ed25519, .sr25519, .ecdsa:
            guard let key = PublicKey(scheme: scheme, bytes: payloadKey) else { return nil }
            self = .key(key)
        case .ethereum:
            guard payloadKey.count == scheme.payloadKeyLength else { return nil }
            self = .ethereum(address: payloadKey)
        }
    }

    /// The scheme of the signature; an Ethereum-style key is ``ethereum(address:)`` in a payload, never a
    /// ``key(_:)``.
    public var scheme: SignatureScheme {
        switch self {
        case .key(let key): key.scheme
        case .ethereum: .ethereum
        case .derived(_, _, let scheme): scheme
        }
    }

    fileprivate var isDerived: Bool {
        switch self {
        case .key, .ethereum: false
        case .derived: true
        }
    }

    fileprivate func encode(into writer: inout SCALEWriter) {
        switch self {
        case .key(let key): writer.raw(key.bytes)
        case .ethereum(let address): writer.raw(address)
        case .derived(let root, let path, _):
            writer.raw(root.bytes)
            writer.string(path)
        }
    }
}

extension TransactionPayload {
    fileprivate var code: PayloadCode {
        if signer.isDerived { return hasProof ? .derivedTransactionWithProof : .derivedTransaction }
        return hasProof ? .transactionWithProof : .transaction
    }

    fileprivate func encode(into writer: inout SCALEWriter) {
        signer.encode(into: &writer)
        writer.raw(body)
        writer.raw(genesisHash.bytes)
    }
}

extension MessagePayload {
    fileprivate func encode(into writer: inout SCALEWriter) {
        signer.encode(into: &writer)
        writer.raw(tagged)
        if let genesisHash { writer.raw(genesisHash.bytes) }
    }
}

extension UpdatePayload {
    fileprivate func encode(into writer: inout SCALEWriter) {
        writer.raw(signature?.key.bytes ?? [])
        content.encode(into: &writer)
        writer.raw(signature?.signature ?? [])
    }
}

extension UpdatePayload.Content {
    /// The code of an uncompressed update with this content.
    var code: PayloadCode {
        switch self {
        case .addSpecs: .addSpecs
        case .loadMetadata: .loadMetadata
        case .loadTypes: .loadTypes
        case .loadAssets: .loadAssets
        }
    }

    /// Metadata stands as it is signed, the others as a byte vector.
    fileprivate func encode(into writer: inout SCALEWriter) {
        switch self {
        case .addSpecs, .loadTypes, .loadAssets: writer.byteVector(signedBytes)
        case .loadMetadata: writer.raw(signedBytes)
        }
    }
}

extension CompressedMetadata {
    /// The payload as a sender writes it.
    /// - Parameter prelude: with the scheme of the key, unless it has scheme `03` for `02`.
    public func encoded(prelude: Prelude? = nil) -> [UInt8] {
        let usual = Prelude(scheme: signature?.key.scheme, code: .loadMetadataCompressed)
        return SCALEWriter.encode { writer in
            writer.raw((prelude ?? usual).bytes)
            writer.raw(signature?.key.bytes ?? [])
            writer.integer(length)
            writer.byteVector(frame)
            writer.raw(genesisHash.bytes)
            writer.raw(signature?.signature ?? [])
        }
    }
}

extension ContactListPayload {
    /// The payload as it is sent.
    public var bytes: [UInt8] { Payload.Content.contactList(self).encoded() }
}

extension StateEnvelope {
    /// Payload a8: this proof around a transaction, and around its claims where it carries some.
    /// - Parameter payload: codes 00, 02, 05, 06 and 07; a state proof that it carries is left out.
    /// - Throws: ``PayloadError/stateProof(_:)`` for every other payload
    public func around(_ payload: Payload) throws(PayloadError) -> [UInt8] {
        guard payload.prelude.code.isTransaction, payload.prelude.scheme != .ethereum else {
            throw .stateProof(.content(payload.prelude.code))
        }
        let inner = try payload.claims?.around(payload) ?? payload.bytes
        return Prelude(scheme: payload.prelude.scheme, code: .stateProof).bytes + bytes + inner
    }
}

extension GuardRound {
    /// Payload a9 or aa: this around a transaction and what stands around it already.
    /// - Parameter payload: codes 00, 02, 05, 06 and 07 of an sr25519 or ed25519 key, with claims and a state
    ///   proof or without; another round that it carries is left out.
    /// - Throws: ``PayloadError/guarded(_:)`` for every other payload
    public func around(_ payload: Payload) throws(PayloadError) -> [UInt8] {
        guard payload.prelude.code.isTransaction else { throw .guarded(.content(payload.prelude.code)) }
        try GuardFailure.check(payload.prelude.scheme)
        var inner = payload.bytes
        if let state = payload.state {
            inner = try state.around(payload)
        } else if let claims = payload.claims {
            inner = try claims.around(payload)
        }
        return Prelude(scheme: payload.prelude.scheme, code: code).bytes + bytes + inner
    }
}
