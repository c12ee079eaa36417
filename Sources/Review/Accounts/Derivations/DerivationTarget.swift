import Cards
import Hashing
import Keys
import SubstratePrimitives
import TrustStore

/// One derivation that a payload names, compared with what the vault knows.
public struct DerivationTarget: Sendable, Equatable {
    /// nil where no seed fits the root.
    public let seed: String?
    /// The path as the payload spells it; empty for the root key.
    public let path: String
    /// Whether an import gives the path of the root key as an empty text instead of leaving it out.
    private let isPathEmptyText: Bool
    public let scheme: SignatureScheme
    public let genesisHash: GenesisHash
    /// The address that the payload states; nil in a request.
    public let address: String?
    /// The account that the address names; nil in a request, or where the address cannot be read.
    public let account: [UInt8]?
    /// The network's specs for the scheme, where they are known.
    public let specs: NetworkSpecs?
    public package(set) var status: DerivationStatus = .new

    public static func == (one: DerivationTarget, other: DerivationTarget) -> Bool {
        one.seed.utf8Equals(other.seed) && one.path.utf8Equals(other.path) && one.scheme == other.scheme
            && one.genesisHash == other.genesisHash && one.address.utf8Equals(other.address)
            && one.account == other.account
            && one.specs == other.specs && one.status == other.status
    }

    /// A derivation of an import. Where its address is SS58, it may be written with any prefix: the account
    /// decides.
    init(
        seed: String?, derived address: String, path: String?, scheme: SignatureScheme,
        genesisHash: GenesisHash, _ state: TrustState
    ) {
        self.seed = seed
        self.path = path ?? ""
        isPathEmptyText = path?.isEmpty == true
        self.scheme = scheme
        self.genesisHash = genesisHash
        self.address = address
        account = Self.account(address, scheme)
        specs = state.network(genesis: genesisHash, scheme: scheme)
        status = account == nil ? .badAddress : decide(state)
    }

    /// An entry of a request.
    init(
        seed: String?, requested path: String, scheme: SignatureScheme, genesisHash: GenesisHash,
        _ state: TrustState
    ) {
        self.seed = seed
        self.path = path
        isPathEmptyText = false
        self.scheme = scheme
        self.genesisHash = genesisHash
        let record = seed.flatMap { state.key(seed: $0, path: path, scheme: scheme) }
        specs = state.network(genesis: genesisHash, scheme: scheme)
        address = record.map {
            $0.publicKey.address(
                prefix: state.network(genesis: genesisHash, scheme: scheme)?.base58Prefix ?? 42)
        }
        account = record?.publicKey.accountID
        status = decide(state)
    }

    private func decide(_ state: TrustState) -> DerivationStatus {
        guard let path = try? DerivationPath(path) else {
            return path.utf8Contains("///") ? .passwordProtected : .badPath
        }
        guard !path.isReserved, scheme == .sr25519 || path.isHardOnly else { return .badPath }
        switch state.verifiers[genesisHash] {
        case .revoked?: return .networkBlocked
        case .general?, .custom?, nil: break
        }
        guard specs != nil else {
            return state.networks(genesis: genesisHash).isEmpty ? .networkUnknown : .schemeNotOfNetwork
        }
        guard let seed else { return .seedUnknown }
        let record = state.key(seed: seed, path: self.path, scheme: scheme)
        let holder = state.keys.first {
            $0.publicKey.scheme == scheme && $0.publicKey.accountID == account
        }
        // The path and the account belong to the same key, or neither belongs to one.
        guard holder == record else { return .collides }
        guard let holder else { return .new }
        return holder.networks.contains(genesisHash) ? .alreadyKnown : .newOnNetwork
    }

    /// SS58, `0x` and a 33-byte key, or `0x` and a 20-byte Ethereum-style address.
    private static func account(_ address: String, _ scheme: SignatureScheme) -> [UInt8]? {
        let bytes: [UInt8]
        if address.utf8Starts(with: "0x") {
            guard let decoded = Hex.decode(address) else { return nil }
            bytes = decoded
        } else {
            guard let decoded = try? SS58Address(address) else { return nil }
            bytes = decoded.account
        }
        if scheme == .ethereum, bytes.count == 20 { return bytes }
        if bytes.count == scheme.publicKeyLength { return PublicKey(scheme: scheme, bytes: bytes)?.accountID }
        return scheme == .ecdsa && bytes.count == 32 ? bytes : nil
    }

    /// The path as a person reads it.
    public var shownPath: String { said(isNameAmbiguous: false).shownPath }

    /// - Parameter isNameAmbiguous: whether the line names the network by its genesis hash.
    func card(isNameAmbiguous: Bool) -> Card { Card(.derivation(said(isNameAmbiguous: isNameAmbiguous))) }

    private func said(isNameAmbiguous: Bool) -> Card.Derivation {
        Card.Derivation(
            path: path, isPathEmptyText: isPathEmptyText, address: address, status: status, scheme: scheme,
            network: specs?.name, isNameAmbiguous: isNameAmbiguous, genesis: genesisHash, seed: seed)
    }
}

extension TrustState {
    /// The key of a seed, a path and a scheme, without a password.
    func key(seed: String, path: String, scheme: SignatureScheme) -> KeyRecord? {
        keys.first {
            $0.seed.utf8Equals(seed) && $0.path.utf8Equals(path) && !$0.hasPassword
                && $0.publicKey.scheme == scheme
        }
    }
}
