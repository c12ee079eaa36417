import Glibc

/// Parts that sentences about errors share.
public enum Sentence {
    /// A number with its noun: `1 byte`, `2 bytes`.
    /// - `plural`: for a noun that does not take an s.
    public static func count(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(plural ?? noun + "s")"
    }

    /// `is` or `are`, by the number.
    public static func be(_ number: some BinaryInteger) -> String { number == 1 ? "is" : "are" }

    /// `28,123,457`.
    public static func grouped(_ number: some UnsignedInteger) -> String {
        var digits = Array(String(number).utf8)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(UInt8(ascii: ","), at: place)
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// `1 byte is left over`, `2 bytes are left over`.
    public static func leftover(_ bytes: some BinaryInteger) -> String {
        "\(count(bytes, "byte")) \(be(bytes)) left over"
    }

    /// What the system says of an `errno`, in lower case: `no such file or directory`.
    public static func systemError(_ number: Int32) -> String {
        String(cString: strerror(number)).lowercased()
    }

    /// A time in its two largest units: `1 hour`, `2 minutes 4 seconds`.
    public static func duration(_ seconds: UInt64) -> String {
        let parts = [(seconds / 3_600, "hour"), (seconds % 3_600 / 60, "minute"), (seconds % 60, "second")]
            .filter { $0.0 > 0 }
        return parts.isEmpty ? "0 seconds" : parts.prefix(2).map { count($0.0, $0.1) }.joined(separator: " ")
    }

    /// A byte as `0x53`.
    public static func byte(_ byte: UInt8) -> String { (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16) }

    /// A sentence after the place that it is about: `types.17: type 5 is missing`.
    public static func at(_ place: String, _ sentence: String) -> String {
        place.isEmpty ? sentence : "\(place): \(sentence)"
    }
}
