import Cards
import Keys
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// An import of derivations (payload de) or a request for them (payload df), shown as cards. Reviewing
/// changes nothing.
public struct DerivationReview: Sendable, Equatable {
    /// What the payload asks for.
    public enum Purpose: Sendable, Equatable {
        case importing
        /// Payload de in its other layout: paths for the seed that a person names.
        case listing
        case answering
    }

    /// Derivations under one root.
    public struct Group: Sendable, Equatable {
        /// The name in the payload; nil in a request and in a list of paths.
        public let name: String?
        /// The root key in the payload. A list of paths states none: then it is the root of the named seed,
        /// or nil if no seed was named.
        public let root: PublicKey?
        /// The vault's seed; nil where none has the root.
        public let seed: String?
        let header: DerivationHeader
        public package(set) var targets: [DerivationTarget]

        public static func == (one: Group, other: Group) -> Bool {
            one.name.utf8Equals(other.name) && one.root == other.root && one.seed.utf8Equals(other.seed)
                && one.targets == other.targets
        }

        public var cards: CardSet {
            var cards = CardSet()
            cards.author = [author] + header.cards + origin
            (cards.network, cards.derivations) = networksAndDerivations
            return cards.numbered()
        }

        private var author: Card {
            let address = root?.address(prefix: 42)
            let signer = Card.Signer(.root(name: name.map { ExactText($0) }), address: address, seed: seed)
            return Card(.signer(signer))
        }
    }

    public let purpose: Purpose
    public private(set) var groups: [Group]
    /// Where the cards of the groups do not match the payload; nil if the payload may be carried out.
    public private(set) var gap: CardGap?

    /// The derivations of a payload; nil for other payloads.
    /// - `seed`: the seed that a person named for roots that no seed has.
    public init?(_ payload: Payload, seed: String?, _ state: TrustState) {
        let bytes = Array(payload.bytes.dropFirst(Prelude.length))
        switch payload.content {
        case .importDerivations(let export): self.init(importing: export, bytes: bytes, seed: seed, state)
        case .importPaths(let list): self.init(listing: list, bytes: bytes, seed: seed, state)
        case .derivationsRequest(let request): self.init(answering: request, bytes: bytes, seed: seed, state)
        case .transaction, .message, .bulk, .update, .contactList, .group: return nil
        }
    }

    /// - Parameter bytes: those of the payload after its prelude; the encoding of `export` where there is no
    ///   payload.
    package init(importing export: ExportAddrs, bytes: [UInt8]? = nil, seed: String?, _ state: TrustState) {
        purpose = .importing
        groups = export.seeds.map { info in
            let seed = Self.seed(root: info.root, named: seed, state)
            let targets = info.keys.map {
                DerivationTarget(
                    seed: seed, derived: $0.address, path: $0.path, scheme: $0.scheme,
                    genesisHash: $0.genesisHash, state)
            }
            return Group(
                name: info.name, root: info.root, seed: seed, header: .export(features: export.features),
                targets: targets)
        }
        markRepeated()
        requireStated(bytes ?? SCALEWriter.encode { export.encode(into: &$0) })
    }

    /// A list does not say to which seed its paths belong, so only the seed that the person named is used.
    package init(listing list: PathList, bytes: [UInt8]? = nil, seed: String?, _ state: TrustState) {
        purpose = .listing
        let targets = list.paths.map {
            DerivationTarget(
                seed: seed, requested: $0, scheme: list.scheme, genesisHash: list.genesisHash, state)
        }
        let root = seed.flatMap { name in state.seedRoots.first { $0.seed.utf8Equals(name) }?.root }
        let header = DerivationHeader.list(scheme: list.scheme, genesisHash: list.genesisHash)
        groups = [Group(name: nil, root: root, seed: seed, header: header, targets: targets)]
        markRepeated()
        requireStated(bytes ?? SCALEWriter.encode { list.encode(into: &$0) })
    }

    /// Only a seed with the root of the request answers it.
    package init(
        answering request: DynamicDerivationsRequest, bytes: [UInt8]? = nil, seed: String?,
        _ state: TrustState
    ) {
        purpose = .answering
        let fitting = state.seeds(root: request.root)
        let chosen = fitting.first { seed.utf8Equals($0) } ?? fitting.first
        let targets = request.entries.map {
            DerivationTarget(
                seed: chosen, requested: $0.path, scheme: $0.scheme, genesisHash: $0.genesisHash, state)
        }
        groups = [Group(name: nil, root: request.root, seed: chosen, header: .request, targets: targets)]
        markRepeated()
        requireStated(bytes ?? SCALEWriter.encode { request.encode(into: &$0) })
    }

    private mutating func requireStated(_ bytes: [UInt8]) {
        gap = Self.gap(purpose, groups.map(\.cards), bytes: bytes)
    }

    private static func seed(root: PublicKey, named: String?, _ state: TrustState) -> String? {
        let fitting = state.seeds(root: root)
        return fitting.first { named.utf8Equals($0) } ?? fitting.first ?? named
    }

    private mutating func markRepeated() {
        struct Place: Hashable {
            let seed: [UInt8]?
            let path: [UInt8]
            let scheme: SignatureScheme
            let genesisHash: GenesisHash
        }
        var seen: Set<Place> = []
        for group in groups.indices {
            for index in groups[group].targets.indices {
                let target = groups[group].targets[index]
                let place = Place(
                    seed: target.seed.map { Array($0.utf8) }, path: Array(target.path.utf8),
                    scheme: target.scheme,
                    genesisHash: target.genesisHash)
                guard !seen.insert(place).inserted, target.status.isAdded || target.status == .alreadyKnown
                else { continue }
                groups[group].targets[index].status = .repeated
            }
        }
    }

    public var targets: [DerivationTarget] { groups.flatMap(\.targets) }

    /// The roots that no seed of the vault has.
    public var unknownRoots: [PublicKey] { groups.filter { $0.seed == nil }.compactMap(\.root) }

    /// Whether a person must say whose derivations these are.
    public var needsSeed: Bool { groups.contains { $0.seed == nil } }

    private var nothingNew: DerivationRefusal {
        !targets.isEmpty && targets.allSatisfy { $0.status == .alreadyKnown || $0.status == .repeated }
            ? .allKnown : .nothingToDo
    }

    /// Why it is only shown; nil when it may be carried out.
    public var refusal: DerivationRefusal? {
        if let gap { return .notOnCards(gap) }
        let added = targets.contains { $0.status.isAdded }
        switch purpose {
        case .importing:
            if added { return nil }
            if let root = unknownRoots.first { return .seedUnknown(root: root.bytes) }
            if let collision = targets.first(where: { $0.status == .collides }) {
                return .collision(path: collision.shownPath)
            }
            return nothingNew
        case .listing:
            if added { return nil }
            if needsSeed { return .seedNotNamed }
            if let collision = targets.first(where: { $0.status == .collides }) {
                return .collision(path: collision.shownPath)
            }
            return nothingNew
        case .answering:
            if let root = unknownRoots.first { return .seedUnknown(root: root.bytes) }
            return added || targets.contains { $0.status == .alreadyKnown } ? nil : .nothingToDo
        }
    }
}
