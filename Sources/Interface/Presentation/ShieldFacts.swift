import AirGap

/// What the network detector sees, as it is printed.
package struct ShieldFacts: Encodable {
    package struct Traffic: Encodable {
        package let interface: String
        package let received: UInt64
        package let sent: UInt64
    }
    package let status: String
    package let findings: [String]
    package let unacknowledged_traffic: [Traffic]
    let allows_online: Bool

    /// The facts without a vault: only what the detector sees now.
    package init(_ report: ShieldReport) {
        status = report.isOnline ? "online" : "offline"
        findings = report.findings.map(\.text)
        unacknowledged_traffic = []
        allows_online = false
    }

    package init(_ policy: ShieldPolicy) {
        status =
            switch policy.status {
            case .offline: "offline"
            case .online: "online"
            case .unacknowledged: "unacknowledged"
            }
        findings = policy.report.findings.map(\.text)
        unacknowledged_traffic = policy.unexplained.map {
            Traffic(interface: $0.interface, received: $0.received, sent: $0.sent)
        }
        allows_online = policy.allowsOnline
    }
}
