import ArgumentParser
import TrustStore
import Vault

/// `--word`, for commands that may allow a key on a second network.
struct WordOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The word that allows a key on more than one network, instead of the terminal; only in a development vault.", valueName: "text")
    )
    var word: String?

    /// Before anything else is asked. The header of a vault is not proof: ``confirm(_:in:isDevelopment:_:)`` looks again.
    func requireAllowed(_ vault: VaultOptions) throws {
        if word != nil, try !vault.isDevelopment() { throw CommandError.wordNeedsDevelopmentVault }
    }

    /// Shows the keys that would be on more than one network, and takes the word for them.
    ///
    /// - Parameters:
    ///   - state: has the networks of the keys.
    ///   - isDevelopment: proven by the vault's seal.
    func confirm(_ reuse: [KeyReuse], in state: TrustState, isDevelopment: Bool, _ console: Console) throws(CommandError) {
        guard word == nil || isDevelopment else { throw .wordNeedsDevelopmentVault }
        guard !reuse.isEmpty else { return }
        let lines = Wording.keyReuse(reuse, in: state)
        lines.forEach(console.note)
        let given = if let word { Optional(word) } else { try typed(lines, reuse.count, console) }
        // Bytes: text that only looks like the word is another one.
        guard let given, given.utf8.elementsEqual(KeyReuse.word.utf8) else { throw .keyOnTwoNetworks(reuse.count) }
    }

    /// nil without a terminal. Whoever answers has seen the list, wherever messages go.
    private func typed(_ lines: [String], _ count: Int, _ console: Console) throws(CommandError) -> String? {
        guard let terminal = console.terminal else { return nil }
        if !console.errorIsTerminal { Console.write(lines.joined(separator: "\n") + "\n", to: terminal) }
        return try console.ask(Wording.keyReuseQuestion(count))
    }
}

extension OpenVault {
    /// Changes the store after a word for every key that the changes allow on more than one network. The store compares what was shown with
    /// what the changes cause under its seal.
    ///
    /// - Parameter borrowed: a network that a key signs for this once, where nothing keeps that it may.
    func change(
        _ changes: [TrustChange], events: [LogEvent], borrowing borrowed: [TrustChange] = [], word: WordOption, _ console: Console
    ) throws {
        let state = try store.state()
        let reuse = KeyReuse.caused(by: changes + borrowed, in: state)
        try word.confirm(reuse, in: state, isDevelopment: vault.isDevelopment, console)
        try store.change(changes, events: events, borrowing: borrowed, accepting: reuse)
    }
}
