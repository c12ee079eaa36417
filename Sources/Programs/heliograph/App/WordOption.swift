import ArgumentParser
import Ceremony
import Keys
import SubstratePrimitives
import TrustStore

/// `--word`, for commands that may allow a key on a second network.
struct WordOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Give the word that allows a key on more than one network (development vaults only).", valueName: "text")
    )
    var word: String?

    /// Before anything else is asked. The header of a vault is not proof: the session looks again.
    func requireAllowed(_ vault: VaultOptions) throws { if word != nil { try requireAllowed(isDevelopment: vault.isDevelopment()) } }

    func requireAllowed(isDevelopment: Bool) throws(CeremonyError) {
        guard word == nil || isDevelopment else { throw .wordNeedsDevelopmentVault }
    }
}

/// The person at the terminal, or what the options of a command say in their place.
struct TerminalPerson: Person {
    let console: Console
    var word = WordOption()
    /// Descriptor with one line for each `///password`.
    var passwordFd: Int32?

    func password(path: String, address: String?) throws -> SecretBytes {
        try secret(Wording.passwordQuestion(path: path, address: address), for: .password, descriptor: passwordFd, console)
    }

    /// Whoever answers has seen the list, wherever messages go.
    func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? {
        let lines = Wording.keyReuse(reuse, in: trust)
        lines.forEach(console.note)
        if let word = word.word { return .option(word) }
        guard let terminal = console.terminal else { return nil }
        if !console.errorIsTerminal { Console.write(lines.joined(separator: "\n") + "\n", to: terminal) }
        return .typed(try console.ask(Wording.keyReuseQuestion(reuse.count)))
    }
}
