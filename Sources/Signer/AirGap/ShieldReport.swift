/// What the detector saw of this machine's connections, at one instant.
public struct ShieldReport: Sendable, Equatable {
    /// A reason to call the device online.
    public enum Finding: Sendable, Hashable {
        /// A network interface other than loopback is switched on.
        case interfaceUp(String)
        /// Packets without a nearer route leave through this interface.
        case defaultRoute(String)
        /// A radio that rfkill does not block; its kind as the kernel names it (`wlan`, `wwan`, …).
        case radio(name: String, kind: String)
        /// A Bluetooth adapter that rfkill does not block.
        case bluetooth(String)
        /// This file could not be read, so its state is unknown: that counts as online.
        case undetermined(String)
    }

    /// Bytes that went through an interface since the machine was started, or through interfaces that may be
    /// gone.
    public struct Traffic: Sendable, Hashable {
        /// Stands for all interfaces but loopback, present or gone. No interface can have this name: the
        /// kernel refuses blanks.
        public static let outsideLoopback = "IP outside loopback"

        /// The interface's name, or ``outsideLoopback``.
        public let interface: String
        public let received: UInt64
        public let sent: UInt64

        public init(interface: String, received: UInt64, sent: UInt64) {
            self.interface = interface
            self.received = received
            self.sent = sent
        }
    }

    /// Empty on an offline device.
    public let findings: [Finding]
    /// The interfaces other than loopback that have carried data since the machine was started, and the total
    /// of all, including those that are gone: the machine was online before this program.
    public let traffic: [Traffic]
    /// The kernel's boot id; empty if the kernel gives none.
    public let boot: String

    public init(findings: [Finding], traffic: [Traffic], boot: String) {
        self.findings = findings
        self.traffic = traffic
        self.boot = boot
    }

    public var isOnline: Bool { !findings.isEmpty }

    /// Traffic that `seen` does not account for: another run of the machine, another interface, or more
    /// bytes.
    public func traffic(since seen: ShieldReport?) -> [Traffic] {
        guard let seen, !boot.isEmpty, seen.boot == boot else { return traffic }
        return traffic.filter { now in
            guard let before = seen.traffic.first(where: { $0.interface == now.interface }) else {
                return true
            }
            return now.received > before.received || now.sent > before.sent
        }
    }
}

extension ShieldReport {
    /// What was found, as a person reads it: `interface wlan0 is up, bluetooth adapter hci0 is on`.
    public static func text(_ findings: [Finding]) -> String { findings.map(\.text).joined(separator: ", ") }
}

extension ShieldReport.Finding {
    public var text: String {
        switch self {
        case .interfaceUp(let name): "interface \(name) is up"
        case .defaultRoute(let name): "a default route through \(name)"
        case .radio(let name, let kind): "\(kind) radio \(name) is on"
        case .bluetooth(let name): "bluetooth adapter \(name) is on"
        case .undetermined(let path): "\(path) cannot be read, which counts as online"
        }
    }
}
