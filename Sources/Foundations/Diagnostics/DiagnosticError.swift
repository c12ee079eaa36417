/// An error type that says what each of its errors means: a stable code and one English sentence, stated beside the type.
///
/// Programs add a hint and an exit status, and render the result as a ``Diagnostic``. They never word an error themselves.
public protocol DiagnosticError: Error, Sendable {
    /// The codes of this type: `enum Code: String, CaseIterable`, each raw value a kebab-case word that never changes. Errors of other types that
    /// mean the same have the same word.
    associatedtype Code: RawRepresentable<String> & CaseIterable & Sendable

    var code: Code { get }

    /// One sentence: what is wrong, in lower case, without a period. It may quote text from outside, so it is escaped where it is printed.
    var sentence: String { get }

    /// One error for each code, for the table of all codes. Their values are examples.
    static var examples: [Self] { get }
}
