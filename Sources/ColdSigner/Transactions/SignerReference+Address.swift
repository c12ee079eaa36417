import ColdStore
import Hashing
import SubstratePrimitives
import UOS

extension SignerReference {
    public var scheme: SignatureScheme {
        switch self {
        case .key(let key): key.scheme
        case .ethereum: .ethereum
        case .derived(_, _, let scheme): scheme
        }
    }

    /// The bytes that name the signer in the payload.
    public var bytes: [UInt8] {
        switch self {
        case .key(let key): key.bytes
        case .ethereum(let address): address
        case .derived(let root, _, _): root.bytes
        }
    }

    /// As a network with this prefix writes it.
    public func address(prefix: UInt16) -> String {
        switch self {
        case .key(let key): key.address(prefix: prefix)
        case .ethereum(let address): "0x" + Hex.encode(address)
        case .derived(let root, let path, _): root.address(prefix: prefix) + path
        }
    }
}

extension PublicKey {
    /// SS58 of the account; an ECDSA account is the BLAKE2b-256 of the compressed key.
    public func address(prefix: UInt16) -> String {
        let account = bytes.count == 32 ? bytes : BLAKE2b.hash(bytes)
        // Prefixes above 16383 belong to Ethereum-style networks, which do not write SS58.
        return SS58Address(prefix: prefix, account: account)?.text ?? "0x" + Hex.encode(bytes)
    }
}
