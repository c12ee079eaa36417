import AirGap
import Ceremony
import Glibc
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO

/// The one line above a command's output where the device is online or may have been, or the vault is for
/// development.
enum AirGapWarning {
    /// What was said last: a shell says it again only when it changes.
    private nonisolated(unsafe) static var told: String?

    static func warn(_ command: any Command, _ console: Console) {
        if command.isAboutProgram { return }
        let line = line(command)
        defer { told = line }
        guard let line, told.map(line.utf8Equals) != true else { return }
        console.alarm(line)
    }

    private static func line(_ command: any Command) -> String? {
        let device = (command as? any VaultCommand).flatMap { try? Device(directory: $0.vault.directory()) }
        guard let device, let policy = try? device.shield() else {
            let report = NetworkDetector().report()
            let isDevelopment = (try? device?.vault().isDevelopment) == true
            return Wording.airGap(
                isDevelopment: isDevelopment, report.isOnline ? .online : .offline, report.findings)
        }
        return Wording.airGap(isDevelopment: policy.allowsOnline, policy.status, policy.report.findings)
    }
}
