/// A type as the runtime's source spells it, `Option<BalanceOf<T>>`.
struct TypeName {
    /// Without white space.
    let text: String
    /// Whether it is one of the names that FRAME gives to amounts of a token.
    let isBalance: Bool
    /// The fixed-point type that it spells, behind the wrappers that change nothing for a reader.
    let fraction: Fraction?

    init(_ spelled: String) {
        text = String(decoding: spelled.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let bare = Self.bare(text)
        isBalance = Self.balances.contains(bare)
        fraction = Fraction(ident: bare)
    }

    private static let balances: Set<String> = [
        "Balance", "T::Balance", "BalanceOf<T>", "BalanceOf<T,I>", "ExtendedBalance", "DepositBalance", "PalletBalanceOf<T>",
    ]

    /// Without the wrappers that change nothing for a reader.
    private static func bare(_ text: String) -> String {
        // A proof's type names are hostile text: no recursion, no copy a wrapper.
        let wrappers = ["Compact<", "Box<", "Option<"]
        var inner = text[...]
        while let wrapper = wrappers.first(where: { inner.hasPrefix($0) && inner.hasSuffix(">") }) {
            inner = inner.dropFirst(wrapper.count).dropLast()
        }
        return String(inner)
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
