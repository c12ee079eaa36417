import Keys

/// A member's share of a group's key, in guarded memory. It is never stored, printed or encoded.
public struct SigningShare: ~Copyable, Sendable {
    public let member: Identifier
    private let secret: SecretBytes

    /// - Throws: ``ThresholdError/wrongShare`` where x·B is not the member's public share.
    init(_ member: Identifier, _ secret: consuming SecretBytes, of account: GroupAccount)
        throws(ThresholdError)
    {
        let point =
            secret.count == SecretScalar.width
            ? secret.withUnsafeBytes { bytes -> [UInt8]? in
                let scalar = bytes.bindMemory(to: UInt8.self).baseAddress!
                return SecretScalar.isReduced(scalar) ? account.suite.group.multiplyBase(scalar) : nil
            } : nil
        guard let point, point == account.publicShare(member) else { throw .wrongShare }
        self.member = member
        self.secret = secret
    }

    /// Lends x' = x + τ, 32 bytes.
    borrowing func withScalar<R: ~Copyable, E: Error>(
        of account: GroupAccount, _ body: (UnsafePointer<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try withSecretScratch(SecretScalar.width) { sum throws(E) in
            secret.withUnsafeBytes {
                SecretScalar.add(sum, $0.bindMemory(to: UInt8.self).baseAddress!, account.tweak.bytes)
            }
            return try body(sum)
        }
    }
}
