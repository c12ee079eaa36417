import AirGap
import Lines
import TerminalIO

/// The network detector.
extension Wording {
    static let wasOnline = "this device was online since the last acknowledgement"

    /// One line for both facts; nil where there is nothing to say.
    package static func airGap(
        isDevelopment: Bool, _ status: ShieldPolicy.Status, _ findings: [ShieldReport.Finding]
    ) -> String? {
        switch (status, isDevelopment) {
        case (.online, true): "development vault, online (\(ShieldReport.text(findings)))"
        case (.online, false): "THIS DEVICE IS ONLINE (\(ShieldReport.text(findings)))"
        case (.unacknowledged, false): wasOnline
        case (.unacknowledged, true), (.offline, true): "development vault"
        case (.offline, false): nil
        }
    }

    package static let acknowledged = "acknowledged that the device was online, and recorded it in the log"

    package static func traffic(_ interface: String, received: UInt64, sent: UInt64) -> String {
        "\(interface) received \(received) bytes and sent \(sent) bytes"
    }
}
