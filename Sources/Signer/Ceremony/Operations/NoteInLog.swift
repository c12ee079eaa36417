import SubstratePrimitives
import TrustStore

/// Writes a note of the person into the log.
public struct NoteInLog: Operation {
    public struct Shown: Sendable, Equatable {
        public let text: String
        public static func == (one: Shown, other: Shown) -> Bool { one.text.utf8Equals(other.text) }
    }

    public let text: String

    public init(_ text: String) { self.text = text }

    public func preview(_ view: VaultView) throws -> Shown { Shown(text: text) }

    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        Work((), events: [LogEvent(.userNote, [LogEvent.Fact("text", shown.text)])])
    }
}
