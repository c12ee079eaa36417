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
    /// Words in the type name of an argument that names an asset.
    private static let assetWords = ["AssetId", "AssetKind", "CurrencyId", "TokenId", "MultiAsset"]

    /// An amount beside an argument that names an asset is of that asset, whatever its own type says.
    func assetContext(_ call: Variant, _ values: [Value], pallet: String) throws(MetadataError) -> AssetContext {
        var found: [(Field, Value)] = []
        for (field, value) in zip(call.fields, values) {
            guard let name = field.typeName, Self.assetWords.contains(where: { name.contains($0) }) else { continue }
            found.append((field, value))
        }
        guard let (field, value) = found.first else { return .native }
        guard found.count == 1 else { return .unknown("?") }
        return unit(of: .pallet(pallet, id: try id(value, field.type)))
    }

    /// The amount of an XCM asset is in the unit of the location that stands beside it.
    func assetHint(_ definition: TypeDefinition, _ fields: [Field], _ values: [Value], _ hint: Hint) throws(MetadataError) -> Hint {
        guard ["Asset", "MultiAsset"].contains(definition.ident), definition.path.first?.contains("xcm") == true,
            let place = fields.firstIndex(where: { $0.name == "id" }), fields.contains(where: { $0.name == "fun" })
        else { return hint }
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
