import Hashing
import Review
import SubstratePrimitives
import TrustStore

/// A key as the log keeps it: which seed and path it is of, its scheme, and the networks that it may sign for at that moment. Labels change and networks
/// go, so an entry names what there was.
extension LogEvent {
    static func facts(of key: KeyRecord, in trust: TrustState) -> [Fact] {
        let chains = KnownChains(trust)
        let networks = key.networks.map { chains.name(ofGenesis: $0) ?? $0.hex }
        return [
            Fact("key", Hex.encode(key.publicKey.bytes)), Fact("scheme", key.publicKey.scheme.name), Fact("seed", key.seed),
            Fact("path", key.path),
        ] + (networks.isEmpty ? [] : [Fact("networks", networks.joined(separator: ", "))])
    }
}
