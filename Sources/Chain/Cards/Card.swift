/// One line that a person reads before a decision, with its facts for a program.
///
/// ``value`` is all that stands on the line; ``fields`` hold the further facts of the card's kind.
public struct Card: Sendable, Equatable {
    /// What a card is about. The raw value is the `kind` of its JSON object, which stays as it is.
    ///
    /// The line of each kind comes first, then its facts in brackets. All hashes and keys are hex without `0x`.
    public enum Kind: String, Sendable, CaseIterable {
        /// The name of a pallet, as the runtime spells it.
        case pallet
        /// The name of a call, one level below its pallet (docs).
        case call
        /// The name of a field or an argument; its value follows one level below (docs, path, type_docs).
        case fieldName = "field_name"
        /// The number of an unnamed field or of an item, counted from 1; its value follows one level below.
        case fieldNumber = "field_number"
        /// The name of an enumeration's variant; its fields follow one level below (docs).
        case enumVariant = "enum_variant"
        /// The address of an account: SS58 with the prefix of the network, EIP-55 for 20 bytes (address, public_key).
        case account
        /// An amount with an SI prefix and a unit, `100.000000000 mWND` (amount, unit, raw: the integer in decimal digits, plain: the number
        /// in the unit without a prefix, symbol: that unit, decimals, asset: the text of its id, absent for the chain's own token).
        case balance
        /// The tip for the block's author, written as a balance is (amount, unit, raw).
        case tip
        /// An integer in decimal digits, or what an integer stands for: a percentage, a fixed-point number, a vote (raw).
        case number
        /// Text: a string, a character, or bytes that are printable UTF-8 (hex, for bytes).
        case text
        /// Bytes as `0x` and hex (hex).
        case bytes
        /// Bits in the order of their indices, as `0b` and digits.
        case bits
        /// `true` or `false`.
        case bool
        /// A value without content: `()`, `[]`, or the name of an empty variant such as `None`.
        case none
        /// The name of a flag that is set (docs).
        case identityField = "identity_field"
        /// The transaction never expires: `Immortal`.
        case eraImmortal = "era_immortal"
        /// The blocks in which the transaction is valid (phase and period, in blocks).
        case eraMortal = "era_mortal"
        /// How many transactions the signer sent before, in decimal digits.
        case nonce
        /// The hash of the block where a mortal era starts, of the genesis block for an immortal one.
        case blockHash = "block_hash"
        /// The hash of the chain's first block.
        case genesisHash = "genesis_hash"
        /// Name and version of the runtime that the transaction is for, `westend 9430` (name, version).
        case specVersion = "spec_version"
        /// The version of the runtime's transaction format.
        case txVersion = "tx_version"
        /// The hash of the metadata that the transaction commits to; `None` if it commits to none.
        case metadataHash = "metadata_hash"
        /// The identifier of a transaction extension without a card of its own; what it carries follows one level below.
        case `extension`
        /// The address of a known signer (address, seed, path, has_password and further facts of the key).
        case author
        /// The address of a signer that is not in this vault (address, public_key).
        case authorUnknown = "author_unknown"
        /// A sentence that asks for a second look (code).
        case warning
        /// Why a payload is refused (code).
        case error
        /// The scheme and the public key that vouches for an update; `none` if it is unsigned (public_key, scheme).
        case verifier
        /// Name and version of a runtime whose metadata an update brings (name, version, hash: BLAKE2b-256, length in bytes).
        case metadata
        /// The BLAKE2b-256 of a types supplement or an asset list (hash, length in bytes).
        case types
        /// The name of a network that an update adds, and its specs.
        case newSpecs = "new_specs"
        /// The name of a network, or its genesis hash (genesis_hash).
        case network
        /// A derivation path (path, address, status).
        case derivation
        /// The text or the bytes of a message to be signed.
        case message
        /// A sentence that says what this side makes of the cards around it (code).
        case notice
    }

    /// The content of one field, as JSON has it.
    public enum Fact: Sendable, Equatable {
        /// A string, not yet escaped.
        case text(String)
        /// An array of strings.
        case texts([String])
        /// An integer of at most 64 bits; larger ones are texts of decimal digits.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// `null`: the field belongs to the kind, and this card has nothing to say in it.
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

    /// A named fact of a card, a member of its JSON object.
    public struct Field: Sendable, Equatable {
        /// In snake case, as in JSON; equal by its bytes.
        public let name: String
        /// What the field says.
        public let fact: Fact

        /// A field with any content.
        public init(_ name: String, _ fact: Fact) {
            self.name = name
            self.fact = fact
        }

        /// A field with a text; nil makes it ``Fact/absent``.
        public init(_ name: String, _ text: String?) { self.init(name, text.map(Fact.text) ?? .absent) }

        public static func == (one: Field, other: Field) -> Bool {
            one.name.utf8.elementsEqual(other.name.utf8) && one.fact == other.fact
        }
    }

    /// Which of the signed bytes a card is about.
    public enum Coverage: Sendable, Equatable {
        /// No signed byte: the card is about the signer, or was not compared with bytes.
        case none
        /// The card states these bytes: its line and the types alone determine them. Every signed byte belongs to exactly one such card.
        /// The second range is that of the mode byte, for the card that shows the hash of the metadata.
        case states(Range<Int>, and: Range<Int>? = nil)
        /// The card says what this side makes of these bytes. It covers none of them.
        case interprets(Range<Int>)
    }

    /// The card's number among all cards of an item, from 0 in reading order; set by ``CardSet/numbered()``.
    public var index: Int
    /// Depth, 0 for the outermost.
    public var indent: Int
    /// What the card is about; decides which ``fields`` it has.
    public var kind: Kind
    /// The card's line: text as the payload carries it, not yet escaped for a terminal.
    public var value: String
    /// The facts of the kind, in the order in which JSON lists them.
    public var fields: [Field]
    /// Whether the card is derived: a notice, a name, a sum, a call inside bytes or behind a hash. All others are literal.
    public var isDerived: Bool
    /// Which signed bytes the card is about, as offsets from the first signed byte; set when the cards are compared with the bytes.
    public var coverage = Coverage.none

    /// A card with index 0 that covers no bytes yet.
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

    /// One flat object: `index`, `indent`, `kind`, `value`, the fields, and `states` or `interprets` with the offsets of the covered bytes.
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
