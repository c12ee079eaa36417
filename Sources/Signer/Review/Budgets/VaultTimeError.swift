import Diagnostics
import SubstratePrimitives

/// Why vault time is not set.
public enum VaultTimeError: Error, Equatable, Sendable {
    case notADate
}

extension VaultTimeError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case notADate = "not-a-date" }

    public var code: Code {
        switch self {
        case .notADate: .notADate
        }
    }

    public var sentence: String {
        switch self {
        case .notADate: "this is not a date of the calendar, such as 2026-01-31"
        }
    }

    public static var examples: [VaultTimeError] { [.notADate] }
}

extension UTCDate {
    public static let secondsOfDay: UInt64 = 86_400

    /// The first second of a date by UTC, as `2026-01-31`; nil for anything else, and before 1970.
    public static func seconds(ofDay text: String) -> UInt64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return Int(String(decoding: bytes[range], as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), (1...12).contains(month) else { return nil }
        // Source: howardhinnant.github.io, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        guard let days = UInt64(exactly: era * 146_097 + dayOfEra - 719_468) else { return nil }
        // The 31st of a shorter month would be another date.
        return "\(text) UTC".utf8Equals(Self.day(days * secondsOfDay)) ? days * secondsOfDay : nil
    }
}
