import TrustStore

/// Removes every entry of the log but one, which says that it was cleared, how many entries there were and what its head was.
public struct ClearLog: Operation {
    public init() {}

    /// The ends of the log: an entry that came after the preview was not seen, so it is not removed. What waits in the journal joins the log at the
    /// unlocking; preview it with a ``Session`` where that must not get in between.
    public func preview(_ view: VaultView) throws -> LogBounds { view.trust.log }

    public func perform(_ shown: LogBounds, at bench: Workbench<Self>) throws -> Work<Void> { Work((), .clearLog) }
}
