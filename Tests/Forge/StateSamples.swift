import FixtureRuntime
import Hashing
import StateProof
import SubstratePrimitives
import UOS

/// A transaction for each kind of item that a state proof can have, with facts that a person can read: what
/// `fixtures/state/kinds` holds.
public enum StateSamples {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    public static let charlie = AccountID32(
        hex: "90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22")!
    /// Alice, Bob and Charlie, two of them: in the documentation of many wallets.
    public static let multisig = AccountID32(
        hex: "49daa32c7287890f38b7e1a8cd2961723d36d20baa0bf3b82e0c4bdda93b1c0a")!
    /// Parachain 2004 below the relay chain: parents 1, one junction.
    public static let location: [UInt8] = [1, 1, 0, 0x51, 0x1f]
    private static let dot: UInt128 = 10_000_000_000

    /// Name of the file, and what stands in it.
    public static var all: [(name: String, transaction: StateTransaction)] {
        [
            ("asset", asset()), ("foreign-asset", foreignAsset()), ("proxy", proxy()),
            ("add-proxy", addProxy()),
            ("multisig", multisigCall()), ("cancel-multisig", cancelMultisig()), ("staking", staking()),
            ("session-keys", sessionKeys()), ("identity", identity()), ("runtime-code", runtimeCode()),
        ]
    }

    /// A transaction on a chain of DOT.
    private static func sent(
        _ name: String, _ version: UInt32, _ pallet: String, _ call: String, _ arguments: [[UInt8]]
    ) -> StateTransaction {
        var network = StateTransaction.listed(name, version)
        (network.specs.base58Prefix, network.specs.decimals, network.specs.unit) = (0, 10, "DOT")
        var sent = StateTransaction(free: 250 * dot, network: network)
        sent.chain[.account(bob)] = SampleChain.account(free: dot)
        sent.call = network.call(pallet, call, arguments)
        sent.items = [.account(alice)]
        return sent
    }

    /// 12.5 USDt to Bob.
    public static func asset() -> StateTransaction {
        var sent = sent(
            "statemint", 2_000_003, "Assets", "transfer",
            [FixtureValue.compact(1_984), FixtureValue.address(bob.bytes), FixtureValue.compact(12_500_000)])
        sent.items += [
            .account(bob), .assetMetadata(1_984), .assetAccount(1_984, alice), .assetAccount(1_984, bob),
        ]
        sent.chain[.assetMetadata(1_984)] = SampleChain.asset("USDt", name: "Tether USD")
        sent.chain[.assetAccount(1_984, alice)] = SampleChain.held(40_000_000)
        return sent
    }

    /// An asset of another parachain, to Bob; its name is that of somebody whom a person may trust.
    public static func foreignAsset() -> StateTransaction {
        var sent = sent(
            "statemint", 2_000_003, "ForeignAssets", "transfer",
            [location, FixtureValue.address(bob.bytes), FixtureValue.compact(700)])
        sent.items += [
            .foreignMetadata(location), .foreignAccount(location, alice), .foreignAccount(location, bob),
        ]
        sent.chain[.foreignMetadata(location)] = SampleChain.asset(
            "Kraken\n  proven: \u{202e}", name: "Kraken", decimals: 18)
        sent.chain[.foreignAccount(location, alice)] = SampleChain.held(699, status: 1)
        sent.chain[.foreignAccount(location, bob)] = SampleChain.held(1, status: 2)
        return sent
    }

    /// For Charlie, whose proxy Alice is.
    public static func proxy() -> StateTransaction {
        var sent = sent(
            "polkadot", 2_003_000, "Proxy", "proxy",
            [FixtureValue.address(charlie.bytes), FixtureValue.none, StateTransaction.transfer(3 * dot)])
        sent.items += [.account(bob), .account(charlie), .proxies(charlie)]
        sent.chain[.account(charlie)] = SampleChain.account(nonce: 3, free: 90 * dot, reserved: 20 * dot)
        sent.chain[.proxies(charlie)] = SampleChain.proxies([(alice, 0), (bob, 5)])
        return sent
    }

    public static func addProxy() -> StateTransaction {
        var sent = sent(
            "polkadot", 2_003_000, "Proxy", "add_proxy",
            [FixtureValue.address(charlie.bytes), [1], FixtureValue.integer(UInt32(0))])
        sent.items += [.proxies(alice)]
        sent.chain[.proxies(alice)] = SampleChain.proxies([(bob, 0)])
        return sent
    }

    private static func others() -> [[UInt8]] {
        [FixtureValue.integer(UInt16(2)), FixtureValue.vector([bob.bytes, charlie.bytes])]
    }

    private static let point = FixtureValue.integer(UInt32(28_120_000)) + FixtureValue.integer(UInt32(2))
    private static let weight = FixtureValue.compact(1_000_000) + FixtureValue.compact(10_000)

    /// The second approval of what Bob began.
    public static func multisigCall() -> StateTransaction {
        let inner = StateTransaction.transfer(3 * dot)
        var sent = sent(
            "polkadot", 2_003_000, "Multisig", "as_multi",
            others() + [FixtureValue.some(point), inner, weight])
        let item = StateItem.multisig(multisig, callHash: .blake2b(of: inner))
        sent.items += [.account(bob), .account(multisig), item]
        sent.chain[.account(multisig)] = SampleChain.account(nonce: 0, free: 75 * dot)
        sent.chain[item] = SampleChain.pending(28_120_000, 2, [bob])
        return sent
    }

    /// Only who began a call can cancel it, and that is Bob.
    public static func cancelMultisig() -> StateTransaction {
        let hash = Hash32.blake2b(of: StateTransaction.transfer(3 * dot))
        var sent = sent(
            "polkadot", 2_003_000, "Multisig", "cancel_as_multi", others() + [point, hash.bytes])
        let item = StateItem.multisig(multisig, callHash: hash)
        sent.items += [.account(multisig), item]
        sent.chain[.account(multisig)] = SampleChain.account(nonce: 0, free: 75 * dot)
        sent.chain[item] = SampleChain.pending(28_120_000, 2, [bob])
        return sent
    }

    public static func staking() -> StateTransaction {
        var sent = sent("polkadot", 2_003_000, "Staking", "bond_extra", [FixtureValue.compact(5 * dot)])
        sent.items += [.bonded(alice), .ledger(alice)]
        sent.chain[.bonded(alice)] = alice.bytes
        sent.chain[.ledger(alice)] =
            alice.bytes + FixtureValue.compact(100 * dot) + FixtureValue.compact(70 * dot)
            + FixtureValue.vector([FixtureValue.compact(30 * dot) + FixtureValue.compact(1_900)])
            + FixtureValue.vector([])
        return sent
    }

    public static func sessionKeys() -> StateTransaction {
        let keys = [UInt8](repeating: 7, count: 32)
        var sent = sent("polkadot", 2_003_000, "Session", "set_keys", [keys, FixtureValue.bytes([])])
        sent.items += [.nextKeys(alice)]
        sent.chain[.nextKeys(alice)] = [UInt8](repeating: 8, count: 32)
        return sent
    }

    /// Bob's identity, which stands on the People chain: he is below Charlie's.
    public static func identity() -> StateTransaction {
        var sent = sent(
            "polkadot", 2_003_000, "Balances", "transfer_keep_alive",
            [FixtureValue.address(bob.bytes), FixtureValue.compact(12 * dot)])
        sent.items += [.account(bob)]
        var people = StateTransaction.people
        people[.superIdentity(bob)] = charlie.bytes + [6] + Array("Sales".utf8)
        people[.identity(charlie)] = SampleChain.identity(Array("Charlie & Co".utf8))
        sent.addHop(to: people, [.identity(bob), .superIdentity(bob), .identity(charlie)])
        return sent
    }

    /// The runtime's code, on a chain that could be migrating its storage.
    public static func runtimeCode() -> StateTransaction {
        var sent = sent(
            "statemint", 2_003_001, "Balances", "transfer_keep_alive",
            [FixtureValue.address(bob.bytes), FixtureValue.compact(12 * dot)])
        sent.items += [.account(bob), .codeHash, .migration]
        sent.chain[StateItem.codeHash] = [UInt8](repeating: 0x5a, count: 300)
        return sent
    }

    /// A payment to several accounts on a chain of about 1.7 million: below `System.Account` every branch of
    /// five levels is full, as are those of the pallets and of the entries of System.
    public static func crowded(_ destinations: Int) -> StateTransaction {
        let accounts = (0..<destinations).map { Hash32.blake2b(of: Array("account \($0)".utf8)) }
        var sent = sent(
            "polkadot", 2_003_000, "Utility", "batch_all",
            [FixtureValue.vector(accounts.map { StateTransaction.transfer(dot, to: $0) })])
        sent.chain.crowd = Set([0, 1, 32] + (64..<69))
        for account in accounts { sent.chain[.account(account)] = SampleChain.account(free: dot) }
        sent.items += accounts.map { .account($0) }
        return sent
    }

    /// Of the largest size that a payload may have, and with as much work as fits: (name, payload).
    public static func hostile() throws -> [(name: String, payload: [UInt8])] {
        let accounts = (UInt8(0)..<23).map { Hash32.blake2b(of: [$0]) }
        func sent(_ change: (inout StateTransaction) -> Void) throws -> [UInt8] {
            var sent = crowded(0)
            sent.call = StateTransaction.transfer(dot)
            sent.chain.crowd = []
            change(&sent)
            return try sent.proof().around(sent.transaction())
        }
        let crowd = crowded(1)
        let proof = try crowd.proof()
        /// A proof of other nodes than the walk needs.
        func filled(_ nodes: [[UInt8]]) throws -> [UInt8] {
            let other = StateEnvelope(header: proof.header, items: proof.items, nodes: nodes)
            return try other.around(crowd.transaction())
        }
        let partial = [UInt8(0x7f)] + [UInt8](repeating: 255, count: 16_000)
        let needed = proof.nodes
        var inline = TrieNode(partial: [], value: .inline([1]), children: [])
        for _ in 0..<5 {
            inline = TrieNode(
                partial: [], value: nil,
                children: [.inline(inline)] + [TrieNode.Child?](repeating: nil, count: 15))
        }
        let nest = TrieNode(
            partial: [], value: .inline([UInt8](repeating: 0, count: 15_000)),
            children: [TrieNode.Child?](repeating: .inline(inline), count: 16)
        ).encoded
        return [
            ("a branch at every nibble", try sent { $0.chain.crowd = Set(0..<20).union(64..<104) }),
            (
                "64 digests",
                try sent {
                    $0.chain.digest = [BlockHeader.DigestItem](
                        repeating: .other([UInt8](repeating: 7, count: 58)), count: 64)
                }
            ),
            (
                "24 items",
                try sent { transaction in
                    transaction.call = transaction.network.call(
                        "Utility", "batch_all",
                        [FixtureValue.vector(accounts.map { StateTransaction.transfer(dot, to: $0) })])
                    transaction.items += accounts.map { .account($0) }
                    transaction.chain.crowd = Set([0, 1, 32] + (64..<67))
                    for account in accounts { transaction.chain[.account(account)] = SampleChain.account() }
                }
            ),
            ("one long partial three times", try filled([partial, partial, partial])),
            (
                "256 tiny nodes",
                try filled(needed + [[UInt8]](repeating: [0x41, 0x0a, 0], count: 256 - needed.count))
            ),
            (
                "256 nodes of 173 bytes",
                try filled(
                    needed
                        + [[UInt8]](repeating: [UInt8](repeating: 1, count: 173), count: 256 - needed.count))
            ),
            ("nested inline nodes", try filled([nest, nest, nest])),
        ]
    }
}
