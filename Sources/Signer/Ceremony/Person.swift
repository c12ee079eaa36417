import Keys
import SubstratePrimitives
import TrustStore

/// Whoever sits before the device, for what can be asked only once the vault is open.
public protocol Person {
    /// The `///password` of a key.
    /// - Parameter address: as the network at hand writes it; nil for a key that is about to be derived.
    func password(path: String, address: String?) throws -> SecretBytes

    /// The word for keys that would be on more than one network, after these were shown; nil where nobody can be asked.
    func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord?
}

/// A word, and where it comes from.
public enum GivenWord: Sendable {
    /// By a person at the terminal.
    case typed(String)
    /// By an option of the command, which counts in a development vault alone.
    case option(String)
}

/// Nobody: for operations that ask nothing.
public struct Nobody: Person {
    public init() {}
    public func password(path: String, address: String?) throws -> SecretBytes { SecretBytes() }
    public func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? { nil }
}
