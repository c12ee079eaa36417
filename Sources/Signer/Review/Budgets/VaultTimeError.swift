import Diagnostics

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
