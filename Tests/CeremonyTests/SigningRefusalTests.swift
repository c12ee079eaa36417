import Diagnostics
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Keys
import Metadata
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Ceremony
@testable import Review

/// Something that ``SignPayload`` must not sign, in a vault where nothing else stands against it.
struct SigningRefusal: Sendable, CustomTestStringConvertible {
    typealias Vault = SigningFixture

    /// What differs from a payload that is signed.
    let name: String
    let error: ReviewError
    /// Whether a person sees the cards all the same.
    var isShown = false
    /// What is different in the vault.
    var changes: @Sendable (Vault) throws -> [TrustChange] = { _ in [] }
    let payload: @Sendable (Vault) throws -> [UInt8]

    var testDescription: String { name }

    static let runtime = SigningFixture.runtime
    static let genesis = runtime.genesisHash
    static let stranger = [UInt8](repeating: 0x55, count: 32)

    /// The fixture runtime with another version, or another shape.
    static func runtime(_ change: (inout FixtureRuntime) -> Void) -> FixtureRuntime {
        var other = runtime
        change(&other)
        return other
    }

    static func remark(_ runtime: FixtureRuntime = runtime) -> [UInt8] {
        runtime.call("System", "remark", [FixtureValue.bytes([1, 2])])
    }

    static func transaction(_ vault: Vault, _ runtime: FixtureRuntime = runtime) -> [UInt8] {
        runtime.transactionPayload(signer: vault.key.bytes, call: remark(runtime))
    }

    static func message(_ content: [UInt8], _ vault: Vault, signer: [UInt8]? = nil) -> [UInt8] {
        [0x53, 0x01, 0x03] + (signer ?? vault.key.bytes) + Array("<Bytes>".utf8) + content
            + Array("</Bytes>".utf8) + genesis.bytes
    }

    static func policy(_ json: String) -> @Sendable (Vault) -> [TrustChange] {
        { _ in [.putSetting(TransactionPolicy.setting, Array(json.utf8))] }
    }

    private static func replaced(_ version: UInt32, _ blob: [UInt8]) -> @Sendable (Vault) -> [TrustChange] {
        { _ in
            [
                .removeMetadata(genesis, version: runtime.specVersion),
                .addMetadata(genesis, version: version, blob: blob),
            ]
        }
    }

    /// A listed chain with decimals that are not its own.
    private static let assetHub = {
        var specs = WellKnownChain.chains(named: "statemint")[0].specs
        specs.decimals = 12
        var other = FixtureRuntime(specName: specs.name, ss58Prefix: specs.base58Prefix)
        other.specs = specs
        return other
    }()

    /// Its signed bytes end like those of Kusama: genesis hash, block hash.
    private static let twoFaced = runtime {
        $0.addExtension("Tail", implicit: kusama.genesisHash.bytes + [UInt8](repeating: 1, count: 32))
    }

    static let networks: [SigningRefusal] = [
        SigningRefusal(name: "an unknown network", error: .unknownNetwork(.blake2b(of: [9]))) { vault in
            transaction(vault, runtime { $0.specs.genesisHash = .blake2b(of: [9]) })
        },
        SigningRefusal(name: "a payload that was cut", error: .cut(network: "heliotest")) {
            Array(transaction($0).dropLast(40))
        },
        SigningRefusal(
            name: "a blocked network", error: .networkBlocked("heliotest"),
            changes: { _ in [.setVerifier(genesis, .revoked)] }
        ) { transaction($0) },
        SigningRefusal(
            name: "a blocked network, with a proof", error: .networkBlocked("heliotest"),
            changes: { _ in [.setVerifier(genesis, .revoked)] }
        ) { try runtime.provedPayload(signer: $0.key.bytes, call: remark()) },
        SigningRefusal(
            name: "a message to a blocked network", error: .networkBlocked("heliotest"),
            changes: { _ in [.setVerifier(genesis, .revoked)] }
        ) { $0.message("hello") },
        SigningRefusal(
            name: "no metadata", error: .noMetadata(network: "heliotest"),
            changes: { _ in [.removeMetadata(genesis, version: runtime.specVersion)] }
        ) { transaction($0) },
        SigningRefusal(
            name: "metadata of another version only",
            error: .metadataVersionMissing(network: "heliotest", version: 1001, newest: runtime.specVersion)
        ) { transaction($0, runtime { $0.specVersion = 1001 }) },
        SigningRefusal(
            name: "metadata that cannot be read",
            error: .storedMetadata(
                MetadataError(.notMetadata, place: "metadata"), network: "heliotest", version: 1000),
            changes: replaced(1000, [1, 2, 3])
        ) { transaction($0) },
        SigningRefusal(
            name: "two stored versions that read their own number",
            error: .severalVersions(network: "heliotest", versions: [1000, runtime.transactionVersion]),
            changes: { _ in
                let other = runtime { other in
                    other.specVersion = runtime.transactionVersion
                    let spec = other.extensions.firstIndex { $0.identifier == "CheckSpecVersion" }!
                    other.extensions.swapAt(spec, spec + 1)
                }
                return [.addMetadata(genesis, version: other.specVersion, blob: other.metadata())]
            }
        ) { transaction($0) },
        SigningRefusal(
            name: "a proof that held metadata contradicts",
            error: .heldMetadataDiffers(network: "heliotest", version: 1000),
            changes: replaced(1000, runtime { $0.renameCall("System", "remark", to: "note") }.metadata())
        ) { try runtime.provedPayload(signer: $0.key.bytes, call: remark()) },
        SigningRefusal(
            name: "a network that only a proof describes",
            error: .networkOnlyProved("heliotest, unknown chain 0x95cf28ae...ff337b3b", addable: nil),
            isShown: true,
            changes: { _ in
                [
                    .removeMetadata(genesis, version: runtime.specVersion), .removeNetwork(genesis, .sr25519),
                    .forgetVerifier(genesis),
                ]
            }
        ) { try runtime.provedPayload(signer: $0.key.bytes, call: remark()) },
        SigningRefusal(
            name: "a proof that differs from the built-in list",
            error: .listedChainDiffers(
                ListedDifference(chain: "Polkadot Asset Hub", field: .decimals, listed: "10", proved: "12"))
        ) { try assetHub.provedPayload(signer: $0.key.bytes, call: remark()) },
        SigningRefusal(
            name: "bytes left over",
            error: .transaction(
                ExtrinsicError(.leftoverAfterExtensions(count: 1), place: "extensions"), network: "heliotest")
        ) { Array(transaction($0).dropLast(32)) + [0] + genesis.bytes },
        SigningRefusal(
            name: "a call that no stored metadata has",
            error: .transaction(
                ExtrinsicError(.metadata(.unknownVariant(200)), place: "call"), network: "heliotest")
        ) { runtime.transactionPayload(signer: $0.key.bytes, call: [200, 0]) },
        SigningRefusal(
            name: "bytes that another chain takes",
            error: .otherNetwork(network: "heliotest", other: "Kusama"), isShown: true,
            changes: replaced(1000, twoFaced.metadata())
        ) { transaction($0, twoFaced) },
    ]

    private static let groupAccount = KeyRecord(
        publicKey: PublicKey(
            scheme: .sr25519,
            bytes: Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!)!,
        source: .group(Hash32.blake2b(of: [7]), path: ""), networks: [genesis])
    private static let heldByGroup: [TrustChange] = [
        .putGroup(
            HeldGroup(
                transcript: Hash32.blake2b(of: [7]), name: "office", record: [], seed: "main", hostIndex: 0,
                member: 1)),
        .addKey(groupAccount),
    ]

    static let keys: [SigningRefusal] = [
        SigningRefusal(name: "a stranger's transaction", error: .unknownSigner, isShown: true) { _ in
            runtime.transactionPayload(signer: stranger, call: remark())
        },
        SigningRefusal(name: "a stranger's message", error: .unknownSigner, isShown: true) { vault in
            message([0x61], vault, signer: stranger)
        },
        SigningRefusal(
            name: "a key that is not allowed", error: .keyNotAllowed(network: "heliotest"), isShown: true,
            changes: { [.forbidKey($0.key, genesis)] }
        ) { transaction($0) },
        SigningRefusal(
            name: "a message of a key that is not allowed", error: .keyNotAllowed(network: "heliotest"),
            isShown: true,
            changes: { [.forbidKey($0.key, genesis)] }
        ) { $0.message("hello") },
        SigningRefusal(
            name: "a proof and a key that is not allowed", error: .keyNotAllowed(network: "heliotest"),
            isShown: true,
            changes: { [.forbidKey($0.key, genesis)] }
        ) { try runtime.provedPayload(signer: $0.key.bytes, call: remark()) },
        SigningRefusal(
            name: "an account of a group, whose members sign together", error: .accountOfGroup("office"),
            isShown: true,
            changes: { _ in heldByGroup }
        ) { _ in runtime.transactionPayload(signer: groupAccount.publicKey.bytes, call: remark()) },
        SigningRefusal(
            name: "a message of a group's account", error: .accountOfGroup("office"), isShown: true,
            changes: { _ in heldByGroup }
        ) { vault in message([0x61], vault, signer: groupAccount.publicKey.bytes) },
        SigningRefusal(
            name: "a new key of a seed without a key on the network", error: .newKey(network: "heliotest"),
            isShown: true,
            changes: { [.forbidKey($0.key, genesis)] }
        ) { _ in
            runtime.transactionPayload(
                signer: try CeremonyFixture.key("main").bytes + FixtureValue.bytes(Array("//new".utf8)),
                code: 0x05, call: remark())
        },
    ]

    /// A message that reads as a transaction of the network: the call alone or the whole, with and without
    /// the length before it.
    static let messages: [SigningRefusal] = [
        ("a call", remark()), ("a call with its length", FixtureValue.bytes(remark())),
        ("a transaction", runtime.signingBytes(call: remark())),
        ("a transaction with its length", runtime.transactionBody(call: remark())),
    ].flatMap { (name: String, content: [UInt8]) in
        [
            SigningRefusal(name: "\(name) as a message", error: .messageIsTransaction(network: "heliotest")) {
                message(content, $0)
            },
            SigningRefusal(
                name: "\(name) as a message to any network",
                error: .messageIsTransaction(network: "heliotest")
            ) { vault in
                [0x53, 0x01, 0x08] + vault.key.bytes + Array("<Bytes>".utf8) + content
                    + Array("</Bytes>".utf8)
            },
        ]
    }

    /// Content that starts as what this program signs under a list of contacts does, with a key that has no
    /// context of its own and with one that has.
    static let ownDomain = [
        SigningRefusal(
            name: "a message that starts as a contact list is signed", error: .ownDomain, isShown: true
        ) {
            message([UInt8](repeating: 0xff, count: 64) + Array("heliograph-contact-list-1".utf8), $0)
        }
    ]

    /// Collection 5, item 7, nothing else: a `PreSignedMint` as pallet nfts takes it, in `<Bytes>` or not.
    static let statements = [
        SigningRefusal(
            name: "a message that is a permission to mint", error: .otherStatement(.preSignedMint),
            isShown: true
        ) {
            message([5, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], $0)
        }
    ]

    static let unreadable = ["", "{", "{\"calls\": 1}", "{\"unknown\": []}"].map { json in
        SigningRefusal(name: "the unreadable policy \(json)", error: .policyUnreadable, changes: policy(json))
        { transaction($0) }
    }

    private static func demand(_ value: String) -> @Sendable (Vault) -> [TrustChange] {
        { _ in [.putSetting("require_metadata_hash.\(genesis.hex)", Array(value.utf8))] }
    }

    static let demands =
        ["always", "where_possible"].map {
            SigningRefusal(
                name: "the metadata hash is turned off and required \($0)",
                error: .metadataHashRequired(network: "heliotest", .disabled),
                isShown: true, changes: demand($0)
            ) { transaction($0) }
        }
        + ["", "never", "sometimes"].map {
            SigningRefusal(
                name: "the unreadable demand \($0)", error: .metadataHashDemandUnreadable("heliotest"),
                isShown: true, changes: demand($0)
            ) { transaction($0) }
        }

    private static let rules: [(json: String, violation: TransactionPolicy.Violation, isForMessages: Bool)] =
        [
            ("{\"networks\": [\"polkadot\"]}", .network("heliotest"), false),
            ("{\"calls\": [\"Balances.*\"]}", .call("System.remark"), false),
            ("{\"mortality\": \"mortal\"}", .immortal, false),
            ("{\"require_metadata_hash\": \"always\"}", .metadataHash(.disabled), false),
            ("{\"require_metadata_hash\": \"never\"}", .messageNotMentioned, true),
            ("{\"networks\": [\"polkadot\"], \"messages\": \"allow\"}", .network("heliotest"), true),
            ("{\"messages\": \"deny\"}", .message, true),
            ("{\"messages\": {\"prefix\": \"b\"}}", .messagePrefix, true),
            ("{\"calls\": []}", .messageNotMentioned, true),
        ]

    static let policies: [SigningRefusal] = rules.map { rule in
        let name = "the policy \(rule.json), \(rule.isForMessages ? "message" : "transaction")"
        return SigningRefusal(
            name: name, error: .policy(rule.violation), isShown: true, changes: policy(rule.json)
        ) { vault in
            rule.isForMessages ? message([0x61], vault) : transaction(vault)
        }
    }

    static let all = networks + keys + messages + ownDomain + statements + unreadable + demands + policies
}

@Suite struct SigningRefusalTests {
    /// Without the row's change the same vault signs, so that the refusal is for the reason that the row
    /// names.
    @Test func `the vault of the table signs`() throws {
        let vault = try SigningFixture()
        for payload in [
            SigningRefusal.transaction(vault), SigningRefusal.message([0x61], vault),
            try SigningRefusal.runtime.provedPayload(signer: vault.key.bytes, call: SigningRefusal.remark()),
        ] { #expect(try vault.vault.act(vault.operation(payload)).count == 1) }
    }

    @Test(arguments: SigningRefusal.all)
    func `what must not be signed is refused, for its own reason, whoever says yes`(row: SigningRefusal)
        throws
    {
        let vault = try SigningFixture()
        let changes = try row.changes(vault)
        if !changes.isEmpty { try vault.vault.session().store.change(changes, events: []) }
        let operation = try vault.operation(row.payload(vault))
        let before = try vault.vault.state
        var refusals = 0
        func refuses(_ body: () throws -> Void) {
            #expect(throws: row.error) { try body() }
            refusals += 1
        }
        guard row.isShown else {
            refuses { _ = try vault.vault.device.preview(operation) }
            refuses { _ = try vault.vault.session().preview(operation) }
            // An approval from before: what it approved cannot be read now.
            refuses {
                _ = try vault.vault.session().perform(
                    Approval(operation, [], of: vault.vault.device.vault().id, .person))
            }
            try expectLines(of: refusals, row, vault, since: before)
            return
        }
        let preview = try vault.vault.device.preview(operation)
        refuses {
            _ = try preview.confirm {
                Issue.record("nobody is asked")
                return true
            }
        }
        refuses { _ = try preview.confirmUnattended() }
        for consent in [Consent.person, .developmentVault] {
            refuses {
                _ = try vault.vault.session().perform(
                    Approval(operation, preview.shown, of: vault.vault.device.vault().id, consent))
            }
        }
        try expectLines(of: refusals, row, vault, since: before)
    }

    /// Each refusal left a line with its reason, nothing was signed, and no key was used or added.
    private func expectLines(
        of count: Int, _ row: SigningRefusal, _ vault: SigningFixture, since before: TrustState
    ) throws {
        let events = try vault.vault.events + vault.vault.device.store().journalled
        #expect(!events.contains { [.transactionSigned, .messageSigned].contains($0.kind) })
        let reasons = events.filter { $0.kind == .transactionRefused || $0.kind == .messageRefused }.map {
            $0["reason"]
        }
        #expect(reasons == Array(repeating: row.error.code.rawValue, count: count))
        #expect(try vault.vault.state.keys == before.keys)
    }

    /// What no payload reaches has its test elsewhere: `SignatureCheckTests`, `EthereumRefusalLaws`,
    /// `Ed25519RefusalLaws`, `MessageStatementLaws`, `UnstoredSigningTests`, and the tests of passwords and
    /// of each rule of a policy.
    @Test func `every refusal has a row`() {
        let elsewhere: [Diagnostic.Code] = [
            "self-check", "ethereum-payload", "ed25519-payload", "hashed-payload", "not-on-cards",
            "wrong-password",
            "derived-key-differs", "types-needed", "phrase-is-stored",
            "policy-destinations", "policy-signers", "policy-maximum-amount", "policy-minimum-amount",
            "policy-maximum-per-day", "policy-maximum-per-week", "policy-maximum-per-month", "policy-assets",
            "policy-maximum-tip", "policy-fee-asset", "policy-extensions",
            "policy-require-state-proof", "policy-minimum-remaining", "policy-existing-destinations",
            "policy-key-age",
        ]
        let rows = Set(SigningRefusal.all.map(\.error.code))
        #expect(rows.union(elsewhere) == Set(ReviewError.examples.map(\.code)))
        #expect(rows.isDisjoint(with: elsewhere))
    }

    @Test func `a message without its tags is no payload`() throws {
        let vault = try SigningFixture()
        let bare = SigningRefusal.runtime.signingBytes(call: SigningRefusal.remark())
        for content in [
            bare, Array("<Bytes>".utf8) + bare, bare + Array("</Bytes>".utf8), Array("<Bytes>/Bytes>".utf8),
            [],
        ] {
            #expect(throws: PayloadError.messageWithoutTags) {
                try Payload([0x53, 0x01, 0x03] + vault.key.bytes + content + SigningRefusal.genesis.bytes)
            }
        }
    }

    /// A bulk is refused whole for one transaction of it, wherever that stands.
    @Test(arguments: 0..<3)
    func `one refused transaction refuses its bulk`(place: Int) throws {
        let vault = try SigningFixture()
        var payloads = [vault.transfer(1), vault.transfer(2, nonce: 1)]
        payloads.insert(try #require(SigningRefusal.keys.first).payload(vault), at: place)
        let bulk =
            [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
        #expect(throws: ReviewError.unknownSigner) { try vault.vault.act(vault.operation(bulk)) }
        #expect(try !vault.vault.events.contains { $0.kind == .transactionSigned })
    }
}
