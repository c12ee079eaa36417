import CSodium
import Diagnostics
import Hashing
import Keys
import SubstratePrimitives

/// A signature whose nonce the signer and the online machine make together in two rounds, so that a signer
/// that lies cannot hide a key in it. What comes out is a plain signature.
///
/// With T of `TaggedHash.guarded`, the key A = a·B, the online machine's 32 random bytes ρ, the hash p of
/// the whole payload and the signed bytes m:
///
/// | round | value | who |
/// |---|---|---|
/// | 1 | c = T32(`commitment`, ρ) | the online machine |
/// | 1 | k₀ = T(`nonce`, scheme ‖ a ‖ A ‖ c ‖ p ‖ m) mod ℓ, R₀ = k₀·B | the signer, which shows R₀ |
/// | 2 | ρ | the online machine, which has seen R₀ |
/// | 2 | R = R₀ + t·B with t = T(`tweak`, scheme ‖ A ‖ R₀ ‖ ρ ‖ p) mod ℓ | both |
/// | 2 | s = k₀ + t + e·a, where e is the challenge of R, A and m as for any signature | the signer |
///
/// **The signer keeps nothing, and never uses a nonce twice.** Two signatures with one k₀ are two equations
/// for a if they differ in e. The inputs of k₀ are all that e depends on but R: key and signed bytes. R
/// depends besides on R₀, which follows from k₀, on p, which is an input of k₀, and on ρ. Of c a second ρ is
/// not known to anybody who cannot find a collision of SHA-512, and a signature is made only for the ρ that
/// opens the c in k₀. So one k₀ has one t, one R, one e and one s: whoever starts a round again gets either
/// the same signature, or another k₀. p alone would not do: a program of another version could find other
/// signed bytes in the same payload.
///
/// **The nonce is of this use alone.** Its domain is no label of a hedged or a reproducible nonce and no
/// suite of a group, so k₀ is never the nonce of a signature that is made in another way.
///
/// **A lying signer has no freedom after ρ.** R₀ is shown before ρ is known, then R is fixed, and with R and
/// the signed bytes s is. Both encodings are unique. Before ρ it may choose R₀, which the online machine sees
/// and the chain does not: of R₀ + t·B nobody without ρ and R₀ learns anything about R₀.
public struct GuardedSigning: Sendable {
    /// Bytes of ρ, c, p and a point.
    public static let wordLength = 32

    private let scheme: GroupScheme
    private let publicKey: [UInt8]
    /// p.
    let payload: [UInt8]
    /// m.
    let message: [UInt8]

    /// nil for ecdsa and ethereum: their nonces are not made by sums of points here.
    /// - Parameters:
    ///   - key: the signer's key.
    ///   - payload: p, which `GuardHash.payload(_:)` gives.
    ///   - message: the signed bytes.
    public init?(key: PublicKey, payload: [UInt8], message: [UInt8]) {
        guard let scheme = GroupScheme(key.scheme), payload.count == Self.wordLength else { return nil }
        self.scheme = scheme
        publicKey = key.bytes
        self.payload = payload
        self.message = message
    }

    // MARK: Public values

    /// Whether bytes can be R₀: the canonical encoding of a point of prime order.
    /// - Parameter point: what a signer answered.
    public func isPoint(_ point: [UInt8]) -> Bool { suite.group.isValid(point) }

    /// Whether a signature verifies and its R is R₀ + t·B. False for a valid signature that was made in any
    /// other way.
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - point: R₀, as it came before `reveal` was shown.
    ///   - reveal: ρ.
    public func isMade(_ signature: [UInt8], point: [UInt8], reveal: [UInt8]) -> Bool {
        guard isPoint(point), let shift = suite.group.base(tweak(point, reveal)),
            let sum = suite.group.add(point, shift)
        else { return false }
        return signature.starts(with: sum)
            && suite.verify(signature, message: message, publicKey: publicKey)
    }

    private var suite: any FrostSuite.Type { scheme.suite }

    private func tweak(_ point: [UInt8], _ reveal: [UInt8]) -> Scalar {
        Scalar(
            reducing: TaggedHash.guarded.wide(
                "tweak", [scheme.rawValue] + publicKey + point + reveal + payload))
    }

    // MARK: The signer

    /// R₀, the answer to the first round. The same key, payload, message and commitment give the same point.
    /// - Parameters:
    ///   - pair: the key of `init`.
    ///   - commitment: c, 32 bytes.
    /// - Throws: ``GuardedError/selfCheck`` for a nonce of zero, with probability 2^-252
    public func point(_ pair: borrowing KeyPair, commitment: [UInt8]) throws(GuardedError) -> [UInt8] {
        try withNonce(pair, commitment) { _, _, point throws(GuardedError) in point }
    }

    /// The signature, verified before it is returned: a fault of the machine while it signs can make one from
    /// which the key follows.
    /// - Parameters:
    ///   - pair: the key of `init`.
    ///   - point: R₀ as the online machine has it.
    ///   - reveal: ρ. The nonce is that of the commitment to it, whatever commitment a payload names.
    /// - Throws: ``GuardedError/otherPoint``, ``GuardedError/selfCheck``
    public func sign(_ pair: borrowing KeyPair, point: [UInt8], reveal: [UInt8]) throws(GuardedError)
        -> [UInt8]
    {
        let signature = try withNonce(pair, GuardHash.commitment(to: reveal)) {
            nonce, key, own throws(GuardedError) -> [UInt8] in
            guard own == point else { throw .otherPoint }
            SecretScalar.add(nonce, nonce, tweak(own, reveal).bytes)
            guard let sum = suite.group.multiplyBase(nonce) else { throw .selfCheck }
            let challenge = suite.challenge(commitment: sum, publicKey: publicKey, message: message)
            return withSecretScratch(SecretScalar.width) { product in
                SecretScalar.multiply(product, challenge.bytes, key)
                SecretScalar.add(product, product, nonce)
                let made = Array(UnsafeBufferPointer(start: product, count: SecretScalar.width))
                return suite.signature(commitment: sum, scalar: Scalar(bytes: made)!)
            }
        }
        guard isMade(signature, point: point, reveal: reveal) else { throw .selfCheck }
        return signature
    }

    /// Lends k₀, which may be written, and a, both 32 bytes, and R₀.
    private func withNonce<R>(
        _ pair: borrowing KeyPair, _ commitment: [UInt8],
        _ body: (SecretScalar.Writing, SecretScalar.Reading, [UInt8]) throws(GuardedError) -> R
    ) throws(GuardedError) -> R {
        precondition(
            pair.publicKey.bytes == publicKey && pair.scheme == scheme.signatureScheme
                && commitment.count == Self.wordLength, "the pair is that of the key")
        let made = try pair.withScalar { key throws(GuardedError) in
            try withSecretScratch(SecretScalar.width) { nonce throws(GuardedError) in
                let hash = SecretHash(.guarded, "nonce")
                hash.append([scheme.rawValue])
                hash.append(key, count: SecretScalar.width)
                hash.append(publicKey + commitment + payload + message)
                hash.finish(reducedInto: nonce)
                guard let point = suite.group.multiplyBase(nonce) else { throw GuardedError.selfCheck }
                return try body(nonce, key, point)
            }
        }
        guard let made else { throw .selfCheck }
        return made
    }
}

/// Why a guarded signature is not made.
public enum GuardedError: Error, Equatable, Sendable {
    /// The point in the second round is not the one that this key answers in the first.
    case otherPoint
    /// A signature that was just made does not verify: a hardware fault or a bug.
    case selfCheck
}

extension GuardedError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .otherPoint:
            .refused(
                "guard-point",
                "the online machine names another point than this key answers for "
                    + "this transaction and commitment",
                hint: "scan the first code of the transaction again")
        case .selfCheck: ThresholdError.selfCheck.diagnostic
        }
    }

    public static var examples: [GuardedError] { [.otherPoint, .selfCheck] }
}
