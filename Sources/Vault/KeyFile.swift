import Glibc
import Keys

/// A second factor: a file whose bytes are needed beside the passphrase.
public enum KeyFile {
    /// Shorter files could be guessed.
    static let leastLength = 32
    /// A key file is read whole into locked memory.
    static let mostLength = 1024 * 1024
    private static let freshLength = 64

    /// The content of a key file: 32 bytes to 1 MiB.
    public static func read(path: String) throws(VaultError) -> SecretBytes {
        guard var bytes = try PrivateFile.read(path, limit: mostLength) else { throw .system(operation: "open", errno: ENOENT) }
        let secret = SecretBytes(wiping: &bytes)
        guard secret.count >= leastLength else { throw .keyFileLength(secret.count) }
        return secret
    }

    /// Makes a file of 64 random bytes, readable by its owner only. An existing file is never replaced.
    public static func create(path: String) throws(VaultError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "create", errno: errno) }
        defer { close(descriptor) }
        let content = SecretBytes(randomCount: freshLength)
        let written = content.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard written == freshLength, fsync(descriptor) == 0 else { throw .system(operation: "write", errno: errno) }
    }

    /// Empty means "no key file".
    static func check(_ keyFile: borrowing SecretBytes) throws(VaultError) {
        guard keyFile.count == 0 || (leastLength...mostLength).contains(keyFile.count) else { throw .keyFileLength(keyFile.count) }
    }
}
