import Hashing

/// 20-byte accounts as people write them: EIP-55, upper case where the hash of the lower-case digits says so.
public enum EthereumAddress {
    public static func text(_ account: [UInt8]) -> String {
        let digits = Array(Hex.encode(account).utf8)
        let hash = Keccak256.hash(digits)
        let cased = digits.enumerated().map { place, digit in
            let nibble = place.isMultiple(of: 2) ? hash[place / 2] >> 4 : hash[place / 2] & 15
            return nibble >= 8 && digit >= UInt8(ascii: "a") ? digit - 32 : digit
        }
        return "0x" + String(decoding: cased, as: UTF8.self)
    }
}
