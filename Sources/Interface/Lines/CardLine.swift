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
    ///   value; the others come from its facts, and a card without them keeps its value.
    public init(_ card: Card, amounts: CardView.Amounts = .prefixed) {
        label = Self.label(card)
        text = Self.text(card, amounts)
    }

    /// `label text`
    public var line: String { (label.map { $0 + " " } ?? "") + text }

    private static func label(_ card: Card) -> String? {
        switch card.kind {
        case .text: "text"
        case .bytes: "bytes"
        case .message: card.isTextMessage ? "text" : "bytes"
        // The address is bytes in hex, and a field may be called `bytes`.
        case .account: card.value.utf8.starts(with: "0x".utf8) ? "account" : nil
        case .nonce: "nonce"
        case .tip: "tip"
        case .blockHash: "block hash"
        case .genesisHash: "genesis hash"
        case .specVersion: "runtime"
        case .txVersion: "transaction version"
        case .metadataHash: "metadata hash"
        case .eraMortal, .eraImmortal: "era"
        case .notice: "meaning:"
        case .authorUnknown: "unknown signer"
        case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .balance, .number, .bits, .bool, .none,
            .identityField, .extension,
            .author, .warning, .error, .verifier, .metadata, .types, .newSpecs, .network, .derivation:
            nil
        }
    }

    private static func text(_ card: Card, _ amounts: CardView.Amounts) -> String {
        switch card.kind {
        case .enumVariant: variant(card)
        case .pallet, .call, .fieldName, .identityField, .extension: Escape.name(card.value)
        case .text: Escape.quoted(card.value)
        case .message: card.isTextMessage ? Escape.quoted(card.value) : Escape.ascii(card.value)
        case .balance, .tip: amount(card, amounts)
        case .none: none(card.value)
        // Labels and seeds are free text. The parts of a derivation stand apart by two spaces, and no path
        // with two is taken.
        case .author: author(card)
        case .derivation: derivation(card)
        case .fieldNumber, .bytes, .account, .number, .bits, .bool, .nonce, .blockHash, .genesisHash,
            .specVersion, .txVersion,
            .metadataHash,
            .eraMortal, .eraImmortal, .notice, .authorUnknown, .warning, .error, .verifier, .metadata, .types,
            .newSpecs, .network:
            Escape.ascii(card.value)
        }
    }

    /// The address, or the seed and the path of a key that signing derives.
    private static func author(_ card: Card) -> String {
        guard let signer = card.signer, let seed = signer.seed?.text,
            card.value.utf8Equals(seed + signer.path.text)
        else { return Escape.line(card.value) }
        return Escape.line(seed) + Escape.path(signer.path.text)
    }

    /// The path stands first; the root key has words of its own.
    private static func derivation(_ card: Card) -> String {
        guard case .derivation(let key) = card.facts, case let path = key.path.text, !path.utf8.isEmpty,
            card.value.utf8Starts(with: path)
        else { return Escape.terminal(card.value) }
        let rest = String(decoding: card.value.utf8.dropFirst(path.utf8.count), as: UTF8.self)
        return Escape.path(path) + Escape.terminal(rest)
    }

    /// A variant by its name; one of an unusual shape by its index and the path of its type too.
    private static func variant(_ card: Card) -> String {
        guard case .variant(_, let unusual?) = card.facts else { return Escape.name(card.value) }
        return
            """
            \(Escape.name(unusual.name.text)) (variant \(unusual.index) of \(Escape.ascii(unusual.path.text)))
            """
    }

    private static func amount(_ card: Card, _ form: CardView.Amounts) -> String {
        guard let amount = card.amount else { return Self.amount(card.value) }
        return switch form {
        case .prefixed: Self.amount(card.value)
        case .plain: Amount.plain(amount.text.plain, unit: amount.text.symbol)
        case .raw: "\(amount.raw.digits) x 10^-\(amount.decimals) \(Amount.unit(amount.text.symbol))"
        }
    }

    /// `number unit`: what follows the first space is the unit.
    private static func amount(_ value: String) -> String {
        let parts = value.unicodeScalars.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 2 else { return Escape.ascii(value) }
        return Escape.ascii(parts[0]) + " " + Amount.unit(parts[1])
    }

    /// An empty list or value has signs of its own. A variant without content is a name, and prints in lower
    /// case to differ from other variants.
    private static func none(_ value: String) -> String {
        switch value {
        case "()", "[]": value
        default: value.utf8.elementsEqual("None".utf8) ? "none" : "none " + Escape.name(value)
        }
    }
}

extension Card {
    /// Whether its line is a message as text.
    fileprivate var isTextMessage: Bool { if case .message(_, let isText) = facts { isText } else { false } }
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
