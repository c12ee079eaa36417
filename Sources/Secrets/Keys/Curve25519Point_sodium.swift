import CSodium

/// The point of Curve25519 that belongs to an ed25519 key. Both curves are one in two forms, and chains that
/// name accounts by this form verify signatures of the other one.
public struct Curve25519Point: Sendable {
    /// Its u-coordinate, 32 bytes with the lowest first.
    public let bytes: [UInt8]

    /// - Parameter publicKey: an ed25519 key; bytes that are not one give nil.
    public init?(_ publicKey: [UInt8]) {
        guard publicKey.count == 32 else { return nil }
        var point = [UInt8](repeating: 0, count: 32)
        guard crypto_sign_ed25519_pk_to_curve25519(&point, publicKey) == 0 else { return nil }
        bytes = point
    }
}
