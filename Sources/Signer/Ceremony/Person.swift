import Keys
import Review
import SubstratePrimitives
import TrustStore

/// The person at the device, for questions that can be asked only after the vault is open.
public protocol Person {
    /// The `///password` of a key, as UTF-8.
    /// - Parameters:
    ///   - path: of the key, without the password.
    ///   - address: SS58 or `0x`, in the form of the transaction's network; nil for a key that is about to be
    ///     derived.
    func password(path: String, address: String?) throws -> SecretBytes

    /// Whether ``password(path:address:)`` is asked again after a wrong answer, which it tells.
    func isAskedAgain(afterWrong error: ReviewError) -> Bool

    /// The word for keys that would be on more than one network, asked for after they were shown; nil if
    /// there is nobody to ask.
    /// - `trust`: the sealed state before the change, for the names of networks.
    func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord?

    /// The word for a seed of rolls that do not look random, asked for after the reasons were shown; nil if
    /// there is nobody to ask.
    func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord?

    /// The word for a seed of too few sources, or of rolls that count as nothing, asked for after they were
    /// shown; nil if there is nobody to ask.
    func word(forSourcesOf seed: SeedSources) throws -> GivenWord?
}

extension Person {
    public func isAskedAgain(afterWrong error: ReviewError) -> Bool { false }
    public func word(forSourcesOf seed: SeedSources) throws -> GivenWord? { nil }

    /// Asks for the word where a seed is made of rolls alone that do not look random.
    /// - Parameter isDevelopment: proven by the open vault.
    /// - Throws: ``CeremonyError/predictableRolls`` unless it is given.
    func requireWord(for concerns: [DiceRolls.Concern], isDevelopment: Bool) throws {
        guard !concerns.isEmpty else { return }
        guard try word(for: concerns)?.equals(DiceRolls.word, isDevelopment: isDevelopment) == true else {
            throw CeremonyError.predictableRolls
        }
    }

    /// Asks for the word where too little makes a seed unpredictable.
    /// - Parameter isDevelopment: proven by the open vault.
    /// - Throws: ``CeremonyError/tooFewSources`` or ``CeremonyError/uncountedRolls`` unless it is given.
    func requireWord(for sources: SeedSources?, isDevelopment: Bool) throws {
        guard let sources, sources.isDoubtful else { return }
        guard try word(forSourcesOf: sources)?.equals(MachinePart.word, isDevelopment: isDevelopment) == true
        else {
            throw sources.areTooFew ? CeremonyError.tooFewSources : .uncountedRolls
        }
    }

    /// Asks for the word where keys would be on more than one network.
    /// - Parameter isDevelopment: proven by the open vault.
    /// - Throws: ``CeremonyError/keyOnTwoNetworks(_:)`` unless it is given.
    func requireWord(for reuse: [KeyReuse], in trust: TrustState, isDevelopment: Bool) throws {
        guard !reuse.isEmpty else { return }
        guard try word(for: reuse, in: trust)?.equals(KeyReuse.word, isDevelopment: isDevelopment) == true
        else {
            throw CeremonyError.keyOnTwoNetworks(reuse.count)
        }
    }
}

/// A word, and where it comes from. It counts if its bytes are those of the word that was asked for.
public enum GivenWord: Sendable {
    /// By a person at the terminal.
    case typed(String)
    /// By an option of the command, which counts only in a development vault.
    case option(String)

    /// - Throws: ``CeremonyError/wordNeedsDevelopmentVault``
    fileprivate func equals(_ word: String, isDevelopment: Bool) throws(CeremonyError) -> Bool {
        // Bytes: text that only looks like the word is another one.
        switch self {
        case .typed(let text): return text.utf8Equals(word)
        case .option(let text):
            guard isDevelopment else { throw .wordNeedsDevelopmentVault }
            return text.utf8Equals(word)
        }
    }
}

/// Nobody, for operations that ask nothing: an empty password, and no word.
public struct Nobody: Person {
    /// Someone who answers nothing.
    public init() {}
    public func password(path: String, address: String?) throws -> SecretBytes { SecretBytes() }
    public func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? { nil }
    public func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord? { nil }
}
