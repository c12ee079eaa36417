import AirGap
import Testing
import TrustStore

@Suite struct ShieldPolicyLaws {
    static func report(up: Bool = false, sent: UInt64 = 0, boot: String = "one") -> ShieldReport {
        ShieldReport(
            findings: up ? [.interfaceUp("eth0")] : [],
            traffic: sent > 0 ? [ShieldReport.Traffic(interface: "eth0", received: 0, sent: sent)] : [],
            boot: boot)
    }

    static func policy(_ report: ShieldReport, _ fixture: TrustFixture) throws -> ShieldPolicy {
        let store = try TrustStore(directory: fixture.directory)
        return ShieldPolicy(
            report, settings: try store.uncheckedTrust().state.settings, journalled: store.journalled)
    }

    @Test func anOfflineDeviceMayTouchSecrets() throws {
        let policy = try Self.policy(Self.report(), TrustFixture())
        #expect(policy.status == .offline)
        #expect(policy.allowsSecrets)
        #expect(policy.event == nil)
    }

    @Test func beingOnlineIsWrittenDownOnceAndBlocksUntilItIsAcknowledged() throws {
        let fixture = try TrustFixture()
        let online = try Self.policy(Self.report(up: true), fixture)
        #expect(online.status == .online)
        #expect(!online.allowsSecrets)
        #expect(online.event?.facts.map(\.name) == ["found"])
        try TrustStore(directory: fixture.directory).journal(try #require(online.event))
        #expect(try Self.policy(Self.report(up: true), fixture).event == nil)
        // The cable is out, but nobody has acknowledged it: before the merge into the log and after it.
        #expect(try Self.policy(Self.report(), fixture).status == .unacknowledged)
        let store = try fixture.store
        #expect(try store.store.log().last?.event["found"] == "interface-up eth0")
        #expect(try Self.policy(Self.report(), fixture).status == .unacknowledged)
        #expect(try !Self.policy(Self.report(), fixture).allowsSecrets)
        #expect(try Self.policy(Self.report(up: true), fixture).event == nil)
        #expect(throws: ShieldPolicy.Failure.stillOnline) {
            try Self.policy(Self.report(up: true), fixture).acknowledge(store.trust().state)
        }
        let step = try Self.policy(Self.report(), fixture).acknowledge(store.trust().state)
        try store.change(step.changes, events: step.events)
        #expect(try Self.policy(Self.report(), fixture).status == .offline)
        #expect(try store.store.log().last?.event.kind == .onlineAcknowledged)
        #expect(throws: ShieldPolicy.Failure.nothingToAcknowledge) {
            try Self.policy(Self.report(), fixture).acknowledge(store.trust().state)
        }
    }

    @Test func trafficBeforeTheStartCountsUntilItIsAcknowledged() throws {
        let fixture = try TrustFixture()
        let store = try fixture.store
        let past = try Self.policy(Self.report(sent: 9), fixture)
        #expect(past.status == .unacknowledged)
        #expect(past.event?["traffic"] == "eth0 received 0 sent 9")
        let step = try past.acknowledge(store.trust().state)
        try store.change(step.changes, events: step.events)
        #expect(try Self.policy(Self.report(sent: 9), fixture).status == .offline)
        #expect(try Self.policy(Self.report(sent: 10), fixture).status == .unacknowledged)
        #expect(try Self.policy(Self.report(sent: 9, boot: "two"), fixture).status == .unacknowledged)
        #expect(try Self.policy(Self.report(boot: "two"), fixture).status == .offline)
    }

    @Test func aDevelopmentVaultWarnsAndBlocksNothing() throws {
        let settings: SealedSettings = [StoreSetting.allowOnline: [UInt8(1)]]
        let policy = ShieldPolicy(Self.report(up: true), settings: settings, journalled: [])
        #expect(policy.status == .online)
        #expect(policy.allowsSecrets)
        #expect(policy.event != nil)
    }
}
