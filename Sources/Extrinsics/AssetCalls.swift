import Hashing
import Metadata
import SubstratePrimitives

/// Whose smallest unit an amount is in.
enum AssetContext: Equatable {
    case native
    case known(AssetUnit)
    /// The text of the asset's id.
    case unknown(String)
}

extension CardBuilder {
    /// An amount beside an argument that names an asset is of that asset, whatever its own type says.
    func assetContext(_ call: Variant, _ traits: CallTraits, _ values: [Value], pallet: String) throws(MetadataError) -> AssetContext {
        guard let place = traits.assets.first else { return .native }
        guard traits.assets.count == 1 else { return .unknown("?") }
        return unit(of: .pallet(pallet, id: try id(values[place], call.fields[place].type)))
    }

    /// The amount of an XCM asset is in the unit of the location that stands beside it.
    func assetHint(_ fields: [Field], _ values: [Value], _ hint: Hint) throws(MetadataError) -> Hint {
        guard let place = fields.firstIndex(where: { $0.name == "id" }), fields.contains(where: { $0.name == "fun" }) else { return hint }
        var inner = hint
        inner.asset = unit(of: .location(try id(values[place], fields[place].type)))
        return inner
    }

    private func unit(of key: AssetKey) -> AssetContext {
        context.assets?.unit(of: key).map { .known($0) } ?? .unknown(key.id)
    }

    private func id(_ value: Value, _ type: TypeReference) throws(MetadataError) -> String {
        if let number = value.number { return String(number) }
        do throws(ValueError) {
            return "0x" + Hex.encode(try ValueEncoder.encode(value, type, types: types))
        } catch {
            return "?"
        }
    }
}
