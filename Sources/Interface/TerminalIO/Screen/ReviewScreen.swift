import CSeccomp
import Glibc
import Lines
import Sandbox

/// Shows a page on the whole terminal until a person has answered its question.
package struct ReviewScreen {
    let console: Console
    let terminal: Int32
    /// `TERM`
    let type: String
    let notes: [StyledLine.Run]

    /// nil where a review is printed instead: no terminal, or one that cannot place text.
    package init?(_ console: Console, notes: [StyledLine.Run]) {
        guard let terminal = console.terminal, isatty(STDIN_FILENO) == 1, console.errorIsTerminal,
            let type = getenv("TERM").map({ String(cString: $0) }),
            Screen.isPossible(terminal: terminal, type: type)
        else { return nil }
        self.console = console
        self.terminal = terminal
        self.type = type
        self.notes = notes
    }

    /// A person's answer, and how large the window was then.
    struct Answer {
        let outcome: Pager.Outcome
        let columns: Int
        let rows: Int

        init(outcome: Pager.Outcome, columns: Int, rows: Int) {
            (self.outcome, self.columns, self.rows) = (outcome, columns, rows)
        }
    }

    /// - Returns: nil where the terminal cannot be opened.
    func ask(_ page: ReviewPage, _ view: CardView) throws(CommandError) -> Answer? {
        let isASCII = Screen.showsASCIIOnly(type: type)
        // The screen gives the terminal back as it found it: without echo, for the passphrase comes next.
        let mode = TerminalMode(terminal, without: ECHO)
        defer { mode?.restore() }
        guard let screen = Screen(terminal: terminal, type: type, coloured: getenv("NO_COLOR") == nil) else {
            return nil
        }
        var fatal: Int32?
        let answer: Answer
        do throws(CommandError) {
            defer { screen.close() }
            screen.dropKeys()
            var silences = 0
            var pager = Pager(
                page, columns: screen.size.columns, rows: screen.size.rows, view: view, isASCII: isASCII,
                notes: notes)
            while pager.outcome == nil {
                screen.paint(pager.frame)
                try console.awaitInput(on: terminal, unless: { ScreenSignals.areWaiting })
                fatal = [SIGTERM, SIGHUP].first(where: ScreenSignals.take)
                if fatal != nil || ScreenSignals.take(SIGINT) { throw .interrupted }
                if ScreenSignals.take(SIGCONT) { screen.forget() }
                if ScreenSignals.take(SIGWINCH) {
                    pager.resize(columns: screen.size.columns, rows: screen.size.rows)
                    continue
                }
                silences = press(&pager, screen) ? 0 : silences + 1
                // Input that is ready and holds no key, again and again, has ended.
                if silences > Self.mostSilences { throw .interrupted }
            }
            answer = Answer(outcome: pager.outcome!, columns: screen.size.columns, rows: screen.size.rows)
        } catch {
            // Once the terminal is restored the signal may end the program.
            if let fatal {
                TerminalMode.giveBack()
                ScreenSignals.release()
                raise(fatal)
            }
            throw error
        }
        return answer
    }

    private static let mostSilences = 8

    /// Passes all waiting keys to the pager.
    /// - Returns: whether there was one.
    private func press(_ pager: inout Pager, _ screen: Screen) -> Bool {
        var hasKey = false
        while pager.outcome == nil, let key = screen.key() {
            hasKey = true
            if pager.press(key) {
                // What was typed before the question is there answers nothing.
                screen.dropKeys()
                return true
            }
        }
        return hasKey
    }
}

extension ReviewScreen {
    static func isPossible(_ console: Console) -> Bool { Self(console, notes: []) != nil }

    /// Shows a page and asks its question; what was confirmed stays on the terminal.
    /// - Throws: ``CommandError/interrupted`` for Ctrl-C, and where the terminal is gone.
    package func review(_ page: ReviewPage, _ view: CardView) throws -> Bool {
        guard let answer = try WorkLimit.suspended({ () throws(CommandError) in try ask(page, view) }) else {
            throw CommandError.interrupted
        }
        leaveTrace(of: page, answer)
        switch answer.outcome {
        case .confirmed: return true
        case .refused: return false
        case .interrupted: throw CommandError.interrupted
        }
    }

    /// Prints as much of the brief summary as fits, and the answer, because the screen's own rows are gone.
    /// No danger is left out: all dangers stay visible until the passphrase is typed.
    private func leaveTrace(of page: ReviewPage, _ answer: Answer) {
        let dangers = page.brief.filter(\.isDanger).reduce(0) { $0 + $1.wrapped(to: answer.columns).count }
        let room = max(1, dangers, answer.rows - Self.rowsBesideTrace)
        let kept = page.brief.mostNeeded(room, columns: answer.columns)
        for row in kept.rows { console.beside.print(row) }
        if kept.hidden > 0 { console.note(Wording.moreOfSummary(kept.hidden)) }
        console.note(Wording.answered(page.question, answer.outcome))
    }

    /// For the answer, the passphrase and what follows.
    private static let rowsBesideTrace = 6
}
