import Keys
import Synchronization
import TrustStore
import Vault

/// The first bytes that a process got from the operating system's generator. They serve nothing else.
///
/// A generator that starts from a seed that somebody knows passes every test of its bytes. But it gives the
/// same bytes at each start, and that can be seen from one start to the next. So a vault is made with a keyed
/// digest of these bytes, and every unlock compares its own with the one that the store has of the process
/// before. The bytes are drawn before
/// anything else, because a generator that repeats itself is at another place after another command. A seed
/// that differs from start to start, by the time of day for one, is not noticed. The bytes are no secret,
/// because nothing else is made of them, so a locked shell may keep them.
public final class FirstDraw: Sendable {
    /// Of this process. `main` asks for it before it does anything else.
    public static let ofProcess = FirstDraw(SecretBytes(randomCount: length))

    /// Enough that two good draws are never the same.
    static let length = 32

    private let bytes: [UInt8]
    /// Ids of the vaults that have the digest of this process.
    private let told = Mutex<Set<[UInt8]>>([])

    /// - Parameter bytes: what the generator gave.
    init(_ bytes: borrowing SecretBytes) { self.bytes = bytes.withUnsafeBytes { Array($0) } }

    /// What the store keeps. Under a key of the vault, so that a copy of its files tells nothing about the
    /// generator.
    func digest(key: borrowing SecretBytes) -> [UInt8] {
        KeyedHash.authenticate(bytes, key: key)
    }

    func digest(for vault: UnlockedVault) -> [UInt8] {
        digest(key: vault.derivedKey(context: "heliograph first draw"))
    }

    func isTold(to vault: [UInt8]) -> Bool { told.withLock { $0.contains(vault) } }
    func tell(_ vault: [UInt8]) { _ = told.withLock { $0.insert(vault) } }
}

extension StoreSetting {
    /// The ``FirstDraw`` of the last process that unlocked the vault, 32 bytes.
    static let firstDraw = "first_draw"
}
