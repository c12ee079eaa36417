import AirGap
import Diagnostics

extension ShieldRefusal: DiagnosticError {
    enum Code: String, CaseIterable, Sendable {
        case deviceOnline = "device-online"
        case unacknowledged = "online-unacknowledged"
    }

    var code: Code {
        switch self {
        case .online, .onlineAtStart: .deviceOnline
        case .unacknowledged: .unacknowledged
        }
    }

    var sentence: String {
        switch self {
        case .online(let findings): "this device is online (\(Wording.findings(findings))): nothing that touches a secret is done"
        case .onlineAtStart(let findings): "this device is online (\(Wording.findings(findings))): no vault is made here"
        case .unacknowledged: Wording.wasOnline
        }
    }

    static var examples: [ShieldRefusal] {
        [.online([.interfaceUp("eth0")]), .onlineAtStart([.interfaceUp("eth0"), .radio(name: "phy0", kind: "wlan")]), .unacknowledged]
    }
}
