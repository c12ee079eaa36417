import CSodium

/// What every path of numbers starts from: the 64-byte seed of BIP-39, or a master secret that was kept
/// without words.
///
/// Source: BIP-39, "From mnemonic to seed": PBKDF2-HMAC-SHA512 over the words, not over the entropy as in
/// Substrate.
public struct HDSeed: ~Copyable, Sendable {
    /// 16 to 64 bytes, as BIP-32 wants.
    let bytes: SecretBytes

    /// The seed of a phrase.
    ///
    /// - `passphrase`: of BIP-39, which Substrate calls the `///password`; empty where there is none. It is
    ///   hashed in NFKD: ASCII is, and other characters are refused, because two spellings of one letter
    ///   would lead to two wallets.
    public init(_ mnemonic: borrowing Mnemonic, passphrase: borrowing SecretBytes) throws(KeyError) {
        guard Self.takes(passphrase: passphrase) else { throw .passphraseNotASCII }
        self.init(mnemonic, ascii: passphrase)
    }

    /// Whether a passphrase is ASCII.
    static func takes(passphrase: borrowing SecretBytes) -> Bool {
        passphrase.withUnsafeBytes { $0.allSatisfy { $0 < 0x80 } }
    }

    /// The seed of a phrase and a passphrase that ``takes(passphrase:)``.
    init(_ mnemonic: borrowing Mnemonic, ascii passphrase: borrowing SecretBytes) {
        let seed = SecretBytes(count: 64)
        let phrase = mnemonic.phrase()
        let salt = MiniSecret.salt(password: passphrase)
        seed.withUnsafeMutableBytes { seed in
            phrase.withUnsafeBytes { phrase in
                salt.withUnsafeBytes {
                    PBKDF2.firstBlock(
                        password: phrase, salt: $0, rounds: 2048,
                        into: seed.bindMemory(to: UInt8.self).baseAddress!)
                }
            }
        }
        bytes = seed
    }

    /// A master secret without a phrase.
    /// - `bytes`: 16 to 64.
    public init(master bytes: borrowing SecretBytes) throws(KeyError) {
        guard (16...64).contains(bytes.count) else { throw .secretLength(bytes.count) }
        self.bytes = bytes.copy()
    }
}

/// The node of a path: 32 bytes of secret (64 for Ledger), then 32 of chain code, in memory of the caller.
enum HDNode {
    /// Ledger's nodes have kL ‖ kR ‖ chain code.
    static let length = 96

    /// Writes the secret of the last node to the start of `node`, which has ``length`` bytes.
    static func derive(_ seed: borrowing HDSeed, _ path: HDPath, into node: UnsafeMutablePointer<UInt8>)
        throws(KeyError)
    {
        switch path.kind {
        case .bip32:
            start(seed, "Bitcoin seed", into: node)
            // One seed in 2^127 has no master key.
            guard Secp256k1.publicKey(secret: node) != nil else { throw .unusableSecret }
        case .slip10: start(seed, "ed25519 seed", into: node)
        case .ledger: startLedger(seed, into: node)
        }
        try walk(path, node)
    }

    /// Goes from the master node along a path.
    static func walk(_ path: HDPath, _ node: UnsafeMutablePointer<UInt8>) throws(KeyError) {
        for step in path.steps {
            switch path.kind {
            case .bip32: try bip32(node, step)
            case .slip10: slip10(node, step)
            case .ledger: ledger(node, step)
            }
        }
    }

    /// HMAC-SHA512 of the seed under a name: secret ‖ chain code (BIP-32, "Master key generation").
    private static func start(
        _ seed: borrowing HDSeed, _ name: StaticString, into node: UnsafeMutablePointer<UInt8>
    ) {
        seed.bytes.withUnsafeBytes { HMAC.sha512($0, key: buffer(name), into: node) }
    }

    /// BIP-32, "Private parent key → private child key".
    private static func bip32(_ node: UnsafeMutablePointer<UInt8>, _ step: HDPath.Step) throws(KeyError) {
        try withSecretScratch(37 + 64) { data throws(KeyError) in
            if step.isHardened {
                (data + 1).update(from: node, count: 32)
            } else {
                guard let key = Secp256k1.publicKey(secret: node) else { throw .unusableSecret }
                data.update(from: key, count: 33)
            }
            bigEndian(step.index, to: data + 33)
            let child = data + 37
            HMAC.sha512(
                UnsafeRawBufferPointer(start: data, count: 37), key: chainCode(node + 32), into: child)
            // One index in 2^127 has no key; BIP-32 leaves it out, and so does this.
            guard Secp256k1.add(child, to: node) else { throw .unusableSecret }
            (node + 32).update(from: child + 32, count: 32)
        }
    }

    /// SLIP-10, "Private parent key → private child key" for ed25519.
    private static func slip10(_ node: UnsafeMutablePointer<UInt8>, _ step: HDPath.Step) {
        withSecretScratch(37 + 64) { data in
            (data + 1).update(from: node, count: 32)
            bigEndian(step.index, to: data + 33)
            HMAC.sha512(
                UnsafeRawBufferPointer(start: data, count: 37), key: chainCode(node + 32), into: data + 37)
            node.update(from: data + 37, count: 64)
        }
    }

    /// kL and kR are hashed again until the third highest bit of kL is clear; then kL is clamped.
    private static func startLedger(_ seed: borrowing HDSeed, into node: UnsafeMutablePointer<UInt8>) {
        let name = buffer("ed25519 seed")
        withSecretScratch(64 + 65) { scratch in
            let marked = scratch + 64
            marked[0] = 1
            seed.bytes.withUnsafeBytes { seed in
                UnsafeMutableRawBufferPointer(start: marked + 1, count: 64).copyMemory(from: seed)
                HMAC.sha256(
                    UnsafeRawBufferPointer(start: marked, count: 1 + seed.count), key: name, into: node + 64)
                HMAC.sha512(seed, key: name, into: node)
            }
            while node[31] & 0b0010_0000 != 0 {
                scratch.update(from: node, count: 64)
                HMAC.sha512(UnsafeRawBufferPointer(start: scratch, count: 64), key: name, into: node)
            }
        }
        node[0] &= 0b1111_1000
        node[31] = node[31] & 0b0111_1111 | 0b0100_0000
    }

    /// Khovratovich and Law, "BIP32-Ed25519", section V.B: kL gains eight times the first 28 bytes of Z, kR
    /// its right half, both little-endian and modulo 2^256.
    private static func ledger(_ node: UnsafeMutablePointer<UInt8>, _ step: HDPath.Step) {
        withSecretScratch(69 + 64 + 64) { data in
            let z = data + 69
            let code = z + 64
            (data + 1).update(from: node, count: 64)
            for byte in 0..<4 {
                data[65 + byte] = UInt8(truncatingIfNeeded: step.index >> (8 * UInt32(byte)))
            }
            let input = UnsafeRawBufferPointer(start: data, count: 69)
            HMAC.sha512(input, key: chainCode(node + 64), into: z)
            data[0] = 1
            HMAC.sha512(input, key: chainCode(node + 64), into: code)
            var carry = 0
            for byte in 0..<32 {
                carry += Int(node[byte]) + (byte < 28 ? Int(z[byte]) << 3 : 0)
                node[byte] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            carry = 0
            for byte in 32..<64 {
                carry += Int(node[byte]) + Int(z[byte])
                node[byte] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            (node + 64).update(from: code + 32, count: 32)
        }
    }

    private static func buffer(_ name: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    private static func chainCode(_ start: UnsafeMutablePointer<UInt8>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: 32)
    }

    private static func bigEndian(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        for byte in 0..<4 { out[byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32(byte))) }
    }
}

/// HMAC (RFC 2104) of secrets, through libsodium, whose plain states are wiped.
enum HMAC {
    /// Writes 64 bytes.
    static func sha512(
        _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into out: UnsafeMutablePointer<UInt8>
    ) {
        hash(
            message, key, out, crypto_auth_hmacsha512_state(), crypto_auth_hmacsha512_init,
            crypto_auth_hmacsha512_update, crypto_auth_hmacsha512_final)
    }

    /// Writes 32 bytes.
    static func sha256(
        _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into out: UnsafeMutablePointer<UInt8>
    ) {
        hash(
            message, key, out, crypto_auth_hmacsha256_state(), crypto_auth_hmacsha256_init,
            crypto_auth_hmacsha256_update, crypto_auth_hmacsha256_final)
    }

    private static func hash<State: BitwiseCopyable>(
        _ message: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ out: UnsafeMutablePointer<UInt8>,
        _ empty: State,
        _ start: (UnsafeMutablePointer<State>, UnsafePointer<UInt8>, Int) -> Int32,
        _ update: (UnsafeMutablePointer<State>, UnsafePointer<UInt8>, UInt64) -> Int32,
        _ finish: (UnsafeMutablePointer<State>, UnsafeMutablePointer<UInt8>) -> Int32
    ) {
        var state = empty
        defer { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress!, $0.count) } }
        _ = start(&state, key.bindMemory(to: UInt8.self).baseAddress!, key.count)
        _ = update(&state, message.bindMemory(to: UInt8.self).baseAddress!, UInt64(message.count))
        _ = finish(&state, out)
    }
}
