import Lines

extension ReviewQuestion {
    /// The meaning of a typed answer; nil if it is neither a yes nor a no.
    ///
    /// Blanks around it do not count. A requested word is compared by its bytes.
    public func reading(_ answer: String) -> Bool? {
        var scalars = Array(answer.unicodeScalars)
        while scalars.last == " " { scalars.removeLast() }
        scalars.removeFirst(scalars.prefix { $0 == " " }.count)
        let typed = scalars.map(\.value)
        func isWord(_ word: String) -> Bool { typed == word.unicodeScalars.map(\.value) }
        let lowered = typed.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
        func isLowered(_ word: String) -> Bool { lowered == word.unicodeScalars.map(\.value) }
        if isLowered("n") || isLowered("no") { return false }
        if let word { return isWord(word) ? true : nil }
        return isLowered("y") || isLowered("yes") ? true : nil
    }

    /// What answers it, as a prompt says it.
    var expectation: String {
        word.map { "type \"\(Escape.terminal($0))\" and Enter, or no" } ?? "type y or yes and Enter, or no"
    }
}
