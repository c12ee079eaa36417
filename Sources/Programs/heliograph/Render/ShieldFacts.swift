import AirGap

/// What the network detector sees, as it is printed.
struct ShieldFacts: Encodable {
    struct Traffic: Encodable {
        let interface: String
        let received: UInt64
        let sent: UInt64
    }
    let status: String
    let findings: [String]
    let unacknowledged_traffic: [Traffic]
    let allows_online: Bool

    /// Without a vault: what is seen now, and nothing that was seen before.
    init(_ report: ShieldReport) {
        status = report.isOnline ? "online" : "offline"
        findings = report.findings.map(\.text)
        unacknowledged_traffic = []
        allows_online = false
    }

    init(_ policy: ShieldPolicy) {
        status =
            switch policy.status {
            case .offline: "offline"
            case .online: "online"
            case .unacknowledged: "unacknowledged"
            }
        findings = policy.report.findings.map(\.text)
        unacknowledged_traffic = policy.unexplained.map { Traffic(interface: $0.interface, received: $0.received, sent: $0.sent) }
        allows_online = policy.allowsOnline
    }
}
