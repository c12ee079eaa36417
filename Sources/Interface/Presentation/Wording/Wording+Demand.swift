import Extrinsics
import Hashing
import SubstratePrimitives
import TerminalIO

/// `require-metadata-hash`: what the owner demands of the chain.
extension Wording {
    package static let demandQuestion = "Require this from now on?"
    package static let lowerDemandQuestion = "Require less from now on?"

    /// - Parameter demand: nil for a stored value that cannot be read.
    package static func demand(_ demand: MetadataHashDemand?) -> String {
        switch demand {
        case nil: "require-metadata-hash is unreadable: nothing is signed"
        case .always: "require-metadata-hash always"
        case .wherePossible: "require-metadata-hash where-possible"
        case .never: "require-metadata-hash never"
        }
    }

    /// What a demand means, and whom it leaves to believe.
    /// - Parameter verifier: who vouches for the network's metadata; nil for nobody.
    package static func effect(of demand: MetadataHashDemand, verifier: PublicKey?) -> [String] {
        let believed =
            verifier.map { "the metadata is believed from \($0.scheme.name) 0x\(Hex.encode($0.bytes))" }
            ?? "the metadata is believed although nobody signed it"
        switch demand {
        case .always:
            return [
                """
                A transaction is signed only if the chain checks its metadata hash. Nobody is believed \
                about the metadata.
                """
            ]
        case .wherePossible:
            return [
                """
                A transaction is signed if the chain checks its metadata hash, or if the metadata says \
                that the runtime cannot.
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
