import Glibc
import Keys
import SystemIO

/// A second factor: a file whose bytes are needed beside the passphrase.
public enum KeyFile {
    /// Shorter files could be guessed.
    static let minimumLength = 32
    /// A key file is read whole into locked memory.
    static let maximumLength = 1024 * 1024
    private static let freshLength = 64

    /// The content of a key file: 32 bytes to 1 MiB.
    public static func read(path: String) throws(VaultError) -> SecretBytes {
        let file: OwnedDescriptor
        do throws(SystemError) { file = try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW) } catch {
            throw VaultError(error)
        }
        return try read(descriptor: file.number)
    }

    /// Reads a key file from an open file or a pipe. A file is read from its start and stays open; a pipe is
    /// read to its end.
    ///
    /// A pipe lets another program decrypt or fetch the key file, so that no disk has it in the clear. A pipe
    /// has no length and no start.
    public static func read(descriptor: Int32) throws(VaultError) -> SecretBytes {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(operation: "read key file", errno: errno) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        // One byte more than the file had, or may have, shows whether it grew, or is too long.
        let buffer = SecretBytes(
            count: (isFile ? min(Int(clamping: status.st_size), maximumLength) : maximumLength) + 1)
        let length: Int
        do throws(SystemError) {
            length = try buffer.withUnsafeMutableBytes { (buffer) throws(SystemError) in
                try Descriptor.fill(buffer, from: descriptor, at: isFile ? 0 : nil)
            }
        } catch {
            throw .system(operation: "read key file", errno: error.errno)
        }
        guard (minimumLength...maximumLength).contains(length), length < buffer.count else {
            throw .keyFileLength(length)
        }
        return buffer.slice(0..<length)
    }

    /// Makes a file of 64 random bytes, readable by its owner only. An existing file is never replaced.
    public static func create(path: String) throws(VaultError) {
        let content = SecretBytes(randomCount: freshLength)
        do throws(SystemError) {
            try content.withUnsafeBytes { (content) throws(SystemError) in
                try AtomicFile.create(path, with: content)
            }
        } catch {
            throw VaultError(error)
        }
    }

    /// Whether a file may be a key file: it has the length of one, and bytes that no text has. A key file has
    /// no other mark, and without its key file a vault stays closed.
    public static func mayBe(_ path: String) -> Bool {
        do throws(SystemError) {
            let file = try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            var status = stat()
            guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                Int(status.st_size) == freshLength
            else { return false }
            let bytes = try file.contents(limit: freshLength)
            return !bytes.allSatisfy { (0x20..<0x7f).contains($0) || (0x09...0x0d).contains($0) }
        } catch {
            return false
        }
    }

    /// Empty means "no key file".
    static func check(_ keyFile: borrowing SecretBytes) throws(VaultError) {
        guard keyFile.count == 0 || (minimumLength...maximumLength).contains(keyFile.count) else {
            throw .keyFileLength(keyFile.count)
        }
    }
}
