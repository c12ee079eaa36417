import FixtureRuntime
import Forge
import Hashing
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import Ceremony
@testable import Review

/// A vault with a key of one scheme that may sign on a network of that scheme.
private struct SchemeSigner {
    let vault: CeremonyFixture
    let runtime: FixtureRuntime
    let key: PublicKey
    let payloadKey: [UInt8]

    init(_ scheme: SignatureScheme) throws {
        var runtime = FixtureRuntime.standard
        runtime.specs.scheme = scheme
        self.runtime = runtime
        vault = try CeremonyFixture(networks: [runtime.specs])
        key = try CeremonyFixture.key("main", "//0", scheme: scheme)
        let record = KeyRecord(
            publicKey: key, ethereumAddress: scheme == .ethereum ? key.accountID : nil, seed: "main",
            path: "//0", hasPassword: false,
            networks: [runtime.genesisHash])
        payloadKey = record.payloadKey
        try vault.session().store.change(
            [
                .addMetadata(runtime.genesisHash, version: runtime.specVersion, blob: runtime.metadata()),
                .addKey(record),
            ], events: [])
    }

    /// A remark whose signing bytes have this length.
    func call(signing count: Int) -> [UInt8] {
        func call(_ text: Int) -> [UInt8] {
            runtime.call("System", "remark", [FixtureValue.bytes([UInt8](repeating: 0x61, count: text))])
        }
        return call((0..<count).first { runtime.signingBytes(call: call($0)).count == count }!)
    }

    func sign(_ payload: [UInt8]) throws -> [UInt8] {
        try vault.act(SignPayload(try Payload(payload)))[0].signature
    }
}

@Suite struct SignedLengthTests {
    /// Substrate hashes what is signed of a transaction above 256 bytes, so one byte decides what a chain
    /// accepts.
    @Test(arguments: SignatureScheme.allCases, [255, 256, 257, 700])
    func `above 256 bytes a transaction's hash is signed, and up to there the bytes`(
        scheme: SignatureScheme, count: Int
    ) throws {
        let signer = try SchemeSigner(scheme)
        let call = signer.call(signing: count)
        let signature = try signer.sign(
            signer.runtime.transactionPayload(signer: signer.payloadKey, scheme: scheme, call: call))
        let (bytes, hash) = (
            signer.runtime.signingBytes(call: call), BLAKE2b.hash(signer.runtime.signingBytes(call: call))
        )
        #expect(bytes.count == count)
        #expect(Signature.verify(signature, message: bytes, key: signer.key) == (count <= 256))
        #expect(Signature.verify(signature, message: hash, key: signer.key) == (count > 256))
    }

    @Test(arguments: SignatureScheme.allCases, [255, 256, 257, 700])
    func `a message is never hashed`(scheme: SignatureScheme, count: Int) throws {
        let signer = try SchemeSigner(scheme)
        let message =
            Array("<Bytes>".utf8) + [UInt8](repeating: 0x61, count: count - 15) + Array("</Bytes>".utf8)
        #expect(message.count == count)
        let signature = try signer.sign(
            [0x53, scheme.rawValue, 0x03] + signer.payloadKey + message + signer.runtime.genesisHash.bytes)
        #expect(Signature.verify(signature, message: message, key: signer.key))
    }
}

/// What stands between a new signature and the world.
@Suite struct SignatureCheckTests {
    private static func other(_ path: String, _ scheme: SignatureScheme = .sr25519) throws -> KeyPair {
        try KeyPair.derive(
            entropy: CeremonyFixture.entropy(of: "main"), path: DerivationPath(path), password: SecretBytes(),
            scheme: scheme)
    }

    /// A fault of the machine, or of the code that signs.
    @Test func `a signature that does not verify is not handed out`() throws {
        let fixture = try SigningFixture()
        let session = try fixture.vault.session()
        let shown = try session.preview(fixture.operation(fixture.transfer())).shown[0]
        let key = try Self.other("//0")
        let foreign = try Self.other("//1")
        let trust = try session.trust()
        let message = try SigningMessage.bytes(shown, scheme: .sr25519)
        var flipped = try key.sign(message)
        flipped[40] ^= 1
        for bad in [
            flipped, try foreign.sign(message), try key.sign(message + [0]),
            try Array(key.sign(message).dropLast()), [],
        ] {
            #expect(throws: ReviewError.signatureDoesNotVerify) {
                _ = try SignPayload.sign(
                    shown.signable(), with: key, trust, by: { (_: borrowing KeyPair, _) in bad })
            }
        }
        let good = try key.sign(message)
        #expect(
            try SignPayload.sign(
                shown.signable(), with: key, trust, by: { (_: borrowing KeyPair, _) in good }
            ).signature == good)
    }

    @Test func `a key of another scheme than the root and the path name signs nothing`() throws {
        let fixture = try DerivedSigning()
        let session = try fixture.vault.session()
        let shown = try session.preview(fixture.operation("//new", accepts: true)).shown[0]
        let right = try Self.other("//new")
        let wrong = try Self.other("//new", .ed25519)
        let trust = try session.trust()
        #expect(throws: ReviewError.unknownSigner) {
            _ = try SignPayload.sign(shown.signable(), with: wrong, trust)
        }
        #expect(try SignPayload.sign(shown.signable(), with: right, trust).key == right.publicKey)
    }
}

/// Payloads that name a key by root and path, which the vault derives when it signs.
struct DerivedSigning {
    let vault: CeremonyFixture
    private let runtime = SigningFixture.runtime

    /// - Parameter isKnown: whether the vault has the network, or only a proof speaks for it.
    init(isKnown: Bool = true) throws {
        vault = try CeremonyFixture(networks: isKnown ? [runtime.specs] : [])
        if isKnown {
            try vault.session().store.change(
                [.addMetadata(runtime.genesisHash, version: runtime.specVersion, blob: runtime.metadata())],
                events: [])
        }
    }

    func operation(_ path: String, nonce: UInt64 = 0, accepts: Bool = false, isProved: Bool = false) throws
        -> SignPayload
    {
        var additions = TransactionReview.Additions()
        additions.acceptsNewKey = accepts
        additions.acceptsProvedNetwork = isProved
        return SignPayload(
            try Payload(isProved ? proved(path) : payload(path, nonce: nonce)), additions: additions)
    }

    private func signer(_ path: String) throws -> [UInt8] {
        try CeremonyFixture.key("main").bytes + FixtureValue.bytes(Array(path.utf8))
    }

    func payload(_ path: String, nonce: UInt64 = 0) throws -> [UInt8] {
        runtime.transactionPayload(
            signer: try signer(path), code: 0x05,
            call: runtime.call("System", "remark", [FixtureValue.bytes([1])]),
            FixtureExtensionValues(nonce: nonce))
    }

    /// With a metadata proof, so that it can be read without the network.
    func proved(_ path: String) throws -> [UInt8] {
        try runtime.provedPayload(
            signer: signer(path), code: 0x07,
            call: runtime.call("System", "remark", [FixtureValue.bytes([1])]))
    }

    func bulk(_ paths: [String]) throws -> [UInt8] {
        let payloads = try paths.enumerated().map { try payload($1, nonce: UInt64($0)) }
        return [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
    }
}

@Suite struct FirstSignatureTests {
    private static let genesis = SigningFixture.runtime.genesisHash

    @Test func `a key that is derived for its first signature belongs to that network and to no other`()
        throws
    {
        let fixture = try DerivedSigning()
        try fixture.vault.act(fixture.operation("//new", accepts: true))
        let key = try #require(try fixture.vault.state.keys.first)
        #expect(key.path == "//new" && key.networks == [Self.genesis] && key.lastUsed == 1_700_000_000)
        let event = try #require(try fixture.vault.events.last)
        #expect(
            event["key"] == "derived for this" && event["network_only_proved"] == nil
                && event["network"] == "heliotest")
    }

    /// `//00` and `//0` are one key.
    @Test func `another spelling of a held path signs nothing`() throws {
        let fixture = try DerivedSigning()
        try fixture.vault.act(fixture.operation("//0", accepts: true))
        let before = try fixture.vault.snapshot
        #expect(throws: DerivationRefusal.collision(path: "//0")) {
            try fixture.vault.act(fixture.operation("//00", nonce: 1))
        }
        #expect(try fixture.vault.state == before.state)
        try fixture.vault.act(fixture.operation("//0", nonce: 2))
    }

    @Test func `of one new key in a bulk there is one record, and a signature for each transaction`() throws {
        let fixture = try DerivedSigning()
        var additions = TransactionReview.Additions()
        additions.acceptsNewKey = true
        let signed = try fixture.vault.act(
            SignPayload(try Payload(fixture.bulk(["//a", "//b", "//a"])), additions: additions))
        #expect(try fixture.vault.state.keys.map(\.path).sorted() == ["//a", "//b"])
        #expect(signed[0].key == signed[2].key && signed[0].key != signed[1].key)
    }

    @Test func `a network that only a proof describes stays unknown, and the log says so`() throws {
        let fixture = try DerivedSigning(isKnown: false)
        try fixture.vault.act(fixture.operation("//new", accepts: true, isProved: true))
        #expect(try fixture.vault.state.keys.map(\.networks) == [[]])
        #expect(try fixture.vault.state.networks.isEmpty)
        let event = try #require(try fixture.vault.events.last)
        #expect(event["network_only_proved"] == "accepted" && event["key"] == "derived for this")
    }

    /// What a key signs for a network that stays unknown, it signs as a key of two networks.
    @Test func `a key of another network needs the word for one that only a proof describes, each time`()
        throws
    {
        let fixture = try DerivedSigning(isKnown: false)
        try fixture.vault.session().store.change(
            [.setVerifier(polkadot.genesisHash, .general), .putNetwork(polkadot)], events: [])
        try fixture.vault.derive("//new")
        let operation = try fixture.operation("//new", isProved: true)
        for _ in 1...2 {
            #expect(throws: CeremonyError.keyOnTwoNetworks(1)) { try fixture.vault.act(operation) }
            let person = Answers(word: .typed("reuse key"))
            try fixture.vault.act(operation, asking: person)
            #expect(person.shownReuse.first?.first?.added.map(\.genesis) == [Self.genesis])
            #expect(try fixture.vault.state.keys.map(\.networks) == [[polkadot.genesisHash]])
        }
    }

    @Test func `a transaction of another new key is another one`() throws {
        let fixture = try DerivedSigning()
        let shown = try fixture.vault.device.preview(fixture.operation("//new", accepts: true)).shown[0]
        func copy(_ underived: UnderivedKey?) -> ReviewedTransaction {
            var copy = ReviewedTransaction(
                shown.content, payload: shown.payload, cards: shown.cards, signer: shown.signer,
                signatory: underived.map { .underived($0) } ?? .stranger, signingBytes: shown.signingBytes,
                refusal: shown.refusal)
            copy.history = shown.history
            return copy
        }
        let key = try #require(shown.underived)
        #expect(copy(key).shows(the: shown))
        #expect(!copy(nil).shows(the: shown))
        for other in [
            UnderivedKey(seed: "other", root: key.root, path: key.path, scheme: key.scheme),
            UnderivedKey(
                seed: key.seed, root: try CeremonyFixture.key("other"), path: key.path, scheme: key.scheme),
            UnderivedKey(seed: key.seed, root: key.root, path: "//other", scheme: key.scheme),
            UnderivedKey(seed: key.seed, root: key.root, path: key.path, scheme: .ed25519),
        ] { #expect(!copy(other).shows(the: shown)) }
    }

    @Test func `a root that the seed does not have signs nothing`() throws {
        let key = UnderivedKey(
            seed: "main", root: try CeremonyFixture.key("other"), path: "//a", scheme: .sr25519)
        #expect(throws: DerivationRefusal.rootDiffers(seed: "main")) {
            _ = try key.keyPair(entropy: CeremonyFixture.entropy(of: "main"))
        }
    }
}

/// A bulk is signed signer by signer.
@Suite struct BulkSigningTests {
    /// Two keys with a password each, in turn.
    @Test func `each transaction of a bulk is signed by its own signer, who is asked once`() throws {
        let vault = try SigningFixture(password: "zero").vault
        let runtime = SigningFixture.runtime
        let keys = [
            try CeremonyFixture.key("main", "//0", password: "zero"),
            try CeremonyFixture.key("main", "//1", password: "one"),
        ]
        try vault.session().store.change(
            [
                .addKey(
                    KeyRecord(
                        publicKey: keys[1], seed: "main", path: "//1", hasPassword: true,
                        networks: [runtime.genesisHash]))
            ], events: [])
        let order = [0, 1, 0, 1, 1]
        let payloads = order.enumerated().map { nonce, signer in
            runtime.transactionPayload(
                signer: keys[signer].bytes, call: runtime.call("System", "remark", [FixtureValue.bytes([1])]),
                FixtureExtensionValues(nonce: UInt64(nonce)))
        }
        let bulk =
            [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
        final class Asked: Person {
            nonisolated(unsafe) var paths: [String] = []
            func password(path: String, address: String?) throws -> SecretBytes {
                paths.append(path)
                return SecretBytes(utf8: path == "//0" ? "zero" : "one")
            }
            func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? { nil }
            func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord? { nil }
        }
        let person = Asked()
        let signed = try vault.act(SignPayload(try Payload(bulk)), asking: person)
        #expect(person.paths == ["//0", "//1"])
        #expect(signed.map(\.key) == order.map { keys[$0] })
        #expect(signed.map(\.reviewed.payload) == payloads)
        for signed in signed {
            let message = try SigningMessage.bytes(signed.reviewed, scheme: .sr25519)
            #expect(Signature.verify(signed.signature, message: message, key: signed.key))
        }
    }

    @Test func `the log names the rule of each transaction of a bulk`() throws {
        // With counts of their own the rules sign a call again.
        let rule = SigningFixture.rule.replacing("{", with: "{\"maximum_count\": {\"per_day\": 9}, ")
        let small = rule.replacing("\"100\"", with: "\"10\"")
        let policy = "{\"approve\": [\(small), \(rule)]}"
        let fixture = try SigningFixture(isDevelopment: false, policy: policy)
        let amounts: [UInt128] = [60, 10, 40]
        let payloads = amounts.enumerated().map { fixture.transfer($1, nonce: UInt64($0)) }
        let bulk =
            [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
        let before = try fixture.vault.log.count
        let approval = try fixture.vault.device.preview(fixture.operation(bulk)).confirmUnattended()
        #expect(try fixture.vault.session().perform(approval).consent == .policy)
        let rules = try fixture.vault.events.dropFirst(before).filter { $0.kind == .transactionSigned }.map {
            $0["approved_by"]
        }
        #expect(rules == ["policy rule 2", "policy rule 1", "policy rule 2"])
    }
}
