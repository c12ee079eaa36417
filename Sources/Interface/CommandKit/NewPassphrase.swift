import Ceremony
import Keys
import TerminalIO

/// A new passphrase. At a terminal it is generated or typed twice, because nobody can recover from a typing
/// error; a descriptor gives it once.
package struct NewPassphrase {
    /// Asks for the passphrase; it says that an empty line generates one.
    let question: String
    /// What a generated passphrase has between its words.
    var separator: Unicode.Scalar = " "
    /// Whether a weak one is asked again. What makes the vault refuses it anyway.
    let needsStrength: Bool
    let console: Console

    package init(question: String, separator: Unicode.Scalar = " ", needsStrength: Bool, console: Console) {
        (self.question, self.separator, self.needsStrength, self.console) = (
            question, separator, needsStrength, console
        )
    }

    /// - Throws: ``CommandError/emptyPassphrase`` for an empty line on the descriptor.
    package func read(descriptor: Int32?) throws -> SecretBytes {
        if descriptor != nil {
            let given = try secret(question, for: .passphrase, descriptor: descriptor, console)
            guard given.count > 0 else { throw CommandError.emptyPassphrase }
            return given
        }
        while true {
            let first = try secret(question, for: .passphrase, descriptor: nil, console)
            guard first.count > 0 else { return try generated() }
            if hasControlByte(first) {
                console.tell(Wording.passphraseHasControl)
                continue
            }
            if needsStrength, try isRefused(first) { continue }
            if first.isEqual(
                to: try secret("repeat the passphrase: ", for: .passphrase, descriptor: nil, console))
            {
                return first
            }
            console.tell("the two passphrases differ")
        }
    }

    /// An arrow key sends bytes that nobody sees: typed again without it, the passphrase would open nothing.
    private func hasControlByte(_ passphrase: borrowing SecretBytes) -> Bool {
        passphrase.withUnsafeBytes { $0.contains { $0 < 0x20 || $0 == 0x7f } }
    }

    private func isRefused(_ passphrase: borrowing SecretBytes) throws -> Bool {
        guard let refusal = try PassphraseStrength.refusal(of: passphrase) else { return false }
        console.tell(refusal.sentence)
        return true
    }

    /// Shown until a key is pressed, and typed to show that it was written down.
    private func generated() throws -> SecretBytes {
        let drawn = DrawnPassphrase.make(separator: separator)
        let words = separator == "-" ? "six random words and their hyphens" : "six random words"
        while true {
            try console.reveal(
                drawn,
                above: ["", "Write this passphrase down: \(words), shown only now.", ""],
                below: Wording.pressKeyToClear)
            let typed = try secret(
                "type the passphrase that you wrote down: ", for: .passphrase, descriptor: nil, console)
            if typed.isEqual(to: drawn) { return drawn }
            console.tell("this is not the generated passphrase: it is shown again")
        }
    }
}
