import ArgumentParser
import HotStore
import Lines
import Metadata
import SubstratePrimitives

/// `file …`
struct FileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Check a file before an import.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare metadata, specs, types or an update in a file with the hot database.",
            discussion: "Nothing is changed. A file that contradicts the hot database is refused.")
        @OptionGroup var check: FileCheck

        func run() throws { try check.run() }
    }
}

/// The arguments of `file check`.
struct FileCheck: ParsableArguments {
    @Argument(help: "A file, a picture, a directory of pictures, or - for a file on standard input.")
    var file: String
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let store = try database.open()
        let imported = try ImportedFile(path: file, scanner: scanner)
        if imported.isUpdate { Console.print(VerifiedSignature.line(imported.signature?.signature.key)) }
        switch imported.content {
        case .specs(let specs): try check(specs, store)
        case .types(let entries):
            Console.print(
                """
                types for metadata V13 and older, \(entries.count) bytes, BLAKE2b-256 \
                0x\(Hash32.blake2b(of: entries).hex)
                """
            )
            Console.print(
                try store.types().map {
                    $0 == entries
                        ? "already in the hot database" : "different from the types in the hot database"
                }
                    ?? "new")
        case .metadata(let blob, _): try check(try RuntimeMetadata(blob, types: store.legacyTypes()), store)
        }
    }

    private func check(_ specs: NetworkSpecs, _ store: HotStore) throws {
        Console.print(
            """
            network specs for \(Escape.terminal(specs.name)), SS58 prefix \(specs.base58Prefix), genesis \
            hash 0x\(specs.genesisHash.hex)
            """
        )
        guard let name = try store.name(genesis: specs.genesisHash, scheme: specs.scheme) else {
            return Console.print("new network")
        }
        let network = try store.network(name)
        let known = network.specs
        // These fields never change for a genesis hash; the others may.
        for (field, same) in [
            ("name", known.name == specs.name), ("base58prefix", known.base58Prefix == specs.base58Prefix),
            ("decimals", known.decimals == specs.decimals), ("unit", known.unit == specs.unit),
        ] where !same {
            throw HotStoreError.immutableField(network: name, field: field)
        }
        Console.print(
            """
            \(try store.shownName(of: network)): \
            \(known == specs ? "already in the hot database" : "already in the hot database, with another title, color, logo or path")
            """
        )
    }

    private func check(_ metadata: RuntimeMetadata, _ store: HotStore) throws {
        let version = metadata.runtimeVersion
        let prefix = metadata.ss58Prefix.map { "SS58 prefix \($0)" } ?? "no SS58 prefix"
        let hash = Hash32.blake2b(of: metadata.blob)
        Console.print(
            """
            metadata V\(metadata.version) for \(Escape.terminal(version.specName)) \(version.specVersion), \
            \(prefix), \(metadata.blob.count) bytes, BLAKE2b-256 0x\(hash.hex)
            """)
        let networks = try store.networks().filter { $0.specs.name == version.specName }
        if networks.isEmpty { return Console.print("no network in the hot database has this runtime name") }
        for network in networks {
            let stored = try store.metadata().filter { $0.network == network.name }
            if let prefix = metadata.ss58Prefix, prefix != network.specs.base58Prefix {
                throw HotError.otherPrefix(
                    network: network.name, expected: network.specs.base58Prefix, found: prefix)
            }
            let same = stored.first { $0.version == version.specVersion && $0.format == metadata.version }
            if let same, same.origin.hash != hash {
                throw HotStoreError.silentChange(
                    network: network.name, version: version.specVersion, known: same.origin,
                    found: MetadataOrigin(hash: hash, blockHash: nil))
            }
            Console.print(
                """
                \(try store.shownName(of: network)): \
                \(Self.comparison(isKnown: same != nil, version.specVersion, with: stored.map(\.version)))
                """
            )
        }
    }

    private static func comparison(isKnown: Bool, _ version: UInt32, with known: [UInt32]) -> String {
        if isKnown { return "already in the hot database" }
        guard let newest = known.max() else {
            return "new: the hot database has no metadata for this network"
        }
        if known.contains(version) { return "new in this format" }
        return version > newest
            ? "newer than \(newest), the newest version in the hot database"
            : "not in the hot database, and older than \(newest)"
    }
}
