/// Breaks text between its words.
public enum WordWrap {
    /// Lines of whole words; one that is longer than a line, such as an address, breaks after groups of eight
    /// characters.
    /// - Parameters:
    ///   - text: its blanks are where it breaks.
    ///   - columns: of the window.
    public static func lines(_ text: String, to columns: Int) -> [String] {
        let longest = max(columns / Self.group, 1) * Self.group
        var lines: [String] = []
        for word in text.unicodeScalars.split(separator: " ") {
            var rest = word
            if let last = lines.last, last.unicodeScalars.count + 1 + min(rest.count, longest) <= columns {
                lines[lines.count - 1] =
                    last + " " + String(rest.prefix(rest.count <= longest ? rest.count : longest))
            } else {
                lines.append(String(rest.prefix(longest)))
            }
            rest = rest.dropFirst(longest)
            while !rest.isEmpty {
                lines.append(String(rest.prefix(longest)))
                rest = rest.dropFirst(longest)
            }
        }
        return lines
    }

    private static let group = 8

    private static let escape: Unicode.Scalar = "\u{1b}"

    /// Wraps text at words for a narrow window. A blank at its end stays, and so does a line with a word
    /// wider than the window, such as a signature: it is there to be copied.
    ///
    /// The lines of a text, such as a page of help, are wrapped one by one: their order and columns stay.
    /// - Parameters:
    ///   - text: one line or several.
    ///   - columns: of the window; nil where it has none.
    public static func fitted(_ text: String, to columns: Int?) -> String {
        guard let columns else { return text }
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { fitted(line: String($0), to: columns) }.joined(separator: "\n")
    }

    private static func fitted(line text: String, to columns: Int) -> String {
        guard text.unicodeScalars.count > columns, !text.unicodeScalars.contains(escape),
            text.unicodeScalars.split(separator: " ").allSatisfy({ $0.count <= columns })
        else { return text }
        // What stands under a heading stays under it.
        let indent = String(
            repeating: " ", count: min(text.utf8.prefix { $0 == UInt8(ascii: " ") }.count, columns / 2))
        return lines(text, to: columns - indent.utf8.count).map { indent + $0 }.joined(separator: "\n")
            + (text.utf8.last == UInt8(ascii: " ") ? " " : "")
    }
}
