import Ceremony
import Presentation
import TerminalIO
import TrustStore

extension Session {
    /// Adds a seed. A phrase that the vault has under another name is told, and a person is asked whether it
    /// is meant.
    /// - Parameter asks: whether a person is there to be asked; else the warning alone is given.
    /// - Returns: whether the phrase is new to the vault.
    package func add(_ seed: AddSeed, asks: Bool, asking person: TerminalPerson, _ console: Console) throws
        -> Bool
    {
        let preview = try preview(seed)
        let names = preview.shown.otherNames
        let approval = try preview.confirm {
            guard !names.isEmpty else { return true }
            if asks {
                console.tell(Wording.otherNames(names))
            } else {
                console.note(Wording.otherNames(names))
            }
            return try !asks || console.confirm("Add it under a second name?")
        }
        _ = try perform(approval, asking: person)
        return names.isEmpty
    }
}
