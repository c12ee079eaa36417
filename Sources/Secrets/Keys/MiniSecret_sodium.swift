import CSodium

/// The 32 bytes that every key of a phrase starts from.
///
/// Source: paritytech/substrate-bip39: PBKDF2 runs over the entropy, not over the words as in BIP-39.
enum MiniSecret {
    /// PBKDF2-HMAC-SHA512(entropy, "mnemonic" ‖ password, 2048 rounds), first 32 of 64 bytes, written to
    /// `out`.
    static func derive(
        entropy: borrowing SecretBytes, password: borrowing SecretBytes,
        into out: UnsafeMutableRawBufferPointer
    ) {
        let salt = salt(password: password)
        withSecretScratch(64) { block in
            entropy.withUnsafeBytes { entropy in
                salt.withUnsafeBytes {
                    PBKDF2.firstBlock(password: entropy, salt: $0, rounds: 2048, into: block)
                }
            }
            out.copyMemory(from: UnsafeRawBufferPointer(start: block, count: 32))
        }
    }

    /// "mnemonic" ‖ password, as BIP-39 has it.
    static func salt(password: borrowing SecretBytes) -> SecretBytes {
        let prefix = Array("mnemonic".utf8)
        return SecretBytes(count: prefix.count + password.count) { salt in
            salt.copyBytes(from: prefix)
            password.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: salt[prefix.count...]).copyMemory(from: $0)
            }
        }
    }
}

/// PBKDF2 with HMAC-SHA512 (RFC 8018, section 5.2), on libsodium's HMAC.
enum PBKDF2 {
    /// The first block, 64 bytes.
    static func firstBlock(
        password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, rounds: Int,
        into block: UnsafeMutablePointer<UInt8>
    ) {
        withSecretScratch(64) { chained in
            // The keyed state is prepared once and copied for each round. SHA-512 states are plain memory.
            let keyed = UnsafeMutablePointer<crypto_auth_hmacsha512_state>.allocate(capacity: 2)
            defer {
                sodium_memzero(keyed, 2 * MemoryLayout<crypto_auth_hmacsha512_state>.stride)
                keyed.deallocate()
            }
            let running = keyed + 1
            crypto_auth_hmacsha512_init(
                keyed, password.bindMemory(to: UInt8.self).baseAddress!, password.count)
            running.update(from: keyed, count: 1)
            crypto_auth_hmacsha512_update(
                running, salt.bindMemory(to: UInt8.self).baseAddress, UInt64(salt.count))
            crypto_auth_hmacsha512_update(running, [0, 0, 0, 1], 4)
            crypto_auth_hmacsha512_final(running, chained)
            block.update(from: chained, count: 64)
            for _ in 1..<rounds {
                running.update(from: keyed, count: 1)
                crypto_auth_hmacsha512_update(running, chained, 64)
                crypto_auth_hmacsha512_final(running, chained)
                for index in 0..<64 { block[index] ^= chained[index] }
            }
        }
    }
}
