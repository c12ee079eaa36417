import ArgumentParser
import Ceremony
import CommandKit
import Glibc
import SubstratePrimitives
import TerminalIO

/// `complete`: answers the completion scripts of bash, zsh and fish. It reads names from a vault without its
/// passphrase, asks nothing, reports no errors, and ends within two seconds.
///
/// The first line is `words`, `files` or `directories`. Each other line is a candidate; for zsh and fish a
/// tab and a note follow it.
package struct CompleteCommand: Command {
    package static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Print what may complete a word; the completions of the shells run it.",
        shouldDisplay: false)

    @Argument(help: "The shell.")
    var shell: CompletionShell

    @Argument(
        parsing: .captureForPassthrough,
        help: "For bash the line up to the cursor and the word; else the words.")
    var words: [String] = []

    package init() {}

    /// Seconds after which it gives up.
    private static let patience = 2

    package var isSilent: Bool { true }

    package func access() throws -> Access {
        guard let directory = request.directory else { return Access() }
        return Access(writable: [directory])
    }

    package func execute(_ context: CommandContext) throws {
        signal(SIGALRM) { _ in _exit(0) }
        var limit = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: Self.patience, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &limit, nil)
        let request = request
        let completer = Completer(program: context.program) {
            guard let directory = request.directory else { return VaultNames() }
            return (try? VaultNames(Device(directory: directory))) ?? VaultNames()
        }
        lines(request, completer.complete(request.words, request.word)).forEach(context.console.print)
    }

    private func lines(_ request: Request, _ answer: Completer.Answer) -> [String] {
        let kind =
            switch answer.files {
            case .none: "words"
            case .files: "files"
            case .directories: "directories"
            }
        return [kind]
            + answer.candidates.compactMap { candidate in
                switch shell {
                case .bash: request.bash?.text(candidate.text)
                case .zsh, .fish:
                    candidate.note.isEmpty ? candidate.text : candidate.text + "\t" + candidate.note
                }
            }
    }

    // MARK: What is asked

    struct Request {
        /// Before the word, without the program's name.
        var words: [String]
        var word: String
        var bash: BashWord?

        /// The directory of the vault that the line names, or of the default vault; nil if no vault is there.
        var directory: String? {
            var options = VaultOptions()
            options.vault = nil
            for (index, word) in words.enumerated() {
                if word.utf8Equals("--vault"), index + 1 < words.count { options.vault = words[index + 1] }
                if word.utf8Starts(with: "--vault=") {
                    options.vault = String(word.unicodeScalars.dropFirst("--vault=".count))
                }
            }
            // The shell would have put the home directory there.
            if let named = options.vault, named.utf8Starts(with: "~/"), let home = getenv("HOME") {
                options.vault = String(cString: home) + String(named.unicodeScalars.dropFirst())
            }
            return try? options.directory()
        }
    }

    private var request: Request {
        switch shell {
        case .bash:
            let bash = BashWord(line: words.first ?? "", replaced: words.count > 1 ? words[1] : "")
            return Request(words: Array(bash.begun.words.dropFirst()), word: bash.begun.word, bash: bash)
        case .zsh: return Request(words: words.dropLast(), word: words.last ?? "")
        case .fish:
            // The last word comes as it stands in the line.
            let begun = BegunLine(words.last ?? "")
            return Request(words: words.dropLast(), word: begun.word)
        }
    }
}

/// A shell with completions.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
}
