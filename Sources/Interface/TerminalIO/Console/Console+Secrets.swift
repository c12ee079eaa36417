import Glibc
import Keys
import Sandbox
import SystemIO

extension Console {
    /// One line of a secret result, written from its own memory.
    package func print(secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { StandardStreams.write(result: $0, to: STDOUT_FILENO) }
        print("")
    }

    /// One line about a secret that a person types, such as the rest of a word.
    package func note(secret: borrowing SecretBytes) {
        secret.withUnsafeBytes { _ = Descriptor.write(STDERR_FILENO, $0) }
        note("")
    }

    /// Shows a secret on the terminal until a key is pressed, then clears the screen and its scrollback, also
    /// if the program is interrupted.
    ///
    /// - Parameters:
    ///   - page: lines with their ends between them.
    ///   - below: says what the key does.
    package func reveal(_ page: borrowing SecretBytes, above: [String], below: String) throws(CommandError) {
        guard let terminal else { throw .noTerminal(question: below, .confirmation) }
        defer { clearScreen() }
        try page.withUnsafeBytes { page throws(CommandError) in
            _ = try key(
                clears: true,
                showing: {
                    above.forEach(tell)
                    _ = Descriptor.write(terminal, page)
                    let stays = """
                        This terminal cannot be cleared: close it, or the window, when you have copied this.\n
                        """
                    Self.write("\n\n" + (isScreen ? "" : stays) + below, to: terminal)
                })
        }
    }

    /// A line at the terminal that the next one replaces. It is cut to the window: of a line of two rows the
    /// first would stay, and each key would add one.
    package func prompt(_ line: String) {
        guard let terminal else { return }
        Self.write("\r\u{1b}[K" + Self.cut(line, to: TerminalSize.read(terminal)?.columns), to: terminal)
    }

    /// The start of a line of ASCII that leaves a column for the cursor.
    /// - Parameter columns: of the window; nil where it has none.
    static func cut(_ line: String, to columns: Int?) -> String {
        guard let columns, line.utf8.count >= columns else { return line }
        return String(line.unicodeScalars.prefix(max(1, columns - 1)))
    }

    /// Nothing that was on the terminal stays there, on the screen or above it. On a terminal that moves no
    /// cursor nothing can be cleared.
    package func clearScreen() {
        guard let terminal, isScreen else { return }
        Self.write(TerminalMode.clearing.description, to: terminal)
    }

    /// Single key presses with their times, until there are `count` and Enter is pressed; nothing is echoed.
    /// Further presses are dropped, so that the next program does not get them: nobody counts while pressing.
    package func keyPresses(_ count: Int, _ question: String) throws(CommandError) -> [KeyPress] {
        guard let terminal, let mode = TerminalMode(terminal, without: ECHO | ICANON) else {
            throw .noTerminal(question: question, .confirmation)
        }
        defer { mode.restore() }
        tell(question)
        var presses: [KeyPress] = []
        while presses.count < count {
            prompt("\(presses.count) of \(count) key presses, \(count - presses.count) more needed: ")
            // A key of several bytes is one press: its other bytes took no time of their own.
            guard let (byte, _) = try press(from: terminal), byte != Self.endOfTransmission else {
                throw .interrupted
            }
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
            presses.append(
                KeyPress(byte: byte, nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)))
        }
        prompt("\(count) of \(count) key presses; press Enter: ")
        while let byte = try byte(from: terminal), byte != UInt8(ascii: "\n") {}
        Self.write("\n", to: terminal)
        return presses
    }
}
