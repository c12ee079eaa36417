import Cards
import Hashing
import Metadata
import SubstratePrimitives

extension CardBuilder {
    /// Types that a person reads in another form than their parts; false when the type is shown by its parts.
    mutating func special(_ value: Value, _ definition: TypeDefinition, indent: Int, _ hint: Hint) throws(MetadataError) -> Bool {
        switch definition.ident {
        case "AccountId32", "AccountId20":
            guard let account = value.byteString, account.count == 32 || account.count == 20 else { return false }
            self.account(account, indent: indent)
            return true
        case "Era":
            guard case .variant(let first, let fields) = value, let era = try? Era(variant: first, fields: fields) else { return false }
            cards(ExtensionCards.card(era, indent: indent))
            return true
        default:
            return fraction(value, definition.ident, indent: indent)
        }
    }

    private mutating func cards(_ card: Card) { add(card.kind, card.value, card.indent, card.fields) }

    mutating func account(_ account: [UInt8], indent: Int) {
        let text = SS58Address(prefix: specs.base58Prefix, account: account)?.text ?? "0x" + Hex.encode(account)
        add(.account, text, indent, [.init("address", text), .init("public_key", Hex.encode(account))])
    }

    /// Parts of a whole as percentages, fixed-point numbers as decimals; the integer is kept as `raw`.
    private mutating func fraction(_ value: Value, _ ident: String, indent: Int) -> Bool {
        guard let format = Fraction(ident: ident) else { return false }
        let raw: String
        let text: String
        switch value.unwrapped {
        case .unsigned(let number): (raw, text) = (String(number), format.text(magnitude: number, isNegative: false))
        case .signed(let number): (raw, text) = (String(number), format.text(magnitude: number.magnitude, isNegative: number < 0))
        default: return false
        }
        add(.number, text, indent, [.init("raw", raw)])
        return true
    }

    mutating func leaf(_ value: Value, indent: Int, _ hint: Hint) {
        switch value {
        case .bool(let flag): add(.bool, flag ? "true" : "false", indent)
        case .char(let scalar): add(.text, String(Character(scalar)), indent)
        case .text(let text): add(.text, text, indent)
        case .unsigned(let number):
            if hint.typeName?.isBalance == true {
                balance(number, indent: indent, isNative: hint.isNative)
            } else {
                add(.number, String(number), indent)
            }
        case .signed(let number): add(.number, String(number), indent)
        case .wide(let digits): add(.number, Decimal256.text(digits), indent)
        case .bytes(let bytes): self.bytes(bytes, indent: indent)
        case .bits(let bits): add(.bits, String(bits.map { $0 ? "1" : "0" }), indent)
        case .list, .record, .variant: add(.none, "()", indent)
        }
    }

    private mutating func balance(_ planck: UInt128, indent: Int, isNative: Bool) {
        guard isNative else { return add(.number, String(planck), indent, [.init("raw", String(planck))]) }
        let amount = TokenAmount(planck: planck, decimals: specs.decimals, unit: specs.unit)
        add(
            .balance, amount.text, indent,
            [.init("amount", amount.number), .init("unit", amount.unit), .init("raw", String(planck))])
    }

    /// Text when it is printable, and hex always. Text that starts with `0x` shows as hex, so that no text passes for bytes.
    mutating func bytes(_ bytes: [UInt8], indent: Int) {
        let hex = Hex.encode(bytes)
        if let text = String.printable(bytes) {
            add(.text, text, indent, [.init("hex", hex)])
        } else {
            add(.bytes, "0x" + hex, indent, [.init("hex", hex)])
        }
    }
}

extension String {
    /// UTF-8 of letters, digits, marks, punctuation, symbols, spaces and line feeds; nil for anything else and for nothing.
    static func printable(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("0x") else { return nil }
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n" || scalar == "\t": continue
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return nil
            default: continue
            }
        }
        return text
    }
}

/// Fixed-point types of sp-arithmetic.
struct Fraction {
    /// What the integer is divided by.
    let divisor: UInt128
    let isPercentage: Bool

    init?(ident: String) {
        switch ident {
        case "Percent": (divisor, isPercentage) = (100, true)
        case "PerU16": (divisor, isPercentage) = (65535, true)
        case "Permill": (divisor, isPercentage) = (1_000_000, true)
        case "Perbill": (divisor, isPercentage) = (1_000_000_000, true)
        case "Perquintill": (divisor, isPercentage) = (1_000_000_000_000_000_000, true)
        case "FixedI64", "FixedU64": (divisor, isPercentage) = (1_000_000_000, false)
        case "FixedI128", "FixedU128": (divisor, isPercentage) = (1_000_000_000_000_000_000, false)
        default: return nil
        }
    }

    /// Exact for powers of ten; thirds and the like of PerU16 are cut after ten digits.
    func text(magnitude: UInt128, isNegative: Bool) -> String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: divisor)
        // Two digits of a percentage stand before the point.
        var digits: [UInt8] = []
        var remainder = rest
        while remainder > 0, digits.count < 20 {
            remainder *= 10
            digits.append(UInt8(remainder / divisor))
            remainder %= divisor
        }
        var integer = String(whole)
        if isPercentage {
            while digits.count < 2 { digits.append(0) }
            integer = String(whole * 100 + UInt128(digits[0]) * 10 + UInt128(digits[1]))
            digits.removeFirst(2)
        }
        let fraction = digits.map { String($0) }.joined()
        return (isNegative ? "-" : "") + integer + (fraction.isEmpty ? "" : "." + fraction) + (isPercentage ? "%" : "")
    }
}

/// Decimal text of 256-bit integers.
enum Decimal256 {
    /// - Parameter littleEndian: 32 bytes, least significant first.
    static func text(_ littleEndian: [UInt8]) -> String {
        var words = stride(from: 0, to: 32, by: 4).reversed().map { start in
            (0..<4).reduce(UInt64(0)) { $0 | UInt64(littleEndian[start + $1]) << UInt64(8 * $1) }
        }
        var parts: [String] = []
        while words.contains(where: { $0 != 0 }) {
            var remainder: UInt64 = 0
            for place in words.indices {
                let value = remainder << 32 | words[place]
                words[place] = value / 1_000_000_000
                remainder = value % 1_000_000_000
            }
            parts.append(String(remainder))
        }
        guard let first = parts.popLast() else { return "0" }
        return parts.reversed().reduce(first) { $0 + String(repeating: "0", count: 9 - $1.count) + $1 }
    }
}
