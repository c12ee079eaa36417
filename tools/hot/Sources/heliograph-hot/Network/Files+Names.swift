import SubstratePrimitives

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

    /// Whether a new network may have this name: letters, digits, `-`, `_` and `.`; also the specs' own name with the scheme, `westend/ed25519`.
    static func isNetworkName(_ name: String, of specs: NetworkSpecs) -> Bool {
        let plain = name.utf8Equals(specs.qualifiedName) ? specs.name : name
        return !plain.isEmpty && plain.utf8Equals(self.name(plain))
    }
}
