import SubstratePrimitives

/// The schemes that a threshold group can have: those of Schnorr signatures. The raw value is the scheme byte
/// of a UOS prelude.
public enum GroupScheme: UInt8, Sendable, CaseIterable {
    case ed25519 = 0
    case sr25519 = 1

    /// nil for ecdsa and ethereum, which have no Schnorr signatures.
    public init?(_ scheme: SignatureScheme) {
        switch scheme {
        case .ed25519: self = .ed25519
        case .sr25519: self = .sr25519
        case .ecdsa, .ethereum: return nil
        }
    }

    public var signatureScheme: SignatureScheme {
        switch self {
        case .ed25519: .ed25519
        case .sr25519: .sr25519
        }
    }

    var suite: any FrostSuite.Type {
        switch self {
        case .ed25519: Ed25519Suite.self
        case .sr25519: Sr25519Suite.self
        }
    }
}

/// How many members a group has, and how many of them sign.
public struct GroupSize: Sendable, Hashable {
    /// The largest group: its messages fit in few pictures, and a bitmap of 16 bits names its members.
    public static let largest = 16

    /// Members who must sign, 2 to ``members``.
    public let threshold: Int
    /// All members, at most ``largest``.
    public let members: Int

    public init(threshold: Int, members: Int) throws(ThresholdError) {
        guard (2...Self.largest).contains(members), (2...members).contains(threshold) else {
            throw .size(threshold: threshold, members: members)
        }
        self.threshold = threshold
        self.members = members
    }
}

/// Where a member's share lies on the polynomial: a scalar that is not zero. Members of a group have 1…16, in
/// the order of the proposal; the mathematics takes any.
public struct Identifier: Sendable, Hashable, Comparable {
    let scalar: Scalar

    /// - Parameter index: 1 to 255.
    public init(_ index: Int) {
        precondition((1...255).contains(index), "an index has one byte and is not zero")
        scalar = Scalar(UInt8(index))
    }

    /// nil for zero, and for bytes that are not a reduced scalar.
    init?(bytes: [UInt8]) {
        guard let scalar = Scalar(bytes: bytes), !scalar.isZero else { return nil }
        self.scalar = scalar
    }

    /// 32 bytes, little-endian.
    var bytes: [UInt8] { scalar.bytes }

    /// 1 to 255; nil for a larger identifier.
    public var index: Int? { scalar.bytes.dropFirst().allSatisfy { $0 == 0 } ? Int(scalar.bytes[0]) : nil }

    /// By value: the last byte counts most.
    public static func < (one: Identifier, other: Identifier) -> Bool {
        one.bytes.reversed().lexicographicallyPrecedes(other.bytes.reversed())
    }
}

enum Lagrange {
    /// λ_i = Π j / (j - i) over the other signers j: the weight of the share at i in the value at zero. nil
    /// where an identifier occurs twice.
    static func coefficient(of member: Identifier, in signers: [Identifier]) -> Scalar? {
        var (numerator, denominator) = (Scalar.one, Scalar.one)
        for other in signers where other != member {
            numerator = numerator * other.scalar
            denominator = denominator * (other.scalar - member.scalar)
        }
        return denominator.inverse.map { numerator * $0 }
    }
}
