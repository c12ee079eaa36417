import CSodium
import Hashing
import Keys

/// SHA-512 over secrets: the state and the digest are wiped.
struct SecretHash: ~Copyable {
    private let state: UnsafeMutablePointer<crypto_hash_sha512_state>

    init() {
        state = .allocate(capacity: 1)
        crypto_hash_sha512_init(state)
    }

    /// T(tag, …) of threshold groups.
    init(group tag: StaticString) { self.init(.group, tag) }

    /// T(tag, …) of a protocol.
    init(_ hash: TaggedHash, _ tag: StaticString) {
        self.init()
        append(hash.prefix(tag))
    }

    deinit {
        sodium_memzero(state, MemoryLayout<crypto_hash_sha512_state>.size)
        state.deallocate()
    }

    borrowing func append(_ bytes: [UInt8]) { crypto_hash_sha512_update(state, bytes, UInt64(bytes.count)) }
    borrowing func append(_ secret: UnsafePointer<UInt8>, count: Int) {
        crypto_hash_sha512_update(state, secret, UInt64(count))
    }

    /// 64 bytes.
    consuming func finish(into digest: UnsafeMutablePointer<UInt8>) {
        crypto_hash_sha512_final(state, digest)
    }

    /// The digest modulo ℓ, 32 bytes.
    consuming func finish(reducedInto scalar: UnsafeMutablePointer<UInt8>) {
        withSecretScratch(64) { wide in
            crypto_hash_sha512_final(state, wide)
            crypto_core_ristretto255_scalar_reduce(scalar, wide)
        }
    }
}
