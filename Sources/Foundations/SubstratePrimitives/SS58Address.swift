import Diagnostics
import Hashing
import SCALE

/// An account as people write it: base-58 of prefix ‖ account ‖ checksum.
///
/// Source: Substrate documentation, "SS58 address format"; the prefix rules are in `init`.
public struct SS58Address: Sendable, Hashable {
    /// Why a text is not an SS58 address.
    public enum Failure: Error, Equatable, Sendable {
        case notBase58
        /// The decoded length fits neither a 32-byte nor a 33-byte account.
        case wrongLength(Int)
        case wrongChecksum
        case reservedPrefix(UInt16)
    }

    /// 0…16383; 46 and 47 are reserved.
    public let prefix: UInt16
    /// 32 bytes (an account id or public key), or 33 (a compressed secp256k1 key).
    public let account: [UInt8]

    /// Two bytes hold 14 bits of prefix.
    public static let largestPrefix: UInt16 = 16383
    private static let reservedPrefixes: Set<UInt16> = [46, 47]

    /// nil when the prefix cannot be written in SS58 or is reserved, or the account has neither 32 nor 33
    /// bytes.
    public init?(prefix: UInt16, account: [UInt8]) {
        guard prefix <= Self.largestPrefix, !Self.reservedPrefixes.contains(prefix),
            account.count == 32 || account.count == 33
        else {
            return nil
        }
        self.prefix = prefix
        self.account = account
    }

    public init(_ text: String) throws(Failure) {
        guard let bytes = Base58.decode(text), let first = bytes.first else { throw .notBase58 }
        let prefixLength = first < 64 ? 1 : 2
        let accountLength = bytes.count - prefixLength - 2
        guard first < 128, accountLength == 32 || accountLength == 33 else { throw .wrongLength(bytes.count) }
        guard Self.checksum(bytes.dropLast(2)).elementsEqual(bytes.suffix(2)) else { throw .wrongChecksum }
        if prefixLength == 1 {
            prefix = UInt16(first)
        } else {
            let low = (first & 0b0011_1111) << 2 | bytes[1] >> 6
            prefix = UInt16(low) | UInt16(bytes[1] & 0b0011_1111) << 8
        }
        // A prefix below 64 has a one-byte form; only that is accepted.
        guard !Self.reservedPrefixes.contains(prefix), prefixLength == 1 || prefix >= 64 else {
            throw .reservedPrefix(prefix)
        }
        account = Array(bytes[prefixLength..<(bytes.count - 2)])
    }

    public var text: String {
        var body: [UInt8]
        if prefix < 64 {
            body = [UInt8(prefix)]
        } else {
            body = [UInt8((prefix & 0xfc) >> 2) | 0x40, UInt8(prefix >> 8) | UInt8(prefix & 3) << 6]
        }
        body += account
        return Base58.encode(body + Self.checksum(body))
    }

    private static func checksum(_ body: some Sequence<UInt8>) -> ArraySlice<UInt8> {
        BLAKE2b.hash(Array("SS58PRE".utf8) + Array(body), length: 64).prefix(2)
    }
}

/// Base-58 with the Bitcoin alphabet.
///
/// A number is kept in base 2³² as bytes and in base 58⁵ as digits, least significant first, so that a step
/// moves four bytes or five digits.
enum Base58 {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    /// The digit of each byte; 58 for a byte outside the alphabet.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 58, count: 256)
        for (digit, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(digit) }
        return digits
    }()
    /// 58⁵
    private static let groupBase: UInt64 = 656_356_768
    /// The longest address text that is read; the work grows with the square of the length.
    private static let maximumLength = 128

    static func encode(_ bytes: [UInt8]) -> String {
        let groups = groups(bytes)
        var text: [UInt8] = []
        text.reserveCapacity(5 * groups.count + bytes.count / 8)
        for var group in groups {
            for _ in 0..<5 {
                text.append(alphabet[Int(group % 58)])
                group /= 58
            }
        }
        while text.last == alphabet[0] { text.removeLast() }
        for _ in bytes.prefix(while: { $0 == 0 }) { text.append(alphabet[0]) }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// The number's digits in base 58⁵.
    private static func groups(_ bytes: [UInt8]) -> [UInt64] {
        var groups: [UInt64] = []
        // The first word may be short.
        var start = 0
        while start < bytes.count {
            let end = start + (bytes.count - start - 1) % 4 + 1
            var carry = bytes[start..<end].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for index in groups.indices {
                carry += groups[index] << 32
                groups[index] = carry % groupBase
                carry /= groupBase
            }
            if carry > 0 { groups.append(carry % groupBase) }
            if carry >= groupBase { groups.append(carry / groupBase) }
            start = end
        }
        return groups
    }

    static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count <= maximumLength else { return nil }
        var words: [UInt64] = []
        // The first group may be short.
        var start = 0
        while start < characters.count {
            let end = start + (characters.count - start - 1) % 5 + 1
            var carry: UInt64 = 0
            for character in characters[start..<end] {
                let digit = digits[Int(character)]
                guard digit < 58 else { return nil }
                carry = carry * 58 + UInt64(digit)
            }
            for index in words.indices {
                carry += words[index] * groupBase
                words[index] = carry & 0xffff_ffff
                carry >>= 32
            }
            if carry > 0 { words.append(carry) }
            start = end
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * words.count + characters.count / 8)
        for word in words {
            for shift in stride(from: 0, to: UInt64(32), by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        while bytes.last == 0 { bytes.removeLast() }
        for _ in characters.prefix(while: { $0 == alphabet[0] }) { bytes.append(0) }
        bytes.reverse()
        return bytes
    }
}

extension SS58Address.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notBase58:
            .badInput(
                "bad-address", "the address is not valid base58",
                hint: Hints.wholeAddress)
        case .wrongLength(let bytes):
            .badInput(
                "bad-address",
                "the address has \(Sentence.count(bytes, "byte")), which is not the length of an account",
                hint: Hints.wholeAddress)
        case .wrongChecksum:
            .badInput(
                "address-checksum", "the address has an invalid checksum: it was mistyped or truncated",
                hint: Hints.wholeAddress)
        case .reservedPrefix(let prefix):
            .badInput(
                "bad-address", "the address has the reserved prefix \(prefix)",
                hint: Hints.wholeAddress)
        }
    }

    public static var examples: [Self] {
        [.notBase58, .wrongLength(20), .wrongChecksum, .reservedPrefix(46)]
    }
}
