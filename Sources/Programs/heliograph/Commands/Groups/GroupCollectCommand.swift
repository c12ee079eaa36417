import ArgumentParser
import CommandKit
import GroupCollect
import Hashing
import Lines
import Presentation
import TerminalIO
import UOS

/// `group collect`: the coordinator's work, which needs neither a key nor a vault.
struct GroupCollectCommand: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "collect", abstract: "Put the messages of a group's members together.",
        discussion: """
            Name the pictures, directories or .hex files of one message each: the proposal and the \
            contributions or confirmations of a new group (for a reshare the record of the old group, too), \
            or the record, the request and the commitments or shares of a signature. With --camera or --watch \
            the messages that are missing are taken one after another, whoever shows them first; a key ends \
            that.
            """)

    @Argument(
        help: "Pictures, directories of the pictures of one message, or .hex files.", completion: .file())
    var inputs: [String] = []

    @OptionGroup var series: SeriesOptions

    @Option(
        help: ArgumentHelp(
            """
            Write the QR code of the next message or of the signature to this PNG file, or hex to a .hex file.
            """,
            valueName: "file.png"), completion: .file())
    var out: String?

    @Flag(help: "Show the QR code on the terminal, where everybody films it.")
    var terminal = false

    @OptionGroup var style: CodeStyleOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var replacing: ReplaceOption

    private struct Document: Encodable {
        struct Member: Encodable {
            let index: Int
            let name: String

            init(_ member: GroupProgress.Member) { (index, name) = (member.index, member.name) }
        }

        let stage: String
        let collected: [Member]
        let missing: [Member]
        /// The kind of the next message.
        let kind: Nullable<String>
        let hex: Nullable<String>
        let signature: Nullable<String>
        let out: Nullable<String>
    }

    var place: CommandPlace { series.place }

    func access() throws -> Access {
        Access(
            readable: inputs + series.readable, outputs: out.map { [$0] } ?? [],
            replaces: replacing.replace, scans: true, cameras: series.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let page = json ? context.console.beside : context.console
        let screen = terminal ? try CodeScreen(page, style: style.codeStyle) : nil
        let progress = try collected(context.console)
        var document = (kind: String?.none, hex: String?.none, signature: String?.none)
        let picture: AnswerPicture?
        switch progress.output {
        case .nothing: picture = nil
        case .message(let message):
            document = (message.code.kind, Hex.encode(message.bytes), nil)
            picture = AnswerPicture(framed: message.bytes)
        case .signature(let answer):
            document.signature = answer.text
            picture = AnswerPicture(answer)
        }
        if let out, let picture {
            // A signature's answer is text; it is hex, too.
            let text = document.hex ?? document.signature
            try Files.deliver(
                { try picture.png() }, to: out, replacing: replacing.replace, text: [text].compactMap { $0 },
                on: json ? context.console.beside : context.console)
            context.console.note(Wording.answerWritten(out))
        }
        for line in progress.lines(quote: { Escape.quoted($0) }) { context.console.note(line) }
        if json {
            JSONText.print(
                Document(
                    stage: progress.stage.rawValue, collected: progress.collected.map(Document.Member.init),
                    missing: progress.missing.map(Document.Member.init), kind: Nullable(document.kind),
                    hex: Nullable(document.hex),
                    signature: Nullable(document.signature), out: Nullable(picture == nil ? nil : out)),
                context.console)
        }
        if let screen, let picture {
            do {
                try picture.draw(on: screen, progress.lines(quote: { Escape.quoted($0) }).last ?? "")
            } catch {
                // What cameras collected is not there a second time.
                if out == nil, !json, let text = document.hex ?? document.signature {
                    context.console.print(text)
                }
                throw error
            }
        } else if !json, out == nil, let text = document.hex ?? document.signature {
            context.console.print(text)
        }
        // A script must not take a file of an earlier run for the result.
        if picture == nil {
            if let out {
                context.console.note("nothing was written to \(Escape.line(out)): messages are missing")
            }
            throw ExitWith(.refused)
        }
    }

    /// Whether the result is one of the given messages, such as the bundle of all contributions. Then the
    /// answers to it are collected.
    private static func isGiven(_ progress: GroupProgress, among messages: [GroupMessage]) -> Bool {
        guard case .message(let output) = progress.output else { return false }
        return messages.contains { $0.bytes == output.bytes }
    }

    /// The messages of the files, then messages shown one after another, until none is missing or a key is
    /// pressed.
    private func collected(_ console: Console) throws -> GroupProgress {
        var messages = try inputs.map { try GroupInput.message($0, console) }
        guard series.isUsed else { return try GroupCollect.collect(messages) }
        if !messages.isEmpty {
            let progress = try GroupCollect.collect(messages)
            if progress.isComplete, !Self.isGiven(progress, among: messages) { return progress }
        }
        try series.read(console) { bytes in
            let next = messages + [try GroupInput.message(of: bytes)]
            let progress = try GroupCollect.collect(next)
            messages = next
            // The last lines follow the result.
            if progress.isComplete, !Self.isGiven(progress, among: next) { return true }
            for line in progress.lines(quote: { Escape.quoted($0) }) { console.note(line) }
            return false
        }
        return try GroupCollect.collect(messages)
    }
}
