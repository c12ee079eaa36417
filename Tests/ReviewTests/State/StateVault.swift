import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import StateProof
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Review

/// A vault that knows a listed chain without metadata: transactions come with a metadata proof, and the state
/// is read by the built-in layouts.
struct StateVault {
    static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    static let genesis = WellKnownChain.chains(named: "polkadot")[0].genesisHash
    static let runtime = listed("polkadot", 2_003_000)

    let network: FixtureRuntime
    var chain = SampleChain()
    var items: [StateItem] = [.account(Self.alice), .account(Self.bob)]
    var call = Self.transfer(60)
    var nonce: UInt64 = 866
    var tip: UInt128 = 0
    /// As the signed bytes have them; nil for those of the chain.
    var era: Era?
    var blockHash: Hash32?
    var assets: AssetUnits?
    var policy: String?

    init(free: UInt128 = 1_000, nonce: UInt32 = 866, network: FixtureRuntime = StateVault.runtime) {
        self.network = network
        chain.genesis = network.genesisHash
        chain.runtime = RuntimeVersion(specName: network.specName, specVersion: network.specVersion)
        chain.setRuntime(chain.runtime)
        chain[.account(Self.alice)] = SampleChain.account(nonce: nonce, free: free)
        chain[.account(Self.bob)] = SampleChain.account(free: 10)
    }

    /// The fixture with the calls that have facts of their own.
    static func listed(_ name: String, _ version: UInt32) -> FixtureRuntime {
        var runtime = FixtureRuntime(specName: name, specVersion: version)
        runtime.specs.genesisHash = WellKnownChain.chains(named: name)[0].genesisHash
        for place in runtime.pallets.indices where runtime.pallets[place].name == "Proxy" {
            runtime.pallets[place].calls.append(
                FixtureVariant(
                    "add_proxy", index: 1,
                    fields: [
                        FixtureField(
                            "delegate", StandardTypes.multiAddress, typeName: "AccountIdLookupOf<T>"),
                        FixtureField("proxy_type", StandardTypes.proxyType, typeName: "T::ProxyType"),
                        FixtureField("delay", .u32, typeName: "BlockNumberFor<T>"),
                    ]))
        }
        runtime.pallets += [
            FixturePallet(
                "Staking", index: 7,
                calls: [
                    FixtureVariant(
                        "bond_extra", index: 1,
                        fields: [
                            FixtureField("max_additional", .compact(.u128), typeName: "BalanceOf<T>")
                        ])
                ]),
            FixturePallet(
                "Session", index: 9,
                calls: [
                    FixtureVariant(
                        "set_keys", index: 0,
                        fields: [
                            FixtureField("keys", .array(32, .u8), typeName: "T::Keys"),
                            FixtureField("proof", .bytes, typeName: "Vec<u8>"),
                        ])
                ]),
        ]
        return runtime
    }

    static func transfer(_ amount: UInt128, to account: AccountID32 = bob) -> [UInt8] {
        FixtureRuntime.standard.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(account.bytes), FixtureValue.compact(amount)])
    }

    static func data(policy: String? = nil) throws -> ChainData { try StateVault().data(policy: policy) }

    func data(policy: String? = nil) throws -> ChainData {
        var state = try SigningVault.data(policy: policy ?? self.policy, runtime: network).state
        state.metadata = []
        if let assets { state.assetLists[network.genesisHash] = assets.encoded }
        return ChainData(state: state) { _ in [] }
    }

    /// The transaction alone.
    func transaction() throws -> Payload {
        let metadata = try RuntimeMetadata(network.metadata(.v15))
        let info = ExtraInfo(metadata.runtimeVersion, network.specs)
        let values = FixtureExtensionValues(
            era: era ?? .mortal(chain.checkpoint.era), blockHash: blockHash ?? chain.header.hash,
            nonce: nonce,
            tip: tip, metadataHash: try MetadataDigest(of: metadata, extraInfo: info).hash)
        let parts = network.extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: call, extensions: parts.explicit + parts.implicit)
        return try Payload(
            [0x53, 0x01, 0x06] + Self.alice.bytes + proof.encoded
                + network.transactionBody(call: call, values) + network.genesisHash.bytes)
    }

    func payload() throws -> Payload {
        try Payload(chain.envelope(items, by: StateAuthority { _, _ in nil }).around(transaction()))
    }

    func reviewed() throws -> ReviewedTransaction {
        try TransactionReview(data()).review(payload())[0]
    }

    func state() throws -> StateReview { try #require(try reviewed().state) }
    func warnings() throws -> [StateReview.Warning] { try state().settled }

    func refused(_ error: StateProofError) {
        #expect(throws: error) { try reviewed() }
    }
}
