import ArgumentParser
import Ceremony
import Glibc
import Keys
import Sandbox
import TerminalIO
import TrustStore
import Vault

/// Which vault a command works on, and where its passphrase comes from.
package struct VaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The vault's directory (default: $HELIOGRAPH_VAULT, else $XDG_DATA_HOME/heliograph).",
            valueName: "dir"), completion: .directory)
    package var vault: String?

    @Option(
        help: ArgumentHelp(
            "Read the passphrase as one line from this descriptor instead of the terminal.", valueName: "n"))
    package var passphraseFd: Int32?

    @Option(
        help: ArgumentHelp(
            "Read the vault's key file (second factor) from this descriptor, e.g. --key-fd 5 5<FILE.",
            valueName: "n"))
    var keyFd: Int32?

    @Option(
        help: ArgumentHelp(
            "Read the PIN of a security key or a token as one line from this descriptor.", valueName: "n"))
    var pinFd: Int32?

    package init() {}

    /// The second factor; empty where none is named.
    package func keyFile() throws(VaultError) -> SecretBytes {
        guard let keyFd else { return SecretBytes() }
        return try KeyFile.read(descriptor: keyFd)
    }

    package func directory() throws(CommandError) -> String {
        func named(_ variable: String) -> String? {
            getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let vault { return vault }
        if let folder = named("HELIOGRAPH_VAULT") { return folder }
        if let data = named("XDG_DATA_HOME") { return data + "/heliograph" }
        if let home = named("HOME") { return home + "/.local/share/heliograph" }
        throw .noVaultDirectory
    }

    package func device(nonces: any NonceKeeper = Nonces.folder) throws -> Device {
        Device(
            directory: try directory(), nonces: nonces, hardware: StartedHardware.current(pin: pinFd),
            firstDraw: .ofProcess)
    }

    /// The hardware that the vault's header names, with the PKCS#11 module of a token; nil for none. Whoever
    /// changes the header makes the vault refuse to open, and names no module but one that only root can
    /// change.
    func boundHardware() throws -> (module: String?, slots: Int)? {
        let path = try directory()
        let slots = (try? Vault.open(directory: path))?.slots.filter(\.needsHardware) ?? []
        return slots.isEmpty ? nil : (slots.compactMap(\.tokenModule).first, slots.count)
    }

    /// What the vault's header says; an open session proves it.
    package func isDevelopment() throws -> Bool { try device().vault().isDevelopment }
}
