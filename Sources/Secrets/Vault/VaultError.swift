import Keys

/// Why a vault refuses.
public enum VaultError: Error, Equatable, Sendable {
    /// Files beside the vault whose loss would hide that somebody tried to get in.
    public enum Companion: String, Sendable, CaseIterable {
        /// The count of wrong passphrases.
        case attempts
        /// The events that happened while the vault was locked.
        case journal
    }

    /// The directory holds no vault.
    case missing(String)
    /// The directory holds the store of a vault, whose own file is gone.
    case lost(String)
    /// The directory already holds one.
    case exists(String)
    /// Another program holds the vault's lock.
    case inUse
    /// The file is not a vault, is truncated, or has values out of bounds; the word names the part.
    case malformed(String)
    /// The file is not a backup of a vault.
    case notABackup
    /// A vault of a later format.
    case unknownFormat(UInt8)
    /// No key slot opens with this passphrase and key file. `failures` counts this attempt too; `delay` is how many seconds the next
    /// attempt must wait.
    case wrongPassphrase(failures: UInt32, delay: UInt64)
    /// Too soon after a wrong passphrase, or after a file beside the vault was tampered with; nothing was tried or counted.
    case mustWait(seconds: UInt64, afterTampering: Bool)
    /// The vault opened, but its content is not what this program sealed; the word names the part.
    case tampered(String)
    /// A file beside the vault is missing, or older than the trust store says. The next attempt must wait this many seconds.
    case companionTampered(Companion, delay: UInt64)
    /// Other users can write to this directory, or read or write this file.
    case exposed(String, isDirectory: Bool)
    /// What is at this path is a directory, a link, a pipe or a device, and should be a file.
    case notAFile(String)
    /// A file of a vault is a symbolic link, which leads where nobody looked.
    case link(String)
    /// Not every file could be overwritten and removed. `slots` says whether those with key slots were, so that no passphrase opens the vault.
    case erasedInPart(slots: Bool, names: [String])
    /// This directory or file belongs to another user.
    case foreign(String)
    /// A change of the passphrase was interrupted before it took effect: the former one opens the vault.
    case passphraseNotChanged
    /// A change of the passphrase was interrupted after it took effect: the new one opens the vault.
    case passphraseWasChanged
    /// A seed has this name.
    case seedExists(String)
    /// No seed has this name.
    case noSuchSeed(String)
    /// A seed name is 1 to 64 bytes of UTF-8 without control characters.
    case invalidSeedName
    /// A seed is the 16, 20, 24, 28 or 32 bytes of a mnemonic's entropy.
    case entropyLength(Int)
    /// The passphrase is empty, which only a development vault allows.
    case emptyPassphrase
    /// The cost is below what a vault with real keys needs, or above what is read back.
    case costOutOfBounds
    /// Argon2id could not get its memory.
    case outOfMemory
    /// A key file has 32 bytes to 1 MiB.
    case keyFileLength(Int)
    /// A vault holds at most 1024 seeds.
    case full
    /// The system refused: what was done, and its error number.
    case system(operation: String, errno: Int32)
}
