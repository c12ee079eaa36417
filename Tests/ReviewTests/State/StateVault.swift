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
@dynamicMemberLookup struct StateVault {
    static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    static let genesis = WellKnownChain.chains(named: "polkadot")[0].genesisHash
    static let runtime = StateTransaction.polkadot

    /// What the online machine sends.
    var sent: StateTransaction
    var assets: AssetUnits?
    var policy: String?

    init(free: UInt128 = 1_000, nonce: UInt32 = 866, network: FixtureRuntime = StateVault.runtime) {
        sent = StateTransaction(free: free, nonce: nonce, network: network)
    }

    init(_ sent: StateTransaction) { self.sent = sent }

    subscript<T>(dynamicMember path: WritableKeyPath<StateTransaction, T>) -> T {
        get { sent[keyPath: path] }
        set { sent[keyPath: path] = newValue }
    }

    var network: FixtureRuntime { sent.network }

    static func transfer(_ amount: UInt128, to account: AccountID32 = bob) -> [UInt8] {
        StateTransaction.transfer(amount, to: account)
    }

    static func data(policy: String? = nil) throws -> ChainData { try StateVault().data(policy: policy) }

    func data(policy: String? = nil) throws -> ChainData {
        var state = try SigningVault.data(policy: policy ?? self.policy, runtime: network).state
        state.metadata = []
        if let assets { state.assetLists[network.genesisHash] = assets.encoded }
        return ChainData(state: state) { _ in [] }
    }

    /// The transaction alone.
    func transaction() throws -> Payload { try sent.transaction() }

    func payload() throws -> Payload { try sent.payload() }

    func reviewed() throws -> ReviewedTransaction {
        try TransactionReview(data()).review(payload())[0]
    }

    func state() throws -> StateReview { try #require(try reviewed().state) }
    func warnings() throws -> [StateReview.Warning] { try state().settled }

    func refused(_ error: StateProofError) {
        #expect(throws: error) { try reviewed() }
    }
}
