import Ceremony
import Presentation
import TerminalIO
import TrustStore

extension Session {
    /// Adds a seed. If the vault has the same phrase under another name, this warns and asks the person
    /// whether to continue.
    /// - Parameter asks: whether a person can be asked; if not, this only warns.
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
