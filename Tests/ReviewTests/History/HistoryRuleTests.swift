import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import History
@testable import Review
@testable import TrustUpdates

/// A history in memory, beside ``SigningVault``.
final class Memory {
    static let start: UInt64 = 1_700_000_000
    var rows: [HistoryKey: [UInt8]] = [:]
    var now = start
    var contacts: [ContactRecord] = []
    var policy: String?
    var keys: [(key: [UInt8], label: String)] = []
    var holdsMetadata = true
    var runtime = SigningVault.runtime

    /// What the rows say of Bob's being named.
    var named: PaidDestination? {
        rows.first { $0.key.historyClass == .destination }.flatMap { PaidDestination($0.value) }
    }

    func data() throws -> ChainData {
        let plain = try SigningVault.data(policy: policy, labels: keys, runtime: runtime)
        var state = plain.state
        state.contacts = contacts
        if !holdsMetadata { state.metadata = [] }
        let blob = runtime.metadata()
        let history = ReviewHistory(now: now, since: Self.start) { [rows] keys in
            rows.filter { keys.contains($0.key) }
        }
        return ChainData(state: state, history: history) { _ in blob }
    }

    func review(_ payload: [UInt8]) throws -> [ReviewedTransaction] {
        try TransactionReview(data()).review(try Payload(payload))
    }

    /// As the ceremony does.
    @discardableResult
    func sign(_ payload: [UInt8], isConfirmed: Bool = true) throws -> [ReviewedTransaction] {
        let items = try review(payload)
        let accounts = items.map { ($0, $0.signer.account(record: $0.key)) }
        for row in try data().historyRows(of: accounts, isConfirmed: isConfirmed) {
            rows[row.key] = row.value
        }
        return items
    }

    /// The codes of the history's warnings, by payload.
    func codes(_ payload: [UInt8]) throws -> [[String]] {
        try review(payload).map { item in
            try #require(item.history).warnings.map { $0.text(of: "code") ?? "" }
        }
    }

    static func transfer(
        _ amount: UInt128 = 60, to account: [UInt8] = SigningVault.bob, nonce: UInt64 = 0, block: UInt8 = 1,
        period: UInt32 = 64
    ) -> [UInt8] {
        payload(SigningVault.transfer(amount, to: account), nonce: nonce, block: block, period: period)
    }

    static func payload(_ call: [UInt8], nonce: UInt64 = 0, block: UInt8 = 1, period: UInt32 = 64) -> [UInt8]
    {
        SigningVault.runtime.transactionPayload(
            signer: SigningVault.alice, call: call,
            FixtureExtensionValues(
                era: .mortal(MortalEra(period: period, phase: 0)!),
                blockHash: Hash32([UInt8](repeating: block, count: 32)), nonce: nonce))
    }
}

@Suite struct HistoryRuleLaws {
    private static let day: UInt64 = 86_400
    private static let prefix = SigningVault.runtime.specs.base58Prefix

    private static func payment(_ items: [ReviewedTransaction], at index: Int = 0) throws
        -> HistoryFindings.Payment
    {
        try #require(ReviewSummary(items[index]).recipients.first?.history)
    }

    // MARK: Destinations

    @Test func `a stranger is not paid before, and is paid before when it was signed`() throws {
        let memory = Memory()
        #expect(
            try Self.payment(memory.review(Memory.transfer()))
                == .notPaid(extent: "since 2023-11-14 UTC"))
        for (index, amount) in [UInt128(60), 900, 70].enumerated() {
            memory.now = Memory.start + UInt64(index) * 2 * Self.day
            try memory.sign(Memory.transfer(amount, nonce: UInt64(index), block: UInt8(index)))
        }
        guard
            case .paid(let record, let largest) = try Self.payment(
                memory.review(Memory.transfer(1, nonce: 3, block: 9)))
        else {
            Issue.record("not paid")
            return
        }
        #expect(
            record.count == 3 && record.first == Memory.start && record.last == Memory.start + 4 * Self.day)
        #expect(record.largest == [.init(asset: nil, pallet: nil, raw: 900)])
        #expect(try #require(largest).symbol.utf8Equals(SigningVault.runtime.specs.unit))
    }

    @Test func `own keys and contacts need no history, a contact of another network does`() throws {
        let memory = Memory()
        memory.keys = [(SigningVault.alice, ""), (SigningVault.bob, "bob")]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .named())
        memory.keys = []
        memory.contacts = [ContactRecord(scheme: .sr25519, account: SigningVault.bob, label: "bob")]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .named())
        memory.contacts[0].networks = [SigningVault.runtime.genesisHash]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .named())
        memory.contacts[0].networks = [Hash32([UInt8](repeating: 3, count: 32))!]
        #expect(
            try Self.payment(memory.review(Memory.transfer()))
                == .notPaid(extent: "since 2023-11-14 UTC"))
    }

    @Test func `the signatories of a multisig are destinations, the account behind a proxy is not`() throws {
        let memory = Memory()
        let (signatory, real) = ([UInt8](repeating: 0x51, count: 32), [UInt8](repeating: 0x52, count: 32))
        let remark = SigningVault.runtime.call("System", "remark", [FixtureValue.bytes([1])])
        let multisig = SigningVault.runtime.call(
            "Multisig", "as_multi",
            [
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([signatory]), FixtureValue.none, remark,
                FixtureValue.compact(1) + FixtureValue.compact(2),
            ])
        let proxy = SigningVault.runtime.call(
            "Proxy", "proxy", [FixtureValue.address(real), FixtureValue.none, multisig])
        try memory.sign(Memory.payload(proxy))
        guard
            case .notPaid(_, let named?) = try Self.payment(
                memory.review(Memory.transfer(to: signatory, nonce: 1, block: 2)))
        else {
            Issue.record("not known")
            return
        }
        #expect(named.count == 1 && named.largest.isEmpty)
        #expect(
            try Self.payment(memory.review(Memory.transfer(to: real, nonce: 1, block: 2)))
                == .notPaid(extent: "since 2023-11-14 UTC"))
    }

    @Test func `a payload that pays an account twice counts once`() throws {
        let memory = Memory()
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all",
            [FixtureValue.vector([SigningVault.transfer(5), SigningVault.transfer(7)])])
        try memory.sign(Memory.payload(batch))
        guard case .paid(let record, _) = try Self.payment(memory.review(Memory.transfer(nonce: 1, block: 2)))
        else {
            Issue.record("not known")
            return
        }
        #expect(record.count == 1 && record.largest == [.init(asset: nil, pallet: nil, raw: 7)])
    }

    /// What stands beside it in a bulk is not signed yet.
    @Test func `a bulk makes nobody known to itself`() throws {
        let memory = Memory()
        let items = try memory.review(
            SigningVault.bulk([Memory.transfer(nonce: 0), Memory.transfer(61, nonce: 1)]))
        #expect(try Self.payment(items, at: 1) == .notPaid(extent: "since 2023-11-14 UTC"))
    }

    /// Networks of one prefix write an account alike.
    @Test func `together with a network that has not paid it, an account is not paid before`() throws {
        let memory = Memory()
        let unpaid = ReviewSummary(try memory.review(Memory.transfer())[0])
        try memory.sign(Memory.transfer())
        let paid = ReviewSummary(try memory.review(Memory.transfer(nonce: 1, block: 2))[0])
        for parts in [[unpaid, paid], [paid, unpaid]] {
            #expect(
                ReviewSummary(whole: parts).recipients.map(\.history) == [
                    .notPaid(extent: "since 2023-11-14 UTC")
                ])
        }
    }

    /// A nonce below the highest that nothing is known of, as where the key signed elsewhere.
    @Test func `the highest nonce counts where its own row is unknown`() throws {
        let memory = Memory()
        try memory.sign(Memory.transfer(nonce: 5))
        memory.rows = memory.rows.filter { $0.key.historyClass == .highestNonce }
        #expect(try memory.codes(Memory.transfer(61, nonce: 5)) == [["nonce_below_highest"]])
        #expect(try memory.codes(Memory.transfer(61, nonce: 6)) == [[]])
    }

    // MARK: What can be poisoned

    private static let extent = "since 2023-11-14 UTC"

    /// The record of payments, or else that of signatures that named the account.
    private static func memoryOf(_ account: [UInt8], _ memory: Memory) throws -> (paid: UInt64, named: UInt64)
    {
        switch try payment(memory.review(Memory.transfer(3, to: account, nonce: 4000, block: 9))) {
        case .paid(let record, _): (record.count, 0)
        case .notPaid(_, let named): (0, named?.count ?? 0)
        case .named(let record, _), .firstInAsset(let record, _): (record?.count ?? 0, 0)
        }
    }

    /// Each names the account, and only some of them move an amount to it when the transaction runs.
    @Test func `paid before is who received an amount, every other account is named before`() throws {
        let runtime = SigningVault.runtime
        let account = [UInt8](repeating: 0x53, count: 32)
        let transfer = SigningVault.transfer(60, to: account)
        func batch(_ name: String, _ calls: [[UInt8]]) -> [UInt8] {
            runtime.call("Utility", name, [FixtureValue.vector(calls)])
        }
        let cases: [(call: [UInt8], isPaid: Bool)] = [
            (transfer, true), (batch("batch_all", [transfer]), true),
            (batch("batch", [batch("force_batch", [transfer])]), true),
            (
                runtime.call(
                    "Proxy", "proxy", [FixtureValue.address(SigningVault.alice), FixtureValue.none, transfer]),
                false
            ),
            (SigningVault.transfer(0, to: account), false),
            (runtime.call("Balances", "transfer_all", [FixtureValue.address(account), [0]]), false),
        ]
        for (index, (call, isPaid)) in cases.enumerated() {
            let memory = Memory()
            try memory.sign(Memory.payload(call))
            let known = try Self.memoryOf(account, memory)
            #expect(known == (isPaid ? (1, 0) : (0, 1)), "\(index): \(known)")
        }
    }

    /// Each of these can only fail, or waits for others: the person who said yes to any amount paid nothing.
    @Test func `what another account would pay makes no later payment look small`() throws {
        let runtime = SigningVault.runtime
        let (account, stranger) = (
            [UInt8](repeating: 0x53, count: 32), [UInt8](repeating: 0x11, count: 32)
        )
        let large = SigningVault.transfer(1_000_000, to: account)
        let calls = [
            runtime.call(
                "Proxy", "proxy", [FixtureValue.address(stranger), FixtureValue.none, large]),
            runtime.call(
                "Multisig", "as_multi",
                [
                    FixtureValue.integer(UInt16(2)), FixtureValue.vector([stranger]), FixtureValue.none,
                    large, FixtureValue.compact(1) + FixtureValue.compact(2),
                ]),
        ]
        for (index, call) in calls.enumerated() {
            for isPaid in [false, true] {
                let memory = Memory()
                if isPaid { try memory.sign(Memory.transfer(60, to: account)) }
                try memory.sign(Memory.payload(call, nonce: 1, block: 2))
                let next = Memory.transfer(900_000, to: account, nonce: 2, block: 3)
                switch try Self.payment(memory.review(next)) {
                case .paid(let record, _):
                    #expect(isPaid && record.count == 1 && record.largest.map(\.raw) == [60], "\(index)")
                    #expect(try memory.codes(next)[0].contains("payment_far_above"), "\(index)")
                case .notPaid(_, let named):
                    #expect(!isPaid && named?.count == 1 && named?.largest.isEmpty == true, "\(index)")
                case .named, .firstInAsset: Issue.record("\(index): known")
                }
            }
        }
    }

    /// What a call does with an amount for the account: it pays it, it moves what another has, or neither.
    enum Effect {
        case paid, moves, names
    }

    /// By the cards, for calls that the fixture's runtime does not have: who receives, and whether the call
    /// runs.
    @Test(
        arguments: [
            (["Balances.transfer_keep_alive"], "dest", "value", .paid),
            (["Assets.transfer"], "target", "amount", .paid),
            (["Assets.transfer_approved"], "destination", "amount", .moves),
            (["Assets.transfer_approved"], "owner", "amount", .names),
            (["Vesting.vested_transfer"], "target", "schedule", .paid),
            (["Vesting.vest_other"], "target", "amount", .names),
            (["Balances.force_transfer"], "dest", "value", .names),
            (["Balances.force_transfer"], "source", "value", .names),
            (["Staking.nominate"], "targets", "value", .names),
            (["ConvictionVoting.delegate"], "to", "balance", .names),
            (["Balances.transfer_keep_alive"], "dest", "amount_of_another", .names),
            (["Utility.batch_all", "Balances.transfer_keep_alive"], "dest", "value", .paid),
            (["Proxy.proxy", "Utility.batch", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Multisig.as_multi", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Multisig.as_multi_threshold_1", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Utility.as_derivative", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Recovery.as_recovered", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Proxy.proxy_announced", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Utility.if_else", "Balances.transfer_keep_alive"], "dest", "value", .moves),
            (["Utility.batch", "Utility.force_batch", "Balances.transfer"], "dest", "value", .paid),
            (
                ["Utility.batch", "Proxy.proxy", "Utility.batch", "Balances.transfer"], "dest", "value",
                .moves
            ),
            (["Multibatching.batch", "Balances.transfer"], "dest", "value", .moves),
            (["Assets.force_transfer"], "dest", "amount", .moves),
            (["Multisig.approve_as_multi", "Balances.transfer_keep_alive"], "dest", "value", .names),
            (["Scheduler.schedule", "Balances.transfer_keep_alive"], "dest", "value", .names),
            (
                ["Utility.batch", "Preimage.note_preimage", "Balances.transfer_keep_alive"], "dest", "value",
                .names
            ),
        ] as [([String], String, String, Effect)])
    func `an amount belongs to the argument that receives it, in a call that runs`(
        calls: [String], receiver: String, amount: String, effect: Effect
    ) {
        var cards: [Card] = []
        for (depth, name) in calls.enumerated() {
            let parts = name.split(separator: ".").map(String.init)
            cards += [
                Card(.pallet, parts[0], indent: 4 * depth), Card(.call, parts[1], indent: 4 * depth + 1),
                Card(.fieldName, "call", indent: 4 * depth + 2),
            ]
        }
        cards.removeLast()
        let indent = 4 * calls.count - 2
        cards += [
            Card(.fieldName, receiver, indent: indent),
            Card(.account(.init(AccountAddress([0], prefix: 42))), indent: indent + 1),
            Card(.fieldName, amount, indent: indent),
            Card(.balance(.init(raw: 5, decimals: 10, unit: "DOT")), indent: indent + 1),
        ]
        let payments = ShownCalls(cards).destinations
        #expect(
            payments.map { $0.largest.map(\.raw) } == [effect == .paid ? [5] : []]
                && payments[0].sums.map(\.raw) == (effect == .names ? [] : [5]))
    }

    /// A proof of a runtime version that never was is read like every other, and its maker chose it.
    @Test
    func
        `a reading that only its sender vouches for pays nobody and moves no nonce, until a person confirmed it once`()
        throws
    {
        let memory = Memory()
        memory.holdsMetadata = false
        func proved(_ amount: UInt128, _ nonce: UInt64) throws -> [UInt8] {
            try SigningVault.runtime.provedPayload(
                signer: SigningVault.alice, call: SigningVault.transfer(amount),
                FixtureExtensionValues(
                    era: SigningVault.mortal, blockHash: Hash32(SigningVault.bob), nonce: nonce))
        }
        // A rule's yes vouches for nothing, however often it is given.
        for nonce in [UInt64(100), 116, 132] { try memory.sign(proved(1_000_000, nonce), isConfirmed: false) }
        #expect(
            try Self.payment(memory.review(proved(3, 1)))
                == .notPaid(extent: Self.extent, named: memory.named))
        #expect(try memory.codes(proved(3, 1))[0].filter { $0.utf8Starts(with: "nonce") } == [])
        func nonces(_ payload: [UInt8]) throws -> [[String]] {
            try memory.codes(payload).map { $0.filter { $0.utf8Starts(with: "nonce") } }
        }
        // The first yes of a person pays nobody and moves no nonce either, however many it signs at once and
        // however often.
        let bulk = try SigningVault.bulk((1...20).map { try proved(0, 4 + 16 * $0) })
        try memory.sign(bulk)
        #expect(try nonces(proved(3, 1)) == [[]] && memory.rows.keys.contains { $0.historyClass == .reading })
        #expect(!memory.rows.keys.contains { $0.historyClass == .highestNonce || $0.historyClass == .nonce })
        guard case .notPaid = try Self.payment(memory.review(proved(3, 1))) else {
            Issue.record("paid by the first signature")
            return
        }
        // Within one review they are compared all the same.
        #expect(try nonces(SigningVault.bulk([proved(3, 1), proved(4, 1)])) == [[], ["nonce_reused"]])
        // The next signature under the digest that was confirmed is remembered.
        try memory.sign(proved(60, 5))
        #expect(
            try nonces(proved(3, 1)) == [["nonce_below_highest"]]
                && nonces(proved(3, 5)) == [["nonce_reused"]])
        guard case .paid(let record, _) = try Self.payment(memory.review(proved(3, 7))) else {
            Issue.record("not paid")
            return
        }
        #expect(record.count == 1 && record.largest.map(\.raw) == [60])
    }

    @Test
    func `bytes that were signed twice, and a transaction that its warnings call void, pay once or never`()
        throws
    {
        let memory = Memory()
        for _ in 0..<3 { try memory.sign(Memory.transfer(60, nonce: 5)) }
        #expect(try Self.memoryOf(SigningVault.bob, memory) == (1, 0))
        // The same nonce, one below it, and one that waits for sixteen others.
        for nonce in [UInt64(5), 3, 900] { try memory.sign(Memory.transfer(70, nonce: nonce)) }
        #expect(try Self.memoryOf(SigningVault.bob, memory) == (1, 0))
        memory.now += 64 * 6 + 1
        try memory.sign(Memory.transfer(80, nonce: 901))
        #expect(try Self.memoryOf(SigningVault.bob, memory) == (1, 0))
        try memory.sign(Memory.transfer(90, nonce: 902, block: 2))
        #expect(try Self.memoryOf(SigningVault.bob, memory) == (2, 0))
    }

    @Test func `a contact keeps what was paid to it, an own key needs nothing`() throws {
        let memory = Memory()
        try memory.sign(Memory.transfer(60))
        memory.contacts = [ContactRecord(scheme: .sr25519, account: SigningVault.bob, label: "Kraken")]
        guard
            case .named(let record?, let largest?) = try Self.payment(
                memory.review(Memory.transfer(nonce: 1, block: 2)))
        else {
            Issue.record("forgotten")
            return
        }
        #expect(record.count == 1 && largest.symbol.utf8Equals(SigningVault.runtime.specs.unit))
        memory.contacts = []
        memory.keys = [(SigningVault.alice, ""), (SigningVault.bob, "bob")]
        #expect(try Self.payment(memory.review(Memory.transfer(nonce: 1, block: 2))) == .named())
    }

    @Test(arguments: [false, true])
    func `more than ten times the largest payment before is told, with the factor`(isContact: Bool) throws {
        let memory = Memory()
        if isContact {
            memory.contacts = [ContactRecord(scheme: .sr25519, account: SigningVault.bob, label: "Kraken")]
        }
        try memory.sign(Memory.transfer(60, nonce: 0))
        func told(_ call: [UInt8]) throws -> [String] {
            let warnings =
                try memory.review(Memory.payload(call, nonce: 1, block: 2))[0].history?.warnings ?? []
            return warnings.filter { $0.text(of: "code").utf8Equals("payment_far_above") }.map(\.value)
        }
        #expect(try told(SigningVault.transfer(600)) == [])
        let lines = try told(SigningVault.transfer(1_259))
        #expect(
            lines.count == 1
                && lines[0].utf8Contains("is 20 times the largest that was signed for it before, which is "))
        // Many small ones are one large one.
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all",
            [FixtureValue.vector([UInt128](repeating: 60, count: 11).map { SigningVault.transfer($0) })])
        #expect(try told(batch).count == 1)
        #expect(try told(SigningVault.transfer(1_259, to: [UInt8](repeating: 9, count: 32))) == [])
    }

    /// An account is compared in its own row, however often a lower nonce was signed since.
    @Test func `a lower nonce does not lower the highest`() throws {
        let memory = Memory()
        for nonce in [UInt64(9), 5] { try memory.sign(Memory.transfer(60 + UInt128(nonce), nonce: nonce)) }
        #expect(try memory.codes(Memory.transfer(3, nonce: 7))[0].first.utf8Equals("nonce_below_highest"))
        #expect(
            try memory.codes(Memory.transfer(3, nonce: 10))[0].contains { $0.utf8Starts(with: "nonce") }
                == false)
    }

    /// A person made the vault forget a nonce: what was signed with any nonce before says nothing any more,
    /// and what comes after does.
    @Test func `after it was forgotten no former nonce is told, and the next ones are`() throws {
        let memory = Memory()
        for nonce in [UInt64(3), 9] { try memory.sign(Memory.transfer(60 + UInt128(nonce), nonce: nonce)) }
        func told(_ nonce: UInt64) throws -> [String] {
            try memory.codes(Memory.transfer(3, nonce: nonce))[0].filter { $0.utf8Starts(with: "nonce") }
        }
        #expect(
            try told(3) == ["nonce_reused"] && told(4) == ["nonce_below_highest"]
                && told(900) == ["nonce_far_ahead"])
        for round in 0..<2 {
            let forgotten = try memory.data().nonceMemory(
                of: SigningVault.alice, on: SigningVault.runtime.genesisHash)
            #expect(forgotten.highest == (round == 0 ? 9 : 4))
            memory.rows[forgotten.forgetting.key] = forgotten.forgetting.value
            for nonce in [UInt64(3), 4, 900] { #expect(try told(nonce) == [], "\(round) \(nonce)") }
            // Of another signer or network nothing is forgotten.
            try memory.sign(Memory.transfer(60, nonce: 4))
            #expect(try told(4) == ["nonce_reused"] && told(2) == ["nonce_below_highest"] && told(5) == [])
        }
    }

    // MARK: Look-alikes

    private static func lookAlike(of account: [UInt8]) -> [UInt8] {
        var generator = SeededGenerator(seed: 5)
        return LookAlikeLaws.grind(account, bytes: 5, end: 2, prefix: prefix, &generator)
    }

    private static let fake = lookAlike(of: SigningVault.bob)

    private static func expectAlarm(
        _ memory: Memory, known: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let item = try memory.review(Memory.transfer(to: fake, nonce: 9, block: 9))[0]
        let card = try #require(item.cards.warning.first, sourceLocation: sourceLocation)
        #expect(card.text(of: "code").utf8Equals("look_alike"), sourceLocation: sourceLocation)
        #expect(card.text(of: "known_as").utf8Equals(known), sourceLocation: sourceLocation)
        let word = try #require(ReviewSummary(item).word)
        #expect(word.text.utf8Equals(card.text(of: "word") ?? ""), sourceLocation: sourceLocation)
        let address = SS58Address(prefix: prefix, account: fake)!.text
        #expect(word.text.utf8.count == 6 && address.utf8Contains(word.text), sourceLocation: sourceLocation)
    }

    @Test func `a look-alike of an own key, a contact and a paid account is an alarm with a word`() throws {
        let memory = Memory()
        #expect(try memory.codes(Memory.transfer(to: Self.fake)) == [[]])
        memory.keys = [(SigningVault.alice, ""), (SigningVault.bob, "savings")]
        try Self.expectAlarm(memory, known: "your key savings")
        memory.keys = []
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        try Self.expectAlarm(memory, known: "contact bob")
        // On whatever network the contact is.
        memory.contacts[0].networks = [Hash32([UInt8](repeating: 3, count: 32))!]
        try Self.expectAlarm(memory, known: "contact bob")
        memory.contacts = []
        try memory.sign(Memory.transfer())
        try Self.expectAlarm(memory, known: "an account that was named before")
    }

    /// Dust that was signed for the look-alike makes it no friend, and no contact loses the alarm by it.
    @Test func `a look-alike that was paid keeps its alarm until a person names it`() throws {
        let memory = Memory()
        try memory.sign(Memory.transfer(nonce: 0))
        try memory.sign(Memory.transfer(1, to: Self.fake, nonce: 1))
        try Self.expectAlarm(memory, known: "an account that was named before")
        #expect(try memory.codes(Memory.transfer(5, nonce: 2, block: 3))[0].first.utf8Equals("look_alike"))
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        #expect(
            try memory.codes(Memory.transfer(5, nonce: 2, block: 3))[0].contains {
                $0.utf8Equals("look_alike")
            } == false)
        try Self.expectAlarm(memory, known: "contact bob")
    }

    @Test func `both in one transaction, or in one bulk, are an alarm`() throws {
        let memory = Memory()
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all",
            [FixtureValue.vector([SigningVault.transfer(5), SigningVault.transfer(7, to: Self.fake)])])
        #expect(try memory.codes(Memory.payload(batch))[0].count { $0.utf8Equals("look_alike") } == 2)
        let items = try memory.review(
            SigningVault.bulk([Memory.transfer(nonce: 0), Memory.transfer(to: Self.fake, nonce: 1)]))
        #expect(items[1].history?.warnings.first?.text(of: "code").utf8Equals("look_alike") == true)
    }

    /// A contact has no alarm later, so it comes with the name.
    @Test
    func
        `an account that is to get a name is compared with own keys, contacts, accounts that were paid and the rest of its list`()
        throws
    {
        func contact(_ account: [UInt8], _ label: String, _ networks: [GenesisHash] = []) -> ContactRecord {
            ContactRecord(scheme: nil, account: account, label: label, networks: networks)
        }
        let memory = Memory()
        let new = contact(Self.fake, "vendor")
        #expect(try memory.data().resemblances(of: [new]).isEmpty)
        memory.keys = [(SigningVault.bob, "savings")]
        #expect(try memory.data().resemblances(of: [new]).map(\.name) == ["your key savings"])
        memory.keys = []
        memory.contacts = [contact(SigningVault.bob, "bob")]
        let found = try #require(try memory.data().resemblances(of: [new]).first)
        #expect(found.name == "contact bob")
        #expect(found.address.text.utf8Contains(found.word) && !found.other.text.utf8Contains(found.word))
        // A name for another network is none that this prefix concerns.
        let elsewhere = contact(Self.fake, "vendor", [Hash32([UInt8](repeating: 3, count: 32))!])
        #expect(try memory.data().resemblances(of: [elsewhere]).isEmpty == (Self.prefix != 42))
        memory.contacts = []
        try memory.sign(Memory.transfer())
        #expect(try memory.data().resemblances(of: [new]).map(\.name) == ["an account that was named before"])
        // The account itself is no look-alike of itself.
        #expect(try memory.data().resemblances(of: [contact(SigningVault.bob, "bob")]).isEmpty)
        let both = try Memory().data().resemblances(of: [new, contact(SigningVault.bob, "bob")])
        #expect(both.map(\.name) == ["contact bob of the same list", "contact vendor of the same list"])
    }

    @Test
    func `a signed list that names a look-alike asks for its characters, one that names others for yes`()
        throws
    {
        let pair = ContactListPlanLaws.pair(1)
        let memory = Memory()
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        func plan(_ entries: [ContactList.Entry]) throws -> ContactListPlan {
            let list = try ContactList(issuer: pair.publicKey, number: 1, entries: entries)
            var state = try memory.data().state
            state.listSigners = [ListSignerRecord(publicKey: pair.publicKey, label: "Office")]
            let payload = ContactListPayload(
                list, signature: try pair.sign(list.signedBytes, domain: .heliograph))
            return try memory.data().comparing(ContactListPlan(payload, in: state))
        }
        let alike = try plan([ContactList.Entry(account: Self.fake, label: "vendor")])
        #expect(alike.lookAlikes.map(\.name) == ["contact bob"])
        #expect(
            try #require(alike.word).utf8Equals(#require(alike.lookAlikes.first).word) && !alike.isRelabelling
        )
        memory.contacts = []
        let entries = [
            ContactList.Entry(account: Self.fake, label: "vendor"),
            ContactList.Entry(account: SigningVault.bob, label: "bob"),
        ]
        let both = try plan(entries.sorted { $0.account.lexicographicallyPrecedes($1.account) })
        #expect(both.lookAlikes.count == 2)
        #expect(try #require(both.word).utf8Equals(both.lookAlikes.map(\.word).joined(separator: " ")))
        let other = try plan([
            ContactList.Entry(account: [UInt8](repeating: 0x51, count: 32), label: "vendor")
        ])
        #expect(other.lookAlikes.isEmpty && other.word == nil)
    }

    /// The words of several are typed together, and no other danger gets them away.
    @Test func `the characters of a look-alike come first, and several are joined`() throws {
        let memory = Memory()
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        let all = SigningVault.runtime.call(
            "Balances", "transfer_all", [FixtureValue.address(Self.fake), [0]])
        let item = try memory.review(Memory.payload(all))[0]
        let word = try #require(ReviewSummary(item).word)
        let characters = try #require(item.cards.warning.first?.text(of: "word"))
        #expect(word.text.utf8Equals("\(characters) and transfer all"))
        let others = ["hidden call", "sudo", "set code", "set keys"].map { TypedWord($0, 11) }
        for order in [others + [word], [word] + others] {
            let text = order.reduce(TypedWord?.none, TypedWord.both)?.text
            #expect(
                text.utf8Equals("\(characters) and hidden call and sudo and set code and set keys and 1 more")
            )
        }
        let other = Self.lookAlike(of: SigningVault.alice)
        let second = try memory.review(Memory.transfer(to: other, nonce: 1, block: 2))[0]
        let whole = ReviewSummary(whole: [ReviewSummary(item), ReviewSummary(second)])
        #expect(
            whole.word?.text.utf8Equals(
                "\(characters) \(second.cards.warning[0].text(of: "word") ?? "") and transfer all") == true)
    }

    /// Whoever makes the transaction chooses its nonce, and the highest number there is would end all later
    /// ones.
    @Test func `a first nonce far above zero needs a person`() throws {
        let memory = Memory()
        // With a count of its own the rule signs a call again.
        memory.policy = StandingApprovalLaws.policy.replacing(
            "\"maximum_tip\"", with: "\"maximum_count\": {\"per_day\": 9}, \"maximum_tip\"")
        func needed(_ nonce: UInt64) throws -> PersonNeeded.Cause? {
            try memory.data().personNeeded(for: memory.review(Memory.transfer(nonce: nonce)))?.cause
        }
        #expect(try needed(16) == nil && needed(17) == .highFirstNonce(17))
        #expect(try needed(UInt64(UInt32.max)) == .highFirstNonce(UInt128(UInt32.max)))
        try memory.sign(Memory.transfer(nonce: 10))
        #expect(try needed(26) == nil)
    }

    @Test
    func `a standing approval does not answer for a look-alike, a reused nonce or an unlimited repetition`()
        throws
    {
        let memory = Memory()
        memory.policy = StandingApprovalLaws.policy.replacing(
            Hex.encode(SigningVault.bob), with: Hex.encode(Self.fake))
        func needed(_ payload: [UInt8]) throws -> PersonNeeded? {
            try memory.data().personNeeded(for: memory.review(payload))
        }
        #expect(try needed(Memory.transfer(to: Self.fake)) == nil)
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        guard case .warning? = try needed(Memory.transfer(to: Self.fake))?.cause else {
            Issue.record("approved")
            return
        }
        memory.contacts = []
        try memory.sign(Memory.transfer(to: Self.fake))
        #expect(try needed(Memory.transfer(to: Self.fake)) == nil)
        guard case .rules(let obstacles)? = try needed(Memory.transfer(to: Self.fake, nonce: 1))?.cause,
            case .repetition? = obstacles.first?.reason
        else {
            Issue.record("repeated")
            return
        }
        #expect(try needed(Memory.transfer(61, to: Self.fake)) != nil)
        // A rule that says how often approves what it repeats; one that says how much within a time does,
        // too, where counters are kept.
        memory.policy = StandingApprovalLaws.policy.replacing(
            Hex.encode(SigningVault.bob), with: Hex.encode(Self.fake)
        ).replacing("\"maximum_tip\"", with: "\"maximum_count\": {\"per_day\": 9}, \"maximum_tip\"")
        #expect(try needed(Memory.transfer(to: Self.fake, nonce: 1)) == nil)
        // Much more than ever is for a person all the same.
        memory.policy = memory.policy?.replacing("\"100\"", with: "\"100000\"")
        let far = Memory.transfer(60_000, to: Self.fake, nonce: 1)
        #expect(try memory.codes(far)[0].contains("payment_far_above"))
        guard case .warning? = try needed(far)?.cause else {
            Issue.record("approved far above the largest payment")
            return
        }
    }

    // MARK: Nonces, repetitions, eras

    @Test(
        arguments: [
            (5, 60, ["signed_before"]), (5, 61, ["nonce_reused", "call_repeated"]),
            (3, 61, ["nonce_below_highest", "call_repeated"]),
            (6, 61, ["call_repeated"]), (21, 61, ["call_repeated"]),
            (22, 61, ["nonce_far_ahead", "call_repeated"]),
        ] as [(UInt64, UInt128, [String])])
    func `a nonce is compared with the highest that was signed`(
        nonce: UInt64, amount: UInt128, codes: [String]
    ) throws {
        let memory = Memory()
        #expect(try memory.codes(Memory.transfer(nonce: 1000)) == [[]])
        try memory.sign(Memory.transfer(nonce: 5))
        #expect(try memory.codes(Memory.transfer(amount, nonce: nonce)) == [codes])
    }

    @Test func `two transactions of a bulk with one nonce, or of the same bytes, are an alarm`() throws {
        let memory = Memory()
        #expect(
            try memory.codes(SigningVault.bulk([Memory.transfer(1), Memory.transfer(2)])) == [
                [], ["nonce_reused", "call_repeated"],
            ])
        #expect(
            try memory.codes(SigningVault.bulk([Memory.transfer(1), Memory.transfer(1)])) == [
                [], ["signed_before"],
            ])
        #expect(
            try memory.codes(
                SigningVault.bulk([
                    Memory.transfer(1, nonce: 1), Memory.transfer(2, to: SigningVault.alice, nonce: 2),
                ])) == [
                    [], [],
                ])
    }

    @Test(
        arguments: [
            (0, true), (86_400, true), (86_401, false), (-1000, true),
        ] as [(Int64, Bool)])
    func `the same call within a day is said, also after the clock went back`(wait: Int64, isSaid: Bool)
        throws
    {
        let memory = Memory()
        try memory.sign(Memory.transfer(60, nonce: 0, block: 1))
        memory.now = UInt64(Int64(Memory.start) + wait)
        let same = try memory.review(Memory.transfer(60, nonce: 1, block: 2))[0].history?.warnings ?? []
        let other = try memory.review(Memory.transfer(61, nonce: 1, block: 2))[0].history?.warnings ?? []
        #expect(
            same.map(\.value)
                == (isSaid ? ["The same call with the same amounts was signed on 2023-11-14 22:13 UTC"] : []))
        #expect(
            other.map(\.value)
                == (isSaid ? ["The same call with other amounts was signed on 2023-11-14 22:13 UTC"] : []))
        #expect(
            try memory.codes(Memory.transfer(to: [UInt8](repeating: 9, count: 32), nonce: 1, block: 2)) == [
                []
            ])
    }

    @Test(arguments: [(64 * 6, false), (64 * 6 + 1, true)] as [(UInt64, Bool)])
    func `an era that began longer ago than its period is probably over`(wait: UInt64, isSaid: Bool) throws {
        let memory = Memory()
        try memory.sign(Memory.transfer(to: SigningVault.alice, nonce: 0, block: 1))
        memory.now += wait
        #expect(try memory.codes(Memory.transfer(nonce: 1, block: 1)) == [isSaid ? ["era_expired"] : []])
        #expect(try memory.codes(Memory.transfer(nonce: 1, block: 2)) == [[]])
        #expect(try memory.codes(Memory.transfer(nonce: 1, block: 1, period: 128)) == [[]])
    }

    @Test func `a message that is signed again says when, and one to any network, too`() throws {
        let memory = Memory()
        for isBound in [true, false] {
            let message = SigningVault.message("hello", isBound: isBound)
            #expect(try memory.codes(message) == [isBound ? [] : ["signed_before"]])
            try memory.sign(message)
            #expect(try memory.codes(message) == [["signed_before"]])
        }
        #expect(try memory.codes(SigningVault.message("other")) == [[]])
    }

    // MARK: Records

    @Test func `records read what they write, and nothing else`() throws {
        var record = PaidDestination(at: 5)
        for index in 0..<40 {
            record.add(
                [.init(asset: "\(index)", pallet: "Assets", raw: Planck(UInt128(index)))], at: UInt64(index))
        }
        #expect(
            record.largest.count == PaidDestination.assetLimit && record.count == 40 && record.first == 0
                && record.last == 39)
        record.add([.init(asset: "1", pallet: "Assets", raw: 100)], at: 3)
        record.add([.init(asset: "1", pallet: "Assets", raw: 99)], at: 3)
        #expect(record.largest[1].raw == 100)
        #expect(PaidDestination(record.encoded) == record)
        #expect(
            PaidDestination(record.encoded + [0]) == nil
                && PaidDestination(Array(record.encoded.dropLast())) == nil)
        for (nonce, generation) in [(UInt128(7), UInt32(0)), (7, 1), (nil, 2)] as [(UInt128?, UInt32)] {
            let highest = HighestNonce(nonce, at: 5, generation: generation)
            #expect(highest.encoded.count == (generation == 0 ? 24 : 29))
            let read = try #require(HighestNonce(highest.encoded))
            #expect(read.nonce == nonce && read.time == 5 && read.generation == generation)
            let signed = try #require(
                SignedNonce(SignedNonce(Hash32(SigningVault.bob)!, at: 6, generation: generation).encoded))
            #expect(
                signed.time == 6 && signed.generation == generation
                    && signed.hash == Hash32(SigningVault.bob)!)
            #expect(
                HighestNonce(highest.encoded + [0]) == nil
                    && HighestNonce(Array(highest.encoded.dropLast())) == nil)
        }
    }

    @Test func `without a history nothing is said`() throws {
        let data = try SigningVault.data()
        let item = try TransactionReview(data).review(try Payload(Memory.transfer()))[0]
        #expect(item.history == nil && ReviewSummary(item).recipients[0].history == nil)
        #expect(try data.historyRows(of: [(item, SigningVault.alice)], isConfirmed: true).isEmpty)
    }
}

@Suite struct KnownNamesLaws {
    /// A name that was given before the key came into the vault must not hide that the account is the vault's
    /// own.
    @Test func `an own key that is a contact, too, is shown as the own key`() throws {
        var state = try SigningVault.data(labels: [(SigningVault.alice, "savings")]).state
        state.contacts = [ContactRecord(scheme: .sr25519, account: SigningVault.alice, label: "Kraken")]
        #expect(
            state.known(SigningVault.alice, genesis: nil)
                == KnownAccount(.own(seed: "main", path: "//0"), label: "savings"))
        state.keys = []
        let mark = ContactMark(name: "Kraken", list: nil, isOfOtherNetwork: false)
        #expect(state.known(SigningVault.alice, genesis: nil) == KnownAccount(.contact(mark)))
    }
}
