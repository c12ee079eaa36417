import CSodium
import Keys

/// What opens to a recovery key: an X25519 key pair that is drawn from its words.
///
/// Whoever changes the passphrase does not have the words at hand, and the data key changes with the
/// passphrase. So the slot keeps the public part, and any new data key can be sealed to it: the printed words
/// stay right. Each sealing has an ephemeral key pair of its own, whose secret part is wiped at once. A
/// public part proves nothing about who sealed to it, so ``KeySlots`` mixes in the words' proof, which no
/// file shows.
enum RecoveryLock {
    /// Bytes of a public part.
    static let length = Int(crypto_scalarmult_BYTES)

    /// The public part of the words.
    static func lock(of words: borrowing RecoveryKey) -> [UInt8] { publicPart(of: secretPart(of: words)) }

    /// A key that only the owner of the words derives again; nil for bytes that are no public key.
    static func shared(with lock: [UInt8]) -> Shared? {
        let secret = SecretBytes(randomCount: length)
        let ephemeral = publicPart(of: secret)
        guard let key = agreed(secret, with: lock, lock: lock, ephemeral: ephemeral) else { return nil }
        return Shared(ephemeral: ephemeral, key: key)
    }

    /// The key that ``shared(with:)`` gave; nil where the words are not those of the lock.
    static func key(of words: borrowing RecoveryKey, lock: [UInt8], ephemeral: [UInt8]) -> SecretBytes? {
        let secret = secretPart(of: words)
        guard publicPart(of: secret) == lock else { return nil }
        return agreed(secret, with: ephemeral, lock: lock, ephemeral: ephemeral)
    }

    struct Shared: ~Copyable {
        let ephemeral: [UInt8]
        private let key: SecretBytes

        init(ephemeral: [UInt8], key: consuming SecretBytes) {
            self.ephemeral = ephemeral
            self.key = key
        }

        consuming func takeKey() -> SecretBytes { key }
    }

    private static func secretPart(of words: borrowing RecoveryKey) -> SecretBytes {
        words.derivedKey(context: "heliograph recovery slot")
    }

    private static func publicPart(of secret: borrowing SecretBytes) -> [UInt8] {
        var lock = [UInt8](repeating: 0, count: length)
        secret.withUnsafeBytes {
            _ = crypto_scalarmult_base(&lock, $0.bindMemory(to: UInt8.self).baseAddress!)
        }
        return lock
    }

    private static func agreed(
        _ secret: borrowing SecretBytes, with other: [UInt8], lock: [UInt8], ephemeral: [UInt8]
    ) -> SecretBytes? {
        guard other.count == length else { return nil }
        let point = SecretBytes(count: length)
        // libsodium refuses points of small order, which give everybody the same result.
        let status = point.withUnsafeMutableBytes { point in
            secret.withUnsafeBytes { secret in
                crypto_scalarmult(
                    point.bindMemory(to: UInt8.self).baseAddress!,
                    secret.bindMemory(to: UInt8.self).baseAddress!, other)
            }
        }
        guard status == 0 else { return nil }
        return KeyedHash.derive(
            Array("heliograph recovery wrapping key".utf8) + ephemeral + lock, key: point,
            length: SealedBox.keyLength)
    }
}

extension RecoveryKey {
    /// The public part, which a vault keeps.
    public var lock: [UInt8] { RecoveryLock.lock(of: self) }

    /// 32 bytes of which the vault keeps a copy under its data key. They open nothing without the words.
    var proof: SecretBytes { derivedKey(context: "heliograph recovery proof") }
}
