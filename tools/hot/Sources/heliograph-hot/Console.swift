import Glibc

/// Results go to stdout, everything else to stderr.
enum Console {
    static let errorIsTerminal = isatty(STDERR_FILENO) == 1
    static let outputIsTerminal = isatty(STDOUT_FILENO) == 1

    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func note(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// A line that the next one replaces; only on a terminal.
    static func progress(_ line: String) {
        if errorIsTerminal { write("\r\u{1b}[K" + line, to: STDERR_FILENO) }
    }

    static func endProgress() {
        if errorIsTerminal { write("\r\u{1b}[K", to: STDERR_FILENO) }
    }

    static func complain(_ complaint: Complaint) {
        note("heliograph-hot: error: \(escape(complaint.message))")
        if let hint = complaint.hint { note("heliograph-hot: hint: \(escape(hint))") }
    }

    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                return
            }
            bytes = bytes.dropFirst(written)
        }
    }

    /// Text from outside, made safe to print: no control character and no direction override reaches the terminal.
    static func escape(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
