import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@testable import Threshold

/// Signatures whose nonce the signer and the online machine make together.
@Suite struct GuardedLaws {
    /// `fixtures/threshold/README.md`: a Python program written from the page `GuardedSigning`.
    struct Sample: Decodable {
        let id: Int
        let scheme: String
        let seed: String
        let publicKey: String
        let payload: String
        let message: String
        let reveal: String
        let digest: String
        let commitment: String
        let point: String
        let signature: String
    }

    private static let schemes: [SignatureScheme] = [.sr25519, .ed25519]

    private static func pair(_ seed: [UInt8], _ scheme: SignatureScheme) throws -> KeyPair {
        try KeyPair.derive(miniSecret: secretBytes(seed), scheme: scheme)
    }

    private static func guarded(_ key: borrowing KeyPair, _ payload: [UInt8], _ message: [UInt8])
        -> GuardedSigning
    {
        GuardedSigning(key: key.publicKey, payload: GuardHash.payload(payload), message: message)!
    }

    @Test func `every value of both rounds is that of another program`() throws {
        let samples: [Sample] = try Checkout.json("fixtures/threshold/guarded.json")
        #expect(samples.count == 24)
        for sample in samples {
            let scheme = try #require(SignatureScheme(name: sample.scheme))
            let pair = try Self.pair(sample.seed.hex, scheme)
            #expect(Hex.encode(pair.publicKey.bytes) == sample.publicKey, "case \(sample.id)")
            #expect(Hex.encode(GuardHash.payload(sample.payload.hex)) == sample.digest)
            #expect(Hex.encode(GuardHash.commitment(to: sample.reveal.hex)) == sample.commitment)
            let guarded = Self.guarded(pair, sample.payload.hex, sample.message.hex)
            let point = try guarded.point(pair, commitment: sample.commitment.hex)
            #expect(Hex.encode(point) == sample.point, "case \(sample.id)")
            let signature = try guarded.sign(pair, point: point, reveal: sample.reveal.hex)
            #expect(Hex.encode(signature) == sample.signature, "case \(sample.id)")
            #expect(guarded.isMade(signature, point: point, reveal: sample.reveal.hex))
        }
    }

    @Test(arguments: schemes) func `a guarded signature is a plain one, and no bit of it has another value`(
        scheme: SignatureScheme
    ) throws {
        var random = SeededGenerator(1)
        let pair = try Self.pair(random.bytes(32), scheme)
        let (message, reveal) = (random.bytes(100), random.bytes(32))
        let guarded = Self.guarded(pair, [1, 2, 3], message)
        let point = try guarded.point(pair, commitment: GuardHash.commitment(to: reveal))
        let signature = try guarded.sign(pair, point: point, reveal: reveal)
        #expect(Signature.verify(signature, message: message, key: pair.publicKey))
        #expect(guarded.isMade(signature, point: point, reveal: reveal))
        for bit in 0..<512 {
            #expect(!guarded.isMade(signature.flipping(bit), point: point, reveal: reveal), "bit \(bit)")
        }
        for bit in 0..<256 {
            #expect(!guarded.isMade(signature, point: point.flipping(bit), reveal: reveal), "bit \(bit)")
            #expect(!guarded.isMade(signature, point: point, reveal: reveal.flipping(bit)), "bit \(bit)")
        }
        #expect(!Self.guarded(pair, [1, 2, 4], message).isMade(signature, point: point, reveal: reveal))
        #expect(
            !Self.guarded(pair, [1, 2, 3], message + [0]).isMade(signature, point: point, reveal: reveal))
        #expect(!guarded.isMade(Array(signature.dropLast()), point: point, reveal: reveal))
        #expect(!guarded.isMade([], point: point, reveal: reveal))
    }

    /// What a signer that lies can try once it knows the revealed bytes. Each answer is a valid signature.
    @Test(arguments: schemes) func `a signer that changes its nonce after the reveal is always caught`(
        scheme: SignatureScheme
    ) throws {
        var random = SeededGenerator(2)
        for _ in 0..<40 {
            let pair = try Self.pair(random.bytes(32), scheme)
            let (message, reveal) = (random.bytes(40), random.bytes(32))
            let payload = random.bytes(60)
            let guarded = Self.guarded(pair, payload, message)
            let commitment = GuardHash.commitment(to: reveal)
            let point = try guarded.point(pair, commitment: commitment)
            let other = GuardHash.commitment(to: random.bytes(32))
            let moved = try guarded.point(pair, commitment: other)
            // An ordinary nonce, R₀'s own nonce without the online machine's part, and a nonce that is
            // shifted by a chosen number, such as bits of the key.
            var lies = [try pair.sign(message)]
            if scheme == .sr25519 { lies.append(try pair.sign(message, nonce: .reproducible)) }
            let nonce = try Self.nonce(of: guarded, pair, commitment)
            let shift = Scalar(reducing: random.bytes(64))
            let tweak = Scalar(
                reducing: TaggedHash.guarded.wide(
                    "tweak",
                    [scheme.rawValue] + pair.publicKey.bytes + point + reveal + GuardHash.payload(payload)))
            for lie in [nonce, nonce + tweak + shift, nonce + tweak + Scalar(1), shift] {
                lies.append(Self.plain(scheme, pair, nonce: lie, message))
            }
            for lie in lies {
                #expect(Signature.verify(lie, message: message, key: pair.publicKey))
                #expect(!guarded.isMade(lie, point: point, reveal: reveal))
                #expect(!guarded.isMade(lie, point: moved, reveal: reveal))
            }
            // The honest sum, made by this test, is taken: only what is wrong with the others is refused.
            let honest = Self.plain(scheme, pair, nonce: nonce + tweak, message)
            #expect(try guarded.sign(pair, point: point, reveal: reveal) == honest)
        }
    }

    @Test(arguments: schemes)
    func `only the reveal of the answered commitment, for the same payload and message, is signed`(
        scheme: SignatureScheme
    ) throws {
        var random = SeededGenerator(3)
        let pair = try Self.pair(random.bytes(32), scheme)
        let (payload, message, reveal) = (random.bytes(50), random.bytes(50), random.bytes(32))
        let guarded = Self.guarded(pair, payload, message)
        let point = try guarded.point(pair, commitment: GuardHash.commitment(to: reveal))
        for bit in 0..<256 {
            #expect(throws: GuardedError.otherPoint) {
                try guarded.sign(pair, point: point, reveal: reveal.flipping(bit))
            }
            #expect(throws: GuardedError.otherPoint) {
                try guarded.sign(pair, point: point.flipping(bit), reveal: reveal)
            }
        }
        for bit in 0..<50 * 8 {
            #expect(throws: GuardedError.otherPoint) {
                try Self.guarded(pair, payload.flipping(bit), message).sign(
                    pair, point: point, reveal: reveal)
            }
            #expect(throws: GuardedError.otherPoint) {
                try Self.guarded(pair, payload, message.flipping(bit)).sign(
                    pair, point: point, reveal: reveal)
            }
        }
        #expect(
            GuardedSigning(
                key: try Self.pair(random.bytes(32), .ecdsa).publicKey, payload: GuardHash.payload([]),
                message: []) == nil)
    }

    /// Whoever owns the online machine starts again as often as it likes: with other commitments, other
    /// reveals, other payloads for the same signed bytes and other signed bytes for the same payload.
    @Test(arguments: schemes) func `no two answers are two equations for the key`(scheme: SignatureScheme)
        throws
    {
        var random = SeededGenerator(4)
        let pair = try Self.pair(random.bytes(32), scheme)
        let key = pair.publicKey.bytes
        let messages = [random.bytes(30), random.bytes(30)]
        let payloads = [random.bytes(30), random.bytes(30)]
        let reveals = (0..<6).map { _ in random.bytes(32) }
        var equations: [(s: Scalar, e: Scalar, t: Scalar)] = []
        var points: Set<[UInt8]> = []
        for message in messages {
            for payload in payloads {
                for reveal in reveals {
                    let guarded = Self.guarded(pair, payload, message)
                    let point = try guarded.point(pair, commitment: GuardHash.commitment(to: reveal))
                    #expect(points.insert(point).inserted)
                    let signature = try guarded.sign(pair, point: point, reveal: reveal)
                    // The same round again, as after a restart, is the same equation.
                    #expect(try guarded.sign(pair, point: point, reveal: reveal) == signature)
                    let tweak = TaggedHash.guarded.wide(
                        "tweak", [scheme.rawValue] + key + point + reveal + GuardHash.payload(payload))
                    equations.append(Self.equation(scheme, signature, key, message, Scalar(reducing: tweak)))
                }
            }
        }
        // s = k₀ + t + e·a: two equations with one k₀ give a, whatever t is.
        func solved(_ one: (s: Scalar, e: Scalar, t: Scalar), _ other: (s: Scalar, e: Scalar, t: Scalar))
            -> [UInt8]?
        {
            guard let inverse = (one.e - other.e).inverse else { return nil }
            return Self.group(scheme).base(((one.s - one.t) - (other.s - other.t)) * inverse)
        }
        for (place, one) in equations.enumerated() {
            for other in equations[..<place] { #expect(solved(one, other) != key) }
        }
        // The solver finds the key where one nonce serves two reveals: what a nonce without the commitment
        // would do.
        let nonce = Scalar(reducing: random.bytes(64))
        let found = messages.map { message in
            let tweak = Scalar(reducing: random.bytes(64))
            let signature = Self.plain(scheme, pair, nonce: nonce + tweak, message)
            return Self.equation(scheme, signature, key, message, tweak)
        }
        #expect(solved(found[0], found[1]) == key)
    }

    /// One byte less in the input of the nonce, and one of the restarts above is an equation too many.
    @Test(arguments: schemes) func `the nonce depends on key, payload, message, commitment and scheme`(
        scheme: SignatureScheme
    ) throws {
        var random = SeededGenerator(5)
        let seed = random.bytes(32)
        let pair = try Self.pair(seed, scheme)
        let (payload, message, commitment) = (random.bytes(32), random.bytes(32), random.bytes(32))
        func point(_ pair: borrowing KeyPair, _ p: [UInt8], _ m: [UInt8], _ c: [UInt8]) throws -> [UInt8] {
            try GuardedSigning(key: pair.publicKey, payload: p, message: m)!.point(pair, commitment: c)
        }
        var seen: Set = [try point(pair, payload, message, commitment)]
        for bit in 0..<256 {
            #expect(seen.insert(try point(pair, payload.flipping(bit), message, commitment)).inserted)
            #expect(seen.insert(try point(pair, payload, message.flipping(bit), commitment)).inserted)
            #expect(seen.insert(try point(pair, payload, message, commitment.flipping(bit))).inserted)
        }
        #expect(seen.insert(try point(pair, payload, message + [0], commitment)).inserted)
        let other = try Self.pair(seed.flipping(0), scheme)
        #expect(seen.insert(try point(other, payload, message, commitment)).inserted)
        // The nonces of other uses are others.
        let plain = try pair.sign(message, nonce: .reproducible)
        #expect(!seen.contains(Array(plain[..<32])))
    }

    @Test(arguments: schemes) func `a point of another order, the identity and other bytes are no answer`(
        scheme: SignatureScheme
    ) throws {
        var random = SeededGenerator(6)
        let pair = try Self.pair(random.bytes(32), scheme)
        let (message, reveal) = (random.bytes(32), random.bytes(32))
        let guarded = Self.guarded(pair, [], message)
        let point = try guarded.point(pair, commitment: GuardHash.commitment(to: reveal))
        let signature = try guarded.sign(pair, point: point, reveal: reveal)
        #expect(guarded.isPoint(point))
        for wrong in [Self.group(scheme).identity, [], point + [0], [UInt8](repeating: 0xff, count: 32)] {
            #expect(!guarded.isPoint(wrong) && !guarded.isMade(signature, point: wrong, reveal: reveal))
        }
        // Of edwards25519 the point of order two, and its sum with a good one.
        let two: [UInt8] = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
        if scheme == .ed25519 {
            let mixed = try #require(Edwards25519.add(point, two))
            #expect(!guarded.isPoint(two) && !guarded.isPoint(mixed))
            #expect(!guarded.isMade(signature, point: mixed, reveal: reveal))
        }
    }

    // MARK: The same by hand

    private static func group(_ scheme: SignatureScheme) -> any PrimeOrderGroup.Type {
        GroupScheme(scheme)!.suite.group
    }

    private static func scalar(_ pair: borrowing KeyPair) -> Scalar {
        pair.withScalar { Scalar(bytes: Array(UnsafeBufferPointer(start: $0, count: 32)))! }!
    }

    /// k₀ by the formula of the page.
    private static func nonce(of guarded: GuardedSigning, _ pair: borrowing KeyPair, _ commitment: [UInt8])
        throws -> Scalar
    {
        let input =
            [pair.scheme.rawValue] + scalar(pair).bytes + pair.publicKey.bytes + commitment
            + guarded.payload
        let nonce = Scalar(reducing: TaggedHash.guarded.wide("nonce", input + guarded.message))
        #expect(try group(pair.scheme).base(nonce) == guarded.point(pair, commitment: commitment))
        return nonce
    }

    /// A plain signature with a nonce of the caller's choice.
    private static func plain(
        _ scheme: SignatureScheme, _ pair: borrowing KeyPair, nonce: Scalar, _ message: [UInt8]
    ) -> [UInt8] {
        let suite = GroupScheme(scheme)!.suite
        let point = group(scheme).base(nonce)!
        let challenge = suite.challenge(
            commitment: point, publicKey: pair.publicKey.bytes, message: message)
        return suite.signature(commitment: point, scalar: nonce + challenge * scalar(pair))
    }

    private static func equation(
        _ scheme: SignatureScheme, _ signature: [UInt8], _ key: [UInt8], _ message: [UInt8], _ tweak: Scalar
    ) -> (s: Scalar, e: Scalar, t: Scalar) {
        var s = Array(signature[32...])
        if scheme == .sr25519 { s[31] &= 0x7f }
        let e = GroupScheme(scheme)!.suite.challenge(
            commitment: Array(signature[..<32]), publicKey: key, message: message)
        return (Scalar(bytes: s)!, e, tweak)
    }
}
