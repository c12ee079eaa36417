import Diagnostics
import SCALE
import TrustStore

/// What follows from what the network detector saw, and from what the store remembers of it.
public struct ShieldPolicy: Sendable, Equatable {
    /// Whether the device is offline, and whether it always was.
    public enum Status: Sendable, Equatable {
        case offline
        /// It is connected now.
        case online
        /// It is not connected now, but it was, and nobody has acknowledged that.
        case unacknowledged
    }

    /// Why being online cannot be acknowledged.
    public enum Failure: Error, Sendable, Equatable {
        /// The device is online: nothing can be acknowledged.
        case stillOnline
        case nothingToAcknowledge
    }

    public let report: ShieldReport
    public let status: Status
    /// Traffic since the machine was started that nobody has acknowledged.
    public let unexplained: [ShieldReport.Traffic]
    /// A development vault: it warns on every command and blocks nothing.
    public let allowsOnline: Bool
    private let isRecorded: Bool

    /// - `settings`: the settings of the store; unchecked while it is locked, which is enough to warn, and
    ///   checked when it is unlocked.
    /// - `journalled`: events that wait for the next unlock.
    public init(_ report: ShieldReport, settings: SealedSettings, journalled: [LogEvent]) {
        self.report = report
        allowsOnline = settings[StoreSetting.allowOnline] == [1]
        isRecorded =
            settings[StoreSetting.onlineUnacknowledged] == [1]
            || journalled.contains { $0.kind == .deviceOnline }
        unexplained = report.traffic(
            since: settings[StoreSetting.acknowledgedTraffic].flatMap(ShieldReport.init(acknowledged:)))
        status = report.isOnline ? .online : isRecorded || !unexplained.isEmpty ? .unacknowledged : .offline
    }

    /// Whether a seed or key may be touched, or a passphrase be asked for anything but the acknowledgement.
    public var allowsSecrets: Bool { status == .offline || allowsOnline }

    /// The event to journal now; nil if nothing happened, or if it is already recorded.
    public var event: LogEvent? {
        guard status != .offline, !isRecorded else { return nil }
        var facts: [LogEvent.Fact] = []
        if report.isOnline {
            facts.append(LogEvent.Fact("found", report.findings.map(\.fact).joined(separator: ", ")))
        }
        if !unexplained.isEmpty {
            let traffic = unexplained.map { "\($0.interface) received \($0.received) sent \($0.sent)" }
            facts.append(LogEvent.Fact("traffic", traffic.joined(separator: ", ")))
        }
        return LogEvent(.deviceOnline, facts)
    }

    /// - Throws: where there is nothing to acknowledge, or the network is still there.
    public func requireAcknowledgeable() throws(Failure) {
        switch status {
        case .online: throw .stillOnline
        case .offline: throw .nothingToAcknowledge
        case .unacknowledged: return
        }
    }

    /// The changes by which a person acknowledges that the device was online.
    public func acknowledge(_ state: TrustState) throws(Failure) -> (
        changes: [TrustChange], events: [LogEvent]
    ) {
        try requireAcknowledgeable()
        var step = Self.accountFor(report)
        if state.settings[StoreSetting.onlineUnacknowledged] != nil {
            step.changes.append(.removeSetting(StoreSetting.onlineUnacknowledged))
        }
        step.events = [LogEvent(.onlineAcknowledged)]
        return step
    }

    /// Acknowledges the traffic until now; for a new vault on a machine that was online before.
    public static func accountFor(_ report: ShieldReport) -> (changes: [TrustChange], events: [LogEvent]) {
        ([.putSetting(StoreSetting.acknowledgedTraffic, report.acknowledged)], [])
    }
}

extension ShieldReport {
    /// Boot id as a SCALE string, then a vector of interface (string), received u64, sent u64.
    var acknowledged: [UInt8] {
        SCALEWriter.encode { writer in
            writer.string(boot)
            writer.vector(traffic) { writer, traffic in
                writer.string(traffic.interface)
                writer.integer(traffic.received)
                writer.integer(traffic.sent)
            }
        }
    }

    init?(acknowledged bytes: [UInt8]) {
        var reader = SCALEReader(bytes)
        do throws(SCALEError) {
            let boot = try reader.string()
            let traffic = try reader.vector(minimumElementSize: 17) { reader throws(SCALEError) in
                ShieldReport.Traffic(
                    interface: try reader.string(), received: try reader.integer(), sent: try reader.integer()
                )
            }
            try reader.finish()
            self.init(findings: [], traffic: traffic, boot: boot)
        } catch {
            return nil
        }
    }
}

extension ShieldReport.Finding {
    /// As the log keeps it: a stable code, and what it is about.
    var fact: String {
        switch self {
        case .interfaceUp(let name): "interface-up \(name)"
        case .defaultRoute(let name): "default-route \(name)"
        case .radio(let name, let kind): "radio \(name) \(kind)"
        case .bluetooth(let name): "bluetooth \(name)"
        case .undetermined(let path): "undetermined \(path)"
        }
    }
}

extension ShieldPolicy.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .stillOnline:
            .notPermitted(
                "device-online", "this device is still online",
                hint: "heliograph shield shows what connects it")
        case .nothingToAcknowledge:
            .refused(
                "nothing-to-acknowledge", "there is nothing to acknowledge: this device was not online",
                hint: "heliograph shield shows what the network detector finds")
        }
    }

    public static var examples: [Self] { [.stillOnline, .nothingToAcknowledge] }
}
