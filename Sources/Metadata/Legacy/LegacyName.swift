/// Type names as the sources of older runtimes spell them.
enum LegacyName {
    static let primitives: [String: PrimitiveType] = [
        "bool": .bool, "char": .char, "str": .str, "String": .str, "Text": .str, "u8": .u8, "u16": .u16, "u32": .u32, "u64": .u64,
        "u128": .u128, "i8": .i8, "i16": .i16, "i32": .i32, "i64": .i64, "i128": .i128,
    ]

    /// Fixed-point types of sp-arithmetic and the integers they are made of.
    static let fractions: [String: PrimitiveType] = [
        "Percent": .u8, "PerU16": .u16, "Permill": .u32, "Perbill": .u32, "Perquintill": .u64, "FixedU64": .u64, "FixedI64": .i64,
        "FixedU128": .u128, "FixedI128": .i128,
    ]

    /// Without white space and the stray marks that published supplements carry at the end of a name.
    static func normal(_ name: String) -> String {
        var text = name.filter { !$0.isWhitespace }
        while text.hasSuffix(";") { text.removeLast() }
        return text
    }

    /// `<TasConfig>::Call`, `T::Call`, `<TasConfig<I>>::Proposal`.
    static func isCall(_ name: String) -> Bool {
        name == "Call" || (name.hasPrefix("<Tas") || name.hasPrefix("T::")) && (name.hasSuffix("::Call") || name.hasSuffix("::Proposal"))
    }

    /// The last name without its arguments.
    static func ident(_ name: String) -> String {
        var text = name
        if let (outer, _) = generic(text) { text = outer }
        return text.split(separator: ":").last.map(String.init) ?? text
    }

    /// A name that may be known where this one is not: without `T::`, without arguments, without a path; nil when nothing can go.
    static func shorter(_ name: String) -> String? {
        if name.hasPrefix("T::") { return String(name.dropFirst(3)) }
        if let (outer, _) = generic(name) { return outer }
        let last = ident(name)
        return last == name || last.isEmpty ? nil : last
    }

    /// `[X;n]`; some supplements write a comma.
    static func array(_ name: String) -> (String, UInt32)? {
        guard name.hasPrefix("["), name.hasSuffix("]"), let mark = name.lastIndex(where: { $0 == ";" || $0 == "," }),
            let count = UInt32(name[name.index(after: mark)...].dropLast())
        else { return nil }
        return (String(name[name.index(after: name.startIndex)..<mark]), count)
    }

    /// `Outer<A,B>`
    static func generic(_ name: String) -> (String, [String])? {
        guard let start = name.firstIndex(of: "<"), start != name.startIndex, name.hasSuffix(">") else { return nil }
        return (String(name[..<start]), split(name[name.index(after: start)...].dropLast()))
    }

    /// Splits at the commas that stand in no brackets.
    static func split(_ text: Substring) -> [String] {
        var depth = 0
        var parts: [String] = []
        var current = ""
        for character in text {
            if "<([".contains(character) { depth += 1 }
            if ">)]".contains(character) { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        if !current.isEmpty { parts.append(current) }
        return parts
    }
}
