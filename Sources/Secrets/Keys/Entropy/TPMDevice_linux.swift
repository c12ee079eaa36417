import Diagnostics
import Glibc

/// The generator of a TPM 2.0, asked with the raw command TPM2_GetRandom over a device of the kernel.
///
/// Source: TPM 2.0 Library, Part 3, 16.1; Part 1, 14 for the header. A command is the tag 0x8001 (no
/// session), the length of all of it as four bytes, the command code 0x0000017b as four bytes and the wanted
/// count as two, all big-endian. The answer is the tag, its length, a response code that is 0, and the bytes
/// behind their count. A TPM may give fewer than it is asked for, at most as many as its longest digest.
///
/// Nothing but a character device is opened, and an answer of any other form ends the drawing: what is not a
/// TPM, such as a terminal or `/dev/null`, gives no bytes.
package final class TPMDevice {
    /// Bytes of one command: the longest digest that every TPM 2.0 has.
    private static let most = 32
    /// Milliseconds until an answer must be there; a TPM takes some ten.
    private static let patience = 10_000
    private static let mostWaits = 8
    private static let headerLength = 10

    private let descriptor: Int32
    /// Why it gives no more bytes.
    private(set) var failure: SourceFailure?

    /// - Throws: ``SourceFailure/notADevice``, ``SourceFailure/refused(errno:)``
    package init(path: String) throws(SourceFailure) {
        var information = stat()
        // Looked at before it is opened: opening a pipe would wait for its other end.
        guard stat(path, &information) == 0 else { throw .refused(errno: errno) }
        guard information.st_mode & S_IFMT == S_IFCHR else { throw .notADevice }
        let opened = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { throw .refused(errno: errno) }
        guard fstat(opened, &information) == 0, information.st_mode & S_IFMT == S_IFCHR else {
            close(opened)
            throw .notADevice
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// - Returns: how many bytes were filled; fewer than wanted where ``failure`` says why.
    func fill(_ out: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < out.count, failure == nil {
            let rest = UnsafeMutableRawBufferPointer(rebasing: out[filled...])
            do throws(SourceFailure) { filled += try draw(into: rest) } catch { failure = error }
        }
        return filled
    }

    /// One command and its answer.
    private func draw(into out: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
        let wanted = min(out.count, Self.most)
        let command: [UInt8] = [0x80, 0x01, 0, 0, 0, 12, 0, 0, 0x01, 0x7b, 0, UInt8(wanted)]
        let written = command.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == command.count else { throw .refused(errno: written < 0 ? errno : EIO) }
        // The answer is as secret as the seed, so it comes into memory that is wiped.
        let answer = SecretBytes(count: Self.headerLength + 2 + Self.most)
        var have = 0
        var length = Self.headerLength
        while have < length {
            have += try receive(answer, from: have)
            guard have >= Self.headerLength else { continue }
            let told = answer.withUnsafeBytes { (bytes) -> (tag: UInt16, length: Int, code: UInt32) in
                (
                    bytes.loadUnaligned(as: UInt16.self).bigEndian,
                    Int(bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self).bigEndian),
                    bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self).bigEndian
                )
            }
            guard told.tag == 0x8001, told.code == 0, (Self.headerLength + 3...answer.count) ~= told.length
            else { throw .strangeAnswer }
            length = told.length
        }
        guard have == length else { throw .strangeAnswer }
        return try answer.withUnsafeBytes { (bytes) throws(SourceFailure) in
            let count = Int(bytes.loadUnaligned(fromByteOffset: Self.headerLength, as: UInt16.self).bigEndian)
            guard count == length - Self.headerLength - 2, count <= wanted else { throw .strangeAnswer }
            let random = bytes[(Self.headerLength + 2)..<length]
            out.copyMemory(from: UnsafeRawBufferPointer(rebasing: random))
            return count
        }
    }

    private func receive(_ answer: borrowing SecretBytes, from have: Int) throws(SourceFailure) -> Int {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // A signal, such as that of a window that changes its size, ends a wait early.
        var (ready, waits): (Int32, Int) = (-1, 0)
        while ready < 0, waits < Self.mostWaits {
            ready = poll(&polled, 1, Int32(Self.patience))
            waits += 1
        }
        guard ready > 0 else { throw ready < 0 ? .refused(errno: errno) : .strangeAnswer }
        let count = answer.withUnsafeMutableBytes {
            read(descriptor, $0.baseAddress! + have, $0.count - have)
        }
        guard count != 0 else { throw .strangeAnswer }
        guard count > 0 else { throw .refused(errno: errno) }
        return count
    }
}
