import Hashing
import Keys
import SubstratePrimitives
import TrustStore
import UOS

/// What an approved review does: the keys that it derived, as changes of the store and as an answer.
public struct DerivationWork: Sendable {
    public let changes: [TrustChange]
    public let events: [LogEvent]
    /// The payload `53 ff df …` that answers a request; nil for an import.
    public let answer: [UInt8]?
    /// Keys that are added or allowed on one network more.
    public let added: Int

    /// Derives every key of the review and compares it with what the payload says of it. One difference refuses the whole payload.
    ///
    /// - Parameters:
    ///   - derive: the public key of a seed, a path and a scheme.
    ///   - state: under the seal.
    public init(
        _ review: DerivationReview, payload: [UInt8], state: TrustState,
        derive: (_ seed: String, _ path: DerivationPath, _ scheme: SignatureScheme) throws -> PublicKey
    ) throws {
        if let refusal = review.refusal { throw refusal }
        var draft = Draft(state: state)
        var answers: [DynamicDerivationsResponse.Derived] = []
        for group in review.groups {
            guard let seed = group.seed else { continue }
            if review.purpose == .answering, try derive(seed, .root, .sr25519) != group.root {
                throw DerivationRefusal.rootDiffers(seed: seed)
            }
            for target in group.targets where target.status.isAdded || target.status == .alreadyKnown {
                let key = try derive(seed, DerivationPath(target.path), target.scheme)
                if let account = target.account, key.accountID != account {
                    throw DerivationRefusal.addressDiffers(path: target.path, seed: seed)
                }
                if target.status.isAdded { try draft.add(key, seed: seed, target) }
                answers.append(DynamicDerivationsResponse.Derived(path: target.path, scheme: target.scheme, key: key))
            }
        }
        changes = draft.changes
        added = draft.changes.count
        let kind: LogEvent.Kind = review.purpose == .importing ? .derivationsImported : .derivationsAnswered
        let seeds = Set(review.groups.compactMap(\.seed)).sorted().joined(separator: ", ")
        events = [
            LogEvent(
                kind,
                [
                    LogEvent.Fact("seed", seeds), LogEvent.Fact("keys", "\(answers.count)"),
                    LogEvent.Fact("added", "\(draft.changes.count)"),
                    LogEvent.Fact("payload", Hex.encode(BLAKE2b.hash(payload))),
                ])
        ]
        answer = review.purpose == .answering ? Self.answer(root: review.groups[0].root, answers) : nil
    }

    private static func answer(root: PublicKey, _ derived: [DynamicDerivationsResponse.Derived]) -> [UInt8] {
        Answer.derivations(DynamicDerivationsResponse(root: root, derived: derived)).bytes
    }

    /// Changes in the order of the payload; a key that a payload names for several networks is added once.
    private struct Draft {
        let state: TrustState
        var changes: [TrustChange] = []
        private var made: [PublicKey: String] = [:]

        init(state: TrustState) { self.state = state }

        mutating func add(_ key: PublicKey, seed: String, _ target: DerivationTarget) throws {
            if let held = state.key(key) {
                guard held.seed.utf8Equals(seed), held.path.utf8Equals(target.path), !held.hasPassword else {
                    throw DerivationRefusal.collision(path: target.path)
                }
                return changes.append(.allowKey(key, target.genesisHash))
            }
            if let path = made[key] {
                guard path.utf8Equals(target.path) else { throw DerivationRefusal.collision(path: target.path) }
                return changes.append(.allowKey(key, target.genesisHash))
            }
            made[key] = target.path
            changes.append(
                .addKey(
                    KeyRecord(
                        publicKey: key, ethereumAddress: key.scheme == .ethereum ? key.accountID : nil, seed: seed, path: target.path,
                        hasPassword: false, networks: [target.genesisHash])))
        }
    }
}
