import Hashing
import Keys
import TestSupport
import Testing

@testable import Threshold

extension String {
    /// The bytes of hexadecimal text in a fixture.
    var hex: [UInt8] { Hex.decode(self)! }
}

extension [UInt8] {
    func flipping(_ bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << (bit % 8)
        return copy
    }
}

func secretBytes(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(wiping: &bytes)
}

/// A repeatable source for laws; a failure prints what it depends on.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
    mutating func scalar() -> Scalar { Scalar(reducing: bytes(64)) }
}

/// FROST(ristretto255, SHA-512) of RFC 9591, section 6.2.
enum Ristretto255Suite: FrostSuite {
    static let group: any PrimeOrderGroup.Type = Ristretto255.self
    static let context: StaticString = "FROST-RISTRETTO255-SHA512-v1"

    static func challenge(commitment: [UInt8], publicKey: [UInt8], message: [UInt8]) -> Scalar {
        Scalar(reducing: SHA512.hash(Array("\(context)chal".utf8) + commitment + publicKey + message))
    }

    static func signature(commitment: [UInt8], scalar: Scalar) -> [UInt8] { commitment + scalar.bytes }

    static func verify(_ signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == 64, let scalar = Scalar(bytes: Array(signature[32...])),
            let left = group.base(scalar)
        else {
            return false
        }
        let commitment = Array(signature[..<32])
        let challenge = challenge(commitment: commitment, publicKey: publicKey, message: message)
        return group.times(challenge, publicKey).flatMap { group.add(commitment, $0) } == left
    }
}

/// A group whose polynomial the test knows.
struct KnownGroup {
    let coefficients: [Scalar]
    let members: [Identifier]
    let account: GroupAccount

    init(_ suite: any FrostSuite.Type, coefficients: [Scalar], members: [Identifier]) {
        self.coefficients = coefficients
        self.members = members
        var shares: [Identifier: [UInt8]] = [:]
        for member in members { shares[member] = suite.group.base(Self.share(coefficients, member))! }
        account = GroupAccount(
            suite: suite, threshold: coefficients.count, publicKey: suite.group.base(coefficients[0])!,
            publicShares: shares, tweak: .zero)
    }

    init(_ suite: any FrostSuite.Type, threshold: Int, members: Int, _ random: inout SeededGenerator) {
        self.init(
            suite, coefficients: (0..<threshold).map { _ in random.scalar() },
            members: (1...members).map { Identifier($0) })
    }

    static func share(_ coefficients: [Scalar], _ member: Identifier) -> Scalar {
        coefficients.reversed().reduce(Scalar.zero) { $0 * member.scalar + $1 }
    }

    func share(_ member: Identifier) throws -> SigningShare {
        // The public shares of a derived account are those of the group, shifted.
        try SigningShare(member, secretBytes(Self.share(coefficients, member).bytes), of: account)
    }

    /// z of each signer, and the package.
    func sign(
        _ message: [UInt8], by signers: [Identifier], _ random: inout SeededGenerator
    ) throws -> (package: SigningPackage, shares: [Identifier: [UInt8]]) {
        let sources = signers.map { _ in random.bytes(64) }
        func pair(_ position: Int) throws -> NoncePair {
            try draw(share(signers[position]), account, random: sources[position])
        }
        let commitments = try signers.indices.map { try pair($0).commitment }
        let package = try SigningPackage(account, message: message, commitments: commitments)
        var shares: [Identifier: [UInt8]] = [:]
        for position in signers.indices {
            shares[signers[position]] = try package.sign(share(signers[position]), nonces: pair(position))
        }
        return (package, shares)
    }
}

/// Nonces from given random bytes, 64; without a suffix as in the RFC, or with one as this program draws
/// them.
func draw(
    _ share: borrowing SigningShare, _ account: GroupAccount, random: [UInt8], suffix: NonceSuffix? = nil
) throws -> NoncePair {
    var rest = random[...]
    let source: RandomSource = { memory, count in
        for index in 0..<count { memory[index] = rest.removeFirst() }
    }
    guard let suffix else {
        return try NoncePair.draw(share, for: account, suffixes: [[], []], random: source)
    }
    return try NoncePair.draw(share, for: account, suffix: suffix, random: source)
}

// `#expect` cannot expand a call of a static member on an existential type.
func verifies(_ suite: any FrostSuite.Type, _ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8])
    -> Bool
{
    suite.verify(signature, message: message, publicKey: publicKey)
}
func isValid(_ point: [UInt8], in group: any PrimeOrderGroup.Type) -> Bool { group.isValid(point) }
func base(_ scalar: Scalar, _ group: any PrimeOrderGroup.Type) -> [UInt8]? { group.base(scalar) }
