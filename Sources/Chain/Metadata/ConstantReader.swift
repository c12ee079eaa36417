import SCALE
import SubstratePrimitives

/// Reads pallet constants by their own types.
struct ConstantReader {
    let registry: PortableRegistry
    let pallets: [Pallet]
    let layout: MetadataLayout

    init(registry: PortableRegistry, pallets: [Pallet]) {
        self.registry = registry
        self.pallets = pallets
        layout = MetadataLayout(version: registry.blob[4])
    }

    /// The value of a constant and its type; nil when the pallet has no constant of that name.
    func value(_ pallet: Pallet, _ name: String) throws(MetadataError) -> (Value, TypeReference)? {
        let place = "pallets.\(pallet.name).constants"
        var reader = SCALEReader(registry.blob, range: pallet.constants..<registry.blob.count)
        let found = try located(place) { () throws(SCALEError) -> (TypeReference, Range<Int>)? in
            for _ in 0..<(try reader.count()) {
                let constant = try layout.constant(&reader)
                if constant.name.utf8Equals(name) { return (constant.type, constant.value) }
            }
            return nil
        }
        guard let (type, range) = found else { return nil }
        var decoder = ValueDecoder(
            types: TypeView(registry), reader: SCALEReader(registry.blob, range: range))
        do {
            return (try decoder.whole(type), type)
        } catch {
            throw MetadataError(.malformedConstant(pallet: pallet.name, name: name), place: place)
        }
    }

    /// The pallet that holds the runtime's version, by the name that every FRAME runtime gives it.
    private var system: Pallet? { pallets.first { $0.name == "System" } }

    func runtimeVersion() throws(MetadataError) -> RuntimeVersion {
        guard let system else { throw MetadataError(.missingPallet("System"), place: "pallets") }
        let place = "pallets.System.constants"
        guard let (value, type) = try value(system, "Version") else {
            throw MetadataError(.missingConstant(pallet: "System", name: "Version"), place: place)
        }
        guard case .id(let id) = type, case .composite(let fields) = try registry.definition(of: id).shape,
            case .record(let parts) = value,
            let name = fields.firstIndex(where: { $0.name == "spec_name" }),
            let specName = parts[name].string,
            let number = fields.firstIndex(where: { $0.name == "spec_version" }),
            let specVersion = parts[number].number,
            let specVersion = UInt32(exactly: specVersion)
        else { throw MetadataError(.malformedConstant(pallet: "System", name: "Version"), place: place) }
        return RuntimeVersion(specName: specName, specVersion: specVersion)
    }

    func ss58Prefix() throws(MetadataError) -> UInt16? {
        guard let system, let (value, _) = try value(system, "SS58Prefix") else { return nil }
        guard case .unsigned(let number) = value, let prefix = UInt16(exactly: number) else {
            throw MetadataError(
                .malformedConstant(pallet: "System", name: "SS58Prefix"), place: "pallets.System.constants")
        }
        return prefix
    }
}
