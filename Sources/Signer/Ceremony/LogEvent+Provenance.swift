import Accounts
import Hashing
import Review
import SubstratePrimitives
import TrustStore

/// The provenance of a signed transaction in the log, because verifiers change and their metadata is removed.
extension LogEvent {
    /// That a person accepted a network which only the transaction's own proof describes.
    static func facts(ofProvedNetwork reviewed: ReviewedTransaction) -> [Fact] {
        guard reviewed.isNetworkOnlyProved, let specs = reviewed.specs else { return [] }
        return [Fact("genesis_hash", specs.genesisHash.hex), Fact("network_only_proved", "accepted")]
    }

    /// The metadata hash that rules and the memory of payments rely on since this yes.
    static func facts(ofVouching reviewed: ReviewedTransaction) -> [Fact] {
        guard reviewed.yesVouches, let hash = reviewed.metadataHash else { return [] }
        return [Fact("yes_vouches_for", hash.hex)]
    }

    static func facts(of provenance: Provenance) -> [Fact] {
        switch provenance {
        case .chain(let beyond):
            return [Fact("checked_by", "chain")]
                + (beyond.isEmpty
                    ? [] : [Fact("not_checked", beyond.map(\.rawValue).joined(separator: ", "))])
        case .stored(let metadata):
            let voucher =
                switch metadata.voucher {
                case .verifier(let key): Hex.encode(key.bytes)
                case .verifiers(let key, let types):
                    "\(Hex.encode(key.bytes)), types \(Hex.encode(types.bytes))"
                case .nobody: "nobody"
                case .file: "file"
                }
            return [
                Fact("metadata_version", String(metadata.version)), Fact("believed_from", voucher),
                Fact("metadata_check", metadata.check.word),
            ]
        }
    }
}

/// A key as the log keeps it: which seed or group and which path it is of, or that it was imported, its
/// scheme, and the networks that it may sign for at that moment. Labels change and networks go, so an entry
/// names what there was.
extension LogEvent {
    static func facts(of key: KeyRecord, in trust: TrustState) -> [Fact] {
        let chains = KnownChains(trust)
        let networks = key.networks.map { chains.name(ofGenesis: $0) ?? $0.hex }
        return [
            Fact("key", Hex.encode(key.publicKey.bytes)), Fact("scheme", key.publicKey.scheme.name),
        ] + origin(of: key, in: trust)
            + (networks.isEmpty ? [] : [Fact("networks", networks.joined(separator: ", "))])
    }

    /// The seed that gives a key, or the group that holds it, with its path; or that it was imported.
    static func origin(of key: KeyRecord, in trust: TrustState) -> [Fact] {
        switch key.source {
        case .seed(let name, let path, _): [Fact("seed", name), Fact("path", path)]
        case .group(let transcript, let path):
            [Fact("group", trust.group(transcript)?.name ?? transcript.hex), Fact("path", path)]
        case .imported: [Fact("how", "imported")]
        }
    }
}
