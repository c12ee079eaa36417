extension Files {
    /// A network's name as part of a file name: anything but letters, digits, `-`, `_` and a `.` after the first character becomes `_`.
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
