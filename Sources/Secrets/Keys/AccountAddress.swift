import Hashing
import SubstratePrimitives

extension PublicKey {
    /// What names the account on a chain: the key itself (ed25519, sr25519), BLAKE2b-256 of the compressed
    /// key (ecdsa), each 32 bytes; or the last 20 bytes of Keccak-256 of the uncompressed point (ethereum).
    /// nil when the bytes of a secp256k1 key are not a point.
    public var accountID: [UInt8]? {
        switch scheme {
        case .ed25519, .sr25519: bytes
        case .ecdsa: Secp256k1.uncompress(bytes) == nil ? nil : BLAKE2b.hash(bytes)
        case .ethereum: Secp256k1.uncompress(bytes).map { Keccak256.hash(Array($0.dropFirst())).suffix(20) }
        }
    }

    /// The name of the signer in a transaction payload: the key, or the 20-byte address for Ethereum-style
    /// keys.
    public var payloadKey: [UInt8]? { scheme == .ethereum ? accountID : bytes }

    /// The address that chains and wallets show: SS58 of ``accountID``, or `0x` and 40 digits in EIP-55 case.
    ///
    /// nil for a prefix above 16383 (Ethereum-style keys have no prefix) and for bytes that are not a point.
    public func accountAddress(prefix: UInt16) -> String? {
        guard let accountID else { return nil }
        if scheme == .ethereum { return EthereumAddress(bytes: accountID)?.text }
        return SS58Address(prefix: prefix, account: accountID)?.text
    }
}
