import CSodium
import Keys

/// XChaCha20-Poly1305 (IETF construction) with random nonces, through libsodium.
///
/// 24-byte nonces are long enough to be drawn at random for as many messages as a vault ever writes.
enum SealedBox {
    static let nonceLength = 24
    static let tagLength = 16
    static let keyLength = 32

    struct Box: Equatable, Sendable {
        var nonce: [UInt8]
        /// As long as the plain bytes plus the tag.
        var ciphertext: [UInt8]
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    static func seal(
        _ plain: UnsafeRawBufferPointer, key: borrowing SecretBytes, bindingTo associated: [UInt8]
    ) -> Box {
        precondition(key.count == keyLength)
        let nonce = randomBytes(nonceLength)
        var ciphertext = [UInt8](repeating: 0, count: plain.count + tagLength)
        key.withUnsafeBytes { key in
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                &ciphertext, nil, plain.bindMemory(to: UInt8.self).baseAddress, UInt64(plain.count),
                associated, UInt64(associated.count),
                nil, nonce, key.bindMemory(to: UInt8.self).baseAddress!)
        }
        return Box(nonce: nonce, ciphertext: ciphertext)
    }

    static func seal(
        _ plain: borrowing SecretBytes, key: borrowing SecretBytes, bindingTo associated: [UInt8]
    ) -> Box {
        plain.withUnsafeBytes { seal($0, key: key, bindingTo: associated) }
    }

    /// nil when the key, the associated bytes, the nonce or the ciphertext are not those of the sealing.
    static func open(_ box: Box, key: borrowing SecretBytes, bindingTo associated: [UInt8]) -> SecretBytes? {
        guard box.ciphertext.count >= tagLength else { return nil }
        let plain = SecretBytes(count: box.ciphertext.count - tagLength)
        let isOpen = box.ciphertext.withUnsafeBytes { ciphertext in
            plain.withUnsafeMutableBytes {
                open(ciphertext, nonce: box.nonce, key: key, bindingTo: associated, into: $0)
            }
        }
        guard isOpen else { return nil }
        return plain
    }

    /// Opens content that is not secret and may be too long for locked memory.
    static func openBytes(_ box: Box, key: borrowing SecretBytes, bindingTo associated: [UInt8]) -> [UInt8]? {
        box.ciphertext.withUnsafeBytes {
            openBytes($0, nonce: box.nonce, key: key, bindingTo: associated)
        }
    }

    /// Opens a ciphertext in place, because it is too long for a copy.
    static func openBytes(
        _ ciphertext: UnsafeRawBufferPointer, nonce: [UInt8], key: borrowing SecretBytes,
        bindingTo associated: [UInt8]
    ) -> [UInt8]? {
        guard ciphertext.count >= tagLength else { return nil }
        var plain = [UInt8](repeating: 0, count: ciphertext.count - tagLength)
        guard
            plain.withUnsafeMutableBytes({
                open(ciphertext, nonce: nonce, key: key, bindingTo: associated, into: $0)
            })
        else { return nil }
        return plain
    }

    private static func open(
        _ ciphertext: UnsafeRawBufferPointer, nonce: [UInt8], key: borrowing SecretBytes,
        bindingTo associated: [UInt8], into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard nonce.count == nonceLength,
            let start = ciphertext.bindMemory(to: UInt8.self).baseAddress
        else { return false }
        return key.withUnsafeBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                plain.bindMemory(to: UInt8.self).baseAddress, nil, nil, start,
                UInt64(ciphertext.count), associated, UInt64(associated.count), nonce,
                key.bindMemory(to: UInt8.self).baseAddress!) == 0
        }
    }
}
