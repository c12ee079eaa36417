import SCALE
import SubstratePrimitives

/// What a runtime says of itself: its types, its calls, its transaction extensions.
///
/// The blob is indexed, not copied into a tree: a definition is read when a transaction needs it.
public struct RuntimeMetadata: Sendable {
    /// 12 to 16, the byte after `meta`.
    public let version: UInt8
    /// Name and version from the constant `System.Version`.
    public let runtimeVersion: RuntimeVersion
    /// The constant `System.SS58Prefix`, when the runtime has it.
    public let ss58Prefix: UInt16?
    public let registry: any TypeRegistry
    public let pallets: [Pallet]
    public let extrinsic: ExtrinsicDefinition
    /// The blob as it came, from `meta` to its last byte.
    public let blob: [UInt8]

    /// A blob that starts `meta`, up to its last byte; a leftover byte is refused.
    ///
    /// - Parameter types: the supplement for versions 12 and 13. Without it such metadata tells its runtime's name and version,
    ///   and every decode ends in ``MetadataError/Code/typesNeeded``.
    public init(_ blob: [UInt8], types: LegacyTypes? = nil) throws(MetadataError) {
        let magic = Array("meta".utf8)
        guard blob.count > 4, blob.starts(with: magic) else { throw MetadataError(.notMetadata, place: "metadata") }
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

    public enum ExtensionFault: Sendable, Equatable {
        /// No extension tells the runtime version a transaction is for.
        case noSpecVersion
        /// No extension ties a transaction to its chain.
        case noGenesis
    }
}

public struct Pallet: Sendable, Equatable {
    public let name: String
    public let index: UInt8
    /// The enumeration of its calls.
    public let calls: TypeReference?
    /// Where its constants stand in the blob: a vector of name, type, value, docs.
    let constants: Int

    public static func == (one: Pallet, other: Pallet) -> Bool {
        one.name.utf8Equals(other.name) && one.index == other.index && one.calls == other.calls && one.constants == other.constants
    }
}

/// How an extrinsic is laid out.
public struct ExtrinsicDefinition: Sendable, Equatable {
    /// The extrinsic format of signed transactions, 4 or 5; only 4 is signed here.
    public let version: UInt8
    /// The list of extensions that ``extensions`` is; signed transactions of format 4 use version 0. Metadata before version 16 has no other.
    public let extensionVersion: UInt8
    /// nil where metadata of version 14 does not tell.
    public let address: TypeReference?
    public let call: TypeReference
    public let signature: TypeReference?
    public let extensions: [TransactionExtension]

    public init(
        version: UInt8, extensionVersion: UInt8 = 0, address: TypeReference?, call: TypeReference, signature: TypeReference?,
        extensions: [TransactionExtension]
    ) {
        self.version = version
        self.extensionVersion = extensionVersion
        self.address = address
        self.call = call
        self.signature = signature
        self.extensions = extensions
    }
}

/// A part of a transaction besides its call.
public struct TransactionExtension: Sendable, Equatable {
    public let identifier: String
    /// What stands in the extrinsic.
    public let explicit: TypeReference
    /// What is signed but not sent.
    public let implicit: TypeReference

    public init(identifier: String, explicit: TypeReference, implicit: TypeReference) {
        self.identifier = identifier
        self.explicit = explicit
        self.implicit = implicit
    }

    public static func == (one: TransactionExtension, other: TransactionExtension) -> Bool {
        one.identifier.utf8Equals(other.identifier) && one.explicit == other.explicit && one.implicit == other.implicit
    }

    /// What an extension's parts mean.
    public enum Role: Sendable, Equatable, CaseIterable {
        case specVersion, txVersion, genesis, era, nonce, tip, assetTip, metadataHash
    }

    /// Names as FRAME gives them, both as identifiers and as the last part of the type's path.
    private static let roles: [ExactText: Role] = [
        "CheckSpecVersion": .specVersion, "CheckTxVersion": .txVersion, "CheckGenesis": .genesis, "CheckMortality": .era,
        "CheckEra": .era, "CheckNonce": .nonce, "ChargeTransactionPayment": .tip, "ChargeAssetTxPayment": .assetTip,
        "CheckMetadataHash": .metadataHash,
    ]

    /// The role by identifier, else by the type's own name; nil for an extension without a card of its own.
    public static func role(of item: TransactionExtension, in registry: any TypeRegistry) -> Role? {
        if let role = roles[ExactText(item.identifier)] { return role }
        guard case .id(let id) = item.explicit, let definition = try? registry.definition(of: id) else { return nil }
        return roles[ExactText(definition.ident)]
    }

    /// Whether it holds the signature itself, as general transactions have it.
    public static func takesSignature(_ item: TransactionExtension, in registry: any TypeRegistry) -> Bool {
        let names = ["VerifySignature", "VerifyMultiSignature"]
        if names.containsUTF8(of: item.identifier) { return true }
        guard case .id(let id) = item.explicit, let definition = try? registry.definition(of: id) else { return false }
        return names.containsUTF8(of: definition.ident)
    }
}
