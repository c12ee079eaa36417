import Glibc
import HotStore
import Metadata
import SubstratePrimitives

/// Every addition of metadata to the hot database, with its checks.
struct MetadataIntake {
    let store: HotStore

    /// Adds metadata after checking that its runtime is the network's.
    /// - Returns: false if the same bytes are already there.
    func add(_ metadata: RuntimeMetadata, network name: String, blockHash: Hash32?) throws -> Bool {
        let specs = try store.network(name).specs
        guard metadata.runtimeVersion.specName == specs.name else {
            throw HotError.otherRuntimeName(network: name, expected: specs.name, found: metadata.runtimeVersion.specName)
        }
        if let prefix = metadata.ss58Prefix, prefix != specs.base58Prefix {
            throw HotError.otherPrefix(network: name, expected: specs.base58Prefix, found: prefix)
        }
        let entry = HotMetadata(
            network: name, version: metadata.runtimeVersion.specVersion, blob: metadata.blob, blockHash: blockHash, added: Int64(time(nil)))
        let added = try store.add(entry)
        if added {
            let origin = blockHash.map { "at block 0x\($0.hex)" } ?? "from a file"
            try store.record(
                HotEvent(
                    at: entry.added, event: blockHash == nil ? "imported" : "fetched", network: name,
                    detail: "metadata \(entry.version) (V\(entry.format)) \(origin)"))
        }
        return added
    }
}
