import AirGap
import Glibc
import Review
import Terminal
import TrustStore

/// Why nothing that touches a secret is done now.
enum ShieldRefusal: Error, Equatable {
    case online([ShieldReport.Finding])
    /// No vault is made on a device that is online.
    case onlineAtStart([ShieldReport.Finding])
    /// It was online, and nobody has acknowledged it.
    case unacknowledged
}

/// What the network detector means for a command.
enum ShieldGuard {
    static func policy(_ store: TrustStore) throws -> ShieldPolicy {
        ShieldPolicy(NetworkDetector().report(), settings: try store.uncheckedState().settings, journalled: store.journalled)
    }

    /// Writes down that the device is or was online, once.
    @discardableResult
    static func record(_ store: TrustStore) throws -> ShieldPolicy {
        let policy = try policy(store)
        if let event = policy.event { try store.journal(event) }
        return policy
    }

    private static func requireOffline(_ store: TrustStore) throws {
        let policy = try record(store)
        if policy.allowsSecrets { return }
        throw policy.status == .online ? ShieldRefusal.online(policy.report.findings) : ShieldRefusal.unacknowledged
    }

    /// Before a passphrase is asked for, or a question whose yes needs one. A store that cannot be read says neither what it allows nor what
    /// was acknowledged: then the vault's header says whether it is a development vault, and the network as it is now counts.
    static func requireOffline(_ vault: VaultOptions) throws {
        do {
            try requireOffline(try vault.lockedStore())
        } catch let error as StoreError where error.isBeyondRepair {
            let report = NetworkDetector().report()
            if report.isOnline, try !vault.isDevelopment() { throw ShieldRefusal.online(report.findings) }
        }
    }

    /// The red lines that stand over every command while the device is online or may be.
    static func warn(_ command: any Command, _ console: Console) {
        let vault = (command as? any UsesVault)?.vault
        guard let vault, let store = try? vault.lockedStore(), let policy = try? policy(store) else {
            if let vault, (try? vault.isDevelopment()) == true { console.alarm(Wording.developmentVault) }
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

/// A command that works on a vault; what the vault's settings say stands over its output.
protocol UsesVault {
    var vault: VaultOptions { get }
}

extension Init: UsesVault {}
extension Status: UsesVault {}
extension Inspect: UsesVault {}
extension Scan: UsesVault {}
extension Attest: UsesVault {}
extension SeedNew: UsesVault {}
extension SeedRestore: UsesVault {}
extension SeedList: UsesVault {}
extension KeyDerive: UsesVault {}
extension KeyList: UsesVault {}
extension SeedSplit: UsesVault {}
extension SeedJoin: UsesVault {}
extension SeedShow: UsesVault {}
extension SeedCheck: UsesVault {}
extension SeedRemove: UsesVault {}
extension VaultBackupCommand: UsesVault {}
extension VaultRestore: UsesVault {}
extension VaultPassphrase: UsesVault {}
extension KeyShow: UsesVault {}
extension KeySecret: UsesVault {}
extension KeyExport: UsesVault {}
extension KeyLabel: UsesVault {}
extension KeyAllow: UsesVault {}
extension KeyForbid: UsesVault {}
extension KeyRemove: UsesVault {}
extension Shell: UsesVault {}

extension Console {
    /// A line about danger: on stderr, red where a terminal shows it.
    func alarm(_ line: String) {
        let red = errorIsTerminal && getenv("NO_COLOR") == nil
        note("heliograph: " + (red ? "\u{1b}[31m\(Escape.terminal(line))\u{1b}[0m" : Escape.terminal(line)))
    }
}
