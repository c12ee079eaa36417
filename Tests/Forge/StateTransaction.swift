import FixtureRuntime
import Hashing
import SCALE
import StateProof
import SubstratePrimitives
import UOS

/// A transaction of `//Alice` on a listed chain with its metadata proof, and the state of the block that it
/// names: what an online machine sends.
public struct StateTransaction {
    public static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    public static let polkadot = listed("polkadot", 2_003_000)

    public let network: FixtureRuntime
    public var chain = SampleChain()
    public var items: [StateItem] = [.account(Self.alice), .account(Self.bob)]
    /// What is proven of another parachain, and nodes that prove it.
    public var hop: (hop: StateHop, nodes: [[UInt8]])?
    public var call = Self.transfer(60)
    public var nonce: UInt64 = 866
    public var tip: UInt128 = 0
    /// As the signed bytes have them; nil for those of the chain.
    public var era: Era?
    public var blockHash: Hash32?

    /// - Parameters:
    ///   - free: the free balance of Alice.
    ///   - nonce: how often she signed.
    ///   - network: the chain; see ``listed(_:_:)``.
    public init(free: UInt128 = 1_000, nonce: UInt32 = 866, network: FixtureRuntime = Self.polkadot) {
        self.network = network
        chain.genesis = network.genesisHash
        chain.runtime = RuntimeVersion(specName: network.specName, specVersion: network.specVersion)
        chain.setRuntime(chain.runtime)
        chain[.account(Self.alice)] = SampleChain.account(nonce: nonce, free: free)
        chain[.account(Self.bob)] = SampleChain.account(free: 10)
    }

    /// The fixture network under a listed chain's name and genesis hash, with the calls that have facts of
    /// their own.
    public static func listed(_ name: String, _ version: UInt32) -> FixtureRuntime {
        var runtime = FixtureRuntime(specName: name, specVersion: version)
        runtime.specs.genesisHash = WellKnownChain.chains(named: name)[0].genesisHash
        runtime.addStateCalls()
        return runtime
    }

    public static func transfer(_ amount: UInt128, to account: AccountID32 = bob) -> [UInt8] {
        FixtureRuntime.standard.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(account.bytes), FixtureValue.compact(amount)])
    }

    /// The transaction alone.
    public func transaction() throws -> Payload {
        try Payload(
            network.provedPayload(
                signer: Self.alice.bytes, call: call,
                FixtureExtensionValues(
                    era: era ?? .mortal(chain.checkpoint.era), blockHash: blockHash ?? chain.header.hash,
                    nonce: nonce, tip: tip)))
    }

    /// The proof beside the transaction, with its nodes in order.
    public func proof() throws -> StateEnvelope {
        try chain.envelope(
            items, hop: hop?.hop, by: StateAuthority { _, _ in nil }, with: hop?.nodes ?? [])
    }

    /// The transaction behind its proof.
    public func payload() throws -> Payload { try Payload(proof().around(transaction())) }

    /// Proves items of another chain beside the transaction, which is for its relay chain.
    /// - Parameters:
    ///   - people: that chain; its state has no migration under way.
    ///   - number: under which the relay chain has its head.
    ///   - items: of that chain.
    public mutating func addHop(
        to people: SampleChain, number: UInt32 = 1_004, _ items: [StateItem]
    ) {
        let para = SCALEWriter.encode { $0.integer(number) }
        let key =
            Twox.hash128(Array("Paras".utf8)) + Twox.hash128(Array("Heads".utf8)) + Twox.hash64(para) + para
        chain.values[key] = SCALEWriter.encode { $0.byteVector(people.header.encoded) }
        hop = (
            StateHop(para: number, items: items + [.migration]), Array(people.trie.nodes.values)
        )
    }

    /// The People chain of Polkadot with what the caller adds to its state.
    public static var people: SampleChain {
        var chain = SampleChain()
        chain.runtime = RuntimeVersion(specName: "people-polkadot", specVersion: 2_002_002)
        chain.setRuntime(chain.runtime)
        chain.number = 4_000_000
        return chain
    }
}

// MARK: Values

extension SampleChain {
    /// `Assets.Metadata`, also of the foreign assets.
    public static func asset(_ symbol: String, name: String = "A token", decimals: UInt8 = 6) -> [UInt8] {
        SCALEWriter.encode {
            $0.integer(UInt128(0))
            $0.string(name)
            $0.string(symbol)
            $0.u8(decimals)
            $0.bool(false)
        }
    }

    /// `Assets.Account`: 0 liquid, 1 frozen, 2 blocked.
    public static func held(_ balance: UInt128, status: UInt8 = 0) -> [UInt8] {
        SCALEWriter.encode {
            $0.integer(balance)
            $0.u8(status)
            $0.u8(0)
        }
    }

    /// `Proxy.Proxies`, without delays and deposit.
    public static func proxies(_ delegates: [(AccountID32, UInt8)]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector(delegates) {
                $0.raw($1.0.bytes)
                $0.u8($1.1)
                $0.integer(UInt32(0))
            }
            writer.integer(UInt128(0))
        }
    }

    /// `Multisig.Multisigs`, whose deposit is Bob's.
    public static func pending(_ height: UInt32, _ index: UInt32, _ approvals: [AccountID32]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.integer(height)
            writer.integer(index)
            writer.integer(UInt128(0))
            writer.raw(bob.bytes)
            writer.vector(approvals) { $0.raw($1.bytes) }
        }
    }

    /// `Identity.IdentityOf` with a display name and a judgement of registrar 1.
    public static func identity(_ display: [UInt8]) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector([UInt32(1)]) {
                $0.integer($1)
                $0.u8(2)
            }
            writer.integer(UInt128(0))
            writer.raw([UInt8(display.count + 1)] + display)
            writer.raw([UInt8](repeating: 0, count: 9))
        }
    }
}
