/// A type as the runtime's source spells it, `Option<BalanceOf<T>>`.
struct TypeName: Equatable {
    let text: String

    init(_ text: String) {
        self.text = String(text.filter { !$0.isWhitespace })
    }

    /// The names that FRAME gives to amounts of a token, without white space.
    private static let balances: Set<String> = [
        "Balance", "T::Balance", "BalanceOf<T>", "BalanceOf<T,I>", "ExtendedBalance", "DepositBalance", "PalletBalanceOf<T>",
    ]

    var isBalance: Bool { Self.balances.contains(bare.text) }

    /// Without the wrappers that change nothing for a reader.
    var bare: TypeName {
        for wrapper in ["Compact<", "Box<", "Option<"] where text.hasPrefix(wrapper) && text.hasSuffix(">") {
            return TypeName(String(text.dropFirst(wrapper.count).dropLast())).bare
        }
        return self
    }

    /// What stands in the angle brackets of `Vec<…>` or `Option<…>`, or in front of the `;` of an array.
    var argument: TypeName? {
        if text.hasPrefix("["), text.hasSuffix("]"), let end = text.lastIndex(of: ";") {
            return TypeName(String(text[text.index(after: text.startIndex)..<end]))
        }
        guard let start = text.firstIndex(of: "<"), text.hasSuffix(">") else { return nil }
        return TypeName.split(text[text.index(after: start)...].dropLast()).first
    }

    /// One element of `(A, B)`; nil when the name does not spell that many.
    func element(_ place: Int, of count: Int) -> TypeName? {
        guard text.hasPrefix("("), text.hasSuffix(")") else { return nil }
        let parts = TypeName.split(text.dropFirst().dropLast())
        return parts.count == count ? parts[place] : nil
    }

    /// Splits at the commas that stand in no brackets.
    private static func split(_ text: Substring) -> [TypeName] {
        var depth = 0
        var parts: [TypeName] = []
        var current = ""
        for character in text {
            if "<([".contains(character) { depth += 1 }
            if ">)]".contains(character) { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append(TypeName(current))
                current = ""
            } else {
                current.append(character)
            }
        }
        if !current.isEmpty { parts.append(TypeName(current)) }
        return parts
    }
}
