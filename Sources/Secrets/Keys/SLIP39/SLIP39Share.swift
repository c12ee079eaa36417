/// One share of SLIP-0039: 20 to 33 words of a list of its own.
///
/// Source: SLIP-0039, "Format of the share mnemonic". The words are 10 bits each:
/// identifier (15), extendable (1), iteration exponent (4), group index (4), group threshold − 1 (4), group
/// count − 1 (4), member index (4), member threshold − 1 (4), the value with up to 8 zero bits before it, and
/// a checksum (30).
public struct SLIP39Share: Sendable {
    /// What all shares of a set have in common.
    public struct Set: Sendable, Equatable {
        /// Random, 0…32767.
        public let identifier: Int
        /// Whether the identifier stays out of the encryption, so that several sets have one passphrase for
        /// one secret.
        public let isExtendable: Bool
        /// 0…15: the passphrase is hashed 10,000 · 2^e times.
        public let iterationExponent: Int
        /// Groups that join to the secret, 1…``groupCount``.
        public let groupThreshold: Int
        /// 1…16
        public let groupCount: Int
    }

    public let set: Set
    /// 0…15
    public let groupIndex: Int
    /// 0…15, in its group.
    public let memberIndex: Int
    /// Shares of the group that join to the group's value, 1…16.
    public let memberThreshold: Int
    /// 16 to 32 bytes, an even number.
    let value: HeldSecret

    /// The least and the most words. A master secret of this program has 16 to 32 bytes; the standard allows
    /// longer ones, which this program does not read.
    public static let words = 20...33
    private static let headerWords = 4
    private static let checksumWords = 3
    /// Bits of a word.
    private static let radix = 10

    init(
        _ set: Set, groupIndex: Int, memberIndex: Int, memberThreshold: Int, value: consuming SecretBytes
    ) {
        self.set = set
        self.groupIndex = groupIndex
        self.memberIndex = memberIndex
        self.memberThreshold = memberThreshold
        self.value = HeldSecret(value)
    }

    /// Whether both are the same share of the same set, in a time that does not depend on the values.
    public func isEqual(to other: SLIP39Share) -> Bool {
        set == other.set && groupIndex == other.groupIndex && memberIndex == other.memberIndex
            && memberThreshold == other.memberThreshold
            && value.withSecret { (one: borrowing SecretBytes) in
                other.value.withSecret { (other: borrowing SecretBytes) in one.isEqual(to: other) }
            }
    }

    // MARK: Reading

    /// Reads words divided by white space; upper and lower case are the same.
    public init(_ words: borrowing SecretBytes) throws(SLIP39Error) {
        let indices = SecretBytes(count: 2 * Self.words.upperBound)
        var unknown: Int?
        let count = words.withUnsafeBytes { text in
            indices.withUnsafeMutableBytes { out in
                Mnemonic.forEachWord(of: text) { number, word in
                    guard number < Self.words.upperBound else { return }
                    let index = WordList.shares.index(of: word)
                    if index == nil, unknown == nil { unknown = number }
                    out.storeBytes(
                        of: UInt16(index ?? 0), toByteOffset: 2 * number, as: UInt16.self)
                }
            }
        }
        guard Self.words.contains(count) else { throw .wordCount(count) }
        if let unknown { throw .unknownWord(index: unknown) }
        func index(_ place: Int) -> Int {
            indices.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self)) }
        }
        // Not secret: what says to which set and group the share belongs.
        let header = (0..<Self.headerWords).reduce(UInt64(0)) { $0 << UInt64(Self.radix) | UInt64(index($1)) }
        func field(_ shift: UInt64, _ bits: UInt64) -> Int { Int(header >> shift & (1 << bits - 1)) }
        let isExtendable = field(24, 1) == 1
        var checksum = Self.checksumStart(isExtendable)
        for place in 0..<count { checksum = Self.checksum(checksum, index(place)) }
        guard checksum == 1 else { throw .checksum }
        let bits = (count - Self.headerWords - Self.checksumWords) * Self.radix
        let padding = bits % 16
        guard padding <= 8 else { throw .wordCount(count) }
        let value = SecretBytes(count: (bits - padding) / 8)
        var stray = 0
        value.withUnsafeMutableBytes { value in
            for bit in 0..<bits {
                let word = index(Self.headerWords + bit / Self.radix)
                let set = word >> (Self.radix - 1 - bit % Self.radix) & 1
                if bit < padding {
                    stray |= set
                } else {
                    let place = bit - padding
                    value[place / 8] |= UInt8(set) << UInt8(7 - place % 8)
                }
            }
        }
        guard stray == 0 else { throw .malformed }
        let set = Set(
            identifier: field(25, 15), isExtendable: isExtendable, iterationExponent: field(20, 4),
            groupThreshold: field(12, 4) + 1, groupCount: field(8, 4) + 1)
        self.init(
            set, groupIndex: field(16, 4), memberIndex: field(4, 4), memberThreshold: field(0, 4) + 1,
            value: value)
        guard set.groupThreshold <= set.groupCount, groupIndex < set.groupCount else { throw .malformed }
    }

    // MARK: Writing

    /// The words with single spaces between them.
    public func phrase() -> SecretBytes {
        let bytes = value.count
        let padding = (Self.radix - 8 * bytes % Self.radix) % Self.radix
        let valueWords = (8 * bytes + padding) / Self.radix
        let count = Self.headerWords + valueWords + Self.checksumWords
        let indices = SecretBytes(count: 2 * count)
        func put(_ index: Int, _ place: Int) {
            indices.withUnsafeMutableBytes {
                $0.storeBytes(of: UInt16(index), toByteOffset: 2 * place, as: UInt16.self)
            }
        }
        func index(_ place: Int) -> Int {
            indices.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self)) }
        }
        var header = UInt64(set.identifier)
        for (number, bits) in [
            (set.isExtendable ? 1 : 0, 1), (set.iterationExponent, 4), (groupIndex, 4),
            (set.groupThreshold - 1, 4), (set.groupCount - 1, 4), (memberIndex, 4), (memberThreshold - 1, 4),
        ] { header = header << UInt64(bits) | UInt64(number) }
        for place in 0..<Self.headerWords {
            put(Int(header >> UInt64(Self.radix * (Self.headerWords - 1 - place)) & 1023), place)
        }
        value.withSecret { (value: borrowing SecretBytes) in
            value.withUnsafeBytes { value in
                for word in 0..<valueWords {
                    var index = 0
                    for bit in (word * Self.radix)..<((word + 1) * Self.radix) {
                        let place = bit - padding
                        let set = place < 0 ? 0 : value[place / 8] >> UInt8(7 - place % 8) & 1
                        index = index << 1 | Int(set)
                    }
                    put(index, Self.headerWords + word)
                }
            }
        }
        var checksum = Self.checksumStart(set.isExtendable)
        for place in 0..<(count - Self.checksumWords) { checksum = Self.checksum(checksum, index(place)) }
        for _ in 0..<Self.checksumWords { checksum = Self.checksum(checksum, 0) }
        checksum ^= 1
        for place in 0..<Self.checksumWords {
            put(
                Int(checksum >> UInt32(Self.radix * (Self.checksumWords - 1 - place)) & 1023),
                count - Self.checksumWords + place)
        }
        return Self.text(count, index)
    }

    private static func text(_ count: Int, _ index: (Int) -> Int) -> SecretBytes {
        let text = SecretBytes(count: count * (WordList.longestWord + 1))
        var length = 0
        text.withUnsafeMutableBytes { out in
            for place in 0..<count {
                if place > 0 {
                    out[length] = UInt8(ascii: " ")
                    length += 1
                }
                var packed = WordList.shares.packed(at: index(place))
                while packed != 0 {
                    out[length] = UInt8(truncatingIfNeeded: packed)
                    packed >>= 8
                    length += 1
                }
            }
        }
        return text.slice(0..<length)
    }

    // MARK: Checksum

    /// RS1024 after the customization string.
    private static func checksumStart(_ isExtendable: Bool) -> UInt32 {
        (isExtendable ? "shamir_extendable" : "shamir").utf8.reduce(1) { checksum($0, Int($1)) }
    }

    private static let generator: [UInt32] = [
        0xe0e040, 0x1c1c080, 0x3838100, 0x7070200, 0xe0e0009, 0x1c0c2412, 0x38086c24, 0x3090fc48, 0x21b1f890,
        0x3f3f120,
    ]

    private static func checksum(_ before: UInt32, _ value: Int) -> UInt32 {
        let high = before >> 20
        var checksum = (before & 0xfffff) << 10 ^ UInt32(value)
        for (bit, term) in generator.enumerated() {
            checksum ^= term & (0 &- (high >> UInt32(bit) & 1))
        }
        return checksum
    }
}
