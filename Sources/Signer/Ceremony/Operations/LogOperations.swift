import SubstratePrimitives
import TrustStore

/// Writes a note of the person into the log.
public struct NoteInLog: Operation {
    /// The note; equal by its bytes.
    public struct Shown: Sendable, Equatable {
        /// The note as the log keeps it.
        public let text: String
        public static func == (one: Shown, other: Shown) -> Bool { one.text.utf8Equals(other.text) }
    }

    let text: String

    /// A note of any length.
    public init(_ text: String) { self.text = text }

    public func preview(_ view: VaultView) throws -> Shown { Shown(text: text) }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        PreparedCommit((), events: [LogEvent(.userNote, [LogEvent.Fact("text", shown.text)])])
    }
}

/// Clears the log. One entry is left: it says that the log was cleared, how many entries there were and what
/// its head was.
public struct ClearLog: Operation {
    /// Clears the whole log.
    public init() {}

    /// The first and the last entry of the log. A log that has grown since is refused, because nobody saw its
    /// new entries. Events in the journal join the log at the unlock, so preview this with a ``Session``.
    public func preview(_ view: VaultView) throws -> LogBounds { view.trust.log }

    public func perform(_ shown: LogBounds, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        PreparedCommit((), .clearLog)
    }
}
