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

/// PBKDF2 (RFC 8018, section 5.2) on libsodium's HMAC: the first block.
enum PBKDF2 {
    /// With HMAC-SHA512: 64 bytes.
    static func firstBlock(
        password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, rounds: Int,
        into block: UnsafeMutablePointer<UInt8>
    ) {
        run(
            password, salt, rounds, block, count: 64, crypto_auth_hmacsha512_state(),
            crypto_auth_hmacsha512_init, crypto_auth_hmacsha512_update, crypto_auth_hmacsha512_final)
    }

    /// With HMAC-SHA256: 32 bytes.
    static func firstBlockSHA256(
        password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, rounds: Int,
        into block: UnsafeMutablePointer<UInt8>
    ) {
        run(
            password, salt, rounds, block, count: 32, crypto_auth_hmacsha256_state(),
            crypto_auth_hmacsha256_init, crypto_auth_hmacsha256_update, crypto_auth_hmacsha256_final)
    }

    private static func run<State: BitwiseCopyable>(
        _ password: UnsafeRawBufferPointer, _ salt: UnsafeRawBufferPointer, _ rounds: Int,
        _ block: UnsafeMutablePointer<UInt8>, count: Int, _ empty: State,
        _ start: (UnsafeMutablePointer<State>, UnsafePointer<UInt8>, Int) -> Int32,
        _ update: (UnsafeMutablePointer<State>, UnsafePointer<UInt8>, UInt64) -> Int32,
        _ finish: (UnsafeMutablePointer<State>, UnsafeMutablePointer<UInt8>) -> Int32
    ) {
        withSecretScratch(count) { chained in
            // The keyed state is prepared once and copied for each round. States are plain memory.
            let keyed = UnsafeMutablePointer<State>.allocate(capacity: 2)
            keyed.initialize(repeating: empty, count: 2)
            defer {
                sodium_memzero(keyed, 2 * MemoryLayout<State>.stride)
                keyed.deallocate()
            }
            let running = keyed + 1
            _ = start(keyed, password.bindMemory(to: UInt8.self).baseAddress!, password.count)
            running.update(from: keyed, count: 1)
            if let bytes = salt.bindMemory(to: UInt8.self).baseAddress {
                _ = update(running, bytes, UInt64(salt.count))
            }
            _ = update(running, [0, 0, 0, 1], 4)
            _ = finish(running, chained)
            block.update(from: chained, count: count)
            for _ in 1..<rounds {
                running.update(from: keyed, count: 1)
                _ = update(running, chained, UInt64(count))
                _ = finish(running, chained)
                for index in 0..<count { block[index] ^= chained[index] }
            }
        }
    }
}
