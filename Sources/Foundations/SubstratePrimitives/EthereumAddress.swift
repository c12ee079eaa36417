import Diagnostics
import Hashing
import SCALE

/// An Ethereum-style address of 20 bytes.
public struct EthereumAddress: Sendable, Hashable {
    /// Why a text is not an Ethereum-style address.
    public enum Failure: Error, Equatable, Sendable {
        /// Not `0x` and 40 hexadecimal digits.
        case malformed
        /// Upper and lower case are mixed, but not as EIP-55 says.
        case wrongChecksum
    }

    /// 20 bytes.
    public let bytes: [UInt8]

    /// nil for another length than 20 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 20 else { return nil }
        self.bytes = bytes
    }

    /// Reads `0x` and 40 digits: all of one case, or with the case of EIP-55.
    public init(_ text: String) throws(Failure) {
        guard text.utf8Starts(with: "0x"), text.utf8.count == 42, let bytes = Hex.decode(text),
            let address = EthereumAddress(bytes: bytes)
        else {
            throw .malformed
        }
        let digits = text.utf8.dropFirst(2)
        let isOneCase =
            !digits.contains { (0x41...0x5a).contains($0) } || !digits.contains { (0x61...0x7a).contains($0) }
        guard isOneCase || text.utf8Equals(address.text) else { throw .wrongChecksum }
        self = address
    }

    /// `0x` and 40 digits; a letter is upper case where the same digit of Keccak-256 of the lower-case text
    /// is 8 or more (EIP-55).
    public var text: String {
        let digits = Array(Hex.encode(bytes).utf8)
        let hash = Keccak256.hash(digits)
        let cased = digits.enumerated().map { index, digit in
            let nibble = index.isMultiple(of: 2) ? hash[index / 2] >> 4 : hash[index / 2] & 15
            return nibble >= 8 && digit >= UInt8(ascii: "a") ? digit - 32 : digit
        }
        return "0x" + String(decoding: cased, as: UTF8.self)
    }
}

extension EthereumAddress.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .malformed:
            .badInput(
                "bad-address", "the address is not 0x and 40 hex digits",
                hint: Hints.wholeAddress)
        case .wrongChecksum:
            .badInput(
                "address-checksum", "the address has an invalid checksum: it was mistyped",
                hint: Hints.wholeAddress)
        }
    }

    public static var examples: [Self] { [.malformed, .wrongChecksum] }
}
