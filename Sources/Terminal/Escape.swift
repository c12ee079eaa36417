/// Text from outside, made safe to print: no control character, no direction override, no line break reaches the terminal.
public enum Escape {
    public static func terminal(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": safe += "\\\\"
            case "\n": safe += "\\n"
            case "\t": safe += "\\t"
            case _ where isUnsafe(scalar): safe += "\\u{\(String(scalar.value, radix: 16))}"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// A JSON document that says the same: what would not be safe on a terminal stands as `\uXXXX` inside its strings.
    public static func json(_ document: String) -> String {
        var safe = ""
        for scalar in document.unicodeScalars {
            // The encoder escapes line breaks inside strings; those that are left part its lines.
            if scalar == "\n" || !isUnsafe(scalar) {
                safe.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16)
                    safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return safe
    }

    /// Controls, and formatting characters that reorder or hide what stands beside them.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        case .spaceSeparator: scalar != " "
        default: false
        }
    }
}
