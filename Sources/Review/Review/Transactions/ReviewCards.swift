import Accounts
import Cards
import Hashing
import SubstratePrimitives
import TrustStore
import UOS

extension Card {
    /// nil where nothing is warned of.
    init?(warningOf provenance: Provenance) {
        guard case .stored(let metadata) = provenance, metadata.warns else { return nil }
        self.init(.warning(.metadata(version: metadata.version, metadata.voucher, metadata.check)))
    }
}

// MARK: Cards of the signer

extension TrustState {
    func authorCard(
        _ signer: SignerReference, key: KeyRecord?, unstored: UnstoredKey? = nil, specs: NetworkSpecs?
    ) -> Card {
        let address = signer.address(prefix: specs?.base58Prefix ?? 42, record: key)
        guard let key else {
            if let unstored {
                return Card(
                    .signer(
                        .init(
                            .unstored, address: address, publicKey: unstored.publicKey.bytes,
                            path: unstored.path, hasPassword: unstored.hasPassword)))
            }
            return Card(.signer(.init(.stranger, address: address, publicKey: signer.bytes)))
        }
        let others = Self.told(
            otherNetworks(of: key.publicKey, beside: specs?.genesisHash), isOther: specs != nil)
        let facts = Card.Signer(
            .key, address: address, publicKey: key.publicKey.bytes, seed: key.seed, path: key.path,
            hasPassword: key.hasPassword,
            label: key.label, group: groupName(of: key), isImported: key.isImported,
            otherNetworks: others)
        return Card(.signer(facts))
    }

    /// The other networks that the signer's key may sign on. A message without a network names all of the
    /// key's networks if there is more than one.
    private static func told(_ networks: [KeyReuse.Network], isOther: Bool) -> [Card.Signer.Network] {
        (isOther || networks.count > 1 ? networks : []).map { .init(name: $0.shownName, genesis: $0.genesis) }
    }

    /// The seed and the path say who signs; the address is not known before the key is derived.
    func authorCard(_ key: UnderivedKey, specs: NetworkSpecs?) -> Card {
        let others = otherNetworks(
            seed: key.seed, path: key.path, scheme: key.scheme, beside: specs?.genesisHash)
        let facts = Card.Signer(
            .underived(key.scheme), address: nil, seed: key.seed, path: key.path,
            otherNetworks: Self.told(others, isOther: specs != nil))
        return Card(.signer(facts))
    }

    func signerWarnings(key: KeyRecord?, unstored: UnstoredKey? = nil, specs: NetworkSpecs?) -> [Card] {
        guard let key else { return [Card(warning: unstored == nil ? .unknownAuthor : .keyNotStored)] }
        guard let specs, !key.networks.contains(specs.genesisHash) else { return [] }
        return [Card(warning: .keyNotForNetwork)]
    }

    func versionWarnings(specs: NetworkSpecs, version: UInt32) -> [Card] {
        guard let newest = metadata(genesis: specs.genesisHash).map(\.version).max(), newest > version else {
            return []
        }
        return [Card(warning: .olderRuntime)]
    }
}
