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

    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        Work((), events: [LogEvent(.userNote, [LogEvent.Fact("text", shown.text)])])
    }
}
