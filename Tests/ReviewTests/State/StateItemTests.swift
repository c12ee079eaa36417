import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import SCALE
import StateProof
import SubstratePrimitives
import Testing
import UOS

@testable import Review

/// Laws 36 to 39 and 45 of the state proofs, for the calls that have facts of their own.
@Suite struct StateItemLaws {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    private static let charlie = AccountID32(
        hex: "90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22")!

    // MARK: Assets

    /// 60 of asset 1984 to Bob on the Asset Hub.
    private static func assetVault() -> StateVault {
        var vault = StateVault(network: StateTransaction.listed("statemint", 2_000_003))
        vault.call = vault.network.call(
            "Assets", "transfer",
            [FixtureValue.compact(1_984), FixtureValue.address(bob.bytes), FixtureValue.compact(60)])
        vault.assets = AssetUnits(
            genesisHash: vault.network.genesisHash, serial: 1,
            entries: [.init(pallet: "Assets", id: "1984", symbol: "USDt", decimals: 6)])
        vault.chain[.assetMetadata(1_984)] = SampleChain.asset("USDt", decimals: 6)
        vault.chain[.assetAccount(1_984, alice)] = SampleChain.held(60)
        vault.items = [
            .account(alice), .assetMetadata(1_984), .assetAccount(1_984, alice), .assetAccount(1_984, bob),
        ]
        return vault
    }

    @Test func `38 What the account holds of an asset against what it sends`() throws {
        for (value, warnings) in [
            (SampleChain.held(60), []), (SampleChain.held(61), []), (SampleChain.held(59), [.assetShort]),
            (nil, [.assetShort]),
            (SampleChain.held(60, status: 1), [.assetFrozen]),
            (SampleChain.held(60, status: 2), [.assetFrozen]),
            (SampleChain.held(59, status: 1), [.assetShort, .assetFrozen]),
        ] as [([UInt8]?, [StateReview.Warning])] {
            var vault = Self.assetVault()
            vault.chain[.assetAccount(1_984, Self.alice)] = value
            #expect(try vault.warnings() == warnings)
        }
        // What the receiver holds warns of nothing.
        var vault = Self.assetVault()
        vault.chain[.assetAccount(1_984, Self.bob)] = SampleChain.held(0, status: 2)
        #expect(try vault.warnings() == [])
        vault.items.removeAll { $0 == .assetAccount(1_984, Self.alice) }
        vault.chain[.assetAccount(1_984, Self.alice)] = nil
        #expect(try vault.warnings() == [])
    }

    @Test func `38 What others may spend later leaves no asset account now`() throws {
        var runtime = StateTransaction.listed("statemint", 2_000_003)
        let assets = runtime.pallets.firstIndex { $0.name == "Assets" }!
        var approve = runtime.pallets[assets].calls[0]
        (approve.name, approve.index) = ("approve_transfer", 22)
        runtime.pallets[assets].calls.append(approve)
        var vault = StateVault(network: runtime)
        vault.call = runtime.call(
            "Assets", "approve_transfer",
            [FixtureValue.compact(1_984), FixtureValue.address(Self.bob.bytes), FixtureValue.compact(60)])
        vault.chain[.assetAccount(1_984, Self.alice)] = SampleChain.held(59)
        vault.items = [.account(Self.alice), .assetAccount(1_984, Self.alice)]
        #expect(try vault.warnings() == [])
    }

    @Test func `38 What an asset calls itself against the asset list`() throws {
        var vault = Self.assetVault()
        for (symbol, decimals, warnings) in [
            ("USDt", 6, []), ("USDt", 18, [.assetDiffers(.assetMetadata(1_984), listed: 6, chain: 18)]),
            ("USDT", 6, [.assetNameDiffers(.assetMetadata(1_984), listed: "USDt")]),
            ("USDT", 0, [.assetDiffers(.assetMetadata(1_984), listed: 6, chain: 0)]),
        ] as [(String, UInt8, [StateReview.Warning])] {
            vault.chain[.assetMetadata(1_984)] = SampleChain.asset(symbol, decimals: decimals)
            #expect(try vault.warnings() == warnings)
        }
        vault.assets = nil
        #expect(try vault.warnings() == [])
    }

    @Test func `37 39 An asset is named by its id, its holders by the call`() throws {
        var vault = Self.assetVault()
        let state = try vault.state()
        #expect(state.facts.map(\.role) == [.signer, nil, .destination, .signer])
        #expect(state.missing == [.destinations, .signerProxies])
        vault.items = []
        #expect(
            try vault.state().missing == [.signer, .destinations, .assets, .assetAccounts, .signerProxies])
        // Both accounts of the asset are to be proven, the sender's and the receiver's.
        for account in [Self.alice, Self.bob] {
            vault.items = [.account(Self.alice), .account(Self.bob), .assetMetadata(1_984)]
            vault.items.append(.assetAccount(1_984, account))
            #expect(try vault.state().missing == [.assetAccounts, .signerProxies])
        }
        for (item, subject) in [
            (.assetMetadata(1_985), .asset(1_985)), (.assetAccount(1_985, Self.alice), .asset(1_985)),
            (.assetAccount(1_984, Self.charlie), .account(Self.charlie, prefix: 42)),
            (.foreignMetadata([1, 2]), .location([1, 2])),
        ] as [(StateItem, StateProofError.Subject)] {
            vault.items = [item]
            vault.refused(.foreign(subject))
        }
    }

    // MARK: Foreign assets

    /// 700 of an asset of parachain 2004 to Bob, of which Alice holds 699, frozen.
    @Test func `37 38 39 A foreign asset is named by its location, its holders by the call`() throws {
        let location = StateSamples.location
        var vault = StateVault(StateSamples.foreignAsset())
        var state = try vault.state()
        #expect(
            state.facts.map(\.item) == [
                .account(Self.alice), .foreignMetadata(location), .foreignAccount(location, Self.bob),
                .foreignAccount(location, Self.alice),
            ])
        #expect(state.facts.map(\.role) == [.signer, nil, .destination, .signer])
        #expect(state.missing == [.destinations, .signerProxies])
        #expect(state.settled == [.assetShort, .assetFrozen])
        // The asset list is asked by the location, under the name of the pallet or without one.
        for (pallet, decimals, warnings) in [
            ("ForeignAssets", 18, [.assetNameDiffers(.foreignMetadata(location), listed: "TOK")]),
            (nil, 17, [.assetDiffers(.foreignMetadata(location), listed: 17, chain: 18)]), ("Assets", 17, []),
        ] as [(String?, UInt8, [StateReview.Warning])] {
            vault.assets = AssetUnits(
                genesisHash: vault.network.genesisHash, serial: 1,
                entries: [
                    .init(
                        pallet: pallet, id: "0x" + Hex.encode(location), symbol: "TOK", decimals: decimals)
                ])
            #expect(try vault.warnings() == warnings + [.assetShort, .assetFrozen], "\(pallet ?? "-")")
        }
        #expect(
            state.words(.assetNameDiffers(.foreignMetadata(location), listed: "TOK"))
                == "the asset list calls the asset at 0x010100511f TOK, the chain does not")
        vault.chain[.foreignAccount(location, Self.alice)] = SampleChain.held(700)
        vault.assets = nil
        #expect(try vault.warnings() == [])
        vault.items = [.account(Self.alice)]
        state = try vault.state()
        #expect(state.missing == [.destinations, .assets, .assetAccounts, .signerProxies])
        for (item, subject) in [
            (.foreignMetadata(location + [0]), .location(location + [0])),
            (.foreignAccount([1, 0], Self.alice), .location([1, 0])),
            (.foreignAccount(location, Self.charlie), .account(Self.charlie, prefix: 0)),
            (.assetMetadata(1_984), .asset(1_984)),
        ] as [(StateItem, StateProofError.Subject)] {
            vault.items = [item]
            vault.refused(.foreign(subject))
        }
    }

    // MARK: Proxies

    @Test func `37 39 The account that a proxy acts for, and its proxies`() throws {
        var vault = StateVault()
        vault.call = vault.network.call(
            "Proxy", "proxy",
            [FixtureValue.address(Self.charlie.bytes), FixtureValue.none, StateVault.transfer(60)])
        vault.items = [.account(Self.alice)]
        #expect(try vault.state().missing == [.destinations, .real, .realProxies, .signerProxies])
        vault.items += [
            .account(Self.bob), .account(Self.charlie), .proxies(Self.charlie), .proxies(Self.alice),
        ]
        let state = try vault.state()
        #expect(state.facts.map(\.role) == [.destination, .real, .signer, .real, .signer])
        // The other account pays, so nothing is said of what is left of this one.
        #expect(state.missing == [] && state.settled == [] && state.remaining == nil)
    }

    @Test func `33 38 Proxies are warned of where everything moves or one more is added`() throws {
        let to = FixtureValue.address(Self.charlie.bytes)
        let everything = StateVault.runtime.call("Balances", "transfer_all", [to, FixtureValue.bool(false)])
        let another = StateVault.runtime.call(
            "Proxy", "add_proxy", [to, [1], FixtureValue.integer(UInt32(0))])
        for (call, delegates, words) in [
            (
                everything, [(Self.charlie, 0)],
                "1 account may act for yours: 5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y (type 0, Any)"
            ),
            (
                another, [(Self.charlie, 3)],
                "1 account may act for yours: 5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y (type 3)"
            ),
            (
                another, [(Self.charlie, 0), (Self.bob, 2)],
                "2 accounts may act for yours: 5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y (type 0, Any), 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty (type 2)"
            ),
            (everything, [], nil), (StateVault.transfer(60), [(Self.charlie, 0)], nil),
        ] as [([UInt8], [(AccountID32, UInt8)], String?)] {
            var vault = StateVault()
            vault.call = call
            vault.items = [.account(Self.alice), .proxies(Self.alice)]
            vault.chain[.proxies(Self.alice)] = SampleChain.proxies(delegates)
            let state = try vault.state()
            #expect(state.settled.map(\.code) == (words == nil ? [] : ["state_proxies"]))
            #expect(state.settled.map(state.words) == (words.map { [$0] } ?? []))
        }
    }

    // MARK: Multisig

    private static func multisigVault(_ timepoint: (UInt32, UInt32)?) -> StateVault {
        var vault = StateVault()
        let point = timepoint.map {
            FixtureValue.some(FixtureValue.integer($0.0) + FixtureValue.integer($0.1))
        }
        vault.call = vault.network.call(
            "Multisig", "as_multi",
            [
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([bob.bytes, charlie.bytes]),
                point ?? FixtureValue.none, StateVault.transfer(60), OpaqueCalls.weight,
            ])
        return vault
    }

    @Test func `36 38 A multisig call that is pending, or is not, against the one that the call needs`()
        throws
    {
        // Alice, Bob and Charlie, two of them: in the documentation of many wallets.
        let address = try SS58Address("5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7")
        let account = try #require(AccountID32(address.account))
        let item = StateItem.multisig(account, callHash: .blake2b(of: StateVault.transfer(60)))
        let (first, differs) = ([Self.bob], StateReview.Warning.multisigDiffers)
        for (timepoint, pending, warnings) in [
            ((5, 1), SampleChain.pending(5, 1, first), []), ((5, 1), nil, [.multisigMissing]), (nil, nil, []),
            (nil, SampleChain.pending(5, 1, first), [differs]),
            ((5, 2), SampleChain.pending(5, 1, first), [differs]),
            ((6, 1), SampleChain.pending(5, 1, first), [differs]),
            // Alice has approved already: again only where nothing but the call itself is missing.
            ((5, 1), SampleChain.pending(5, 1, [Self.alice]), [differs]),
            ((5, 1), SampleChain.pending(5, 1, [Self.alice, Self.bob]), []),
        ] as [((UInt32, UInt32)?, [UInt8]?, [StateReview.Warning])] {
            var vault = Self.multisigVault(timepoint)
            vault.items = [.account(Self.alice), .account(account), item]
            vault.chain[item] = pending
            let state = try vault.state()
            #expect(state.settled == warnings)
            #expect(state.facts.contains { $0.item == .account(account) && $0.role == .multisig })
            vault.items.removeLast()
            #expect(try vault.warnings() == [])
        }
    }

    /// `cancel_as_multi` and `approve_as_multi` name the call by its hash alone.
    @Test func `36 to 39 A call that is cancelled or approved by its hash against the pending one`() throws {
        let (differs, missing) = (StateReview.Warning.multisigDiffers, StateReview.Warning.multisigMissing)
        let hash = Hash32.blake2b(of: [1])
        let item = StateItem.multisig(StateSamples.multisig, callHash: hash)
        let others = [
            FixtureValue.integer(UInt16(2)), FixtureValue.vector([Self.bob.bytes, Self.charlie.bytes]),
        ]
        let point = FixtureValue.integer(UInt32(5)) + FixtureValue.integer(UInt32(1))
        var vault = StateVault()
        let cancel = vault.network.call("Multisig", "cancel_as_multi", others + [point, hash.bytes])
        let approve = vault.network.call(
            "Multisig", "approve_as_multi",
            others + [FixtureValue.some(point), hash.bytes, OpaqueCalls.weight])
        func pending(_ height: UInt32, _ index: UInt32, by depositor: AccountID32, _ approvals: [AccountID32])
            -> [UInt8]
        {
            var value = SampleChain.pending(height, index, approvals)
            value.replaceSubrange(24..<56, with: depositor.bytes)
            return value
        }
        for (call, value, warnings) in [
            (cancel, pending(5, 1, by: Self.alice, [Self.alice]), []),
            // Only who laid down the deposit can cancel.
            (cancel, pending(5, 1, by: Self.bob, [Self.bob]), [differs]),
            (cancel, pending(5, 2, by: Self.alice, [Self.alice]), [differs]),
            (cancel, pending(4, 1, by: Self.alice, [Self.alice]), [differs]), (cancel, nil, [missing]),
            (approve, pending(5, 1, by: Self.bob, [Self.bob]), []),
            (approve, pending(6, 1, by: Self.bob, [Self.bob]), [differs]),
            // To approve twice is refused, also where enough others have.
            (approve, pending(5, 1, by: Self.alice, [Self.alice]), [differs]),
            (approve, pending(5, 1, by: Self.alice, [Self.alice, Self.bob]), [differs]),
            (approve, nil, [missing]),
        ] as [([UInt8], [UInt8]?, [StateReview.Warning])] {
            vault.call = call
            vault.items = [.account(Self.alice), .account(StateSamples.multisig), item]
            vault.chain[item] = value
            let state = try vault.state()
            #expect(state.settled == warnings && state.missing == [.signerProxies])
            #expect(state.facts.map(\.role) == [.multisig, .signer, .multisig])
        }
        vault.items = [.account(Self.alice)]
        #expect(try vault.state().missing == [.signerProxies, .multisig, .multisigCall])
        // Another call waits in the same multisig: true, and not what the transaction is about.
        let other = Hash32.blake2b(of: [2])
        vault.items = [.multisig(StateSamples.multisig, callHash: other)]
        vault.refused(.foreign(.callHash(other)))
    }

    @Test func `39 The multisig account and its call are named where they are not proven`() throws {
        var vault = Self.multisigVault(nil)
        vault.items = [.account(Self.alice)]
        #expect(
            try vault.state().missing == [.destinations, .signerProxies, .multisig, .multisigCall])
    }

    // MARK: Staking and session keys

    @Test func `39 A bond and its ledger`() throws {
        var vault = StateVault()
        vault.call = vault.network.call("Staking", "bond_extra", [FixtureValue.compact(5)])
        vault.items = [.account(Self.alice)]
        #expect(try vault.state().missing == [.signerProxies, .staking])
        vault.items += [.bonded(Self.alice), .ledger(Self.alice)]
        #expect(try vault.state().facts.suffix(2).map(\.reading) == [.absent, .absent])
        vault.chain[.bonded(Self.alice)] = Self.alice.bytes
        vault.chain[.ledger(Self.alice)] =
            Self.alice.bytes + FixtureValue.compact(10) + FixtureValue.compact(7)
            + FixtureValue.vector([FixtureValue.compact(3) + FixtureValue.compact(9)])
            + FixtureValue.vector([])
        let state = try vault.state()
        #expect(state.missing == [.signerProxies] && state.settled == [])
        #expect(state.facts[1].reading == .present(.bonded(Self.alice)))
        guard case .present(.ledger(let ledger)) = state.facts[2].reading else {
            Issue.record("\(state.facts[2])")
            return
        }
        #expect(ledger.stash == Self.alice && ledger.total == 10 && ledger.active == 7)
        #expect(ledger.unlocking.map(\.value) == [3] && ledger.unlocking.map(\.era) == [9])
    }

    @Test func `28 A ledger lies under the account that its stash's bond leads to`() throws {
        func ledger(of stash: AccountID32) -> [UInt8] {
            stash.bytes + FixtureValue.compact(10) + FixtureValue.compact(7) + FixtureValue.vector([])
                + FixtureValue.vector([])
        }
        func vault(_ controller: AccountID32, _ stash: AccountID32, bond: AccountID32?, proven: Bool)
            -> StateVault
        {
            var vault = StateVault()
            vault.items = [.ledger(controller)] + (proven ? [.bonded(stash)] : [])
            vault.chain[.ledger(controller)] = ledger(of: stash)
            vault.chain[.bonded(stash)] = bond?.bytes
            return vault
        }
        let bytes = ledger(of: Self.alice).count
        for (controller, stash, bond, proven, isRead) in [
            (Self.alice, Self.alice, Self.alice, true, true), (Self.alice, Self.alice, nil, false, true),
            (Self.bob, Self.alice, Self.bob, true, true), (Self.bob, Self.alice, Self.bob, false, false),
            (Self.alice, Self.alice, nil, true, false), (Self.alice, Self.alice, Self.bob, true, false),
            (Self.bob, Self.alice, Self.alice, true, false),
        ] as [(AccountID32, AccountID32, AccountID32?, Bool, Bool)] {
            let vault = vault(controller, stash, bond: bond, proven: proven)
            if isRead {
                #expect(try vault.state().facts.count == (proven ? 2 : 1))
            } else {
                #expect(throws: StateProofError.layout(.ledger, bytes: bytes, vault.chain.runtime)) {
                    try vault.payload()
                }
            }
        }
    }

    // MARK: On another chain

    /// The Asset Hub of Polkadot, beside a transaction on the relay chain.
    private static func hub() -> SampleChain {
        var hub = SampleChain()
        hub.runtime = RuntimeVersion(specName: "statemint", specVersion: 2_000_003)
        hub.setRuntime(hub.runtime)
        hub.number = 9_000_000
        return hub
    }

    @Test func `37 An asset or a multisig call of this chain names none of another chain`() throws {
        // As if the relay chain had assets: number 1984 is another asset there.
        var vault = StateVault()
        vault.call = vault.network.call(
            "Assets", "transfer",
            [FixtureValue.compact(1_984), FixtureValue.address(Self.bob.bytes), FixtureValue.compact(60)])
        vault.items = [.account(Self.alice)]
        var hub = Self.hub()
        hub[.assetMetadata(1_984)] = SampleChain.asset("USDt", decimals: 6)
        hub[.assetAccount(1_984, Self.alice)] = SampleChain.held(9_999)
        for item in [StateItem.assetMetadata(1_984), .assetAccount(1_984, Self.alice)] {
            vault.sent.addHop(to: hub, number: 1_000, [item])
            vault.refused(.foreign(.asset(1_984)))
        }
        var foreign = StateSamples.foreignAsset()
        let location = StateSamples.location
        foreign.hop = nil
        vault.call = foreign.call
        hub[.foreignMetadata(location)] = SampleChain.asset("USDt")
        for item in [StateItem.foreignMetadata(location), .foreignAccount(location, Self.alice)] {
            vault.sent.addHop(to: hub, number: 1_000, [item])
            vault.refused(.foreign(.location(location)))
        }
        // The same bytes call something else there, so what is pending there is not this call.
        var multisig = StateVault(StateSamples.multisigCall())
        let pending = try #require(multisig.items.first { $0.kind == .multisig })
        guard case .multisig(_, let hash) = pending else { return }
        multisig.sent.addHop(to: hub, number: 1_000, [.account(StateSamples.multisig), pending])
        multisig.refused(.foreign(.callHash(hash)))
        multisig.sent.addHop(to: hub, number: 1_000, [.account(StateSamples.multisig)])
        #expect(try multisig.state().otherFacts.map(\.role) == [.multisig])
    }

    @Test func `39 Session keys are only compared with those of the call`() throws {
        let keys = [UInt8](repeating: 7, count: 32)
        var vault = StateVault()
        vault.call = vault.network.call("Session", "set_keys", [keys, FixtureValue.bytes([])])
        vault.items = [.account(Self.alice)]
        let state = try vault.state()
        #expect(state.missing == [.signerProxies, .nextKeys] && state.keysAgree == nil)
        vault.items += [.nextKeys(Self.alice)]
        for (value, agree) in [
            (keys, true), (keys + [7], false), (Array(keys.dropLast()) + [8], false), (nil, nil),
        ] as [([UInt8]?, Bool?)] {
            vault.chain[.nextKeys(Self.alice)] = value
            #expect(try vault.state().keysAgree == agree)
        }
    }
}
