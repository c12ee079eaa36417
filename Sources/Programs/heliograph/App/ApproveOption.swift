import ArgumentParser
import Ceremony
import Terminal

/// `--approve`, for commands that ask a person.
struct ApproveOption: ParsableArguments {
    @Flag(help: "Skip the question (development vaults only).")
    var approve = false

    /// Before anything else is asked. The header of a vault is not proof: the session looks again.
    func requireAllowed(_ vault: VaultOptions) throws {
        if approve, try !vault.isDevelopment() { throw CeremonyError.approveNeedsDevelopmentVault }
    }

    /// - Parameter question: for the person, who has seen the preview.
    func confirm<O: Operation>(_ preview: Preview<O>, _ question: String, _ console: Console) throws -> Approval<O> {
        try confirm(preview, ReviewQuestion(question), console)
    }

    func confirm<O: Operation>(_ preview: Preview<O>, _ question: ReviewQuestion, _ console: Console) throws -> Approval<O> {
        try approve ? preview.confirmUnattended() : preview.confirm { try console.confirm(question) }
    }

    /// The same for an operation that needs no session.
    func confirm<O: FoundingOperation>(_ preview: FoundingPreview<O>, _ question: String, _ console: Console) throws -> FoundingApproval<O>
    {
        try approve ? preview.confirmUnattended() : preview.confirm { try console.confirm(question) }
    }
}
