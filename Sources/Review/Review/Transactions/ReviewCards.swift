import Accounts
import Cards
import Hashing
import SubstratePrimitives
import TrustStore
import UOS

extension Card {
    /// Names the whole key, which a summary shortens; nil where nothing is warned of.
    init?(warningOf ground: Ground) {
        guard case .stored(let metadata) = ground, let warning = metadata.warning else { return nil }
        let believed: (key: String?, words: String) =
            switch metadata.voucher {
            case .verifier(let key): (Hex.encode(key.bytes), ", believed from 0x\(Hex.encode(key.bytes))")
            case .verifiers(let key, let types):
                (Hex.encode(key.bytes), ", believed from 0x\(Hex.encode(key.bytes)), and types from 0x\(Hex.encode(types.bytes))")
            case .nobody: (nil, ": nobody vouches for it")
            case .file: (nil, " from a file: nobody vouches for it")
            }
        self.init(
            .warning, "\(warning.line) \(metadata.version)\(believed.words)",
            fields: [
                Field("code", warning.rawValue), Field("version", .number(Int(metadata.version))), Field("believed_from", believed.key),
                Field("check", metadata.check.word),
            ])
    }
}

// MARK: Cards of the signer

extension TrustState {
    func authorCard(_ signer: SignerReference, key: KeyRecord?, specs: NetworkSpecs?) -> Card {
        let address = signer.address(prefix: specs?.base58Prefix ?? 42, record: key)
        let publicKey = Card.Field("public_key", Hex.encode(key?.publicKey.bytes ?? signer.bytes))
        guard let key else { return Card(.authorUnknown, address, fields: [Card.Field("address", address), publicKey]) }
        return Card(
            .author, address,
            fields: [
                Card.Field("address", address), publicKey, Card.Field("seed", key.seed), Card.Field("path", key.path),
                Card.Field("has_password", .flag(key.hasPassword)), Card.Field("label", key.label),
            ] + groupFields(of: key)
                + Self.mark(otherNetworks(of: key.publicKey, beside: specs?.genesisHash), isOther: specs != nil))
    }

    /// The fields that say that the signer's key may sign on other networks too. A message without a network names all of the key's networks
    /// if there is more than one.
    private static func mark(_ networks: [KeyReuse.Network], isOther: Bool) -> [Card.Field] {
        let networks = isOther || networks.count > 1 ? networks : []
        return [
            Card.Field("other_networks", .texts(networks.map(\.shownName))),
            Card.Field("other_genesis_hashes", .texts(networks.map(\.genesis.hex))),
        ]
    }

    /// The seed and the path say who signs; the address is not known before the key is derived.
    func authorCard(_ key: UnderivedKey, specs: NetworkSpecs?) -> Card {
        let others = otherNetworks(seed: key.seed, path: key.path, scheme: key.scheme, beside: specs?.genesisHash)
        return Card(
            .author, key.seed + key.path,
            fields: [
                Card.Field("address", nil), Card.Field("public_key", nil), Card.Field("seed", key.seed), Card.Field("path", key.path),
                Card.Field("has_password", .flag(false)), Card.Field("label", nil), Card.Field("scheme", key.scheme.name),
            ] + Self.mark(others, isOther: specs != nil))
    }

    func signerWarnings(key: KeyRecord?, specs: NetworkSpecs?) -> [Card] {
        guard let key else { return [Card(warning: .unknownAuthor)] }
        guard let specs, !key.networks.contains(specs.genesisHash) else { return [] }
        return [Card(warning: .keyNotForNetwork)]
    }

    func versionWarnings(specs: NetworkSpecs, version: UInt32) -> [Card] {
        guard let newest = metadata(genesis: specs.genesisHash).map(\.version).max(), newest > version else { return [] }
        return [Card(warning: .olderRuntime)]
    }
}
