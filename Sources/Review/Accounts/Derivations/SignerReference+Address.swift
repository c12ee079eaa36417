import Hashing
import Keys
import SubstratePrimitives
import TrustStore
import UOS

extension SignerReference {
    /// The bytes that name the signer in the payload.
    public var bytes: [UInt8] {
        switch self {
        case .key(let key): key.bytes
        case .ethereum(let address): address
        case .derived(let root, _, _): root.bytes
        }
    }

    /// The account that signs: 32 bytes, or 20 for an Ethereum-style key; nil while only the root of a
    /// derived key is known.
    package func account(record: KeyRecord?) -> [UInt8]? {
        switch self {
        case .key(let key): key.accountID
        case .ethereum(let address): address
        case .derived: record?.publicKey.accountID
        }
    }

    /// The address with this prefix. A derived key without a record gives the root's address and the path.
    public func address(prefix: UInt16, record: KeyRecord? = nil) -> String {
        if let record { return record.publicKey.address(prefix: prefix) }
        return switch self {
        case .key(let key): key.address(prefix: prefix)
        case .ethereum(let address): "0x" + Hex.encode(address)
        case .derived(let root, let path, _): root.address(prefix: prefix) + path
        }
    }
}

extension PublicKey {
    /// The account's address, or the key in hex if it has no address: the prefix is above 16383, and the key
    /// is not Ethereum-style.
    public func address(prefix: UInt16) -> String {
        accountAddress(prefix: prefix) ?? "0x" + Hex.encode(bytes)
    }

    /// Lower-case hex without `0x`.
    package var hex: String { Hex.encode(bytes) }
}
