import Metadata

/// Which calls move tokens other than the chain's own.
enum AssetCalls {
    /// Words in the type name of an argument that names an asset.
    private static let words = ["AssetId", "AssetKind", "CurrencyId", "TokenId", "MultiAsset"]

    /// An amount beside an argument that names an asset is of that asset, whatever its own type says.
    static func amountsAreNative(in call: Variant, of type: TypeDefinition) -> Bool {
        !call.fields.contains { field in
            guard let name = field.typeName else { return false }
            return words.contains { name.contains($0) }
        }
    }
}
