import SubstratePrimitives
import TestSupport
import UOS

/// Contents of payloads: the same values at every run.
struct Generator: RandomNumberGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { random.next() }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// Lengths on both sides of the borders of a compact length.
    mutating func bytes() -> [UInt8] { bytes([0, 1, 5, 63, 64, 300, 16_384].randomElement(using: &self)!) }

    mutating func text() -> String {
        ["", "//a", "//0//1", "/soft", "é//ü", "a b", "//polkadot//0"].randomElement(using: &self)!
    }

    mutating func hash() -> GenesisHash { GenesisHash(bytes(32))! }

    mutating func scheme() -> SignatureScheme { SignatureScheme.allCases.randomElement(using: &self)! }

    /// Of a scheme that MultiSigner has.
    mutating func key() -> PublicKey {
        let scheme = [SignatureScheme.ed25519, .sr25519, .ecdsa].randomElement(using: &self)!
        return PublicKey(scheme: scheme, bytes: bytes(scheme.publicKeyLength))!
    }

    mutating func several<T>(_ counts: ClosedRange<Int>, _ element: (inout Generator) -> T) -> [T] {
        (0..<Int.random(in: counts, using: &self)).map { _ in element(&self) }
    }
}

// MARK: Payloads

extension Generator {
    mutating func signer() -> SignerReference {
        let scheme = scheme()
        return SignerReference(scheme: scheme, payloadKey: bytes(scheme.payloadKeyLength))!
    }

    mutating func derivedSigner() -> SignerReference {
        .derived(root: PublicKey(scheme: .sr25519, bytes: bytes(32))!, path: text(), scheme: scheme())
    }

    mutating func transaction(_ signer: SignerReference, hasProof: Bool) -> Payload.Content {
        let proof = hasProof ? bytes() : nil
        return .transaction(
            TransactionPayload(
                signer: signer, proof: proof, call: bytes(), extensions: bytes(), genesisHash: hash()))
    }

    mutating func signature() -> UpdateSignature? {
        guard Bool.random(using: &self) else { return nil }
        let key = key()
        return UpdateSignature(key: key, signature: bytes(key.scheme.signatureLength))
    }

    mutating func update(_ content: UpdatePayload.Content) -> Payload.Content {
        .update(UpdatePayload(content, signature: signature()))
    }

    mutating func specs() -> NetworkSpecs {
        NetworkSpecs(
            name: text(), title: text(), base58Prefix: UInt16.random(in: 0...UInt16.max, using: &self),
            decimals: UInt8.random(in: 0...255, using: &self), unit: text(), genesisHash: hash(),
            scheme: scheme(), pathID: text(),
            logo: text(), color: text(), secondaryColor: text())
    }

    mutating func seed() -> SeedInfo {
        let keys = several(0...3) { generator in
            let path = Bool.random(using: &generator) ? generator.text() : nil
            return SeedInfo.DerivedKey(
                address: generator.text(), path: path, scheme: generator.scheme(),
                genesisHash: generator.hash())
        }
        return SeedInfo(name: text(), root: key(), keys: keys)
    }

    mutating func export() -> ExportAddrs {
        if Bool.random(using: &self) { return ExportAddrs(seeds: several(0...3) { $0.seed() }) }
        let features: [[ExportAddrs.Feature]] = [
            [], [.bulkOperations], [.dynamicDerivations], [.bulkOperations, .dynamicDerivations],
        ]
        return ExportAddrs(seed: seed(), features: features.randomElement(using: &self)!)
    }

    mutating func pathList() -> PathList {
        PathList(scheme: scheme(), genesisHash: hash(), paths: several(0...4) { $0.text() })
    }

    mutating func request() -> DynamicDerivationsRequest {
        let entries = several(0...3) { generator in
            DynamicDerivationsRequest.Entry(
                path: generator.text(), scheme: generator.scheme(), genesisHash: generator.hash())
        }
        return DynamicDerivationsRequest(root: key(), entries: entries)
    }

    mutating func response() -> DynamicDerivationsResponse {
        let derived = several(0...3) { generator in
            DynamicDerivationsResponse.Derived(
                path: generator.text(), scheme: generator.scheme(), key: generator.key())
        }
        return DynamicDerivationsResponse(root: key(), derived: derived)
    }

    /// What a payload of this code carries; nil for a code that no payload is read with.
    mutating func content(_ code: PayloadCode) -> Payload.Content? {
        switch code {
        // Claims, state proofs and guarded rounds are no content: they are taken off the payload that has
        // one. Neither are compressed metadata, which ``PackedPayload`` expands, and an answer.
        case .transactionHash, .claimedFacts, .stateProof, .guardCommitment, .guardReveal, .guardPoint,
            .loadMetadataCompressed:
            return nil
        case .transactionMortal, .transaction: return transaction(signer(), hasProof: false)
        case .transactionWithProof: return transaction(signer(), hasProof: true)
        case .derivedTransaction: return transaction(derivedSigner(), hasProof: false)
        case .derivedTransactionWithProof: return transaction(derivedSigner(), hasProof: true)
        case .message:
            return .message(MessagePayload(signer: signer(), content: bytes(), genesisHash: hash()))
        case .anyNetworkMessage:
            return .message(MessagePayload(signer: signer(), content: bytes(), genesisHash: nil))
        case .bulk: return .bulk(several(1...4) { $0.member() })
        case .loadMetadata: return update(.loadMetadata(blob: bytes(), genesisHash: hash()))
        case .loadTypes: return update(.loadTypes(bytes()))
        case .loadAssets: return update(.loadAssets(bytes()))
        case .addSpecs: return update(.addSpecs(specs()))
        case .contactList: return .contactList(contactList())
        case .groupHost, .groupProposal, .groupContribution, .groupContributions, .groupConfirmation,
            .groupRecord, .groupRequest,
            .groupCommitment, .groupPackage, .groupShare:
            return .group(group(code)!)
        case .importDerivations:
            return Bool.random(using: &self) ? .importPaths(pathList()) : .importDerivations(export())
        case .derivationsRequest: return .derivationsRequest(request())
        }
    }

    /// A payload of any code that a bulk may hold.
    private mutating func member() -> Payload {
        let codes: [PayloadCode] = [
            .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
            .derivedTransactionWithProof, .message,
            .anyNetworkMessage,
        ]
        return payload(codes.randomElement(using: &self)!)!
    }

    /// A payload that reads back, with a prelude that its code allows; nil for a code that no payload is read
    /// with.
    mutating func payload(_ code: PayloadCode) -> Payload? {
        guard let content = content(code) else { return nil }
        return try! Payload(content.encoded(prelude: prelude(code, of: content)))
    }

    /// The same as bytes, compressed metadata among them.
    mutating func encoded(_ code: PayloadCode) -> [UInt8]? {
        code == .loadMetadataCompressed ? compressed().encoded() : payload(code)?.bytes
    }

    mutating func compressed() -> CompressedMetadata {
        let length = UInt32.random(in: 0...UInt32.max, using: &self)
        return CompressedMetadata(
            frame: bytes(), length: length, genesisHash: hash(), signature: signature())
    }

    /// Any scheme where no key follows, `03` for an ecdsa key of an update, the code itself.
    mutating func prelude(_ code: PayloadCode, of content: Payload.Content) -> Prelude {
        let scheme = content.prelude.scheme
        switch content {
        case .transaction, .message, .contactList, .group: return Prelude(scheme: scheme, code: code)
        case .bulk, .importDerivations, .importPaths, .derivationsRequest:
            return Prelude(scheme: Bool.random(using: &self) ? nil : self.scheme(), code: code)
        case .update:
            return Prelude(
                scheme: scheme == .ecdsa && Bool.random(using: &self) ? .ethereum : scheme, code: code)
        }
    }
}

// MARK: Claims

extension Generator {
    /// Each field is there or not, and at its ends as often as between them.
    mutating func claims() -> ClaimedFacts {
        func field<T: FixedWidthInteger & UnsignedInteger>(_: T.Type, _ generator: inout Generator) -> T? {
            [nil, 0, 1, T.max, T.random(in: 0...T.max, using: &generator)].randomElement(using: &generator)!
        }
        var claims = ClaimedFacts()
        claims.fee = field(UInt128.self, &self)
        claims.balance = field(UInt128.self, &self)
        claims.existentialDeposit = field(UInt128.self, &self)
        claims.balanceAfter = field(UInt128.self, &self)
        claims.block = field(UInt64.self, &self)
        claims.time = field(UInt64.self, &self)
        return claims
    }
}

extension Generator {
    mutating func contactEntry() -> ContactList.Entry {
        let label = ["a", "Exchange, cold", "é", String(repeating: "x", count: ContactList.maximumLabel)]
            .randomElement(using: &self)!
        let note = ["", "paid monthly", String(repeating: "n", count: ContactList.maximumNote)].randomElement(
            using: &self)!
        return ContactList.Entry(
            account: bytes(Bool.random(using: &self) ? 20 : 32), label: label, note: note,
            networks: several(0...3) { $0.hash() })
    }

    mutating func contactList() -> ContactListPayload {
        let scheme = scheme()
        let issuer = PublicKey(scheme: scheme, bytes: bytes(scheme.publicKeyLength))!
        let number = UInt32.random(in: 0...UInt32.max, using: &self)
        let list = try! ContactList(
            issuer: issuer, number: number, entries: several(0...5) { $0.contactEntry() })
        return ContactListPayload(list, signature: bytes(scheme.signatureLength))
    }
}

// MARK: Answers

enum AnswerKind: CaseIterable {
    case transaction, message, bulk, derivations, guardPoint

    init(_ answer: Answer) {
        switch answer {
        case .transaction: self = .transaction
        case .message: self = .message
        case .bulk: self = .bulk
        case .derivations: self = .derivations
        case .guardPoint: self = .guardPoint
        }
    }
}

extension Generator {
    mutating func multiSignature() -> MultiSignature {
        let scheme = scheme()
        return MultiSignature(scheme: scheme, bytes: bytes(scheme.signatureLength))
    }

    mutating func answer(_ kind: AnswerKind) -> Answer {
        switch kind {
        case .transaction: return .transaction(multiSignature())
        case .message:
            // The first byte of an ecdsa signature that no MultiSignature starts with.
            return .message(
                Bool.random(using: &self) ? bytes(64) : [UInt8.random(in: 2...255, using: &self)] + bytes(64))
        case .bulk: return .bulk(several(0...5) { $0.multiSignature() })
        case .derivations: return .derivations(response())
        case .guardPoint:
            let scheme = Bool.random(using: &self) ? SignatureScheme.sr25519 : .ed25519
            return .guardPoint(
                GuardPoint(scheme: scheme, commitment: bytes(32), payload: bytes(32), point: bytes(32)))
        }
    }
}

extension Generator {
    /// Every kind of item with arguments by chance.
    mutating func stateItem() -> StateItem {
        switch UInt8.random(in: 2...15, using: &self) {
        case 2: .account(hash())
        case 3: .assetMetadata(UInt32(truncatingIfNeeded: next()))
        case 4: .assetAccount(UInt32(truncatingIfNeeded: next()), hash())
        case 5: .foreignMetadata(bytes(Int.random(in: 0...70, using: &self)))
        case 6: .foreignAccount(bytes(Int.random(in: 0...70, using: &self)), hash())
        case 7: .proxies(hash())
        case 8: .multisig(hash(), callHash: hash())
        case 9: .bonded(hash())
        case 10: .ledger(hash())
        case 11: .nextKeys(hash())
        case 12: .identity(hash())
        case 13: .superIdentity(hash())
        case 14: .codeHash
        default: .migration
        }
    }

    mutating func stateEnvelope() -> StateEnvelope {
        let items = several(0...8) { $0.stateItem() }
        let hop =
            Bool.random(using: &self)
            ? StateHop(para: UInt32(truncatingIfNeeded: next()), items: several(0...4) { $0.stateItem() })
            : nil
        return StateEnvelope(
            header: bytes(Int.random(in: 0...300, using: &self)), items: items, hop: hop,
            nodes: several(0...5) { $0.bytes([0, 1, 63, 64, 300].randomElement(using: &$0)!) })
    }
}
