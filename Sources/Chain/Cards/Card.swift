import SubstratePrimitives

/// One line that a person reads before a decision, with its facts for the rules and for programs.
///
/// ``content`` is all that a card says. The line of a person (``value``) and the members of its JSON object
/// (``fields``) are worked out from it, each in one place, so no line says anything else than the facts do.
/// The signed bytes are rebuilt from the line, because a person reads nothing else.
public struct Card: Sendable, Equatable {
    /// What a card is about. The raw value is the `kind` of its JSON object, which stays as it is.
    ///
    /// The line of each kind comes first, then its facts in brackets. All hashes and keys are hex without
    /// `0x`.
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
        /// The address of an account: SS58 with the prefix of the network, EIP-55 for 20 bytes (address,
        /// public_key).
        case account
        /// An amount with an SI prefix and a unit, `100.000000000 mWND` (amount, unit, raw: the integer in
        /// decimal digits, plain: the number in the unit without a prefix, symbol: that unit, decimals,
        /// asset: the text of its id, absent for the chain's own token).
        case balance
        /// The tip for the block's author, written as a balance is (amount, unit, raw).
        case tip
        /// An integer in decimal digits, or what an integer stands for: a percentage, a fixed-point number, a
        /// vote (raw).
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
        /// The identifier of a transaction extension without a card of its own; what it carries follows one
        /// level below.
        case `extension`
        /// The address of a known signer (address, seed, path, has_password and further facts of the key).
        case author
        /// The address of a signer that is not in this vault (address, public_key).
        case authorUnknown = "author_unknown"
        /// A sentence that asks for a second look (code).
        case warning
        /// The scheme and the public key that vouches for an update; `none` if it is unsigned (public_key,
        /// scheme).
        case verifier
        /// Name and version of a runtime whose metadata an update brings (name, version, hash: BLAKE2b-256,
        /// length in bytes).
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
        /// A sentence of this program about the cards around it (code).
        case notice
    }

    /// Which of the signed bytes a card is about.
    public enum Coverage: Sendable, Equatable {
        /// No signed byte: the card is about the signer, or was not compared with bytes.
        case none
        /// The card states these bytes: its line and the types alone determine them. Every signed byte
        /// belongs to exactly one such card. The second range is that of the mode byte, for the card that
        /// shows the hash of the metadata.
        case states(Range<Int>, and: Range<Int>? = nil)
        /// The card interprets these bytes. It does not state any of them.
        case interprets(Range<Int>)
    }

    /// The card's number among all cards of an item, from 0 in reading order; set by ``CardSet/numbered()``.
    public var index: Int
    /// Depth, 0 for the outermost.
    public var indent: Int
    /// What the card says.
    public var content: Content
    /// Whether the card is derived: a notice, a name, a sum, a call inside bytes or behind a hash. All others
    /// are literal.
    public var isDerived: Bool
    /// Which signed bytes the card is about, as offsets from the first signed byte; set when the cards are
    /// compared with the bytes.
    public var coverage = Coverage.none

    /// A card with index 0 that covers no bytes yet.
    public init(_ content: Content, indent: Int = 0, isDerived: Bool = false) {
        self.index = 0
        self.indent = indent
        self.content = content
        self.isDerived = isDerived
    }

    /// Whether both read alike: the same kind of line, at the same depth and about the same bytes, with the
    /// same text, whatever else their facts are.
    public func readsAs(_ other: Card) -> Bool {
        kind == other.kind && indent == other.indent && coverage == other.coverage
            && value.utf8Equals(other.value)
    }
}
