import SubstratePrimitives

extension Files {
    /// A network's name as part of a file name: anything but letters, digits, `-`, `_` and a `.` after the
    /// first character becomes `_`.
    static func name(_ text: String) -> String {
        let safe = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": Character(scalar)
            default: "_"
            }
        }
        return safe.first == "." ? "_" + String(safe.dropFirst()) : String(safe)
    }

    /// Whether two names of files are one: some file systems do not tell capital letters from small ones.
    static func isOneName(_ one: String, _ other: String) -> Bool {
        folded(one).elementsEqual(folded(other))
    }

    /// Refuses files of several networks that would be one. A chain chooses its name, so it must not take the
    /// file of another.
    /// - Throws: ``HotError/oneFileName(_:)``
    static func requireDifferent(_ names: [String]) throws {
        var known: Set<[UInt8]> = []
        for name in names where !known.insert(folded(name)).inserted { throw HotError.oneFileName(name) }
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// A name is part of file names, which file systems limit to 255 bytes.
    private static let longestNetworkName = 100

    /// Whether a new network may have this name: at most 100 letters, digits, `-`, `_` and `.`, and no `-`
    /// first, which would read as an option; also the specs' own name with the scheme, `westend/ed25519`.
    static func isNetworkName(_ name: String, of specs: NetworkSpecs) -> Bool {
        let plain = name.utf8Equals(specs.qualifiedName) ? specs.name : name
        guard !plain.utf8.isEmpty, plain.utf8.count <= longestNetworkName,
            plain.utf8.first != UInt8(ascii: "-")
        else { return false }
        return plain.utf8Equals(self.name(plain))
    }
}
