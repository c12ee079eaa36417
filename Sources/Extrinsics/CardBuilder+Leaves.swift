import Cards
import Hashing
import Metadata
import SubstratePrimitives

extension CardBuilder {
    /// Types that a person reads in another form than their parts; false when the type is shown by its parts.
    mutating func special(
        _ value: Value, _ definition: TypeDefinition, _ trait: TypeTrait, indent: Int, _ hint: Hint
    ) throws(MetadataError) -> Bool {
        switch trait {
        case .account:
            guard let account = value.byteString, account.count == 32 || account.count == 20 else { return false }
            self.account(account, indent: indent)
            return true
        case .era:
            guard case .variant(let first, let fields) = value, let era = try? Era(variant: first, fields: fields) else { return false }
            cards.append(ExtensionCards.card(era, indent: indent))
            return true
        case .flags: return try flags(value, definition, indent: indent)
        case .fraction(let format): return fraction(value, format, indent: indent)
        case .xcmAsset, .xcmLocation, .encodedCall, .none: return fraction(value, hint.typeName?.fraction, indent: indent)
        }
    }

    mutating func account(_ account: [UInt8], indent: Int) {
        let text = address(account)
        summary.accounts.append(account)
        add(.account, text, indent, [.init("address", text), .init("public_key", Hex.encode(account))])
    }

    /// Accounts that are bare bytes in their own types: those of addresses and of XCM junctions, known by the variant's name.
    mutating func account(
        in variant: Variant, of definition: TypeDefinition, _ values: [Value], indent: Int
    ) throws(MetadataError) -> Bool {
        if definition.ident == "MultiAddress", !["Id", "Address32", "Address20"].contains(variant.name) {
            summary.hasOtherAddresses = true
        }
        if ["Junctions", "Junction", "MultiLocation"].contains(definition.ident) { summary.hasLocations = true }
        switch (definition.ident, variant.name) {
        case ("MultiAddress", "Address32"), ("MultiAddress", "Address20"), ("Source", "Address32"), ("Source", "Address20"):
            guard let account = values.first?.byteString else { return false }
            self.account(account, indent: indent)
            return true
        case ("Junction", "AccountId32"), ("Junction", "AccountKey20"), ("Data", _): break
        default: return false
        }
        guard definition.ident == "Junction" else {
            // Identity data is text of up to 32 bytes, or a hash.
            guard variant.name.hasPrefix("Raw"), let bytes = values.first?.byteString else { return false }
            self.bytes(bytes, indent: indent)
            return true
        }
        for (place, field) in variant.fields.enumerated() {
            let account = values[place].byteString
            guard field.name == "id" || field.name == "key", let account, account.count == 32 || account.count == 20 else {
                try show(fields: [field.named(place, of: variant.fields.count)], [values[place]], indent: indent, Hint())
                continue
            }
            add(.fieldName, field.name ?? "\(place + 1)", indent, [.init("docs", field.docs)])
            self.account(account, indent: indent + 1)
        }
        return true
    }

    /// Flags by their names, where the metadata tells them and knows every bit that is set.
    private mutating func flags(_ value: Value, _ definition: TypeDefinition, indent: Int) throws(MetadataError) -> Bool {
        guard let bits = value.number, case .id(let id)? = definition.parameters.first?.type else { return false }
        let set = try types.registry.variants(of: id).filter { bits & UInt128($0.index) != 0 && $0.index.nonzeroBitCount == 1 }
        guard set.reduce(0, { $0 | UInt128($1.index) }) == bits, bits != 0 else { return false }
        for flag in set { add(.identityField, flag.name, indent, [.init("docs", flag.docs)]) }
        return true
    }

    /// Parts of a whole as percentages, fixed-point numbers as decimals; the integer is kept as `raw`.
    private mutating func fraction(_ value: Value, _ format: Fraction?, indent: Int) -> Bool {
        guard let format else { return false }
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
                balance(number, indent: indent, hint.asset)
            } else {
                add(.number, String(number), indent)
            }
        case .signed(let number): add(.number, String(number), indent)
        case .wide(let digits): add(.number, Decimal256.text(digits), indent)
        case .bytes(let bytes): self.bytes(bytes, indent: indent)
        case .bits(let bits): add(.bits, "0b" + bits.map { $0 ? "1" : "0" }.joined(), indent)
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
