import Cards
import Hashing
import SCALE
import SubstratePrimitives
import UOS

/// What a payload of derivations says besides the seeds and their keys.
enum DerivationHeader: Sendable, Equatable {
    /// Payload de: version 1, or 2 with the features of the signer that exported.
    case export(features: [ExportAddrs.Feature]?)
    /// Payload de in its other layout: one scheme and one network for all paths.
    case list(scheme: SignatureScheme, genesisHash: GenesisHash)
    /// Payload df, version 1.
    case request

    var cards: [Card] {
        switch self {
        case .export(nil), .request: Self.version("1")
        case .export(let features?):
            Self.version("2") + [Card(.fieldName("features")), Card(features: features)]
        case .list(let scheme, let genesisHash):
            [
                Card(.fieldName("path_list")), Card(scheme: scheme),
                Card(.bytes(genesisHash.bytes), indent: 2),
            ]
        }
    }

    private static func version(_ version: ExactText) -> [Card] {
        [Card(.fieldName("payload_version")), Card(.number(.integer(version)), indent: 1)]
    }

    /// - Parameter purpose: what the payload's code asks for.
    fileprivate init(_ purpose: DerivationReview.Purpose, from reader: inout CardReader) throws(CardGap) {
        if purpose == .listing {
            self = try reader.list()
            return
        }
        _ = try reader.read(.fieldName, { _ in }, as: { Card(.fieldName("payload_version")) })
        let version = try reader.read(.number)
        let header: DerivationHeader
        switch (purpose, version.value) {
        case (.answering, "1"): header = .request
        case (.importing, "1"): header = .export(features: nil)
        case (.importing, "2"):
            _ = try reader.read(.fieldName, { _ in }, as: { Card(.fieldName("features")) })
            header = .export(
                features: try reader.read(.bits, [ExportAddrs.Feature].init(card:), as: Card.init(features:)))
        default: throw reader.gap
        }
        self = header
    }
}

extension DerivationReview.Group {
    /// The seed as the payload names it. The signer's own cards say which seed of this vault it is.
    var origin: [Card] {
        // A list names neither a seed nor a root key, so no card says that it does.
        if case .list = header { return [] }
        guard let root else { return [] }
        let title =
            name.map {
                [Card(.fieldName("seed_name")), Card(.text(ExactText($0)), indent: 1)]
            } ?? []
        return title + [
            Card(.fieldName("root_key")), Card(scheme: root.scheme), Card(.bytes(root.bytes), indent: 2),
        ]
    }

    /// The lines of the derivations, and the networks that they name. If two networks share a name, or a name
    /// looks like a genesis hash, the line shows the genesis hash instead.
    var networksAndDerivations: (networks: [Card], derivations: [Card]) {
        var chains: [ExactText: Set<GenesisHash>] = [:]
        for target in targets {
            if let name = target.specs?.name {
                chains[ExactText(name), default: []].insert(target.genesisHash)
            }
        }
        var shown: Set<GenesisHash> = []
        var networks: [Card] = []
        let derivations = targets.map { target in
            guard let name = target.specs?.name, chains[ExactText(name)]?.count == 1,
                GenesisHash(hex: name) == nil
            else {
                return target.card(isNameAmbiguous: true)
            }
            if shown.insert(target.genesisHash).inserted {
                networks += Card.network(name, target.genesisHash)
            }
            return target.card(isNameAmbiguous: false)
        }
        return (networks, derivations)
    }
}

// MARK: Rebuilding

extension DerivationReview {
    /// Where the bytes rebuilt from the cards of the groups alone differ from `bytes`, the payload after its
    /// prelude; nil if they are equal.
    static func gap(_ purpose: Purpose, _ cards: [CardSet], bytes: [UInt8]) -> CardGap? {
        do throws(CardGap) {
            return CardGap(rebuilt: try rebuilt(purpose, cards), bytes: bytes)
        } catch {
            return error
        }
    }

    private static func rebuilt(_ purpose: Purpose, _ cards: [CardSet]) throws(CardGap) -> [UInt8] {
        var header: DerivationHeader?
        var seeds: [SeedInfo] = []
        for set in cards {
            var reader = CardReader("author", Array(set.author.dropFirst()))
            let found = try DerivationHeader(purpose, from: &reader)
            guard header == nil || header == found else { throw reader.gap }
            header = found
            if case .list(let scheme, let genesisHash) = found {
                try reader.finish()
                return try list(scheme, genesisHash, try keys(purpose, set))
            }
            let name: String = purpose == .importing ? try reader.text("seed_name") : ""
            let root = try reader.root()
            try reader.finish()
            seeds.append(SeedInfo(name: name, root: root, keys: try keys(purpose, set)))
        }
        return encode(header, seeds)
    }

    private static func encode(_ header: DerivationHeader?, _ seeds: [SeedInfo]) -> [UInt8] {
        SCALEWriter.encode { writer in
            switch header {
            // A payload of version 1 without a seed has no cards.
            case nil: ExportAddrs(seeds: []).encode(into: &writer)
            case .export(let features?) where seeds.count == 1:
                ExportAddrs(seed: seeds[0], features: features).encode(into: &writer)
            case .export: ExportAddrs(seeds: seeds).encode(into: &writer)
            case .list: preconditionFailure("a list has one group and no seeds")
            case .request:
                let entries = seeds[0].keys.map {
                    DynamicDerivationsRequest.Entry(
                        path: $0.path ?? "", scheme: $0.scheme, genesisHash: $0.genesisHash)
                }
                DynamicDerivationsRequest(root: seeds[0].root, entries: entries).encode(into: &writer)
            }
        }
    }

    /// Every line must say the scheme and the network of the list.
    private static func list(
        _ scheme: SignatureScheme, _ genesisHash: GenesisHash, _ keys: [SeedInfo.DerivedKey]
    ) throws(CardGap) -> [UInt8] {
        guard keys.allSatisfy({ $0.scheme == scheme && $0.genesisHash == genesisHash }) else {
            throw CardGap.card("derivations 1")
        }
        let list = PathList(scheme: scheme, genesisHash: genesisHash, paths: keys.map { $0.path ?? "" })
        return SCALEWriter.encode { list.encode(into: &$0) }
    }

    private static func keys(_ purpose: Purpose, _ set: CardSet) throws(CardGap) -> [SeedInfo.DerivedKey] {
        var networks = CardReader("network", set.network)
        var named: [ExactText: GenesisHash] = [:]
        while !networks.isAtEnd {
            let (name, genesis) = try networks.network()
            guard named.updateValue(genesis, forKey: ExactText(name)) == nil else { throw networks.gap }
        }
        var reader = CardReader("derivations", set.derivations)
        var keys: [SeedInfo.DerivedKey] = []
        while !reader.isAtEnd {
            guard let key = SeedInfo.DerivedKey(try reader.read(.derivation), purpose, networks: named) else {
                throw reader.gap
            }
            keys.append(key)
        }
        let used = Set(keys.map(\.genesisHash))
        guard named.values.allSatisfy(used.contains) else { throw networks.gap }
        return keys
    }
}

extension SeedInfo.DerivedKey {
    /// From the line alone, `PATH  ADDRESS  NETWORK  SCHEME: what becomes of it`; a line of a request may
    /// have no address. A path or an address that makes the line ambiguous gives other bytes, and is refused.
    /// The card's facts must say the same as its line.
    fileprivate init?(_ card: Card, _ purpose: DerivationReview.Purpose, networks: [ExactText: GenesisHash]) {
        var line = LineReader(card.value)
        guard let words = line.takeLast(after: ": "),
            let scheme = line.takeLast(after: "  ").flatMap(SignatureScheme.init(name:)),
            let network = line.takeLast(after: "  "),
            let genesis = networks[ExactText(network)] ?? GenesisHash(hex: network)
        else { return nil }
        let address = line.takeLast(after: "  ")
        guard purpose != .importing || address != nil else { return nil }
        let path: String? =
            if line.rest.elementsEqual(Card.Derivation.rootPath.utf8) {
                nil
            } else {
                line.rest.elementsEqual(Card.Derivation.emptyPath.utf8) ? "" : line.text
            }
        guard case .derivation(let told) = card.content, words.utf8Equals(told.status.words),
            told.path == ExactText(path ?? ""),
            told.address == address.map({ ExactText($0) }), told.scheme == scheme, told.genesis == genesis
        else { return nil }
        self.init(address: address ?? "", path: path, scheme: scheme, genesisHash: genesis)
    }
}

extension CardReader {
    fileprivate mutating func text(_ name: ExactText) throws(CardGap) -> String {
        _ = try read(.fieldName, { _ in }, as: { Card(.fieldName(name)) })
        return try read(.text).value
    }

    fileprivate mutating func list() throws(CardGap) -> DerivationHeader {
        _ = try read(.fieldName, { _ in }, as: { Card(.fieldName("path_list")) })
        guard let scheme = SignatureScheme(name: try read(.enumVariant).value) else { throw gap }
        let genesis = try read(
            .bytes, { Hex.decode($0.value).flatMap { GenesisHash($0) } },
            as: { Card(.bytes($0.bytes), indent: 2) })
        return .list(scheme: scheme, genesisHash: genesis)
    }

    fileprivate mutating func root() throws(CardGap) -> PublicKey {
        _ = try read(.fieldName, { _ in }, as: { Card(.fieldName("root_key")) })
        guard let scheme = SignatureScheme(name: try read(.enumVariant).value) else { throw gap }
        return try read(
            .bytes, { Hex.decode($0.value).flatMap { PublicKey(scheme: scheme, bytes: $0) } },
            as: { Card(.bytes($0.bytes), indent: 2) })
    }
}

// MARK: Cards

extension Card {
    fileprivate init(scheme: SignatureScheme) {
        self.init(.enumVariant(.init(ExactText(scheme.name))), indent: 1)
    }

    fileprivate init(features: [ExportAddrs.Feature]) {
        self.init(.bits(.names(features.map { ExactText($0.word) })), indent: 1)
    }
}

extension [ExportAddrs.Feature] {
    fileprivate init?(card: Card) {
        let names = card.value.utf8.split(separator: UInt8(ascii: ",")).map {
            String(decoding: $0.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        }
        guard !names.utf8ElementsEqual(["none"]) else {
            self = []
            return
        }
        let features = names.compactMap { name in
            [ExportAddrs.Feature.bulkOperations, .dynamicDerivations].first { $0.word.utf8Equals(name) }
        }
        guard features.count == names.count else { return nil }
        self = features
    }
}

extension ExportAddrs.Feature {
    fileprivate var word: String {
        switch self {
        case .bulkOperations: "bulk operations"
        case .dynamicDerivations: "dynamic derivations"
        }
    }
}
