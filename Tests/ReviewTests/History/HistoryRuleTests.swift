import Cards
import FixtureRuntime
import Forge
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Review

/// A history in memory, beside ``SigningVault``.
final class Memory {
    static let start: UInt64 = 1_700_000_000
    var rows: [HistoryKey: [UInt8]] = [:]
    var now = start
    var isIncomplete = false
    var contacts: [ContactRecord] = []
    var policy: String?
    var keys: [(key: [UInt8], label: String)] = []

    func data() throws -> ChainData {
        let plain = try SigningVault.data(policy: policy, labels: keys)
        var state = plain.state
        state.contacts = contacts
        let blob = SigningVault.runtime.metadata()
        let history = ReviewHistory(now: now, since: Self.start, isIncomplete: isIncomplete) { [rows] keys in
            rows.filter { keys.contains($0.key) }
        }
        return ChainData(state: state, history: history) { _ in blob }
    }

    func review(_ payload: [UInt8]) throws -> [ReviewedTransaction] { try TransactionReview(data()).review(try Payload(payload)) }

    /// As the ceremony does.
    @discardableResult
    func sign(_ payload: [UInt8], isConfirmed: Bool = true) throws -> [ReviewedTransaction] {
        let items = try review(payload)
        let accounts = items.map { ($0, $0.signer.account(record: $0.key)) }
        for row in try data().historyRows(of: accounts, isConfirmed: isConfirmed) { rows[row.key] = row.value }
        return items
    }

    /// The codes of the history's warnings, by payload.
    func codes(_ payload: [UInt8]) throws -> [[String]] {
        try review(payload).map { item in try #require(item.history).warnings.map { $0.text(of: "code") ?? "" } }
    }

    static func transfer(
        _ amount: UInt128 = 60, to account: [UInt8] = SigningVault.bob, nonce: UInt64 = 0, block: UInt8 = 1, period: UInt32 = 64
    ) -> [UInt8] {
        payload(SigningVault.transfer(amount, to: account), nonce: nonce, block: block, period: period)
    }

    static func payload(_ call: [UInt8], nonce: UInt64 = 0, block: UInt8 = 1, period: UInt32 = 64) -> [UInt8] {
        SigningVault.runtime.transactionPayload(
            signer: SigningVault.alice, call: call,
            FixtureExtensionValues(
                era: .mortal(MortalEra(period: period, phase: 0)!), blockHash: Hash32([UInt8](repeating: block, count: 32)), nonce: nonce))
    }
}

@Suite struct HistoryRuleLaws {
    private static let day: UInt64 = 86_400
    private static let prefix = SigningVault.runtime.specs.base58Prefix

    private static func payment(_ items: [ReviewedTransaction], at index: Int = 0) throws -> HistoryFindings.Payment {
        try #require(ReviewSummary(items[index]).recipients.first?.history)
    }

    // MARK: Destinations

    @Test func `a stranger is not paid before, and is paid before when it was signed`() throws {
        let memory = Memory()
        #expect(try Self.payment(memory.review(Memory.transfer())) == .notPaid(extent: "history since 2023-11-14 UTC"))
        memory.isIncomplete = true
        #expect(try Self.payment(memory.review(Memory.transfer())) == .notPaid(extent: "history incomplete before 2023-11-14 UTC"))
        for (index, amount) in [UInt128(60), 900, 70].enumerated() {
            memory.now = Memory.start + UInt64(index) * 2 * Self.day
            try memory.sign(Memory.transfer(amount, nonce: UInt64(index), block: UInt8(index)))
        }
        guard case .paid(let record, let largest) = try Self.payment(memory.review(Memory.transfer(1, nonce: 3, block: 9))) else {
            Issue.record("not paid")
            return
        }
        #expect(record.count == 3 && record.first == Memory.start && record.last == Memory.start + 4 * Self.day)
        #expect(record.largest == [.init(asset: "", pallet: "", raw: "900")])
        #expect(try #require(largest).symbol.utf8Equals(SigningVault.runtime.specs.unit))
    }

    @Test func `own keys and contacts need no history, a contact of another network does`() throws {
        let memory = Memory()
        memory.keys = [(SigningVault.alice, ""), (SigningVault.bob, "bob")]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .named)
        memory.keys = []
        memory.contacts = [ContactRecord(scheme: .sr25519, account: SigningVault.bob, label: "bob")]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .named)
        memory.contacts[0].networks = [SigningVault.runtime.genesisHash]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .named)
        memory.contacts[0].networks = [Hash32([UInt8](repeating: 3, count: 32))!]
        #expect(try Self.payment(memory.review(Memory.transfer())) == .notPaid(extent: "history since 2023-11-14 UTC"))
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
        let proxy = SigningVault.runtime.call("Proxy", "proxy", [FixtureValue.address(real), FixtureValue.none, multisig])
        try memory.sign(Memory.payload(proxy))
        guard case .paid(let record, nil) = try Self.payment(memory.review(Memory.transfer(to: signatory, nonce: 1, block: 2))) else {
            Issue.record("not known")
            return
        }
        #expect(record.count == 1 && record.largest.isEmpty)
        #expect(
            try Self.payment(memory.review(Memory.transfer(to: real, nonce: 1, block: 2)))
                == .notPaid(extent: "history since 2023-11-14 UTC"))
    }

    @Test func `a payload that pays an account twice counts once`() throws {
        let memory = Memory()
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all", [FixtureValue.vector([SigningVault.transfer(5), SigningVault.transfer(7)])])
        try memory.sign(Memory.payload(batch))
        guard case .paid(let record, _) = try Self.payment(memory.review(Memory.transfer(nonce: 1, block: 2))) else {
            Issue.record("not known")
            return
        }
        #expect(record.count == 1 && record.largest == [.init(asset: "", pallet: "", raw: "7")])
    }

    /// What stands beside it in a bulk is not signed yet.
    @Test func `a bulk makes nobody known to itself`() throws {
        let memory = Memory()
        let items = try memory.review(SigningVault.bulk([Memory.transfer(nonce: 0), Memory.transfer(61, nonce: 1)]))
        #expect(try Self.payment(items, at: 1) == .notPaid(extent: "history since 2023-11-14 UTC"))
    }

    /// Networks of one prefix write an account alike.
    @Test func `together with a network that has not paid it, an account is not paid before`() throws {
        let memory = Memory()
        let unpaid = ReviewSummary(try memory.review(Memory.transfer())[0])
        try memory.sign(Memory.transfer())
        let paid = ReviewSummary(try memory.review(Memory.transfer(nonce: 1, block: 2))[0])
        for parts in [[unpaid, paid], [paid, unpaid]] {
            #expect(ReviewSummary(whole: parts).recipients.map(\.history) == [.notPaid(extent: "history since 2023-11-14 UTC")])
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

    // MARK: Look-alikes

    private static func lookAlike(of account: [UInt8]) -> [UInt8] {
        var generator = SeededGenerator(seed: 5)
        return LookAlikeLaws.grind(account, bytes: 5, end: 2, prefix: prefix, &generator)
    }

    private static let fake = lookAlike(of: SigningVault.bob)

    private static func expectAlarm(_ memory: Memory, known: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
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
        try Self.expectAlarm(memory, known: "an account that was paid before")
    }

    /// Dust that was signed for the look-alike makes it no friend, and no contact loses the alarm by it.
    @Test func `a look-alike that was paid keeps its alarm until a person names it`() throws {
        let memory = Memory()
        try memory.sign(Memory.transfer(nonce: 0))
        try memory.sign(Memory.transfer(1, to: Self.fake, nonce: 1))
        try Self.expectAlarm(memory, known: "an account that was paid before")
        #expect(try memory.codes(Memory.transfer(5, nonce: 2, block: 3))[0].first.utf8Equals("look_alike"))
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        #expect(try memory.codes(Memory.transfer(5, nonce: 2, block: 3))[0].contains { $0.utf8Equals("look_alike") } == false)
        try Self.expectAlarm(memory, known: "contact bob")
    }

    @Test func `both in one transaction, or in one bulk, are an alarm`() throws {
        let memory = Memory()
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all", [FixtureValue.vector([SigningVault.transfer(5), SigningVault.transfer(7, to: Self.fake)])])
        #expect(try memory.codes(Memory.payload(batch))[0].count { $0.utf8Equals("look_alike") } == 2)
        let items = try memory.review(SigningVault.bulk([Memory.transfer(nonce: 0), Memory.transfer(to: Self.fake, nonce: 1)]))
        #expect(items[1].history?.warnings.first?.text(of: "code").utf8Equals("look_alike") == true)
    }

    /// A contact has no alarm later, so it comes with the name.
    @Test func `an account that is to get a name is compared with own keys, contacts, accounts that were paid and the rest of its list`()
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
        #expect(found.name.utf8Equals("contact bob"))
        #expect(found.address.utf8Contains(found.word) && !found.other.utf8Contains(found.word))
        // A name for another network is none that this prefix concerns.
        let elsewhere = contact(Self.fake, "vendor", [Hash32([UInt8](repeating: 3, count: 32))!])
        #expect(try memory.data().resemblances(of: [elsewhere]).isEmpty == (Self.prefix != 42))
        memory.contacts = []
        try memory.sign(Memory.transfer())
        #expect(try memory.data().resemblances(of: [new]).map(\.name) == ["an account that was paid before"])
        // The account itself is no look-alike of itself.
        #expect(try memory.data().resemblances(of: [contact(SigningVault.bob, "bob")]).isEmpty)
        let both = try Memory().data().resemblances(of: [new, contact(SigningVault.bob, "bob")])
        #expect(both.map(\.name) == ["contact bob of the same list", "contact vendor of the same list"])
    }

    @Test func `a signed list that names a look-alike asks for its characters, one that names others for yes`() throws {
        let pair = ContactListPlanLaws.pair(1)
        let memory = Memory()
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        func plan(_ entries: [ContactList.Entry]) throws -> ContactListPlan {
            let list = try ContactList(issuer: pair.publicKey, number: 1, entries: entries)
            var state = try memory.data().state
            state.listSigners = [ListSignerRecord(publicKey: pair.publicKey, label: "Office")]
            let payload = ContactListPayload(list, signature: try pair.sign(list.signedBytes, domain: .heliograph))
            return try memory.data().comparing(ContactListPlan(payload, in: state))
        }
        let alike = try plan([ContactList.Entry(account: Self.fake, label: "vendor")])
        #expect(alike.lookAlikes.map(\.name) == ["contact bob"])
        #expect(try #require(alike.word).utf8Equals(#require(alike.lookAlikes.first).word) && !alike.isRelabelling)
        memory.contacts = []
        let entries = [ContactList.Entry(account: Self.fake, label: "vendor"), ContactList.Entry(account: SigningVault.bob, label: "bob")]
        let both = try plan(entries.sorted { $0.account.lexicographicallyPrecedes($1.account) })
        #expect(both.lookAlikes.count == 2)
        #expect(try #require(both.word).utf8Equals(both.lookAlikes.map(\.word).joined(separator: " ")))
        let other = try plan([ContactList.Entry(account: [UInt8](repeating: 0x51, count: 32), label: "vendor")])
        #expect(other.lookAlikes.isEmpty && other.word == nil)
    }

    /// The words of several are typed together, and no other danger gets them away.
    @Test func `the word of a look-alike outranks every other, and several are joined`() throws {
        let memory = Memory()
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        let all = SigningVault.runtime.call("Balances", "transfer_all", [FixtureValue.address(Self.fake), [0]])
        let item = try memory.review(Memory.payload(all))[0]
        let word = try #require(ReviewSummary(item).word)
        #expect(word.text.utf8Equals(item.cards.warning.first?.text(of: "word") ?? ""))
        for hidden in [TypedWord("hidden call", 11), TypedWord("sudo", 10)] {
            #expect(TypedWord.stronger(hidden, word) == word && TypedWord.stronger(word, hidden) == word)
        }
        let other = Self.lookAlike(of: SigningVault.alice)
        let second = try memory.review(Memory.transfer(to: other, nonce: 1, block: 2))[0]
        let whole = ReviewSummary(whole: [ReviewSummary(item), ReviewSummary(second)])
        #expect(whole.word?.text.utf8Equals("\(word.text) \(second.cards.warning[0].text(of: "word") ?? "")") == true)
    }

    @Test func `a standing approval does not answer for a look-alike or a reused nonce, and does for a repetition`() throws {
        let memory = Memory()
        memory.policy = StandingApprovalLaws.policy.replacing(Hex.encode(SigningVault.bob), with: Hex.encode(Self.fake))
        func needed(_ payload: [UInt8]) throws -> PersonNeeded? { try memory.data().personNeeded(for: memory.review(payload)) }
        #expect(try needed(Memory.transfer(to: Self.fake)) == nil)
        memory.contacts = [ContactRecord(scheme: nil, account: SigningVault.bob, label: "bob")]
        guard case .warning? = try needed(Memory.transfer(to: Self.fake))?.cause else {
            Issue.record("approved")
            return
        }
        memory.contacts = []
        try memory.sign(Memory.transfer(to: Self.fake))
        #expect(try needed(Memory.transfer(to: Self.fake)) == nil)
        #expect(try needed(Memory.transfer(to: Self.fake, nonce: 1)) == nil)
        #expect(try needed(Memory.transfer(61, to: Self.fake)) != nil)
    }

    // MARK: Nonces, repetitions, eras

    @Test(
        arguments: [
            (5, 60, ["signed_before"]), (5, 61, ["nonce_reused", "call_repeated"]), (3, 61, ["nonce_below_highest", "call_repeated"]),
            (6, 61, ["call_repeated"]), (21, 61, ["call_repeated"]), (22, 61, ["nonce_far_ahead", "call_repeated"]),
        ] as [(UInt64, UInt128, [String])])
    func `a nonce is compared with the highest that was signed`(nonce: UInt64, amount: UInt128, codes: [String]) throws {
        let memory = Memory()
        #expect(try memory.codes(Memory.transfer(nonce: 1000)) == [[]])
        try memory.sign(Memory.transfer(nonce: 5))
        #expect(try memory.codes(Memory.transfer(amount, nonce: nonce)) == [codes])
    }

    @Test func `two transactions of a bulk with one nonce, or of the same bytes, are an alarm`() throws {
        let memory = Memory()
        #expect(try memory.codes(SigningVault.bulk([Memory.transfer(1), Memory.transfer(2)])) == [[], ["nonce_reused", "call_repeated"]])
        #expect(try memory.codes(SigningVault.bulk([Memory.transfer(1), Memory.transfer(1)])) == [[], ["signed_before"]])
        #expect(
            try memory.codes(SigningVault.bulk([Memory.transfer(1, nonce: 1), Memory.transfer(2, to: SigningVault.alice, nonce: 2)])) == [
                [], [],
            ])
    }

    @Test(
        arguments: [
            (0, true), (86_400, true), (86_401, false), (-1000, true),
        ] as [(Int64, Bool)])
    func `the same call within a day is said, also after the clock went back`(wait: Int64, isSaid: Bool) throws {
        let memory = Memory()
        try memory.sign(Memory.transfer(60, nonce: 0, block: 1))
        memory.now = UInt64(Int64(Memory.start) + wait)
        let same = try memory.review(Memory.transfer(60, nonce: 1, block: 2))[0].history?.warnings ?? []
        let other = try memory.review(Memory.transfer(61, nonce: 1, block: 2))[0].history?.warnings ?? []
        #expect(same.map(\.value) == (isSaid ? ["The same call with the same amounts was signed on 2023-11-14 22:13 UTC"] : []))
        #expect(other.map(\.value) == (isSaid ? ["The same call with other amounts was signed on 2023-11-14 22:13 UTC"] : []))
        #expect(try memory.codes(Memory.transfer(to: [UInt8](repeating: 9, count: 32), nonce: 1, block: 2)) == [[]])
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
        for index in 0..<40 { record.add([.init(asset: "\(index)", pallet: "Assets", raw: "\(index)")], at: UInt64(index)) }
        #expect(record.largest.count == PaidDestination.assetLimit && record.count == 40 && record.first == 0 && record.last == 39)
        record.add([.init(asset: "1", pallet: "Assets", raw: "100")], at: 3)
        record.add([.init(asset: "1", pallet: "Assets", raw: "99")], at: 3)
        #expect(record.largest[1].raw.utf8Equals("100"))
        #expect(PaidDestination(record.encoded) == record)
        #expect(PaidDestination(record.encoded + [0]) == nil && PaidDestination(Array(record.encoded.dropLast())) == nil)
    }

    @Test func `without a history nothing is said`() throws {
        let data = try SigningVault.data()
        let item = try TransactionReview(data).review(try Payload(Memory.transfer()))[0]
        #expect(item.history == nil && ReviewSummary(item).recipients[0].history == nil)
        #expect(try data.historyRows(of: [(item, SigningVault.alice)], isConfirmed: true).isEmpty)
    }
}
