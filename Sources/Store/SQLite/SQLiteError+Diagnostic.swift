import Diagnostics

extension SQLiteError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case database }

    public var code: Code { .database }

    public var sentence: String {
        "the database failed with SQLite code \(resultCode)" + (systemError == 0 ? "" : ": \(Sentence.systemError(systemError))")
    }

    public static var examples: [SQLiteError] { [SQLiteError(resultCode: 11), SQLiteError(resultCode: 10, systemError: 5)] }
}
