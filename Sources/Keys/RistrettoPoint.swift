/// Points of Ristretto255 (RFC 9496) for verification: fast, and only for public values, because its steps depend on them.
///
/// Secrets use libsodium's constant-time functions instead.
package struct RistrettoPoint {
    /// Extended coordinates on −x² + y² = 1 + dx²y², with xy = zt.
    private var x, y, z, t: FieldElement25519

    private static let identity = RistrettoPoint(x: .zero, y: .one, z: .one, t: .zero)

    private init(x: FieldElement25519, y: FieldElement25519, z: FieldElement25519, t: FieldElement25519) {
        self.x = x
        self.y = y
        self.z = z
        self.t = t
    }

    /// Reads 32 bytes (section 4.3.1). nil for what is no canonical encoding of a point.
    package init?(_ bytes: [UInt8]) {
        let s = FieldElement25519(bytes)
        guard bytes.count == 32, s.bytes == bytes, !s.isNegative else { return nil }
        let square = s.squared()
        let u1 = FieldElement25519.one - square
        let u2 = FieldElement25519.one + square
        let u2Square = u2.squared()
        let v = -(.d * u1.squared()) - u2Square
        guard let root = FieldElement25519.inverseSquareRoot(v * u2Square) else { return nil }
        let denominatorX = root * u2
        let denominatorY = root * denominatorX * v
        x = ((s + s) * denominatorX).magnitude
        y = u1 * denominatorY
        z = .one
        t = x * y
        if t.isNegative || y.isZero { return nil }
    }

    /// Whether both are the same element of the group (section 4.5), whatever their coordinates.
    package func equals(_ other: RistrettoPoint) -> Bool {
        (x * other.y).equals(y * other.x) || (y * other.y).equals(x * other.x)
    }

    package var isIdentity: Bool { equals(.identity) }

    package static prefix func - (point: RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(x: -point.x, y: point.y, z: point.z, t: -point.t)
    }

    /// An addend with its sums made ahead.
    private struct Prepared {
        let sum, difference, doubleZ, scaledT: FieldElement25519

        init(_ point: RistrettoPoint) {
            sum = point.y + point.x
            difference = point.y - point.x
            doubleZ = point.z + point.z
            scaledT = point.t * (.d + .d)
        }

        private init(sum: FieldElement25519, difference: FieldElement25519, doubleZ: FieldElement25519, scaledT: FieldElement25519) {
            self.sum = sum
            self.difference = difference
            self.doubleZ = doubleZ
            self.scaledT = scaledT
        }

        var negated: Prepared {
            Prepared(sum: difference, difference: sum, doubleZ: doubleZ, scaledT: -scaledT)
        }
    }

    /// Hisil, Wong, Carter and Dawson 2008, section 3.1, with a = −1: unified, complete.
    private func adding(_ right: Prepared) -> RistrettoPoint {
        let a = (y - x) * right.difference
        let b = (y + x) * right.sum
        let c = t * right.scaledT
        let d = z * right.doubleZ
        let (e, f, g, h) = (b - a, d - c, d + c, b + a)
        return RistrettoPoint(x: e * f, y: g * h, z: f * g, t: e * h)
    }

    /// The same paper, section 3.3.
    private func doubled() -> RistrettoPoint {
        let a = x.squared()
        let b = y.squared()
        let zz = z.squared()
        let h = a + b
        let e = h - (x + y).squared()
        let g = a - b
        let f = zz + zz + g
        return RistrettoPoint(x: e * f, y: g * h, z: f * g, t: e * h)
    }

    /// 1, 3, 5, … 15 times the point.
    private func oddMultiples() -> [Prepared] {
        let double = Prepared(doubled())
        var point = self
        return (0..<8).map { index in
            if index > 0 { point = point.adding(double) }
            return Prepared(point)
        }
    }

    private static let base = RistrettoPoint([
        0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f,
        0x58, 0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
    ])!
    private static let baseMultiples = base.oddMultiples()

    /// a·A + b·B, B the base point; the scalars are 32 bytes, little-endian, below 2^253 (Straus with windows of five bits).
    package static func combine(_ a: [UInt8], _ point: RistrettoPoint, _ b: [UInt8]) -> RistrettoPoint {
        let multiples = point.oddMultiples()
        let (digitsA, digitsB) = (windows(a), windows(b))
        var sum = identity
        var started = false
        for place in (0..<256).reversed() {
            if started { sum = sum.doubled() }
            if digitsA[place] != 0 { sum = sum.adding(multiple(digitsA[place], multiples)) }
            if digitsB[place] != 0 { sum = sum.adding(multiple(digitsB[place], baseMultiples)) }
            started = started || digitsA[place] != 0 || digitsB[place] != 0
        }
        return sum
    }

    private static func multiple(_ digit: Int8, _ odd: [Prepared]) -> Prepared {
        digit > 0 ? odd[Int(digit) / 2] : odd[Int(-digit) / 2].negated
    }

    /// The non-adjacent form of width 5: 256 digits that are 0 or odd and below 16 in magnitude.
    private static func windows(_ scalar: [UInt8]) -> [Int8] {
        var digits = [Int8](repeating: 0, count: 256)
        let bit = { (place: Int) -> Int in place < 256 ? Int(scalar[place / 8] >> UInt8(place % 8) & 1) : 0 }
        var carry = 0
        var place = 0
        while place < 256 {
            guard (bit(place) + carry) & 1 == 1 else {
                carry = (bit(place) + carry) >> 1
                place += 1
                continue
            }
            var window = carry
            for offset in 0..<5 { window += bit(place + offset) << offset }
            carry = window >= 16 ? 1 : 0
            digits[place] = Int8(window - 32 * carry)
            place += 5
        }
        return digits
    }
}
