import Forge
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import StateProof

/// Laws 3, 17, 24 to 26, 48 and 50: the whole check, from the signed block hash to the last node.
@Suite struct StateProofLaws {
    private static let transaction =
        Hex.decode("530102d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
        + [UInt8](repeating: 0, count: 3) + [UInt8](repeating: 7, count: 32)

    private static func sample() -> SampleChain {
        var chain = SampleChain()
        chain[.account(SampleChain.alice)] = SampleChain.account(free: 1_000)
        chain[.proxies(SampleChain.bob)] = [0] + [UInt8](repeating: 1, count: 16)
        return chain
    }

    @Test func `2 3 Every flipped bit before the transaction is refused, and every cut`() throws {
        let chain = Self.sample()
        let envelope = try chain.envelope([.account(SampleChain.alice), .proxies(SampleChain.alice)])
        let payload = try Payload(Self.transaction)
        let bytes = try envelope.around(payload)
        func isProof(_ bytes: [UInt8]) -> Bool {
            guard let payload = try? Payload(bytes), let state = payload.state else { return false }
            return (try? state.verified(chain.checkpoint, by: PrototypeAuthority())) != nil
        }
        #expect(isProof(bytes))
        let end = bytes.count - Self.transaction.count
        // The nodes that prove that one account has no proxies prove it of others, too. The review refuses
        // an item about an account that the transaction does not name.
        let accounts = (0..<end - 32).filter { bytes[$0...].starts(with: SampleChain.alice.bytes) }
        let absent = accounts[1]..<accounts[1] + 32
        // The scheme stands in the prelude and in the transaction; its own check is a law of the payloads.
        for place in 0..<end where !absent.contains(place) {
            for bit in UInt8(0)..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                #expect(!isProof(changed), "bit \(bit) of byte \(place)")
            }
        }
        for count in 0..<(end + 35) { #expect(!isProof(Array(bytes.prefix(count))), "\(count) bytes") }
        #expect(try Payload(bytes).bytes == Self.transaction)
        #expect(try Payload(bytes + [9]).bytes == Self.transaction + [9])
    }

    @Test func `3 A proof that one item more or less asks for is another proof`() throws {
        let chain = Self.sample()
        let (one, other) = (StateItem.account(SampleChain.alice), StateItem.proxies(SampleChain.bob))
        let both = try chain.envelope([one, other])
        let less = StateEnvelope(header: both.header, items: [one], nodes: both.nodes)
        let needed = try chain.envelope([one]).nodes.count
        #expect(throws: StateProofError.leftover(both.nodes.count - needed)) {
            try less.verified(chain.checkpoint, by: PrototypeAuthority())
        }
        let more = StateEnvelope(
            header: both.header, items: [one, other], nodes: try chain.envelope([one]).nodes)
        #expect(throws: StateProofError.nodeMissing) {
            try more.verified(chain.checkpoint, by: PrototypeAuthority())
        }
    }

    @Test func `4 The header is that of the signed block hash`() throws {
        let chain = Self.sample()
        let envelope = try chain.envelope([])
        let named = Hash32.blake2b(of: [1])
        let checkpoint = StateCheckpoint(
            genesisHash: chain.genesis, blockHash: named, era: chain.checkpoint.era, runtime: chain.runtime)
        #expect(throws: StateProofError.headerHash(found: chain.header.hash, named: named)) {
            try envelope.verified(checkpoint, by: PrototypeAuthority())
        }
    }

    @Test(arguments: (2...16).map { UInt32(1) << UInt32($0) })
    func `24 The block starts the era, at every period and every step of its phase`(period: UInt32) throws {
        let quantum = max(period >> 12, 1)
        for phase in Set([0, quantum, period / 2, period - quantum]) {
            var chain = Self.sample()
            chain.period = period
            chain.number = period * 3 + phase
            let envelope = try chain.envelope([])
            let checkpoint = chain.checkpoint
            #expect(
                try envelope.verified(checkpoint, by: PrototypeAuthority()).chain.header.number
                    == chain.number)
            #expect(checkpoint.maximumAge == period - 1)
            let other = StateCheckpoint(
                genesisHash: chain.genesis, blockHash: checkpoint.blockHash,
                era: MortalEra(period: period, phase: (phase + quantum) % period)!, runtime: chain.runtime)
            #expect(throws: StateProofError.phase(block: chain.number)) {
                try envelope.verified(other, by: PrototypeAuthority())
            }
        }
        // A block between two steps of the phase starts no era.
        guard quantum > 1 else { return }
        var chain = Self.sample()
        chain.number = period + 1
        let envelope = StateEnvelope(
            header: chain.header.encoded, items: [], nodes: try chain.envelope([]).nodes)
        let checkpoint = StateCheckpoint(
            genesisHash: chain.genesis, blockHash: chain.header.hash,
            era: MortalEra(period: period, phase: 0)!, runtime: chain.runtime)
        #expect(throws: StateProofError.phase(block: chain.number)) {
            try envelope.verified(checkpoint, by: PrototypeAuthority())
        }
    }

    /// The chain's own rule: birth = (max(current, phase) - phase) / period · period + phase, the hash of the
    /// birth is known for 4,097 blocks, and `current` is the block before the one that includes.
    @Test func `25 No block includes the transaction when the state is older than the maximum age`() {
        for exponent in UInt32(2)...16 {
            let period = UInt32(1) << exponent
            let quantum = max(period >> 12, 1)
            for phase in [0, quantum, period - quantum] {
                let block = 7 * period + phase
                func birth(_ current: UInt32) -> UInt32 {
                    (max(current, phase) - phase) / period * period + phase
                }
                var oldest: UInt32 = 0
                for including in (block + 1)...(block + 2 * period) {
                    let age = including - block
                    if birth(including) == block, age <= 4_097 { oldest = age }
                }
                let checkpoint = StateCheckpoint(
                    genesisHash: .blake2b(of: []), blockHash: .blake2b(of: []),
                    era: MortalEra(period: period, phase: phase)!,
                    runtime: RuntimeVersion(specName: "", specVersion: 0))
                #expect(oldest == min(period - 1, 4_097) && oldest <= checkpoint.maximumAge)
            }
        }
    }

    @Test func `26 The state is of the signed runtime, and names it and its time`() throws {
        for (name, version) in [("polkadot", UInt32(2_003_001)), ("kusama", 2_003_000)] {
            var chain = Self.sample()
            let found = chain.runtime
            chain.runtime = RuntimeVersion(specName: name, specVersion: version)
            #expect(throws: StateProofError.runtime(signed: chain.runtime, found: found)) {
                try chain.envelope([])
            }
        }
        for kind in [StateItem.Kind.runtime, .time] {
            var chain = Self.sample()
            chain[kind] = nil
            #expect(throws: StateProofError.missing(kind)) { try chain.envelope([]) }
        }
    }

    @Test func `The code of a runtime is proven by its hash, and its bytes are never sent`() throws {
        var chain = Self.sample()
        let code = [UInt8](repeating: 0x5a, count: 300)
        chain[StateItem.codeHash] = code
        let envelope = try chain.envelope([.codeHash])
        #expect(!envelope.nodes.contains(code))
        #expect(
            try envelope.verified(chain.checkpoint, by: PrototypeAuthority()).chain.facts
                == [StateFact(item: .codeHash, reading: .present(.codeHash(.blake2b(of: code))))])
        chain[StateItem.codeHash] = [1, 2, 3]
        #expect(throws: StateProofError.layout(.codeHash, bytes: 3, chain.runtime)) {
            try chain.envelope([.codeHash])
        }
        chain[StateItem.codeHash] = nil
        #expect(try chain.reading(.codeHash) == .absent)
    }

    // MARK: The other chain

    private struct Hop {
        var people = SampleChain()
        var relay = SampleChain()
        var own = SampleChain()
        var head: [UInt8]?
        var isRelay = false

        init() {
            people.runtime = RuntimeVersion(specName: "people-polkadot", specVersion: 2_002_002)
            people.setRuntime(people.runtime)
            people.number = 4_000_000
            people[.account(SampleChain.bob)] = SampleChain.account(free: 5)
            own.genesis = PrototypeAuthority.parachain
            own.runtime = RuntimeVersion(specName: "statemint", specVersion: 2_003_000)
            own.setRuntime(own.runtime)
            own.number = 9_000_192
        }

        /// The proof, and the chain that the transaction is for.
        mutating func envelope(
            _ para: UInt32 = 1_004, by authority: some LayoutAuthority = PrototypeAuthority()
        ) throws(StateProofError) -> StateEnvelope {
            let header = people.header.encoded
            let value = head ?? SCALEWriter.encode { $0.byteVector(header) }
            let key = StateEntry.parachainHeads.key([UInt32(1_004).littleEndianBytes])
            let hop = StateHop(para: para, items: [.account(SampleChain.bob)])
            if isRelay {
                own.genesis = PrototypeAuthority.relay
                own.values[key] = value
            } else {
                relay.values[key] = value
                if own.digest.isEmpty {
                    own.digest = [.consensus(engine: Array("RPSR".utf8), relay.trie.root.bytes + [4])]
                }
            }
            return try own.envelope(
                [.account(SampleChain.alice)], hop: hop, by: authority,
                with: Array(relay.trie.nodes.values) + Array(people.trie.nodes.values))
        }
    }

    @Test(arguments: [false, true]) func `48 The own header leads through the relay chain to another chain`(
        isRelay: Bool
    ) throws {
        var hop = Hop()
        hop.isRelay = isRelay
        let envelope = try hop.envelope()
        let proven = try envelope.verified(hop.own.checkpoint, by: PrototypeAuthority())
        let other = try #require(proven.hop)
        #expect(other.para == 1_004 && other.chain.header == hop.people.header)
        #expect(other.chain.runtime == hop.people.runtime)
        #expect(
            other.chain.facts == [
                StateFact(
                    item: .account(SampleChain.bob),
                    reading: .present(.account(AccountState(nonce: 866, free: 5, reserved: 0, frozen: 0))))
            ])
        #expect(proven.chain.facts == [StateFact(item: .account(SampleChain.alice), reading: .absent)])
        for place in envelope.nodes.indices {
            var nodes = envelope.nodes
            nodes.remove(at: place)
            let cut = StateEnvelope(
                header: envelope.header, items: envelope.items, hop: envelope.hop, nodes: nodes)
            #expect(throws: StateProofError.self) {
                try cut.verified(hop.own.checkpoint, by: PrototypeAuthority())
            }
        }
    }

    @Test func `48 A hop is refused where its chain, its head or its runtime is another`() throws {
        var hop = Hop()
        hop.own.digest = [.other([])]
        #expect(throws: StateProofError.hop(.noRelayState)) { try hop.envelope() }
        hop = Hop()
        #expect(throws: StateProofError.hop(.missing(1_006))) { try hop.envelope(1_006) }
        hop = Hop()
        hop.head = SCALEWriter.encode { $0.byteVector(Hop().people.header.encoded) } + [0]
        #expect(throws: StateProofError.hop(.head(1_004))) { try hop.envelope() }
        hop = Hop()
        hop.head = SCALEWriter.encode { $0.byteVector([1, 2, 3]) }
        #expect(throws: StateProofError.header(offset: 0)) { try hop.envelope() }
        hop = Hop()
        hop.head = SCALEWriter.encode { $0.byteVector([UInt8](repeating: 1, count: 4_097)) }
        #expect(throws: StateProofError.limit(.header, 4_097)) { try hop.envelope() }
        hop = Hop()
        hop.people.runtime = RuntimeVersion(specName: "statemint", specVersion: 2_002_002)
        hop.people.setRuntime(hop.people.runtime)
        #expect(
            throws: StateProofError.hop(
                .otherName(1_004, expected: "people-polkadot", found: "statemint"))
        ) { try hop.envelope() }
        // An older block of the own chain is not another chain.
        hop = Hop()
        hop.own.genesis = WellKnownChain.chains(named: "people-polkadot")[0].genesisHash
        #expect(throws: StateProofError.hop(.own(1_004))) { try hop.envelope() }
        hop = Hop()
        hop.people[.time] = nil
        #expect(throws: StateProofError.missing(.time)) { try hop.envelope() }
        // The built-in table knows the number of each chain below its own relay chain alone.
        let builtIn = StateAuthority { _, _ in nil }
        let (polkadot, kusama) = (
            WellKnownChain.chains(named: "polkadot")[0].genesisHash,
            WellKnownChain.chains(named: "kusama")[0].genesisHash
        )
        #expect(builtIn.parachain(1_004, beside: polkadot)?.name == "people-polkadot")
        #expect(builtIn.parachain(1_000, beside: polkadot)?.name == "statemint")
        #expect(builtIn.parachain(1_000, beside: kusama)?.name == "statemine")
        #expect(builtIn.parachain(1_004, beside: kusama) == nil)
        #expect(builtIn.parachain(1_004, beside: PrototypeAuthority.parachain)?.name == "people-polkadot")
        #expect(builtIn.parachain(1_004, beside: .blake2b(of: [])) == nil)
        #expect(builtIn.isRelay(polkadot) && !builtIn.isRelay(PrototypeAuthority.parachain))
    }

    // MARK: The online machine

    @Test func `50 Nodes in any order, doubled and too many, are put into the one order`() throws {
        let chain = Self.sample()
        let items: [StateItem] = [.proxies(SampleChain.bob), .account(SampleChain.alice)]
        let envelope = try chain.envelope(items)
        #expect(envelope.items == items.sorted())
        let noise: [[UInt8]] = [[0], [1, 2, 3]] + envelope.nodes
        let again = StateEnvelope(header: envelope.header, items: items, nodes: [])
        #expect(
            try again.ordered(
                chain.checkpoint, by: PrototypeAuthority(), from: noise + envelope.nodes.reversed())
                == envelope)
        for place in envelope.nodes.indices {
            var nodes = envelope.nodes
            nodes.remove(at: place)
            #expect(throws: StateProofError.nodeMissing) {
                try again.ordered(chain.checkpoint, by: PrototypeAuthority(), from: nodes)
            }
        }
    }

    @Test func `50 What is larger than a payload may be is not put into order`() throws {
        var chain = SampleChain()
        let items = (UInt8(0)..<25).map { StateItem.account(.blake2b(of: [$0])) }
        for item in items { chain[item] = SampleChain.account() }
        #expect(try chain.envelope(Array(items.prefix(24))).items.count == 24)
        #expect(throws: StateProofError.limit(.items, 25)) { try chain.envelope(items) }
    }
}
