import ArgumentParser
import Ceremony

/// `--approve`, for commands that ask a person.
struct ApproveOption: ParsableArguments {
    @Flag(help: "Answer yes without a person; only in a development vault.")
    var approve = false

    /// - Parameter question: for the person, who has seen the preview.
    func confirm<O: Operation>(_ preview: Preview<O>, _ question: String, _ console: Console) throws -> Approval<O> {
        try approve ? preview.confirmUnattended() : preview.confirm { try console.confirm(question) }
    }
}
