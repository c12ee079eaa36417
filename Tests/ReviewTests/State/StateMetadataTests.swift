import FixtureRuntime
import Forge
import Metadata
import StateProof
import SubstratePrimitives
import Testing
import UOS

@testable import Review

/// Laws 22 and 31 of the state proofs: metadata that lies in the vault against the table, and the block hash
/// at the end of the signed bytes.
@Suite struct StateMetadataLaws {
    private static let genesis = WellKnownChain.chains(named: "polkadot")[0].genesisHash

    private static func layouts(
        of chain: GenesisHash = genesis, _ runtime: FixtureRuntime, _ change: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> StateLayouts {
        let metadata = try RuntimeMetadata(change(runtime.metadata(.v15)))
        let authority = StateAuthority { genesis, version in
            genesis == chain && version == metadata.runtimeVersion ? metadata : nil
        }
        return try authority.layouts(of: chain, at: metadata.runtimeVersion)
    }

    /// With `System.Account` as the table has it, unless it is changed.
    private static func runtime(_ change: (inout FixtureStorage) -> Void = { _ in }) -> FixtureRuntime {
        var runtime = StateTransaction.polkadot
        runtime.addStorage()
        let system = runtime.pallets.firstIndex { $0.name == "System" }!
        let account = runtime.pallets[system].storage.firstIndex { $0.name == "Account" }!
        change(&runtime.pallets[system].storage[account])
        return runtime
    }

    private static func differs(
        _ kind: StateItem.Kind, _ runtime: FixtureRuntime, _ change: ([UInt8]) -> [UInt8] = { $0 }
    ) {
        let version = RuntimeVersion(specName: "polkadot", specVersion: 2_003_000)
        #expect(throws: StateProofError.layoutsDiffer(kind, version)) { try layouts(runtime, change) }
        let unlisted = GenesisHash.blake2b(of: [7])
        let readsAccount = (try? layouts(of: unlisted, runtime, change))?.reads(.account)
        #expect(readsAccount == (kind != .account))
    }

    @Test func `31 Metadata and table that disagree in name, hasher, key or shape stop the review`() throws {
        // The fixture has no proxies in its storage: the first row that it lacks.
        Self.differs(.proxies, Self.runtime())
        Self.differs(.account, Self.runtime { $0.name = "Accounts" })
        Self.differs(.account, Self.runtime { $0.key = .u32 })
        Self.differs(.account, Self.runtime { $0.key = nil })
        Self.differs(.account, Self.runtime { $0.value = .tuple([.u32, $0.value]) })
        Self.differs(
            .account,
            Self.runtime { entry in
                guard case .composite(let path, var fields) = entry.value else { return }
                fields[0].type = .u64
                entry.value = .composite(path: path, fields: fields)
            })
        Self.differs(
            .account,
            Self.runtime { entry in
                guard case .composite(let path, var fields) = entry.value else { return }
                fields[1].name = "misc"
                entry.value = .composite(path: path, fields: fields)
            })
        // The hasher is a byte behind the name: optional, a map, one hasher.
        let name = Array("Account".utf8) + [0, 1, 4]
        for hasher in UInt8(0)...6 where hasher != 2 {
            Self.differs(.account, Self.runtime()) { blob in
                let place = blob.indices.first { blob[$0...].starts(with: name + [2]) }!
                return blob[..<place] + name + [hasher] + blob[(place + name.count + 1)...]
            }
        }
        // A pallet whose values stand under another prefix: none of its entries is read.
        let version = RuntimeVersion(specName: "polkadot", specVersion: 2_003_000)
        #expect(throws: StateProofError.layoutsDiffer(.runtime, version)) {
            try Self.layouts(Self.runtime()) { blob in
                let prefix = Array("System".utf8) + [8, 7 * 4] + Array("Account".utf8)
                let place = blob.indices.first { blob[$0...].starts(with: prefix) }!
                return blob[..<place] + Array("Systen".utf8) + blob[(place + 6)...]
            }
        }
    }

    /// What lies in the vault is asked for by the version that is signed.
    @Test func `31 Metadata in the vault is used for exactly the signed version`() throws {
        let network = Self.runtime()
        let payload = try StateVault(network: network).payload()
        let data = try SigningVault.data(runtime: network)
        #expect(data.state.metadata.map(\.version) == [2_003_000])
        let version = RuntimeVersion(specName: "polkadot", specVersion: 2_003_000)
        #expect(throws: StateProofError.layoutsDiffer(.proxies, version)) {
            try TransactionReview(data).review(payload)
        }
        let without = try StateVault(network: network).data()
        let state = try #require(try TransactionReview(without).review(payload)[0].state)
        #expect(state.proven.chain.source != .metadata(2_003_000))
    }

    @Test func `31 A key of two parts is a pair of them`() throws {
        let value = FixtureType.composite(
            path: ["pallet_multisig", "Multisig"],
            fields: [
                FixtureField("when", StandardTypes.timepoint, typeName: nil),
                FixtureField("deposit", .u128, typeName: nil),
                FixtureField("depositor", StandardTypes.accountID, typeName: nil),
                FixtureField("approvals", .sequence(StandardTypes.accountID), typeName: nil),
            ])
        for (key, isRead) in [
            (.tuple([StandardTypes.accountID, .array(32, .u8)]), true), (StandardTypes.accountID, false),
            (.tuple([StandardTypes.accountID]), false), (.tuple([StandardTypes.accountID, .u32]), false),
        ] as [(FixtureType, Bool)] {
            var runtime = Self.runtime()
            let multisig = runtime.pallets.firstIndex { $0.name == "Multisig" }!
            runtime.pallets[multisig].storage = [FixtureStorage("Multisigs", key: key, value: value)]
            let layouts = try Self.layouts(of: .blake2b(of: [7]), runtime) { blob in
                // The fixture writes one hasher for every key; this entry has two.
                let name = Array("Multisigs".utf8) + [0, 1]
                let place = blob.indices.first { blob[$0...].starts(with: name + [4, 2]) }! + name.count
                return blob[..<place] + [8, 5, 2] + blob[(place + 2)...]
            }
            #expect(layouts.reads(.multisig) == isRead, "\(key)")
        }
    }

    @Test(arguments: StateSamples.all.map(\.name))
    func `22 The block is the one that stands before the metadata hash, at the end of what is signed`(
        name: String
    ) throws {
        let sample = try #require(StateSamples.all.first { $0.name == name }).transaction
        let vault = StateVault(sample)
        let bytes = try vault.reviewed().signingBytes
        let hash = sample.chain.header.hash
        #expect(Array(bytes.suffix(65).prefix(33)) == hash.bytes + [1])
        #expect(try vault.state().proven.checkpoint.blockHash == hash)
        #expect(try vault.state().proven.checkpoint.runtime == sample.chain.runtime)
        var other = vault
        let named = Hash32.blake2b(of: hash.bytes)
        other.blockHash = named
        other.refused(.headerHash(found: hash, named: named))
    }
}
