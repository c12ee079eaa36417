import Accounts
import Cards
import Extrinsics
import Hashing
import History
import Metadata
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// Turns payloads that ask for signatures into cards. Reviewing changes nothing.
public struct TransactionReview {
    /// What a person adds to the knowledge of the vault.
    public struct Additions: Sendable {
        /// Full calls, for calls that carry only a hash.
        public var knownCalls: [[UInt8]] = []
        /// Whether a metadata proof alone may introduce a network; the log keeps that it did.
        public var acceptsProvedNetwork = false
        /// Whether a key that the vault has not derived yet may sign on a network that no key of its seed is
        /// allowed on.
        public var acceptsNewKey = false
        /// Keys of a phrase that a person gave for this review.
        public var unstored: [UnstoredKey] = []

        public init() {}
    }

    /// Who would sign what is reviewed.
    public enum Signing: Sendable, Equatable {
        /// A key of this vault.
        case alone
        /// This machine for the group with this transcript, together with others.
        case member(of: Hash32)
    }

    let data: ChainData
    let additions: Additions
    let signing: Signing

    public init(_ data: ChainData, additions: Additions = Additions(), signing: Signing = .alone) {
        self.data = data
        self.additions = additions
        self.signing = signing
    }

    /// - `reserved`: what may still be signed besides, and is counted before it.
    public func review(_ payload: Payload, reserving reserved: [ReviewedTransaction] = []) throws
        -> [ReviewedTransaction]
    {
        let items = try data.withinBudgets(
            data.ageing(data.remembering(read(payload))), reserving: reserved)
        return try items.map { alone in
            // After the review of the transaction alone: nothing of it depends on the proof, and a proof that
            // fails refuses the payload, because the person was to see what it proves.
            let item =
                try payload.state.map { alone.proving(try StateReview($0, beside: alone, data)) } ?? alone
            // Last, because a policy can only forbid more for what is proven, or is not.
            guard item.refusal == nil, let violation = try data.policy()?.stateViolation(of: item) else {
                return item
            }
            return item.refusing(.policy(violation))
        }
    }

    /// The same without history and budgets.
    func unbudgeted(_ payload: Payload) throws -> [ReviewedTransaction] { try read(payload) }

    private func read(_ payload: Payload) throws -> [ReviewedTransaction] {
        switch payload.signable {
        case .transaction(let transaction): [try review(transaction, payload: payload.bytes)]
        case .message(let message): [try review(message, payload: payload.bytes)]
        case .bulk(let inner): try read(inner)
        case nil: []
        }
    }

    /// All transactions of a bulk are shown together, so they share one limit.
    private func read(_ bulk: [Payload]) throws -> [ReviewedTransaction] {
        var budget = CardBudget(payload: bulk.reduce(0) { $0 + $1.bytes.count })
        var all: [ReviewedTransaction] = []
        for payload in bulk {
            for reviewed in try read(payload) {
                for card in reviewed.cards.all { budget.spend(on: card) }
                guard !budget.isSpent else {
                    throw ReviewError.transaction(
                        ExtrinsicError(.tooMuchToShow, place: "bulk"), network: reviewed.shownNetwork ?? "")
                }
                all.append(reviewed)
            }
        }
        return all
    }

    private func review(_ transaction: TransactionPayload, payload: [UInt8]) throws -> ReviewedTransaction {
        let reading =
            transaction.hasProof ? try readWithProof(transaction) : try readWithMetadata(transaction)
        let (decoded, specs) = (reading.decoded, reading.specs)
        let key = data.state.key(for: transaction.signer, network: specs)
        let underived = key == nil ? data.state.underivedKey(of: transaction.signer, network: specs) : nil
        let unstored = key == nil && underived == nil ? unstored(transaction.signer) : nil
        let scheme = key?.publicKey.scheme ?? underived?.scheme ?? transaction.signer.scheme
        let account = transaction.signer.account(record: key)
        return ReviewedTransaction(
            .transaction(reading), payload: payload,
            cards: cards(
                of: reading, signer: transaction.signer, key: key, underived: underived, unstored: unstored),
            signer: transaction.signer,
            signatory: key.map { .held($0) } ?? underived.map { .underived($0) }
                ?? unstored.map { .unstored($0) } ?? .stranger,
            signingBytes: decoded.signingBytes,
            refusal: try formRefusal(decoded.signingBytes, .transaction, scheme, account: account)
                ?? refusal(
                    key: key, underived: underived, unstored: unstored, specs: specs, reading: reading
                ) { policy in
                    policy.violation(of: decoded, on: specs, signer: account)
                })
    }

    /// The key that a person gave for a signer.
    private func unstored(_ signer: SignerReference) -> UnstoredKey? {
        additions.unstored.first { $0.isNamed(by: signer) }
    }

    private func cards(
        of reading: TransactionReading, signer: SignerReference, key: KeyRecord?, underived: UnderivedKey?,
        unstored: UnstoredKey?
    ) -> CardSet {
        let (decoded, specs) = (reading.decoded, reading.specs)
        var cards = CardSet()
        cards.author = [
            underived.map { data.state.authorCard($0, specs: specs) }
                ?? data.state.authorCard(signer, key: key, unstored: unstored, specs: specs)
        ]
        // No key is allowed on a network that only the proof speaks for; that has a warning of its own.
        let permission = reading.provedNetwork == nil ? specs : nil
        cards.warning =
            underived == nil
            ? data.state.signerWarnings(key: key, unstored: unstored, specs: permission)
            : [Card(warning: .keyNotDerived)]
        cards.warning +=
            data.state.versionWarnings(specs: specs, version: decoded.runtimeVersion.specVersion)
            + decoded.warnings
        if let proved = reading.provedNetwork { cards.warning.append(Card(proved, specs)) }
        cards.warning += Card(warningOf: reading.provenance).map { [$0] } ?? []
        cards.method = data.state.labelled(decoded.method, genesis: specs.genesisHash)
        cards.warning += CallShape.warnings(decoded.method)
        if decoded.summary.hasRemarkWithoutLength {
            cards.warning.append(Card(.warning(.unusualCall(.remarkWithoutLength))))
        }
        // A tip leaves the account as an amount does, and stands in no total.
        if let tip = decoded.facts.tip, tip > decoded.summary.nativeTotal {
            cards.warning.append(Card(warning: .tipAboveAmounts))
        }
        cards.extensions = data.state.labelled(decoded.extensions, genesis: specs.genesisHash).map {
            $0.marked(specs, reading.provedNetwork)
        }
        return cards
    }

    private func review(_ message: MessagePayload, payload: [UInt8]) throws -> ReviewedTransaction {
        let specs = try message.genesisHash.map { try data.specs(genesis: $0, scheme: message.signer.scheme) }
        if let network = networkReading(message.content) {
            throw ReviewError.messageIsTransaction(network: network)
        }
        let key = data.state.key(for: message.signer, network: specs)
        let unstored = key == nil ? unstored(message.signer) : nil
        var cards = CardSet()
        cards.author = [
            data.state.authorCard(message.signer, key: key, unstored: unstored, specs: specs)
        ]
        cards.warning = data.state.signerWarnings(key: key, unstored: unstored, specs: specs)
        if !message.content.isEmpty, String.printable(Array(message.content)) == nil {
            cards.warning.append(Card(warning: .unreadableMessage))
        }
        cards.message = [try message.card()]
        return ReviewedTransaction(
            .message(specs), payload: payload, cards: cards, signer: message.signer,
            signatory: key.map { .held($0) } ?? unstored.map { .unstored($0) } ?? .stranger,
            signingBytes: message.tagged,
            refusal: try formRefusal(
                message.tagged, .message, key?.publicKey.scheme ?? message.signer.scheme,
                account: message.signer.account(record: key))
                ?? refusal(key: key, underived: nil, unstored: unstored, specs: specs, reading: nil) {
                    policy in
                    policy.violation(
                        ofMessage: message.content, on: specs, signer: message.signer.account(record: key))
                })
    }

    private func formRefusal(
        _ bytes: [UInt8], _ subject: ReviewedTransaction.Subject, _ scheme: SignatureScheme, account: [UInt8]?
    ) -> ReviewError? {
        if SigningMessage.isOfOwnDomain(bytes, subject) { return .ownDomain }
        if let form = SigningMessage.statementForm(of: bytes, subject, account: account) {
            return .otherStatement(form)
        }
        if let form = SigningMessage.ed25519Form(of: bytes, subject, scheme: scheme, account: account) {
            return .ed25519Payload(form)
        }
        if let form = SigningMessage.hashedForm(of: bytes, subject, scheme: scheme) {
            return .hashedPayload(form)
        }
        return SigningMessage.ethereumForm(of: bytes, subject, scheme: scheme).map { .ethereumPayload($0) }
    }

    /// Why a payload that is shown may not be signed.
    private func refusal(
        key: KeyRecord?, underived: UnderivedKey?, unstored: UnstoredKey?, specs: NetworkSpecs?,
        reading: TransactionReading?,
        violation: (TransactionPolicy) -> TransactionPolicy.Violation?
    ) throws -> ReviewError? {
        let shown = specs?.shownName(reading?.provedNetwork) ?? ""
        if let reading,
            let refusal = data.otherNetwork(
                in: reading.decoded.signingBytes, of: reading.specs, shownAs: shown)
        {
            return refusal
        }
        guard key != nil || underived != nil || unstored != nil else { return .unknownSigner }
        switch (signing, key?.group) {
        case (.alone, nil): break
        case (.alone, let group?): return .accountOfGroup(data.state.group(group)?.name ?? "")
        // A member gives its share for accounts of that group only, never with a key of its own seed.
        case (.member(let group), let held): guard held == group else { return .unknownSigner }
        }
        if let holder = unstored.flatMap({ data.state.holder(of: $0) }) { return .phraseIsStored(holder) }
        // Before the policy, which can only forbid more.
        if let reading, let refusal = data.demandRefusal(reading.decoded, of: reading.specs, reading.voucher)
        {
            return refusal
        }
        if let policy = try data.policy() {
            if let violation = violation(policy) { return .policy(violation.naming(shown)) }
            if let reading,
                policy.requireMetadataHash?.believes(reading.decoded.hashCheck, reading.voucher) == false
            {
                return .policy(.metadataHash(reading.decoded.hashCheck))
            }
            // The list has names.
            if policy.networks != nil, let specs, !data.state.isNamedAlone(specs) {
                return .policy(.networkUncertain(shown))
            }
        }
        guard let specs else { return nil }
        if let proved = reading?.provedNetwork, !additions.acceptsProvedNetwork {
            return .networkOnlyProved(
                shown, addable: data.isAddable(proved, specs.genesisHash) ? specs.genesisHash : nil)
        }
        // No record says which networks the key is for.
        if unstored != nil { return nil }
        guard let key else {
            let isSeedThere = data.state.keys(seed: underived?.seed ?? "").contains {
                $0.networks.contains(specs.genesisHash)
            }
            return isSeedThere || additions.acceptsNewKey ? nil : .newKey(network: shown)
        }
        return reading?.provedNetwork != nil || key.networks.contains(specs.genesisHash)
            ? nil : .keyNotAllowed(network: specs.name)
    }

    /// The network whose metadata decodes the bytes of a message as a transaction.
    private func networkReading(_ content: ArraySlice<UInt8>) -> String? {
        let record = data.state.metadata.first { record in
            guard let metadata = try? data.metadata(record) else { return false }
            return Extrinsics.looksLikeTransaction(content, metadata: metadata)
        }
        return record.flatMap { data.state.networks(genesis: $0.genesis).first?.name }
    }
}

// MARK: Reading a transaction

extension TransactionReview {
    /// - Parameter version: of the runtime that the transaction is for.
    private func context(_ signer: SignerReference, _ specs: NetworkSpecs, version: UInt32) -> DecodingContext
    {
        var context = DecodingContext(
            signer: signer.account(record: data.state.key(for: signer, network: specs)),
            knownCalls: additions.knownCalls,
            assets: data.state.assetUnits(genesis: specs.genesisHash), knownChains: data.knownChains)
        guard context.assets != nil else { return context }
        // A proof does not name the pallets that its call does not use. Held metadata does, best that of the
        // same version.
        let records = records(specs)
        if let record = records.first(where: { $0.version == version }) ?? records.first {
            context.pallets = (try? data.metadata(record))?.palletNames ?? [:]
        }
        return context
    }

    /// Newest first.
    private func records(_ specs: NetworkSpecs) -> [MetadataRecord] {
        data.state.metadata(genesis: specs.genesisHash).sorted { $0.version > $1.version }
    }

    /// The proof carries its types; the network's specs come from the vault, or for showing only from the
    /// proof.
    private func readWithProof(_ transaction: TransactionPayload) throws -> TransactionReading {
        var reader = SCALEReader(transaction.body)
        let proof = try MetadataProof(from: &reader)
        let scheme = transaction.signer.scheme
        let known = try data.specsIfKnown(genesis: transaction.genesisHash, scheme: scheme)
        let specs = known ?? NetworkSpecs(proof, genesisHash: transaction.genesisHash, scheme: scheme)
        let body = reader.rest()
        do {
            let context = context(transaction.signer, specs, version: proof.extraInfo.specVersion)
            let decoded = try Extrinsics.decode(body: body, proof: proof, specs: specs, context: context)
            var vouching = Vouching.nobody
            for record in records(specs) where record.version == proof.extraInfo.specVersion {
                guard try requireAgreement(decoded, proof, record, body: body, specs, context) else {
                    continue
                }
                vouching = Vouching(data.state.voucher(genesis: specs.genesisHash, format: 15))
            }
            // After the hash: a proof that the signed bytes do not commit to says nothing that could be
            // compared.
            return TransactionReading(
                decoded: decoded, specs: specs, metadataHash: proof.hash,
                voucher: data.state.voucher(genesis: specs.genesisHash, format: 15), vouching: vouching,
                proved: known == nil ? try ProvedNetwork(specs) : nil)
        } catch let error as ExtrinsicError {
            // A proof that differs from the list is told as what it is before its name is shown.
            throw ReviewError.transaction(
                error, network: specs.shownName(known == nil ? try ProvedNetwork(specs) : nil))
        }
    }

    /// Stored metadata of the same network and version must agree with the proof. Format 15 has the digest
    /// that the proof leads to. Other formats have none, or may have another one, so for them both readings
    /// are compared.
    /// - Returns: whether the metadata has the digest. Equal readings prove nothing about unused parts of the
    ///   proof.
    private func requireAgreement(
        _ decoded: DecodedTransaction, _ proof: MetadataProof, _ record: MetadataRecord, body: [UInt8],
        _ specs: NetworkSpecs,
        _ context: DecodingContext
    ) throws -> Bool {
        let metadata = try stored(record, network: specs.name)
        let hasDigest = metadata.version == 15
        let agrees =
            hasDigest
            ? try MetadataDigest(of: metadata, extraInfo: proof.extraInfo).hash == proof.hash
            : Extrinsics.readsAlike(decoded, body: body, metadata: metadata, specs: specs, context: context)
        guard agrees else {
            throw ReviewError.heldMetadataDiffers(network: specs.name, version: record.version)
        }
        return hasDigest
    }

    /// Stored metadata reads a transaction if it finds its own version among the extensions. If two do, they
    /// show two transactions, and nothing tells which one the chain reads.
    private func readWithMetadata(_ transaction: TransactionPayload) throws -> TransactionReading {
        let specs = try knownSpecs(of: transaction)
        let records = records(specs)
        guard let newest = records.first else { throw ReviewError.noMetadata(network: specs.name) }
        var announced: UInt32?
        var readers: [(record: MetadataRecord, metadata: RuntimeMetadata)] = []
        var firstFailure: ExtrinsicError?
        for record in records {
            let metadata = try stored(record, network: specs.name)
            do throws(ExtrinsicError) {
                let version = try Extrinsics.announcedVersion(body: transaction.body, metadata: metadata)
                announced = announced ?? version
                if version == record.version { readers.append((record, metadata)) }
            } catch {
                firstFailure = firstFailure ?? error
            }
        }
        guard readers.count < 2 else {
            throw ReviewError.severalVersions(network: specs.name, versions: readers.map(\.record.version))
        }
        guard let (record, metadata) = readers.first else {
            // Where no stored layout fits, the usual one may say which version this is for.
            if let announced = announced ?? likelyVersion(of: transaction, firstFailure),
                !records.contains(where: { $0.version == announced })
            {
                throw ReviewError.metadataVersionMissing(
                    network: specs.name, version: announced, newest: newest.version)
            }
            throw ReviewError.transaction(
                firstFailure ?? ExtrinsicError(.noSpecVersion, place: "extensions"), network: specs.name)
        }
        do throws(ExtrinsicError) {
            let decoded = try Extrinsics.decode(
                body: transaction.body, metadata: metadata, specs: specs,
                context: context(transaction.signer, specs, version: record.version))
            let voucher = data.state.voucher(genesis: specs.genesisHash, format: metadata.version)
            return TransactionReading(
                decoded: decoded, specs: specs, metadataHash: record.hash, voucher: voucher,
                vouching: Vouching(voucher))
        } catch {
            throw ReviewError.transaction(error, network: specs.name)
        }
    }

    /// nil where the runtime itself states no version.
    private func likelyVersion(of transaction: TransactionPayload, _ failure: ExtrinsicError?) -> UInt32? {
        if let failure, failure.reason == .noSpecVersion { return nil }
        return UsualTail.version(body: transaction.body, genesis: transaction.genesisHash)
    }

    private func stored(_ record: MetadataRecord, network: String) throws -> RuntimeMetadata {
        do {
            return try data.metadata(record)
        } catch let error as MetadataError {
            throw ReviewError.storedMetadata(error, network: network, version: record.version)
        }
    }

    private func knownSpecs(of transaction: TransactionPayload) throws(ReviewError) -> NetworkSpecs {
        do {
            return try data.specs(genesis: transaction.genesisHash, scheme: transaction.signer.scheme)
        } catch {
            if case .unknownNetwork = error, let network = networkOfCut(transaction) {
                throw .cut(network: network)
            }
            throw error
        }
    }

    /// A payload that was cut ends in some bytes of its extensions where a genesis hash should be. It is told
    /// from one of an unknown network by reading everything as extensions of the networks that are known: a
    /// cut one ends early.
    private func networkOfCut(_ transaction: TransactionPayload) -> String? {
        let tail = transaction.body + transaction.genesisHash.bytes
        for record in data.state.metadata {
            guard let metadata = try? data.metadata(record) else { continue }
            do throws(ExtrinsicError) {
                _ = try Extrinsics.announcedVersion(body: tail, metadata: metadata)
            } catch {
                switch error.reason {
                case .encoding(.truncated): break
                case .leftoverAfterExtensions(let count) where count < transaction.genesisHash.bytes.count:
                    break
                case .encoding(.leftover), .encoding(.compactNotShortest), .encoding(.compactTooWide),
                    .encoding(.invalidDiscriminant),
                    .encoding(.invalidUTF8), .encoding(.countExceedsInput), .metadata, .tooDeep, .tooMany,
                    .malformedValue,
                    .leftoverAfterCall, .leftoverAfterExtensions, .noSpecVersion, .noGenesis,
                    .repeatedExtension, .specVersionMismatch,
                    .genesisMismatch, .immortalBlockHash, .metadataHashInconsistent, .metadataHashMismatch,
                    .metadataHashDisabled,
                    .metadataHashNotAtEnd, .specsMismatch, .unitWithoutLetter, .opaqueLength,
                    .notDeterminedByCards, .tooMuchToShow,
                    .extrinsicVersion, .extensionVersion, .signsInExtension:
                    continue
                }
            }
            return data.state.networks(genesis: record.genesis).first?.name
        }
        return nil
    }
}

/// The values that nearly every chain signs after the call, in the order of the SDK's own extensions: spec
/// version and transaction version (u32 each, little-endian), genesis hash, block hash. It is only good for
/// saying which metadata is missing, never for reading a transaction.
enum UsualTail {
    /// The spec version before the last genesis hash of a body whose layout is not known; nil if it is
    /// missing or not a likely number. An immortal transaction has the genesis hash twice in a row.
    static func version(body: [UInt8], genesis: GenesisHash) -> UInt32? {
        let hash = genesis.bytes
        func isGenesis(at start: Int) -> Bool {
            start >= 0 && body[start..<(start + hash.count)].elementsEqual(hash)
        }
        guard body.count >= hash.count + 8 else { return nil }
        guard var start = (8...(body.count - hash.count)).last(where: isGenesis) else { return nil }
        if isGenesis(at: start - hash.count) { start -= hash.count }
        guard start >= 8 else { return nil }
        let version = number(body[(start - 8)..<(start - 4)])
        let isLikely = version > 0 && version < 1 << 30 && number(body[(start - 4)..<start]) < 1 << 16
        return isLikely ? version : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
