extension Files {
    /// A network's name as a part of a file name: what is not a letter, a digit, `-`, `_` or a `.` inside becomes `_`.
    static func name(_ text: String) -> String {
        let safe = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": Character(scalar)
            default: "_"
            }
        }
        return safe.first == "." ? "_" + String(safe.dropFirst()) : String(safe)
    }
}
