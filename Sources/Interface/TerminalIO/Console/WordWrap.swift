/// Breaks text between its words.
enum WordWrap {
    /// Lines of whole words; one that is longer than a line, such as an address, breaks after groups of eight
    /// characters.
    static func lines(_ text: String, to columns: Int) -> [String] {
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
}
