import Glibc
import Keys

/// A second factor: a file whose bytes are needed beside the passphrase.
public enum KeyFile {
    /// Shorter files could be guessed.
    static let minimumLength = 32
    /// A key file is read whole into locked memory.
    static let maximumLength = 1024 * 1024
    private static let freshLength = 64

    /// The content of a key file: 32 bytes to 1 MiB.
    public static func read(path: String) throws(VaultError) -> SecretBytes {
        guard var bytes = try PrivateFile.read(path, limit: maximumLength) else { throw .system(operation: "open", errno: ENOENT) }
        let secret = SecretBytes(wiping: &bytes)
        guard secret.count >= minimumLength else { throw .keyFileLength(secret.count) }
        return secret
    }

    /// The same from an open file, which is read from its start and stays open.
    public static func read(descriptor: Int32) throws(VaultError) -> SecretBytes {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(operation: "read key file", errno: errno) }
        // One byte more than the file had shows whether it grew.
        let buffer = SecretBytes(count: min(Int(clamping: status.st_size), maximumLength) + 1)
        var length = 0
        while length < buffer.count {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + length, $0.count - length, off_t(length)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(operation: "read key file", errno: errno) }
            if count == 0 { break }
            length += count
        }
        guard (minimumLength...maximumLength).contains(length), length < buffer.count else { throw .keyFileLength(length) }
        return buffer.slice(0..<length)
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
        guard keyFile.count == 0 || (minimumLength...maximumLength).contains(keyFile.count) else { throw .keyFileLength(keyFile.count) }
    }
}
