import SCALE

/// How a key signs. The raw value is the scheme byte of a UOS prelude.
public enum SignatureScheme: UInt8, Sendable, CaseIterable, Codable {
    case ed25519 = 0
    case sr25519 = 1
    case ecdsa = 2
    case ethereum = 3

    /// The word used on command lines and in JSON.
    public var name: String {
        switch self {
        case .ed25519: "ed25519"
        case .sr25519: "sr25519"
        case .ecdsa: "ecdsa"
        case .ethereum: "ethereum"
        }
    }

    public init?(name: String) {
        guard let scheme = Self.allCases.first(where: { $0.name.utf8Equals(name) }) else { return nil }
        self = scheme
    }

    /// Bytes of a public key: 32, or 33 for a compressed secp256k1 point.
    public var publicKeyLength: Int {
        switch self {
        case .ed25519, .sr25519: 32
        case .ecdsa, .ethereum: 33
        }
    }

    /// The number of bytes that name the signer in a transaction payload: those of the public key, or 20 for
    /// the address of an Ethereum-style key.
    public var payloadKeyLength: Int { self == .ethereum ? 20 : publicKeyLength }

    /// Bytes of a signature: 64, or 65 (r ‖ s ‖ v).
    public var signatureLength: Int {
        switch self {
        case .ed25519, .sr25519: 64
        case .ecdsa, .ethereum: 65
        }
    }
}

/// A public key together with its scheme.
public struct PublicKey: Sendable, Hashable {
    public let scheme: SignatureScheme
    /// ``SignatureScheme/publicKeyLength`` bytes.
    public let bytes: [UInt8]

    /// nil when the length does not fit the scheme.
    public init?(scheme: SignatureScheme, bytes: [UInt8]) {
        guard bytes.count == scheme.publicKeyLength else { return nil }
        self.scheme = scheme
        self.bytes = bytes
    }
}
