import Cards

/// One card as a terminal shows it: the value, after a word for its kind unless the value alone tells the
/// kind.
///
/// Two cards of one kind print the same line only when their values are equal, byte for byte. A name prints
/// without spaces and quotes, text only in quotes, bytes only after the word `bytes`, so none of them passes
/// for another kind either.
public struct CardLine: Equatable, Sendable {
    /// nil if the form of the value is enough.
    public let label: String?
    /// Safe for a terminal.
    public let text: String

    /// - `amounts`: how a balance or a tip is written. Only ``CardView/Amounts/prefixed`` is the card's own
    ///   value.
    public init(_ card: Card, amounts: CardView.Amounts = .prefixed) {
        label = Self.label(card)
        text = Self.text(card, amounts)
    }

    /// `label text`
    public var line: String { (label.map { $0 + " " } ?? "") + text }

    private static func label(_ card: Card) -> String? {
        switch card.content {
        case .text, .message(.text): "text"
        case .bytes, .message(.bytes): "bytes"
        // The address is bytes in hex, and a field may be called `bytes`.
        case .account: card.value.utf8.starts(with: "0x".utf8) ? "account" : nil
        case .nonce: "nonce"
        case .tip: "tip"
        case .blockHash: "block hash"
        case .genesisHash: "genesis hash"
        case .specVersion: "runtime"
        case .txVersion: "transaction version"
        case .metadataHash: "metadata hash"
        case .era: "era"
        case .notice: "meaning:"
        case .signer(let signer) where signer.role == .unstored: "signer that is not stored"
        case .signer: card.kind == .authorUnknown ? "unknown signer" : nil
        case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .balance, .number, .bits, .bool, .none,
            .identityField, .extension, .warning, .verifier, .metadata, .types, .newSpecs, .network,
            .derivation:
            nil
        }
    }

    private static func text(_ card: Card, _ amounts: CardView.Amounts) -> String {
        switch card.content {
        case .pallet(let name), .call(let name, _), .fieldName(let name, _), .identityField(let name, _),
            .extension(let name):
            Escape.name(name.text)
        case .enumVariant(let variant): Self.variant(variant)
        case .text(let text, _), .message(.text(let text)): Escape.quoted(text.text)
        case .balance(let amount), .tip(let amount): Self.amount(amount, amounts)
        // An empty list or value has signs of its own. A variant without content is a name, and prints in
        // lower case to differ from other variants.
        case .none(.variant("None")): "none"
        case .none(.variant(let name)): "none " + Escape.name(name.text)
        // Labels and seeds are free text. The parts of a derivation stand apart by two spaces, and no path
        // with two is taken.
        case .signer where card.kind == .authorUnknown: Escape.ascii(card.value)
        case .signer(let signer): Self.signer(signer, card.value)
        case .derivation(let key): derivation(key, card.value)
        case .none(.unit), .none(.list), .fieldNumber, .bytes, .message(.bytes), .account, .number, .bits,
            .bool, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .era, .notice,
            .warning, .verifier, .metadata, .types, .newSpecs, .network:
            Escape.ascii(card.value)
        }
    }

    /// The address, or the seed and the path of a key that signing derives.
    private static func signer(_ signer: Card.Signer, _ line: String) -> String {
        guard case .underived = signer.role else { return Escape.line(line) }
        return Escape.line(signer.seed?.text ?? "") + Escape.path(signer.path.text)
    }

    /// The path stands first; the root key has words of its own.
    private static func derivation(_ key: Card.Derivation, _ line: String) -> String {
        let path = key.path.text
        guard !path.utf8.isEmpty else { return Escape.terminal(line) }
        let rest = String(decoding: line.utf8.dropFirst(path.utf8.count), as: UTF8.self)
        return Escape.path(path) + Escape.terminal(rest)
    }

    /// A variant by its name; one of an unusual shape by its index and the path of its type too.
    private static func variant(_ variant: Card.Variant) -> String {
        let name = Escape.name(variant.name.text)
        guard let unusual = variant.unusual else { return name }
        return "\(name) (variant \(unusual.index) of \(Escape.ascii(unusual.path.text)))"
    }

    private static func amount(_ amount: Card.Amount, _ form: CardView.Amounts) -> String {
        switch form {
        case .prefixed: Escape.ascii(amount.text.number) + " " + Amount.unit(amount.text.unit)
        case .plain: Amount.plain(amount.text.plain, unit: amount.text.symbol)
        case .raw: "\(amount.raw.digits) x 10^-\(amount.decimals) \(Amount.unit(amount.text.symbol))"
        }
    }
}

/// Amounts as plain decimals.
public enum Amount {
    /// `1,234.5678901234 DOT`: the digits before the point in groups of three.
    /// - `number`: decimal digits with or without a point.
    public static func plain(_ number: String, unit: String) -> String {
        "\(grouped(number)) \(Self.unit(unit))"
    }

    /// Escaped, so that a terminal shows it safely.
    public static func unit(_ unit: String) -> String { unit.utf8.isEmpty ? "(no unit)" : Escape.unit(unit) }

    /// A number with its digits before the point in groups of three.
    public static func grouped(_ number: String) -> String {
        let digits = Array(number.utf8.prefix { $0 != UInt8(ascii: ".") })
        let groups = digits.enumerated().flatMap { index, digit in
            index > 0 && (digits.count - index).isMultiple(of: 3) ? [UInt8(ascii: ","), digit] : [digit]
        }
        return Escape.ascii(
            String(decoding: groups + Array(number.utf8.dropFirst(digits.count)), as: UTF8.self))
    }
}
