import Metadata

/// How a type is shown, worked out once a type.
enum TypeTrait {
    case account, era, flags
    case fraction(Fraction)
    /// An XCM asset: an id, which is a location, and an amount.
    case xcmAsset
    case xcmLocation
    /// The encoded call of an XCM Transact, of this chain or another: nothing tells which.
    case encodedCall
    case none

    init(_ definition: TypeDefinition) {
        switch definition.ident {
        case "AccountId32", "AccountId20": self = .account
        case "Era": self = .era
        case "BitFlags": self = .flags
        case "Asset", "MultiAsset": self = definition.path.first?.contains("xcm") == true ? .xcmAsset : .none
        case "Location", "MultiLocation": self = .xcmLocation
        case "DoubleEncoded": self = .encodedCall
        case let ident: self = Fraction(ident: ident).map { .fraction($0) } ?? .none
        }
    }
}

/// What a call's arguments are, by their names and types, worked out once a call.
struct CallTraits {
    let warning: Warning?
    /// Places of arguments that name an asset.
    let assets: [Int]
    /// Places of arguments that are the hash of a call.
    let hashes: [Int]
    /// Places of byte vectors that hold a call.
    let opaqueCalls: [Int]
    /// Places of lists of calls.
    let callLists: [Int]
    /// Whether calls inside run in the name of the sender, as those of a batch do; any other call may give them another origin.
    let keepsSender: Bool
    /// Whether any other argument has a meaning beside its literal value.
    let hasMeaning: Bool

    /// Words in the type name of an argument that names an asset.
    private static let assetWords = ["AssetId", "AssetKind", "CurrencyId", "TokenId", "MultiAsset"]
    private static let meaningfulNames: Set<String> = ["real", "other_signatories", "call", "index"]

    init(_ variant: Variant, types: TypeView, callType: TypeReference) throws(MetadataError) {
        warning = Warning.of(call: variant.name)
        var (assets, hashes, opaqueCalls, callLists): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
        for (place, field) in variant.fields.enumerated() {
            let typeName = field.typeName ?? ""
            if Self.assetWords.contains(where: { typeName.contains($0) }) { assets.append(place) }
            if field.name == "call_hash" || field.name == "proposal_hash" || typeName.contains("CallHash") { hashes.append(place) }
            if typeName.contains("OpaqueCall") { opaqueCalls.append(place) }
            if case .sequence(let element) = try types.definition(field.type).shape, element == callType { callLists.append(place) }
        }
        (self.assets, self.hashes, self.opaqueCalls, self.callLists) = (assets, hashes, opaqueCalls, callLists)
        keepsSender = !callLists.isEmpty || variant.name == "if_else"
        hasMeaning = warning != nil || variant.fields.contains { Self.meaningfulNames.contains($0.name ?? "") }
    }
}

/// What is worked out once for all values of one decode.
struct CardCaches {
    var traits: [ObjectIdentifier: TypeTrait] = [:]
    var calls: [ObjectIdentifier: CallTraits] = [:]
    var names: [String: TypeName] = [:]
    var addresses: [[UInt8]: String] = [:]
    /// Addresses that are kept; more would only cost memory.
    static let addressLimit = 1024
}

extension CardBuilder {
    mutating func trait(of definition: TypeDefinition) -> TypeTrait {
        if let known = caches.traits[ObjectIdentifier(definition)] { return known }
        let trait = TypeTrait(definition)
        caches.traits[ObjectIdentifier(definition)] = trait
        return trait
    }

    mutating func traits(of call: Variant) throws(MetadataError) -> CallTraits {
        if let known = caches.calls[ObjectIdentifier(call)] { return known }
        let traits = try CallTraits(call, types: types, callType: callType)
        caches.calls[ObjectIdentifier(call)] = traits
        return traits
    }

    mutating func typeName(_ spelled: String) -> TypeName {
        if let known = caches.names[spelled] { return known }
        let name = TypeName(spelled)
        caches.names[spelled] = name
        return name
    }
}
