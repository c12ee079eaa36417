import Metadata
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import StateProof

/// Laws 30 and 31: the built-in table is what metadata says.
@Suite struct LayoutTableLaws {
    private struct Line {
        let chain: ExactText
        let version: UInt32
        let entry: ExactText
        let (hashers, key, shape): (String, String, String)
    }

    /// Made by `tools/dev state-layouts`.
    private static func lines() throws -> [Line] {
        String(decoding: try Checkout.read("fixtures/state/layouts.tsv"), as: UTF8.self)
            .split(separator: "\n").map { line in
                let parts = line.split(separator: "\t").map(String.init)
                return Line(
                    chain: ExactText(parts[0]), version: UInt32(parts[1])!, entry: ExactText(parts[2]),
                    hashers: parts[3], key: parts[4], shape: parts[5])
            }
    }

    private static func hashers(_ entry: StateEntry) -> String {
        let names = entry.parts.map { part in
            switch part.hasher {
            case .blake2b128Concat: "blake2_128_concat"
            case .twox64Concat: "twox_64_concat"
            }
        }
        return names.isEmpty ? "-" : names.joined(separator: " ")
    }

    private static func key(_ entry: StateEntry) -> String {
        let parts = entry.parts.map { part in
            switch part.part {
            case .account, .callHash: "[u8; 32]"
            case .asset, .para: "u32"
            case .location: "…"
            }
        }
        if parts.contains("…") { return "…" }
        return parts.count > 1 ? "{\(parts.joined(separator: ", "))}" : parts.first ?? "-"
    }

    @Test func `30 Every row says what the metadata of each version at hand says`() throws {
        let lines = try Self.lines()
        var compared = 0
        for (name, version) in [
            ("polkadot", UInt32(1_002_005)), ("polkadot", 2_000_000), ("polkadot", 2_003_000),
            ("statemint", 2_000_000),
        ] {
            let chain = try #require(StateChain.all.first { $0.name.text == name })
            let known = lines.filter { $0.chain == chain.name && $0.version == version }
            for row in chain.rows where row.first <= version && row.kind != .codeHash {
                let entry = StateEntry(row.kind)
                let line = known.first { $0.entry == ExactText(entry.name) }
                guard row.kind != .migration else {
                    #expect((line != nil) == (chain.stepsSince.map { version >= $0 } ?? false))
                    continue
                }
                let shape = StateShape.of(row.kind, hasClaimedRewards: chain.hasClaimedRewards)
                #expect(line?.hashers == Self.hashers(entry), "\(name) \(version) \(entry.name)")
                #expect(line?.key == Self.key(entry), "\(name) \(version) \(entry.name)")
                #expect(line?.shape == shape?.description, "\(name) \(version) \(entry.name)")
                compared += 1
            }
            if chain.isRelay {
                let heads = known.first { $0.entry == "Paras.Heads" }
                #expect(heads?.hashers == Self.hashers(.parachainHeads) && heads?.key == "u32")
                #expect(heads?.shape == StateShape.parachainHead.description)
            }
        }
        #expect(compared == 3 * 8 + 12)
        // Identity on Polkadot 1002005 is a pair with a username, so the row of the People chain is not its.
        let identity = lines.first { $0.entry == "Identity.IdentityOf" }
        #expect(identity?.shape != StateShape.of(.identity, hasClaimedRewards: false)?.description)
    }

    /// Real metadata of others.
    @Test(arguments: [
        ("polkadot", "polkadot-1002005-v14"), ("polkadot", "polkadot-2000000-v15"),
        ("polkadot", "polkadot-2003000-v16"), ("statemint", "asset-hub-polkadot-2000000-v15"),
    ]) func `30 31 Stored metadata and the table agree in every row`(name: String, file: String) throws {
        guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        let chain = try #require(StateChain.all.first { $0.name.text == name })
        let runtime = metadata.runtimeVersion
        let authority = StateAuthority { genesis, version in
            genesis == chain.genesisHash && version == runtime ? metadata : nil
        }
        let layouts = try authority.layouts(of: chain.genesisHash, at: runtime)
        #expect(layouts.source == .metadata(runtime.specVersion))
        for row in chain.rows where row.first <= runtime.specVersion && row.kind != .migration {
            try layouts.require(row.kind)
        }
        #expect(!layouts.migratesInSteps)
        // Metadata of another spec version is not used.
        let other = RuntimeVersion(specName: runtime.specName, specVersion: runtime.specVersion + 1)
        #expect(
            try authority.layouts(of: chain.genesisHash, at: other).source != .metadata(other.specVersion))
        // For an unlisted chain metadata alone says it.
        let unlisted = GenesisHash.blake2b(of: [7])
        let alone = StateAuthority { genesis, _ in genesis == unlisted ? metadata : nil }
        try alone.layouts(of: unlisted, at: runtime).require(.account)
        // As metadata of the other chain, a row differs.
        let foreign = try #require(StateChain.all.first { $0.name.text == "people-polkadot" })
        let at = RuntimeVersion(specName: runtime.specName, specVersion: foreign.first)
        let mistaken = StateAuthority { _, _ in metadata }
        #expect(throws: StateProofError.layoutsDiffer(.identity, at)) {
            try mistaken.layouts(of: foreign.genesisHash, at: at)
        }
    }
}
