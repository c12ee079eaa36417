import Metadata
import SubstratePrimitives

/// How a type is shown, determined once for each type.
enum TypeTrait {
    case account(length: Int)
    case flags, vote
    case fraction(Fraction)
    /// An XCM asset: an id, which is a location, and an amount.
    case xcmAsset
    case xcmLocation
    /// The encoded call of an XCM Transact, of this chain or another: nothing tells which.
    case encodedCall
    /// It has the name of a special reading but another shape: shown by its parts.
    case unusual
    case none
}

/// What a call's arguments are, by their names and types, determined once for each call.
struct CallTraits {
    let warning: Warning?
    /// Indices of arguments that name an asset.
    let assets: [Int]
    /// Indices of arguments that are the hash of a call.
    let hashes: [Int]
    /// Indices of byte vectors that hold a call.
    let opaqueCalls: [Int]
    /// Indices of lists of calls.
    let callLists: [Int]
    /// Whether calls inside run in the name of the sender, as those of a batch do; any other call may give them another origin.
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
            if name == "call_hash" || name == "proposal_hash" || typeName.utf8Contains("CallHash") { hashes.append(index) }
            if typeName.utf8Contains("OpaqueCall") { opaqueCalls.append(index) }
            if case .sequence(let element) = try types.definition(field.type).shape, element == callType { callLists.append(index) }
        }
        (self.assets, self.hashes, self.opaqueCalls, self.callLists) = (assets, hashes, opaqueCalls, callLists)
        keepsSender = !callLists.isEmpty || variant.name == "if_else"
        hasMeaning = warning != nil || variant.fields.contains { Self.meaningfulNames.contains(ExactText($0.name ?? "")) }
    }
}

/// What is worked out once for all values of one decode.
final class CardCaches {
    private var traits: [ObjectIdentifier: TypeTrait] = [:]
    private var calls: [ObjectIdentifier: CallTraits] = [:]
    private var names: [ExactText: TypeName?] = [:]
    var addresses: [ByteKey: String] = [:]
    /// Addresses that are kept; more would only cost memory.
    static let addressLimit = 1024

    func trait(of definition: TypeDefinition, _ judge: ShapeJudge) throws(MetadataError) -> TypeTrait {
        if let known = traits[ObjectIdentifier(definition)] { return known }
        let trait = try judge.trait(definition)
        traits[ObjectIdentifier(definition)] = trait
        return trait
    }

    func traits(of call: Variant, types: TypeView, callType: TypeReference) throws(MetadataError) -> CallTraits {
        if let known = calls[ObjectIdentifier(call)] { return known }
        let traits = try CallTraits(call, types: types, callType: callType)
        calls[ObjectIdentifier(call)] = traits
        return traits
    }

    /// nil for a name that says nothing.
    func typeName(_ spelled: String) -> TypeName? {
        guard spelled.utf8.count <= TypeName.maximumLength else { return nil }
        let key = ExactText(spelled)
        if let known = names[key] { return known }
        let name = TypeName(spelled)
        names[key] = .some(name)
        return name
    }
}
