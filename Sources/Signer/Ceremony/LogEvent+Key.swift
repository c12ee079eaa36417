import Accounts
import Hashing
import SubstratePrimitives
import TrustStore

/// A key as the log keeps it: which seed or group and which path it is of, its scheme, and the networks that
/// it may sign for at that moment. Labels change and networks go, so an entry names what there was.
extension LogEvent {
    static func facts(of key: KeyRecord, in trust: TrustState) -> [Fact] {
        let chains = KnownChains(trust)
        let networks = key.networks.map { chains.name(ofGenesis: $0) ?? $0.hex }
        return [
            Fact("key", Hex.encode(key.publicKey.bytes)), Fact("scheme", key.publicKey.scheme.name),
            holder(of: key, in: trust),
            Fact("path", key.path),
        ] + (networks.isEmpty ? [] : [Fact("networks", networks.joined(separator: ", "))])
    }

    /// The seed that gives a key, or the group that holds it.
    static func holder(of key: KeyRecord, in trust: TrustState) -> Fact {
        switch key.source {
        case .seed(let name, _, _): Fact("seed", name)
        case .group(let transcript, _): Fact("group", trust.group(transcript)?.name ?? transcript.hex)
        }
    }
}
