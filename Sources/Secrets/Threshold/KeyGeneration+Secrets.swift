import CSodium
import Keys

/// Fills memory with random bytes; the tests put a broken source in its place.
typealias RandomSource = (UnsafeMutablePointer<UInt8>, Int) -> Void

extension KeyGeneration {
    /// A contribution of the member with this index. Its randomness is hedged: where the random source is
    /// broken, the polynomial is still secret and another one in each run.
    /// - Throws: ``ThresholdError/notTheMember(_:)``
    public func contribute(as index: Int, host: borrowing HostKey) throws(ThresholdError) -> Contribution {
        try contribute(as: index, host: host) { randombytes_buf($0, $1) }
    }

    func contribute(as index: Int, host: borrowing HostKey, random: RandomSource) throws(ThresholdError)
        -> Contribution
    {
        guard origin == .new, contributorKey(index) == host.publicKey else { throw .notTheMember(index) }
        return try contribution(index: index, host: host, key: nil, random: random)
    }

    /// The contribution of a dealer, whose key becomes the group's.
    /// - Throws: ``ThresholdError/notTheMember(_:)``, ``ThresholdError/notTheDealtKey``
    public func deal(_ key: borrowing KeyPair, host: borrowing HostKey) throws(ThresholdError) -> Contribution
    {
        try deal(key, host: host) { randombytes_buf($0, $1) }
    }

    func deal(_ key: borrowing KeyPair, host: borrowing HostKey, random: RandomSource) throws(ThresholdError)
        -> Contribution
    {
        guard case .dealt(let dealer, let publicKey) = origin, dealer == host.publicKey else {
            throw .notTheMember(0)
        }
        guard key.scheme == scheme.signatureScheme, key.publicKey.bytes == publicKey else {
            throw .notTheDealtKey
        }
        let result = try key.withScalar { scalar throws(ThresholdError) in
            try contribution(index: 0, host: host, key: scalar, random: random)
        }
        guard let result else { throw .notTheDealtKey }
        guard result.commitments[0] == publicKey else { throw .selfCheck }
        return result
    }

    /// All secrets of a contribution, in one piece of guarded memory.
    private struct Secrets: ~Copyable {
        private static let seed = 0
        private static let random = 64
        private static let ephemeral = 96
        private static let nonce = 128
        private static let share = 160
        private static let pad = 192
        private static let coefficients = 224

        private let memory: SecretBytes
        let threshold: Int

        init(threshold: Int) {
            memory = SecretBytes(count: Self.coefficients + threshold * SecretScalar.width)
            self.threshold = threshold
        }

        private borrowing func at(_ offset: Int) -> UnsafeMutablePointer<UInt8> {
            memory.withUnsafeMutableBytes { $0.bindMemory(to: UInt8.self).baseAddress! + offset }
        }

        var seed: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.seed) } }
        var random: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.random) } }
        var ephemeral: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.ephemeral) } }
        var nonce: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.nonce) } }
        var share: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.share) } }
        var pad: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.pad) } }
        var coefficients: UnsafeMutablePointer<UInt8> { borrowing get { at(Self.coefficients) } }

        /// Ts(tag, seed ‖ suffix).
        borrowing func draw(
            _ tag: StaticString, _ suffix: [UInt8] = [], into scalar: UnsafeMutablePointer<UInt8>
        ) {
            let hash = SecretHash(group: tag)
            hash.append(seed, count: 64)
            hash.append(suffix)
            hash.finish(reducedInto: scalar)
        }
    }

    /// - Parameter key: the scalar to divide; nil for a new one.
    func contribution(
        index: Int, host: borrowing HostKey, key: UnsafePointer<UInt8>?, random: RandomSource
    ) throws(ThresholdError) -> Contribution {
        let secrets = Secrets(threshold: size.threshold)
        random(secrets.random, 32)
        host.withScalar { h in
            let hash = SecretHash(group: "seed")
            hash.append(h, count: 32)
            hash.append(secrets.random, count: 32)
            hash.append(sessionID + [UInt8(index)])
            hash.finish(into: secrets.seed)
        }
        for k in 0..<size.threshold {
            let coefficient = secrets.coefficients + k * SecretScalar.width
            secrets.draw("coefficient", [UInt8(k)], into: coefficient)
            if k == 0, let key { coefficient.update(from: key, count: SecretScalar.width) }
        }
        secrets.draw("ephemeral", into: secrets.ephemeral)
        secrets.draw("pop nonce", into: secrets.nonce)

        var commitments: [[UInt8]] = []
        for k in 0..<size.threshold {
            guard let commitment = group.multiplyBase(secrets.coefficients + k * SecretScalar.width) else {
                throw .selfCheck
            }
            commitments.append(commitment)
        }
        guard let ephemeral = Ristretto255.multiplyBase(secrets.ephemeral),
            let nonce = group.multiplyBase(secrets.nonce)
        else {
            throw .selfCheck
        }
        return Contribution(
            index: index, ephemeral: ephemeral, commitments: commitments,
            proof: nonce + proofResponse(index: index, commitments: commitments, nonce: nonce, secrets),
            encryptedShares: try encryptedShares(index: index, ephemeral: ephemeral, secrets))
    }

    /// k + c·a_0; it replaces k.
    private func proofResponse(
        index: Int, commitments: [[UInt8]], nonce: [UInt8], _ secrets: borrowing Secrets
    ) -> [UInt8] {
        let challenge = proofChallenge(index: index, commitments: commitments, nonce: nonce)
        SecretScalar.multiply(secrets.share, secrets.coefficients, challenge.bytes)
        SecretScalar.add(secrets.nonce, secrets.nonce, secrets.share)
        return Array(UnsafeBufferPointer(start: secrets.nonce, count: SecretScalar.width))
    }

    private func encryptedShares(index: Int, ephemeral: [UInt8], _ secrets: borrowing Secrets)
        throws(ThresholdError) -> [[UInt8]]
    {
        var encrypted: [[UInt8]] = []
        for (position, member) in members.enumerated() {
            SecretScalar.evaluate(
                secrets.share, coefficients: secrets.coefficients, count: size.threshold,
                at: Scalar(UInt8(position + 1)))
            guard
                HostKey.pad(
                    scalar: secrets.ephemeral, point: member.bytes, session: sessionID, from: index,
                    to: position + 1,
                    ephemeral: ephemeral, host: member.bytes, into: secrets.pad)
            else { throw .badHostKey }
            // The sum hides the share as a one-time pad does: only it leaves this memory.
            SecretScalar.add(secrets.share, secrets.share, secrets.pad)
            encrypted.append(Array(UnsafeBufferPointer(start: secrets.share, count: SecretScalar.width)))
        }
        return encrypted
    }

    /// Checks a bundle as the member with this index does before confirming it: everything that
    /// ``combine(_:)`` checks, then the own share from every contributor, (enc - pad)·B = Σ j^k·C_k.
    /// - Throws: what ``combine(_:)`` throws, and ``ThresholdError/notTheMember(_:)``
    public func accept(
        _ received: [SignedContribution], as index: Int, host: borrowing HostKey
    ) throws(ThresholdError) -> GroupRecord {
        guard (1...size.members).contains(index), members[index - 1] == host.publicKey else {
            throw .notTheMember(index)
        }
        let record = try combine(received)
        let faulty = host.withScalar { h in
            received.map(\.contribution).filter { !isShareValid($0, of: index, h: h) }.map(\.index).sorted()
        }
        guard faulty.isEmpty else {
            throw .contributions(faulty.map { ContributionFault(index: $0, reason: .share) })
        }
        _ = try record.share(host: host)
        return record
    }

    private func isShareValid(_ contribution: Contribution, of index: Int, h: UnsafePointer<UInt8>) -> Bool {
        withSecretScratch(64) { scratch in
            let (share, pad) = (scratch, scratch + 32)
            guard
                HostKey.pad(
                    scalar: h, point: contribution.ephemeral, session: sessionID, from: contribution.index,
                    to: index,
                    ephemeral: contribution.ephemeral, host: members[index - 1].bytes, into: pad)
            else { return false }
            SecretScalar.subtract(share, contribution.encryptedShares[index - 1], pad)
            let point = group.multiplyBase(share) ?? group.identity
            return point == group.evaluate(contribution.commitments, at: Scalar(UInt8(index)))
        }
    }
}

extension KeyGeneration {
    /// The contribution of a member of the old group, with its share there.
    /// - Parameters:
    ///   - share: of the old group.
    ///   - host: the host key of that member, which signs and hides the contribution.
    /// - Throws: ``ThresholdError/notTheMember(_:)``; ``ThresholdError/oldGroup`` where this is no reshare, or
    ///   one of an unknown group
    public func reshare(_ share: borrowing SigningShare, host: borrowing HostKey) throws(ThresholdError)
        -> Contribution
    {
        try reshare(share, host: host) { randombytes_buf($0, $1) }
    }

    func reshare(_ share: borrowing SigningShare, host: borrowing HostKey, random: RandomSource)
        throws(ThresholdError) -> Contribution
    {
        guard case .reshared(let reshare) = origin, let old = reshare.old else { throw .oldGroup }
        let index = share.member.index ?? 0
        guard let lagrange = reshare.lagrange(index), reshare.contributorKey(index) == host.publicKey else {
            throw .notTheMember(index)
        }
        let secret = SecretBytes(count: SecretScalar.width)
        let contribution = try secret.withUnsafeMutableBytes { memory throws(ThresholdError) in
            let constant = memory.bindMemory(to: UInt8.self).baseAddress!
            share.withScalar(of: old.key.account) { SecretScalar.multiply(constant, $0, lagrange.bytes) }
            return try self.contribution(index: index, host: host, key: constant, random: random)
        }
        // A share of another group was checked against that group's public share.
        guard contribution.commitments[0] == reshare.expected(of: index) else { throw .wrongShare }
        return contribution
    }
}
