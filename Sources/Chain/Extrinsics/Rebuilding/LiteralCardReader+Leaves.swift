import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Values without parts, and those that show in one line: what ``CardWriter`` writes.
extension LiteralCardReader {
    mutating func account(_ length: Int, _ indent: Int) throws {
        let text = try take(.account, indent)
        let account: [UInt8]
        let key = ExactText(text)
        if let known = accounts[key] {
            account = known
        } else {
            let isHex = text.utf8Starts(with: "0x")
            guard
                let read = isHex
                    ? Hex.decode(text)
                    : (try? SS58Address(text)).flatMap({ $0.prefix == specs.base58Prefix ? $0.account : nil })
            else { throw mismatch }
            account = read
            if accounts.count < AddressTexts.limit { accounts[key] = account }
        }
        guard account.count == length else { throw mismatch }
        state(account)
    }

    /// - Parameter integer: the type that stores the flags.
    mutating func flags(_ flags: [Variant], _ integer: TypeReference, _ indent: Int) throws {
        var bits: UInt128 = 0
        let first = position
        while let name = line(.identityField, indent) {
            let named = flags.filter { $0.name.utf8Equals(name) }
            guard named.count == 1, bits & UInt128(named[0].index) == 0 else { throw mismatch }
            bits |= UInt128(named[0].index)
            try take(.identityField, indent)
        }
        try state(.unsigned(bits), integer, since: first)
    }

    /// False when the next card does not say a standard vote.
    mutating func vote(_ indent: Int) throws -> Bool {
        guard let vote = line(.number, indent).flatMap(StandardVote.init(text:)) else { return false }
        try take(.number, indent)
        state([vote.byte])
        return true
    }

    /// - Parameter integer: the type that stores the fraction.
    mutating func fraction(_ format: Fraction, _ integer: TypeReference, _ indent: Int) throws {
        guard let (magnitude, isNegative) = format.number(try take(.number, indent)) else { throw mismatch }
        guard format.integer.isUnsigned else {
            // The magnitude of the lowest number is too large for a positive number.
            let bits = isNegative ? ~magnitude &+ 1 : magnitude
            return try state(.signed(Int128(truncatingIfNeeded: bits)), integer)
        }
        guard !isNegative else { throw mismatch }
        try state(.unsigned(magnitude), integer)
    }

    /// An integer of 256 bits, whose bytes are those of its four words.
    mutating func wide(_ indent: Int, isWei: Bool) throws {
        let digits: String?
        if isWei, isNext(.balance, indent) {
            digits = TokenAmount.digits(
                try take(.balance, indent), decimals: specs.decimals, unit: specs.unit)
        } else {
            digits = try take(.number, indent)
        }
        guard let bytes = digits.flatMap({ Decimal256.digits($0, isSigned: false) }) else { throw mismatch }
        state(bytes)
    }

    mutating func era(_ indent: Int) throws {
        if isNext(.eraImmortal, indent) {
            try take(.eraImmortal, indent, "Immortal")
            return state([0])
        }
        let text = try take(.eraMortal, indent)
        guard let era = MortalEra(text: text) else { throw mismatch }
        state(SCALEWriter.encode { Era.mortal(era).encode(into: &$0) })
    }

    /// Bytes that are shown as text if printable, else as hex.
    mutating func byteString(_ indent: Int) throws -> [UInt8] {
        if isNext(.text, indent) { return Array(try take(.text, indent).utf8) }
        guard let content = Hex.decode(try take(.bytes, indent)) else { throw mismatch }
        return content
    }

    mutating func bits(_ type: TypeReference, _ indent: Int) throws {
        let digits = Array(try take(.bits, indent).utf8)
        guard digits.starts(with: Array("0b".utf8)) else { throw mismatch }
        try state(.bits(digits.dropFirst(2).map { $0 == UInt8(ascii: "1") }), type)
    }

    mutating func primitive(_ primitive: PrimitiveType, _ type: TypeReference, _ indent: Int, _ hint: Hint)
        throws
    {
        switch primitive {
        case .bool: try state(.bool(try take(.bool, indent) == "true"), type)
        case .char:
            let scalars = Array(try take(.text, indent).unicodeScalars)
            guard scalars.count == 1 else { throw mismatch }
            try state(.char(scalars[0]), type)
        case .str: try state(.text(try take(.text, indent)), type)
        case .u8, .u16, .u32, .u64, .u128:
            guard isNext(.balance, indent) else {
                return try state(.unsigned(try unsigned(try take(.number, indent))), type)
            }
            let text = try take(.balance, indent)
            guard let planck = planck(text, hint.asset) else { throw mismatch }
            try state(.unsigned(planck), type)
        case .i8, .i16, .i32, .i64, .i128:
            guard let number = Int128(try take(.number, indent)) else { throw mismatch }
            try state(.signed(number), type)
        case .u256, .i256:
            guard let digits = Decimal256.digits(try take(.number, indent), isSigned: primitive == .i256)
            else { throw mismatch }
            try state(.wide(digits), type)
        }
    }

    /// Digits as cards write them: no sign, and no zero in front.
    func unsigned(_ text: String) throws -> UInt128 {
        guard let number = UInt128(text), String(number).utf8.elementsEqual(text.utf8) else { throw mismatch }
        return number
    }

    func planck(_ text: String, _ asset: AssetContext) -> UInt128? {
        switch asset {
        case .native: TokenAmount.planck(text, decimals: specs.decimals, unit: specs.unit)
        case .known(let unit, _): TokenAmount.planck(text, decimals: unit.decimals, unit: unit.symbol)
        case .unknown: nil
        }
    }

    func hash(_ text: String) throws -> [UInt8] {
        guard let hash = Hash32(hex: text) else { throw mismatch }
        return hash.bytes
    }
}
