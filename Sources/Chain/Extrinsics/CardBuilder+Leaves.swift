import Cards
import Hashing
import Metadata
import SubstratePrimitives

extension CardBuilder {
    /// Types that a person reads in another form than their parts; false when the type is shown by its parts.
    mutating func special(
        _ value: Value, _ type: TypeReference, _ trait: TypeTrait, indent: Int, _ hint: Hint
    ) throws(MetadataError) -> Bool {
        switch trait {
        case .account:
            guard let account = value.byteString, account.count == 32 || account.count == 20 else { return false }
            self.account(account, indent: indent)
            return true
        case .flags: return try flags(value, try types.definition(type), indent: indent)
        case .vote: return vote(value, indent: indent)
        case .fraction(let format): return fraction(value, format, indent: indent)
        case .xcmAsset, .xcmLocation, .encodedCall, .unusual, .none:
            guard let format = try judge.fraction(of: type, hint, caches) else { return false }
            return fraction(value, format, indent: indent)
        }
    }

    mutating func account(_ account: [UInt8], indent: Int) {
        let text = address(account)
        summary.accounts.append(account)
        add(.account, text, indent, [.init("address", text), .init("public_key", Hex.encode(account))])
    }

    /// Addresses that name no account by its key, and places on other chains.
    mutating func noteAddresses(_ variant: Variant, _ definition: TypeDefinition, _ reading: VariantReading) {
        let isAddress = definition.ident == "MultiAddress" || definition.ident == "Source"
        if isAddress, variant.name != "Id" {
            if case .account = reading {} else { summary.hasOtherAddresses = true }
        }
        if ["Junctions", "Junction", "MultiLocation"].contains(definition.ident) { summary.hasLocations = true }
    }

    /// A junction whose account is bare bytes in its own type.
    mutating func junction(_ variant: Variant, _ values: [Value], account: Int, indent: Int) throws(MetadataError) {
        for (index, field) in variant.fields.enumerated() {
            guard index == account, let bytes = values[index].byteString else {
                try show(fields: [field.named(index, of: variant.fields.count)], [values[index]], indent: indent, Hint())
                continue
            }
            add(.fieldName, field.name ?? "\(index + 1)", indent, [.init("docs", field.docs)])
            self.account(bytes, indent: indent + 1)
        }
    }

    /// Flags by their names, where the metadata tells them and knows every bit that is set.
    private mutating func flags(_ value: Value, _ definition: TypeDefinition, indent: Int) throws(MetadataError) -> Bool {
        guard let bits = value.number, let flags = try judge.flags(of: definition) else { return false }
        let set = flags.filter { bits & UInt128($0.index) != 0 }
        guard set.reduce(0, { $0 | UInt128($1.index) }) == bits, bits != 0 else { return false }
        if judge.showsAsProof { add(.number, String(bits), indent) }
        for flag in set {
            append(
                Card(
                    .identityField, flag.name, indent: indent, fields: [.init("docs", flag.docs)],
                    isDerived: judge.showsAsProof || hiddenDepth > 0))
        }
        return true
    }

    /// A standard vote: the highest bit says aye, the rest for how many lock periods the tokens stay.
    private mutating func vote(_ value: Value, indent: Int) -> Bool {
        guard let byte = value.number, let text = StandardVote.text(UInt8(truncatingIfNeeded: byte)) else { return false }
        add(.number, text, indent, [.init("raw", String(byte))])
        return true
    }

    /// Parts of a whole as percentages, fixed-point numbers as decimals; the integer is kept as `raw`.
    mutating func fraction(_ value: Value, _ format: Fraction, indent: Int) -> Bool {
        let raw: String
        let text: String
        switch value.unwrapped {
        case .unsigned(let number): (raw, text) = (String(number), format.text(magnitude: number, isNegative: false))
        case .signed(let number): (raw, text) = (String(number), format.text(magnitude: number.magnitude, isNegative: number < 0))
        case .bool, .char, .text, .wide, .bytes, .bits, .list, .record, .variant: return false
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
                balance(number, indent: indent, hint.asset)
            } else {
                add(.number, String(number), indent)
            }
        case .signed(let number): add(.number, String(number), indent)
        case .wide(let digits): add(.number, Decimal256.text(digits), indent)
        case .bytes(let bytes): self.bytes(bytes, indent: indent)
        case .bits(let bits):
            add(.bits, String(decoding: Array("0b".utf8) + bits.map { UInt8(ascii: $0 ? "1" : "0") }, as: UTF8.self), indent)
        case .list, .record, .variant: add(.none, "()", indent)
        }
    }

    private mutating func balance(_ planck: UInt128, indent: Int, _ asset: AssetContext) {
        let amount: TokenAmount
        switch asset {
        case .native:
            summary.nativeAmounts.append(planck)
            amount = TokenAmount(planck: planck, decimals: specs.decimals, unit: specs.unit)
        case .known(let unit):
            summary.hasAssetAmounts = true
            amount = TokenAmount(planck: planck, decimals: unit.decimals, unit: unit.symbol)
        case .unknown(let id):
            summary.hasAssetAmounts = true
            add(.number, String(planck), indent, [.init("raw", String(planck))])
            return add(.foreignUnit(asset: id), indent)
        }
        add(
            .balance, amount.text, indent,
            [.init("amount", amount.number), .init("unit", amount.unit), .init("raw", String(planck))])
    }

    /// Text if it is printable, else hex. The fields always have the hex.
    mutating func bytes(_ bytes: [UInt8], indent: Int) {
        let hex = Hex.encode(bytes)
        if let text = String.printable(bytes) {
            add(.text, text, indent, [.init("hex", hex)])
        } else {
            add(.bytes, "0x" + hex, indent, [.init("hex", hex)])
        }
    }
}

extension ShapeJudge {
    /// The fixed-point format that the context spell for an integer of its width.
    func fraction(of type: TypeReference, _ hint: Hint, _ caches: CardCaches) throws(MetadataError) -> Fraction? {
        guard let format = hint.typeName?.fraction, try integer(type) == format.integer else { return nil }
        return format
    }

    /// The format of what a compact wraps; where a proof shows it too, the context spell it or nothing does.
    func fraction(inside compact: TypeReference, _ caches: CardCaches) throws(MetadataError) -> Fraction? {
        guard !showsAsProof, case .fraction(let format) = try caches.trait(of: try types.definition(compact), self) else { return nil }
        return format
    }

    /// The single bits that have names in a set of flags; nil if there are no names.
    func flags(of definition: TypeDefinition) throws(MetadataError) -> [Variant]? {
        guard case .id(let id)? = definition.parameters.first?.type else { return nil }
        return try types.variants(of: id).filter { $0.index.nonzeroBitCount == 1 }
    }
}

/// A vote on a referendum in one byte. Source: paritytech/polkadot-sdk, `substrate/frame/conviction-voting/src/vote.rs`.
enum StandardVote {
    /// nil for a byte that is not a vote: the lowest seven bits count at most six lock periods.
    static func text(_ byte: UInt8) -> String? {
        let periods = byte & 0x7f
        guard periods <= 6 else { return nil }
        return (byte & 0x80 != 0 ? "aye" : "nay") + (periods == 0 ? ", not locked" : ", locked \(periods)x")
    }

    static func byte(_ text: String) -> UInt8? { bytes[Array(text.utf8)] }

    private static let bytes = Dictionary(
        uniqueKeysWithValues: (UInt8.min...UInt8.max).compactMap { byte in text(byte).map { (Array($0.utf8), byte) } })
}
