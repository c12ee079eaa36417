import Cards
import ColdStore
import Extrinsics
import Hashing
import Metadata
import SubstratePrimitives
import UOS

/// Turns payloads that ask for signatures into what a person reads. Reviewing changes nothing.
public struct TransactionReview {
    let data: ChainData

    public init(_ data: ChainData) { self.data = data }

    public func review(_ payload: Payload) throws -> [ReviewedTransaction] {
        switch payload.content {
        case .transaction(let transaction): [try review(transaction, payload: payload.bytes)]
        case .message(let message): [try review(message, payload: payload.bytes)]
        case .bulk(let inner): try inner.flatMap { try review($0) }
        case .update, .importDerivations, .derivationsRequest: []
        }
    }

    private func review(_ transaction: TransactionPayload, payload: [UInt8]) throws -> ReviewedTransaction {
        let specs: NetworkSpecs
        do {
            specs = try data.specs(genesis: transaction.genesisHash, scheme: transaction.signer.scheme)
        } catch ReviewError.unknownNetwork(let genesis) {
            if let network = networkOfCut(transaction) { throw ReviewError.cut(network: network) }
            throw ReviewError.unknownNetwork(genesis)
        }
        let (decoded, record) = try decode(transaction, specs: specs)
        let key = data.state.key(for: transaction.signer)
        var cards = CardSet()
        cards.author = [author(transaction.signer, key: key, specs: specs)]
        cards.warning = decoded.warnings + warnings(key: key, specs: specs, record: record)
        cards.method = decoded.method
        cards.extensions = decoded.extensions
        return ReviewedTransaction(
            subject: .transaction, payload: payload, cards: cards, specs: specs, specVersion: decoded.runtimeVersion.specVersion,
            metadataHash: record.hash, signer: transaction.signer, scheme: transaction.signer.scheme, key: key,
            signingBytes: decoded.signingBytes)
    }

    /// The newest stored metadata whose version is the one that the transaction announces reads it.
    private func decode(
        _ transaction: TransactionPayload, specs: NetworkSpecs
    ) throws -> (DecodedTransaction, MetadataRecord) {
        let records = data.state.metadata(genesis: specs.genesisHash).sorted { $0.version > $1.version }
        guard let newest = records.first else { throw ReviewError.noMetadata(network: specs.name) }
        var announced: UInt32?
        var firstFailure: ExtrinsicError?
        for record in records {
            guard let metadata = try? data.metadata(record) else {
                throw ReviewError.storedMetadata(network: specs.name, version: record.version)
            }
            do throws(ExtrinsicError) {
                let version = try Extrinsics.announcedVersion(body: transaction.body, metadata: metadata)
                announced = announced ?? version
                guard version == record.version else { continue }
                return (try Extrinsics.decode(body: transaction.body, metadata: metadata, specs: specs), record)
            } catch {
                firstFailure = firstFailure ?? error
            }
        }
        if let firstFailure { throw ReviewError.transaction(firstFailure, network: specs.name) }
        throw ReviewError.metadataVersionMissing(network: specs.name, version: announced ?? 0, newest: newest.version)
    }

    /// A payload that was cut ends in some bytes of its extensions where a genesis hash should be. It is told from one of an unknown network by
    /// reading everything as extensions of the networks that are known: a cut one ends early.
    private func networkOfCut(_ transaction: TransactionPayload) -> String? {
        guard !transaction.hasProof else { return nil }
        let tail = transaction.body + transaction.genesisHash.bytes
        for record in data.state.metadata {
            guard let metadata = try? data.metadata(record) else { continue }
            do throws(ExtrinsicError) {
                _ = try Extrinsics.announcedVersion(body: tail, metadata: metadata)
            } catch {
                switch error.code {
                case .encoding(.truncated): break
                case .leftoverAfterExtensions(let count) where count < transaction.genesisHash.bytes.count: break
                default: continue
                }
            }
            return data.state.networks(genesis: record.genesis).first?.name
        }
        return nil
    }

    private func review(_ message: MessagePayload, payload: [UInt8]) throws -> ReviewedTransaction {
        let specs = try message.genesisHash.map { try data.specs(genesis: $0, scheme: message.signer.scheme) }
        let key = data.state.key(for: message.signer)
        var cards = CardSet()
        cards.author = [author(message.signer, key: key, specs: specs)]
        cards.warning = warnings(key: key, specs: specs, record: nil)
        cards.message = [messageCard(Array(message.content))]
        return ReviewedTransaction(
            subject: .message, payload: payload, cards: cards, specs: specs, signer: message.signer, scheme: message.signer.scheme,
            key: key,
            signingBytes: message.tagged)
    }

    private func messageCard(_ content: [UInt8]) -> Card {
        let hex = Hex.encode(content)
        guard let text = String(validating: content, as: UTF8.self) else {
            return Card(.message, "0x" + hex, fields: [Card.Field("hex", hex), Card.Field("text", nil)])
        }
        return Card(.message, text, fields: [Card.Field("hex", hex), Card.Field("text", text)])
    }
}

// MARK: Cards of the signer

extension TransactionReview {
    private func author(_ signer: SignerReference, key: KeyRecord?, specs: NetworkSpecs?) -> Card {
        let address = signer.address(prefix: specs?.base58Prefix ?? 42)
        let publicKey = Card.Field("public_key", Hex.encode(key?.publicKey.bytes ?? signer.bytes))
        guard let key else { return Card(.authorUnknown, address, fields: [Card.Field("address", address), publicKey]) }
        return Card(
            .author, address,
            fields: [
                Card.Field("address", address), publicKey, Card.Field("seed", key.seed), Card.Field("path", key.path),
                Card.Field("has_password", .flag(key.hasPassword)), Card.Field("label", key.label),
            ])
    }

    private func warnings(key: KeyRecord?, specs: NetworkSpecs?, record: MetadataRecord?) -> [Card] {
        var cards: [Card] = []
        if key == nil { cards.append(Card(warning: .unknownAuthor)) }
        if let key, let specs, !key.networks.contains(specs.genesisHash) { cards.append(Card(warning: .keyNotForNetwork)) }
        if let specs, let record, let newest = data.state.metadata(genesis: specs.genesisHash).map(\.version).max(), newest > record.version
        {
            cards.append(Card(warning: .olderRuntime))
        }
        return cards
    }
}

/// Warnings of a review; the raw value is the stable code.
public enum ReviewWarning: String, Sendable {
    case unknownAuthor = "unknown_author"
    case keyNotForNetwork = "key_not_for_network"
    case olderRuntime = "older_runtime"

    /// What stands on the card's line.
    var line: String {
        switch self {
        case .unknownAuthor: "The signer is none of this vault's keys: shown only, not signed"
        case .keyNotForNetwork: "The signer's key is not allowed on this network: shown only, not signed"
        case .olderRuntime: "The transaction is for an older runtime than the newest one known here"
        }
    }
}

extension Card {
    init(warning: ReviewWarning) { self.init(.warning, warning.line, fields: [Field("code", warning.rawValue)]) }
}

extension TrustState {
    /// The record of the key that a payload names.
    func key(for signer: SignerReference) -> KeyRecord? {
        switch signer {
        case .key(let key): self.key(key)
        case .ethereum(let address): key(scheme: .ethereum, payloadKey: address)
        case .derived: nil
        }
    }
}
