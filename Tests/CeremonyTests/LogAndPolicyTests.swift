import Extrinsics
import Hashing
import Keys
import Review
import SubstratePrimitives
import Testing
import TrustStore
import Vault

@testable import Ceremony

@Suite struct LogAndPolicyTests {
    // MARK: The log

    @Test func `a note stands in the log`() throws {
        let fixture = try CeremonyFixture()
        fixture.wait(60)
        try fixture.act(NoteInLog("moved the drawer"))
        let entry = try #require(try fixture.log.last)
        #expect(entry.event == LogEvent(.userNote, [LogEvent.Fact("text", "moved the drawer")]))
        #expect(entry.time == 1_700_000_060)
    }

    @Test func `a cleared log says how long it was and what its head was`() throws {
        let fixture = try CeremonyFixture()
        try fixture.act(NoteInLog("one"))
        let session = try fixture.session()
        let before = try session.trust().state.log
        let preview = try session.preview(ClearLog())
        #expect(preview.shown == before)
        _ = try session.perform(preview.confirm())
        let facts = [LogEvent.Fact("entries", "\(before.last)"), LogEvent.Fact("head", before.hash.hex)]
        #expect(try fixture.events == [LogEvent(.logCleared, facts)])
        #expect(try fixture.log.first?.number == before.last + 1)
        #expect(try session.standing(of: LogHead(before)) == .held(number: before.last, later: 1))
    }

    @Test func `a line that nobody was shown is not cleared`() throws {
        try expectChanged(ClearLog(), in: CeremonyFixture()) { try $0.store.append([LogEvent(.userNote)]) }
    }

    @Test(arguments: Obstacle.allCases)
    func `nothing is noted or cleared under a broken seal or without the log`(obstacle: Obstacle) throws {
        try expectNothing(of: NoteInLog("x"), after: obstacle, in: CeremonyFixture())
        guard obstacle == .sealBroken else { return }
        try expectNothing(of: ClearLog(), after: obstacle, in: CeremonyFixture())
    }

    @Test func `while another program holds the store the log is not cleared`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(ClearLog()).confirm()
        let before = try fixture.snapshot
        try whileHeld(fixture) { #expect(throws: StoreError.busy) { try session.perform(approval) } }
        #expect(try fixture.snapshot == before)
    }

    @Test func `a head that was kept is found in its log, and in no other`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let head = LogHead(try session.checkLog())
        _ = try session.perform(session.preview(NoteInLog("later")).confirm())
        let number = try #require(head.number)
        #expect(try session.standing(of: head) == .held(number: number, later: 1))
        let hash = try #require(LogHead(head.hash.hex))
        #expect(try session.standing(of: hash) == .held(number: number, later: 1))
        let other = try #require(LogHead("heliograph-log:\(number):\(String(repeating: "0", count: 64))"))
        #expect(try session.standing(of: other) == .differs)
        let ahead = try #require(LogHead("heliograph-log:99:\(head.hash.hex)"))
        #expect(try session.standing(of: ahead) == .ahead(last: number + 1))
        #expect(try session.checkContents() == 0)
    }

    @Test func `text that is not a head is refused`() {
        let hash = String(repeating: "a", count: 64)
        #expect(LogHead("heliograph-log:7:\(hash)")?.text == "heliograph-log:7:\(hash)")
        #expect(LogHead(hash)?.number == nil)
        for text in [
            "", "7:\(hash)", "log:7:\(hash)", "heliograph-log::\(hash)", "heliograph-log:-1:\(hash)",
            "heliograph-log:7:\(hash):",
        ] {
            #expect(LogHead(text) == nil, "\(text)")
        }
    }

    @Test func `a device reads the log and what waits for it`() throws {
        let fixture = try CeremonyFixture()
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
        }
        #expect(try fixture.device.waiting().map(\.event.kind) == [.wrongPassphrase])
        _ = try fixture.session()
        #expect(try fixture.device.waiting().isEmpty)
        #expect(
            try fixture.device.log().last?.event.kind == .wrongPassphrase
                || fixture.device.log().contains { $0.event.kind == .wrongPassphrase })
        try fixture.device.checkLog()
        try fixture.write(sql: "UPDATE log SET time = 7 WHERE number = 1")
        #expect(throws: StoreError.sealBroken([.log(index: 1)])) { try fixture.device.checkLog() }
    }

    @Test func `what waited for the unlocking is in the log before it is cleared`() throws {
        let fixture = try CeremonyFixture()
        let early = try fixture.device.preview(ClearLog()).confirm()
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
        }
        let session = try fixture.session()
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(early) }
        _ = try session.perform(session.preview(ClearLog()).confirm())
        #expect(try fixture.names == [.logCleared])
    }

    // MARK: The policy

    private let rules = Array(#"{"networks": ["polkadot", "nowhere"], "maximum_tip": "0 DOT"}"#.utf8)

    @Test func `a policy is kept byte for byte, and what matches nothing is told`() throws {
        let fixture = try CeremonyFixture()
        let operation = try SetPolicy(json: rules)
        let shown = try fixture.act(operation)
        #expect(
            shown.unmatched == [UnmatchedEntry(place: "networks", entry: "nowhere", reason: .unknownNetwork)])
        #expect(shown.hash == BLAKE2b.hash(rules))
        #expect(try fixture.state.settings[TransactionPolicy.setting] == rules)
        #expect(
            try fixture.events.last
                == LogEvent(.policySet, [LogEvent.Fact("policy", Hex.encode(BLAKE2b.hash(rules)))]))
    }

    @Test func `text that is no policy is no operation`() {
        #expect(throws: TransactionPolicy.Fault.self) { _ = try SetPolicy(json: Array("{".utf8)) }
        #expect(throws: TransactionPolicy.Fault.self) {
            _ = try SetPolicy(json: Array(#"{"unknown": 1}"#.utf8))
        }
    }

    @Test func `a network that goes after the preview is another warning`() throws {
        let polkadot = NetworkSpecs.defaults[0]
        try expectChanged(SetPolicy(json: rules), in: CeremonyFixture()) {
            try $0.store.change([.removeNetwork(polkadot.genesisHash, polkadot.scheme)], events: [])
        }
    }

    @Test func `a policy is removed, and where there is none nothing is`() throws {
        let fixture = try CeremonyFixture()
        #expect(throws: CeremonyError.noPolicy) { _ = try fixture.device.preview(ClearPolicy()) }
        try fixture.act(SetPolicy(json: rules))
        try fixture.act(ClearPolicy())
        #expect(try fixture.state.settings[TransactionPolicy.setting] == nil)
        #expect(try fixture.events.last == LogEvent(.policyCleared))
    }

    /// The order of policies is a law of its own; here is that it decides about the word.
    @Test func `whoever allows more types a word, and whoever allows less does not`() throws {
        let fixture = try CeremonyFixture()
        func word(_ json: String) throws -> String? {
            try fixture.device.preview(SetPolicy(json: Array(json.utf8))).shown.word
        }
        #expect(try word(#"{"maximum_tip": "0 DOT"}"#) == nil)
        #expect(
            try word(
                #"{"approve": [{"networks": ["polkadot"], "calls": ["A.b"], "destinations": [], "maximum_amount": "1 DOT", "maximum_tip": "0 DOT"}]}"#
            ) == "allow more")
        try fixture.act(SetPolicy(json: rules))
        #expect(try fixture.device.preview(ClearPolicy()).shown.word == "allow more")
        #expect(try word(#"{"networks": ["polkadot"], "maximum_tip": "0 DOT"}"#) == nil)
        #expect(try word(#"{"networks": ["polkadot"], "maximum_tip": "1 DOT"}"#) == "allow more")
        #expect(try word("{}") == "allow more")
        // Nothing is signed under a policy that cannot be read.
        try fixture.session().store.change([.putSetting(TransactionPolicy.setting, [1])], events: [])
        #expect(try word(#"{"networks": []}"#) == "allow more")
        try fixture.session().store.change(
            [.putSetting(TransactionPolicy.setting, Array("{}".utf8))], events: [])
        #expect(try fixture.device.preview(ClearPolicy()).shown.word == nil)
    }

    @Test func `another policy than the one at the question stays`() throws {
        let fixture = try CeremonyFixture()
        try fixture.act(SetPolicy(json: rules))
        try expectChanged(ClearPolicy(), in: fixture) {
            try $0.store.change([.putSetting(TransactionPolicy.setting, Array("{}".utf8))], events: [])
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `no policy comes or goes without its line in the log`(obstacle: Obstacle) throws {
        try expectNothing(of: SetPolicy(json: rules), after: obstacle, in: CeremonyFixture())
        let fixture = try CeremonyFixture()
        try fixture.act(SetPolicy(json: rules))
        try expectNothing(of: ClearPolicy(), after: obstacle, in: fixture)
    }
}
