import SCALE
import SubstratePrimitives

/// Puts metadata of version 12 or 13 in the form of the later ones.
struct LegacyLayout {
    let registry: LegacyRegistry
    let pallets: [Pallet]
    let extrinsic: ExtrinsicDefinition
    let runtimeVersion: RuntimeVersion
    let ss58Prefix: UInt16?

    init(_ blob: [UInt8], types: LegacyTypes?) throws(MetadataError) {
        let metadata = try LegacyMetadata(blob)
        var builder = LegacyRegistryBuilder(types)
        let call = try builder.build(metadata.modules)
        // Types that every runtime of these versions shares, whatever its supplement says.
        let era = try builder.reference("Era")
        let hash = try builder.reference("[u8;32]")
        let number = try builder.reference("Compact<u32>")
        let amount = try builder.reference("Compact<u128>")
        extrinsic = ExtrinsicDefinition(
            version: metadata.extrinsicVersion, address: nil, call: call, signature: nil,
            extensions: metadata.extensions.map {
                Self.item($0, era: era, hash: hash, number: number, amount: amount)
            })
        registry = builder.registry
        pallets = metadata.modules.map {
            Pallet(
                name: $0.name, index: $0.index, calls: nil, events: nil, errors: nil, constants: 0, storage: 0
            )
        }
        (runtimeVersion, ss58Prefix) = try Self.system(metadata, blob)
    }

    /// The parts of the extensions of that time; those not named here have none.
    private static func item(
        _ name: String, era: TypeReference, hash: TypeReference, number: TypeReference, amount: TypeReference
    ) -> TransactionExtension {
        let (explicit, implicit): (TypeReference, TypeReference) =
            switch name {
            case "CheckSpecVersion", "CheckTxVersion": (.void, .primitive(.u32))
            case "CheckGenesis": (.void, hash)
            case "CheckMortality", "CheckEra": (era, hash)
            case "CheckNonce": (number, .void)
            case "ChargeTransactionPayment": (amount, .void)
            default: (.void, .void)
            }
        return TransactionExtension(identifier: name, explicit: explicit, implicit: implicit)
    }

    private static func system(_ metadata: LegacyMetadata, _ blob: [UInt8]) throws(MetadataError) -> (
        RuntimeVersion, UInt16?
    ) {
        guard let system = metadata.modules.first(where: { $0.name == "System" }) else {
            throw MetadataError(.missingPallet("System"), place: "pallets")
        }
        let place = "pallets.System.constants"
        guard let version = system.constants.first(where: { $0.name == "Version" }) else {
            throw MetadataError(.missingConstant(pallet: "System", name: "Version"), place: place)
        }
        var reader = SCALEReader(blob, range: version.value)
        let runtimeVersion = try located(place) { () throws(SCALEError) in
            let name = try reader.string()
            try reader.skipString()
            try reader.skip(4)
            return RuntimeVersion(specName: name, specVersion: try reader.integer())
        }
        guard let prefix = system.constants.first(where: { $0.name == "SS58Prefix" }) else {
            return (runtimeVersion, nil)
        }
        var value = SCALEReader(blob, range: prefix.value)
        let number = try located(place) { () throws(SCALEError) in
            let number = prefix.type == "u8" ? UInt16(try value.u8()) : try value.integer(UInt16.self)
            try value.finish()
            return number
        }
        return (runtimeVersion, number)
    }
}
