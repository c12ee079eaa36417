/// Amounts as plain decimals.
public enum Amount {
    /// `1,234.5678901234 DOT`: the digits before the point in groups of three.
    /// - `number`: decimal digits with or without a point.
    public static func plain(_ number: String, unit: String) -> String {
        "\(grouped(number)) \(Self.unit(unit))"
    }

    /// Escaped, so that a terminal shows it safely.
    public static func unit(_ unit: String) -> String { unit.utf8.isEmpty ? "(no unit)" : Escape.unit(unit) }

    /// A number with its digits before the point in groups of three.
    public static func grouped(_ number: String) -> String {
        let digits = Array(number.utf8.prefix { $0 != UInt8(ascii: ".") })
        let groups = digits.enumerated().flatMap { index, digit in
            index > 0 && (digits.count - index).isMultiple(of: 3) ? [UInt8(ascii: ","), digit] : [digit]
        }
        return Escape.ascii(
            String(decoding: groups + Array(number.utf8.dropFirst(digits.count)), as: UTF8.self))
    }
}
