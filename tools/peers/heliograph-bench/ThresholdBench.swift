import Keys
import SubstratePrimitives
import Threshold

/// The steps of a threshold group, without pictures, disk and passphrase.
enum ThresholdBench {
    private final class Host {
        let key: HostKey
        init() throws { key = try HostKey.derive(entropy: SecretBytes(randomCount: 32)) }
    }

    private final class Nonces {
        let secret: SecretBytes
        let commitment: NonceCommitment
        init(_ pair: consuming NoncePair) {
            commitment = pair.commitment
            secret = pair.exportSecret()
        }
    }

    private struct Group {
        let generation: KeyGeneration
        let hosts: [Host]
        let received: [SignedContribution]
        let record: GroupRecord
        let confirmations: [SignedMessage]

        init(_ scheme: GroupScheme, _ threshold: Int, _ members: Int) throws {
            hosts = try (0..<members).map { _ in try Host() }
            let hosts = hosts
            let generation = try KeyGeneration(
                proposal: [UInt8](repeating: 1, count: 100 + 40 * members), scheme: scheme,
                threshold: threshold,
                members: hosts.map { $0.key.publicKey })
            self.generation = generation
            received = try hosts.enumerated().map { position, host in
                try Self.signed(generation.contribute(as: position + 1, host: host.key), host)
            }
            let record = try generation.combine(received)
            self.record = record
            confirmations = try hosts.map { host in
                let bytes = record.transcript + record.key.publicKey.bytes
                return SignedMessage(bytes: bytes, signature: try host.key.sign(bytes))
            }
        }

        static func signed(_ contribution: Contribution, _ host: Host) throws -> SignedContribution {
            let bytes =
                contribution.ephemeral + contribution.commitments.joined() + contribution.proof
                + contribution.encryptedShares.joined()
            return SignedContribution(
                contribution, message: SignedMessage(bytes: bytes, signature: try host.key.sign(bytes)))
        }

        func share(_ index: Int) throws -> SigningShare { try record.share(host: hosts[index - 1].key) }

        func nonces(_ index: Int) throws -> Nonces {
            let suffix = NonceSuffix(requestID: [UInt8](repeating: 2, count: 32), others: [])
            return Nonces(try NoncePair.draw(share(index), for: record.key.account, suffix: suffix))
        }

        func restore(_ nonces: Nonces) throws -> NoncePair {
            try NoncePair(
                restoring: nonces.secret.copy(), member: nonces.commitment.member, account: record.key.account
            )
        }
    }

    /// `threshold SECONDS`: the median milliseconds of each step.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 1, let seconds = Double(arguments[0]) else {
            throw BenchError.usage("threshold SECONDS")
        }
        var rows: [String] = []
        for scheme in [GroupScheme.sr25519, .ed25519] {
            for (threshold, members) in [(2, 3), (5, 9), (11, 16)] {
                let group = try Group(scheme, threshold, members)
                func row(_ step: String, _ body: () throws -> Void) throws {
                    let runs = try measure(seconds: seconds, body)
                    let name = "\(scheme.signatureScheme.name) \(threshold) of \(members): \(step)"
                    rows.append("\"\(name)\": \(1000 * runs[runs.count / 2])")
                }
                try steps(of: group, row)
            }
        }
        print("{\(rows.joined(separator: ", "))}")
    }

    private static func steps(
        of group: Group, _ row: (String, () throws -> Void) throws -> Void
    ) throws {
        let (generation, record, account) = (group.generation, group.record, group.record.key.account)
        let first = group.hosts[0]
        try row("contribution, signed") {
            _ = try Group.signed(generation.contribute(as: 1, host: first.key), first)
        }
        try row("bundle check by a member") {
            _ = try generation.accept(group.received, as: 1, host: first.key)
        }
        try row("record check, all signatures") {
            let read = try GroupRecord(
                generation, contributionsHash: record.contributionsHash, commitments: record.key.commitments,
                ephemerals: record.ephemerals, encryptedSums: record.encryptedSums)
            try read.check(group.confirmations)
        }
        try row("share from the record") { _ = try group.share(1).member }
        try row("round one") { _ = try group.nonces(1) }
        let signers = Array(1...record.key.threshold)
        let message = [UInt8](repeating: 7, count: 200)
        let held = try signers.map { try group.nonces($0) }
        let commitments = held.map(\.commitment)
        let package = try SigningPackage(account, message: message, commitments: commitments)
        var shares: [Identifier: [UInt8]] = [:]
        for (index, nonces) in zip(signers, held) {
            shares[Identifier(index)] = try package.sign(group.share(index), nonces: group.restore(nonces))
        }
        try row("round two") {
            let package = try SigningPackage(account, message: message, commitments: commitments)
            _ = try package.sign(group.share(1), nonces: group.restore(held[0]))
        }
        try row("check of one share") {
            guard package.isValid(shares[Identifier(1)]!, of: Identifier(1)) else {
                throw BenchError.wrongAnswer("share")
            }
        }
        try row("aggregation, verified") { _ = try package.aggregate(shares) }
        try row("whole signing, all signers") {
            let held = try signers.map { try group.nonces($0) }
            let package = try SigningPackage(account, message: message, commitments: held.map(\.commitment))
            var shares: [Identifier: [UInt8]] = [:]
            for (index, nonces) in zip(signers, held) {
                shares[Identifier(index)] = try package.sign(
                    group.share(index), nonces: group.restore(nonces))
            }
            _ = try package.aggregate(shares)
        }
    }
}
