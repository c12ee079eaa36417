/// The cards of one item, in the sections that a person reads one after the other.
public struct CardSet: Sendable, Equatable, Encodable {
    public var author: [Card] = []
    public var warning: [Card] = []
    public var error: [Card] = []
    public var method: [Card] = []
    public var extensions: [Card] = []
    public var message: [Card] = []
    public var verifier: [Card] = []
    public var metadata: [Card] = []
    public var types: [Card] = []
    public var newSpecs: [Card] = []
    public var network: [Card] = []
    public var derivations: [Card] = []

    public init() {}

    enum CodingKeys: String, CodingKey {
        case author, warning, error, method, extensions, message, verifier, metadata, types
        case newSpecs = "new_specs"
        case network, derivations
    }

    private static let sections: [WritableKeyPath<CardSet, [Card]> & Sendable] = [
        \.author, \.warning, \.error, \.method, \.extensions, \.message, \.verifier, \.metadata, \.types, \.newSpecs, \.network,
        \.derivations,
    ]

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
