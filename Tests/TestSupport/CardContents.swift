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

extension Card {
    /// A card whose line is this text, of a kind that any text, or this one, is a line of.
    public init(_ kind: Kind, _ line: String, indent: Int = 0) {
        guard let content = Content(kind, line: line) else { preconditionFailure("\(kind): \(line)") }
        self.init(content, indent: indent)
    }
}

extension Card.Content {
    /// A content of a kind whose line is this text; nil where a text says too little, or none is its line.
    public init?(_ kind: Card.Kind, line: String) {
        let text = ExactText(line)
        let content: Card.Content? =
            switch kind {
            case .pallet: .pallet(text)
            case .call: .call(text, docs: "")
            case .fieldName: .fieldName(text)
            case .fieldNumber: Int(line).map { .fieldNumber($0) }
            case .enumVariant: .enumVariant(.init(text))
            case .account: Self.address(line).map { .account(.init($0)) }
            case .number: .number(.integer(text))
            case .text: .text(text)
            case .bytes: Hex.decode(line).map { .bytes($0) }
            case .bits: .bits(.digits(line.utf8.dropFirst(2).map { $0 == UInt8(ascii: "1") }))
            case .bool: .bool(line == "true")
            case .none: line == "()" ? .none(.unit) : line == "[]" ? .none(.list) : .none(.variant(text))
            case .identityField: .identityField(text, docs: "")
            case .nonce: UInt128(line).map { .nonce($0) }
            case .extension: .extension(text)
            case .author: .signer(.init(.key, address: line))
            case .authorUnknown: .signer(.init(.stranger, address: line))
            case .network: .network(name: text, .blake2b(of: []))
            case .message: .message(.text(text))
            case .warning: .warning(.unknownNetwork(text, isKnownName: false))
            case .notice: .notice(.location(text, accounts: []), nil)
            case .balance, .tip, .eraImmortal, .eraMortal, .blockHash, .genesisHash, .specVersion, .txVersion,
                .metadataHash, .verifier, .metadata, .types, .newSpecs, .derivation:
                nil
            }
        guard let content, kind == .warning || Card(content).value.utf8Equals(line) else { return nil }
        self = content
    }

    private static func address(_ text: String) -> AccountAddress? {
        if let address = try? SS58Address(text) {
            return AccountAddress(address.account, prefix: address.prefix)
        }
        return Hex.decode(text).map { AccountAddress($0, prefix: 42) }
    }

    /// The same with each thing that it says of a payload changed in turn; the first has another line. What
    /// becomes of a derivation is what the vault says, and stays.
    public var others: [Card.Content] {
        switch self {
        case .pallet(let name): [.pallet(name.more)]
        case .call(let name, let docs): [.call(name.more, docs: docs), .call(name, docs: docs.more)]
        case .fieldName(let name, let docs): [.fieldName(name.more, docs)]
        case .fieldNumber(let number, let docs): [.fieldNumber(10 * number, docs)]
        case .enumVariant(let variant):
            [.enumVariant(.init(variant.name.more, docs: variant.docs, unusual: variant.unusual))]
        case .account(let account): Self.others(account).map { .account($0) }
        case .balance(let amount): Self.others(amount).map { .balance($0) }
        case .tip(let amount): Self.others(amount).map { .tip($0) }
        case .number(let number): [.number(Self.other(number))]
        case .text(let text, let isBytes): [.text(text.more, isBytes: isBytes)]
        case .bytes(let bytes, let key): [.bytes(bytes + [0], key: key), .bytes([], key: key)]
        case .bits(.digits(let bits)): [.bits(.digits(bits + [false]))]
        case .bits(.names(let names)): [.bits(.names(names + ["more"]))]
        case .bool(let flag): [.bool(!flag)]
        case .none(.unit): [.none(.list)]
        case .none(.list): [.none(.unit)]
        case .none(.variant(let name)): [.none(.variant(name.more))]
        case .identityField(let name, let docs): [.identityField(name.more, docs: docs)]
        case .era(.immortal): [.era(.mortal(MortalEra(period: 64, phase: 0)!))]
        case .era(.mortal(let era)):
            [.era(.mortal(MortalEra(period: era.period == 64 ? 128 : 64, phase: 0)!)), .era(.immortal)]
        case .nonce(let nonce): [.nonce(nonce &+ 1)]
        case .blockHash(let hash): [.blockHash(.blake2b(of: hash.bytes))]
        case .genesisHash(let hash): [.genesisHash(.blake2b(of: hash.bytes))]
        case .specVersion(let runtime, let shown):
            [
                .specVersion(
                    .init(specName: runtime.specName, specVersion: runtime.specVersion ^ 1), shownName: shown),
                .specVersion(
                    .init(specName: runtime.specName + "0", specVersion: runtime.specVersion),
                    shownName: shown),
                .specVersion(runtime, shownName: "another"),
            ]
        case .txVersion(let version): [.txVersion(version ^ 1)]
        case .metadataHash(let hash):
            [.metadataHash(.blake2b(of: hash?.bytes ?? []))] + (hash == nil ? [] : [.metadataHash(nil)])
        case .extension(let name): [.extension(name.more)]
        case .signer(let signer):
            [
                .signer(
                    .init(
                        signer.role, address: signer.address.map { $0.text + "1" },
                        publicKey: signer.publicKey.map { $0 + [1] }, seed: signer.seed.map { $0.text + "1" },
                        path: signer.path.text))
            ]
        case .warning: [.warning(.group(.allSign(99))), .warning(.review(.unknownAuthor))]
        case .verifier(let key): [.verifier(key == Self.key ? nil : Self.key)]
        case .metadata(let version, let hash, let length):
            [
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
            [.types(hash: .blake2b(of: hash.bytes), length: length), .types(hash: hash, length: length + 1)]
        case .newSpecs(let specs): Self.changes.map { .newSpecs(Self.changed(specs, $0)) }
        case .network(let name, let hash):
            [.network(name: name?.more ?? "0", hash), .network(name: name, .blake2b(of: hash.bytes))]
        case .derivation(let key):
            [
                Self.other(key, path: key.path.text + "0"), Self.other(key, address: "00"),
                Self.other(key, address: .some(nil)),
                Self.other(key, scheme: key.scheme == .ed25519 ? .sr25519 : .ed25519),
                Self.other(key, genesis: .blake2b(of: key.genesis.bytes)),
            ]
        case .message(.text(let text)): [.message(.text(text.more)), .message(.bytes([]))]
        case .message(.bytes(let bytes)): [.message(.bytes(bytes + [0])), .message(.text(""))]
        case .notice(.assetUnit(let entry), let known):
            [
                .notice(
                    .assetUnit(
                        .init(pallet: entry.pallet, id: entry.id + "0", symbol: entry.symbol, decimals: 1)),
                    known),
                .notice(.noExpiry, known),
            ]
        case .notice(let notice, let known): [.notice(notice == .noExpiry ? .scheduled : .noExpiry, known)]
        }
    }

    private static func others(_ account: Card.Account) -> [Card.Account] {
        let address = account.address
        let prefix = (try? SS58Address(address.text.text))?.prefix ?? 42
        let other = [address.account.first.map { $0 ^ 1 } ?? 0] + address.account.dropFirst()
        return [(other, prefix), (address.account, prefix ^ 1)].map {
            .init(AccountAddress($0.0, prefix: $0.1), known: account.known)
        }
    }

    private static func others(_ amount: Card.Amount) -> [Card.Amount] {
        let (raw, decimals, unit) = (amount.raw, amount.decimals, amount.text.symbol)
        return [(raw.tenfold + 1, decimals, unit), (raw, decimals + 1, unit), (raw, decimals, unit + "0")].map
        {
            .init(raw: $0.0, decimals: $0.1, unit: $0.2, asset: amount.asset)
        }
    }

    private static func other(_ number: Card.Number) -> Card.Number {
        switch number {
        case .integer(let digits): .integer(digits.more)
        case .vote(let vote): .vote(StandardVote(vote.byte ^ 0x80)!)
        case .fraction(let format, let magnitude, let isNegative):
            .fraction(format, magnitude: magnitude &+ 1, isNegative: isNegative)
        case .smallestUnits(let planck): .smallestUnits(planck.tenfold + 1)
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
        _ key: Card.Derivation, path: String? = nil, address: String?? = nil,
        scheme: SignatureScheme? = nil, genesis: GenesisHash? = nil
    ) -> Card.Content {
        .derivation(
            .init(
                path: path ?? key.path.text, isPathEmptyText: key.isPathEmptyText,
                address: address ?? key.address?.text,
                status: key.status,
                scheme: scheme ?? key.scheme, network: key.network?.text,
                isNameAmbiguous: key.isNameAmbiguous, genesis: genesis ?? key.genesis,
                seed: key.seed?.text))
    }
}

extension ExactText { fileprivate var more: ExactText { ExactText(text + "0") } }
