import Accounts
import Hashing
import Keys
import SubstratePrimitives
import TrustStore
import UOS

/// The keys of a reviewed import or request, derived and compared with the payload. One difference refuses
/// the whole payload.
struct DerivedKeys {
    /// In the order of the payload; a key that a payload names for several networks is added once.
    private(set) var changes: [TrustChange] = []
    /// Every key that the vault holds afterwards, in the order of the payload.
    private(set) var derived: [DynamicDerivationsResponse.Derived] = []
    private let trust: TrustState
    private var added: [PublicKey: String] = [:]

    /// - Parameters:
    ///   - review: one that may be carried out, read under the seal.
    ///   - trust: the state that it was read from.
    ///   - key: the public key of a seed, a path and a scheme.
    /// - Throws: ``DerivationRefusal``
    init(
        _ review: DerivationReview, _ trust: TrustState,
        key: (_ seed: String, _ path: DerivationPath, _ scheme: SignatureScheme) throws -> PublicKey
    ) throws {
        self.trust = trust
        for group in review.groups {
            guard let seed = group.seed else { continue }
            if review.purpose == .answering, try key(seed, .root, .sr25519) != group.root {
                throw DerivationRefusal.rootDiffers(seed: seed)
            }
            for target in group.targets where target.status.isAdded || target.status == .alreadyKnown {
                let key = try key(seed, DerivationPath(target.path), target.scheme)
                if let account = target.account, key.accountID != account {
                    throw DerivationRefusal.addressDiffers(path: target.path, seed: seed)
                }
                if target.status.isAdded { try add(key, seed: seed, target) }
                derived.append(
                    DynamicDerivationsResponse.Derived(path: target.path, scheme: target.scheme, key: key))
            }
        }
    }

    private mutating func add(_ key: PublicKey, seed: String, _ target: DerivationTarget)
        throws(DerivationRefusal)
    {
        if let held = trust.key(key) {
            guard held.source == .seed(seed, path: target.path, hasPassword: false) else {
                throw .collision(path: target.path)
            }
            return changes.append(.allowKey(key, target.genesisHash))
        }
        if let path = added[key] {
            guard path.utf8Equals(target.path) else { throw .collision(path: target.path) }
            return changes.append(.allowKey(key, target.genesisHash))
        }
        added[key] = target.path
        changes.append(
            .addKey(
                KeyRecord(
                    publicKey: key, ethereumAddress: key.scheme == .ethereum ? key.accountID : nil,
                    seed: seed, path: target.path,
                    hasPassword: false, networks: [target.genesisHash])))
    }

    /// The line of the log.
    func event(_ kind: LogEvent.Kind, _ review: DerivationReview, _ payload: Payload) -> LogEvent {
        let seeds = Set(review.groups.compactMap(\.seed)).sorted().joined(separator: ", ")
        return LogEvent(
            kind,
            [
                LogEvent.Fact("seed", seeds), LogEvent.Fact("keys", String(derived.count)),
                LogEvent.Fact("added", String(changes.count)),
                LogEvent.Fact("payload", Hex.encode(BLAKE2b.hash(payload.bytes))),
            ])
    }
}
