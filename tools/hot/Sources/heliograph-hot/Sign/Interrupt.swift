import Glibc

/// What Ctrl-C says before it ends the program: whether something was sent.
enum Interrupt {
    private nonisolated(unsafe) static var words: UnsafeMutablePointer<CChar>?
    /// The status of a program that Ctrl-C ended.
    static let status: Int32 = 130

    /// From now on Ctrl-C says this. The text before it is not freed: the signal may be reading it.
    static func say(_ text: String) {
        words = strdup("\n\(text)\n")
        signal(SIGINT) { _ in
            if let words = Interrupt.words { _ = write(STDERR_FILENO, words, strlen(words)) }
            _exit(Interrupt.status)
        }
    }

    /// Ends the program as Ctrl-C does, for an interruption that somebody else caught.
    static func end() -> Never {
        if let words { _ = write(STDERR_FILENO, words, strlen(words)) }
        _exit(status)
    }
}
