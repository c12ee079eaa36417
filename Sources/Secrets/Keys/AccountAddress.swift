import Hashing
import SubstratePrimitives

extension PublicKey {
    /// What names the account on a chain: the key itself (ed25519, sr25519), BLAKE2b-256 of the compressed key (ecdsa), each 32 bytes; or
    /// the last 20 bytes of Keccak-256 of the uncompressed point (ethereum). nil when the bytes of a secp256k1 key are no point.
    public var accountID: [UInt8]? {
        switch scheme {
        case .ed25519, .sr25519: bytes
        case .ecdsa: Secp256k1.uncompress(bytes) == nil ? nil : BLAKE2b.hash(bytes)
        case .ethereum: Secp256k1.uncompress(bytes).map { Keccak256.hash(Array($0.dropFirst())).suffix(20) }
        }
    }

    /// What stands for the signer in a transaction payload: the key, or the 20-byte address for ethereum-style keys.
    public var payloadKey: [UInt8]? { scheme == .ethereum ? accountID : bytes }

    /// The address that chains and wallets show: SS58 of ``accountID``, or `0x` and 40 digits in EIP-55 case.
    ///
    /// nil for a prefix above 16383 (except ethereum, which has none) and for bytes that are no point.
    public func accountAddress(prefix: UInt16) -> String? {
        guard let accountID else { return nil }
        if scheme == .ethereum { return EthereumAddress(bytes: accountID)?.text }
        return SS58Address(prefix: prefix, account: accountID)?.text
    }

    /// The address as Polkadot Vault writes it, where that differs: SS58 of the 33-byte key itself for ecdsa, lower case for ethereum.
    public func vaultStyleAddress(prefix: UInt16) -> String? {
        switch scheme {
        case .ed25519, .sr25519: accountAddress(prefix: prefix)
        case .ecdsa: SS58Address(prefix: prefix, account: bytes)?.text
        case .ethereum: accountID.map { "0x" + Hex.encode($0) }
        }
    }
}

/// An Ethereum-style address of 20 bytes.
public struct EthereumAddress: Sendable, Hashable {
    public enum Failure: Error, Equatable, Sendable {
        /// Not `0x` and 40 hexadecimal digits.
        case malformed
        /// Upper and lower case are mixed, but not as EIP-55 says.
        case wrongChecksum
    }

    /// 20 bytes.
    public let bytes: [UInt8]

    public init?(bytes: [UInt8]) {
        guard bytes.count == 20 else { return nil }
        self.bytes = bytes
    }

    /// Reads `0x` and 40 digits: all of one case, or with the case of EIP-55.
    public init(_ text: String) throws(Failure) {
        guard text.utf8Starts(with: "0x"), text.utf8.count == 42, let bytes = Hex.decode(text), let address = EthereumAddress(bytes: bytes)
        else {
            throw .malformed
        }
        let digits = text.utf8.dropFirst(2)
        let isOneCase = !digits.contains { (0x41...0x5a).contains($0) } || !digits.contains { (0x61...0x7a).contains($0) }
        guard isOneCase || text.utf8Equals(address.text) else { throw .wrongChecksum }
        self = address
    }

    /// `0x` and 40 digits; a letter is upper case where the same place of Keccak-256 of the lower-case text is 8 or more (EIP-55).
    public var text: String {
        let lower = Hex.encode(bytes)
        let hash = Hex.encode(Keccak256.hash(Array(lower.utf8)))
        return "0x" + String(zip(lower, hash).map { $1 >= "8" ? Character($0.uppercased()) : $0 })
    }
}
