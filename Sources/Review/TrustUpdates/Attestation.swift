import Cards
import Diagnostics
import Hashing
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// Data in the sealed store that a key of this device can sign for others.
public struct Attestation: Sendable, Equatable {
    /// What is signed.
    public enum Subject: Sendable, Equatable {
        case specs(GenesisHash, SignatureScheme)
        case metadata(GenesisHash, version: UInt32)
        case types
        case assets(GenesisHash)
    }

    /// Why there is nothing to sign.
    public enum Failure: Error, Sendable, Equatable {
        /// The store does not have it.
        case notHeld(Subject)
    }

    public let subject: Subject
    /// What the key signs: the same bytes that the signature of an update covers.
    public let signedBytes: [UInt8]
    private let facts: [LogEvent.Fact]
    private let metadataHash: Hash32?

    /// Reads the subject; large bytes have the hash that the state names.
    /// - Throws: ``Failure``, `StoreError.contentBroken`
    public init(_ subject: Subject, _ data: ChainData) throws {
        let state = data.state
        self.subject = subject
        switch subject {
        case .specs(let genesis, let scheme):
            guard let specs = state.network(genesis: genesis, scheme: scheme) else {
                throw Failure.notHeld(subject)
            }
            signedBytes = UpdatePayload.Content.addSpecs(specs).signedBytes
            facts = UpdatePlan.facts(specs, signer: nil)
            metadataHash = nil
        case .metadata(let genesis, let version):
            guard let record = state.metadata(genesis: genesis, version: version) else {
                throw Failure.notHeld(subject)
            }
            let blob = try data.content(record.hash)
            signedBytes = UpdatePayload.Content.loadMetadata(blob: blob, genesisHash: genesis).signedBytes
            facts = [LogEvent.Fact("genesis_hash", genesis.hex), LogEvent.Fact("version", String(version))]
            metadataHash = record.hash
        case .assets(let genesis):
            guard let list = state.assetLists[genesis] else { throw Failure.notHeld(subject) }
            signedBytes = UpdatePayload.Content.loadAssets(list).signedBytes
            facts = [
                LogEvent.Fact("genesis_hash", genesis.hex),
                LogEvent.Fact("hash", Hash32.blake2b(of: list).hex),
            ]
            metadataHash = nil
        case .types:
            guard let types = state.types else { throw Failure.notHeld(subject) }
            signedBytes = UpdatePayload.Content.loadTypes(try data.content(types.hash)).signedBytes
            facts = [LogEvent.Fact("hash", types.hash.hex)]
            metadataHash = nil
        }
    }

    /// The event that says which key signed it.
    public func event(signedBy key: PublicKey) -> LogEvent {
        let kind: LogEvent.Kind =
            switch subject {
            case .specs: .networkSigned
            case .metadata: .metadataSigned
            case .types: .typesSigned
            case .assets: .assetListSigned
            }
        return LogEvent(kind, facts + UpdatePlan.facts(signer: key), metadataHash: metadataHash)
    }
}

extension Attestation.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notHeld(.specs):
            .refused("not-held", "these network specs are not in this vault", hint: "heliograph network list")
        case .notHeld(.metadata(_, let version)):
            .refused(
                "not-held", "metadata of version \(version) of this network is not in this vault",
                hint: "heliograph metadata list")
        case .notHeld(.types):
            .refused("not-held", "there are no types in this vault", hint: "scan an update that has them")
        case .notHeld(.assets):
            .refused(
                "not-held", "an asset list of this network is not in this vault",
                hint: "scan an update that has them")
        }
    }

    public static var examples: [Self] {
        let hash = Hash32.blake2b(of: [1])
        return [
            .notHeld(.specs(hash, .sr25519)), .notHeld(.metadata(hash, version: 1000)), .notHeld(.types),
            .notHeld(.assets(hash)),
        ]
    }
}

extension Attestation {
    /// The cards for a person who signs it: the same ones that the update shows on the devices that accept
    /// it.
    /// - Throws: ``Failure``, `StoreError.contentBroken`
    public func cards(_ data: ChainData) throws -> CardSet {
        var cards = CardSet()
        switch subject {
        case .specs(let genesis, let scheme):
            guard let specs = data.state.network(genesis: genesis, scheme: scheme) else {
                throw Failure.notHeld(subject)
            }
            cards.newSpecs = [Card(.newSpecs(specs))]
        case .metadata(let genesis, let version):
            guard let record = data.state.metadata(genesis: genesis, version: version) else {
                throw Failure.notHeld(subject)
            }
            let name = data.state.networks(genesis: genesis).first?.name ?? genesis.hex
            cards.network = Card.network(name, genesis)
            let runtime = RuntimeVersion(specName: name, specVersion: version)
            cards.metadata = [Card(.metadata(runtime, hash: record.hash, length: record.length))]
        case .assets(let genesis):
            guard let list = data.state.assetLists[genesis] else { throw Failure.notHeld(subject) }
            let units = try AssetUnits(encoded: list)
            cards.network = [
                Card.assetList(of: genesis), Card.assetListNumber, Card.assetListNumber(units.serial),
            ]
            cards.network += units.entries.map { Card(asset: $0) }
        case .types:
            guard let types = data.state.types else { throw Failure.notHeld(subject) }
            cards.types = [Card(types: try data.content(types.hash))]
        }
        return cards
    }
}

extension Card {
    /// The key that signs for others.
    public init(attesting key: KeyRecord) {
        let address = key.publicKey.address(prefix: 42)
        let signer = Signer(
            .attesting, address: address, publicKey: key.publicKey.bytes, seed: key.seed, path: key.path)
        self.init(.signer(signer))
    }
}
