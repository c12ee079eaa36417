extension String {
    /// UTF-8 of letters, digits, marks, punctuation, symbols, spaces and line feeds; nil for anything else and for nothing.
    static func printable(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("0x") else { return nil }
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n" || scalar == "\t": continue
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return nil
            default: continue
            }
        }
        return text
    }
}
