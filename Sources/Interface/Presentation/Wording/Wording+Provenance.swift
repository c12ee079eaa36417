import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import TerminalIO

/// Why the cards of a transaction can be believed.
extension Wording {
    /// The chain refuses the signature as that of a transaction. That does not cover other uses of the same
    /// bytes, for which the review has its own checks.
    /// - Parameter payloads: transactions and messages that one answer signs.
    static func checked(_ count: Int, of payloads: Int) -> String {
        count == payloads
            ? "by the chain: a wrong reading is worthless as a transaction there"
            : "\(share(count, of: payloads))by the chain: a wrong reading is no transaction there"
    }

    /// What the chain does not check of the same transactions.
    static func unreached(_ beyond: [Provenance.Unreached]) -> String {
        "it cannot check " + beyond.map(name).joined(separator: ", ")
    }

    private static func name(_ unreached: Provenance.Unreached) -> String {
        switch unreached {
        case .hiddenCalls: "hidden calls"
        case .foreignCalls: "calls for other chains"
        case .assetUnits: "asset units"
        }
    }

    /// What a person's yes does beside signing.
    static func yesVouches(_ hash: Hash32) -> String {
        """
        a yes makes rules and the memory of payments rely on metadata hash \
        \(shortened(Hex.encode(hash.bytes)))
        """
    }

    /// - Parameter verb: where no label before the words says it.
    static func reading(_ reading: SummaryProvenance.Reading, of payloads: Int, verb: String = "") -> String {
        let metadata = reading.metadata
        let words =
            switch metadata.voucher {
            case .verifier(let key):
                "with metadata \(metadata.version), believed from \(shortened(Hex.encode(key.bytes)))"
            case .verifiers(let key, let types):
                """
                with metadata \(metadata.version), believed from \(shortened(Hex.encode(key.bytes))), types \
                from \(shortened(Hex.encode(types.bytes)))
                """
            case .nobody: "with unsigned metadata \(metadata.version): nobody vouches for it"
            case .file: "with metadata \(metadata.version) from a file: nobody vouches for it"
            }
        let network = reading.networkName.map { " (\(name($0)))" } ?? ""
        return (reading.count == payloads ? "" : "\(share(reading.count, of: payloads))") + verb + words
            + network
    }

    private static func share(_ count: Int, of payloads: Int) -> String { "\(count) of \(payloads) " }

    /// The start and the end of a key; JSON and the cards have all of it.
    static func shortened(_ hex: String) -> String { "0x\(hex.prefix(4))...\(hex.suffix(4))" }
}
