import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import StateProof

/// Laws 28 to 35 and 46: a value is read by the row of its chain and version, or not at all.
@Suite struct LayoutLaws {
    private static let alice = SampleChain.alice
    private static let bob = SampleChain.bob
    private static let location: [UInt8] = [1, 1, 0, 0xb9, 0x1f]

    private static func asset(decimals: UInt8 = 6, frozen: UInt8 = 0, symbol: Int = 4, name: Int = 10)
        -> [UInt8]
    {
        SCALEWriter.encode { writer in
            writer.integer(UInt128(7))
            writer.byteVector([UInt8](repeating: 0x55, count: name))
            writer.byteVector([UInt8](repeating: 0x56, count: symbol))
            writer.u8(decimals)
            writer.u8(frozen)
        }
    }

    private static func assetAccount(_ status: UInt8, _ reason: [UInt8]) -> [UInt8] {
        SCALEWriter.encode { $0.integer(UInt128(5_000_000)) } + [status] + reason
    }

    private static func proxies(_ count: Int) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector((0..<count).map { UInt8($0) }) {
                $0.raw(bob.bytes)
                $0.u8($1)
                $0.integer(UInt32(600))
            }
            writer.integer(UInt128(1))
        }
    }

    private static func multisig(_ approvals: Int) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.integer(UInt32(28_000_000))
            writer.integer(UInt32(3))
            writer.integer(UInt128(9))
            writer.raw(alice.bytes)
            writer.vector((0..<approvals).map { $0 }) { writer, _ in writer.raw(bob.bytes) }
        }
    }

    private static func ledger(total: UInt64 = 9, active: UInt64 = 8, chunks: Int = 1, claimed: Int? = nil)
        -> [UInt8]
    {
        SCALEWriter.encode { writer in
            writer.raw(alice.bytes)
            writer.compact(total)
            writer.compact(active)
            writer.vector((0..<chunks).map { UInt64($0) }) {
                $0.compact(100)
                $0.compact($1)
            }
            if let claimed { writer.vector((0..<claimed).map { UInt32($0) }) { $0.integer($1) } }
        }
    }

    /// One judgement, a display name, and nothing else.
    private static func identity(
        judgement: UInt8 = 2, display: [UInt8] = [4, 0x62, 0x6f, 0x62], count: Int = 1, option: [UInt8] = [0]
    ) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector((0..<count).map { UInt32($0) }) {
                $0.integer($1)
                $0.u8(judgement)
                if judgement == 1 { $0.integer(UInt128(4)) }
            }
            writer.integer(UInt128(2))
            writer.raw(display)
            writer.raw([0, 0, 0, 0])
            writer.raw(option)
            writer.raw([0, 0, 0, 0])
        }
    }

    /// An item, a value of it and what it is read as.
    private static let samples: [(StateItem, [UInt8], StateValue)] = [
        (
            .account(alice), SampleChain.account(free: .max, reserved: 2, frozen: 3),
            .account(AccountState(nonce: 866, free: .max, reserved: 2, frozen: 3))
        ),
        (
            .assetMetadata(1984), asset(),
            .asset(
                AssetState(
                    name: [UInt8](repeating: 0x55, count: 10), symbol: [UInt8](repeating: 0x56, count: 4),
                    decimals: 6, isFrozen: false))
        ),
        (
            .foreignMetadata(location), asset(decimals: 38, frozen: 1, symbol: 64, name: 64),
            .asset(
                AssetState(
                    name: [UInt8](repeating: 0x55, count: 64), symbol: [UInt8](repeating: 0x56, count: 64),
                    decimals: 38, isFrozen: true))
        ),
        (
            .assetAccount(1984, alice), assetAccount(1, [0]),
            .assetAccount(AssetAccountState(balance: 5_000_000, status: .frozen))
        ),
        (
            .foreignAccount(location, alice),
            assetAccount(2, [4] + bob.bytes + [UInt8](repeating: 1, count: 16)),
            .assetAccount(AssetAccountState(balance: 5_000_000, status: .blocked))
        ),
        (
            .proxies(alice), proxies(2),
            .proxies(
                ProxyState(delegates: [
                    .init(account: bob, type: 0, delay: 600), .init(account: bob, type: 1, delay: 600),
                ]))
        ),
        (
            .multisig(alice, callHash: bob), multisig(1),
            .multisig(MultisigState(height: 28_000_000, index: 3, depositor: alice, approvals: [bob]))
        ),
        (.bonded(alice), bob.bytes, .bonded(bob)),
        (
            .ledger(alice), ledger(),
            .ledger(LedgerState(stash: alice, total: 9, active: 8, unlocking: [.init(value: 100, era: 0)]))
        ),
        (
            .identity(alice), identity(),
            .identity(
                IdentityState(
                    judgements: [.init(registrar: 0, kind: .reasonable)],
                    display: IdentityText(bytes: [0x62, 0x6f, 0x62])))
        ),
        (
            .superIdentity(alice), bob.bytes + [5, 0x74, 0x69, 0x6c, 0x6c],
            .superIdentity(parent: bob, name: IdentityText(bytes: [0x74, 0x69, 0x6c, 0x6c]))
        ),
    ]

    private static func reading(
        _ item: StateItem, _ value: [UInt8]?, _ authority: PrototypeAuthority = PrototypeAuthority()
    ) throws(StateProofError) -> StateFact.Reading {
        var chain = SampleChain()
        chain[item] = value
        return try chain.reading(item, by: authority)
    }

    @Test func `28 Each row reads its value, and refuses one byte less and one more`() throws {
        let runtime = SampleChain().runtime
        for (item, value, expected) in Self.samples {
            #expect(try Self.reading(item, value) == .present(expected), "\(item.kind)")
            #expect(try Self.reading(item, nil) == .absent, "\(item.kind)")
            for wrong in [value.dropLast() + [], value + [0]] {
                #expect(
                    throws: StateProofError.layout(item.kind, bytes: wrong.count, runtime), "\(item.kind)"
                ) {
                    try Self.reading(item, wrong)
                }
            }
        }
        #expect(Set(Self.samples.map(\.0.kind)).count == 11)
        // Session keys are opaque: of any length, and only compared.
        for keys in [[UInt8](repeating: 7, count: 32), []] {
            #expect(try Self.reading(.nextKeys(Self.alice), keys) == .present(.nextKeys(keys)))
        }
    }

    private static func refused(_ item: StateItem, _ value: [UInt8]) {
        #expect(
            throws: StateProofError.layout(item.kind, bytes: value.count, SampleChain().runtime),
            "\(Hex.encode(value))"
        ) {
            try reading(item, value)
        }
    }

    private static func taken(_ item: StateItem, _ value: [UInt8]) throws {
        guard case .present = try reading(item, value) else {
            Issue.record("\(item.kind) is absent")
            return
        }
    }

    @Test func `28 29 Each guard holds on both of its sides`() throws {
        let account = StateItem.account(Self.alice)
        try Self.taken(account, SampleChain.account(flags: 0))
        // In the layout of 2022 the frozen fees stand where the flags are.
        for flags: UInt128 in [1, 10_000_000_000, 1 << 127 + 1, 1 << 126, .max] {
            Self.refused(account, SampleChain.account(flags: flags))
        }
        let asset = StateItem.assetMetadata(1)
        try Self.taken(asset, Self.asset(decimals: 38, frozen: 1, symbol: 64, name: 64))
        try Self.taken(asset, Self.asset(decimals: 0, symbol: 0, name: 0))
        Self.refused(asset, Self.asset(decimals: 39))
        Self.refused(asset, Self.asset(frozen: 2))
        Self.refused(asset, Self.asset(symbol: 65))
        Self.refused(asset, Self.asset(name: 65))
        let held = StateItem.assetAccount(1, Self.alice)
        let amount = [UInt8](repeating: 1, count: 16)
        for reason in [[0], [1], [2] + amount, [3], [4] + Self.bob.bytes + amount] {
            try Self.taken(held, Self.assetAccount(2, reason))
        }
        Self.refused(held, Self.assetAccount(3, [0]))
        Self.refused(held, Self.assetAccount(0, [5]))
        try Self.taken(.proxies(Self.alice), Self.proxies(32))
        Self.refused(.proxies(Self.alice), Self.proxies(33))
        let pending = StateItem.multisig(Self.alice, callHash: Self.bob)
        try Self.taken(pending, Self.multisig(100))
        Self.refused(pending, Self.multisig(101))
        let ledger = StateItem.ledger(Self.alice)
        try Self.taken(ledger, Self.ledger(total: 9, active: 9, chunks: 64))
        Self.refused(ledger, Self.ledger(total: 9, active: 10))
        Self.refused(ledger, Self.ledger(chunks: 65))
        let identity = StateItem.identity(Self.alice)
        for judgement in UInt8(0)...6 { try Self.taken(identity, Self.identity(judgement: judgement)) }
        Self.refused(identity, Self.identity(judgement: 7))
        try Self.taken(identity, Self.identity(count: 32))
        Self.refused(identity, Self.identity(count: 33))
        for kind in UInt8(34)...37 {
            try Self.taken(identity, Self.identity(display: [kind] + Self.bob.bytes))
        }
        Self.refused(identity, Self.identity(display: [38] + Self.bob.bytes))
        try Self.taken(identity, Self.identity(display: [33] + Self.bob.bytes))
        try Self.taken(identity, Self.identity(option: [1] + [UInt8](repeating: 9, count: 20)))
        Self.refused(identity, Self.identity(option: [2]))
    }

    @Test func `28 A ledger has the list of eras where its chain has it, and nowhere else`() throws {
        let ledger = StateItem.ledger(Self.alice)
        var relay = PrototypeAuthority()
        relay.hasClaimedRewards = true
        let with = Self.ledger(claimed: 2)
        #expect(try Self.reading(ledger, with, relay) != .absent)
        let without = Self.ledger()
        #expect(throws: StateProofError.layout(.ledger, bytes: without.count, SampleChain().runtime)) {
            try Self.reading(ledger, without, relay)
        }
        Self.refused(ledger, with)
    }

    @Test func `28 A ledger's amounts are in the shortest form and have 128 bits`() throws {
        let widest = [UInt8](repeating: 0xff, count: 16)
        let tail: [UInt8] = [0]
        let ledger = StateItem.ledger(Self.alice)
        try Self.taken(ledger, Self.alice.bytes + [12 << 2 | 3] + widest + [4] + tail)
        Self.refused(ledger, Self.alice.bytes + [13 << 2 | 3] + widest + [1] + [4] + tail)
        Self.refused(ledger, Self.alice.bytes + [3, 1, 0, 0, 0] + [4] + tail)
        Self.refused(ledger, Self.alice.bytes + [7, 0, 0, 0, 0x40, 0] + [4] + tail)
    }

    @Test func `28 46 The time lies within the years 2020 to 2099`() throws {
        for time in [UInt64(1_577_836_800_000), 4_102_444_799_999] {
            let chain = SampleChain(time: time)
            #expect(
                try chain.envelope([]).verified(chain.checkpoint, by: PrototypeAuthority()).chain.time == time
            )
        }
        for time in [UInt64(0), 1_577_836_799_999, 4_102_444_800_000, .max] {
            #expect(throws: StateProofError.layout(.time, bytes: 8, SampleChain().runtime)) {
                try SampleChain(time: time).envelope([])
            }
        }
        var chain = SampleChain()
        chain[.time] = [0, 0]
        #expect(throws: StateProofError.layout(.time, bytes: 2, chain.runtime)) { try chain.envelope([]) }
    }

    @Test func `28 The runtime's name has at most 64 bytes of UTF-8`() throws {
        for (name, isRead) in [
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ] {
            var chain = SampleChain()
            chain.runtime = RuntimeVersion(specName: name, specVersion: 1)
            chain.setRuntime(chain.runtime)
            if isRead {
                #expect(
                    try chain.envelope([]).verified(chain.checkpoint, by: PrototypeAuthority()).chain.runtime
                        == chain.runtime)
            } else {
                #expect(throws: StateProofError.layout(.runtime, bytes: 68, chain.runtime)) {
                    try chain.envelope([])
                }
            }
        }
        var chain = SampleChain()
        chain[.runtime] = [4, 4, 0xff]
        #expect(throws: StateProofError.layout(.runtime, bytes: 3, chain.runtime)) { try chain.envelope([]) }
        chain[.runtime] = [4, 4, 0x61, 0]
        #expect(throws: StateProofError.layout(.runtime, bytes: 4, chain.runtime)) { try chain.envelope([]) }
    }

    // MARK: Whose layout

    private static var builtIn: StateAuthority { StateAuthority { _, _ in nil } }

    private static func layouts(_ name: String, _ version: UInt32) throws(StateProofError) -> StateLayouts {
        try builtIn.layouts(
            of: WellKnownChain.chains(named: name)[0].genesisHash,
            at: RuntimeVersion(specName: name, specVersion: version))
    }

    @Test func `29 32 A row holds from its first version, and beyond the last one only where it is stable`()
        throws
    {
        for chain in StateChain.all {
            let name = chain.name.text
            #expect(throws: StateProofError.network(chain.name)) { try Self.layouts(name, chain.first - 1) }
            for row in chain.rows {
                try Self.layouts(name, row.first).require(row.kind)
                try Self.layouts(name, chain.last).require(row.kind)
                let newer = RuntimeVersion(specName: name, specVersion: chain.last + 1)
                if row.kind.isStable {
                    try Self.layouts(name, newer.specVersion).require(row.kind)
                } else {
                    #expect(throws: StateProofError.noLayout(row.kind, newer)) {
                        try Self.layouts(name, newer.specVersion).require(row.kind)
                    }
                }
            }
            #expect(
                try Self.layouts(name, chain.last).source
                    == .builtIn(name: chain.name, first: chain.first, last: chain.last, newer: nil))
            #expect(
                try Self.layouts(name, chain.last + 1).source
                    == .builtIn(
                        name: chain.name, first: chain.first, last: chain.last, newer: chain.last + 1))
        }
        let stable: Set<StateItem.Kind> = [
            .runtime, .time, .account, .assetMetadata, .assetAccount, .proxies, .multisig, .bonded, .codeHash,
            .migration,
        ]
        #expect(Set(StateItem.Kind.allCases.filter(\.isStable)) == stable)
    }

    @Test func `29 Staking on the Asset Hub of Polkadot has a row from version 2,000,000`() throws {
        let before = RuntimeVersion(specName: "statemint", specVersion: 1_999_999)
        #expect(throws: StateProofError.noLayout(.bonded, before)) {
            try Self.layouts("statemint", 1_999_999).require(.bonded)
        }
        try Self.layouts("statemint", 2_000_000).require(.bonded)
    }

    @Test func `31 A chain that is neither listed nor known by metadata has no layout`() {
        #expect(throws: StateProofError.network("mychain")) {
            try Self.builtIn.layouts(
                of: .blake2b(of: [1]), at: RuntimeVersion(specName: "mychain", specVersion: 1))
        }
    }

    @Test func `34 Assets have rows on Asset Hubs alone, identities on the People chain alone`() throws {
        for chain in StateChain.all {
            let kinds = Set(chain.rows.map(\.kind))
            let isHub = ["statemint", "statemine", "westmint"].contains(chain.name.text)
            #expect(kinds.contains(.assetMetadata) == isHub && kinds.contains(.foreignAccount) == isHub)
            #expect(kinds.contains(.identity) == (chain.name == "people-polkadot"))
            #expect(chain.hasClaimedRewards == chain.isRelay)
        }
    }

    @Test func `34 A kind without a row is refused also where nothing stands`() {
        var authority = PrototypeAuthority()
        authority.kinds.remove(.proxies)
        #expect(throws: StateProofError.noLayout(.proxies, SampleChain().runtime)) {
            try Self.reading(.proxies(Self.alice), nil, authority)
        }
    }

    @Test func `35 A chain that migrates in steps shows that it does not`() throws {
        for (name, first) in [
            ("statemint", UInt32(2_002_001)), ("statemine", 1_009_003), ("people-polkadot", 2_002_002),
            ("westend", 1_018_005), ("westmint", 1_018_005),
        ] {
            #expect(try Self.layouts(name, first).migratesInSteps)
            #expect(try Self.layouts(name, first + 10_000).migratesInSteps)
        }
        #expect(try !Self.layouts("statemint", 2_002_000).migratesInSteps)
        #expect(try !Self.layouts("polkadot", 2_003_000).migratesInSteps)

        var steps = PrototypeAuthority()
        steps.migratesInSteps = true
        var chain = SampleChain()
        #expect(throws: StateProofError.migrationUnknown) { try chain.envelope([], by: steps) }
        let envelope = try chain.envelope([.migration], by: steps)
        #expect(try envelope.verified(chain.checkpoint, by: steps).chain.facts == [])
        chain[StateItem.migration] = [1]
        for authority in [steps, PrototypeAuthority()] {
            #expect(throws: StateProofError.migration(block: chain.number)) {
                try chain.envelope([.migration], by: authority)
            }
        }
    }
}
