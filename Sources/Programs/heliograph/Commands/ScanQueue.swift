import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Glibc
import Hashing
import Lines
import Presentation
import Review
import Sandbox
import ScanProtocol
import ScannerClient
import SubstratePrimitives
import SystemIO
import TerminalIO
import UOS

/// `scan --watch DIR --serve`: signs what lands in a directory, by rules of the policy alone.
struct QueueOptions: ParsableArguments {
    @Flag(
        help:
            """
            Unlock once, sign each new picture under --watch that a rule approves, and answer beside it.
            """)
    var serve = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End --serve after this time: 30s, 10m, 8h (default: never).", valueName: "time"))
    var duration: QueueTime?

    @Option(
        help: ArgumentHelp(
            "What --serve does with pictures that are there at its start (default: ask).",
            valueName: "sign|skip"))
    var present: PresentPictures?

    func requireUnused() throws {
        guard duration == nil, present == nil else {
            throw ValidationError("--for and --present belong to --serve")
        }
    }
}

enum PresentPictures: String, CaseIterable, ExpressibleByArgument {
    case sign
    case skip
}

/// A time span of 1 second to 30 days, as `30s`, `10m` or `8h`.
struct QueueTime: ExpressibleByArgument, Equatable {
    let seconds: Int

    init?(argument: String) {
        var digits = argument.utf8[...]
        let factor: Int
        switch digits.popLast() {
        case UInt8(ascii: "s")?: factor = 1
        case UInt8(ascii: "m")?: factor = 60
        case UInt8(ascii: "h")?: factor = 3600
        case _: return nil
        }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = UInt32(String(Substring(digits))), (1...2_592_000).contains(Int(count) * factor)
        else { return nil }
        seconds = Int(count) * factor
    }
}

/// The directory of a queue. Others who may write to it are not trusted: an answer is always a new file, and
/// never replaces a file or follows a link.
struct AnswerFolder {
    /// Without links, so that it stays the directory that the program was shut in with.
    let path: String

    init(_ path: String) { self.path = Directory.resolved(path) }

    /// Refuses what is not a directory, and the vault's own.
    static func requireFit(_ path: String, vault: String) throws(CommandError) {
        guard Files.isDirectory(path) else {
            throw .file(path: path, errno: Files.exists(path) ? ENOTDIR : ENOENT)
        }
        guard !Files.isSame(path, vault) else { throw .outputRefused(path: path, .vaultFile) }
    }

    /// Files that may be pictures.
    func pictures() throws -> Int {
        try Directory.names(path).filter {
            !$0.utf8Starts(with: ".") && !$0.utf8Ends(with: AnswerName.ending)
        }.count
    }

    /// The picture's name without its ending, 8 bytes of the payload's BLAKE2b-256, and a mark of answers. If
    /// a picture is replaced by one that asks for something else, its answer has another name, so that no
    /// answer passes for one to a later question. The two rounds of a guarded signature are two questions.
    func answer(to picture: String, _ payload: Payload) -> String {
        var name = Array(picture.utf8)
        if let slash = name.lastIndex(of: UInt8(ascii: "/")) { name.removeSubrange(...slash) }
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 { name.removeSubrange(dot...) }
        // The file system takes 255 bytes.
        let stem = String(decoding: name.prefix(Self.longestStem), as: UTF8.self)
        let hash = Hex.encode(
            BLAKE2b.hash((payload.guardRound?.bytes ?? []) + payload.bytes).prefix(8))
        return "\(path)/\(stem).\(hash)\(AnswerName.ending)"
    }

    /// Bytes. What is not UTF-8 takes up to three times as many.
    private static let longestStem = 60
    /// Bytes that an answer never has.
    private static let longestAnswer = 8 << 20

    /// Refuses a name that is taken, before anything is signed for it.
    /// - Throws: ``CommandError/fileExists(path:)``
    func requireFree(_ path: String) throws(CommandError) {
        if Files.exists(path) { throw .fileExists(path: path) }
    }

    /// Writes an answer, unless the same bytes are there already.
    /// - Throws: ``CommandError/fileExists(path:)`` if another file has the name; it stays. `SystemError` if
    ///   nothing can be written.
    func write(_ bytes: [UInt8], to path: String) throws {
        do throws(SystemError) {
            try AtomicFile.create(whole: path, with: bytes, mode: 0o644)
        } catch {
            guard error.errno == EEXIST else { throw error }
            guard holds(bytes, path) else { throw CommandError.fileExists(path: path) }
        }
    }

    private func holds(_ bytes: [UInt8], _ path: String) -> Bool {
        do throws(SystemError) {
            // A pipe is not waited for, and has no contents that could be read again.
            let file = try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            return try file.contents(limit: Self.longestAnswer) == bytes
        } catch { return false }
    }
}

extension Scan {
    /// Takes pictures until the time is over, a signal comes, the device goes online, new pictures cannot be
    /// seen any more, or the vault or the disk fails. It stops only between two pictures, and every signature
    /// is in the log: the next start writes a missing answer.
    func serve(_ path: String, _ context: CommandContext) throws {
        do {
            try served(path, context)
        } catch {
            guard json else { throw error }
            let diagnostic = Wording.diagnostic(error)
            context.console.print(Escape.json(JSONText.line(["error": ErrorDocument(diagnostic)])))
            context.console.complain(diagnostic)
            throw ExitWith(diagnostic.exit)
        }
    }

    private func served(_ path: String, _ context: CommandContext) throws {
        let console = context.console
        let folder = AnswerFolder(path)
        guard try context.device(self).hasApprovingRules() else { throw CommandError.noApprovingRules }
        let skipsPresent = try skipsPresent(folder, console)
        // Before the passphrase: then this process gives up starting programs.
        let pictures = try PictureQueue(
            ScannerClient(), folder: folder.path, skipsPresent: skipsPresent, decoder: input.decoder)
        defer { pictures.end() }
        let opened = try context.unlock(self)
        try opened.recordUnlocked()
        console.note(Wording.waiting(folders: [folder.path]))
        do {
            try take(pictures, folder, opened, context)
            opened.recordLocked(.end)
        } catch {
            opened.recordLocked(.interrupted)
            throw error
        }
    }

    /// What lies there may be a year old, and nobody has looked at it: a person or an option says.
    private func skipsPresent(_ folder: AnswerFolder, _ console: Console) throws -> Bool {
        switch queue.present {
        case .sign: return false
        case .skip: return true
        case nil:
            let count = try folder.pictures()
            guard count > 0 else { return false }
            return try !console.confirm(Wording.presentPictures(count, in: folder.path), for: .present)
        }
    }

    private func take(
        _ pictures: PictureQueue, _ folder: AnswerFolder, _ opened: Session, _ context: CommandContext
    ) throws {
        let end = queue.duration.map { ContinuousClock.now + .seconds($0.seconds) }
        var answers = RuleAnswers(nonce: nonce)
        var file = PayloadInput()
        // Seconds of processor time that the codes of this file took.
        var spent = 0.0
        var looked = ContinuousClock.now
        while true {
            let now = ContinuousClock.now
            if let end, now >= end { return }
            // An adapter is noticed within about a second, while nothing comes and while much comes.
            if now - looked >= .seconds(1) {
                looked = now
                try opened.device.requireOffline()
            }
            switch try pictures.next(before: min(end ?? now + .seconds(1), now + .seconds(1))) {
            case .quiet: break
            case .interrupted: throw CommandError.interrupted
            case .waiting(let count): context.console.note(Wording.waitingPictures(count, in: folder.path))
            case .folderLost(let problem): throw InputRefusal(input: folder.path, problem: problem)
            case .code(let code):
                // A file may hold any number of codes, each far below what ends this process. So all of its
                // codes have the time of one payload together, and a file that takes more is refused, while
                // the queue goes on with the next.
                guard spent < ReadingLimit.processorTime else { break }
                let begun = clock()
                ReadingLimit.hold(json: false) { file.take(code) }
                // POSIX counts a second in a million ticks everywhere.
                spent += Double(clock() - begun) / 1e6
                if spent >= ReadingLimit.processorTime { file.refuse(.time) }
            case .endOfFile(let name, let report):
                defer { (file, spent) = (PayloadInput(), 0) }
                try answer(name, file, report, folder, opened, &answers, context)
                try StandardStreams.requireWritten()
            }
        }
    }

    /// One picture from its codes to its answer. Throws only what ends the queue.
    private func answer(
        _ name: String, _ file: PayloadInput, _ report: ScanReport, _ folder: AnswerFolder,
        _ opened: Session, _ answers: inout RuleAnswers, _ context: CommandContext
    ) throws {
        let console = context.console
        let review = ReviewSession(self, context, json: true, asks: false, options: view)
        typealias Found = (result: ReviewDocument.QueueFacts.Result, answer: Answer, out: String)
        let found: Found
        do {
            found = try ReadingLimit.hold(json: false) { () throws -> Found in
                let payload = try review.read(queued: file, report)
                let out = folder.answer(to: name, payload)
                let (result, answer) = try sign(payload, out, folder, opened, &answers, review)
                return (result, answer, out)
            }
        } catch {
            if QueueEnd.isOne(error) { throw error }
            let diagnostic = Wording.queueDiagnostic(error)
            review.document.error = Nullable(ErrorDocument(diagnostic))
            tell(name, .refused, nil, review, console)
            console.note(Wording.refusedPicture(name, diagnostic))
            return
        }
        // From here on the log has the signature and the budgets are charged, so nothing that fails is a
        // refusal: a program that takes it for one asks again for what it can already send, in other words.
        // The answer is told first, also where the failure then ends the queue.
        do {
            try folder.write(AnswerPicture(found.answer).png(), to: found.out)
        } catch {
            Self.state(found.answer, nil, in: review)
            let diagnostic = Wording.queueDiagnostic(error)
            review.document.error = Nullable(ErrorDocument(diagnostic))
            tell(name, .unwritten, nil, review, console)
            console.note(Wording.unwrittenPicture(name, found.result, diagnostic))
            if !json { Self.texts(of: found.answer).forEach(console.print) }
            if QueueEnd.isOne(error) { throw error }
            return
        }
        Self.state(found.answer, found.out, in: review)
        tell(name, found.result, found.out, review, console)
    }

    /// The stored answer, else a signature that a rule approves.
    private func sign(
        _ payload: Payload, _ out: String, _ folder: AnswerFolder, _ opened: Session,
        _ answers: inout RuleAnswers, _ review: ReviewSession
    ) throws -> (ReviewDocument.QueueFacts.Result, Answer) {
        try opened.device.requireOffline()
        try opened.refresh()
        let additions = try calls.additions()
        if let stored = try answers.answer(to: payload, additions: additions, in: opened) {
            return (.stored, stored)
        }
        switch payload.guardRound {
        case .commitment?:
            // Its second round could not be signed.
            if reproducible { throw CeremonyError.guardedNonce }
            // The same question has the same answer, which may lie there already.
            let answering = AnswerGuard(payload, additions: additions, comment: comment)
            return (.answered, try perform(answering, opened, review))
        case .reveal?, nil:
            try folder.requireFree(out)
            let signing = SignPayload(payload, additions: additions, comment: comment, nonce: nonce)
            return (.signed, Answer(try perform(signing, opened, review)))
        }
    }

    /// Shows what an operation would do, and does it where a rule approves exactly that.
    private func perform<O: Operation>(_ operation: O, _ opened: Session, _ review: ReviewSession) throws
        -> O.Outcome where O.Shown == [ReviewedTransaction]
    {
        let preview = try opened.preview(operation)
        try review.show(preview.shown)
        return try opened.perform(try preview.confirmUnattended(byRulesAlone: true)).outcome
    }

    private static func texts(of answer: Answer) -> [String] {
        switch answer {
        case .bulk(let signatures): signatures.map { Answer.transaction($0).text }
        case .transaction, .message, .derivations, .guardPoint: [answer.text]
        }
    }

    /// Puts an answer into the document.
    private static func state(_ answer: Answer, _ out: String?, in review: ReviewSession) {
        switch answer {
        case .transaction, .message, .bulk, .derivations:
            review.document.signatures = texts(of: answer).map {
                ReviewDocument.SignatureFacts(text: $0, out: Nullable(out))
            }
        case .guardPoint:
            review.document.answer = ReviewDocument.AnswerFacts(hex: answer.text, out: Nullable(out))
        }
    }

    private func tell(
        _ name: String, _ result: ReviewDocument.QueueFacts.Result, _ out: String?, _ review: ReviewSession,
        _ console: Console
    ) {
        guard json else {
            if let out { console.print(Wording.answeredPicture(name, result, out)) }
            return
        }
        var document = review.document
        document.queue = ReviewDocument.QueueFacts(picture: name, result)
        console.print(Escape.json(JSONText.line(document)))
    }
}
