import ArgumentParser
import Glibc
import HotStore
import Lines
import Metadata
import SubstratePrimitives

/// Every addition of metadata to the hot database, with its checks.
struct MetadataIntake {
    let store: HotStore

    /// Adds metadata after checking that its runtime is the network's.
    /// - Parameter keep: how many spec versions of the network are kept; nil for as many as there are, at
    ///   least ``HotStore/keptVersions``.
    /// - Returns: false if the same bytes are already there.
    func add(_ metadata: RuntimeMetadata, network name: String, blockHash: Hash32?, keep: Int? = nil) throws
        -> Bool
    {
        let specs = try store.network(name).specs
        guard metadata.runtimeVersion.specName == specs.name else {
            throw HotError.otherRuntimeName(
                network: name, expected: specs.name, found: metadata.runtimeVersion.specName)
        }
        if let prefix = metadata.ss58Prefix, prefix != specs.base58Prefix {
            throw HotError.otherPrefix(network: name, expected: specs.base58Prefix, found: prefix)
        }
        let entry = HotMetadata(
            network: name, version: metadata.runtimeVersion.specVersion, blob: metadata.blob,
            blockHash: blockHash, added: Int64(time(nil)))
        let addition = try store.add(entry, keep: keep)
        if addition.isNew {
            let origin = blockHash.map { "at block 0x\($0.hex)" } ?? "from a file"
            try store.record(
                HotEvent(
                    at: entry.added, event: blockHash == nil ? "imported" : "fetched", network: name,
                    detail: "metadata \(entry.version) (V\(entry.format)) \(origin)"))
        }
        for version in addition.dropped {
            try store.record(
                HotEvent(
                    at: entry.added, event: "removed", network: name,
                    detail: "metadata \(version), as \(entry.version) came"))
            Console.endProgress()
            Console.note(
                Escape.terminal(
                    """
                    \(name): metadata for \(version) removed, newer versions took its place (--keep N keeps \
                    more)
                    """
                ))
        }
        return addition.isNew
    }

    /// Adds metadata from a file, and prints that it did.
    func add(_ metadata: RuntimeMetadata, fromFileFor owner: HotNetwork, keep: Int?) throws {
        let added = try add(metadata, network: owner.name, blockHash: nil, keep: keep)
        let version = metadata.runtimeVersion
        let name = try store.shownName(of: owner)
        Console.note(
            Escape.terminal(
                """
                \(name): metadata for \(version.specName) \(version.specVersion) (V\(metadata.version)) \
                \(added ? "saved" : "is already in the hot database")
                """
            ))
    }

    /// The network that the user names, else the one of the update's chain, else the one with the metadata's
    /// runtime name.
    /// - Parameter genesis: of an update; its publisher signed for this chain.
    func owner(of metadata: RuntimeMetadata, named: String?, genesis: GenesisHash? = nil, path: String) throws
        -> HotNetwork
    {
        let given = try named.map { try store.network(named: $0) }
        if let genesis {
            // What the publisher signed is for this chain; under another one its signature would be lost.
            if let given, given.specs.genesisHash != genesis {
                throw HotStoreError.otherGenesis(
                    network: given.name, known: given.specs.genesisHash, found: genesis)
            }
            guard try store.networks().contains(where: { $0.specs.genesisHash == genesis }) else {
                throw HotError.unknownGenesis(genesis)
            }
        }
        if let given { return given }
        let found = try store.networks().filter {
            genesis.map { [hash = $0.specs.genesisHash] in $0 == hash }
                ?? ($0.specs.name == metadata.runtimeVersion.specName)
        }
        guard found.count == 1 else { throw HotError.networkNeeded(path: path) }
        return found[0]
    }
}

/// `--keep`, for commands that add metadata.
struct KeepOptions: ParsableArguments {
    @Option(
        name: .customLong("keep"),
        help:
            """
            Spec versions to keep metadata for, of each network (default: as many as are stored, at least \
            \(HotStore.keptVersions)).
            """
    )
    var versions: Int?

    func validate() throws {
        guard versions.map((1...1000).contains) ?? true else {
            throw ValidationError("--keep must be 1 to 1000 versions")
        }
    }
}
