import Accounts
import Cards
import Hashing
import SubstratePrimitives
import UOS

extension UnverifiedUpdate {
    /// Throws unless the cards alone determine the signed bytes and the key of the signature. For metadata
    /// and types the card has length and BLAKE2b-256; everything else is read from the cards.
    func requireStated(by cards: CardSet) throws(CardGap) {
        var signers = CardReader("verifier", cards.verifier)
        let key = try signers.read(.verifier, NamedVerifier.init, as: { Card(.verifier($0.key)) }).key
        try signers.finish()
        guard key == signature?.key else { throw signers.gap }
        if let gap = CardGap(rebuilt: try rebuilt(from: cards), bytes: signedBytes) { throw gap }
    }

    private func rebuilt(from cards: CardSet) throws(CardGap) -> [UInt8] {
        switch content {
        case .addSpecs: try Self.specs(cards)
        case .loadMetadata(let blob, _, let facts): try Self.metadata(cards, blob, facts.runtimeVersion)
        case .loadTypes(let types): try Self.types(cards, types)
        case .loadAssets: try Self.assets(cards)
        }
    }

    private static func specs(_ cards: CardSet) throws(CardGap) -> [UInt8] {
        var reader = CardReader("new_specs", cards.newSpecs)
        let specs = try reader.read(.newSpecs, { $0.newSpecs }, as: { Card(.newSpecs($0)) })
        try reader.finish()
        return Content.addSpecs(specs).signedBytes
    }

    /// The version stands inside the blob, whose hash binds it: the card must show that one.
    private static func metadata(
        _ cards: CardSet, _ blob: [UInt8], _ stated: RuntimeVersion
    ) throws(CardGap) -> [UInt8] {
        var networks = CardReader("network", cards.network)
        let network = try networks.network()
        try networks.finish()
        var reader = CardReader("metadata", cards.metadata)
        let hash = Hash32.blake2b(of: blob)
        let version = try reader.read(
            .metadata, { $0.runtimeOfMetadata }, as: { Card(.metadata($0, hash: hash, length: blob.count)) })
        try reader.finish()
        guard network.name.utf8Equals(version.specName), version == stated else { throw reader.gap }
        return UpdatePayload.Content.loadMetadata(blob: blob, genesisHash: network.genesis).signedBytes
    }

    private static func types(_ cards: CardSet, _ types: [UInt8]) throws(CardGap) -> [UInt8] {
        var reader = CardReader("types", cards.types)
        _ = try reader.read(.types, { _ in types }, as: Card.init(types:))
        try reader.finish()
        return UpdatePayload.Content.loadTypes(types).signedBytes
    }

    private static func assets(_ cards: CardSet) throws(CardGap) -> [UInt8] {
        var reader = CardReader("network", cards.network)
        let genesis = try reader.read(
            .network, { GenesisHash(hex: $0.value) }, as: { Card.assetList(of: $0) })
        _ = try reader.read(.fieldName, { _ in }, as: { Card.assetListNumber })
        let serial = try reader.read(.number, { UInt32($0.value) }, as: { Card.assetListNumber($0) })
        var entries: [AssetUnits.Entry] = []
        while !reader.isAtEnd {
            entries.append(try reader.read(.notice, AssetUnits.Entry.init(card:), as: Card.init(asset:)))
        }
        guard let units = AssetUnits(genesisHash: genesis, serial: serial, entries: entries) else {
            throw reader.gap
        }
        return Content.loadAssets(units).signedBytes
    }
}

// MARK: Values of a card

/// The verifier that a card names.
private struct NamedVerifier {
    let key: PublicKey?

    init?(_ card: Card) {
        let words = card.value.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(
            String.init)
        switch words.count {
        case 1: key = nil
        case 2:
            guard let scheme = words[0].flatMap(SignatureScheme.init(name:)),
                let bytes = words[1].flatMap({ Hex.decode($0) }),
                let named = PublicKey(scheme: scheme, bytes: bytes)
            else { return nil }
            key = named
        default: return nil
        }
    }
}

extension Card {
    fileprivate var runtimeOfMetadata: RuntimeVersion? {
        if case .metadata(let version, _, _) = content { version } else { nil }
    }

    /// Each of their fields is printed on a line of its own.
    fileprivate var newSpecs: NetworkSpecs? { if case .newSpecs(let specs) = content { specs } else { nil } }
}

extension AssetUnits.Entry {
    /// From the line alone: `PALLET ID: SYMBOL, N decimals`. A pallet with a colon in its name is read as
    /// another entry, and refused.
    fileprivate init?(card: Card) {
        var line = LineReader(card.value)
        guard let number = line.takeLast(after: ", "), let name = line.takeFirst(before: ": ") else {
            return nil
        }
        let symbol = line.text
        var digits = LineReader(number)
        guard let decimals = digits.takeFirst(before: " decimals").flatMap({ UInt8($0) }) else { return nil }
        var words = LineReader(name)
        let id = words.takeLast(after: " ")
        self.init(pallet: id == nil ? nil : words.text, id: id ?? name, symbol: symbol, decimals: decimals)
    }
}
