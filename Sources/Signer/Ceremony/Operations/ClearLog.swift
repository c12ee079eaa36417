import TrustStore

/// Clears the log. One entry is left: it says that the log was cleared, how many entries there were and what its head was.
public struct ClearLog: Operation {
    /// Clears the whole log.
    public init() {}

    /// The ends of the log. A log that has grown since is refused, because nobody saw its new entries. Events that wait in the journal join the
    /// log at the unlock, so preview this with a ``Session``.
    public func preview(_ view: VaultView) throws -> LogBounds { view.trust.log }

    public func perform(_ shown: LogBounds, at bench: Workbench<Self>) throws -> Work<Void> { Work((), .clearLog) }
}
