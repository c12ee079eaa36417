import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import StateProof
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Review

/// Laws 22 to 27 and 37 to 39 of the state proofs: what a transaction names, and what the facts say to it.
@Suite struct StateReviewLaws {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)

    @Test func `27 With and without a proof the cards, the bytes and the policy's decision are the same`()
        throws
    {
        let vault = StateVault()
        let data = try StateVault.data(policy: StandingApprovalLaws.policy)
        let alone = try TransactionReview(data).review(vault.transaction())
        let beside = try TransactionReview(data).review(vault.payload())
        #expect(alone[0].cards == beside[0].cards && alone[0].signingBytes == beside[0].signingBytes)
        #expect(alone[0].payload == beside[0].payload && alone[0].refusal == beside[0].refusal)
        var summary = ReviewSummary(beside[0])
        #expect(summary.provenBlock == .init(number: vault.chain.number, maximumAge: 255))
        summary.provenBlock = nil
        #expect(summary == ReviewSummary(alone[0]))
        #expect(try data.personNeeded(for: alone) == data.personNeeded(for: beside))
        // Whoever read one of them has not read the other.
        #expect(alone[0].state == nil && !alone[0].shows(the: beside[0]))
        #expect(beside[0].state?.ground == .chain)
    }

    @Test func `22 The block is the one that the signed bytes name at their end`() throws {
        var vault = StateVault()
        let other = Hash32.blake2b(of: [1])
        vault.blockHash = other
        vault.refused(.headerHash(found: vault.chain.header.hash, named: other))
    }

    @Test func `23 Bytes behind the block hash that no runtime has there are refused`() throws {
        // The types name the block hash truly, and the chain would read another 32 bytes.
        let bytes = [UInt8](repeating: 9, count: 32)
        for (tail, isRefused) in [
            ([], false), ([0], false), ([1] + bytes, false), ([1], true), (bytes, true), ([0, 0], true),
            ([0] + bytes, true),
        ] as [([UInt8], Bool)] {
            var runtime = StateVault.runtime
            runtime.extensions.removeAll { $0.role == .metadataHash }
            if !tail.isEmpty {
                runtime.extensions.append(
                    FixtureExtension(
                        "CheckTail", .fixed(explicit: [], implicit: tail), explicit: .unit,
                        implicit: .array(UInt32(tail.count), .u8)))
            }
            let chain = SampleChain()
            let values = FixtureExtensionValues(
                era: .mortal(chain.checkpoint.era), blockHash: chain.header.hash)
            let body = runtime.transactionBody(call: StateVault.transfer(60), values)
            let decoded = try Extrinsics.decode(
                body: body, metadata: RuntimeMetadata(runtime.metadata(.v15)), specs: runtime.specs)
            if isRefused {
                #expect(throws: StateProofError.noCheckpoint, "\(tail.count)") {
                    try StateCheckpoint(signedBy: decoded, network: runtime.specs)
                }
            } else {
                #expect(try StateCheckpoint(signedBy: decoded, network: runtime.specs) == chain.checkpoint)
            }
        }
    }

    @Test func `24 An immortal transaction names no block whose state can be proven`() {
        var vault = StateVault()
        (vault.era, vault.blockHash) = (.immortal, StateVault.genesis)
        vault.refused(.immortal)
        vault = StateVault()
        let number = vault.chain.number
        vault.era = .mortal(MortalEra(period: 256, phase: (number + 1) % 256)!)
        vault.refused(.phase(block: number))
    }

    @Test func `26 The state is of the runtime and the network that are signed`() {
        var vault = StateVault()
        let found = RuntimeVersion(specName: "polkadot", specVersion: 2_002_999)
        vault.chain.setRuntime(found)
        // The online machine's own check finds it first.
        #expect(
            throws: StateProofError.runtime(
                signed: RuntimeVersion(specName: "polkadot", specVersion: 2_003_000), found: found)
        ) { try vault.payload() }
    }

    @Test func `37 A fact about what the transaction does not name is refused`() throws {
        let charlie = AccountID32.blake2b(of: [3])
        let foreign: [(StateItem, StateProofError.Subject)] = [
            (.account(charlie), .account(charlie, prefix: 42)),
            (.proxies(charlie), .account(charlie, prefix: 42)),
            (.bonded(charlie), .account(charlie, prefix: 42)),
            (.ledger(charlie), .account(charlie, prefix: 42)),
            (.nextKeys(charlie), .account(charlie, prefix: 42)),
            (.multisig(charlie, callHash: charlie), .account(charlie, prefix: 42)),
            (.multisig(Self.bob, callHash: charlie), .callHash(charlie)),
        ]
        for (item, subject) in foreign {
            var vault = StateVault()
            vault.items = [.account(Self.alice), item]
            vault.refused(.foreign(subject))
        }
        for account in [Self.alice, Self.bob] {
            var vault = StateVault()
            vault.items = [
                .account(account), .proxies(account), .bonded(account), .ledger(account), .nextKeys(account),
            ]
            #expect(try vault.state().facts.count == 5)
        }
        // The controller of a proven bond is named by the proof itself, and only by it.
        var vault = StateVault()
        vault.chain[.bonded(Self.alice)] = charlie.bytes
        vault.items = [.bonded(Self.alice), .account(charlie)]
        #expect(try vault.state().facts.map(\.role) == [.controller, .signer])
        vault.items = [.account(charlie)]
        vault.refused(.foreign(.account(charlie, prefix: 42)))
    }

    @Test func `38 A nonce that is used, next or too far`() throws {
        for (nonce, warnings) in [
            (UInt64(866), []), (865, [.nonceUsed(865)]), (867, [.nonceGap(1)]), (869, [.nonceGap(3)]),
        ] as [(UInt64, [StateReview.Warning])] {
            var vault = StateVault()
            vault.nonce = nonce
            #expect(try vault.warnings() == warnings, "\(nonce)")
        }
    }

    @Test func `46 The largest nonce of the chain is compared as a number`() throws {
        for (nonce, warnings) in [
            (UInt64(UInt32.max), []), (UInt64(UInt32.max) - 1, [.nonceUsed(UInt128(UInt32.max) - 1)]),
            (0, [.nonceUsed(0)]),
        ] as [(UInt64, [StateReview.Warning])] {
            var vault = StateVault(nonce: .max)
            vault.nonce = nonce
            #expect(try vault.warnings() == warnings)
        }
    }

    @Test func `38 A runtime that is newer than the table is warned of, once`() throws {
        for (version, warnings) in [
            (UInt32(2_003_000), []),
            (2_003_001, [.layoutNewer(name: "polkadot", last: 2_003_000, version: 2_003_001)]),
        ] as [(UInt32, [StateReview.Warning])] {
            let vault = StateVault(network: StateTransaction.listed("polkadot", version))
            #expect(try vault.warnings() == warnings)
        }
        // A row that is not stable is not read there.
        var staking = StateVault(network: StateTransaction.listed("polkadot", 2_003_001))
        staking.call = staking.network.call("Staking", "bond_extra", [FixtureValue.compact(5)])
        staking.items = [.ledger(Self.alice)]
        let runtime = staking.chain.runtime
        #expect(throws: StateProofError.noLayout(.ledger, runtime)) { try staking.payload() }
    }

    @Test func `37 What is named inside a batch, a proxy and a multisig is named`() throws {
        let charlie = StateSamples.charlie
        var vault = StateVault()
        let inner = vault.network.call(
            "Proxy", "proxy",
            [FixtureValue.address(charlie.bytes), FixtureValue.none, StateVault.transfer(60)])
        let multisig = vault.network.call(
            "Multisig", "as_multi",
            [
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([Self.bob.bytes, charlie.bytes]),
                FixtureValue.none, inner, OpaqueCalls.weight,
            ])
        vault.call = vault.network.call("Utility", "batch_all", [FixtureValue.vector([multisig])])
        let hash = Hash32.blake2b(of: inner)
        vault.items = [
            .account(Self.bob), .account(charlie), .proxies(charlie), .account(StateSamples.multisig),
            .multisig(StateSamples.multisig, callHash: hash),
        ]
        #expect(
            try vault.state().facts.map(\.role) == [.multisig, .destination, .real, .real, .multisig])
        vault.items = [.multisig(Self.bob, callHash: hash)]
        vault.refused(.foreign(.callHash(hash)))
    }

    @Test func `38 46 Amounts and tip against the free balance, at its ends`() throws {
        for (free, warnings, remaining) in [
            (65, [], 0), (66, [], 1), (64, [.notCovered], nil), (0, [.notCovered], nil),
            (.max, [], UInt128.max - 65),
        ] as [(UInt128, [StateReview.Warning], UInt128?)] {
            var vault = StateVault(free: free)
            vault.tip = 5
            #expect(try vault.warnings() == warnings && vault.state().remaining == remaining, "\(free)")
        }
        var vault = StateVault()
        (vault.call, vault.tip) = (StateVault.transfer(.max), .max)
        #expect(try vault.warnings() == [.notCovered])
        // A sum that no number holds, of the largest balance.
        vault.chain[.account(Self.alice)] = SampleChain.account(free: .max)
        #expect(try vault.warnings() == [.notCovered] && vault.state().remaining == nil)
    }

    @Test func `38 A destination that does not exist`() throws {
        var vault = StateVault()
        vault.chain[.account(Self.bob)] = nil
        #expect(try vault.warnings() == [.newAccount(Self.bob)])
        // Who receives twice is told once.
        let pay = StateVault.transfer(60)
        vault.call = vault.network.call("Utility", "batch_all", [FixtureValue.vector([pay, pay])])
        #expect(try vault.warnings() == [.newAccount(Self.bob)])
        #expect(try StateVault().warnings() == [])
        vault.items = [.account(Self.alice)]
        #expect(try vault.warnings() == [])
    }

    @Test func `38 An era of 1,024 blocks is not long, one of 2,048 is`() throws {
        var vault = StateVault()
        vault.chain.period = 1_024
        #expect(try vault.warnings() == [])
        vault.chain.period = 2_048
        #expect(try vault.warnings() == [.longEra(2_047)])
    }

    @Test func `38 A clock more than a day away from the block`() throws {
        let state = try StateVault().state()
        let block = state.proven.chain.time / 1_000
        #expect(state.warnings(time: block) == [])
        #expect(state.warnings(time: block + 86_400) == [] && state.warnings(time: block - 86_400) == [])
        #expect(state.warnings(time: block + 86_401) == [.clock(days: 1, isBefore: true)])
        #expect(state.warnings(time: block - 86_401) == [.clock(days: 1, isBefore: false)])
        #expect(state.warnings(time: 0).count == 1 && state.warnings(time: .max).count == 1)
    }

    @Test func `39 What was to be proven and is not is named`() throws {
        var vault = StateVault()
        #expect(try vault.state().missing == [.signerProxies])
        vault.items = []
        #expect(try vault.state().missing == [.signer, .destinations, .signerProxies])
        vault.items = [.account(Self.bob), .proxies(Self.alice)]
        #expect(try vault.state().missing == [.signer])
    }

    @Test func `45 A warning of the facts needs a person, whatever a rule says`() throws {
        var vault = StateVault()
        vault.nonce = 867
        let reviewed = try vault.reviewed()
        let state = try #require(reviewed.state)
        #expect(
            state.words(state.settled[0])
                == "1 other transaction of this account comes first, and may change these numbers")
        let policy = """
            {"approve": [{"networks": ["polkadot"], "calls": ["Balances.transfer_keep_alive"], "mortality": "any", \
            "destinations": ["0x\(Self.bob.hex)"], "maximum_amount": "100", "maximum_tip": "5"}]}
            """
        let needed = try StateVault.data(policy: policy).personNeeded(for: [reviewed])
        #expect(needed?.cause == .warning(state.words(state.settled[0])))
    }

    @Test func `44 Claims that are older than the proven block say so`() throws {
        let reviewed = try StateVault().reviewed()
        let chain = try #require(reviewed.state).proven.chain
        let (block, time) = (UInt64(chain.header.number), chain.time / 1_000)
        func warnings(_ change: (inout ClaimedFacts) -> Void) -> [ClaimReview.Warning]? {
            var claims = ClaimedFacts()
            change(&claims)
            return ClaimReview(claims, beside: reviewed, time: time)?.warnings
        }
        #expect(
            warnings { $0.block = block } == [] && warnings { $0.block = block - 1 } == [.differsFromState])
        #expect(warnings { $0.time = time } == [] && warnings { $0.time = time - 1 } == [.differsFromState])
        #expect(warnings { _ in } == [])
    }
}
