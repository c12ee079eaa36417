import Accounts
import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Keys
import Metadata
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// A vault that somebody wants to deceive.
struct Target {
    static let alice = SigningVault.alice
    static let bob = SigningVault.bob
    static let thief = [UInt8](repeating: 0x66, count: 32)
    /// The root of //Alice's phrase stands for any root: no key is derived here.
    static let root = [UInt8](repeating: 0x52, count: 32)

    var networks: [NetworkSpecs]
    var metadata: [(genesis: GenesisHash, version: UInt32, blob: [UInt8])] = []
    var policy: String?

    init(_ networks: [NetworkSpecs]) { self.networks = networks }

    /// Alice may sign on all networks of the vault, by her key or by root and path.
    var data: ChainData {
        var state = TrustState()
        state.networks = networks
        state.settings[TrustState.seedRootPrefix + "main"] = Self.root
        state.keys = [
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: Self.alice)!, seed: "main", path: "//0",
                hasPassword: false,
                networks: Set(networks.map(\.genesisHash)))
        ]
        state.metadata = metadata.map {
            MetadataRecord(
                genesis: $0.genesis, version: $0.version, hash: .blake2b(of: $0.blob), length: $0.blob.count)
        }
        if let policy { state.settings[TransactionPolicy.setting] = Array(policy.inHLO.utf8) }
        let blobs = Dictionary(
            metadata.map { (Hash32.blake2b(of: $0.blob), $0.blob) }, uniquingKeysWith: { first, _ in first })
        return ChainData(state: state) { blobs[$0]! }
    }

    mutating func hold(_ runtime: FixtureRuntime, _ version: FixtureRuntime.MetadataVersion) {
        metadata.append((runtime.genesisHash, runtime.specVersion, runtime.metadata(version)))
    }

    func review(_ payload: [UInt8]) throws -> [ReviewedTransaction] {
        try TransactionReview(data).review(try Payload(payload))
    }
}

/// The payload codes that ask for one signature with a proof, and how they name the signer.
enum ProofCode: CaseIterable {
    case byKey, byRootAndPath, inBulk

    func payload(_ body: [UInt8], proof: [UInt8], genesis: GenesisHash) -> [UInt8] {
        let rest = proof + body + genesis.bytes
        let byKey = [0x53, 0x01, 0x06] + Target.alice + rest
        return switch self {
        case .byKey: byKey
        case .byRootAndPath: [0x53, 0x01, 0x07] + Target.root + FixtureValue.bytes(Array("//0".utf8)) + rest
        case .inBulk: SigningVault.bulk([byKey, byKey])
        }
    }
}

/// The payload codes that leave the types to stored metadata.
enum PlainCode: CaseIterable {
    case byKey, byRootAndPath, inBulk

    func payload(_ body: [UInt8], genesis: GenesisHash) -> [UInt8] {
        let rest = body + genesis.bytes
        let byKey = [0x53, 0x01, 0x02] + Target.alice + rest
        return switch self {
        case .byKey: byKey
        case .byRootAndPath: [0x53, 0x01, 0x05] + Target.root + FixtureValue.bytes(Array("//0".utf8)) + rest
        case .inBulk: SigningVault.bulk([byKey, byKey])
        }
    }
}
