import ArgumentParser
import CommandKit
import GroupCollect
import Hashing
import Presentation
import TerminalIO
import UOS

/// `--out`, `--replace` and `--terminal`, for commands that make a message of a group.
struct GroupOutput: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the QR code to this PNG file, or hex to a .hex file.", valueName: "file.png"),
        completion: .file())
    var out: String?

    @Flag(help: "Show the QR code on the terminal (default: if it is printed there, and --out is not given).")
    var terminal = false

    @OptionGroup var style: CodeStyleOption
    @OptionGroup var replacing: ReplaceOption

    /// Refuses `--terminal` without a terminal, before anything is asked or made.
    func requireTerminal(_ console: Console) throws {
        if terminal { _ = try CodeScreen(console, style: style.codeStyle) }
    }

    /// Whether `deliver` draws a code on the terminal.
    func isDrawn(json: Bool, _ console: Console) -> Bool {
        terminal || (out == nil && !json && CodeScreen.isShown(by: json ? console.beside : console))
    }

    /// Writes a message to `--out`, draws it, or prints its hex where results go into a pipe. With `--json`
    /// stdout holds the document alone.
    /// - Parameter caption: what it is, and what to do with it.
    func deliver(_ message: [UInt8], _ caption: String, json: Bool, _ console: Console) throws {
        if let out {
            try Self.write(
                message, to: out, replacing: replacing.replace, orOn: json ? console.beside : console)
            console.note(Wording.answerWritten(out))
            console.note(caption)
        }
        guard terminal || (out == nil && !json) else { return }
        let page = json ? console.beside : console
        guard isDrawn(json: json, console) else { return page.print(Hex.encode(message)) }
        try AnswerPicture(framed: message).draw(on: CodeScreen(page, style: style.codeStyle), caption)
    }

    /// A picture, or hex by the name of the file; where it cannot be written, hex on `page`.
    static func write(_ message: [UInt8], to path: String, replacing: Bool, orOn page: Console) throws {
        try Files.deliver(
            { try AnswerPicture(framed: message).png() }, to: path, replacing: replacing,
            text: [Hex.encode(message)], on: page)
    }
}

/// Messages of groups as commands name them: a picture, a directory of the pictures of one message, or a .hex
/// file.
enum GroupInput {
    /// - Throws: `GroupCollectError.unexpected(kind:)` for another payload
    static func message(_ path: String, _ console: Console) throws -> GroupMessage {
        let payload = try payload(path, console)
        guard case .group(let message) = payload.content else {
            throw GroupCollectError.unexpected(kind: payload.prelude.code.kind)
        }
        return message
    }

    /// The message of a payload that a camera or a watched directory brought.
    /// - Throws: `GroupCollectError.unexpected(kind:)` for another payload
    static func message(of bytes: [UInt8]) throws -> GroupMessage {
        let payload = try Payload(bytes)
        guard case .group(let message) = payload.content else {
            throw GroupCollectError.unexpected(kind: payload.prelude.code.kind)
        }
        return message
    }

    /// - Throws: `GroupCollectError.otherKind(kind:needed:)`
    static func card(of bytes: [UInt8]) throws -> GroupHost {
        let payload = try Payload(bytes)
        guard case .group(.host(let host)) = payload.content else {
            throw GroupCollectError.otherKind(kind: payload.prelude.code.kind, needed: .groupHost)
        }
        return host
    }

    /// - Throws: `GroupCollectError.otherKind(kind:needed:)`
    static func record(of bytes: [UInt8]) throws -> GroupRecord {
        let payload = try Payload(bytes)
        guard case .group(.record(let record)) = payload.content else {
            throw GroupCollectError.otherKind(kind: payload.prelude.code.kind, needed: .groupRecord)
        }
        return record
    }

    private static func payload(_ path: String, _ console: Console) throws -> Payload {
        let bytes: [UInt8]
        if path.utf8Ends(with: ".hex") {
            bytes = try Files.hex("@" + path)
        } else {
            var options = try InputOptions.parse([])
            options.input = [path]
            var input = PayloadInput()
            try input.read(options, console)
            input.tellOthers(console)
            let result = try input.result(console)
            if case .shares = result.content { throw PayloadError.foreign(.share) }
            guard case .payload(let payload) = result.content else {
                throw CommandError.ambiguousFrames(frames: result.transport.frames)
            }
            bytes = payload
        }
        return try Payload(bytes)
    }

    /// - Throws: `GroupCollectError.otherKind(kind:needed:)`
    static func card(_ path: String, _ console: Console) throws -> GroupHost {
        let payload = try payload(path, console)
        guard case .group(.host(let host)) = payload.content else {
            throw GroupCollectError.otherKind(kind: payload.prelude.code.kind, needed: .groupHost)
        }
        return host
    }

    /// - Throws: `GroupCollectError.otherKind(kind:needed:)`
    static func record(_ path: String, _ console: Console) throws -> GroupRecord {
        let payload = try payload(path, console)
        guard case .group(.record(let record)) = payload.content else {
            throw GroupCollectError.otherKind(kind: payload.prelude.code.kind, needed: .groupRecord)
        }
        return record
    }
}

/// The cards of a group's members: files, then what a camera or a watched directory shows.
struct MemberCards: ParsableArguments {
    @Argument(help: "The members' cards, in their order: pictures or .hex files.", completion: .file())
    var cards: [String] = []
    @OptionGroup var series: SeriesOptions

    @Option(
        help: ArgumentHelp("How many members there are, with --camera or --watch.", valueName: "n"))
    var members: Int?

    /// Called by the commands: a group that validates itself would answer before an unknown option does.
    func check() throws {
        guard series.isUsed == (members != nil) else {
            throw ValidationError("--members N goes with --camera or --watch")
        }
        guard series.isUsed || !cards.isEmpty else {
            throw ValidationError("name the members' cards, or take them with --camera or --watch")
        }
    }

    /// What must stay readable.
    var readable: [String] { cards + series.readable }

    /// The cards of the files, then those that are shown one after another.
    func read(_ console: Console) throws -> [GroupHost] {
        var hosts = try cards.map { try GroupInput.card($0, console) }
        guard series.isUsed, let members, hosts.count < members else { return hosts }
        try series.read(console) { bytes in
            let host = try GroupInput.card(of: bytes)
            hosts.append(host)
            console.note(Wording.cardTaken(host.member.name, hosts.count, of: members))
            return hosts.count == members
        }
        guard hosts.count == members else { throw CommandError.interrupted }
        return hosts
    }
}
