import Glibc
import Hashing
import Lines
import NodeAnswers
import ScannerClient
import SubstratePrimitives
import UOS

/// Where the answer comes from.
enum AnswerSource {
    case camera([String])
    case folders([String])
    /// Lines of standard input: the text of the answer, or the path of a picture of it.
    case lines

    /// The instruction for a person whose signer has the payload.
    /// - Parameter moves: whether codes move on the terminal; then nothing can be typed yet.
    func instruction(moves: Bool) -> String {
        switch self {
        case .camera(let devices): "then hold its answer to the camera (\(devices.joined(separator: ", ")))"
        case .folders(let folders): "then put a picture of its answer into \(folders.joined(separator: ", "))"
        case .lines: moves ? "then press Enter" : "then give its answer here"
        }
    }
}

/// Shows a payload and waits for its answer. Everything else is skipped with a note; payloads are skipped
/// without one, because a camera may see this program's own screen.
struct AnswerWait<Taken> {
    let source: AnswerSource
    let scanner: ScannerOptions
    /// nil if the payload went into a file.
    let animation: TerminalAnimation?
    /// Whether the answer has a text that can be typed.
    let hasText: Bool
    /// nil for bytes that are not the answer, after a note about the picture. What it throws ends the waiting.
    let take: (AnswerContent, _ picture: String?) throws -> Taken?

    /// What was taken.
    func run() throws -> Taken {
        var (taken, failure): (Taken?, (any Error)?)
        let wanted = Wanted()
        let drawing = animation.map {
            Drawing(
                $0,
                below: Escape.terminal(
                    "show this to the signer, \(source.instruction(moves: $0.pictures.count > 1))"), wanted)
        }
        func accept(_ bytes: [UInt8], _ picture: String?) -> Bool {
            do {
                taken = try read(bytes, picture)
                return taken != nil
            } catch {
                failure = error
                return true
            }
        }
        let isWhole: Bool
        do {
            defer { drawing?.end() }
            switch source {
            case .camera(let devices):
                isWhole = try scanner.wait(watched: [], cameras: devices, accept: accept)
            case .folders(let folders):
                isWhole = try scanner.wait(watched: folders, cameras: [], accept: accept)
            case .lines: isWhole = try type(drawing, accept)
            }
        }
        if let failure { throw failure }
        guard isWhole, let taken else { Interrupt.end() }
        return taken
    }

    /// nil for other bytes than the answer, after a note.
    private func read(_ bytes: [UInt8], _ picture: String?) throws -> Taken? {
        guard let content = try? AnswerContent(bytes) else {
            // What this program shows is in view of a camera, too.
            if (try? PackedPayload(bytes)) == nil { AnswerNote.foreign.tell(picture) }
            return nil
        }
        return try take(content, picture)
    }

    /// Reads lines until one is the answer.
    private func type(_ drawing: Drawing?, _ accept: ([UInt8], String?) -> Bool) throws -> Bool {
        // The first Enter ends an animation, so that what is typed stays on the screen. A text or a path may
        // come with it.
        var line = drawing?.isMoving == true ? readLine() : ""
        drawing?.end()
        while let typed = line {
            let text = typed.trimmingBlanks
            if !text.utf8.isEmpty {
                do {
                    if accept(try answer(text), Files.exists(text) ? text : nil) { return true }
                } catch {
                    Console.show(Wording.diagnostic(error))
                }
            }
            // The text of one signature is typed; the answer to a batch has no text.
            let kind =
                hasText
                ? "the text of the signer's answer, or the path of a picture of it,"
                : "the path of a picture of the answer"
            Console.note("type \(kind) and press Enter:")
            line = readLine()
        }
        throw SignError.noAnswer
    }

    private func answer(_ text: String) throws -> [UInt8] {
        if !Files.exists(text), Hex.decode(text) != nil { return Array(text.utf8) }
        guard case .payload(let bytes) = try scanner.content(of: [text]) else { throw HotError.notAnAnswer }
        return bytes
    }
}

/// Why the waiting goes on.
enum AnswerNote: String {
    case foreign = "not an answer of a signer"
    case mismatch = "a signature that does not match this payload"
    case otherPoint = "an answer to the first code of another transaction"

    /// - Parameter picture: the file or the camera; nil for a text that was typed.
    func tell(_ picture: String?) {
        let name = picture.map { "\(Escape.terminal($0)): " } ?? ""
        Console.note("\(name)\(rawValue): still waiting")
    }
}

extension String {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmingBlanks: String {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
        let kept = Array(utf8).drop(while: blank).reversed().drop(while: blank).reversed()
        return String(decoding: Array(kept), as: UTF8.self)
    }
}

/// Whether a drawing goes on; read by its thread, cleared by another.
private final class Wanted: @unchecked Sendable {
    private var lock = pthread_mutex_t()
    private var isWanted = true

    init() { pthread_mutex_init(&lock, nil) }

    var value: Bool {
        pthread_mutex_lock(&lock)
        defer { pthread_mutex_unlock(&lock) }
        return isWanted
    }

    func clear() {
        pthread_mutex_lock(&lock)
        isWanted = false
        pthread_mutex_unlock(&lock)
    }
}

/// Codes on the terminal, moving on a thread of their own while the answer is awaited.
private final class Drawing {
    let isMoving: Bool
    private let wanted: Wanted
    private var thread: pthread_t?

    init(_ animation: TerminalAnimation, below: String, _ wanted: Wanted) {
        self.wanted = wanted
        isMoving = animation.pictures.count > 1
        guard isMoving else {
            animation.run { true }
            Console.note(below)
            return
        }
        final class Work {
            let run: () -> Void
            init(_ run: @escaping () -> Void) { self.run = run }
        }
        let work = Unmanaged.passRetained(Work { animation.run(below: below) { wanted.value } })
        var thread = pthread_t()
        let number = pthread_create(
            &thread, nil,
            {
                Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run(); return nil
            }, work.toOpaque())
        if number == 0 { self.thread = thread } else { work.release() }
    }

    /// Ends the drawing; what is printed after it stands below the last code.
    func end() {
        wanted.clear()
        guard let thread else { return }
        pthread_join(thread, nil)
        self.thread = nil
        Console.write("\n", to: STDOUT_FILENO)
    }
}
