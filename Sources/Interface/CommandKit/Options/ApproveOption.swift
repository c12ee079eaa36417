import ArgumentParser
import Ceremony
import Lines
import TerminalIO

/// `--approve`, for commands that ask a person.
package struct ApproveOption: ParsableArguments {
    @Flag(help: "Skip the question (development vaults only).")
    package var approve = false

    package init() {}

    /// Before anything else is asked. The header of a vault is not proof: the session looks again.
    package func requireAllowed(_ vault: VaultOptions) throws {
        if approve, try !vault.isDevelopment() { throw CeremonyError.approveNeedsDevelopmentVault }
    }

    /// - Parameter question: for the person, who has seen the preview.
    package func confirm<O: Operation>(_ preview: Preview<O>, _ question: String, _ console: Console) throws
        -> Approval<O>
    {
        try confirm(preview, ReviewQuestion(question), console)
    }

    /// - Parameter proving: after a yes: asks for what a word alone does not prove.
    package func confirm<O: Operation>(
        _ preview: Preview<O>, _ question: ReviewQuestion, _ console: Console,
        proving: (ReviewQuestion) -> Void = { _ in }
    ) throws -> Approval<O> {
        guard !approve else { return try preview.confirmUnattended() }
        return try preview.confirm {
            let isYes = try console.confirm(question)
            if isYes { proving(question) }
            return isYes
        }
    }

    /// The same for an operation that needs no session.
    package func confirm<O: FoundingOperation>(
        _ preview: FoundingPreview<O>, _ question: String, _ console: Console
    ) throws
        -> FoundingApproval<O>
    {
        try approve ? preview.confirmUnattended() : preview.confirm { try console.confirm(question) }
    }
}
