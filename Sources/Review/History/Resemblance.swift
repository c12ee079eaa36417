import SubstratePrimitives
import TrustStore

/// An account that is to get a name, and a known one that looks like it.
///
/// A review spares a contact from the alarm about look-alikes, because a person named it. So the alarm must
/// come when the name is given: the picture of an address is chosen by whoever shows it, and so is what a
/// list says.
public struct Resemblance: Sendable, Equatable {
    let found: LookAlike
    /// Whose account the other one is, as a warning says it.
    let name: String

    /// The new account's text and the known one's.
    public var address: String { found.text }
    /// The address that ``address`` resembles.
    public var other: String { found.other }
    /// What a person types instead of yes: ``LookAlike/word``.
    public var word: String { found.word }
    /// Both addresses with what differs in brackets.
    public var sentence: String {
        let shown = found.shown.map { ", here \($0)," } ?? ""
        return
            "\(found.markedText)\(shown) is NOT \(found.markedOther), \(name): only the \(found.part) alike"
    }

    public static func == (one: Resemblance, other: Resemblance) -> Bool {
        one.found == other.found && one.name.utf8Equals(other.name)
    }
}
