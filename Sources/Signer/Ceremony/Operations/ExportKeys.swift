import Accounts
import Hashing
import Keys
import SubstratePrimitives
import TrustStore
import UOS

/// Exports the derivations of a seed, public keys only, for another signer or a wallet that watches.
public struct ExportKeys: Operation {
    let seed: String

    /// What the export says, and what it leaves out.
    public struct Plan: Sendable, Equatable {
        /// One for each key and each network that it may sign for.
        public let derivations: [SeedInfo.DerivedKey]
        /// How many keys are left out because they have a password: without it their path derives another
        /// key.
        public let withPassword: Int
        /// How many are left out because the payload's readers derive Substrate paths only.
        public let withNumbers: Int
    }

    /// An export of the keys of that seed.
    public init(seed: String) { self.seed = seed }

    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func preview(_ view: VaultView) throws -> Plan {
        try view.requireSeed(seed)
        let keys = view.trust.keys(seed: seed)
        let told = keys.filter { !$0.hasPassword && !HDPath.isMeant(by: $0.path) }
        return Plan(
            derivations: told.flatMap { Self.derivations(of: $0, view.trust) },
            withPassword: keys.count { $0.hasPassword },
            withNumbers: keys.count { !$0.hasPassword && HDPath.isMeant(by: $0.path) })
    }

    private static func derivations(of key: KeyRecord, _ trust: TrustState) -> [SeedInfo.DerivedKey] {
        trust.networks.filter { key.networks.contains($0.genesisHash) && $0.scheme == key.publicKey.scheme }
            .map { specs in
                let is25519 = key.publicKey.bytes.count == 32
                return SeedInfo.DerivedKey(
                    address: is25519
                        ? key.publicKey.address(prefix: specs.base58Prefix)
                        : "0x" + Hex.encode(key.publicKey.bytes),
                    path: key.path.isEmpty ? nil : key.path, scheme: key.publicKey.scheme,
                    genesisHash: specs.genesisHash)
            }
    }

    /// The payload `53 ff de …`, version 2.
    public func perform(_ shown: Plan, in context: CommitContext<Self>) throws -> PreparedCommit<[UInt8]> {
        let root = try context.key(of: seed, path: .root, scheme: .sr25519)
        let export = ExportAddrs(
            seed: SeedInfo(name: seed, root: root, keys: shown.derivations),
            features: [.bulkOperations, .dynamicDerivations])
        let chains = KnownChains(context.view.trust)
        var networks: [String] = []
        for genesis in shown.derivations.map(\.genesisHash) {
            let name = chains.name(ofGenesis: genesis) ?? genesis.hex
            if !networks.containsUTF8(of: name) { networks.append(name) }
        }
        let facts =
            [LogEvent.Fact("seed", seed), LogEvent.Fact("keys", String(shown.derivations.count))]
            + (networks.isEmpty ? [] : [LogEvent.Fact("networks", networks.joined(separator: ", "))])
        return PreparedCommit(
            Payload.Content.importDerivations(export).encoded(), events: [LogEvent(.keysExported, facts)])
    }
}
