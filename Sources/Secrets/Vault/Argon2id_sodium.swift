import CSodium
import Glibc
import Keys

/// Argon2id and the key that wraps a vault's data key, through libsodium.
enum Argon2id {
    static let saltLength = 16
    static let keyLength = 32

    /// 32 bytes of a passphrase at a cost that was checked before.
    static func derive(passphrase: borrowing SecretBytes, salt: [UInt8], cost: KDFCost) throws(VaultError)
        -> SecretBytes
    {
        precondition(salt.count == saltLength)
        let key = SecretBytes(count: keyLength)
        let status = key.withUnsafeMutableBytes { key in
            passphrase.withUnsafeBytes { passphrase in
                // An empty passphrase has no address, and libsodium's parameter must not be null.
                let text = passphrase.bindMemory(to: CChar.self).baseAddress ?? UnsafePointer(bitPattern: 1)!
                return crypto_pwhash(
                    key.bindMemory(to: UInt8.self).baseAddress!, UInt64(keyLength), text,
                    UInt64(passphrase.count), salt,
                    UInt64(cost.passes), Int(cost.memory) * 1024, crypto_pwhash_ALG_ARGON2ID13)
            }
        }
        guard status == 0 else { throw .outOfMemory }
        return key
    }
}

extension KDFCost {
    /// A cost of about `seconds` on this machine, at least ``KDFCost/minimum``'s memory: an eighth of the
    /// machine's memory between 64 and 256 MiB, then as many passes as fit, at least two.
    public static func measured(seconds: Double = 1) throws(VaultError) -> KDFCost {
        var memory = minimumMemory
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageLength = sysconf(Int32(_SC_PAGESIZE))
        if pages > 0, pageLength > 0 {
            memory = min(max(minimumMemory, UInt32(clamping: pages / 8 * (pageLength / 1024))), usualMemory)
        }
        let probe = KDFCost(passes: 1, memory: memory)
        let salt = [UInt8](repeating: 0, count: Argon2id.saltLength)
        let start = ContinuousClock.now
        _ = try Argon2id.derive(passphrase: SecretBytes(utf8: "measurement"), salt: salt, cost: probe)
        let spent =
            Double((ContinuousClock.now - start).components.attoseconds) / 1e18
            + Double((ContinuousClock.now - start).components.seconds)
        let passes = (seconds / max(spent, 1e-6)).rounded()
        return KDFCost(passes: UInt32(min(max(passes, 2), Double(maximumPasses))), memory: memory)
    }
}
