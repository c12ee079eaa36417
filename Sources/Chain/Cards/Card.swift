/// One line of what a person reads before a decision, with its facts for a program.
///
/// `value` alone is what stands on the line; `fields` are the further facts of the kind; a JSON document has them beside the kind.
public struct Card: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case pallet, call
        case fieldName = "field_name"
        case fieldNumber = "field_number"
        case enumVariant = "enum_variant"
        case account, balance, tip, number, text, bytes, bits, bool, none
        case identityField = "identity_field"
        case eraImmortal = "era_immortal"
        case eraMortal = "era_mortal"
        case nonce
        case blockHash = "block_hash"
        case genesisHash = "genesis_hash"
        case specVersion = "spec_version"
        case txVersion = "tx_version"
        case metadataHash = "metadata_hash"
        case `extension`
        case author
        case authorUnknown = "author_unknown"
        case warning, error, verifier, metadata, types
        case newSpecs = "new_specs"
        case network, derivation, message, notice
    }

    public enum Fact: Sendable, Equatable {
        case text(String)
        case texts([String])
        case number(Int)
        case flag(Bool)
        case absent

        /// Texts by their bytes: `String` takes canonically equivalent texts, such as `K` and the Kelvin sign, for equal.
        public static func == (one: Fact, other: Fact) -> Bool {
            switch (one, other) {
            case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
            case (.number(let one), .number(let other)): one == other
            case (.flag(let one), .flag(let other)): one == other
            case (.texts(let one), .texts(let other)):
                one.count == other.count && zip(one, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
            case (.absent, .absent): true
            case (.text, _), (.texts, _), (.number, _), (.flag, _), (.absent, _): false
            }
        }
    }

    public struct Field: Sendable, Equatable {
        public let name: String
        public let fact: Fact
        public init(_ name: String, _ fact: Fact) {
            self.name = name
            self.fact = fact
        }
        public init(_ name: String, _ text: String?) { self.init(name, text.map(Fact.text) ?? .absent) }

        public static func == (one: Field, other: Field) -> Bool {
            one.name.utf8.elementsEqual(other.name.utf8) && one.fact == other.fact
        }
    }

    /// Which of the signed bytes a card is about.
    public enum Coverage: Sendable, Equatable {
        /// No signed byte: a card about the signer, or one that was not compared with bytes.
        case none
        /// The card states these bytes: its line and the types alone determine them. Every signed byte belongs to exactly one such card.
        /// The second range is that of the mode byte, for the card that shows the hash of the metadata.
        case states(Range<Int>, and: Range<Int>? = nil)
        /// The card tells what this side makes of these bytes. It covers none.
        case interprets(Range<Int>)
    }

    /// Place among all cards of an item, in reading order; set by ``CardSet/numbered()``.
    public var index: Int
    /// Depth, 0 for the outermost.
    public var indent: Int
    public var kind: Kind
    /// Text as it came, not yet escaped for a terminal.
    public var value: String
    public var fields: [Field]
    /// Whether the card is derived: a notice, a name, a sum, a call inside bytes or behind a hash. All others are literal.
    public var isDerived: Bool
    public var coverage = Coverage.none

    public init(_ kind: Kind, _ value: String, indent: Int = 0, fields: [Field] = [], isDerived: Bool = false) {
        self.index = 0
        self.indent = indent
        self.kind = kind
        self.value = value
        self.fields = fields
        self.isDerived = isDerived
    }

    public static func == (one: Card, other: Card) -> Bool {
        one.index == other.index && one.indent == other.indent && one.kind == other.kind && one.value.utf8.elementsEqual(other.value.utf8)
            && one.fields == other.fields && one.isDerived == other.isDerived && one.coverage == other.coverage
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

    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Name.self)
        try object.encode(index, forKey: Name("index"))
        try object.encode(indent, forKey: Name("indent"))
        try object.encode(kind.rawValue, forKey: Name("kind"))
        try object.encode(value, forKey: Name("value"))
        for field in fields {
            let name = Name(field.name)
            switch field.fact {
            case .text(let text): try object.encode(text, forKey: name)
            case .texts(let texts): try object.encode(texts, forKey: name)
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
        case .interprets(let range): try object.encode([range.lowerBound, range.upperBound], forKey: Name("interprets"))
        }
    }
}
