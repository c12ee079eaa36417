import Diagnostics

/// Why vault time is not set.
public enum VaultTimeError: Error, Equatable, Sendable {
    case notADate
}

extension VaultTimeError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notADate:
            .usage(
                "not-a-date", "this is not a date of the calendar, such as 2026-01-31",
                hint: "type the year, the month and the day by UTC, with zeros: 2026-01-31")
        }
    }

    public static var examples: [VaultTimeError] { [.notADate] }
}
