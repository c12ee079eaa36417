import CSodium
import Diagnostics
import Hashing
import SubstratePrimitives

/// Why a keystore file is not opened.
public enum KeystoreError: Error, Equatable, Sendable {
    /// The bytes are not such a file; the word names the part that is wrong.
    case notAKeystore(String)
    /// A version other than 0 to 3.
    case unknownVersion(String)
    /// An encryption that polkadot-js does not have.
    case unknownEncryption(String)
    /// A type of key that Substrate chains do not take.
    case unknownType(String)
    /// Parameters of scrypt that polkadot-js does not write: they could ask for any time and memory.
    case costRefused(n: UInt32, r: UInt32, p: UInt32)
    /// The password is wrong, or the encrypted part was changed; nothing tells the two apart.
    case wrongPassword
    /// What was opened is not a key; the word names the part that is wrong.
    case damaged(String)
    /// The secret is that of another account than the file says.
    case otherAccount(String)
    /// More keys than ``Keystore/maximumKeys``, or none.
    case keyCount(Int)
    /// scrypt could not get its memory.
    case outOfMemory
}

/// An account, or several, as polkadot-js writes them into a JSON file: versions 0 to 3, encrypted or plain.
///
/// The file may come from anyone. Its sizes, its number of keys and the cost of its key derivation are
/// bounded before anything is computed, and every secret must be that of the account which the file names: a
/// file cannot bring a key under the address of another.
///
/// Source: polkadot-js/common, packages `keyring` and `util-crypto` (the folder `json`).
public struct Keystore: Sendable {
    /// Bytes of a file.
    public static let lengthLimit = 1 << 20
    /// Keys of a file. Each costs one derivation by scrypt.
    public static let maximumKeys = 100
    private static let depthLimit = 8

    /// 0 to 3.
    public let version: Int
    /// The accounts that the file names: one, or the list of a batch. This part is not encrypted, and it is
    /// unverified until the file is open.
    public let accounts: [Account]
    /// Whether a password opens it.
    public var isEncrypted: Bool { cipher != .none }

    /// One account of the file.
    public struct Account: Sendable, Equatable {
        /// SS58 or `0x…`, as it is written; empty where the file has none.
        public let address: String
        /// What the other wallet calls it.
        public let name: String?

        public static func == (one: Account, other: Account) -> Bool {
            one.address.utf8Equals(other.address) && one.name.utf8Equals(other.name)
        }
    }

    private enum Cipher { case none, passwordAsKey, scrypt }
    private enum Content {
        case key(SignatureScheme)
        case batch
    }

    private let cipher: Cipher
    private let content: Content
    private let body: [UInt8]

    /// Reads what is not encrypted.
    public init(_ bytes: [UInt8]) throws(KeystoreError) {
        guard bytes.count <= Self.lengthLimit else { throw .notAKeystore("length") }
        let limits = StrictJSON.Limits(depth: Self.depthLimit, values: bytes.count, takesEveryNumber: true)
        guard let value = try? StrictJSON.parse(bytes, limits: limits) else { throw .notAKeystore("json") }
        try self.init(value, mayBeBatch: true)
    }

    private init(_ value: StrictJSON.Value, mayBeBatch: Bool) throws(KeystoreError) {
        guard case .object(let file) = value else { throw .notAKeystore("json") }
        guard case .object(let encoding)? = file["encoding"] else { throw .notAKeystore("encoding") }
        version = try Self.version(encoding)
        cipher = try Self.cipher(encoding)
        content = try Self.content(encoding, version: version, mayBeBatch: mayBeBatch)
        guard case .string(let encoded)? = file["encoded"] else { throw .notAKeystore("encoded") }
        let decoded = encoded.utf8Starts(with: "0x") ? Hex.decode(encoded) : Base64.decode(encoded)
        guard let decoded, !decoded.isEmpty else { throw .notAKeystore("encoded") }
        body = decoded
        switch content {
        case .key: accounts = [try Self.account(file)]
        case .batch:
            guard case .array(let list)? = file["accounts"] else { throw .notAKeystore("accounts") }
            guard (1...Self.maximumKeys).contains(list.count) else { throw .keyCount(list.count) }
            var accounts: [Account] = []
            for item in list {
                guard case .object(let item) = item else { throw .notAKeystore("accounts") }
                accounts.append(try Self.account(item))
            }
            self.accounts = accounts
        }
    }

    private static func account(_ object: StrictJSON.Object) throws(KeystoreError) -> Account {
        let address: String
        switch object["address"] {
        case nil, .null: address = ""
        case .string(let text): address = text
        default: throw .notAKeystore("address")
        }
        guard case .object(let meta)? = object["meta"], case .string(let name)? = meta["name"] else {
            return Account(address: address, name: nil)
        }
        return Account(address: address, name: name)
    }

    private static func version(_ encoding: StrictJSON.Object) throws(KeystoreError) -> Int {
        guard case .string(let text)? = encoding["version"] else { throw .notAKeystore("version") }
        guard let number = ["0", "1", "2", "3"].firstIndex(where: text.utf8Equals) else {
            throw .unknownVersion(text)
        }
        return number
    }

    /// A word or a list of words.
    private static func words(_ value: StrictJSON.Value?, _ part: String) throws(KeystoreError) -> [String] {
        switch value {
        case .string(let word): return [word]
        case .array(let items):
            var words: [String] = []
            for item in items {
                guard case .string(let word) = item else { throw .notAKeystore(part) }
                words.append(word)
            }
            return words
        default: throw .notAKeystore(part)
        }
    }

    private static func cipher(_ encoding: StrictJSON.Object) throws(KeystoreError) -> Cipher {
        let words = try words(encoding["type"], "type")
        if words.utf8ElementsEqual(["none"]) { return .none }
        if words.utf8ElementsEqual(["xsalsa20-poly1305"]) { return .passwordAsKey }
        if words.utf8ElementsEqual(["scrypt", "xsalsa20-poly1305"]) { return .scrypt }
        throw .unknownEncryption(words.joined(separator: ", "))
    }

    /// Version 0 knew ed25519 only and does not say so.
    private static func content(_ encoding: StrictJSON.Object, version: Int, mayBeBatch: Bool)
        throws(KeystoreError) -> Content
    {
        let words = try words(encoding["content"], "content")
        if mayBeBatch, version == 3, words.utf8ElementsEqual(["batch-pkcs8"]) { return .batch }
        guard let first = words.first, first.utf8Equals("pkcs8") else { throw .notAKeystore("content") }
        guard words.count > 1 else {
            guard version == 0 else { throw .notAKeystore("content") }
            return .key(.ed25519)
        }
        guard words.count == 2, let scheme = SignatureScheme(name: words[1]) else {
            throw .unknownType(words.dropFirst().joined(separator: ", "))
        }
        return .key(scheme)
    }

    // MARK: Opening

    /// The keys of the file. All of them opened, and they belong to the accounts that it names.
    ///
    /// - `password`: of the file; empty for one that is not encrypted.
    public func open(password: borrowing SecretBytes) throws(KeystoreError) -> [ForeignKey] {
        switch content {
        case .key(let scheme): return [ForeignKey(try pair(scheme, password), name: accounts[0].name)]
        case .batch:
            let files = try batch(password)
            // The list outside is shown before the password, so it may not say anything else.
            guard files.map(\.accounts[0]).elementsEqual(accounts) else { throw .damaged("accounts") }
            var keys: [ForeignKey] = []
            for file in files { keys += try file.open(password: password) }
            return keys
        }
    }

    private func batch(_ password: borrowing SecretBytes) throws(KeystoreError) -> [Keystore] {
        let plain = try decrypted(password)
        let limits = StrictJSON.Limits(
            depth: Self.depthLimit, values: plain.count, takesEveryNumber: true)
        // The files inside are encrypted each: nothing of this text is secret but their order.
        let text = plain.withUnsafeBytes { Array($0) }
        guard case .array(let items)? = try? StrictJSON.parse(text, limits: limits) else {
            throw .damaged("batch")
        }
        guard items.count == accounts.count else { throw .damaged("accounts") }
        var files: [Keystore] = []
        for item in items { files.append(try Keystore(item, mayBeBatch: false)) }
        return files
    }

    private func pair(_ scheme: SignatureScheme, _ password: borrowing SecretBytes) throws(KeystoreError)
        -> KeyPair
    {
        let plain = try decrypted(password)
        let pair = try PKCS8.pair(plain, scheme)
        let address = accounts[0].address
        guard address.utf8.isEmpty || Self.address(address, isOf: pair.publicKey) else {
            throw .otherAccount(address)
        }
        return pair
    }

    /// Also the address of the bare public key, which polkadot-js writes for ecdsa in hexadecimal.
    private static func address(_ text: String, isOf key: PublicKey) -> Bool {
        if let bytes = text.utf8Starts(with: "0x") ? Hex.decode(text) : nil {
            return bytes == key.accountID || bytes == key.bytes
        }
        guard let address = try? SS58Address(text) else { return false }
        return address.account == key.accountID || address.account == key.bytes
    }

    /// XSalsa20-Poly1305 under the password itself, filled up with zeros or cut to 32 bytes, or under the
    /// first 32 bytes that scrypt makes of it.
    private func decrypted(_ password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        guard cipher != .none else { return SecretBytes(count: body.count) { $0.copyBytes(from: body) } }
        let key = try boxKey(password)
        let box = body.dropFirst(cipher == .scrypt ? ScryptParameters.length : 0)
        guard box.count > Self.nonceLength + Int(crypto_secretbox_MACBYTES) else { throw .damaged("length") }
        let nonce = Array(box.prefix(Self.nonceLength))
        let sealed = Array(box.dropFirst(Self.nonceLength))
        let plain = SecretBytes(count: sealed.count - Int(crypto_secretbox_MACBYTES))
        let status = plain.withUnsafeMutableBytes { plain in
            key.withUnsafeBytes { key in
                crypto_secretbox_open_easy(
                    plain.bindMemory(to: UInt8.self).baseAddress!, sealed, UInt64(sealed.count), nonce,
                    key.bindMemory(to: UInt8.self).baseAddress!)
            }
        }
        guard status == 0 else { throw .wrongPassword }
        return plain
    }

    private func boxKey(_ password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        guard cipher == .passwordAsKey else { return try ScryptParameters(body).key(password) }
        return SecretBytes(count: Self.keyLength) { key in
            password.withUnsafeBytes { key.copyBytes(from: $0.prefix(Self.keyLength)) }
        }
    }

    fileprivate static let keyLength = 32
    private static let nonceLength = 24
}

/// Salt of 32 bytes, then N, p and r, each u32 little-endian.
private struct ScryptParameters {
    static let length = 44

    private let salt: [UInt8]
    private let n: UInt32
    private let p: UInt32
    private let r: UInt32

    /// The settings that polkadot-js uses or used: N from 2^13 to 2^17, r 8, and N times p at most 2^17. So
    /// the memory is at most 128 MiB, and the time that of its most expensive setting.
    init(_ body: [UInt8]) throws(KeystoreError) {
        guard body.count >= Self.length else { throw .damaged("length") }
        func number(_ place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(body[place + $1]) << (8 * UInt32($1)) }
        }
        salt = Array(body[..<32])
        (n, p, r) = (number(32), number(36), number(40))
        let isPower = n.nonzeroBitCount == 1
        guard isPower, (1 << 13...1 << 17).contains(n), r == 8, (1...10).contains(p), n * p <= 1 << 17 else {
            throw .costRefused(n: n, r: r, p: p)
        }
    }

    func key(_ password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        let key = SecretBytes(count: Keystore.keyLength)
        let status = key.withUnsafeMutableBytes { key in
            password.withUnsafeBytes { password in
                // An empty password has no address, and scrypt wants one.
                var nothing: UInt8 = 0
                return crypto_pwhash_scryptsalsa208sha256_ll(
                    password.bindMemory(to: UInt8.self).baseAddress ?? withUnsafePointer(to: &nothing) { $0 },
                    password.count, salt, salt.count, UInt64(n), r, p,
                    key.bindMemory(to: UInt8.self).baseAddress!, Keystore.keyLength)
            }
        }
        guard status == 0 else { throw .outOfMemory }
        return key
    }
}

/// The one shape of PKCS#8 that polkadot-js writes: a fixed header, the secret, a fixed divider and the
/// public key. The header says Ed25519 for every type of key.
private enum PKCS8 {
    private static let header: [UInt8] = [48, 83, 2, 1, 1, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]
    private static let divider: [UInt8] = [161, 35, 3, 33, 0]

    static func pair(_ plain: borrowing SecretBytes, _ scheme: SignatureScheme) throws(KeystoreError)
        -> KeyPair
    {
        guard plain.withUnsafeBytes({ (bytes: UnsafeRawBufferPointer) in bytes.starts(with: header) }) else {
            throw .damaged("header")
        }
        // A secret of 64 bytes is looked for first, as polkadot-js does.
        for length in [64, 32] {
            let end = header.count + length
            let keyStart = end + divider.count
            guard plain.count > keyStart,
                plain.withUnsafeBytes({ $0[end..<keyStart].elementsEqual(divider) })
            else { continue }
            let publicKey = plain.withUnsafeBytes { Array($0[keyStart...]) }
            let pair = try pair(plain.slice(header.count..<end), publicKey, scheme)
            guard pair.publicKey.bytes == publicKey else { throw .damaged("key") }
            return pair
        }
        throw .damaged("divider")
    }

    private static func pair(
        _ secret: borrowing SecretBytes, _ publicKey: [UInt8], _ scheme: SignatureScheme
    ) throws(KeystoreError) -> KeyPair {
        do throws(KeyError) {
            switch (scheme, secret.count) {
            case (.sr25519, 64): return try KeyPair.importing(timesCofactor: secret)
            // Seed ‖ public key.
            case (.ed25519, 64):
                guard secret.withUnsafeBytes({ $0[32...].elementsEqual(publicKey) }) else {
                    throw KeyError.secretLength(64)
                }
                return try KeyPair.importing(secret.slice(0..<32), scheme: scheme)
            case (_, 32): return try KeyPair.importing(secret, scheme: scheme)
            default: throw KeyError.secretLength(secret.count)
            }
        } catch {
            throw .damaged("secret")
        }
    }
}

extension KeystoreError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notAKeystore(let part):
            .badInput(
                "not-a-keystore", "the file is not a polkadot-js keystore: its \(part) is missing or wrong",
                hint: "export the account as a JSON file again, in the wallet that has it")
        case .unknownVersion(let version):
            .badInput(
                "keystore-version",
                "keystores of version \(Self.clipped(version)) are not supported: only 0 to 3 are",
                hint: "export the account from a current wallet")
        case .unknownEncryption(let name):
            .badInput(
                "keystore-encryption",
                "the keystore is encrypted with \(Self.clipped(name)), which is not supported",
                hint: "export the account from polkadot-js")
        case .unknownType(let name):
            .badInput(
                "keystore-type",
                "the keystore has a key of type \(Self.clipped(name)), which is not supported",
                hint: "only sr25519, ed25519, ecdsa and ethereum keys sign for Substrate chains")
        case .costRefused(let n, let r, let p):
            .badInput(
                "keystore-cost",
                "the keystore asks for scrypt with N \(n), r \(r), p \(p), which no wallet writes",
                hint: "the file may be made to block this device: export the account again")
        case .wrongPassword:
            .notPermitted(
                "wrong-keystore-password", "the password of the keystore is wrong, or the file was changed",
                hint: "type the password that the other wallet asked for when it wrote the file")
        case .damaged(let part):
            .badInput(
                "damaged-keystore", "the keystore opens, but its \(part) is not valid: nothing was stored",
                hint: "export the account again, in the wallet that has it")
        case .otherAccount(let address):
            .badInput(
                "keystore-other-account",
                "the keystore holds the key of another account than \(Self.clipped(address)), which it names",
                hint: "do not use this file: it was changed")
        case .keyCount(let count):
            .refused(
                "keystore-key-count",
                "a keystore has 1 to \(Keystore.maximumKeys) keys, not \(count)",
                hint: "export fewer accounts at once")
        case .outOfMemory:
            .inputOutput(
                "out-of-memory", "there is not enough memory to derive the key of the keystore",
                hint: "end other programs")
        }
    }

    /// Whoever made the file chose the text, up to its whole length. The longest address has fewer
    /// characters.
    private static func clipped(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(100)
        return start.endIndex == text.endIndex ? text : String(String.UnicodeScalarView(start)) + "…"
    }

    public static var examples: [KeystoreError] {
        [
            .notAKeystore("encoding"), .unknownVersion("4"), .unknownEncryption("rot13"),
            .unknownType("bls12"), .costRefused(n: 1 << 30, r: 8, p: 1), .wrongPassword, .damaged("divider"),
            .otherAccount("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .keyCount(0), .outOfMemory,
        ]
    }
}
