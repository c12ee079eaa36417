import Ceremony
import Diagnostics
import Hashing
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

/// Whom accepting an update makes this vault believe, in one sentence above the question.
enum TrustNote: Equatable {
    /// The network is new, and this key speaks for it from now on. Nobody trusted it here before.
    case firstUse(network: String, PublicKey)
    /// The network is new, and nobody signed for it: anybody may say what it is.
    case firstUseUnsigned(network: String)
    /// The network is new, and its signer speaks for other networks already.
    case newNetwork(network: String, PublicKey)
    /// From now on this key speaks for a network that the vault has, in place of nobody.
    case newVerifier(network: String, PublicKey)
    /// From now on this key speaks for every network without a verifier of its own.
    case newGeneralVerifier(PublicKey)
    /// Nothing changes about whom the vault believes: this key.
    case known(PublicKey)
    /// Nobody signs for this network, as before.
    case unsigned

    /// - Parameter state: before the update is accepted. nil where a warning says it already: the verifier of
    ///   a known network changes.
    init?(_ update: UnverifiedUpdate, in state: TrustState) {
        let signer = update.signature?.key
        let genesis: GenesisHash
        switch update.content {
        case .addSpecs(let specs):
            genesis = specs.genesisHash
            if state.verifiers[genesis] == nil {
                switch signer {
                case nil: self = .firstUseUnsigned(network: specs.name)
                case let key? where key == state.generalVerifier: self = .newNetwork(network: specs.name, key)
                case let key?: self = .firstUse(network: specs.name, key)
                }
                return
            }
        case .loadMetadata(_, let chain, _): genesis = chain
        case .loadAssets(let units): genesis = units.genesisHash
        case .loadTypes:
            guard signer == state.generalVerifier else {
                guard let signer, state.generalVerifier == nil else { return nil }
                self = .newGeneralVerifier(signer)
                return
            }
            self = signer.map(TrustNote.known) ?? .unsigned
            return
        }
        let verifier: PublicKey?
        switch state.verifiers[genesis] {
        case .general: verifier = state.generalVerifier
        case .custom(let key): verifier = key
        case .revoked, nil: return nil
        }
        guard signer == verifier else {
            // Any other key is refused, or is the general verifier, whom the vault believes already.
            guard let signer, verifier == nil, case .addSpecs(let specs) = update.content else { return nil }
            if state.generalVerifier == nil {
                self = .newGeneralVerifier(signer)
            } else if signer == state.generalVerifier {
                return nil
            } else {
                self = .newVerifier(network: specs.name, signer)
            }
            return
        }
        self = signer.map(TrustNote.known) ?? .unsigned
    }
}

extension TrustNote: Legible {
    var legible: String { Wording.trust(self) }
}

extension Wording {
    static func trust(_ note: TrustNote) -> String {
        switch note {
        case .firstUse(let network, let key):
            """
            \(name(network)) is new here: compare this key with what its owner publishes, because from now on \
            its updates must be signed by it: \(key.scheme.name) 0x\(Hex.encode(key.bytes)), whom this vault \
            has not trusted before; \(undo(network))
            """
        case .firstUseUnsigned(let network):
            """
            \(name(network)) is new here, and nobody signed its specs: from now on anybody can make updates \
            of it; \(undo(network))
            """
        case .newNetwork(let network, let key):
            "\(name(network)) is new here, \(signed(by: key, isWhole: true)); \(undo(network))"
        case .newVerifier(let network, let key):
            """
            nobody spoke for \(name(network)) so far: compare this key with what its owner publishes, because \
            from now on its updates must be signed by it: \(key.scheme.name) 0x\(Hex.encode(key.bytes)), whom \
            this vault has not trusted before; heliograph verifier set changes whom this vault trusts
            """
        case .newGeneralVerifier(let key):
            """
            nobody was the general verifier so far: compare this key with what its owner publishes, because \
            from now on it speaks for every network without a verifier of its own: \(key.scheme.name) \
            0x\(Hex.encode(key.bytes)); heliograph verifier reset changes whom this vault trusts
            """
        case .known(let key): signed(by: key, isWhole: true)
        case .unsigned: "nobody signed this, as nobody does for this network: anybody can make updates of it"
        }
    }

    /// Names a verifier that the vault believes already, and whether it came with the program.
    /// - Parameter isWhole: whether the key stands whole. A summary is compared with what the owner
    ///   publishes, and it escapes the sign of a shortened key.
    static func signed(by key: PublicKey, isWhole: Bool = false) -> String {
        guard key != TrustSetup.defaultVerifier else {
            return "signed by the built-in verifier \(VerifierPolicy.defaultName)"
        }
        let digits = Hex.encode(key.bytes)
        return "signed by the verifier \(isWhole ? "0x" + digits : shortened(digits)), which you added"
    }

    private static func undo(_ network: String) -> String {
        """
        heliograph network remove \(Hints.quoted(network)) removes it, heliograph verifier reset changes \
        whom this vault trusts, and removes all networks and metadata
        """
    }
}
