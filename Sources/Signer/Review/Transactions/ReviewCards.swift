import Cards
import Hashing
import SubstratePrimitives
import TrustStore
import UOS

/// Warnings of a review; the raw value is the stable code.
public enum ReviewWarning: String, Sendable, CaseIterable {
    case unknownAuthor = "unknown_author"
    case keyNotForNetwork = "key_not_for_network"
    case olderRuntime = "older_runtime"
    case networkOnlyProved = "network_only_proved"
    case keyNotDerived = "key_not_derived"
    case listedNetworkOnlyProved = "listed_network_only_proved"
    case knownNameOnUnknownChain = "known_name_on_unknown_chain"
    /// The chain could have checked the metadata, and whoever signed it is believed instead.
    case metadataBelieved = "metadata_believed"
    case unsignedMetadata = "unsigned_metadata"
    /// A destination begins and ends as an account does that is known.
    case lookAlike = "look_alike"
    /// Much more than ever before to an account that was paid.
    case paymentFarAbove = "payment_far_above"
    case nonceReused = "nonce_reused"
    case nonceBelowHighest = "nonce_below_highest"
    case nonceFarAhead = "nonce_far_ahead"
    case callRepeated = "call_repeated"
    case signedBefore = "signed_before"
    case eraExpired = "era_expired"
    /// A group collects shares for longer than the transaction lives.
    case shortEraForGroup = "short_era_for_group"
    /// Only the proof says that the network has this runtime version.
    case runtimeVersionUnknown = "runtime_version_unknown"
    /// A well-known call has more fields than the runtimes give it, or one of another name or shape.
    case unusualCall = "unusual_call"

    /// The card's line, or its start where the card names what it warns of.
    var line: String {
        switch self {
        case .unknownAuthor: "The signer is not a key of this vault: shown only, not signed"
        case .keyNotForNetwork: "The signer's key is not allowed on this network: shown only, not signed"
        case .olderRuntime: "The transaction is for an older runtime than the newest in this vault"
        case .keyNotDerived: "The key is new to this vault: signing derives it and allows it on this network"
        case .networkOnlyProved: "The network is known only from this transaction's own metadata proof"
        case .listedNetworkOnlyProved: "The network is not in this vault: the transaction's metadata proof agrees with the built-in list"
        case .knownNameOnUnknownChain: "The name is that of a well-known chain, or looks like it, and this is another chain"
        case .metadataBelieved: "read with metadata"
        case .unsignedMetadata: "read with unsigned metadata"
        case .lookAlike: "A destination looks like a known account and is not"
        case .paymentFarAbove: "A payment is far above the largest before to the same account"
        case .nonceReused: "The nonce was used for another transaction"
        case .nonceBelowHighest: "The nonce is not above the highest that was signed"
        case .nonceFarAhead: "The nonce is far above the highest that was signed"
        case .callRepeated: "The same call was signed within a day"
        case .signedBefore: "The same bytes were signed before"
        case .eraExpired: "The transaction probably expired"
        case .shortEraForGroup: "The transaction lives for fewer than 1024 blocks, which is short for a group"
        case .runtimeVersionUnknown: "Only the metadata proof knows this runtime version"
        case .unusualCall: "A known call has fields that the runtimes do not give it"
        }
    }
}

extension Card {
    init(warning: ReviewWarning) { self.init(warning, warning.line) }

    init(_ warning: ReviewWarning, _ line: String) { self.init(.warning, line, fields: [Field("code", warning.rawValue)]) }

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

    /// The name of the group that holds a key; no field for any other key.
    func groupFields(of key: KeyRecord) -> [Card.Field] {
        key.group.flatMap { group($0) }.map { [Card.Field("group", $0.name)] } ?? []
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

    /// What the vault knows of accounts, beside them. Of an own key: label, seed and path, absent beside any other account,
    /// and the name of the group that holds it. Of a contact: its name and
    /// what else decides how far that goes; no other account has these fields. Without a key, a seed or a contact there is nothing to compare with, and
    /// no field says so.
    ///
    /// Notices with addresses (the account of a multisig, of a proxy, on another chain) get the same fields where the account is known, and none
    /// where it is not: a notice is no argument.
    /// - Parameter genesis: of the network that the cards are about.
    func labelled(_ cards: [Card], genesis: GenesisHash?) -> [Card] {
        let known = KnownNames(self, genesis: genesis)
        guard !known.isEmpty else { return cards }
        return cards.map { card in
            switch card.kind {
            case .account:
                guard let index = card.fields.firstIndex(where: { $0.name.utf8Equals("public_key") }),
                    case .text(let hex) = card.fields[index].fact
                else { return card }
                var card = card
                card.fields.insert(contentsOf: known.fields(of: Hex.decode(hex) ?? []), at: index + 1)
                return card
            case .notice:
                guard let account = card.noticedAccount, known.has(account) else { return card }
                var card = card
                card.fields += known.fields(of: account)
                return card
            case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .balance, .tip, .number, .text, .bytes, .bits, .bool, .none,
                .identityField, .eraImmortal, .eraMortal, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash,
                .extension,
                .author, .authorUnknown, .warning, .error, .verifier, .metadata, .types, .newSpecs, .network, .derivation, .message:
                return card
            }
        }
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
