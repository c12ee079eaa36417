/// Numbers modulo 2^255 − 19 in five limbs of 51 bits, for public values only: its users branch on what they compute with.
struct FieldElement25519 {
    /// Below 2^52 between operations.
    var l0, l1, l2, l3, l4: UInt64

    private static let mask: UInt64 = (1 << 51) - 1

    static let zero = FieldElement25519(l0: 0, l1: 0, l2: 0, l3: 0, l4: 0)
    static let one = FieldElement25519(l0: 1, l1: 0, l2: 0, l3: 0, l4: 0)

    init(l0: UInt64, l1: UInt64, l2: UInt64, l3: UInt64, l4: UInt64) {
        self.l0 = l0
        self.l1 = l1
        self.l2 = l2
        self.l3 = l3
        self.l4 = l4
    }

    /// 32 bytes, little-endian; the top bit is ignored.
    init(_ bytes: some RandomAccessCollection<UInt8>) {
        var words: InlineArray<4, UInt64> = [0, 0, 0, 0]
        for (index, byte) in bytes.prefix(32).enumerated() { words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8)) }
        l0 = words[0] & Self.mask
        l1 = (words[0] >> 51 | words[1] << 13) & Self.mask
        l2 = (words[1] >> 38 | words[2] << 26) & Self.mask
        l3 = (words[2] >> 25 | words[3] << 39) & Self.mask
        l4 = words[3] >> 12 & Self.mask
    }

    /// The one form below the modulus: 32 bytes, little-endian.
    var bytes: [UInt8] {
        var t = carried().carried()
        // Adding 19 carries out of the top exactly when the value is at least the modulus.
        var q = (t.l0 &+ 19) >> 51
        q = (t.l1 &+ q) >> 51
        q = (t.l2 &+ q) >> 51
        q = (t.l3 &+ q) >> 51
        q = (t.l4 &+ q) >> 51
        t.l0 &+= 19 &* q
        t.l1 &+= t.l0 >> 51
        t.l2 &+= t.l1 >> 51
        t.l3 &+= t.l2 >> 51
        t.l4 &+= t.l3 >> 51
        let (a, b, c, d, e) = (t.l0 & Self.mask, t.l1 & Self.mask, t.l2 & Self.mask, t.l3 & Self.mask, t.l4 & Self.mask)
        let words = [a | b << 51, b >> 13 | c << 38, c >> 26 | d << 25, d >> 39 | e << 12]
        return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    }

    private func carried() -> FieldElement25519 {
        var t = self
        t.l1 &+= t.l0 >> 51
        t.l2 &+= t.l1 >> 51
        t.l3 &+= t.l2 >> 51
        t.l4 &+= t.l3 >> 51
        t.l0 = (t.l0 & Self.mask) &+ 19 &* (t.l4 >> 51)
        t.l1 &= Self.mask
        t.l2 &= Self.mask
        t.l3 &= Self.mask
        t.l4 &= Self.mask
        return t
    }

    @inline(__always)
    static func + (a: FieldElement25519, b: FieldElement25519) -> FieldElement25519 {
        FieldElement25519(l0: a.l0 &+ b.l0, l1: a.l1 &+ b.l1, l2: a.l2 &+ b.l2, l3: a.l3 &+ b.l3, l4: a.l4 &+ b.l4)
    }

    /// Adds 16 times the modulus, so that no limb goes below zero for operands below 2^54.
    @inline(__always)
    static func - (a: FieldElement25519, b: FieldElement25519) -> FieldElement25519 {
        FieldElement25519(
            l0: a.l0 &+ (mask - 18) << 4 &- b.l0, l1: a.l1 &+ mask << 4 &- b.l1, l2: a.l2 &+ mask << 4 &- b.l2,
            l3: a.l3 &+ mask << 4 &- b.l3, l4: a.l4 &+ mask << 4 &- b.l4
        ).carried()
    }

    static prefix func - (a: FieldElement25519) -> FieldElement25519 { zero - a }

    @inline(__always)
    private static func wide(_ a: UInt64, _ b: UInt64) -> UInt128 { UInt128(a) &* UInt128(b) }

    /// Schoolbook product; 2^255 = 19 folds the upper half. Limbs of the operands may reach 2^54.
    @inline(__always)
    static func * (a: FieldElement25519, b: FieldElement25519) -> FieldElement25519 {
        let (b1, b2, b3, b4) = (19 &* b.l1, 19 &* b.l2, 19 &* b.l3, 19 &* b.l4)
        let r0 = wide(a.l0, b.l0) &+ wide(a.l1, b4) &+ wide(a.l2, b3) &+ wide(a.l3, b2) &+ wide(a.l4, b1)
        let r1 = wide(a.l0, b.l1) &+ wide(a.l1, b.l0) &+ wide(a.l2, b4) &+ wide(a.l3, b3) &+ wide(a.l4, b2)
        let r2 = wide(a.l0, b.l2) &+ wide(a.l1, b.l1) &+ wide(a.l2, b.l0) &+ wide(a.l3, b4) &+ wide(a.l4, b3)
        let r3 = wide(a.l0, b.l3) &+ wide(a.l1, b.l2) &+ wide(a.l2, b.l1) &+ wide(a.l3, b.l0) &+ wide(a.l4, b4)
        let r4 = wide(a.l0, b.l4) &+ wide(a.l1, b.l3) &+ wide(a.l2, b.l2) &+ wide(a.l3, b.l1) &+ wide(a.l4, b.l0)
        return reduce(r0, r1, r2, r3, r4)
    }

    @inline(__always)
    func squared() -> FieldElement25519 {
        let (d0, d1, d2) = (2 &* l0, 2 &* l1, 2 &* l2)
        let (n3, n4) = (19 &* l3, 19 &* l4)
        let w = Self.wide
        let r0 = w(l0, l0) &+ w(d1, n4) &+ w(d2, n3)
        let r1 = w(d0, l1) &+ w(d2, n4) &+ w(l3, n3)
        let r2 = w(d0, l2) &+ w(l1, l1) &+ w(2 &* l3, n4)
        let r3 = w(d0, l3) &+ w(d1, l2) &+ w(l4, n4)
        let r4 = w(d0, l4) &+ w(d1, l3) &+ w(l2, l2)
        return Self.reduce(r0, r1, r2, r3, r4)
    }

    @inline(__always)
    private static func reduce(_ r0: UInt128, _ r1: UInt128, _ r2: UInt128, _ r3: UInt128, _ r4: UInt128) -> FieldElement25519 {
        let s1 = r1 &+ (r0 &>> 51)
        let s2 = r2 &+ (s1 &>> 51)
        let s3 = r3 &+ (s2 &>> 51)
        let s4 = r4 &+ (s3 &>> 51)
        // The last carry has up to 64 bits, and 19 times it may pass them.
        let low = UInt128(UInt64(truncatingIfNeeded: r0) & mask) &+ 19 &* (s4 &>> 51)
        return FieldElement25519(
            l0: UInt64(truncatingIfNeeded: low) & mask,
            l1: (UInt64(truncatingIfNeeded: s1) & mask) &+ UInt64(truncatingIfNeeded: low &>> 51),
            l2: UInt64(truncatingIfNeeded: s2) & mask, l3: UInt64(truncatingIfNeeded: s3) & mask,
            l4: UInt64(truncatingIfNeeded: s4) & mask)
    }

    func squared(times count: Int) -> FieldElement25519 {
        var result = self
        for _ in 0..<count { result = result.squared() }
        return result
    }

    /// The power 2^252 − 3, by the usual chain.
    private var rootPower: FieldElement25519 {
        let z = self
        let z2 = z.squared()
        let z9 = z * z2.squared(times: 2)
        let z11 = z2 * z9
        let x5 = z9 * z11.squared()
        let x10 = x5.squared(times: 5) * x5
        let x20 = x10.squared(times: 10) * x10
        let x40 = x20.squared(times: 20) * x20
        let x50 = x40.squared(times: 10) * x10
        let x100 = x50.squared(times: 50) * x50
        let x200 = x100.squared(times: 100) * x100
        let x250 = x200.squared(times: 50) * x50
        return x250.squared(times: 2) * z
    }

    /// Odd in the form below the modulus.
    var isNegative: Bool { bytes[0] & 1 == 1 }
    var isZero: Bool { bytes.allSatisfy { $0 == 0 } }
    var magnitude: FieldElement25519 { isNegative ? -self : self }

    func equals(_ other: FieldElement25519) -> Bool { bytes == other.bytes }

    /// 1/√v, not negative; nil when v is no square (RFC 9496, section 4.2, with u = 1).
    static func inverseSquareRoot(_ v: FieldElement25519) -> FieldElement25519? {
        let v3 = v.squared() * v
        let r = v3 * (v3.squared() * v).rootPower
        let check = v * r.squared()
        if check.equals(one) { return r.magnitude }
        return check.equals(-one) ? (r * minusOneRoot).magnitude : nil
    }

    /// √−1, the one that is not negative.
    private static let minusOneRoot = FieldElement25519(
        l0: 0x61b274a0ea0b0, l1: 0x0d5a5fc8f189d, l2: 0x7ef5e9cbd0c60, l3: 0x78595a6804c9e, l4: 0x2b8324804fc1d)
    /// −121665/121666
    static let d = FieldElement25519(
        l0: 0x34dca135978a3, l1: 0x1a8283b156ebd, l2: 0x5e7a26001c029, l3: 0x739c663a03cbb, l4: 0x52036cee2b6ff)
}
