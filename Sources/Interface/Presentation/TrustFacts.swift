import Diagnostics
import Extrinsics
import Hashing
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore

package struct NetworkFacts: Encodable {
    package let specs: NetworkSpecs
    package let verifier: VerifierFacts
    package let metadata: [UInt32]
    /// `always`, `where_possible` or `never`; null if the stored value cannot be read. Nothing is signed for
    /// such a network.
    let require_metadata_hash: Nullable<String>

    package init(_ specs: NetworkSpecs, state: TrustState) {
        self.specs = specs
        verifier = VerifierFacts(
            state.verifiers[specs.genesisHash] ?? .custom(nil), general: state.generalVerifier)
        metadata = state.metadata(genesis: specs.genesisHash).map(\.version).sorted(by: >)
        require_metadata_hash = Nullable(state.metadataHashDemand(genesis: specs.genesisHash)?.rawValue)
    }
}

package struct VerifierFacts: Encodable {
    package let kind: String
    package let public_key: Nullable<String>
    package let scheme: Nullable<String>

    package init(_ verifier: Verifier, general: PublicKey?) {
        let key: PublicKey? =
            switch verifier {
            case .general: general
            case .custom(let key): key
            case .revoked: nil
            }
        self.init(kind: verifier.word, key: key)
    }

    package init(kind: String, key: PublicKey?) {
        self.kind = kind
        public_key = Nullable(key.map { Hex.encode($0.bytes) })
        scheme = Nullable(key?.scheme.name)
    }
}

/// Types that serve every network, in one piece.
package struct TypesFacts: Encodable {
    let hash: String
    let bytes: Int

    /// nil where none are loaded.
    package init?(_ state: TrustState) {
        guard let types = state.types else { return nil }
        hash = types.hash.hex
        bytes = types.length
    }
}

/// What a key of this vault vouches for.
package enum AttestedSubject: String, CaseIterable, Sendable { case specs, metadata, types, assets }

/// Changes of trust.
extension Wording {
    package static func types(_ facts: TypesFacts) -> String { "\(facts.hash), \(bytes(facts.bytes))" }
    package static let noMetadata = "this vault has no metadata; scan a metadata update to add some"

    /// Stands over the lines of the log that a yes writes.
    package static func attestQuestion(_ subject: AttestedSubject) -> String {
        let what =
            switch subject {
            case .specs: "these network specs"
            case .metadata: "this metadata"
            case .types: "these types"
            case .assets: "this asset list"
            }
        return
            """
            Sign \(what)? Every device that trusts this key will accept \
            \(subject == .specs || subject == .types ? "them" : "it").
            """
    }

    package static let plan = "this will change:"
    package static let removeQuestion = "Remove this?"
    package static let nothingToDo = "nothing to do"
    package static let changed = "done and recorded in the log"

    /// - Parameter waiting: events that join the log when the vault opens.
    package static func clearQuestion(_ log: LogBounds, waiting: Int) -> String {
        let count = entryCount(log.last + 1 - log.first + UInt64(waiting))
        return "Remove \(count) from the log? Only their number and the hash of the last one are kept."
    }

    /// What an event that is about to be written says it does.
    package static func planned(_ event: LogEvent) -> String {
        let details = event.facts.map { "\(words($0.name)) \(LogText.shown($0.value, whole: true))" }.joined(
            separator: ", ")
        let text = words(event.kind.rawValue) + (details.isEmpty ? "" : ": \(details)")
        return (event.kind.isDangerous ? "! " : "  ") + Escape.terminal(text)
    }
}
