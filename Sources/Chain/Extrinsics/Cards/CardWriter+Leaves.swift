import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// Values without parts, and those that show in one line.
extension CardWriter {
    mutating func account(_ account: [UInt8], indent: Int) {
        add(.account(.init(addresses.address(account))), indent)
    }

    mutating func add(integer digits: String, _ indent: Int) {
        add(.number(.integer(ExactText(digits))), indent)
    }

    /// A standard vote: the highest bit says aye, the rest for how many lock periods the tokens stay.
    mutating func vote(_ value: Value, indent: Int) -> Bool {
        guard let vote = value.number.flatMap(UInt8.init(exactly:)).flatMap(StandardVote.init(_:)) else {
            return false
        }
        add(.number(.vote(vote)), indent)
        return true
    }

    /// Parts of a whole as percentages, fixed-point numbers as decimals; the integer is kept as `raw`.
    mutating func fraction(_ value: Value, _ format: Fraction, indent: Int) -> Bool {
        let (magnitude, isNegative): (UInt128, Bool)
        switch value.unwrapped {
        case .unsigned(let number): (magnitude, isNegative) = (number, false)
        case .signed(let number): (magnitude, isNegative) = (number.magnitude, number < 0)
        case .bool, .char, .text, .wide, .bytes, .bits, .list, .record, .variant: return false
        }
        add(.number(.fraction(format, magnitude: magnitude, isNegative: isNegative)), indent)
        // sp-arithmetic decodes no part above the whole; behind a compact it cuts the part to the whole, and
        // the chain, which encodes the call again to check the signature, gets other bytes.
        if format.isPercentage, case .unsigned(let number) = value.unwrapped, number > format.divisor {
            tell(.aboveWhole, indent)
        }
        return true
    }

    /// An integer of 256 bits. In wei it is an amount of the chain's token, where the smallest unit of that
    /// is a wei.
    mutating func wide(_ digits: String, indent: Int, _ hint: Hint) {
        guard hint.isWei, specs.decimals == ArgumentMeaning.weiDecimals, let planck = Planck(digits) else {
            if !hint.explainsNumbers { summary.hasBareNumbers = true }
            return add(integer: digits, indent)
        }
        // What no counter holds cannot be compared with a limit.
        if planck > Planck(.max) { summary.hasBareNumbers = true }
        add(.balance(.init(raw: planck, decimals: specs.decimals, unit: specs.unit)), indent)
    }

    mutating func leaf(_ value: Value, indent: Int, _ hint: Hint) {
        switch value {
        case .bool(let flag): add(.bool(flag), indent)
        case .char(let scalar): add(.text(ExactText(String(Character(scalar)))), indent)
        case .text(let text): add(.text(ExactText(text)), indent)
        case .unsigned(let number):
            if hint.typeName?.isBalance == true {
                balance(number, indent: indent, hint.asset)
            } else {
                add(integer: String(number), indent)
            }
        case .signed(let number): add(integer: String(number), indent)
        case .wide(let digits): add(integer: Decimal256.text(digits), indent)
        case .bytes(let bytes): self.bytes(bytes, indent: indent)
        case .bits(let bits): add(.bits(.digits(bits)), indent)
        case .list, .record, .variant: add(.none(.unit), indent)
        }
    }

    private mutating func balance(_ number: UInt128, indent: Int, _ asset: AssetContext) {
        let planck = Planck(number)
        switch asset {
        case .native:
            add(.balance(.init(raw: planck, decimals: specs.decimals, unit: specs.unit)), indent)
        case .known(let unit, let key):
            add(
                .balance(.init(raw: planck, decimals: unit.decimals, unit: unit.symbol, asset: key)), indent)
        case .unknown(let id, let key):
            add(.number(.smallestUnits(planck)), indent)
            tell(.foreignUnit(asset: id, key: key), indent)
        }
    }

    /// Text if it is printable, else hex.
    mutating func bytes(_ bytes: [UInt8], indent: Int) {
        let text = String.printable(bytes).map { Card.Content.text(ExactText($0), isBytes: true) }
        add(text ?? .bytes(bytes), indent)
    }
}
