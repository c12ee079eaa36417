import ArgumentParser
import HotStore
import Metadata
import SubstratePrimitives
import Terminal

struct CheckFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-file", abstract: "says what a metadata, specs or types file holds and how that stands to the hot database",
        discussion: "Changes nothing. What contradicts the database is refused.")
    @Argument(help: "file, or - for standard input") var file: String
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let store = try database.open()
        switch try ImportedFile(try Files.read(file), path: file, scanner: scanner) {
        case .specs(let specs): try check(specs, store)
        case .types(let entries):
            Console.print("types for metadata 13 and older, \(entries.count) bytes, BLAKE2b-256 \(Hash32.blake2b(of: entries).hex)")
            Console.print(try store.types().map { $0 == entries ? "known" : "other than those that are known" } ?? "not known yet")
        case .metadata(let blob): try check(try RuntimeMetadata(blob, types: store.legacyTypes()), store)
        }
    }

    private func check(_ specs: NetworkSpecs, _ store: HotStore) throws {
        Console.print(
            "network specs of \(Escape.terminal(specs.name)), prefix \(specs.base58Prefix), genesis hash \(specs.genesisHash.hex)")
        guard let name = try store.name(genesis: specs.genesisHash, scheme: specs.scheme) else { return Console.print("not known yet") }
        let known = try store.network(name).specs
        // What a genesis hash is known by never changes; the rest may.
        for (field, same) in [
            ("name", known.name == specs.name), ("base58prefix", known.base58Prefix == specs.base58Prefix),
            ("decimals", known.decimals == specs.decimals), ("unit", known.unit == specs.unit),
        ] where !same {
            throw HotStoreError.immutableField(network: name, field: field)
        }
        Console.print("\(name): \(known == specs ? "known" : "known with another title, colour, logo or path")")
    }

    private func check(_ metadata: RuntimeMetadata, _ store: HotStore) throws {
        let version = metadata.runtimeVersion
        let prefix = metadata.ss58Prefix.map { "prefix \($0)" } ?? "no prefix"
        let hash = Hash32.blake2b(of: metadata.blob)
        Console.print(
            "metadata V\(metadata.version) of \(Escape.terminal(version.specName)) \(version.specVersion), \(prefix), "
                + "\(metadata.blob.count) bytes, BLAKE2b-256 \(hash.hex)")
        let networks = try store.networks().filter { $0.specs.name == version.specName }
        if networks.isEmpty { return Console.print("of no known network") }
        for network in networks {
            let stored = try store.metadata().filter { $0.network == network.name }
            if let prefix = metadata.ss58Prefix, prefix != network.specs.base58Prefix {
                throw HotError.otherPrefix(network: network.name, expected: network.specs.base58Prefix, found: prefix)
            }
            let same = stored.first { $0.version == version.specVersion && $0.format == metadata.version }
            if let same, same.origin.hash != hash {
                throw HotStoreError.silentChange(
                    network: network.name, version: version.specVersion, known: same.origin,
                    found: MetadataOrigin(hash: hash, blockHash: nil))
            }
            Console.print("\(network.name): \(Self.standing(isKnown: same != nil, version.specVersion, among: stored.map(\.version)))")
        }
    }

    private static func standing(isKnown: Bool, _ version: UInt32, among known: [UInt32]) -> String {
        if isKnown { return "known" }
        guard let newest = known.max() else { return "not known yet, as no other version" }
        if known.contains(version) { return "not known yet in this format" }
        return version > newest ? "newer than \(newest), the newest that is known" : "not known, and older than \(newest)"
    }
}
