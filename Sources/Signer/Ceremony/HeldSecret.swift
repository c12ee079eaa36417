import Keys

/// A secret that an operation or an outcome carries. `SecretBytes` cannot be copied, so this lends the one
/// instance, which is wiped when the last reference is released.
public final class HeldSecret: Sendable {
    private let secret: SecretBytes

    /// Takes the secret over.
    public init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// Bytes.
    public var count: Int { secret.count }

    /// Lends the secret to `body`.
    public func withSecret<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E)
        -> R
    { try body(secret) }
}
