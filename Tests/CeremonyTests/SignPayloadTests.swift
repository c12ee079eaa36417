import Extrinsics
import FixtureRuntime
import Hashing
import Keys
import Review
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Ceremony

/// A vault whose key //0 may sign on the fixture's network, and payloads for it.
struct SigningFixture {
    static let runtime = FixtureRuntime.standard
    static let bob = [UInt8](repeating: 0xb0, count: 32)
    /// Who signed the metadata.
    static let verifier = PublicKey(scheme: .ed25519, bytes: [UInt8](repeating: 0xc4, count: 32))!
    /// Approves transfers of at most 100 of the smallest unit, and nothing else. ``set(policy:in:)`` and the
    /// store give its numbers their unit.
    static let rule = """
        {"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "destinations": \
        ["0x\(Hex.encode(bob))"], "maximum_amount": "100", "maximum_tip": "5", "require_metadata_hash": \
        "never"}
        """

    let vault: CeremonyFixture
    let key: PublicKey

    init(isDevelopment: Bool = true, policy: String? = nil, password: String? = nil, allowed: Bool = true)
        throws
    {
        vault = try CeremonyFixture(
            isDevelopment: isDevelopment, networks: [Self.runtime.specs],
            verifier: CeremonyFixture.key("verifier"))
        key = try CeremonyFixture.key("main", "//0", password: password ?? "")
        var changes: [TrustChange] = [
            .setVerifier(Self.runtime.genesisHash, .custom(Self.verifier)),
            .addMetadata(
                Self.runtime.genesisHash, version: Self.runtime.specVersion, blob: Self.runtime.metadata()),
            .addKey(
                KeyRecord(
                    publicKey: key, seed: "main", path: "//0", hasPassword: password != nil,
                    networks: allowed ? [Self.runtime.genesisHash] : [])),
        ]
        if let policy { changes.append(.putSetting(TransactionPolicy.setting, Array(policy.inHLO.utf8))) }
        try vault.session().store.change(changes, events: [])
    }

    func transfer(_ amount: UInt128 = 60, nonce: UInt64 = 0, block: UInt8 = 1) -> [UInt8] {
        let call = Self.runtime.call(
            "Balances", "transfer_keep_alive", [FixtureValue.address(Self.bob), FixtureValue.compact(amount)])
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 0)!), blockHash: Hash32.blake2b(of: [block]),
            nonce: nonce)
        return Self.runtime.transactionPayload(signer: key.bytes, call: call, values)
    }

    func message(_ text: String) -> [UInt8] {
        [0x53, 0x01, 0x03] + key.bytes + Array("<Bytes>\(text)</Bytes>".utf8) + Self.runtime.genesisHash.bytes
    }

    func operation(_ payload: [UInt8], comment: String? = nil) throws -> SignPayload {
        SignPayload(try Payload(payload), comment: comment)
    }

    func set(policy: String?, in session: Session) throws {
        let change = policy.map { TrustChange.putSetting(TransactionPolicy.setting, Array($0.inHLO.utf8)) }
        try session.store.change([change ?? .removeSetting(TransactionPolicy.setting)], events: [])
    }
}

extension Tokens {
    /// Of the fixture's token, in its smallest unit.
    static func hlo(_ raw: UInt128) -> Tokens {
        Tokens(raw, AssetUnit(symbol: HLO.symbol, decimals: HLO.decimals))
    }
}

@Suite struct SignPayloadTests {
    @Test func `a signature verifies over what was shown, and stands in the log before it is handed out`()
        throws
    {
        let fixture = try SigningFixture()
        let operation = try fixture.operation(fixture.transfer(), comment: "rent")
        let signed = try fixture.vault.act(operation)
        #expect(signed.count == 1 && signed[0].key == fixture.key)
        let message = try SigningMessage.bytes(signed[0].reviewed, scheme: .sr25519)
        #expect(Signature.verify(signed[0].signature, message: message, key: fixture.key))
        let event = try #require(try fixture.vault.events.last)
        #expect(event.kind == .transactionSigned && event.payload == operation.payload.bytes)
        #expect(
            event["signature"] == Hex.encode(signed[0].signature) && event["comment"] == "rent"
                && event["approved_by"] == nil)
        #expect(event.metadataHash == .blake2b(of: SigningFixture.runtime.metadata()))
        #expect(try fixture.vault.state.key(fixture.key)?.lastUsed == 1_700_000_000)
    }

    @Test func `the log keeps the warnings that were shown, and the word that a person typed`() throws {
        let fixture = try SigningFixture(isDevelopment: true)
        let call = SigningFixture.runtime.call(
            "Balances", "transfer_all", [FixtureValue.address(SigningFixture.bob), [0]])
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 0)!), blockHash: Hash32.blake2b(of: [1]), nonce: 0)
        let operation = try fixture.operation(
            SigningFixture.runtime.transactionPayload(signer: fixture.key.bytes, call: call, values))
        #expect(throws: CeremonyError.declined) {
            try fixture.vault.device.preview(operation).confirm { false }
        }
        let refused = try #require(try fixture.vault.device.store().journalled.last)
        #expect(refused["reason"] == "answered-no")
        let codes = ReviewSummary(try fixture.vault.device.preview(operation).shown[0]).warningCodes
        #expect(codes.contains("moves-everything") && refused["warnings"] == codes.joined(separator: ", "))
        try fixture.vault.act(operation)
        let signed = try #require(try fixture.vault.events.last)
        #expect(signed["warnings"] == codes.joined(separator: ", ") && signed["word"] == "transfer all")
        // Nobody typed a word where nobody was asked.
        let approval = try fixture.vault.device.preview(operation).confirmUnattended()
        _ = try fixture.vault.session().perform(approval)
        let unattended = try #require(try fixture.vault.events.last)
        #expect(
            unattended.kind == .transactionSigned && unattended["word"] == nil
                && unattended["warnings"] != nil)
        // An ordinary transfer asks for no word.
        try fixture.vault.act(fixture.operation(fixture.transfer(nonce: 1)))
        #expect(try fixture.vault.events.last?["word"] == nil)
    }

    @Test func `a message and a bulk are signed, one line of the log each`() throws {
        let fixture = try SigningFixture()
        let message = try fixture.vault.act(fixture.operation(fixture.message("hello")))
        #expect(
            Signature.verify(
                message[0].signature, message: Array("<Bytes>hello</Bytes>".utf8), key: fixture.key))
        #expect(try fixture.vault.events.last?.kind == .messageSigned)
        let payloads = [fixture.transfer(1), fixture.message("two"), fixture.transfer(3, nonce: 1)]
        let bulk =
            [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
        let before = try fixture.vault.log.count
        let signed = try fixture.vault.act(fixture.operation(bulk))
        #expect(
            try fixture.vault.events.dropFirst(before).map(\.kind) == [
                .transactionSigned, .messageSigned, .transactionSigned,
            ])
        for signed in signed {
            #expect(
                Signature.verify(
                    signed.signature, message: try SigningMessage.bytes(signed.reviewed, scheme: .sr25519),
                    key: fixture.key))
        }
    }

    @Test(arguments: [nil, "{\"approve\": [\(SigningFixture.rule)]}"])
    func `claims leave the signature's log entry and the decision as they are without them`(policy: String?)
        throws
    {
        var claims = ClaimedFacts()
        (claims.fee, claims.balance, claims.balanceAfter, claims.time) = (.max, 0, .max, .max)
        var events: [LogEvent] = []
        for amount in [UInt128(60), 101] {
            for isClaimed in [false, true] {
                let fixture = try SigningFixture(isDevelopment: policy == nil, policy: policy)
                let plain = try Payload(fixture.transfer(amount))
                let operation = SignPayload(isClaimed ? try Payload(claims.around(plain)) : plain)
                let preview = try fixture.vault.device.preview(operation)
                // The rule approves 60 and not 101, with and without claims.
                if policy != nil, amount == 101 {
                    let error = #expect(throws: CeremonyError.self) { try preview.confirmUnattended() }
                    guard case .noRuleApproves? = error else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                    continue
                }
                let signed = try fixture.vault.session().perform(preview.confirmUnattended()).outcome
                #expect(signed[0].reviewed.payload == plain.bytes)
                let event = try #require(try fixture.vault.events.last)
                #expect(event.kind == .transactionSigned && event.payload == plain.bytes)
                // sr25519 signatures are random: everything else is compared.
                events.append(
                    LogEvent(
                        event.kind, event.facts.filter { $0.name != "signature" }, payload: event.payload,
                        metadataHash: event.metadataHash)
                )
            }
        }
        for index in stride(from: 0, to: events.count, by: 2) { #expect(events[index] == events[index + 1]) }
        #expect(events.count == (policy == nil ? 4 : 2))
    }

    @Test func `nothing is signed after a change, under a broken seal or without the log`() throws {
        let payload = try SigningFixture().transfer()
        let operation = SignPayload(try Payload(payload))
        try expectLaws(of: operation) {
            try SigningFixture().vault
        } whenChanged: { fixture, session in
            let key = try CeremonyFixture.key("main", "//0")
            try session.store.change([.forbidKey(key, SigningFixture.runtime.genesisHash)], events: [])
        }
        try expectLaws(of: operation) {
            try SigningFixture().vault
        } whenChanged: { _, session in
            // Another spec of the same chain: the amounts print in another unit.
            let specs = SigningFixture.runtime.specs
            let other = NetworkSpecs(
                name: specs.name, title: specs.title, base58Prefix: specs.base58Prefix, decimals: 3,
                unit: specs.unit,
                genesisHash: specs.genesisHash, scheme: specs.scheme)
            try session.store.change([.putNetwork(other)], events: [])
        }
    }

    @Test func `the log counts every write between the last look and the commit as a change`() throws {
        let fixture = try SigningFixture(password: "word")
        let operation = try fixture.operation(fixture.transfer())
        let approval = try fixture.vault.device.preview(operation).confirm()
        let session = try fixture.vault.session()
        /// Writes a line while the password is asked for, after the last look.
        struct Meddler: Person {
            let session: Session
            func password(path: String, address: String?) throws -> SecretBytes {
                try session.store.append([LogEvent(.userNote, [LogEvent.Fact("text", "meanwhile")])])
                return SecretBytes(utf8: "word")
            }
            func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? { nil }
            func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord? { nil }
        }
        #expect(throws: CeremonyError.changedSinceShown) {
            try session.perform(approval, asking: Meddler(session: session))
        }
        #expect(try !fixture.vault.events.contains { $0.kind == .transactionSigned })
    }

    @Test func `a person's no, and what may not be signed, leave a line and no approval`() throws {
        let fixture = try SigningFixture()
        let preview = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
        #expect(throws: CeremonyError.declined) { try preview.confirm { false } }
        #expect(try fixture.vault.device.store().journalled.last?["reason"] == "answered-no")

        let forbidden = try SigningFixture(allowed: false)
        let shown = try forbidden.vault.device.preview(forbidden.operation(forbidden.transfer()))
        let refusal = ReviewError.keyNotAllowed(network: "heliotest")
        #expect(throws: refusal) {
            try shown.confirm {
                Issue.record("nobody is asked"); return true
            }
        }
        #expect(throws: refusal) { try shown.confirmUnattended() }
        let reasons = try forbidden.vault.device.store().journalled.map { $0["reason"] }
        #expect(reasons == ["key-not-allowed", "key-not-allowed"])
        let cut = PayloadError.malformed(
            place: "transaction", SCALEError(.truncated(needed: 32, available: 1), offset: 3))
        #expect(throws: cut) {
            try forbidden.vault.device.preview(forbidden.operation([0x53, 0x01, 0x02, 9]))
        }
    }

    @Test func `a refusal that only the seal shows is refused in the act, too`() throws {
        let fixture = try SigningFixture()
        let operation = try fixture.operation(fixture.transfer())
        let shown = try fixture.vault.device.preview(operation).shown
        let session = try fixture.vault.session()
        try session.store.change([.forbidKey(fixture.key, SigningFixture.runtime.genesisHash)], events: [])
        // An approval of what is refused: only a fault of this room could make it.
        let refused = try operation.preview(fixture.vault.device.view())
        #expect(throws: ReviewError.keyNotAllowed(network: "heliotest")) {
            try session.perform(Approval(operation, refused, of: fixture.vault.device.vault().id, .person))
        }
        #expect(throws: CeremonyError.changedSinceShown) {
            try session.perform(Approval(operation, shown, of: fixture.vault.device.vault().id, .person))
        }
        #expect(
            try fixture.vault.device.store().journalled.map { $0["reason"] } == [
                "key-not-allowed", "changed-since-shown",
            ])
    }

    @Test func `a wrong password signs nothing and is logged`() throws {
        let fixture = try SigningFixture(password: "word")
        let operation = try fixture.operation(fixture.transfer())
        #expect(throws: ReviewError.derivedKeyDiffers(hasPassword: true)) {
            try fixture.vault.act(operation, asking: Answers(passwords: ["sword"]))
        }
        #expect(try fixture.vault.events.last?.kind == .wrongPassword)
        let signed = try fixture.vault.act(operation, asking: Answers(passwords: ["word"]))
        #expect(signed[0].key == fixture.key)
    }
}

/// Verifiers change and their metadata goes, so the log keeps why a reading was believed.
@Suite struct LoggedGroundTests {
    private static func event(_ payload: (SigningFixture) throws -> [UInt8], verifier: Verifier? = nil) throws
        -> LogEvent
    {
        let fixture = try SigningFixture()
        if let verifier {
            try fixture.vault.session().store.change(
                [.setVerifier(SigningFixture.runtime.genesisHash, verifier)], events: [])
        }
        _ = try fixture.vault.act(fixture.operation(payload(fixture)))
        return try #require(try fixture.vault.events.last)
    }

    private static let names = [
        "checked_by", "not_checked", "believed_from", "metadata_version", "metadata_check",
    ]

    @Test func `the log names the key that was believed, or nobody`() throws {
        let key = Hex.encode(SigningFixture.verifier.bytes)
        let signed = try Self.event { $0.transfer() }
        #expect(Self.names.map { signed[$0] } == [nil, nil, key, "1000", "disabled"])
        let unsigned = try Self.event({ $0.transfer() }, verifier: .custom(nil))
        #expect(Self.names.map { unsigned[$0] } == [nil, nil, "nobody", "1000", "disabled"])
        let message = try Self.event { $0.message("hello") }
        #expect(Self.names.allSatisfy { message[$0] == nil })
    }

    @Test func `the log says what the chain checks and what it cannot`() throws {
        let chain = LogEvent.facts(of: .chain(beyond: []))
        #expect(chain == [LogEvent.Fact("checked_by", "chain")])
        let limited = LogEvent.facts(of: .chain(beyond: [.hiddenCalls, .assetUnits]))
        #expect(limited == chain + [LogEvent.Fact("not_checked", "hidden_calls, asset_units")])
    }
}

/// Who said yes, and whether they still say it.
@Suite struct ConsentTests {
    private static let policy = "{\"approve\": [\(SigningFixture.rule)]}"

    private func person(_ violation: TransactionPolicy.Violation) -> PersonNeeded {
        PersonNeeded(
            transaction: nil, cause: .rules([PersonNeeded.Obstacle(rule: 1, reason: .violation(violation))]))
    }

    @Test func `a demand that is made after the review stops whoever said yes`() throws {
        for isPerson in [true, false] {
            let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
            let preview = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
            let approval = try isPerson ? preview.confirm() : preview.confirmUnattended()
            try fixture.vault.act(
                ChangeTrust(.requireMetadataHash(SigningFixture.runtime.genesisHash, .wherePossible)))
            #expect(throws: CeremonyError.changedSinceShown) { try fixture.vault.session().perform(approval) }
            let again = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
            #expect(throws: ReviewError.metadataHashRequired(network: "heliotest", .disabled)) {
                try again.confirm()
            }
            #expect(throws: ReviewError.metadataHashRequired(network: "heliotest", .disabled)) {
                try again.confirmUnattended()
            }
            #expect(try !fixture.vault.events.contains { $0.kind == .transactionSigned })
        }
    }

    @Test func `no rule and no option lowers a demand in a vault for real keys`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let genesis = SigningFixture.runtime.genesisHash
        try fixture.vault.act(ChangeTrust(.requireMetadataHash(genesis, .always)))
        let lower = try fixture.vault.device.preview(ChangeTrust(.requireMetadataHash(genesis, .never)))
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) { try lower.confirmUnattended() }
    }

    @Test func `a rule's yes is looked up again under the seal`() throws {
        for (edited, error) in [
            (nil, CeremonyError.approveNeedsPolicy), ("{\"approve\": []}", .approveNeedsPolicy),
            (
                Self.policy.replacing("\"100\"", with: "\"59\""),
                .noRuleApproves(person(.amount(total: .hlo(60))))
            ),
            (
                Self.policy.replacing("never", with: "always"),
                .noRuleApproves(person(.metadataHash(.disabled)))
            ),
        ] as [(String?, CeremonyError)] {
            let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
            let approval = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
                .confirmUnattended()
            #expect(approval.consent == .policy)
            let session = try fixture.vault.session()
            try fixture.set(policy: edited, in: session)
            #expect(throws: error) { try session.perform(approval) }
            #expect(try !fixture.vault.events.contains { $0.kind == .transactionSigned })
        }
    }

    @Test func `the log names the rule that said yes as it is under the seal`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let approval = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
            .confirmUnattended()
        let session = try fixture.vault.session()
        let other =
            """
            {\"approve\": [\(SigningFixture.rule.replacing("\"100\"", with: "\"1\"")), \
            \(SigningFixture.rule)]}
            """
        try fixture.set(policy: other, in: session)
        let receipt = try session.perform(approval)
        #expect(receipt.consent == .policy)
        let event = try #require(try fixture.vault.events.last)
        #expect(
            event["approved_by"] == "policy rule 2"
                && event["policy"] == Hash32.blake2b(of: Array(other.inHLO.utf8)).hex)
    }

    @Test func `a person's yes is no rule's, and an edited rule does not take it back`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let approval = try fixture.vault.device.preview(fixture.operation(fixture.transfer())).confirm()
        let session = try fixture.vault.session()
        try fixture.set(policy: "{\"approve\": []}", in: session)
        #expect(try session.perform(approval).consent == .person)
        #expect(try fixture.vault.events.last?["approved_by"] == nil)
    }

    @Test func `a vault for real keys takes no yes without a person or a rule`() throws {
        let fixture = try SigningFixture(isDevelopment: false)
        let preview = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
        #expect(throws: CeremonyError.approveNeedsPolicy) { try preview.confirmUnattended() }
        let change = try fixture.vault.device.preview(
            ChangeTrust(.removeNetwork(SigningFixture.runtime.genesisHash)))
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) { try change.confirmUnattended() }
    }

    @Test func `a development vault's yes is proven again by the open vault`() throws {
        let fixture = try SigningFixture(isDevelopment: false)
        let operation = try fixture.operation(fixture.transfer())
        let shown = try fixture.vault.device.preview(operation).shown
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) {
            try fixture.vault.session().perform(
                Approval(operation, shown, of: fixture.vault.device.vault().id, .developmentVault))
        }
        let development = try SigningFixture()
        let approval = try development.vault.device.preview(development.operation(development.transfer()))
            .confirmUnattended()
        #expect(approval.consent == .developmentVault)
        #expect(try development.vault.session().perform(approval).outcome.count == 1)
    }

    @Test func `a person is asked on an offline device only`() throws {
        let fixture = try SigningFixture(isDevelopment: false)
        let preview = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
        fixture.vault.goOnline()
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) {
            try preview.confirm {
                Issue.record("nobody is asked"); return true
            }
        }
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) {
            try fixture.vault.device.unlock {
                Issue.record("no passphrase is asked for"); return CeremonyFixture.passphrase
            }
        }
        fixture.vault.goOffline()
        #expect(throws: CeremonyError.unacknowledged) { try preview.confirm() }
    }
}
