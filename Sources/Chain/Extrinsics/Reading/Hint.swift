import Cards
import Metadata
import SubstratePrimitives

/// What the context of a value says about it: the name of its type, and the asset of its amounts. Building
/// cards and rebuilding bytes use it alike.
struct Hint {
    /// The type as the runtime's source spells it.
    var typeName: TypeName?
    /// The asset of the amounts.
    var asset = AssetContext.unnamed
    /// How many XCM instructions the value stands in; one more in a message that another chain executes.
    var instructions = 0
    /// Whether it is who receives something at the destination that the call names.
    var isBeneficiary = false
    /// What the argument is that the value stands in; nil where no table says it.
    var meaning: ArgumentMeaning?
    /// What tables say of the argument's parts; nil inside of a part.
    private var parts: [ExactText: ArgumentMeaning]?
    /// Whether the value is a part of the argument, and no table says what the part is.
    private var isUnknownPart = false
    /// Whether the field that comes next is the argument itself.
    private var isBeforeArgument = false
    /// Whether the value is part of an XCM asset's id.
    var isAsset = false
    /// Whether bytes here are a call or the hash of one. Either the call stands below, or it counts as
    /// hidden.
    var isCall = false
    /// Whether the value is part of a location that was judged as a whole.
    var isInLocation = false
    /// Whether the argument names the asset of the amounts beside it.
    private(set) var namesAsset = false

    /// Whether the value is for another chain. A location then names a place on that chain, and the asset
    /// lists of this network do not have it.
    var isElsewhere: Bool { instructions > 1 || isBeneficiary }

    /// Whether a table says what a number here is, if it is not an amount.
    var explainsNumbers: Bool {
        switch meaning {
        case .identifier, .count, .time, .weight, .choice, .hash, .data, .key: !isUnknownPart
        case .route, .asset, .beneficiary: isInLocation
        case .rate, .wei, .native, nil: false
        }
    }

    /// Whether it is known what a variant without fields means here. A row that says what an argument is says
    /// it of all its variants: who wrote it saw them all. A part that has a row of its own has that one.
    var explainsChoices: Bool {
        switch meaning {
        case .identifier, .count, .time, .weight, .choice, .hash, .data, .key, .route, .asset, .beneficiary:
            true
        case .rate, .wei, .native, nil: isAsset || isInLocation || namesAsset
        }
    }

    /// Whether an integer of 256 bits is an amount in wei.
    var isWei: Bool { meaning == .wei && !isUnknownPart }

    /// Whether it is known what bytes here are, so that they name no recipient.
    var explainsBytes: Bool {
        switch meaning {
        case .identifier, .count, .time, .weight, .choice, .hash, .data, .key: true
        case .rate, .route, .asset, .beneficiary, .wei, .native, nil: isAsset || isInLocation || isCall
        }
    }

    /// The position of the value, without its type and its asset.
    var place: Hint {
        var hint = Hint()
        (hint.meaning, hint.isAsset, hint.isInLocation) = (meaning, isAsset, isInLocation)
        (hint.parts, hint.isUnknownPart, hint.namesAsset) = (parts, isUnknownPart, namesAsset)
        return hint
    }

    /// The hint for one of several parts, or for a part with a name. The meaning of an argument does not tell
    /// the meaning of its parts: one may be an amount and another how often it is paid.
    private func part(_ name: String?, of count: Int) -> Hint {
        var hint = self
        if isBeforeArgument {
            hint.isBeforeArgument = false
        } else if count > 1 || name != nil {
            let known = name.flatMap { parts?[ExactText($0)] }
            (hint.meaning, hint.isUnknownPart, hint.parts) = (known ?? meaning, known == nil, nil)
        }
        return hint
    }

    /// This hint with another type name.
    func named(_ name: TypeName?) -> Hint {
        var hint = self
        hint.typeName = name
        return hint
    }
}

/// What the context of a value says about a part of it.
extension Hint {
    /// The hint for one field. A wrapper keeps the type name of its user if its own field's type name says
    /// nothing about amounts.
    func field(_ field: Field, of count: Int, _ caches: CardCaches) -> Hint {
        let isWrapper = count == 1 && field.name == nil
        let hint = part(field.name, of: count)
        if isWrapper, typeName?.isBalance == true { return hint }
        let own = field.typeName.flatMap { caches.typeName($0) }
        // The context names the type itself, which says more than a type parameter.
        if isWrapper, typeName != nil, own?.isParameter == true { return hint }
        return hint.named(own ?? (count == 1 ? typeName : nil))
    }

    /// The hint for a part of an extension that is shown by its type. A tip is in the chain's own token,
    /// whatever pays it: the chain converts. Source: paritytech/polkadot-sdk,
    /// `substrate/frame/transaction-payment`.
    init(extension role: TransactionExtension.Role?) {
        switch role {
        case .tip, .assetTip: asset = .native
        case .specVersion, .txVersion, .genesis, .era, .nonce, .metadataHash, nil: break
        }
    }

    /// The hint for an element of a tuple.
    func element(_ index: Int, of count: Int) -> Hint {
        part(nil, of: count).named(typeName?.element(index, of: count))
    }

    /// The hint for an item of a list, and for the content of an Option.
    var item: Hint { named(typeName?.argument) }

    /// The hint for the fields of a variant.
    func variant(_ reading: VariantReading, of definition: TypeDefinition) -> Hint {
        var hint: Hint =
            switch reading {
            case .parameter: named(typeName?.argument)
            // The amount of an XCM asset has no type name of its own.
            case .amount: named(.balance)
            // `Some` with its name shown is still an Option.
            case .content: named(typeName?.argument)
            case .plain, .unusual, .nothing, .era, .account, .junction, .text: named(nil)
            }
        if definition.ident == "Instruction" { hint.instructions += 1 }
        return hint
    }

    /// The hint for an argument of a call. Only `execute` runs its message here; any other message is for
    /// another chain. Beside a destination `dest`, the `beneficiary` is a location as the destination sees
    /// it. Source: paritytech/polkadot-sdk, `polkadot/xcm/pallet-xcm`.
    init(
        argument field: Field, of call: Variant, pallet: String, on genesis: GenesisHash, _ units: CallUnits,
        _ types: TypeView
    ) throws(MetadataError) {
        let name = field.name ?? ""
        let isNative = ArgumentMeaning.isNative(
            pallet: pallet, call: call.name, argument: name, on: genesis)
        asset = units.asset(of: field) ?? (isNative ? .native : .unnamed)
        meaning = ArgumentMeaning.of(pallet: pallet, call: call.name, argument: name)
        parts = ArgumentMeaning.parts(pallet: pallet, call: call.name, argument: name)
        isBeforeArgument = true
        if try types.definition(field.type).isProgram, !call.name.utf8.elementsEqual("execute".utf8) {
            instructions = 1
        }
        namesAsset = CallTraits.namesAsset(field)
        isBeneficiary = field.name == "beneficiary" && call.fields.contains { $0.name == "dest" }
    }
}

extension ShapeJudge {
    /// The fixed-point format that the context spells for an integer of its width.
    func fraction(of type: TypeReference, _ hint: Hint) throws(MetadataError) -> Fraction? {
        guard let format = hint.typeName?.fraction, try integer(type) == format.integer else { return nil }
        return format
    }
}

extension TypeDefinition {
    /// Whether it is a program of XCM.
    var isProgram: Bool { ident == "VersionedXcm" || ident == "Xcm" }

    /// Whether it names an asset in XCM: by a location, or by bytes in its older versions.
    var isAssetID: Bool { ident == "AssetId" && path.first?.utf8Contains("xcm") == true }
}
