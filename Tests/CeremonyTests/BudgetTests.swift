import Extrinsics
import FixtureRuntime
import Hashing
import History
import Keys
import Review
import SubstratePrimitives
import Testing
import TrustStore
import UOS
import Vault

@testable import Ceremony

/// A limit over time, in the policy itself or in a rule under `approve`.
struct BudgetRule: Sendable, CustomTestStringConvertible {
    let window: BudgetWindow
    let approves: Bool

    static let all = BudgetWindow.allCases.flatMap {
        [BudgetRule(window: $0, approves: false), BudgetRule(window: $0, approves: true)]
    }
    var testDescription: String { "\(window.key.rawValue)\(approves ? " of a rule" : "")" }

    func policy(_ limit: UInt128, _ signer: [UInt8]) -> String {
        guard approves else { return "{\"\(window.key.rawValue)\": \"\(limit)\"}" }
        let rule = SigningFixture.rule.replacing("\"100\"", with: "\"\(UInt128.max)\"")
        return
            """
            {\"approve\": [\(rule.dropLast()), \"signers\": [\"0x\(Hex.encode(signer))\"], \
            \"\(window.key.rawValue)\": \"\(limit)\"}]}
            """
    }

    func fixture(_ limit: UInt128 = 100) throws -> SigningFixture {
        let fixture = try SigningFixture()
        try fixture.set(policy: policy(limit, fixture.key.accountID!), in: fixture.vault.session())
        return fixture
    }

    /// Whether the policy, or its rule in place of a person, lets the payload through; then it is signed.
    func signs(_ payload: [UInt8], _ vault: CeremonyFixture) throws -> Bool {
        let preview = try vault.device.preview(SignPayload(try Payload(payload)))
        if approves {
            let approval = try preview.confirmUnattended()
            guard approval.consent == .policy else { return false }
            _ = try vault.session().perform(approval)
            return true
        }
        do {
            _ = try vault.session().perform(preview.confirm())
            return true
        } catch ReviewError.policy(.budget(let excess)) {
            #expect(excess.window == window)
            return false
        }
    }
}

@Suite struct BudgetLaws {
    private static let day: Int64 = 86_400

    private static func seconds(_ rule: BudgetRule) -> Int64 { Int64(rule.window.seconds) }

    @Test(arguments: BudgetRule.all) func `at the limit is signed, over it is not`(rule: BudgetRule) throws {
        let fixture = try rule.fixture()
        #expect(try rule.signs(fixture.transfer(60), fixture.vault))
        #expect(try !rule.signs(fixture.transfer(41, nonce: 1), fixture.vault))
        #expect(try rule.signs(fixture.transfer(40, nonce: 1), fixture.vault))
        #expect(try !rule.signs(fixture.transfer(1, nonce: 2), fixture.vault))
    }

    @Test(arguments: BudgetRule.all) func `a sum that overflows is over`(rule: BudgetRule) throws {
        let fixture = try rule.fixture(.max)
        #expect(try rule.signs(fixture.transfer(.max - 5), fixture.vault))
        #expect(try !rule.signs(fixture.transfer(6, nonce: 1), fixture.vault))
        #expect(try rule.signs(fixture.transfer(5, nonce: 1), fixture.vault))
    }

    @Test(arguments: BudgetRule.all) func `a clock that is set back or forward frees nothing`(
        rule: BudgetRule
    ) throws {
        let fixture = try rule.fixture()
        // Of a block that was not signed with long ago.
        let next = fixture.transfer(1, nonce: 1, block: 2)
        #expect(try rule.signs(fixture.transfer(100), fixture.vault))
        for jump in [-Self.seconds(rule) - 2 * Self.day, 2 * Self.seconds(rule) + 9 * Self.day] {
            fixture.vault.setClock(by: jump)
            #expect(try !rule.signs(next, fixture.vault))
        }
        // More than a window ahead, after another start.
        fixture.vault.restart(after: 60)
        #expect(try !rule.signs(next, fixture.vault))
        #expect(try fixture.vault.device.moment().jump == fixture.vault.now)
        try fixture.vault.act(SetVaultTime(date: String(UTCDate.day(fixture.vault.now).prefix(10))))
        #expect(try fixture.vault.device.moment().jump == nil)
        #expect(try rule.signs(next, fixture.vault))
        #expect(try fixture.vault.events.contains { $0.kind == .vaultTimeSet })
    }

    @Test(arguments: BudgetRule.all) func `another start frees nothing before its time, and waiting does`(
        rule: BudgetRule
    ) throws {
        let fixture = try rule.fixture()
        let next = fixture.transfer(100, nonce: 1, block: 2)
        #expect(try rule.signs(fixture.transfer(100), fixture.vault))
        fixture.vault.restart(after: 3600)
        #expect(try !rule.signs(next, fixture.vault))
        fixture.vault.wait(rule.window.seconds - 2 * 3600)
        #expect(try !rule.signs(next, fixture.vault))
        fixture.vault.wait(2 * 3600)
        #expect(try rule.signs(next, fixture.vault))
    }

    @Test(arguments: BudgetRule.all)
    func `what was signed while the clock was ahead counts as of the confirmed date`(rule: BudgetRule)
        throws
    {
        let fixture = try rule.fixture()
        fixture.vault.restart(after: 2 * Self.seconds(rule) + 2 * Self.day)
        #expect(try rule.signs(fixture.transfer(100), fixture.vault))
        try fixture.vault.act(SetVaultTime(date: String(UTCDate.day(fixture.vault.now).prefix(10))))
        #expect(try !rule.signs(fixture.transfer(1, nonce: 1), fixture.vault))
    }

    @Test(arguments: BudgetRule.all) func `a cleared log, a removed policy and a raised limit free nothing`(
        rule: BudgetRule
    ) throws {
        let fixture = try rule.fixture()
        #expect(try rule.signs(fixture.transfer(100), fixture.vault))
        try fixture.vault.act(ClearLog())
        #expect(try !rule.signs(fixture.transfer(1, nonce: 1), fixture.vault))
        try fixture.set(policy: nil, in: fixture.vault.session())
        try fixture.set(policy: rule.policy(150, fixture.key.accountID!), in: fixture.vault.session())
        #expect(try !rule.signs(fixture.transfer(51, nonce: 1), fixture.vault))
        #expect(try rule.signs(fixture.transfer(50, nonce: 1), fixture.vault))
    }

    @Test(arguments: BudgetRule.all) func `after a restore all counts as spent`(rule: BudgetRule) throws {
        let fixture = try rule.fixture()
        let backup = try fixture.vault.act(BackUpVault())
        let other = CeremonyFixture(empty: ())
        let restore = RestoreVault(
            backup, passphrase: HeldSecret(CeremonyFixture.passphrase), keyFile: HeldSecret(SecretBytes()))
        _ = try other.device.perform(other.device.preview(restore).confirm()) { SecretBytes() }
        #expect(try !rule.signs(fixture.transfer(1), other))
        other.wait(rule.window.seconds - 60)
        #expect(try !rule.signs(fixture.transfer(1), other))
        other.wait(60)
        #expect(try rule.signs(fixture.transfer(100), other))
    }

    @Test(arguments: BudgetRule.all)
    func `identical bytes count once, another payload with the same nonce again`(rule: BudgetRule) throws {
        let fixture = try rule.fixture()
        #expect(try rule.signs(fixture.transfer(60), fixture.vault))
        // A rule needs a person for a nonce that is used again; the policy counts it.
        if !rule.approves {
            #expect(try rule.signs(fixture.transfer(60), fixture.vault))
            #expect(try !rule.signs(fixture.transfer(41), fixture.vault))
        }
        #expect(try rule.signs(fixture.transfer(40, nonce: 1), fixture.vault))
    }

    @Test(arguments: BudgetRule.all) func `the second of a bulk sees the first`(rule: BudgetRule) throws {
        let fixture = try rule.fixture()
        func bulk(_ payloads: [[UInt8]]) -> [UInt8] {
            [0x53, 0xff, 0x04, 0x00]
                + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
        }
        #expect(try !rule.signs(bulk([fixture.transfer(60), fixture.transfer(41, nonce: 1)]), fixture.vault))
        #expect(try rule.signs(bulk([fixture.transfer(60), fixture.transfer(39, nonce: 1)]), fixture.vault))
        #expect(try !rule.signs(fixture.transfer(2, nonce: 2), fixture.vault))
        #expect(try rule.signs(fixture.transfer(1, nonce: 2), fixture.vault))
    }

    private static func counting(_ count: String) throws -> SigningFixture {
        let rule = SigningFixture.rule.dropLast() + ", \"maximum_count\": \(count)}"
        let fixture = try SigningFixture()
        try fixture.set(policy: "{\"approve\": [\(rule)]}", in: fixture.vault.session())
        return fixture
    }

    private static func bulk(_ payloads: [[UInt8]]) -> [UInt8] {
        [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
    }

    /// Whoever makes transactions could have a rule sign hundreds that move nothing, and use an account's
    /// nonces up.
    @Test(arguments: ["{\"per_day\": 99}", "{\"per_hour\": 3}", "{\"per_day\": 3}"])
    func `a rule gives so many signatures, in a bulk and one by one, and counts none of a person`(
        count: String
    ) throws {
        let fixture = try Self.counting(count)
        let rule = BudgetRule(window: .day, approves: true)
        // What it does not state for the hour is the standard.
        let limit = count.contains("99") ? Int(CountWindow.hour.standard) : 3
        func payloads(_ range: Range<Int>) -> [[UInt8]] {
            range.map { fixture.transfer(1, nonce: UInt64($0)) }
        }
        // One more than the limit at once is for a person, all of it.
        #expect(try !rule.signs(Self.bulk(payloads(0..<limit + 1)), fixture.vault))
        try fixture.vault.act(fixture.operation(payloads(0..<1)[0]))
        #expect(try rule.signs(Self.bulk(payloads(1..<limit)), fixture.vault))
        #expect(try rule.signs(payloads(limit..<limit + 1)[0], fixture.vault))
        #expect(try !rule.signs(payloads(limit + 1..<limit + 2)[0], fixture.vault))
        // The same bytes are a signature, too, and a policy that is set again has forgotten nothing.
        #expect(try !rule.signs(payloads(1..<2)[0], fixture.vault))
        let needed = try fixture.vault.session().chain().personNeeded(
            for: fixture.vault.device.preview(fixture.operation(payloads(limit + 1..<limit + 2)[0])).shown)
        guard case .rules(let obstacles)? = needed?.cause,
            case .countReached(let reached)? = obstacles.first?.reason
        else {
            Issue.record("\(String(describing: needed))")
            return
        }
        let isDay = count == "{\"per_day\": 3}"
        #expect(
            reached.window == (isDay ? .day : .hour) && reached.limit == limit && !reached.isRestored
                && reached.frees != nil)
        fixture.vault.wait(isDay ? 86_400 - 1 : 3600 - 1)
        let next = fixture.transfer(1, nonce: UInt64(limit) + 1, block: 2)
        #expect(try !rule.signs(next, fixture.vault))
        fixture.vault.wait(301)
        #expect(try rule.signs(next, fixture.vault))
    }

    /// A rule counts its own approvals, and the policy counts everything.
    @Test func `a person's signature counts for the policy and not for a rule`() throws {
        let rule = BudgetRule(window: .day, approves: true)
        let fixture = try rule.fixture()
        try fixture.vault.act(fixture.operation(fixture.transfer(100)))
        #expect(try rule.signs(fixture.transfer(100, nonce: 1), fixture.vault))
        try fixture.set(
            policy: BudgetRule(window: .day, approves: false).policy(200, []), in: fixture.vault.session())
        #expect(
            try !BudgetRule(window: .day, approves: false).signs(fixture.transfer(1, nonce: 2), fixture.vault)
        )
    }

    @Test func `the review and the policy say what is left, and the refusal when it fits again`() throws {
        let fixture = try BudgetRule(window: .day, approves: false).fixture()
        let shown = try fixture.vault.device.preview(fixture.operation(fixture.transfer(60))).shown[0]
        let use = try #require(ReviewSummary(shown).budgets.first)
        #expect(
            use.limit == 100 && use.spent == .amount(0) && use.amount == 60 && use.left == 40
                && use.rule == nil && use.fits)
        for (amount, fits, left) in [(100, true, 0), (101, false, 100)] as [(UInt128, Bool, UInt128)] {
            let summary = ReviewSummary(
                try fixture.vault.device.preview(fixture.operation(fixture.transfer(amount))).shown[0])
            let edge = try #require(summary.budgets.first)
            #expect(edge.fits == fits && edge.left == left, "\(amount)")
        }
        try fixture.vault.act(fixture.operation(fixture.transfer(60)))
        let left = try fixture.vault.session().chain().budgetsLeft(reserving: [])
        #expect(left.map(\.use.left) == [40] && left[0].network.name.utf8Equals("heliotest"))
        let refused = try fixture.vault.device.preview(fixture.operation(fixture.transfer(60, nonce: 1)))
            .shown[0].refusal
        guard case .policy(.budget(let excess))? = refused else {
            Issue.record("not refused")
            return
        }
        // 22:13:20 by vault time, so the hour ends at 23:00.
        #expect(
            excess.spent == .amount(60) && excess.amount == 60
                && excess.frees.utf8Equals("2023-11-15 23:00 UTC"))
    }

    /// This key cannot use the budget of a policy for other networks.
    @Test func `what is left is said of the networks that the policy names`() throws {
        let rule = BudgetRule(window: .day, approves: false)
        for (network, lines) in [("heliotest", 1), ("elsewhere", 0)] {
            let fixture = try SigningFixture()
            let policy = "{\"networks\": [\"\(network)\"], " + rule.policy(100, []).dropFirst()
            try fixture.set(policy: policy, in: fixture.vault.session())
            #expect(
                try fixture.vault.session().chain().budgetsLeft(reserving: []).count == lines, "\(network)")
        }
    }

    @Test func `a clock that is far ahead is told of a bulk as of each of its transactions`() throws {
        let fixture = try BudgetRule(window: .day, approves: false).fixture()
        let bulk = try Payload(Self.bulk([fixture.transfer(1), fixture.transfer(2, nonce: 1)]))
        #expect(
            ReviewSummary(
                whole: try fixture.vault.device.preview(SignPayload(bulk)).shown.map(ReviewSummary.init)
            ).clockJump == nil)
        fixture.vault.restart(after: 9 * Self.day)
        let parts = try fixture.vault.device.preview(SignPayload(bulk)).shown.map(ReviewSummary.init)
        #expect(parts.map(\.clockJump) == [fixture.vault.now, fixture.vault.now])
        #expect(ReviewSummary(whole: parts).clockJump == fixture.vault.now)
    }

    /// An intruder who takes a counter out of the store, or writes a smaller one.
    @Test(arguments: [
        "DELETE FROM history", "UPDATE history SET value = X'00' WHERE substr(key, 1, 1) = X'09'",
    ])
    func `a counter that was edited is refused`(sql: String) throws {
        let rule = BudgetRule(window: .month, approves: false)
        let fixture = try rule.fixture()
        #expect(try rule.signs(fixture.transfer(60), fixture.vault))
        try fixture.vault.write(sql: sql)
        let error = #expect(throws: StoreError.self) {
            _ = try rule.signs(fixture.transfer(1, nonce: 1), fixture.vault)
        }
        #expect(error?.isOfHistory == true)
    }

    /// What a store had counted is gone with it.
    @Test func `a store that is made anew beside the seeds counts all as spent`() throws {
        let fixture = try BudgetRule(window: .day, approves: false).fixture()
        #expect(try fixture.vault.device.moment().time.restoredUntil(window: 60) == nil)
        try fixture.vault.breakSeal()
        let reset = try fixture.vault.device.preview(
            ResetVerifiers(verifier: nil, networks: [SigningFixture.runtime.specs])
        ).confirm()
        _ = try fixture.vault.device.perform(reset) { CeremonyFixture.passphrase }
        #expect(try fixture.vault.session().moment().time.restoredUntil(window: 60) == fixture.vault.now + 60)
    }
}
