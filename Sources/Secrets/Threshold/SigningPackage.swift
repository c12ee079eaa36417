import Hashing
import Keys

/// Round two: one message, one set of signers, and the commitments of all of them. Everything that a share
/// depends on follows from these.
public struct SigningPackage: Sendable {
    public let account: GroupAccount
    public let message: [UInt8]
    /// Ascending by signer.
    public let commitments: [NonceCommitment]
    /// R, 32 bytes.
    public let groupCommitment: [UInt8]
    let challenge: Scalar
    private let signers: [Identifier: Signer]

    /// What one signer's share is checked with.
    struct Signer: Sendable {
        let bindingFactor: Scalar
        let lagrange: Scalar
        /// D + ρ·E.
        let nonce: [UInt8]
    }

    /// - Parameters:
    ///   - account: the account that signs.
    ///   - message: exactly what a single key would sign.
    ///   - commitments: those of exactly the signers of the request, in any order. The coordinator must not
    ///     choose the signers: whoever chooses it after the commitments controls the Lagrange coefficients.
    /// - Throws: ``ThresholdError/signers``, ``ThresholdError/badCommitment(_:)``,
    ///   ``ThresholdError/identityCommitment``
    public init(_ account: GroupAccount, message: [UInt8], commitments: [NonceCommitment])
        throws(ThresholdError)
    {
        let (suite, group) = (account.suite, account.suite.group)
        let commitments = commitments.sorted { $0.member < $1.member }
        let set = commitments.map(\.member)
        guard set.count >= account.threshold, Set(set).count == set.count,
            set.allSatisfy({ account.publicShare($0) != nil })
        else {
            throw .signers
        }
        for one in commitments where !one.isValid(for: account) {
            throw .badCommitment(one.member.index ?? 0)
        }
        let list = commitments.flatMap { $0.member.bytes + $0.hiding + $0.binding }
        let prefix = account.publicKey + suite.h4(message) + suite.h5(list)
        var signers: [Identifier: Signer] = [:]
        var total = group.identity
        for one in commitments {
            let factor = suite.h1(prefix + one.member.bytes)
            guard let product = group.times(factor, one.binding), let nonce = group.add(one.hiding, product),
                let sum = group.add(total, nonce),
                let lagrange = Lagrange.coefficient(of: one.member, in: set)
            else { throw .badCommitment(one.member.index ?? 0) }
            signers[one.member] = Signer(bindingFactor: factor, lagrange: lagrange, nonce: nonce)
            total = sum
        }
        guard total != group.identity else { throw .identityCommitment }
        self.account = account
        self.message = message
        self.commitments = commitments
        self.signers = signers
        groupCommitment = total
        challenge = suite.challenge(commitment: total, publicKey: account.publicKey, message: message)
    }

    /// T32(`package`, rid ‖ u8(i) ‖ D ‖ E of all signers): what each share says it was made for.
    public func hash(requestID: [UInt8]) -> [UInt8] {
        GroupHash.short("package", requestID + commitments.shortList())
    }

    /// z_i = d + e·ρ + λ·c·x', 32 bytes; checked as everyone checks it before it is returned. The nonces end
    /// here.
    /// - Throws: ``ThresholdError/signers`` where the share is of no signer, ``ThresholdError/otherNonces``,
    ///   ``ThresholdError/selfCheck``
    public func sign(_ share: borrowing SigningShare, nonces: consuming NoncePair) throws(ThresholdError)
        -> [UInt8]
    {
        guard let signer = signers[share.member] else { throw .signers }
        guard commitments.contains(nonces.commitment), nonces.commitment.member == share.member else {
            throw .otherNonces
        }
        var result = [UInt8](repeating: 0, count: SecretScalar.width)
        let weight = challenge * signer.lagrange
        withSecretScratch(2 * SecretScalar.width) { scratch in
            let (sum, product) = (scratch, scratch + SecretScalar.width)
            share.withScalar(of: account) { SecretScalar.multiply(sum, $0, weight.bytes) }
            nonces.withScalars { hiding, binding in
                SecretScalar.multiply(product, binding, signer.bindingFactor.bytes)
                SecretScalar.add(sum, sum, product)
                SecretScalar.add(sum, sum, hiding)
            }
            for index in 0..<SecretScalar.width { result[index] = sum[index] }
        }
        guard isValid(result, of: share.member) else { throw .selfCheck }
        return result
    }

    /// Whether z·B = D + ρ·E + (c·λ)·Y'. False for what is not a reduced scalar, and for who does not sign.
    public func isValid(_ share: [UInt8], of member: Identifier) -> Bool {
        let group = account.suite.group
        guard let signer = signers[member], let publicShare = account.publicShare(member),
            let z = Scalar(bytes: share),
            let left = group.base(z), let product = group.times(challenge * signer.lagrange, publicShare),
            let right = group.add(signer.nonce, product)
        else { return false }
        return left == right
    }

    /// The signature of the account over the message, 64 bytes, verified as everyone verifies it.
    /// - Parameter shares: z of every signer.
    /// - Throws: ``ThresholdError/signers`` for other than the signers;
    ///   ``ThresholdError/signatureShares(_:)`` names exactly the signers whose shares are wrong.
    public func aggregate(_ shares: [Identifier: [UInt8]]) throws(ThresholdError) -> [UInt8] {
        guard Set(shares.keys) == Set(signers.keys) else { throw .signers }
        let scalars = shares.values.compactMap { Scalar(bytes: $0) }
        if scalars.count == shares.count {
            let sum = scalars.reduce(Scalar.zero) { $0 + $1 }
            let signature = account.suite.signature(commitment: groupCommitment, scalar: sum)
            if account.suite.verify(signature, message: message, publicKey: account.publicKey) {
                return signature
            }
        }
        let wrong = shares.keys.filter { !isValid(shares[$0]!, of: $0) }.sorted()
        guard wrong.isEmpty else { throw .signatureShares(wrong) }
        throw .selfCheck
    }

    /// For vectors.
    func signer(_ member: Identifier) -> Signer? { signers[member] }
}
