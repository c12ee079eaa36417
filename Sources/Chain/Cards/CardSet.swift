/// The cards of one item, in sections. A section that does not apply is empty.
public struct CardSet: Sendable, Equatable, Encodable {
    /// What a message of a threshold group says of the group; empty for every other payload.
    public var group: [Card] = []
    /// Who signs; empty for a payload without a signer.
    public var author: [Card] = []
    /// What asks for a second look.
    public var warning: [Card] = []
    /// The call of a transaction, nested calls included.
    public var method: [Card] = []
    /// The transaction extensions, explicit parts first.
    public var extensions: [Card] = []
    /// The message to be signed.
    public var message: [Card] = []
    /// Who vouches for an update.
    public var verifier: [Card] = []
    /// The metadata that an update brings.
    public var metadata: [Card] = []
    /// The types supplement or the asset list that an update brings.
    public var types: [Card] = []
    /// The specs of a network that an update adds.
    public var newSpecs: [Card] = []
    /// The network that the payload is for.
    public var network: [Card] = []
    /// The keys that the payload imports or asks for.
    public var derivations: [Card] = []

    /// A set without cards.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case group, author, warning, error, method, extensions, message, verifier, metadata, types
        case newSpecs = "new_specs"
        case network, derivations
    }

    private static let sections: [WritableKeyPath<CardSet, [Card]> & Sendable] = [
        \.group, \.author, \.warning, \.method, \.extensions, \.message, \.verifier, \.metadata,
        \.types, \.newSpecs, \.network,
        \.derivations,
    ]

    /// An object with an array for each section; `group` only where it has cards. That of `error` is empty: a
    /// payload that is refused has no cards.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        if !group.isEmpty { try object.encode(group, forKey: .group) }
        for (key, cards) in [
            (CodingKeys.author, author), (.warning, warning), (.error, []), (.method, method),
            (.extensions, extensions),
            (.message, message), (.verifier, verifier), (.metadata, metadata), (.types, types),
            (.newSpecs, newSpecs), (.network, network),
            (.derivations, derivations),
        ] {
            try object.encode(cards, forKey: key)
        }
    }

    /// Every card in reading order.
    public var all: [Card] { Self.sections.flatMap { self[keyPath: $0] } }

    /// The same cards with ``Card/index`` counting from 0 in reading order.
    public func numbered() -> CardSet {
        var set = self
        var next = 0
        for section in Self.sections {
            for index in set[keyPath: section].indices {
                set[keyPath: section][index].index = next
                next += 1
            }
        }
        return set
    }
}
