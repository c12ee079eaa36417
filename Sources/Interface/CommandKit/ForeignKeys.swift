import Hashing
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO

/// Keys that another wallet made, with what their source says of itself.
package struct ForeignKeys: Sendable {
    /// In the order of the source.
    package var keys: [ForeignKey]
    /// In words, escaped.
    package let source: String
    /// Whether a copy of the source gives the keys to whoever has it.
    package let isOpen: Bool
    /// The network that the source names.
    package let genesis: GenesisHash?

    /// Those of one account, by its address or public key.
    /// - Throws: ``CommandError/notInKeystore(_:)``
    package mutating func keep(only addresses: [String]) throws {
        guard !addresses.isEmpty else { return }
        var kept: [ForeignKey] = []
        for address in addresses {
            let account = try Self.account(address)
            let found = keys.filter {
                $0.publicKey.accountID == account || $0.publicKey.bytes == account
            }
            guard !found.isEmpty else { throw CommandError.notInKeystore(address) }
            kept += found
        }
        keys = kept
    }

    /// SS58 with any prefix, an Ethereum address, or a public key in hex.
    private static func account(_ address: String) throws -> [UInt8] {
        guard address.utf8Starts(with: "0x") else { return try SS58Address(address).account }
        if let key = Hex.decode(address), key.count == 32 || key.count == 33 { return key }
        return try EthereumAddress(address).bytes
    }
}

// MARK: A keystore

extension ForeignKeys {
    /// Bytes of another wallet's name for a key that are kept: more is cut.
    private static let longestName = 128
    /// A keystore's keys as the child hands them over.
    private static let longest = 2 + Keystore.maximumKeys * (3 + 64 + longestName)

    /// The keys of a polkadot-js keystore. Its password is asked for if it has one.
    ///
    /// A file that is not encrypted holds the secrets as text, and its reader copies them: so a child process
    /// reads it.
    package static func keystore(_ path: String, passwordFd: Int32?, _ console: Console) throws -> ForeignKeys
    {
        let handed = try ChildProcess.secret(console, longest: longest) {
            let file = try Keystore(try Files.read(path, limit: Keystore.lengthLimit))
            let keys =
                file.isEncrypted
                ? try console.withKeystorePassword(descriptor: passwordFd) { try file.open(password: $0()) }
                : try file.open(password: SecretBytes())
            return encoded(keys, version: file.version, isEncrypted: file.isEncrypted)
        }
        return try decoded(handed, path)
    }

    /// The version, whether it is encrypted, and for each key its scheme, the lengths of secret and name, the
    /// secret and the name. Without a name its length is 255.
    static func encoded(_ keys: [ForeignKey], version: Int, isEncrypted: Bool) -> SecretBytes {
        let names = keys.map { $0.name.map(cut) }
        let out = SecretBytes(count: longest)
        var length = 0
        func put(_ bytes: some Sequence<UInt8>) {
            out.withUnsafeMutableBytes { out in
                for byte in bytes {
                    out[length] = byte
                    length += 1
                }
            }
        }
        put([UInt8(version), isEncrypted ? 1 : 0])
        for (key, name) in zip(keys, names) {
            let secret = key.pair.exportSecret()
            put([key.pair.scheme.rawValue, UInt8(secret.count), name.map { UInt8($0.count) } ?? .max])
            secret.withUnsafeBytes { put($0) }
            put(name ?? [])
        }
        return out.slice(0..<length)
    }

    /// The start of a name, whole scalars only.
    private static func cut(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            let next = Array(String(scalar).utf8)
            guard bytes.count + next.count <= longestName else { break }
            bytes += next
        }
        return bytes
    }

    static func decoded(_ handed: borrowing SecretBytes, _ path: String) throws -> ForeignKeys {
        var keys: [ForeignKey] = []
        let head = handed.withUnsafeBytes { Array($0[..<2]) }
        var place = 2
        while place < handed.count {
            let lengths = handed.withUnsafeBytes { Array($0[place..<(place + 3)]) }
            place += 3
            guard let scheme = SignatureScheme(rawValue: lengths[0]) else {
                preconditionFailure("a scheme that this program wrote")
            }
            let secret = handed.slice(place..<(place + Int(lengths[1])))
            place += Int(lengths[1])
            var name: String?
            if lengths[2] != .max {
                let end = place + Int(lengths[2])
                name = handed.withUnsafeBytes { String(decoding: $0[place..<end], as: UTF8.self) }
                place = end
            }
            keys.append(ForeignKey(try KeyPair.importing(secret, scheme: scheme), name: name))
        }
        return ForeignKeys(
            keys: keys,
            source: Wording.keystoreSource(path, version: Int(head[0]), isEncrypted: head[1] == 1),
            isOpen: head[1] == 0, genesis: nil)
    }
}

// MARK: A secret

extension ForeignKeys {
    /// The key of a secret: of a QR code where the input has one, else typed.
    /// - Parameter scheme: of the key, by the network that the secret names.
    package static func secret(
        _ input: InputOptions, secretFd: Int32?, _ console: Console,
        scheme: (GenesisHash?) throws -> SignatureScheme
    ) throws -> ForeignKeys {
        let text = try text(input, secretFd, console)
        let wanted = try scheme(text.genesis)
        let key: ForeignKey
        do {
            key = ForeignKey(try KeyPair.importing(text.secret, scheme: wanted))
        } catch {
            guard error == .unusableSecret else { throw error }
            // Zero, or a number beyond the group: the digits are right, but no key has this secret.
            throw CommandError.badSecretKey
        }
        return ForeignKeys(
            keys: [key],
            source: input.isEmpty
                ? secretFd == nil ? "a secret that was typed" : "a secret from a descriptor"
                : "the QR code of a secret",
            isOpen: true, genesis: text.genesis)
    }

    private static func text(_ input: InputOptions, _ secretFd: Int32?, _ console: Console) throws
        -> SecretKeyText
    {
        if input.isEmpty { return try typed(secretFd, console) }
        return try scanned(input, console)
    }

    private static func scanned(_ input: InputOptions, _ console: Console) throws -> SecretKeyText {
        let text = try ChildProcess.secret(console) { try ScannedSeed.secretKey(input, console) }
        guard let read = SecretKeyText(text) else { throw CommandError.badSecretKey }
        return read
    }

    private static func typed(_ descriptor: Int32?, _ console: Console) throws -> SecretKeyText {
        while true {
            let text = try TerminalIO.secret(
                "secret key (0x and its hex digits): ", for: .secretKey, descriptor: descriptor, console)
            if let read = SecretKeyText(text) { return read }
            guard descriptor == nil else { throw CommandError.badSecretKey }
            console.tell(CommandError.badSecretKey.sentence)
        }
    }
}
