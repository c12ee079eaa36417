import Diagnostics
import Extrinsics
import Hashing
import Lines
import Review
import SubstratePrimitives
import TerminalIO

/// Policies: what a file gets wrong, what it may mean by mistake, and what it forbids.
extension Wording {
    /// Why a transaction is signed although nobody said yes to it.
    package static func onlyDevelopment(_ needed: PersonNeeded) -> String {
        """
        heliograph: no rule approves this, only a development vault signs it: \
        \(Escape.terminal(needed.detail))
        """
    }

    /// A fault with the line of invalid JSON instead of its byte, and the unit that an amount probably is in.
    /// - Parameters:
    ///   - fault: of the text.
    ///   - text: that is not a policy.
    ///   - networks: of this vault, those with keys first.
    package static func fault(
        _ fault: TransactionPolicy.Fault, in text: [UInt8], networks: [NetworkSpecs]
    ) -> String {
        guard case .json(.malformed(let offset)) = fault.reason else {
            let named = TransactionPolicy.networks(at: fault.place, in: text)
            let meant = networks.first { network in
                named.contains { $0.isName(of: network.name, network.scheme) }
            }
            return fault.detail(unit: (meant ?? networks.first)?.unit ?? "DOT")
        }
        let before = text.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return "invalid JSON at line \(line), column \(column)"
    }

    package static let noPolicy = "no policy is set: everything is allowed"

    package static func unmatched(_ entry: UnmatchedEntry) -> String {
        let reason =
            switch entry.reason {
            case .unknownNetwork: "this vault has no network with this name"
            case .unknownCall: "there is no such call in the network's metadata in this vault"
            case .noMetadata: "this vault has no metadata to check the call"
            case .unknownUnit: "no network that the rule is for has this unit in this vault"
            case .tooFine: "the network has no smaller unit for its last digit"
            }
        return "\(entry.place): \(entry.entry): \(reason)"
    }

    package static func code(_ reason: UnmatchedEntry.Reason) -> String {
        switch reason {
        case .unknownNetwork: "unknown-network"
        case .unknownCall: "unknown-call"
        case .noMetadata: "no-metadata"
        case .unknownUnit: "unknown-unit"
        case .tooFine: "below-smallest-unit"
        }
    }
}

/// `require-metadata-hash`: what the owner demands of the chain.
extension Wording {
    /// - Parameter demand: nil for a stored value that cannot be read.
    package static func demand(_ demand: MetadataHashDemand?) -> String {
        switch demand {
        case nil: "require-metadata-hash is unreadable: nothing is signed"
        case .always: "require-metadata-hash always"
        case .wherePossible: "require-metadata-hash where-possible"
        case .never: "require-metadata-hash never"
        }
    }

    /// The meaning of a demand, and who is still believed under it.
    /// - Parameter verifier: who vouches for the network's metadata; nil for nobody.
    package static func effect(of demand: MetadataHashDemand, verifier: PublicKey?) -> [String] {
        let believed =
            verifier.map { "the metadata is believed from \($0.scheme.name) 0x\(Hex.encode($0.bytes))" }
            ?? "the metadata is believed although nobody signed it"
        switch demand {
        case .always:
            return [
                """
                A transaction is signed only if the chain checks its metadata hash. Nobody is believed about \
                the metadata.
                """
            ]
        case .wherePossible:
            return [
                """
                A transaction is signed if the chain checks its metadata hash, or if the metadata says that \
                the runtime cannot.
                """,
                verifier == nil
                    ? "Nobody signs the metadata of this network, so what it says of that is not believed."
                    : "If it says so, \(believed).",
            ]
        case .never:
            return [
                "A transaction is signed whether the chain checks its metadata hash or not.",
                "Where the chain does not, \(believed).",
            ]
        }
    }
}
