import Hashing

/// An account as people write it: base-58 of prefix ‖ account ‖ checksum.
///
/// Source: Substrate documentation, "SS58 address format"; the prefix rules are in `init`.
public struct SS58Address: Sendable, Hashable {
    public enum Failure: Error, Equatable, Sendable {
        case notBase58
        /// The text decodes to a number of bytes that no 32- or 33-byte account has.
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

    /// nil when the prefix cannot be written in SS58 or is reserved, or the account has neither 32 nor 33 bytes.
    public init?(prefix: UInt16, account: [UInt8]) {
        guard prefix <= Self.largestPrefix, !Self.reservedPrefixes.contains(prefix), account.count == 32 || account.count == 33 else {
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
        guard !Self.reservedPrefixes.contains(prefix), prefixLength == 1 || prefix >= 64 else { throw .reservedPrefix(prefix) }
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
enum Base58 {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    /// The longest address text that is read; the work grows with the square of the length.
    private static let maximumLength = 128

    static func encode(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        for byte in bytes.drop(while: { $0 == 0 }) {
            var carry = Int(byte)
            for place in digits.indices {
                carry += Int(digits[place]) << 8
                digits[place] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(carry % 58))
                carry /= 58
            }
        }
        let zeros = repeatElement(alphabet[0], count: bytes.prefix(while: { $0 == 0 }).count)
        return String(decoding: zeros + digits.reversed().map { alphabet[Int($0)] }, as: UTF8.self)
    }

    static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= maximumLength else { return nil }
        var bytes: [UInt8] = []
        for character in text.utf8.drop(while: { $0 == alphabet[0] }) {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            var carry = digit
            for place in bytes.indices {
                carry += Int(bytes[place]) * 58
                bytes[place] = UInt8(carry & 0xff)
                carry >>= 8
            }
            while carry > 0 {
                bytes.append(UInt8(carry & 0xff))
                carry >>= 8
            }
        }
        let zeros = text.utf8.prefix(while: { $0 == alphabet[0] }).count
        return [UInt8](repeating: 0, count: zeros) + bytes.reversed()
    }
}
