import SCALE
import SubstratePrimitives

/// What a runtime says about itself: its types, its calls, its transaction extensions.
///
/// The blob is indexed, not copied into a tree: a definition is read when a transaction needs it.
public struct RuntimeMetadata: Sendable {
    /// 12 to 16, the byte after `meta`.
    public let version: UInt8
    /// Name and version from the constant `System.Version`.
    public let runtimeVersion: RuntimeVersion
    /// The constant `System.SS58Prefix`, when the runtime has it.
    public let ss58Prefix: UInt16?
    /// The types, by the ids of the blob; from the supplement for versions 12 and 13.
    public let registry: any TypeRegistry
    /// In the order of the blob; no two have one index.
    public let pallets: [Pallet]
    /// The layout of the transactions that are signed for this runtime.
    public let extrinsic: ExtrinsicDefinition
    /// The whole blob, from `meta` to its last byte.
    public let blob: [UInt8]

    /// Indexes a blob that starts with `meta`; a leftover byte is refused.
    ///
    /// - `types`: the supplement for versions 12 and 13. Without it such metadata gives its runtime's name
    ///   and version, and every decode ends in ``MetadataError/Reason/typesNeeded``.
    /// - Throws: ``MetadataError`` for another version, truncated or malformed bytes, and missing constants
    ///   of the pallet System.
    public init(_ blob: [UInt8], types: LegacyTypes? = nil) throws(MetadataError) {
        let magic = Array("meta".utf8)
        guard blob.count > 4, blob.starts(with: magic) else {
            throw MetadataError(.notMetadata, place: "metadata")
        }
        self.blob = blob
        version = blob[4]
        switch version {
        case 12, 13:
            let legacy = try LegacyLayout(blob, types: types)
            (registry, pallets, extrinsic) = (legacy.registry, legacy.pallets, legacy.extrinsic)
            (runtimeVersion, ss58Prefix) = (legacy.runtimeVersion, legacy.ss58Prefix)
        case 14...16:
            var reader = SCALEReader(blob, range: 5..<blob.count)
            var portable = try PortableRegistry(reading: &reader)
            let layout = MetadataLayout(version: version)
            pallets = try layout.pallets(&reader)
            extrinsic = try layout.rest(&reader, registry: &portable, pallets: pallets)
            let constants = ConstantReader(registry: portable, pallets: pallets)
            (runtimeVersion, ss58Prefix) = (try constants.runtimeVersion(), try constants.ss58Prefix())
            registry = portable
        default: throw MetadataError(.unsupportedVersion(version), place: "metadata")
        }
    }

    /// Why transactions of this runtime cannot be decoded in full; nil when they can.
    public var extensionFault: ExtensionFault? {
        let roles = Set(extrinsic.extensions.map { TransactionExtension.role(of: $0, in: registry) })
        if !roles.contains(.specVersion) { return .noSpecVersion }
        if !roles.contains(.genesis) { return .noGenesis }
        return nil
    }

    /// An extension without which a signature is not bound to one chain and one version.
    public enum ExtensionFault: Sendable, Equatable {
        /// No extension says which runtime version a transaction is for.
        case noSpecVersion
        /// No extension ties a transaction to its chain.
        case noGenesis
    }
}

extension RuntimeMetadata {
    /// The field `transaction_version` of the constant `System.Version`; nil where the constant has none, or
    /// in metadata 12 and 13.
    public func transactionVersion() throws(MetadataError) -> UInt32? {
        guard let portable = registry as? PortableRegistry,
            let system = pallets.first(where: { $0.name == "System" }),
            let (value, type) = try ConstantReader(registry: portable, pallets: pallets).value(
                system, "Version"),
            case .id(let id) = type, case .composite(let fields) = try portable.definition(of: id).shape,
            case .record(let parts) = value,
            let index = fields.firstIndex(where: { $0.name == "transaction_version" })
        else { return nil }
        return parts[index].number.flatMap { UInt32(exactly: $0) }
    }
}

extension RuntimeMetadata {
    /// The constant `Balances.ExistentialDeposit`, in the smallest unit; nil where the runtime has none, or
    /// in metadata 12 and 13.
    public func existentialDeposit() throws(MetadataError) -> UInt128? {
        try number(of: "ExistentialDeposit", in: "Balances")
    }

    /// A constant of a pallet that is an unsigned integer; nil where the pallet has no such constant, or in
    /// metadata 12 and 13.
    public func number(of constant: String, in pallet: String) throws(MetadataError) -> UInt128? {
        guard let portable = registry as? PortableRegistry,
            let pallet = pallets.first(where: { $0.name.utf8Equals(pallet) }),
            let (value, _) = try ConstantReader(registry: portable, pallets: pallets).value(pallet, constant)
        else { return nil }
        return value.number
    }
}
