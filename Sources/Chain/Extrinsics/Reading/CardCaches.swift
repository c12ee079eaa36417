import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// What is worked out once for all values of one decode.
final class CardCaches {
    private var traits: [ObjectIdentifier: TypeTrait] = [:]
    private var calls: [ObjectIdentifier: CallTraits] = [:]
    private var names: [ExactText: TypeName?] = [:]
    /// By pallet and constant.
    private var bounds: [ExactText: [ExactText: UInt128?]] = [:]

    func trait(of definition: TypeDefinition, _ judge: ShapeJudge) throws(MetadataError) -> TypeTrait {
        if let known = traits[ObjectIdentifier(definition)] { return known }
        let trait = try judge.trait(definition)
        traits[ObjectIdentifier(definition)] = trait
        return trait
    }

    /// The format of what a compact wraps; where a proof shows it too, the context spells it or nothing does.
    func fraction(inside compact: TypeReference, _ judge: ShapeJudge) throws(MetadataError) -> Fraction? {
        guard !judge.showsAsProof,
            case .fraction(let format) = try trait(of: try judge.types.definition(compact), judge)
        else {
            return nil
        }
        return format
    }

    func traits(of call: Variant, types: TypeView, callType: TypeReference) throws(MetadataError)
        -> CallTraits
    {
        if let known = calls[ObjectIdentifier(call)] { return known }
        let traits = try CallTraits(call, types: types, callType: callType)
        calls[ObjectIdentifier(call)] = traits
        return traits
    }

    /// The value of a pallet's constant that bounds a length; nil where nothing says it.
    func bound(_ constant: String, of pallet: String, _ context: DecodingContext) -> UInt128? {
        guard let metadata = context.bounds else { return nil }
        if let known = bounds[ExactText(pallet)]?[ExactText(constant)] { return known }
        let bound = (try? metadata.number(of: constant, in: pallet)) ?? nil
        bounds[ExactText(pallet), default: [:]][ExactText(constant)] = .some(bound)
        return bound
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

/// Accounts as a person reads them, each worked out once.
final class AddressTexts {
    private let prefix: UInt16
    private var known: [ByteKey: AccountAddress] = [:]
    /// Addresses that are kept; more would only cost memory.
    static let limit = 1024

    init(prefix: UInt16) { self.prefix = prefix }

    func address(_ account: [UInt8]) -> AccountAddress {
        let key = ByteKey(account)
        if let address = known[key] { return address }
        let address = AccountAddress(account, prefix: prefix)
        if known.count < Self.limit { known[key] = address }
        return address
    }

    func text(_ account: [UInt8]) -> String { address(account).text.text }
}

/// Bytes as a key. They are hashed in one run; an array hashes them one by one.
struct ByteKey: Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// How a type is shown, determined once for each type.
enum TypeTrait {
    case account(length: Int)
    case flags, vote
    case fraction(Fraction)
    /// An integer of 256 bits in four words.
    case wide
    /// An XCM asset: an id, which is a location, and an amount.
    case xcmAsset
    case xcmLocation
    /// The encoded call of an XCM Transact, for this chain or another: which one cannot be inferred.
    case encodedCall
    /// A set, or a map from keys, that the runtime holds in ascending order.
    case ordered(isMap: Bool)
    /// It has the name of a special reading but another shape: shown by its parts.
    case unusual
    case none
}

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
    /// Whether nested calls run in the name of the sender, as in a batch. Other calls may give them another
    /// origin.
    let keepsSender: Bool
    /// Whether any other argument has a meaning beside its literal value.
    let hasMeaning: Bool

    /// Words in the type name of an argument that names an asset.
    private static let assetWords = ["AssetId", "AssetKind", "CurrencyId", "TokenId", "MultiAsset"]
    private static let meaningfulNames: Set<ExactText> = ["real", "other_signatories", "call", "index"]

    private static func typeName(of field: Field) -> String {
        field.typeName.flatMap { TypeName.isReadable($0) ? $0 : nil } ?? ""
    }

    static func namesAsset(_ field: Field) -> Bool {
        let typeName = typeName(of: field)
        return assetWords.contains { typeName.utf8Contains($0) }
    }

    init(_ variant: Variant, types: TypeView, callType: TypeReference) throws(MetadataError) {
        warning = Warning.of(call: variant.name)
        var (assets, hashes, opaqueCalls, callLists): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
        for (index, field) in variant.fields.enumerated() {
            let name = field.name ?? ""
            let typeName = Self.typeName(of: field)
            if Self.namesAsset(field) { assets.append(index) }
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
