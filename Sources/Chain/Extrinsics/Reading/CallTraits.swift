import Cards
import Metadata
import SubstratePrimitives

/// What a call's arguments are, by their names and types, determined once for each call.
struct CallTraits {
    /// By the name of the call alone; the pallet may add one.
    let warning: Warning?
    /// Indices of arguments that name an asset.
    let assets: [Int]
    /// Indices of arguments that are the hash of a call.
    let hashes: [Int]
    /// Indices of byte vectors that hold a call.
    let opaqueCalls: [Int]
    /// Indices of lists of calls.
    let callLists: [Int]
    /// Whether calls inside run in the name of the sender, as those of a batch do; any other call may give
    /// them another origin.
    let keepsSender: Bool
    /// Whether any other argument has a meaning beside its literal value.
    let hasMeaning: Bool

    /// Words in the type name of an argument that names an asset.
    private static let assetWords = ["AssetId", "AssetKind", "CurrencyId", "TokenId", "MultiAsset"]
    private static let meaningfulNames: Set<ExactText> = ["real", "other_signatories", "call", "index"]

    init(_ variant: Variant, types: TypeView, callType: TypeReference) throws(MetadataError) {
        warning = Warning.of(call: variant.name)
        var (assets, hashes, opaqueCalls, callLists): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
        for (index, field) in variant.fields.enumerated() {
            let name = field.name ?? ""
            let typeName = field.typeName.flatMap { TypeName.isReadable($0) ? $0 : nil } ?? ""
            if Self.assetWords.contains(where: { typeName.utf8Contains($0) }) { assets.append(index) }
            if name == "call_hash" || name == "proposal_hash" || typeName.utf8Contains("CallHash") {
                hashes.append(index)
            }
            if typeName.utf8Contains("OpaqueCall") { opaqueCalls.append(index) }
            if case .sequence(let element) = try types.definition(field.type).shape, element == callType {
                callLists.append(index)
            }
        }
        (self.assets, self.hashes, self.opaqueCalls, self.callLists) = (
            assets, hashes, opaqueCalls, callLists
        )
        keepsSender = !callLists.isEmpty || variant.name == "if_else"
        hasMeaning =
            warning != nil
            || variant.fields.contains { Self.meaningfulNames.contains(ExactText($0.name ?? "")) }
    }
}
