import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// Values without parts, and those that show in one line.
extension CardWriter {
    mutating func account(_ account: [UInt8], indent: Int) {
        let text = addresses.text(account)
        add(.account, text, indent, .account(.init(address: text, account: account)))
    }

    /// A standard vote: the highest bit says aye, the rest for how many lock periods the tokens stay.
    mutating func vote(_ value: Value, indent: Int) -> Bool {
        guard let byte = value.number, let text = StandardVote.text(UInt8(truncatingIfNeeded: byte)) else {
            return false
        }
        add(.number, text, indent, .integer(ExactText(String(byte))))
        return true
    }

    /// Parts of a whole as percentages, fixed-point numbers as decimals; the integer is kept as `raw`.
    mutating func fraction(_ value: Value, _ format: Fraction, indent: Int) -> Bool {
        let raw: String
        let text: String
        switch value.unwrapped {
        case .unsigned(let number):
            (raw, text) = (String(number), format.text(magnitude: number, isNegative: false))
        case .signed(let number):
            (raw, text) = (String(number), format.text(magnitude: number.magnitude, isNegative: number < 0))
        case .bool, .char, .text, .wide, .bytes, .bits, .list, .record, .variant: return false
        }
        add(.number, text, indent, .integer(ExactText(raw)))
        // sp-arithmetic decodes no part above the whole; behind a compact it cuts the part to the whole, and
        // the chain, which encodes the call again to check the signature, gets other bytes.
        if format.isPercentage, case .unsigned(let number) = value.unwrapped, number > format.divisor {
            add(.aboveWhole, indent)
        }
        return true
    }

    /// An integer of 256 bits. In wei it is an amount of the chain's token, where the smallest unit of that
    /// is a wei.
    mutating func wide(_ digits: String, indent: Int, _ hint: Hint) {
        guard hint.isWei, specs.decimals == ArgumentMeaning.weiDecimals, let planck = Planck(digits) else {
            if !hint.explainsNumbers { summary.hasBareNumbers = true }
            return add(.number, digits, indent)
        }
        // What no counter holds cannot be compared with a limit.
        if planck > Planck(.max) { summary.hasBareNumbers = true }
        add(balance: Card(.balance, planck, decimals: specs.decimals, unit: specs.unit), indent)
    }

    mutating func leaf(_ value: Value, indent: Int, _ hint: Hint) {
        switch value {
        case .bool(let flag): add(.bool, flag ? "true" : "false", indent)
        case .char(let scalar): add(.text, String(Character(scalar)), indent)
        case .text(let text): add(.text, text, indent)
        case .unsigned(let number):
            if hint.typeName?.isBalance == true {
                balance(number, indent: indent, hint.asset)
            } else {
                add(.number, String(number), indent)
            }
        case .signed(let number): add(.number, String(number), indent)
        case .wide(let digits): add(.number, Decimal256.text(digits), indent)
        case .bytes(let bytes): self.bytes(bytes, indent: indent)
        case .bits(let bits):
            add(
                .bits,
                String(decoding: Array("0b".utf8) + bits.map { UInt8(ascii: $0 ? "1" : "0") }, as: UTF8.self),
                indent)
        case .list, .record, .variant: add(.none, "()", indent)
        }
    }

    private mutating func balance(_ number: UInt128, indent: Int, _ asset: AssetContext) {
        let planck = Planck(number)
        switch asset {
        case .native:
            add(balance: Card(.balance, planck, decimals: specs.decimals, unit: specs.unit), indent)
        case .known(let unit, let key):
            add(
                balance: Card(.balance, planck, decimals: unit.decimals, unit: unit.symbol, asset: key),
                indent)
        case .unknown(let id, let key):
            add(.number, planck.digits.text, indent, .integer(planck.digits))
            add(.foreignUnit(asset: id, key: key), indent)
        }
    }

    private mutating func add(balance card: Card, _ indent: Int) {
        add(.balance, card.value, indent, card.facts)
    }

    /// Text if it is printable, else hex. The facts always have the bytes.
    mutating func bytes(_ bytes: [UInt8], indent: Int) {
        if let text = String.printable(bytes) {
            add(.text, text, indent, .bytes(bytes))
        } else {
            add(.bytes, "0x" + Hex.encode(bytes), indent, .bytes(bytes))
        }
    }
}

extension Card {
    /// A balance or a tip.
    /// - Parameter asset: nil for the chain's own token.
    init(
        _ kind: Kind, _ planck: Planck, decimals: UInt8, unit: String, asset: AssetKey? = nil,
        isDerived: Bool = false
    ) {
        let amount = Amount(raw: planck, decimals: decimals, unit: unit, asset: asset)
        self.init(kind, amount.text.text, facts: .amount(amount), isDerived: isDerived)
    }
}

extension Card {
    /// A message as text where it is UTF-8, else as hex. Both programs show a message by this card.
    public init(message content: [UInt8]) {
        let text = String(validating: content, as: UTF8.self)
        self.init(.message, text ?? "0x" + Hex.encode(content), facts: .message(content, isText: text != nil))
    }
}
