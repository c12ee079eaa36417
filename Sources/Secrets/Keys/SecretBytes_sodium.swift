import CSodium
import Diagnostics
import Synchronization

/// A secret in memory that is guarded, locked against swapping where the system allows it, and wiped when it
/// is released.
///
/// It cannot be copied by accident, printed or encoded: it conforms to nothing that would do so. Its bytes
/// are reached only inside closures. One instance costs several system calls and at least one locked page, so
/// key material that belongs together lives in one instance.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    /// Bytes; 0 is allowed and means "no secret", such as an empty password.
    public let count: Int
    private let start: UnsafeMutableRawPointer?

    private static let failedLocks = Atomic<Int>(0)
    private static let library: Void = precondition(sodium_init() >= 0, "libsodium does not start")

    /// How many secrets of this process the system refused to lock into memory (RLIMIT_MEMLOCK); those could
    /// reach a swap device.
    public static var lockFailures: Int { failedLocks.load(ordering: .relaxed) }

    package static func startLibrary() { _ = library }

    /// `count` zero bytes. Stops the program when the system has no memory left.
    public init(count: Int) {
        Self.startLibrary()
        self.count = count
        guard count > 0 else {
            start = nil
            return
        }
        guard let memory = sodium_malloc(count) else { fatalError("no memory for a secret") }
        // sodium_malloc locks too, but does not say whether it worked.
        if sodium_mlock(memory, count) != 0 { Self.failedLocks.add(1, ordering: .relaxed) }
        sodium_memzero(memory, count)
        start = memory
    }

    /// An empty secret.
    public init() { self.init(count: 0) }

    /// `count` bytes from the operating system's random source.
    public init(randomCount count: Int) {
        self.init(count: count)
        withUnsafeMutableBytes { randombytes_buf($0.baseAddress!, $0.count) }
    }

    /// `count` bytes that the closure fills in.
    public init<E: Error>(count: Int, initializing body: (UnsafeMutableRawBufferPointer) throws(E) -> Void)
        throws(E)
    {
        self.init(count: count)
        try withUnsafeMutableBytes(body)
    }

    /// Moves bytes out of an array, which is wiped and emptied.
    public init(wiping bytes: inout [UInt8]) {
        self.init(count: bytes.count)
        bytes.withUnsafeMutableBytes { source in
            guard let from = source.baseAddress else { return }
            withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(source)) }
            sodium_memzero(from, source.count)
        }
        bytes = []
    }

    /// Copies bytes from elsewhere; the caller wipes the original.
    public init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count)
        withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    }

    /// The UTF-8 of a text that is not secret itself (the development phrase, a test): the text stays in
    /// ordinary memory.
    public init(utf8 text: String) {
        self.init(count: text.utf8.count)
        withUnsafeMutableBytes { $0.copyBytes(from: text.utf8) }
    }

    deinit {
        if let start { sodium_free(start) }
    }

    public borrowing func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    public borrowing func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    /// A second instance with the same bytes, made on purpose.
    public borrowing func copy() -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: $0) }
    }

    /// Bytes `range` as a secret of their own.
    public borrowing func slice(_ range: Range<Int>) -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Equality in a time that depends on the lengths only.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        guard let start, let otherStart = other.start else { return true }
        return sodium_memcmp(start, otherStart, count) == 0
    }
}

/// A secret that an operation or an outcome carries. `SecretBytes` cannot be copied, so this lends the one
/// instance, which is wiped when the last reference is released.
public final class HeldSecret: Sendable {
    private let secret: SecretBytes

    /// Takes the secret over.
    public init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// Bytes.
    public var count: Int { secret.count }

    /// Lends the secret to `body`.
    public func withSecret<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E)
        -> R
    { try body(secret) }
}

/// Wipes the stack below the caller, where returned calls may have left parts of a secret: spilled registers,
/// and data of a library's lazy binding. For a program that continues after working with secrets.
public func wipeStack() { sodium_stackzero(256 << 10) }

/// Runs `body` with `count` bytes of ordinary memory for intermediate secrets, wiped afterwards. Cheaper than
/// a ``SecretBytes`` where a value lives for microseconds.
package func withSecretScratch<R: ~Copyable, E: Error>(
    _ count: Int, _ body: (UnsafeMutablePointer<UInt8>) throws(E) -> R
) throws(E) -> R {
    let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    scratch.initialize(repeating: 0, count: count)
    defer {
        sodium_memzero(scratch, count)
        scratch.deallocate()
    }
    return try body(scratch)
}

extension SecretBytes {
    /// The library that holds secrets, and computes Ed25519 and Ristretto.
    public static var sodium: Release.Library {
        Release.Library("libsodium", String(cString: sodium_version_string()))
    }
}
