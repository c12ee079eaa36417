import Extrinsics
import SubstratePrimitives
import TrustStore
import TrustUpdates

/// A change of trust that a person asks for, without a signed update.
public struct ChangeTrust: Operation {
    /// What changes.
    public enum Change: Sendable, Equatable {
        /// Removes a network's specs, metadata and asset list; who vouches for it is kept.
        case removeNetwork(GenesisHash)
        /// Removes a network and blocks it until the verifiers are reset.
        case revokeNetwork(GenesisHash)
        /// Adds the chain of the built-in list that has this genesis hash, for keys of this scheme; nil for
        /// the chain's own.
        case addListedNetwork(GenesisHash, scheme: SignatureScheme? = nil)
        /// Puts back the default networks that are missing.
        case restoreDefaults
        /// Removes the metadata of one runtime version of a network.
        case removeMetadata(GenesisHash, version: UInt32)
        /// Sets who vouches for a network; what the key believed before vouched for is removed.
        case setVerifier(GenesisHash, ChosenVerifier)
        /// Removes the types for metadata 13 and older.
        case removeTypes
        /// Sets what the chain must check before a transaction of the network is signed.
        case requireMetadataHash(GenesisHash, MetadataHashDemand)
    }

    /// What it does and what the log will say of it. Without changes there is nothing to confirm.
    public struct Step: Sendable, Equatable {
        /// What is written into the store; empty where nothing is to be done.
        public let changes: [TrustChange]
        /// The lines of the log.
        public let events: [LogEvent]
        /// What a person types instead of yes; nil where yes is enough.
        public let word: String?

        init(changes: [TrustChange], events: [LogEvent], word: String? = nil) {
            self.changes = changes
            self.events = events
            self.word = word
        }

        public static func == (one: Step, other: Step) -> Bool {
            one.changes == other.changes && one.events == other.events && one.word.utf8Equals(other.word)
        }
    }

    let change: Change

    /// A change of trust.
    public init(_ change: Change) { self.change = change }

    /// - Throws: `TrustSetup.Failure`
    public func preview(_ view: VaultView) throws -> Step {
        let step =
            switch change {
            case .removeNetwork(let genesis): try TrustSetup.removeNetwork(genesis, state: view.trust)
            case .revokeNetwork(let genesis): try TrustSetup.revokeNetwork(genesis, state: view.trust)
            case .addListedNetwork(let genesis, let scheme):
                try TrustSetup.addListed(genesis, scheme: scheme, state: view.trust)
            case .restoreDefaults: TrustSetup.restoreDefaults(view.trust)
            case .removeMetadata(let genesis, let version):
                try TrustSetup.removeMetadata(genesis, version: version, state: view.trust)
            case .setVerifier(let genesis, let chosen):
                try TrustSetup.setVerifier(chosen, of: genesis, state: view.trust)
            case .removeTypes: try TrustSetup.removeTypes(view.trust)
            case .requireMetadataHash(let genesis, let demand):
                try TrustSetup.requireMetadataHash(genesis, demand, state: view.trust)
            }
        return Step(changes: step.changes, events: step.events, word: word(view.trust))
    }

    private func word(_ state: TrustState) -> String? {
        switch change {
        case .setVerifier(let genesis, let chosen): TrustSetup.word(for: chosen, of: genesis, state: state)
        case .requireMetadataHash(let genesis, let demand):
            TrustSetup.word(for: demand, of: genesis, state: state)
        case .addListedNetwork(let genesis, _): TrustSetup.word(forListed: genesis, state: state)
        case .removeNetwork, .revokeNetwork, .restoreDefaults, .removeMetadata, .removeTypes: nil
        }
    }

    public func perform(_ shown: Step, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        PreparedCommit((), shown.changes, events: shown.events)
    }
}
