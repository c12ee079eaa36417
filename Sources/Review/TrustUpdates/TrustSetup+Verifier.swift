import Review
import SubstratePrimitives
import TrustStore

/// Whom the owner of a vault can name as a network's verifier: every `Verifier` except a revoked one, which
/// has a command of its own.
public enum ChosenVerifier: Sendable, Equatable {
    /// The general verifier; nobody while the vault has none.
    case general
    /// A key of this network's own.
    case key(PublicKey)
    /// Unsigned updates are accepted.
    case nobody

    var verifier: Verifier {
        switch self {
        case .general: .general
        case .key(let key): .custom(key)
        case .nobody: .custom(nil)
        }
    }
}

extension TrustSetup {
    /// Sets who vouches for one network; the other networks stay as they are.
    ///
    /// Data that the former key vouched for is removed, so that no data stands under a name that did not
    /// vouch for it: metadata and the asset list always, the specs if a new key follows. Specs stay if no key
    /// follows, because then nobody claims to vouch for them, and if this program has the same specs built
    /// in. Nothing is removed while the key stays the same.
    public static func setVerifier(_ chosen: ChosenVerifier, of genesis: GenesisHash, state: TrustState)
        throws(Failure) -> Step
    {
        guard let before = state.verifiers[genesis] else { throw .unknownNetwork(genesis) }
        guard before != .revoked else { throw .blockedNetwork(genesis) }
        guard before != chosen.verifier else { return ([], []) }
        var step: Step = ([.setVerifier(genesis, chosen.verifier)], [event(chosen, genesis, state)])
        let key = believed(chosen, state)
        guard key != state.verifierKey(genesis: genesis) else { return step }
        let cleared = clearVouched(genesis, state: state)
        step.changes += cleared.changes
        step.events += cleared.events
        guard key != nil else { return step }
        for specs in state.networks(genesis: genesis) where !NetworkSpecs.defaults.contains(specs) {
            remove(specs, in: &step, state)
        }
        return step
    }

    /// What must be typed to make nobody the verifier of a network; nil for a key.
    public static func word(for chosen: ChosenVerifier, of genesis: GenesisHash, state: TrustState) -> String?
    {
        guard believed(chosen, state) == nil else { return nil }
        return TypedWord.unsigned(
            network: state.networks(genesis: genesis).first?.name ?? "", genesis: genesis
        ).text
    }

    private static func believed(_ chosen: ChosenVerifier, _ state: TrustState) -> PublicKey? {
        switch chosen {
        case .general: state.generalVerifier
        case .key(let key): key
        case .nobody: nil
        }
    }

    private static func event(_ chosen: ChosenVerifier, _ genesis: GenesisHash, _ state: TrustState)
        -> LogEvent
    {
        let name = state.networks(genesis: genesis).first.map { [LogEvent.Fact("name", $0.name)] } ?? []
        let facts = [
            LogEvent.Fact("genesis_hash", genesis.hex), LogEvent.Fact("verifier", chosen.verifier.word),
            LogEvent.Fact("believed", named(believed(chosen, state))),
            LogEvent.Fact("believed_before", named(state.verifierKey(genesis: genesis))),
        ]
        return LogEvent(.networkVerifierSet, name + facts)
    }
}
