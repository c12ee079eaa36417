import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// Whose smallest unit an amount is in.
enum AssetContext {
    case native
    case known(AssetUnit, AssetKey)
    /// The text of the asset's id, and what names the asset; nil where nothing tells it apart from others.
    case unknown(ExactText, AssetKey?)

    /// The asset of an amount, where no argument names the asset.
    static let unnamed = AssetContext.unknown(Notice.unnamedAsset, nil)
}

/// The assets of the amounts among the arguments of one call.
struct CallUnits {
    /// nil where no argument names an asset: then ``ArgumentMeaning`` says which amounts are of the chain's
    /// own token.
    private let asset: AssetContext?
    /// What a path of assets starts and ends with.
    private let ends: (first: AssetContext, last: AssetContext)?

    init(_ asset: AssetContext?, ends: (first: AssetContext, last: AssetContext)? = nil) {
        self.asset = asset
        self.ends = ends
    }

    /// The asset of one argument; nil if the call names no asset. A swap gives the first asset of its path
    /// for the last one; other amounts beside a path are of an unknown asset. Source:
    /// paritytech/polkadot-sdk, `substrate/frame/asset-conversion`.
    func asset(of argument: Field) -> AssetContext? {
        switch argument.name.map({ ExactText($0) }) {
        case "amount_in", "amount_in_max": ends?.first ?? asset
        case "amount_out", "amount_out_min": ends?.last ?? asset
        default: asset
        }
    }
}

/// Finds the unit of an amount from the values beside it.
struct AssetReader {
    let types: TypeView
    let context: DecodingContext

    /// An amount beside an argument that names an asset is of that asset, whatever its own type says.
    func units(of call: Variant, _ traits: CallTraits, _ values: [Value], pallet: String)
        throws(MetadataError) -> CallUnits
    {
        guard let index = traits.assets.first else { return CallUnits(nil) }
        guard traits.assets.count == 1 else { return CallUnits(.unnamed) }
        let (value, type) = (values[index], call.fields[index].type)
        // A list names no asset. Its amounts may be of different assets, and a common name would let them be
        // added up.
        if case .sequence(let element) = try types.definition(try inner(type)).shape {
            guard case .list(let path) = value.unwrapped, let first = path.first, let last = path.last,
                path.count > 1
            else {
                return CallUnits(.unnamed)
            }
            let ends = (try asset(first, element, pallet: pallet), try asset(last, element, pallet: pallet))
            return CallUnits(.unnamed, ends: ends)
        }
        return CallUnits(try asset(value, type, pallet: pallet))
    }

    private func asset(_ value: Value, _ type: TypeReference, pallet: String) throws(MetadataError)
        -> AssetContext
    {
        let id = try id(value, type)
        let key = AssetKey.pallet(ExactText(pallet), id: id)
        return try unit(of: key, orAt: value, type) ?? .unknown(id, key)
    }

    /// The index of the id among the fields of an XCM asset; nil for any other type.
    static func id(among fields: [Field]) -> Int? {
        guard fields.contains(where: { $0.name == "fun" }) else { return nil }
        return fields.firstIndex { $0.name == "id" }
    }

    /// The amount of an XCM asset is in the unit of the location that stands beside it.
    func asset(at location: Value, _ type: TypeReference, isElsewhere: Bool) throws(MetadataError)
        -> AssetContext
    {
        let id = try id(location, type)
        if isElsewhere { return .unknown(id, nil) }
        return try unit(of: .location(id), orAt: location, type) ?? .unknown(id, .location(id))
    }

    /// The unit of an asset: found by its key, or else by its pallet and its id in that pallet.
    private func unit(of key: AssetKey, orAt value: Value, _ type: TypeReference) throws(MetadataError)
        -> AssetContext?
    {
        guard let assets = context.assets else { return nil }
        if let unit = assets.unit(of: key) { return .known(unit, key) }
        guard let (pallet, id) = try numbered(value, type, depth: 0), let name = context.pallets[pallet]
        else { return nil }
        let held = AssetKey.pallet(ExactText(name), id: id)
        return assets.unit(of: held).map { .known($0, held) }
    }

    /// The pallet and the id of a location on this chain,
    /// `{ parents: 0, interior: X2(PalletInstance, GeneralIndex) }`, which names the same asset as the id
    /// alone does in a call of that pallet.
    private func numbered(_ value: Value, _ type: TypeReference, depth: Int) throws(MetadataError) -> (
        pallet: UInt8, id: ExactText
    )? {
        guard depth < 4 else { return nil }
        switch (try types.definition(type).shape, value) {
        case (.composite(let fields), .record(let values)):
            if fields.count == 1 { return try numbered(values[0], fields[0].type, depth: depth + 1) }
            guard fields.count == 2, fields[0].name == "parents", values[0].number == 0,
                fields[1].name == "interior"
            else { return nil }
            return try interior(values[1], fields[1].type)
        case (.enumeration, .variant(let index, let values)):
            // Versioned locations, and asset ids that are `Concrete`.
            let variant = try types.variant(index, of: type)
            guard variant.fields.count == 1 else { return nil }
            return try numbered(values[0], variant.fields[0].type, depth: depth + 1)
        case (.tuple(let elements), .record(let values)) where elements.count == 1:
            return try numbered(values[0], elements[0], depth: depth + 1)
        default: return nil
        }
    }

    private func interior(_ value: Value, _ type: TypeReference) throws(MetadataError) -> (
        pallet: UInt8, id: ExactText
    )? {
        guard try types.definition(type).ident == "Junctions", case .variant(let index, var values) = value
        else { return nil }
        let variant = try types.variant(index, of: type)
        guard variant.name == "X2" else { return nil }
        var junctions = variant.fields.map(\.type)
        // Since XCM version 4 the junctions stand in an array.
        if junctions.count == 1,
            case .array(2, let element) = try types.definition(try inner(junctions[0])).shape,
            case .list(let list) = values[0].unwrapped
        {
            (junctions, values) = ([element, element], list)
        }
        guard junctions.count == 2, values.count == 2,
            let pallet = try junction("PalletInstance", values[0], junctions[0]),
            let id = try junction("GeneralIndex", values[1], junctions[1]),
            let pallet = UInt8(exactly: pallet)
        else { return nil }
        return (pallet, ExactText(String(id)))
    }

    private func inner(_ type: TypeReference) throws(MetadataError) -> TypeReference {
        try ShapeJudge(types: types, context: context).unwrapped(type)
    }

    private func junction(_ name: String, _ value: Value, _ type: TypeReference) throws(MetadataError)
        -> UInt128?
    {
        guard try types.definition(type).ident == "Junction", case .variant(let index, let values) = value
        else { return nil }
        let variant = try types.variant(index, of: type)
        return variant.name.utf8Equals(name) && values.count == 1 ? values[0].number : nil
    }

    private func id(_ value: Value, _ type: TypeReference) throws(MetadataError) -> ExactText {
        if let number = value.number { return ExactText(String(number)) }
        do throws(ValueError) {
            return ExactText("0x" + Hex.encode(try ValueEncoder.encode(value, type, types: types)))
        } catch {
            return Notice.unnamedAsset
        }
    }
}
