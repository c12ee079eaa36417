import ChainRPC
import Glibc
import HotStore
import Metadata
import SubstratePrimitives

/// Adds a node's answers to the hot database, after checking them against each other and against the
/// database.
struct SnapshotIntake {
    struct Choices: Sendable {
        var name: String?
        var scheme: SignatureScheme?
        var unit: String?
        var decimals: UInt8?
        var title: String?
        var color: String?
        var pathID: String?
        /// Spec versions to keep, as ``MetadataIntake`` takes them.
        var keep: Int?
    }

    let store: HotStore
    let choices: Choices

    /// - Returns: the network's name, and the metadata that was new.
    func add(_ snapshot: ChainSnapshot) throws -> (name: String, added: [RuntimeMetadata]) {
        let decoded = try decode(snapshot)
        let name = try save(specs(snapshot, decoded[0]), from: snapshot)
        return (name, try add(decoded, of: snapshot, to: name))
    }

    /// Adds the metadata alone, for a network whose specs stay as they are.
    /// - Returns: the metadata that was new.
    func add(metadataOf snapshot: ChainSnapshot, to name: String) throws -> [RuntimeMetadata] {
        try add(decode(snapshot), of: snapshot, to: name)
    }

    private func add(_ decoded: [RuntimeMetadata], of snapshot: ChainSnapshot, to name: String) throws
        -> [RuntimeMetadata]
    {
        let intake = MetadataIntake(store: store)
        return try decoded.filter {
            try intake.add($0, network: name, blockHash: snapshot.block.hash, keep: choices.keep)
        }
    }

    private func decode(_ snapshot: ChainSnapshot) throws -> [RuntimeMetadata] {
        let decoded = try snapshot.metadata.map { try RuntimeMetadata($0, types: store.legacyTypes()) }
        for metadata in decoded { try check(metadata, snapshot) }
        return decoded
    }

    /// Checks that the metadata agrees with the node's other answers.
    private func check(_ metadata: RuntimeMetadata, _ snapshot: ChainSnapshot) throws {
        let version = metadata.runtimeVersion
        let announced = snapshot.runtime.runtime
        guard version == announced else {
            throw HotError.nodeContradictsItself(
                url: snapshot.url.description,
                detail: "its runtime is \(announced.specName) \(announced.specVersion), "
                    + "but its metadata is for \(version.specName) \(version.specVersion)")
        }
        if let prefix = metadata.ss58Prefix, let said = snapshot.properties.ss58Prefix, prefix != said {
            throw HotError.nodeContradictsItself(
                url: snapshot.url.description,
                detail: "its SS58 prefix is \(prefix) in the metadata, but \(said) in system_properties")
        }
    }

    /// Bytes of a name, title or token of a node: the longest in use have about thirty.
    private static let longestName = 128

    private func specs(_ snapshot: ChainSnapshot, _ metadata: RuntimeMetadata) throws -> NetworkSpecs {
        let scheme = choices.scheme ?? .sr25519
        let tokens = snapshot.properties.tokens
        guard let prefix = metadata.ss58Prefix ?? snapshot.properties.ss58Prefix else {
            throw HotError.propertyMissing(url: snapshot.url.description, .prefix)
        }
        let token = tokens.count == 1 ? tokens[0] : nil
        guard let unit = choices.unit ?? token?.symbol, let decimals = choices.decimals ?? token?.decimals
        else {
            throw HotError.propertyMissing(
                url: snapshot.url.description, tokens.isEmpty ? .token : .singleToken(tokens.map(\.symbol)))
        }
        let name = metadata.runtimeVersion.specName
        for text in [name, snapshot.chainName, unit] where text.utf8.count > Self.longestName {
            throw HotError.oversizedName(url: snapshot.url.description, limit: Self.longestName)
        }
        return NetworkSpecs(
            name: name, title: choices.title ?? snapshot.chainName, base58Prefix: prefix, decimals: decimals,
            unit: unit,
            genesisHash: snapshot.genesisHash, scheme: scheme, pathID: choices.pathID,
            color: choices.color ?? "#660D35")
    }

    /// A known network keeps its title, colors and path unless options change them; fields that never change
    /// are compared.
    private func save(_ found: NetworkSpecs, from snapshot: ChainSnapshot) throws -> String {
        let name =
            try choices.name ?? store.name(genesis: found.genesisHash, scheme: found.scheme)
            ?? store.newName(for: found)
        guard let known = try? store.network(name) else {
            // The name becomes part of file names, and it may come from the node.
            guard Files.isNetworkName(name, of: found) else { throw HotError.badNetworkName(name) }
            try store.save(HotNetwork(name: name, specs: found, endpoints: [snapshot.url.description]))
            try store.record(
                HotEvent(
                    at: Int64(time(nil)), event: "fetched", network: name,
                    detail: "specs from \(snapshot.url)"))
            return name
        }
        guard known.specs.genesisHash == found.genesisHash else {
            throw HotStoreError.otherGenesis(
                network: name, known: known.specs.genesisHash, found: found.genesisHash)
        }
        guard known.specs.scheme == found.scheme else {
            throw HotStoreError.immutableField(network: name, field: "encryption")
        }
        if choices.unit == nil, choices.decimals == nil {
            guard known.specs.unit == found.unit else {
                throw HotStoreError.immutableField(network: name, field: "unit")
            }
            guard known.specs.decimals == found.decimals else {
                throw HotStoreError.immutableField(network: name, field: "decimals")
            }
        }
        let overrides: [(SpecsField, String?)] = [
            (.unit, choices.unit), (.decimals, choices.decimals.map { "\($0)" }), (.title, choices.title),
            (.color, choices.color),
            (.pathID, choices.pathID),
        ]
        for (field, value) in overrides where value != nil {
            guard try store.override(name, field, value) else {
                throw HotError.badFieldValue(field: field.rawValue, value: value ?? "")
            }
        }
        if !known.endpoints.contains(snapshot.url.description) {
            try store.addEndpoint(snapshot.url.description, to: name)
        }
        return name
    }
}
