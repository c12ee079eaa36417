import SCALE
import SubstratePrimitives

/// A request that a signer makes keys from a list of derivation paths (payload de, `ExportAddrs::V1`).
public struct OutgoingDerivations: Sendable, Equatable {
    public struct Key: Sendable, Equatable {
        /// SS58 for ed25519 and sr25519; `0x` and the hex of the 33-byte key for ecdsa and ethereum.
        public var address: String
        /// nil for the root key.
        public var path: String?
        public var scheme: SignatureScheme
        public var genesisHash: GenesisHash

        public init(address: String, path: String?, scheme: SignatureScheme, genesisHash: GenesisHash) {
            self.address = address
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }
    }

    public struct Seed: Sendable, Equatable {
        public var name: String
        /// The key of the empty path.
        public var root: PublicKey
        public var keys: [Key]

        public init(name: String, root: PublicKey, keys: [Key]) {
            self.name = name
            self.root = root
            self.keys = keys
        }
    }

    public var seeds: [Seed]

    public init(seeds: [Seed]) { self.seeds = seeds }

    public var bytes: [UInt8] {
        SCALEWriter.encode {
            $0.raw([OutgoingTransaction.marker, 0xff, 0xde, 0x00])
            $0.vector(seeds) { writer, seed in
                writer.string(seed.name)
                writer.u8(seed.root.scheme.rawValue)
                writer.raw(seed.root.bytes)
                writer.vector(seed.keys) { writer, key in
                    writer.string(key.address)
                    writer.option(key.path) { $0.string($1) }
                    writer.u8(key.scheme.rawValue)
                    writer.raw(key.genesisHash.bytes)
                }
            }
        }
    }
}
