import Hashing
import Keys
import Presentation
import RaptorQ
import SCALE
import StateProof
import SubstratePrimitives
import TerminalIO
import Threshold
import UOS
import Vault

/// Known answers of every primitive that a signature or a seed rests on.
enum PrimitiveTests {
    static func all() -> [SelfCheck] { hashes() + secrets() + signatures() + groups() + codecs() + [state()] }

    private static func check(_ name: String, _ body: () throws -> Bool) -> SelfCheck {
        SelfCheck(name: name, passed: (try? body()) ?? false)
    }

    private static func hashes() -> [SelfCheck] {
        let message = KnownAnswers.message
        return [
            check("blake2b") {
                Hex.encode(BLAKE2b.hash(message)) == KnownAnswers.blake2b256
                    && Hex.encode(BLAKE2b.hash(message, length: 64)) == KnownAnswers.blake2b512
            },
            check("blake3") {
                Hex.encode(BLAKE3.hash([])) == KnownAnswers.blake3Empty
                    && Hex.encode(BLAKE3.hash((0..<1025).map { UInt8($0 % 251) }))
                        == KnownAnswers.blake3TwoChunks
            },
            check("keccak-256") { Hex.encode(Keccak256.hash(message)) == KnownAnswers.keccak256 },
            check("sha-256") { Hex.encode(SHA256.hash(message)) == KnownAnswers.sha256 },
            check("sha-512") { Hex.encode(SHA512.hash(message)) == KnownAnswers.sha512 },
        ]
    }

    /// The built-in layouts of Polkadot read it, whatever chain it was made for.
    private static func state() -> SelfCheck {
        check("state proof") {
            let known = KnownState.self
            guard let header = Hex.decode(known.header), let hash = Hash32(hex: known.blockHash),
                let era = MortalEra(period: known.era.period, phase: known.era.phase)
            else { return false }
            let chains = WellKnownChain.chains(named: known.runtime.name)
            let runtime = RuntimeVersion(specName: known.runtime.name, specVersion: known.runtime.version)
            let checkpoint = StateCheckpoint(
                genesisHash: chains[0].genesisHash, blockHash: hash, era: era, runtime: runtime)
            let nodes = known.nodes.compactMap { Hex.decode($0) }
            let authority = StateAuthority { _, _ in nil }
            func proven(_ nodes: [[UInt8]]) throws -> ProvenState {
                try StateEnvelope(header: header, items: [], nodes: nodes).verified(checkpoint, by: authority)
            }
            return try proven(nodes).chain.time == known.time && (try? proven(nodes.dropLast())) == nil
        }
    }

    private static func secrets() -> [SelfCheck] {
        [
            check("mnemonic") {
                try Mnemonic(phrase: SecretBytes(utf8: KnownAnswers.phrase)).entropy.isEqual(
                    to: bytes(KnownAnswers.entropy))
            },
            // The mini-secret is PBKDF2; a root key follows from it alone.
            check("pbkdf2 mini-secret") { try key(.sr25519).bytes == Hex.decode(KnownAnswers.sr25519Root) },
            check("hard derivation") {
                try key(.sr25519, "//Alice").bytes == Hex.decode(KnownAnswers.sr25519Alice)
            },
            check("argon2id") {
                try VaultPrimitives.argon2id(KnownAnswers.argon2Passphrase)
                    == Hex.decode(KnownAnswers.argon2id)
            },
            check("xchacha20-poly1305", box),
        ]
    }

    private static func signatures() -> [SelfCheck] {
        [
            signature(
                "sr25519", .sr25519, key: KnownAnswers.sr25519Root, fixed: KnownAnswers.sr25519Signature),
            signature(
                "ed25519", .ed25519, key: KnownAnswers.ed25519Root, fixed: KnownAnswers.ed25519Signature),
            signature("ecdsa", .ecdsa, key: KnownAnswers.secp256k1Root, fixed: KnownAnswers.ecdsaSignature),
            signature(
                "ethereum", .ethereum, key: KnownAnswers.secp256k1Root, fixed: KnownAnswers.ethereumSignature),
        ]
    }

    private static func groups() -> [SelfCheck] {
        [
            check("threshold sr25519") { try group(KnownAnswers.sr25519Group, .sr25519) },
            check("threshold ed25519") { try group(KnownAnswers.ed25519Group, .ed25519) },
        ]
    }

    private static func codecs() -> [SelfCheck] {
        [
            check("raptorq", fountain),
            check("scale") {
                let text = SCALEWriter.encode { writer in
                    writer.compact(1 << 14)
                    writer.string("heliograph")
                }
                var reader = SCALEReader(text)
                let same = try reader.compact() == 1 << 14 && reader.string() == "heliograph"
                try reader.finish()
                return same && Hex.encode(text) == "020001002868656c696f6772617068"
            },
            check("ss58") {
                try SS58Address(SS58Address(prefix: 42, account: key(.sr25519).bytes)!.text).prefix == 42
            },
        ]
    }

    // MARK: Parts

    private static func bytes(_ hex: String) -> SecretBytes {
        var bytes = Hex.decode(hex)!
        return SecretBytes(wiping: &bytes)
    }

    private static func key(_ scheme: SignatureScheme, _ path: String = "") throws -> PublicKey {
        try KeyPair.derive(entropy: bytes(KnownAnswers.entropy), path: DerivationPath(path), scheme: scheme)
            .publicKey
    }

    /// Another program's signature verifies, and no longer after a bit is turned; a new one verifies under
    /// this message only. Signatures of other than sr25519 are determined by key and message.
    private static func signature(
        _ name: String, _ scheme: SignatureScheme, key expected: String, fixed: String
    ) -> SelfCheck {
        check(name) {
            let pair = try KeyPair.derive(entropy: bytes(KnownAnswers.entropy), scheme: scheme)
            guard Hex.encode(pair.publicKey.bytes) == expected, let known = Hex.decode(fixed) else {
                return false
            }
            let message = KnownAnswers.message
            guard Signature.verify(known, message: message, key: pair.publicKey) else { return false }
            var turned = known
            turned[40] ^= 1
            guard !Signature.verify(turned, message: message, key: pair.publicKey) else { return false }
            let made = try pair.sign(message)
            return (scheme == .sr25519 || made == known)
                && Signature.verify(made, message: message, key: pair.publicKey)
                && !Signature.verify(made, message: message + [0], key: pair.publicKey)
        }
    }

    /// The share that a record and a host key give signs as it did elsewhere; a changed share of the other
    /// signer is named.
    private static func group(_ known: KnownGroup, _ scheme: GroupScheme) throws -> Bool {
        func plain(_ hex: String) -> [UInt8] { Hex.decode(hex)! }
        let generation = try KeyGeneration(
            proposal: plain(known.proposal), scheme: scheme, threshold: known.commitments.count,
            members: known.hostKeys.map { try HostPublicKey(plain($0)) })
        let record = try GroupRecord(
            generation, contributionsHash: plain(known.contributionsHash),
            commitments: known.commitments.map(plain),
            ephemerals: known.ephemerals.map(plain), encryptedSums: known.encryptedSums.map(plain))
        guard record.transcript == plain(known.transcript) else { return false }
        let signers = known.signers.map { Identifier($0) }
        let commitments = zip(signers, known.nonceCommitments).map { member, hex in
            NonceCommitment(
                member: member, hiding: Array(plain(hex)[..<32]), binding: Array(plain(hex)[32...]))
        }
        let account = record.key.account
        let package = try SigningPackage(account, message: plain(known.message), commitments: commitments)
        let nonces = try NoncePair(restoring: bytes(known.nonces), member: signers[0], account: account)
        let share = try package.sign(
            record.share(host: HostKey(miniSecret: bytes(known.miniSecret))), nonces: nonces)
        guard share == plain(known.shares[0]) else { return false }
        var others = plain(known.shares[1])
        guard try package.aggregate([signers[0]: share, signers[1]: others]) == plain(known.signature) else {
            return false
        }
        others[0] ^= 1
        return !package.isValid(others, of: signers[1])
    }

    private static func box() throws -> Bool {
        var bytes = KnownAnswers.boxKey
        let key = SecretBytes(wiping: &bytes)
        let associated = Hex.decode(KnownAnswers.boxAssociated)!
        var ciphertext = Hex.decode(KnownAnswers.boxCiphertext)!
        func open() -> [UInt8]? {
            VaultPrimitives.open(ciphertext, nonce: KnownAnswers.boxNonce, key: key, bindingTo: associated)
        }
        guard open() == Array(KnownAnswers.boxPlain.utf8) else { return false }
        ciphertext[0] ^= 1
        return open() == nil
    }

    /// A payload comes back although half of its source packets were lost.
    private static func fountain() throws -> Bool {
        let payload = (0..<4000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) }
        guard let symbol = RaptorQEncoder.symbolLength(forPayloadOf: payload.count, atMost: 128) else {
            return false
        }
        let packets = try RaptorQEncoder(payload: payload, symbolLength: symbol).packets(repair: 40)
        var decoder = try RaptorQDecoder(payloadLength: payload.count, packetLength: symbol)
        for packet in packets.dropFirst(16) where try decoder.add(packet: packet).isComplete { break }
        return decoder.payload == payload
    }
}
