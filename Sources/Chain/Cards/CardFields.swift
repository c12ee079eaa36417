import Hashing
import SubstratePrimitives

extension Card {
    /// The content of one field, as JSON has it.
    public enum Fact: Sendable, Equatable {
        /// A string, not yet escaped.
        case text(ExactText)
        /// An array of strings.
        case texts([ExactText])
        /// An integer of at most 64 bits; larger ones are texts of decimal digits.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// `null`: the field belongs to the kind, and this card has nothing to say in it.
        case absent
    }

    /// A named fact of a card, a member of its JSON object.
    public struct Field: Sendable, Equatable {
        /// In snake case, as in JSON.
        public let name: ExactText
        /// What the field says.
        public let fact: Fact

        /// A field with any content.
        public init(_ name: ExactText, _ fact: Fact) {
            self.name = name
            self.fact = fact
        }

        /// A field with a text; nil makes it ``Fact/absent``.
        public init(_ name: ExactText, _ text: ExactText?) { self.init(name, text.map(Fact.text) ?? .absent) }

        init(_ name: ExactText, _ text: String?) { self.init(name, text.map { ExactText($0) }) }

        init(_ name: ExactText, _ number: some BinaryInteger) { self.init(name, Fact.number(Int(number))) }

        init(_ name: ExactText, hex bytes: [UInt8]?) { self.init(name, bytes.map { Hex.encode($0) }) }
    }

    /// The facts as members of the card's JSON object, in the order in which it lists them; hashes and keys
    /// are hex without `0x`. Nothing is ever read back from here.
    public var fields: [Field] {
        switch content {
        case .pallet, .fieldName(_, .none), .fieldNumber(_, .none), .text(_, isBytes: false), .bits, .bool,
            .none, .nonce, .blockHash, .genesisHash, .txVersion, .metadataHash, .extension, .era(.immortal):
            []
        case .call(_, let docs), .identityField(_, let docs): [Field("docs", docs)]
        case .fieldName(_, .docs(let docs)), .fieldNumber(_, .docs(let docs)): [Field("docs", docs)]
        case .fieldName(_, .typed(let docs, let path, let typeDocs)),
            .fieldNumber(_, .typed(let docs, let path, let typeDocs)):
            [Field("docs", docs), Field("path", path), Field("type_docs", typeDocs)]
        case .enumVariant(let variant): variant.fields
        case .account(let account):
            [Field("address", account.address.text), Field("public_key", hex: account.address.account)]
                + (account.known?.fields ?? [])
        case .balance(let amount), .tip(let amount): amount.fields
        case .number(let number): number.raw.map { [Field("raw", $0)] } ?? []
        case .text(let text, isBytes: true): [Field("hex", hex: Array(text.utf8))]
        case .bytes(let bytes, let key):
            [Field("hex", hex: bytes)] + (key.map { [Field("scheme", $0.name)] } ?? [])
        case .message(.text(let text)): [Field("hex", hex: Array(text.utf8)), Field("text", text)]
        case .message(.bytes(let bytes)): [Field("hex", hex: bytes), Field("text", .absent)]
        case .era(.mortal(let era)): [Field("phase", era.phase), Field("period", era.period)]
        case .specVersion(let version, _):
            [Field("name", version.specName), Field("version", version.specVersion)]
        case .network(_, let hash): [Field("genesis_hash", hash.hex)]
        case .signer(let signer): signer.fields
        case .verifier(let key):
            [Field("public_key", key.map { Hex.encode($0.bytes) }), Field("scheme", key?.scheme.name)]
        case .metadata(let version, let hash, let length):
            [
                Field("name", version.specName), Field("version", version.specVersion),
                Field("hash", hash.hex), Field("length", length),
            ]
        case .types(let hash, let length): [Field("hash", hash.hex), Field("length", length)]
        case .newSpecs(let specs):
            [
                Field("base58prefix", specs.base58Prefix), Field("color", specs.color),
                Field("decimals", specs.decimals),
                Field("encryption", specs.scheme.name), Field("genesis_hash", specs.genesisHash.hex),
                Field("logo", specs.logo),
                Field("name", specs.name), Field("path_id", specs.pathID),
                Field("secondary_color", specs.secondaryColor),
                Field("title", specs.title), Field("unit", specs.unit),
            ]
        case .derivation(let key):
            [
                Field("path", key.path), Field("address", key.address), Field("status", key.status.rawValue),
                Field("scheme", key.scheme.name), Field("network", key.network),
                Field("genesis_hash", key.genesis.hex),
                Field("seed", key.seed),
            ]
        case .warning(let warning): [Field("code", warning.code)] + warning.fields
        case .notice(let notice, let known):
            [Field("code", notice.code)] + notice.fields + (known?.fields ?? [])
        }
    }

    /// Bytes of text on the card, the texts among its facts included: counted for each card that is built.
    public var textLength: Int {
        switch content {
        case .pallet(let name): name.length
        case .call(let name, let docs): name.length + docs.length
        case .fieldName(let name, let docs): name.length + docs.length
        case .fieldNumber(let number, let docs): String(number).utf8.count + docs.length
        case .enumVariant(let variant) where variant.unusual == nil:
            variant.name.length + (variant.docs?.length ?? 0)
        case .account(let account) where account.known == nil:
            2 * account.address.text.length + 2 * account.address.account.count
        case .balance(let amount), .tip(let amount): amount.textLength
        case .number(.integer(let digits)): digits.length
        case .text(let text, let isBytes): text.length * (isBytes ? 3 : 1)
        case .bytes(let bytes, nil): 2 + 4 * bytes.count
        case .enumVariant, .account, .number, .bytes, .bits, .bool, .none, .identityField, .era, .nonce,
            .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .extension, .signer, .warning,
            .verifier, .metadata, .types, .newSpecs, .network, .derivation, .message, .notice:
            fields.reduce(value.utf8.count) { sum, field in
                guard case .text(let text) = field.fact else { return sum }
                return sum + text.length
            }
        }
    }
}

extension ExactText { fileprivate var length: Int { text.utf8.count } }

extension Card.FieldDocs {
    fileprivate var length: Int {
        switch self {
        case .none: 0
        case .docs(let docs): docs.length
        case .typed(let docs, let path, let typeDocs): docs.length + path.length + typeDocs.length
        }
    }
}

extension Card.Variant {
    fileprivate var fields: [Card.Field] {
        guard let docs else { return [] }
        let place: [Card.Field] =
            unusual.map {
                [.init("variant", name), .init("variant_index", $0.index), .init("path", $0.path)]
            } ?? []
        return [.init("docs", docs)] + place
    }
}

extension Card.Amount {
    fileprivate var fields: [Card.Field] {
        [
            .init("amount", text.number), .init("unit", text.unit), .init("raw", raw.digits),
            .init("plain", text.plain), .init("symbol", text.symbol), .init("decimals", decimals),
            .init("asset", asset?.id),
        ]
    }

    /// The number and the unit stand on the line, and among the facts again.
    fileprivate var textLength: Int {
        2 * (text.number.utf8.count + text.unit.utf8.count) + 1 + raw.digits.length + text.plain.utf8.count
            + text.symbol.utf8.count + (asset?.id.length ?? 0)
    }
}

extension Card.Number {
    /// The integer, in decimal digits, that the line writes in another way.
    fileprivate var raw: ExactText? {
        switch self {
        case .integer: nil
        case .vote(let vote): ExactText(String(vote.byte))
        case .fraction(_, let magnitude, let isNegative):
            ExactText((isNegative ? "-" : "") + String(magnitude))
        case .smallestUnits(let planck): planck.digits
        }
    }
}

extension KnownAccount {
    /// Label, seed and path stand only beside an own key. An account of a group has the name of the group; a
    /// contact has its name and the facts that limit what the name means.
    fileprivate var fields: [Card.Field] {
        func own(seed: ExactText?, path: ExactText?) -> [Card.Field] {
            [.init("label", label), .init("seed", seed), .init("path", path)]
        }
        return switch relation {
        case .own(let seed, let path): own(seed: seed, path: path)
        case .group(let name, let path): own(seed: nil, path: path) + [.init("group", name)]
        case .imported: own(seed: nil, path: nil) + [.init("imported", .flag(true))]
        case .contact(let mark):
            own(seed: nil, path: nil) + [
                .init("contact", mark.name), .init("contact_list", mark.list),
                .init("contact_of_other_network", .flag(mark.isOfOtherNetwork)),
            ]
        case .stranger: own(seed: nil, path: nil)
        case .unchecked: []
        }
    }
}

extension Card.Signer {
    fileprivate var fields: [Card.Field] {
        let key: [Card.Field] = [.init("address", address), .init("public_key", hex: publicKey)]
        let place: [Card.Field] = [.init("seed", seed), .init("path", path)]
        let password = Card.Field("has_password", .flag(hasPassword))
        let labelled: [Card.Field] = [password, .init("label", label)]
        let others: [Card.Field] = [
            .init("other_networks", .texts(otherNetworks.map(\.name))),
            .init("other_genesis_hashes", .texts(otherNetworks.map { ExactText($0.genesis.hex) })),
        ]
        switch role {
        case .key:
            let ofGroup: [Card.Field] = group.map { [.init("group", $0)] } ?? []
            let imported: [Card.Field] = isImported ? [.init("imported", .flag(true))] : []
            return [key, place, labelled, ofGroup, imported, others].flatMap(\.self)
        case .underived(let scheme):
            let named: [Card.Field] = [.init("scheme", scheme.name)]
            return [key, place, labelled, named, others].flatMap(\.self)
        case .attesting: return key + place
        case .root(let name):
            return [.init("address", address), .init("name", name)] + (seed == nil ? [] : place + [password])
        case .unstored: return key + [.init("path", path), password, .init("stored", .flag(false))]
        case .stranger: return key
        }
    }
}

extension CardWarning {
    /// Besides the code.
    fileprivate var fields: [Card.Field] {
        switch self {
        case .call, .review, .unknownNetwork, .paymentFarAbove, .nonceReused, .nonceBelowHighest,
            .nonceFarAhead, .callRepeated, .signedBefore, .eraExpired, .runtimeVersionUnknown, .unusualCall,
            .keyIsOld, .wordsUnchecked, .group:
            []
        case .unknownExtension(let name, let bytes): [.init("extension", name), .init("hex", hex: bytes)]
        case .metadata(let version, let voucher, let check):
            [.init("version", version), .init("believed_from", hex: voucher.key), .init("check", check.word)]
        case .lookAlike(let found):
            [
                .init("address", found.address), .init("resembles", found.other),
                .init("known_as", found.name), .init("word", found.word),
            ]
        case .update(let warning): warning.fields
        }
    }
}

extension UpdateWarning {
    fileprivate var fields: [Card.Field] {
        switch self {
        case .generalVerifierAppears(let key), .customVerifierAppears(let key):
            [.init("public_key", Hex.encode(key.bytes)), .init("scheme", key.scheme.name)]
        case .purged(.metadata(let version, let hash)):
            [
                .init("what", "metadata" as String), .init("name", version.specName),
                .init("version", version.specVersion),
                .init("hash", hash.hex),
            ]
        case .purged(.assetList(let network)):
            [.init("what", "asset_list" as String), .init("name", network)]
        case .purged(.network(let name, let scheme, let genesis)):
            [
                .init("what", "network" as String), .init("name", name), .init("scheme", scheme.name),
                .init("genesis_hash", genesis.hex),
            ]
        case .purged(.types): [.init("what", "types" as String)]
        case .nameOfAnotherChain(let name): [.init("name", name)]
        case .newerThanNewest(let newest), .olderThanNewest(let newest): [.init("newest", newest)]
        case .assetUnitChanges(let before, let after):
            [
                .init("id", after.id), .init("pallet", after.pallet),
                .init("before", "\(before.symbol) \(before.decimals)"),
                .init("after", "\(after.symbol) \(after.decimals)"),
            ]
        case .unsigned, .verifierBecomesGeneral, .knownNameOnUnknownChain, .onlyVerifierChanges,
            .extensionsIncomplete,
            .typesForEveryNetwork, .replacesTypes:
            []
        }
    }
}

extension Notice {
    /// Besides the code.
    fileprivate var fields: [Card.Field] {
        switch self {
        case .batch(let count): [.init("count", count)]
        case .proxied(let address), .derived(let address): [.init("address", address)]
        case .multisig(let address, let threshold, let signatories):
            [.init("address", address), .init("threshold", threshold), .init("signatories", signatories)]
        case .callHash(let hash): [.init("hash", hash.hex)]
        case .foreignUnit(let asset, _): [.init("asset", asset)]
        case .validity(let period, let blockHash):
            [.init("period", period), .init("block_hash", blockHash.hex)]
        case .location(_, let accounts):
            accounts.isEmpty ? [] : [.init("accounts", .texts(accounts.map { ExactText(Hex.encode($0)) }))]
        case .aboveBound(let maximum, let constant):
            [.init("maximum", String(maximum)), .init("constant", constant)]
        case .assetUnit(let entry):
            [
                .init("pallet", entry.pallet), .init("id", entry.id), .init("symbol", entry.symbol),
                .init("decimals", entry.decimals),
            ]
        case .unusualShape, .unsorted, .repeated, .aboveWhole, .noPossession, .chain, .onlyAHash, .callOfHash,
            .inlineCall, .scheduled,
            .noExpiry:
            []
        }
    }
}

extension Card: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// One flat object: `index`, `indent`, `kind`, `value`, the fields, and `states` or `interprets` with the
    /// offsets of the covered bytes.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Name.self)
        try object.encode(index, forKey: Name("index"))
        try object.encode(indent, forKey: Name("indent"))
        try object.encode(kind.rawValue, forKey: Name("kind"))
        try object.encode(value, forKey: Name("value"))
        for field in fields {
            let name = Name(field.name.text)
            switch field.fact {
            case .text(let text): try object.encode(text.text, forKey: name)
            case .texts(let texts): try object.encode(texts.map(\.text), forKey: name)
            case .number(let number): try object.encode(number, forKey: name)
            case .flag(let flag): try object.encode(flag, forKey: name)
            case .absent: try object.encodeNil(forKey: name)
            }
        }
        switch coverage {
        case .none: break
        case .states(let range, let other):
            let ranges = [other, range].compactMap { $0 }.map { [$0.lowerBound, $0.upperBound] }
            try object.encode(ranges, forKey: Name("states"))
        case .interprets(let range):
            try object.encode([range.lowerBound, range.upperBound], forKey: Name("interprets"))
        }
    }
}
