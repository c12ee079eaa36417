import CSodium
import Hashing
import Keys

/// The public half of a signer's nonces, D and E of messages b7 to b9.
public struct NonceCommitment: Sendable, Hashable {
    public let member: Identifier
    /// D, 32 bytes.
    public let hiding: [UInt8]
    /// E, 32 bytes.
    public let binding: [UInt8]

    /// Takes anything: ``SigningPackage`` checks it, and says whose it is.
    public init(member: Identifier, hiding: [UInt8], binding: [UInt8]) {
        self.member = member
        self.hiding = hiding
        self.binding = binding
    }

    /// Whether both are points of the account's group, in their canonical encoding and not the identity.
    /// Everybody can check that before a signature is asked for; an invalid point cannot be answered.
    public func isValid(for account: GroupAccount) -> Bool {
        account.suite.group.isValid(hiding) && account.suite.group.isValid(binding)
    }

    /// u8(i) ‖ D ‖ E.
    fileprivate var short: [UInt8] { [UInt8(member.index ?? 0)] + hiding + binding }
}

extension Sequence<NonceCommitment> {
    /// u8(i) ‖ D ‖ E of each, ascending.
    func shortList() -> [UInt8] { sorted { $0.member < $1.member }.flatMap(\.short) }
}

/// What a pair of nonces is bound to beside randomness and the share.
public struct NonceSuffix: Sendable {
    let bytes: [UInt8]

    /// rid ‖ T32(`others`, …). A random source that repeats itself gives the last signer, who knows all
    /// others, the same nonces only for the same package, where they give the same share.
    /// - Parameters:
    ///   - requestID: rid, 32 bytes.
    ///   - others: the commitments of other signers that are known already, in any order; none in round one.
    public init(requestID: [UInt8], others: [NonceCommitment]) {
        precondition(requestID.count == 32, "a request id has 32 bytes")
        bytes = requestID + GroupHash.short("others", others.shortList())
    }

    init(bytes: [UInt8]) { self.bytes = bytes }
}

/// The nonces d and e of one signer for one request, in guarded memory. Two shares made with one pair are as
/// good as the key, so a pair is consumed by the share that it makes, and is never encoded into anything that
/// is kept.
public struct NoncePair: ~Copyable, Sendable {
    /// Bytes of ``exportSecret()``.
    public static let length = 64

    public let commitment: NonceCommitment
    /// d ‖ e.
    private let secret: SecretBytes

    /// d = H3(random ‖ x' ‖ suffix ‖ 0), e = H3(other random ‖ x' ‖ suffix ‖ 1).
    /// - Throws: ``ThresholdError/selfCheck``, with probability 2^-251.
    public static func draw(
        _ share: borrowing SigningShare, for account: GroupAccount, suffix: NonceSuffix
    ) throws(ThresholdError) -> NoncePair {
        try draw(share, for: account, suffix: suffix) { randombytes_buf($0, $1) }
    }

    /// Each nonce has a suffix of its own: a random source that repeats itself within one pair must not make
    /// both the same. With d = e the commitment D = E would say so, and d·(1 + ρ) would be one unknown where
    /// FROST needs two.
    static func draw(
        _ share: borrowing SigningShare, for account: GroupAccount, suffix: NonceSuffix, random: RandomSource
    ) throws(ThresholdError) -> NoncePair {
        try draw(share, for: account, suffixes: [suffix.bytes + [0], suffix.bytes + [1]], random: random)
    }

    static func draw(
        _ share: borrowing SigningShare, for account: GroupAccount, suffixes: [[UInt8]], random: RandomSource
    ) throws(ThresholdError) -> NoncePair {
        let secret = SecretBytes(count: length)
        secret.withUnsafeMutableBytes { memory in
            let nonces = memory.bindMemory(to: UInt8.self).baseAddress!
            share.withScalar(of: account) { share in
                withSecretScratch(32) { fresh in
                    for (position, suffix) in suffixes.enumerated() {
                        random(fresh, 32)
                        account.suite.h3(
                            random: fresh, share: share, suffix: suffix,
                            into: nonces + position * SecretScalar.width)
                    }
                }
            }
        }
        return try NoncePair(secret, member: share.member, suite: account.suite)
    }

    /// A pair of nonces d ‖ e that was kept in memory. D and E are computed again; compare them with the
    /// commitments that were shown.
    /// - Throws: ``ThresholdError/otherNonces`` where the bytes are not two scalars.
    public init(restoring secret: consuming SecretBytes, member: Identifier, account: GroupAccount)
        throws(ThresholdError)
    {
        guard secret.count == Self.length,
            secret.withUnsafeBytes({ bytes in
                let nonces = bytes.bindMemory(to: UInt8.self).baseAddress!
                return SecretScalar.isReduced(nonces) && SecretScalar.isReduced(nonces + SecretScalar.width)
            })
        else { throw .otherNonces }
        try self.init(secret, member: member, suite: account.suite)
    }

    private init(_ secret: consuming SecretBytes, member: Identifier, suite: any FrostSuite.Type)
        throws(ThresholdError)
    {
        let points = secret.withUnsafeBytes { bytes -> [[UInt8]] in
            let nonces = bytes.bindMemory(to: UInt8.self).baseAddress!
            return [0, SecretScalar.width].compactMap { suite.group.multiplyBase(nonces + $0) }
        }
        guard points.count == 2 else { throw .selfCheck }
        commitment = NonceCommitment(member: member, hiding: points[0], binding: points[1])
        self.secret = secret
    }

    /// d ‖ e, for the sealed file in RAM that carries them from round one to round two; nothing else may take
    /// them.
    public borrowing func exportSecret() -> SecretBytes { secret.copy() }

    /// Lends d and e, 32 bytes each.
    borrowing func withScalars<R: ~Copyable, E: Error>(
        _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try secret.withUnsafeBytes { bytes throws(E) in
            let nonces = bytes.bindMemory(to: UInt8.self).baseAddress!
            return try body(nonces, nonces + SecretScalar.width)
        }
    }
}
