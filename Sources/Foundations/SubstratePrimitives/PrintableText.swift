extension String {
    /// UTF-8 of letters, digits, marks, punctuation, symbols, spaces, tabs and line feeds; nil for anything
    /// else and for no bytes.
    ///
    /// Bytes that hold an invisible, blank, unassigned or private character are better read as hex. Text that
    /// starts with `0x` is not printable either, judged by its bytes: as graphemes, `0x` followed by a
    /// combining mark does not start with `0x`.
    public static func printable(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, !bytes.starts(with: "0x".utf8),
            let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy(isPrintable)
        else { return nil }
        return text
    }

    /// Printable text of one line, without a tab and without blanks at its ends: a name that somebody else
    /// chose.
    public static func printableLine(_ bytes: [UInt8]) -> String? {
        guard let text = printable(bytes), !bytes.contains(where: { $0 < 0x20 }), bytes.first != 0x20,
            bytes.last != 0x20
        else {
            return nil
        }
        return text
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20...0x7e).contains(scalar.value) || scalar == "\n" || scalar == "\t" }
        // The braille pattern without dots is a symbol by category, but it is blank.
        guard !scalar.properties.isDefaultIgnorableCodePoint, scalar.value != 0x2800 else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark,
            .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
            .dashPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
            .currencySymbol, .modifierSymbol,
            .otherSymbol:
            true
        @unknown default: false
        }
    }
}

extension String {
    /// A name of a message between quotation marks. A mark inside stands as an apostrophe, so that one name
    /// cannot pass for two: `"cleo', 'dora"`. No name that this program takes has either. Nothing is escaped
    /// here: whoever prints the line escapes all of it, and a second escape would end the name after all.
    public var inQuotationMarks: String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar == "\"" ? "'" : scalar) }
        return "\"" + String(text) + "\""
    }
}
