import ArgumentParser
import Ceremony
import Keys
import Lines
import Presentation
import Sandbox
import TerminalIO
import TrustStore

/// What every command has at hand.
package struct CommandContext {
    /// The command that holds all others, for a shell that runs them.
    package let program: any ParsableCommand.Type
    package let console: Console
    package let sandbox: Sandbox.Report
    package let keeper: SessionKeeper

    /// The vault of a command, as it is without the passphrase.
    package func device(_ command: some VaultCommand) throws -> Device {
        try command.vault.device(nonces: keeper.nonces)
    }

    /// Opens the vault, or returns the one that a shell holds open. Both ways check the store's seal and the
    /// network.
    /// - Parameters:
    ///   - whileUnacknowledged: opens a vault even if its device was online and nobody acknowledged it. Only
    ///     the command that acknowledges it passes true.
    ///   - whileUncounted: opens a vault even if the counter of its TPM does not vouch for it. Only a command
    ///     that gives the counter up passes true.
    ///   - question: asks for the passphrase.
    ///   - keep: borrows the passphrase and the key file, for a command that wraps the data key under them
    ///     again.
    package func unlock(
        _ command: some VaultCommand, whileUnacknowledged: Bool = false, whileUncounted: Bool = false,
        asking question: String = Wording.passphrase,
        keeping keep: (_ passphrase: borrowing SecretBytes, _ keyFile: borrowing SecretBytes) -> Void = {
            _, _ in
        }
    ) throws -> Session {
        if !keeper.isOfShell { try Sandbox.giveUpStarting(sandbox) }
        return try keeper.unlock(
            command.vault, console, whileUnacknowledged: whileUnacknowledged, whileUncounted: whileUncounted,
            asking: question, keeping: keep)
    }

    /// After the yes to a dangerous review, before ``unlock(_:whileUnacknowledged:asking:)``: a shell's vault
    /// is open, so that nothing else would ask the person who they are. A single command asks for the
    /// passphrase anyway.
    package func requirePerson(for question: ReviewQuestion) {
        if question.word != nil { requirePerson() }
    }

    /// Before ``unlock(_:whileUnacknowledged:asking:)`` in a command that gives a secret out or destroys one,
    /// whatever it asked and whatever options it has: whoever finds a shell open knows every word that stands
    /// on its screen, and not the passphrase. A single command asks for the passphrase anyway.
    package func requirePerson() { keeper.requirePerson(console) }

    /// Whether a person follows this command: there is a terminal, and the passphrase does not come on a
    /// descriptor, as a script gives it.
    package func isAttended(_ command: some VaultCommand) throws -> Bool {
        try console.terminal != nil && keeper.completed(command.vault).passphraseFd == nil
    }

    /// The open vault if opening it needs no question: a descriptor gives the passphrase, or a shell holds
    /// the vault open. nil otherwise.
    package func unlockUnasked(_ command: some VaultCommand) throws -> Session? {
        guard try command.vault.passphraseFd != nil || keeper.holds(command.vault) else { return nil }
        return try unlock(command)
    }
}

extension CommandContext {
    /// The content of the trust store, for a command that prints it. It is checked under the seal if the
    /// vault is open or a passphrase is given; otherwise it is read unchecked, and the command says so.
    package func readTrust(_ command: some VaultCommand) throws -> TrustState {
        if let session = try unlockUnasked(command) { return try session.trust().state }
        console.note(Wording.trustStoreNotVerified)
        return try device(command).store().uncheckedTrust().state
    }
}
