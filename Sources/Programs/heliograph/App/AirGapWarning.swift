import AirGap
import Ceremony
import Glibc
import Terminal

/// The red lines that stand over every command while the device is online or may be.
enum AirGapWarning {
    static func warn(_ command: any Command, _ console: Console) {
        let device = (command as? any VaultCommand).flatMap { try? Device(directory: $0.vault.directory()) }
        guard let device, let policy = try? device.shield() else {
            if let device, (try? device.vault().isDevelopment) == true { console.alarm(Wording.developmentVault) }
            let report = NetworkDetector().report()
            if report.isOnline { console.alarm(Wording.online(report.findings)) }
            return
        }
        if policy.allowsOnline { console.alarm(Wording.developmentVault) }
        switch policy.status {
        case .offline: break
        case .online: console.alarm(Wording.online(policy.report.findings))
        case .unacknowledged: if !policy.allowsOnline { console.alarm(Wording.wasOnline) }
        }
    }
}

extension Console {
    /// A line about danger: on stderr, red where a terminal shows it.
    func alarm(_ line: String) {
        let red = errorIsTerminal && getenv("NO_COLOR") == nil
        note("heliograph: " + (red ? "\u{1b}[31m\(Escape.terminal(line))\u{1b}[0m" : Escape.terminal(line)))
    }
}
