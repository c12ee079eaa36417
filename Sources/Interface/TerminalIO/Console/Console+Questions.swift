import AirGap
import Glibc
import Keys
import Lines
import SubstratePrimitives
import SystemIO

extension Console {
    /// A yes or no from the person at the terminal: `y`, `yes`, `n` or `no` in either case. Anything else is
    /// asked again.
    package func confirm(_ question: String, for answer: CommandError.Answer = .confirmation)
        throws(CommandError) -> Bool
    {
        while true {
            let answer = try ask(question + " [yes/no] ", for: answer)
            if let isYes = Self.yesOrNo(answer) { return isYes }
            tell("please type yes or no")
        }
    }

    /// A typed word instead of a yes, for what a habit must not confirm. `n` and `no` say no; anything else
    /// is asked again.
    /// - Parameter word: counts by its bytes, without blanks around it.
    package func confirm(_ question: String, word: String) throws(CommandError) -> Bool {
        try confirm(prompt: "\(question) Type \"\(word)\" to confirm, or no: ", word: word)
    }

    /// Asks with a prompt that names the word itself.
    package func confirm(prompt: String, word: String) throws(CommandError) -> Bool {
        while true {
            let answer = try ask(prompt, for: .confirmation).trimmed
            if answer.utf8Equals(word) { return true }
            if Self.yesOrNo(answer) == false { return false }
            tell("please type \"\(word)\", or no")
        }
    }

    /// One of some names, compared by their bytes; nil after `no`. Anything else is asked again.
    package func choose(_ prompt: String, among names: [String]) throws(CommandError) -> String? {
        while true {
            let answer = try ask(prompt).trimmed
            if names.containsUTF8(of: answer) { return answer }
            if Self.yesOrNo(answer) == false { return nil }
            tell("please type one of \(names.map(Escape.terminal).joined(separator: ", ")), or no")
        }
    }

    /// nil for an answer that is neither.
    package static func yesOrNo(_ answer: String) -> Bool? {
        let scalars = answer.trimmed.lowercased()
        if scalars.utf8Equals("y") || scalars.utf8Equals("yes") { return true }
        return scalars.utf8Equals("n") || scalars.utf8Equals("no") ? false : nil
    }

    /// A line where the question stands, for the person who answers it, wherever messages go.
    package func tell(_ line: String) {
        if let terminal { Self.write(Self.fitted(line, to: terminal) + "\n", to: terminal) }
    }

    /// A visible line from the terminal that holds no secret.
    package func ask(_ question: String, for answer: CommandError.Answer = .confirmation) throws(CommandError)
        -> String
    {
        guard let terminal else { throw .noTerminal(question: question, answer) }
        // This program echoes the keys itself. The kernel would also echo a passphrase that is pasted after
        // the answer, and it would stay on the screen and in the terminal's scrollback.
        let mode = TerminalMode(terminal, without: ECHO | ICANON)
        defer { mode?.restore() }
        Self.dropTyped(on: terminal)
        Self.write(Self.fitted(question, to: terminal), to: terminal)
        do throws(CommandError) {
            guard
                let line = try mode == nil
                    ? line(from: terminal) : typedLine(on: terminal, echoes: TerminalMode.echoed)
            else {
                throw .interrupted
            }
            Self.dropTyped(on: terminal)
            return line
        } catch {
            // The next message starts on a new line, not beside the question.
            Self.write("\n", to: terminal)
            throw error
        }
    }

    /// A line read key by key and echoed as a terminal would echo it; nil if Ctrl-D ends an empty line. Keys
    /// after the end of the line are neither read nor shown.
    /// - Parameter echoes: false if echo was switched off on the terminal.
    private func typedLine(on terminal: Int32, echoes: Bool) throws(CommandError) -> String? {
        var line: [UInt8] = []
        func show(_ bytes: [UInt8]) {
            if echoes { _ = Descriptor.write(terminal, bytes) }
        }
        /// Takes back the last character: all bytes of it, and both columns of a control character.
        func erase() {
            while let last = line.popLast() {
                if last & 0xc0 == 0x80 { continue }
                return show(Array((last < 0x20 ? "\u{8}\u{8}  \u{8}\u{8}" : "\u{8} \u{8}").utf8))
            }
        }
        while let byte = try byte(from: terminal) {
            switch byte {
            case UInt8(ascii: "\n"):
                show([byte])
                return String(decoding: line, as: UTF8.self)
            case Self.endOfTransmission: if line.isEmpty { return nil }
            case 0x08, 0x7f: erase()
            case Self.lineErase: while !line.isEmpty { erase() }
            case Self.wordErase:
                while line.last == UInt8(ascii: " ") { erase() }
                while let last = line.last, last != UInt8(ascii: " ") { erase() }
            case let byte:
                guard line.count < Self.longestLine else { throw .lineTooLong(terminal) }
                line.append(byte)
                show(byte < 0x20 ? [UInt8(ascii: "^"), byte | 0x40] : [byte])
            }
        }
        return nil
    }

    /// A secret line from the terminal, shown while it is typed or not. It is never in memory that is not
    /// wiped.
    /// - Parameter clears: whether a signal that ends the program clears the screen first, because parts of a
    ///   secret stand there.
    package func askSecret(
        _ question: String, for answer: CommandError.Answer, hidden: Bool, clears: Bool = false
    ) throws(CommandError) -> SecretBytes {
        guard let terminal else { throw .noTerminal(question: question, answer) }
        // Before the question: who sees it may answer at once. Where the line may be seen the kernel echoes
        // it, also if a question before switched that off.
        let mode = TerminalMode(terminal, without: hidden ? ECHO : 0, clears: clears)
        Self.dropTyped(on: terminal)
        Self.write(Self.fitted(question, to: terminal), to: terminal)
        defer {
            mode?.restore()
            if hidden { Self.write("\n", to: terminal) }
        }
        guard let line = try secretLine(from: terminal) else { throw .interrupted }
        Self.dropTyped(on: terminal)
        return line
    }

    /// Before a question, drops what was typed too early to be an answer. After an answer, drops the other
    /// lines of a pasted text, which a shell would run next. Lines of a descriptor stay: they were put there
    /// as answers.
    private static func dropTyped(on terminal: Int32) { tcflush(terminal, TCIFLUSH) }
}

// MARK: Lines

extension Console {
    /// Bytes of the longest line that holds no secret; nobody types more.
    private static let longestLine = 65_536
    /// Bytes of the longest secret line: 10,000 rolls of a die with spaces between them.
    private static let longestSecret = 20_480

    /// One line without its end, or nil where the input has ended.
    package func line(from descriptor: Int32) throws(CommandError) -> String? {
        var line: [UInt8] = []
        let hasEnded = try bytes(from: descriptor) { byte throws(CommandError) in
            line.append(byte)
            guard line.count <= Self.longestLine else { throw .lineTooLong(descriptor) }
        }
        if hasEnded, line.isEmpty { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// A line that is a secret: its bytes go straight into memory that is wiped.
    package func secretLine(from descriptor: Int32) throws(CommandError) -> SecretBytes? {
        try Self.requirePrivate(descriptor)
        let line = SecretBytes(count: Self.longestSecret)
        var length = 0
        let hasEnded = try bytes(from: descriptor) { byte throws(CommandError) in
            guard length < line.count else { throw .lineTooLong(descriptor) }
            line.withUnsafeMutableBytes { $0[length] = byte }
            length += 1
        }
        if hasEnded, length == 0 { return nil }
        if length > 0, line.withUnsafeBytes({ $0[length - 1] }) == UInt8(ascii: "\r") { length -= 1 }
        return line.slice(0..<length)
    }

    /// Refuses a file that other users can read: they have the secret as well. Nobody else reaches a pipe, or a
    /// file without a name. A file of another user was handed to this one, perhaps through its group, as the
    /// credentials of a service are: of those only what everybody may do counts.
    private static func requirePrivate(_ descriptor: Int32) throws(CommandError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 0 else {
            return
        }
        let others: mode_t = status.st_uid == geteuid() ? 0o077 : 0o037
        guard status.st_mode & others == 0 else { throw .exposedSecret(descriptor) }
    }

    /// Hands over the bytes before the next line end, one by one, so that what follows stays for the next
    /// reader.
    /// - Returns: whether the input ended instead of the line.
    private func bytes(from descriptor: Int32, _ body: (UInt8) throws(CommandError) -> Void)
        throws(CommandError) -> Bool
    {
        while true {
            try awaitInput(on: descriptor)
            var byte: UInt8 = 0
            let count = retrying { read(descriptor, &byte, 1) }
            guard count >= 0 else { throw .descriptor(descriptor, errno: errno) }
            if count == 0 { return true }
            if byte == UInt8(ascii: "\n") { return false }
            try body(byte)
        }
    }
}

/// A line that is never shown: read from the named descriptor, or typed at the terminal if none is named.
package func secret(
    _ question: String, for answer: CommandError.Answer, descriptor: Int32?, _ console: Console
) throws(CommandError) -> SecretBytes {
    guard let descriptor else { return try console.askSecret(question, for: answer, hidden: true) }
    guard let line = try console.secretLine(from: descriptor) else { throw .emptyDescriptor(descriptor) }
    return line
}
