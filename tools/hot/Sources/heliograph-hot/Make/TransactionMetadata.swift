import ChainRPC
import HotStore
import Lines
import Metadata

/// The metadata of one runtime from which a transaction is made, in the format that the transaction's form
/// needs.
///
/// The runtime is the one that the user names, or the node's, or the newest in the hot database. If the
/// database lacks its metadata, they are fetched from the node that the user names. Older metadata are never
/// used instead.
struct TransactionMetadata {
    let store: HotStore
    let network: HotNetwork
    let wish: TransactionForm.Wish
    /// Asks the node that the user names for a snapshot; nil without one.
    let fetch: (() async throws -> ChainSnapshot)?

    /// - Parameter version: spec version; nil for the newest in the hot database.
    func choose(version: UInt32?) async throws -> (metadata: RuntimeMetadata, form: TransactionForm) {
        var fetched = false
        let known = try version ?? store.newestVersion(of: network.name)
        if try fetch != nil && (known.map { try store.formats(of: network.name, version: $0) } ?? []).isEmpty
        {
            try await complete()
            fetched = true
        }
        guard let version = try version ?? store.newestVersion(of: network.name) else {
            throw HotStoreError.noMetadata(network: network.name)
        }
        let oldest = try read(version)
        if let reason = try TransactionForm.reason(wish, metadata: oldest) { return (oldest, .plain(reason)) }
        if try !has(15, version), fetch != nil, !fetched {
            try await complete()
            fetched = true
        }
        // The metadata hash is defined over V15. V16 gives the same where both list types in one order, so it
        // is taken only where the runtime does not offer V15, or when the user insists.
        if try has(15, version) { return (try read(version, 15), .proved(format: 15)) }
        if try has(16, version), fetched || wish.proof == true {
            return (try read(version, 16), .proved(format: 16))
        }
        guard fetched else {
            throw HotStoreError.otherFormats(network: network.name, version: version, format: 15)
        }
        throw HotError.noDigest(network: network.name, version: version)
    }

    private func has(_ format: UInt8, _ version: UInt32) throws -> Bool {
        try store.formats(of: network.name, version: version).contains(format)
    }

    private func read(_ version: UInt32, _ format: UInt8? = nil) throws -> RuntimeMetadata {
        try RuntimeMetadata(
            try store.metadata(of: network.name, version: version, format: format).blob,
            types: store.legacyTypes())
    }

    /// Adds the metadata of the node's runtime to the hot database.
    private func complete() async throws {
        guard let fetch else { return }
        let snapshot = try await fetch()
        Console.endProgress()
        let added = try SnapshotIntake(store: store, choices: .init()).add(
            metadataOf: snapshot, to: network.name)
        guard !added.isEmpty else { return }
        let formats = added.map { "V\($0.version)" }.joined(separator: ", ")
        Console.note(
            Escape.terminal(
                """
                \(network.name): fetched metadata for \(snapshot.runtime.runtime.specVersion) from \
                \(snapshot.url) (\(formats))
                """
            ))
    }
}
