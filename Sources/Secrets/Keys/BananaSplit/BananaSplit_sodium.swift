import CSodium
import Hashing
import SubstratePrimitives

/// Splits a secret text into shares. Any `required` of them and a passphrase restore it.
///
/// Compatible with paritytech/banana_split: the text is sealed with XSalsa20-Poly1305 under
/// scrypt(passphrase, SHA-512(title)), and the sealed bytes are shared.
public enum BananaSplit {
    private static let secretLimit = 1024
    private static let scryptCost: UInt64 = 1 << 15
    /// secrets.js pads what it shares to a multiple of 128 bits.
    private static let paddedMultiple = 16

    /// Makes `total` shares of version 1, joins the first and the last `required` of them, and returns them
    /// only if both give the secret.
    public static func split(
        _ secret: borrowing SecretBytes, title: String, passphrase: borrowing SecretBytes, total: Int,
        required: Int
    ) throws(BananaSplitError) -> [BananaShare] {
        guard (2...255).contains(total), (2...total).contains(required) else {
            throw .shareCount(total: total, required: required)
        }
        guard (1...BananaShare.titleLimit).contains(title.utf8.count) else { throw .length("title") }
        guard (1...secretLimit).contains(secret.count) else { throw .length("secret") }
        guard passphrase.count > 0 else { throw .length("passphrase") }
        let key = try key(title: title, passphrase: passphrase)
        var nonce = [UInt8](repeating: 0, count: BananaShare.nonceLength)
        randombytes_buf(&nonce, nonce.count)
        var box = [UInt8](repeating: 0, count: secret.count + Int(crypto_secretbox_MACBYTES))
        secret.withUnsafeBytes { secret in
            key.withUnsafeBytes { key in
                _ = crypto_secretbox_easy(
                    &box, secret.bindMemory(to: UInt8.self).baseAddress!, UInt64(secret.count), nonce,
                    key.bindMemory(to: UInt8.self).baseAddress!)
            }
        }
        let shares = ShamirGF256.split(marked(box), total: total, required: required).map {
            BananaShare(
                version: 1, title: title, required: required, id: $0.id, values: $0.values, nonce: nonce)
        }
        for part in [shares.prefix(required), shares.suffix(required)] {
            let joined = try open(
                part.map { share throws(BananaSplitError) in try BananaShare(Array(share.text.utf8)) },
                key: key)
            guard joined.isEqual(to: secret) else { throw .checkFailed }
        }
        return shares
    }

    /// The secret of a set. Equal shares count once; more than `required` are checked against each other.
    public static func join(_ shares: [BananaShare], passphrase: borrowing SecretBytes)
        throws(BananaSplitError) -> SecretBytes
    {
        let distinct = try checkSet(shares)
        guard passphrase.count > 0 else { throw .wrongPassphrase }
        return try open(distinct, key: key(title: distinct[0].title, passphrase: passphrase))
    }

    /// Checks that shares belong together, before a passphrase is asked for. Returns each share once.
    @discardableResult
    public static func checkSet(_ shares: [BananaShare]) throws(BananaSplitError) -> [BananaShare] {
        guard let first = shares.first else { throw .tooFewShares(have: 0, need: 2) }
        var distinct: [BananaShare] = []
        for share in shares {
            guard share.version == first.version else { throw .mixedSets("version") }
            guard share.title.utf8Equals(first.title) else { throw .mixedSets("title") }
            guard share.required == first.required else { throw .mixedSets("required") }
            guard share.nonce == first.nonce else { throw .mixedSets("nonce") }
            guard share.values.count == first.values.count else { throw .mixedSets("length") }
            if let known = distinct.first(where: { $0.id == share.id }) {
                guard known.values == share.values else { throw .conflictingShares(id: share.id) }
            } else {
                distinct.append(share)
            }
        }
        guard distinct.count >= first.required else {
            throw .tooFewShares(have: distinct.count, need: first.required)
        }
        return distinct
    }

    private static func open(_ shares: [BananaShare], key: borrowing SecretBytes) throws(BananaSplitError)
        -> SecretBytes
    {
        let points = shares.map { ShamirGF256.Share(id: $0.id, values: $0.values) }
        let base = Array(points.prefix(shares[0].required))
        for extra in points.dropFirst(base.count)
        where ShamirGF256.interpolate(base, at: extra.id) != extra.values {
            throw .inconsistentShare(id: extra.id)
        }
        guard let box = unmarked(ShamirGF256.interpolate(base, at: 0)) else { throw .noSecret }
        guard box.count > Int(crypto_secretbox_MACBYTES) else { throw .noSecret }
        let secret = SecretBytes(count: box.count - Int(crypto_secretbox_MACBYTES))
        let status = secret.withUnsafeMutableBytes { secret in
            key.withUnsafeBytes { key in
                crypto_secretbox_open_easy(
                    secret.bindMemory(to: UInt8.self).baseAddress!, box, UInt64(box.count), shares[0].nonce,
                    key.bindMemory(to: UInt8.self).baseAddress!)
            }
        }
        guard status == 0 else { throw .wrongPassphrase }
        return secret
    }

    private static func key(title: String, passphrase: borrowing SecretBytes) throws(BananaSplitError)
        -> SecretBytes
    {
        let salt = SHA512.hash(Array(title.utf8))
        let key = SecretBytes(count: 32)
        let status = key.withUnsafeMutableBytes { key in
            passphrase.withUnsafeBytes { passphrase in
                crypto_pwhash_scryptsalsa208sha256_ll(
                    passphrase.bindMemory(to: UInt8.self).baseAddress!, passphrase.count, salt, salt.count,
                    scryptCost, 8, 1,
                    key.bindMemory(to: UInt8.self).baseAddress!, 32)
            }
        }
        guard status == 0 else { throw .outOfMemory }
        return key
    }

    /// Zeros, a one bit, then the bytes: whole bytes in multiples of 16.
    private static func marked(_ bytes: [UInt8]) -> [UInt8] {
        let length = (bytes.count + 1 + paddedMultiple - 1) / paddedMultiple * paddedMultiple
        return [UInt8](repeating: 0, count: length - bytes.count - 1) + [1] + bytes
    }

    /// nil where there is no marker, or it is not at the end of a byte.
    private static func unmarked(_ bytes: [UInt8]) -> [UInt8]? {
        guard let marker = bytes.firstIndex(where: { $0 != 0 }), bytes[marker] == 1 else { return nil }
        return Array(bytes[(marker + 1)...])
    }
}
