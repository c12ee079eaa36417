import AirGap
import TrustStore

/// Acknowledges that the device was online. It must be offline now.
public struct AcknowledgeOnline: Operation {
    /// An acknowledgement of what the preview shows.
    public init() {}

    /// The one operation that a device which was online allows; it must be offline now.
    public var mayFollowOnline: Bool { true }

    /// What is acknowledged: whether the device is online, and the traffic that nobody has acknowledged.
    public func preview(_ view: VaultView) throws -> ShieldPolicy { view.shield }

    /// More traffic is another thing to acknowledge. The status is checked each time, by
    /// ``requireAllowed(_:)``.
    public func isSame(_ one: ShieldPolicy, _ other: ShieldPolicy) -> Bool {
        one.unexplained == other.unexplained
    }

    /// - Throws: `ShieldPolicy.Failure`
    public func requireAllowed(_ shown: ShieldPolicy) throws { try shown.requireAcknowledgeable() }

    public func perform(_ shown: ShieldPolicy, at bench: Workbench<Self>) throws -> Work<Void> {
        let step = try shown.acknowledge(bench.trust.state)
        return Work((), step.changes, events: step.events)
    }
}
