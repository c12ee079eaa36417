import Cards
import Hashing
import SubstratePrimitives

extension Card {
    /// A member of the card's JSON object, where it is a text.
    public func text(of name: ExactText) -> String? {
        guard case .text(let text)? = fields.first(where: { $0.name == name })?.fact else { return nil }
        return text.text
    }

    /// The same, where it is an integer.
    public func number(of name: ExactText) -> Int? {
        guard case .number(let number)? = fields.first(where: { $0.name == name })?.fact else { return nil }
        return number
    }
}

extension Card.Facts {
    /// The same facts with each of those changed in turn that determine bytes, and none at all.
    public var mutants: [Card.Facts] {
        switch self {
        case .none: []
        case .bytes(let bytes): [.none, .bytes(bytes + [0]), .bytes([])]
        case .genesis(let hash): [.none, .genesis(.blake2b(of: hash.bytes))]
        case .verifier(let key): [.none, .verifier(key == nil ? Self.key : nil), .verifier(Self.key)]
        case .metadata(let version, let hash, let length):
            [
                .none,
                .metadata(
                    .init(specName: version.specName + "0", specVersion: version.specVersion), hash: hash,
                    length: length),
                .metadata(
                    .init(specName: version.specName, specVersion: version.specVersion ^ 1), hash: hash,
                    length: length),
                .metadata(version, hash: .blake2b(of: hash.bytes), length: length),
                .metadata(version, hash: hash, length: length + 1),
            ]
        case .types(let hash, let length):
            [
                .none, .types(hash: .blake2b(of: hash.bytes), length: length),
                .types(hash: hash, length: length + 1),
            ]
        case .specs(let specs): [.none] + Self.changes.map { .specs(Self.changed(specs, $0)) }
        case .derivation(let key):
            [
                .none, Self.other(key, path: key.path.text + "0"), Self.other(key, address: "00"),
                Self.other(key, address: .some(nil)),
                Self.other(key, status: key.status == .new ? .collides : .new),
                Self.other(key, scheme: key.scheme == .ed25519 ? .sr25519 : .ed25519),
                Self.other(key, genesis: .blake2b(of: key.genesis.bytes)),
            ]
        case .notice(.assetUnit(let entry), let known):
            [
                .none,
                .notice(
                    .assetUnit(
                        .init(pallet: entry.pallet, id: entry.id + "0", symbol: entry.symbol, decimals: 1)),
                    known),
                .notice(.noExpiry, known),
            ]
        case .docs, .field, .variant, .account, .amount, .integer, .message, .publicKey, .era, .runtime,
            .signer, .warning, .notice:
            [.none]
        }
    }

    private static let key = PublicKey(scheme: .ed25519, bytes: [UInt8](repeating: 7, count: 32))

    private static let changes: [@Sendable (inout NetworkSpecs) -> Void] = [
        { $0.base58Prefix ^= 1 }, { $0.color += "0" }, { $0.decimals ^= 1 },
        { $0.scheme = $0.scheme == .ed25519 ? .sr25519 : .ed25519 },
        { $0.genesisHash = .blake2b(of: $0.genesisHash.bytes) }, { $0.logo += "0" }, { $0.name += "0" },
        { $0.pathID += "0" },
        { $0.secondaryColor += "0" }, { $0.title += "0" }, { $0.unit += "0" },
    ]

    private static func changed(_ specs: NetworkSpecs, _ change: (inout NetworkSpecs) -> Void) -> NetworkSpecs
    {
        var specs = specs
        change(&specs)
        return specs
    }

    private static func other(
        _ key: Card.Derivation, path: String? = nil, address: String?? = nil, status: DerivationStatus? = nil,
        scheme: SignatureScheme? = nil, genesis: GenesisHash? = nil
    ) -> Card.Facts {
        .derivation(
            .init(
                path: path ?? key.path.text, address: address ?? key.address?.text,
                status: status ?? key.status,
                scheme: scheme ?? key.scheme, network: key.network?.text, genesis: genesis ?? key.genesis,
                seed: key.seed?.text))
    }
}
