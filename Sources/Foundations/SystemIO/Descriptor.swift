import Glibc

/// Reads, writes and waits on descriptors that the caller owns, such as standard input or an end of a pipe.
public enum Descriptor {
    /// Bytes that a read of unknown length asks for at a time.
    private static let chunkLength = 65_536

    // MARK: Once

    /// At most `buffer.count` bytes, as `read(2)`: 0 at the end, -1 with `errno` on failure.
    public static func readSome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        retrying { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads from `offset` of a file, like `pread(2)`.
    static func readSome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int)
        -> Int
    {
        retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Writes at most `bytes.count` bytes, like `write(2)`: -1 with `errno` on failure, also if a
    /// non-blocking descriptor takes none now.
    public static func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        retrying { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }

    // MARK: Whole

    /// Reads until the buffer is full or the input ends. A secret goes straight to its own memory.
    /// - `offset`: where in a file to begin, without moving its position; nil reads on from there.
    /// - Returns: how many bytes came.
    public static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int? = nil,
        path: String? = nil
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count =
                if let offset { readSome(descriptor, into: rest, at: offset + filled) } else {
                    readSome(descriptor, into: rest)
                }
            guard count >= 0 else { throw SystemError(.read, path) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Exactly `count` bytes; nil when fewer come.
    public static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled =
                (try? fill(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]),
                    from: descriptor)) ?? 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Everything up to the end of the input. Not for secrets: the bytes pass through memory that is not
    /// wiped.
    /// - Throws: ``SystemError/isTooLarge`` when more than `limit` bytes come.
    public static func readAll(_ descriptor: Int32, limit: Int, path: String? = nil) throws(SystemError)
        -> [UInt8]
    {
        try collect(limit: limit, path: path) { buffer, _ in readSome(descriptor, into: buffer) }
    }

    /// Everything in the file at `path`, which may be a pipe. Not for secrets.
    ///
    /// Opening a pipe without a writer would block forever, so the pipe is opened without waiting, and its
    /// first byte is awaited for `milliseconds`. While a writer has it open, the wait is longer: the writer
    /// may be asking a person first.
    /// - Returns: nil when no byte came and nobody writes to it.
    /// - Throws: ``SystemError/isTooLarge`` when more than `limit` bytes come.
    public static func readFile(_ path: String, limit: Int, milliseconds: Int = 5_000) throws(SystemError)
        -> [UInt8]?
    {
        let file = try OwnedDescriptor(path, O_RDONLY | O_NONBLOCK)
        // The length of a regular file is known before it is read.
        var status = stat()
        let isRegular = fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let length = isRegular ? Int(status.st_size) : 0
        guard length <= limit else { throw SystemError(.read, path, errno: EFBIG) }
        var entries = [pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)]
        if poll(&entries, milliseconds: milliseconds) <= 0 {
            // Without waiting, a pipe that nobody writes to is at its end; one with a writer says that there
            // is nothing yet.
            var byte: UInt8 = 0
            let count = Glibc.read(file.number, &byte, 1)
            guard count < 0, errno == EAGAIN else {
                return count > 0 ? [byte] + (try file.readAll(limit: limit - 1)) : nil
            }
        }
        _ = fcntl(file.number, F_SETFL, 0)
        return try collect(limit: limit, path: path, expecting: length) { buffer, _ in
            readSome(file.number, into: buffer)
        }
    }

    /// Appends what `next` puts into its buffer until it gives 0. `next` also gets how many bytes there are
    /// already. As many bytes as are expected get their memory at once: an array that grows is copied, and
    /// takes twice the memory of a long file.
    static func collect(
        limit: Int, path: String?, expecting length: Int = 0,
        _ next: (UnsafeMutableRawBufferPointer, Int) -> Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        var chunk = [UInt8](repeating: 0, count: chunkLength)
        while true {
            let count = chunk.withUnsafeMutableBytes { next($0, bytes.count) }
            guard count >= 0 else { throw SystemError(.read, path) }
            if count == 0 { return bytes }
            guard count <= limit - bytes.count else { throw SystemError(.read, path, errno: EFBIG) }
            bytes += chunk[..<count]
        }
    }

    /// False when nobody reads any more; `errno` says why.
    public static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { write(descriptor, $0) }
    }

    /// Writes bytes from memory outside an array, such as the memory of a secret.
    public static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        writeAll(bytes) { rest, _ in writeSome(descriptor, rest) }
    }

    /// Passes `bytes` to `next` until it has taken all of them. `next` also gets how many it has taken
    /// already.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, _ next: (UnsafeRawBufferPointer, Int) -> Int)
        -> Bool
    {
        var written = 0
        while written < bytes.count {
            let count = next(UnsafeRawBufferPointer(rebasing: bytes[written...]), written)
            // A file that takes nothing without an error would be tried for ever.
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    // MARK: Waiting

    /// Waits until something happens on one of `entries`, as `poll(2)`. A signal does not make the wait
    /// longer.
    /// - `milliseconds`: how long to wait at most; a negative number means for ever.
    /// - Returns: how many entries something happened on, 0 when the time is up, -1 with `errno` on failure.
    public static func poll(_ entries: inout [pollfd], milliseconds: Int) -> Int32 {
        let deadline = milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(milliseconds)
        return retrying {
            let left = deadline.map { max(0, (($0 - .now) / .milliseconds(1)).rounded(.up)) } ?? -1
            return Glibc.poll(&entries, nfds_t(entries.count), Int32(min(left, Double(Int32.max))))
        }
    }
}
