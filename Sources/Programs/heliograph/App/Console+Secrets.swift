import Glibc
import Keys
import Sandbox
import SystemIO

extension Console {
    /// One line of a secret result, written from its own memory.
    func print(secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { StandardStreams.write(result: $0, to: STDOUT_FILENO) }
        print("")
    }

    /// One line about a secret that a person types, such as the rest of a word.
    func note(secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { _ = Descriptor.write(STDERR_FILENO, $0) }
        note("")
    }

    /// Single key presses with their times, until there are `count`; nothing is echoed.
    func keyPresses(_ count: Int, _ question: String) throws(CommandError) -> [KeyPress] {
        guard let terminal else { throw .noTerminal(question: question, .confirmation) }
        guard let mode = TerminalMode(terminal, without: ECHO | ICANON) else { throw .noTerminal(question: question, .confirmation) }
        defer { mode.restore() }
        note(question)
        var presses: [KeyPress] = []
        while presses.count < count {
            try awaitInput(on: terminal)
            var byte: UInt8 = 0
            let length = retrying { read(terminal, &byte, 1) }
            guard length == 1 else { throw .interrupted }
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
            presses.append(KeyPress(byte: byte, nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)))
            progress(Wording.keyPressProgress(presses.count, of: count))
        }
        endProgress()
        return presses
    }
}
