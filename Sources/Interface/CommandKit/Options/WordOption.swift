import ArgumentParser
import Ceremony
import Keys
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `--word`, for commands that may ask for a typed word: for a key on a second network, for rolls that do not
/// look random, and for a seed of this machine alone or of too few sources.
package struct WordOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Give the words that the command may ask for (development vaults only).", valueName: "text")
    )
    var word: String?

    package init() {}

    /// Before anything else is asked. The header of a vault is not proof: the session looks again.
    package func requireAllowed(_ vault: VaultOptions) throws {
        if word != nil { try requireAllowed(isDevelopment: vault.isDevelopment()) }
    }

    package func requireAllowed(isDevelopment: Bool) throws(CeremonyError) {
        guard word == nil || isDevelopment else { throw .wordNeedsDevelopmentVault }
    }
}

/// `--yes`, for commands that destroy a secret or give one out.
package struct YesOption: ParsableArguments {
    @Flag(help: "Skip the confirmation (development vaults only).") var yes = false

    package init() {}

    /// Where keys are real only a person confirms: a script that is fed a name would remove a seed. The
    /// header of a vault is not proof, but the vault of a changed one does not open.
    package func skipsQuestion(_ vault: VaultOptions) throws -> Bool {
        guard try !yes || vault.isDevelopment() else { throw CommandError.yesNeedsDevelopmentVault }
        return yes
    }
}

/// The person at the terminal, or what the options of a command say in their place.
package struct TerminalPerson: Person {
    let console: Console
    var word = WordOption()
    /// Descriptor with one line for each `///password`.
    var passwordFd: Int32?

    package init(console: Console, word: WordOption = WordOption(), passwordFd: Int32? = nil) {
        (self.console, self.word, self.passwordFd) = (console, word, passwordFd)
    }

    package func password(path: String, address: String?) throws -> SecretBytes {
        try secret(
            Wording.passwordQuestion(path: path, address: address), for: .password, descriptor: passwordFd,
            console)
    }

    package func isAskedAgain(afterWrong error: ReviewError) -> Bool {
        guard passwordFd == nil else { return false }
        console.tell(error.sentence)
        return true
    }

    package func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? {
        try word(
            KeyReuse.word, after: Wording.keyReuse(reuse, in: trust),
            "Type \"\(KeyReuse.word)\" to allow \(reuse.count == 1 ? "it" : "them"), or no: ")
    }

    package func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord? {
        try word(
            DiceRolls.word, after: concerns.map(Wording.diceConcern),
            """
            These rolls do not look random. Type \"\(DiceRolls.word)\" to create the seed all the same, or \
            no:\u{20}
            """
        )
    }

    package func word(forSourcesOf seed: SeedSources) throws -> GivenWord? {
        try word(
            MachinePart.word,
            after: (seed.countNoRolls ? [Wording.uncountedRolls] : [])
                + (seed.areTooFew ? [Wording.doubtfulSources] : []),
            "Type \"\(MachinePart.word)\" to create the seed all the same, or no: ")
    }

    /// Whoever answers has seen the lines, wherever messages go.
    private func word(_ wanted: String, after lines: [String], _ prompt: String) throws -> GivenWord? {
        lines.forEach(console.note)
        if let word = word.word { return .option(word) }
        guard let terminal = console.terminal else { return nil }
        if !console.errorIsTerminal { Console.write(lines.joined(separator: "\n") + "\n", to: terminal) }
        return try console.confirm(prompt: prompt, word: wanted) ? .typed(wanted) : nil
    }
}
