import Diagnostics
import Hashing
import Review
import SubstratePrimitives
import TrustStore

/// Who may change what: the verifier table of the update protocol, as pure functions.
///
/// One general verifier (a key or none) and one verifier a network (general, or custom with a key or none)
/// decide over add-specs, load-metadata and load-types. In the cases below `a` is the key that signed the
/// update.
public enum VerifierPolicy {
    /// Data that a change of verifier removes, because no verifier that is trusted now has vouched for it.
    public enum Hold: Sendable, Hashable {
        /// Specs, metadata and asset list of the network itself.
        case network
        /// Specs, metadata and asset lists of every network whose verifier is general, and the types.
        case general
    }

    /// How accepting the update changes the verifiers.
    public struct Outcome: Sendable, Equatable {
        public var general: PublicKey?
        public var network: Verifier
        public var purged: Set<Hold>

        public init(general: PublicKey?, network: Verifier, purged: Set<Hold> = []) {
            self.general = general
            self.network = network
            self.purged = purged
        }
    }

    /// Why an update is refused for its signer.
    public enum Refusal: Error, Sendable, Equatable {
        /// One of these keys must have signed the update.
        case mustBeSignedBy([PublicKey])
        /// The network has no verifier yet: its specs, signed by the same key, must come first.
        case specsFirst
        /// There are no specs of the network.
        case unknownNetwork
        /// The user revoked the network.
        case revoked
    }

    /// Add-specs.
    /// - `signer`: `a`; nil for an unsigned update.
    /// - `network`: nil for an unknown network.
    public static func addSpecs(signer: PublicKey?, network: Verifier?, general: PublicKey?) throws(Refusal)
        -> Outcome
    {
        switch (signer, network, general) {
        case (_, .revoked, _): throw .revoked

        case (nil, nil, _): return Outcome(general: general, network: .custom(nil))
        case (let a?, nil, nil): return Outcome(general: a, network: .general, purged: [.general])
        case (let a?, nil, let b?) where a == b: return Outcome(general: b, network: .general)
        case (let a?, nil, let b?): return Outcome(general: b, network: .custom(a))

        case (nil, .custom(nil), _): return Outcome(general: general, network: .custom(nil))
        case (nil, .general, nil): return Outcome(general: nil, network: .general)
        case (nil, .general, let a?): throw .mustBeSignedBy([a])
        case (nil, .custom(let a?), _): throw .mustBeSignedBy([a])

        case (let a?, .general, nil): return Outcome(general: a, network: .general, purged: [.general])
        case (let a?, .general, let b?) where a == b: return Outcome(general: b, network: .general)
        case (_?, .general, let b?): throw .mustBeSignedBy([b])

        case (let a?, .custom(nil), nil):
            return Outcome(general: a, network: .general, purged: [.general, .network])
        case (let a?, .custom(nil), let b?) where a == b:
            return Outcome(general: b, network: .general, purged: [.network])
        case (let a?, .custom(nil), let b?):
            return Outcome(general: b, network: .custom(a), purged: [.network])

        // The same key vouched for the network before: what it signed stays.
        case (let a?, .custom(let b?), let c?) where a == b && a == c:
            return Outcome(general: c, network: .general)
        case (let a?, .custom(let b?), _) where a == b: return Outcome(general: general, network: .custom(b))
        case (let a?, .custom(_?), let c?) where a == c:
            return Outcome(general: c, network: .general, purged: [.network])
        case (_?, .custom(let b?), let c?): throw .mustBeSignedBy([b, c])
        case (_?, .custom(let b?), nil): throw .mustBeSignedBy([b])
        }
    }

    /// Load-metadata and asset lists: exactly the network's verifier, and no verifier ever changes.
    public static func networkData(signer: PublicKey?, network: Verifier?, general: PublicKey?)
        throws(Refusal)
    {
        let required: PublicKey?
        switch network {
        case nil: throw .unknownNetwork
        case .revoked: throw .revoked
        case .general: required = general
        case .custom(let key): required = key
        }
        if signer == required { return }
        guard let required else { throw .specsFirst }
        throw .mustBeSignedBy([required])
    }

    /// Who may sign a load-types update: the general verifier. A vault without one accepts any signer, who
    /// then becomes the general verifier, and also an unsigned update.
    public static func types(signer: PublicKey?, general: PublicKey?) throws(Refusal) -> (
        general: PublicKey?, purged: Set<Hold>
    ) {
        switch (signer, general) {
        case (nil, nil): return (nil, [])
        case (let a?, nil): return (a, [.general])
        case (let a?, let b?) where a == b: return (b, [])
        case (_, let b?): throw .mustBeSignedBy([b])
        }
    }
}

extension VerifierPolicy.Refusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .mustBeSignedBy(let keys):
            .refused(
                "must-be-signed-by",
                "the update must be signed by "
                    + "\(keys.map { "0x" + Hex.encode($0.bytes) }.joined(separator: " or "))",
                hint: UpdateRefusal.signers(keys))
        case .specsFirst:
            .refused(
                "specs-first",
                "the update changes the network's verifier: network "
                    + "specs signed by the same key must come first", hint: UpdateRefusal.specsFirstHint)
        case .unknownNetwork:
            .refused("unknown-network", "the network is not in this vault", hint: ReviewError.specsHint)
        case .revoked:
            .refused(
                "network-blocked", "the network is blocked because its verifier was revoked",
                hint: ReviewError.resetHint)
        }
    }

    static let exampleKey = VerifierPolicy.defaultKey

    public static var examples: [Self] {
        [.mustBeSignedBy([exampleKey]), .specsFirst, .unknownNetwork, .revoked]
    }
}

extension VerifierPolicy {
    /// Where what ``defaultKey`` signed is published, which is what people call it.
    public static let defaultName = "metadata.parity.io"
    /// The sr25519 key that signed most of what has been published for the default networks.
    public static let defaultKey = PublicKey(
        scheme: .sr25519,
        bytes: [
            0xc4, 0x6a, 0x22, 0xb9, 0xda, 0x19, 0x54, 0x0a, 0x77, 0xcb, 0xde, 0x23, 0x19, 0x7e, 0x5f, 0xd9,
            0x04, 0x85, 0xc7, 0x2b, 0x4e,
            0xcf,
            0x3c, 0x59, 0x9e, 0xcc, 0xa6, 0x99, 0x8f, 0x39, 0xbd, 0x57,
        ])!
}
