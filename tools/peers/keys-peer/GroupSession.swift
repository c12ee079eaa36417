import Hashing
import Keys
import SubstratePrimitives
import Threshold

/// One group and one signature, with all members in this process.
enum GroupSession {
    struct Failed: Error {}

    /// `session generate|known|reshare SCHEME T N SIGNERS PATH MESSAGE` → group key, account, signature. `known`
    /// deals a random key, which is cheaper; `reshare` shares such a key of two of three out anew.
    static func answer(_ fields: [String]) throws -> String? {
        guard fields.count == 8, fields[0] == "session", let named = SignatureScheme(name: fields[2]),
            let scheme = GroupScheme(named),
            let threshold = Int(fields[3]), let members = Int(fields[4]), let message = Hex.decode(fields[7])
        else { return nil }
        let signers = fields[5].split(separator: ",").compactMap { Int($0) }
        let group =
            try fields[1] == "reshare"
            ? Group(scheme, threshold: 2, members: 3, generates: false).reshared(threshold, members)
            : Group(scheme, threshold: threshold, members: members, generates: fields[1] == "generate")
        let account = try group.record.key.account(at: DerivationPath(fields[6]))
        let signature = try group.sign(message, for: account, by: signers)
        return [group.record.key.publicKey.bytes, account.publicKey, signature].map { Hex.encode($0) }.joined(
            separator: "\t")
    }

    /// A host key that can lie in an array.
    final class Member {
        let host: HostKey
        init() throws { host = try HostKey.derive(entropy: SecretBytes(randomCount: 32)) }
    }

    struct Group {
        let members: [Member]
        let record: GroupRecord

        init(_ scheme: GroupScheme, threshold: Int, members count: Int, generates: Bool) throws {
            members = try (0..<count).map { _ in try Member() }
            let (members, keys) = (members, members.map { $0.host.publicKey })
            let proposal = SecretBytes(randomCount: 16).withUnsafeBytes { Array($0) }
            guard generates else {
                let key = try KeyPair.derive(
                    miniSecret: SecretBytes(randomCount: 32), scheme: scheme.signatureScheme)
                let generation = try KeyGeneration(
                    proposal: proposal, scheme: scheme, threshold: threshold, members: keys,
                    origin: .dealt(dealer: keys[0], publicKey: key.publicKey.bytes))
                record = try generation.combine([
                    Self.signed(generation.deal(key, host: members[0].host), members[0])
                ])
                return
            }
            let generation = try KeyGeneration(
                proposal: proposal, scheme: scheme, threshold: threshold, members: keys)
            let received = try members.enumerated().map { position, member in
                try Self.signed(generation.contribute(as: position + 1, host: member.host), member)
            }
            let records = try members.enumerated().map {
                try generation.accept(received, as: $0.offset + 1, host: $0.element.host)
            }
            guard Set(records.map(\.transcript)).count == 1 else { throw Failed() }
            record = records[0]
        }

        private init(_ members: [Member], _ record: GroupRecord) {
            (self.members, self.record) = (members, record)
        }

        /// The same key with shares of so many new members, by two members or by all three.
        func reshared(_ threshold: Int, _ count: Int) throws -> Group {
            let next = try (0..<count).map { _ in try Member() }
            let contributors = count.isMultiple(of: 2) ? [1, 3] : [1, 2, 3]
            let generation = try KeyGeneration(
                proposal: SecretBytes(randomCount: 16).withUnsafeBytes { Array($0) },
                scheme: record.key.scheme, threshold: threshold, members: next.map { $0.host.publicKey },
                origin: .reshared(
                    Reshare(
                        transcript: record.transcript, contributors: contributors, old: OldGroup(record))))
            let received = try contributors.map { index in
                let member = members[index - 1]
                return try Self.signed(
                    generation.reshare(record.share(host: member.host), host: member.host), member)
            }
            let records = try next.enumerated().map {
                try generation.accept(received, as: $0.offset + 1, host: $0.element.host)
            }
            guard Set(records.map(\.transcript)).count == 1,
                records[0].key.publicKey == record.key.publicKey
            else { throw Failed() }
            return Group(next, records[0])
        }

        private static func signed(_ contribution: Contribution, _ member: Member) throws
            -> SignedContribution
        {
            let bytes = contribution.ephemeral + contribution.commitments.joined() + contribution.proof
            return SignedContribution(
                contribution, message: SignedMessage(bytes: bytes, signature: try member.host.sign(bytes)))
        }

        /// Every signer but the last draws its nonces without knowing the others.
        func sign(_ message: [UInt8], for account: GroupAccount, by signers: [Int]) throws -> [UInt8] {
            let request = GroupHash.short("request", message)
            var commitments: [NonceCommitment] = []
            var waiting: [Waiting] = []
            for index in signers {
                let suffix = NonceSuffix(requestID: request, others: index == signers.last ? commitments : [])
                let nonces = try NoncePair.draw(
                    record.share(host: members[index - 1].host), for: account, suffix: suffix)
                commitments.append(nonces.commitment)
                waiting.append(Waiting(nonces.exportSecret()))
            }
            let package = try SigningPackage(account, message: message, commitments: commitments)
            var shares: [Identifier: [UInt8]] = [:]
            for (index, held) in zip(signers, waiting) {
                let member = Identifier(index)
                let nonces = try NoncePair(restoring: held.secret.copy(), member: member, account: account)
                shares[member] = try package.sign(record.share(host: members[index - 1].host), nonces: nonces)
            }
            return try package.aggregate(shares)
        }

        private final class Waiting {
            let secret: SecretBytes
            init(_ secret: consuming SecretBytes) { self.secret = secret }
        }
    }
}
