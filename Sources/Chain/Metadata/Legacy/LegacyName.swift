import SubstratePrimitives

/// Type names as the sources of older runtimes spell them; they are taken apart by Unicode scalars.
enum LegacyName {
    static let primitives: [ExactText: PrimitiveType] = [
        "bool": .bool, "char": .char, "str": .str, "String": .str, "Text": .str, "u8": .u8, "u16": .u16,
        "u32": .u32, "u64": .u64,
        "u128": .u128, "i8": .i8, "i16": .i16, "i32": .i32, "i64": .i64, "i128": .i128,
    ]

    /// Fixed-point types of sp-arithmetic and the integers they are made of.
    static let fractions: [ExactText: PrimitiveType] = [
        "Percent": .u8, "PerU16": .u16, "Permill": .u32, "Perbill": .u32, "Perquintill": .u64,
        "FixedU64": .u64, "FixedI64": .i64,
        "FixedU128": .u128, "FixedI128": .i128,
    ]

    /// Without white space and the stray marks that published supplements carry at the end of a name.
    static func normal(_ name: String) -> String {
        var text = String.UnicodeScalarView(name.unicodeScalars.filter { !$0.properties.isWhitespace })
        while text.last == ";" { text.removeLast() }
        return String(text)
    }

    /// `<TasConfig>::Call`, `T::Call`, `<TasConfig<I>>::Proposal`.
    static func isCall(_ name: String) -> Bool {
        name == "Call"
            || (name.utf8Starts(with: "<Tas") || name.utf8Starts(with: "T::"))
                && (name.utf8Ends(with: "::Call") || name.utf8Ends(with: "::Proposal"))
    }

    /// The last name without its arguments.
    static func ident(_ name: String) -> String {
        let text = generic(name)?.0 ?? name
        return text.unicodeScalars.split(separator: ":").last.map { String($0) } ?? text
    }

    /// A shorter name that may be known: without `T::`, without arguments or without a path; nil when nothing
    /// is left to drop.
    static func shorter(_ name: String) -> String? {
        if name.utf8Starts(with: "T::") { return String(name.unicodeScalars.dropFirst(3)) }
        if let (outer, _) = generic(name) { return outer }
        let last = ident(name)
        return last.utf8Equals(name) || last.isEmpty ? nil : last
    }

    /// `[X;n]`; some supplements write a comma.
    static func array(_ name: String) -> (String, UInt32)? {
        guard let inner = inside("[", name, "]")?.unicodeScalars,
            let mark = inner.lastIndex(where: { $0 == ";" || $0 == "," }),
            let count = UInt32(String(inner[inner.index(after: mark)...]))
        else { return nil }
        return (String(inner[..<mark]), count)
    }

    /// `Outer<A,B>`
    static func generic(_ name: String) -> (String, [String])? {
        let text = name.unicodeScalars
        guard let start = text.firstIndex(of: "<"), start != text.startIndex, text.last == ">" else {
            return nil
        }
        return (String(text[..<start]), split(String(text[text.index(after: start)...].dropLast())))
    }

    /// The text between the brackets that enclose a name; nil if it is not enclosed by them.
    static func inside(_ open: Unicode.Scalar, _ name: String, _ close: Unicode.Scalar) -> String? {
        let text = name.unicodeScalars
        return text.first == open && text.last == close ? String(text.dropFirst().dropLast()) : nil
    }

    /// Splits at the commas that stand in no brackets.
    static func split(_ text: String) -> [String] {
        Array(text.utf8)[...].typeArguments.map { String(decoding: $0, as: UTF8.self) }
    }
}
