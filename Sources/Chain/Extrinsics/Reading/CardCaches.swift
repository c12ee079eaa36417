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
