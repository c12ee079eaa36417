import Cards
import Metadata
import SubstratePrimitives

/// Calls, by the names of pallet and call.
extension CardRebuilder {
    mutating func call(_ line: String, _ type: TypeReference, _ definition: TypeDefinition, _ indent: Int)
        throws
    {
        guard let pallet = try variant(line, of: type, definition),
            try judge.isOuterCall(type, definition, pallet, callType: callType)
        else { throw reader.mismatch }
        try reader.take(.pallet, indent)
        reader.state([pallet.index])
        let calls = pallet.fields[0].type
        guard let name = reader.line(.call, indent + 1), let variant = try callVariant(name, of: calls) else {
            throw reader.mismatch
        }
        try reader.take(.call, indent + 1)
        reader.state([variant.index])
        let units = try knownUnits(of: variant, pallet: pallet.name, indent + 2)
        for (index, field) in variant.fields.enumerated() {
            let inner = try Hint(
                argument: field, of: variant, pallet: pallet.name, on: reader.specs.genesisHash, units, types)
            try fields([field.named(index, of: variant.fields.count)], indent + 2, inner)
        }
    }

    /// The card of a call says the variant's own name.
    private mutating func callVariant(_ name: String, of type: TypeReference) throws -> Variant? {
        guard case .id(let id) = type else { return nil }
        if calls[id] == nil {
            calls[id] = Self.byText(try types.variants(of: id).map { (ExactText($0.name), $0) })
        }
        return calls[id]?[ExactText(name)]
    }

    private mutating func knownUnits(of call: Variant, pallet: String, _ indent: Int) throws -> CallUnits {
        let here = reader.position
        if let known = units[here] { return known }
        let found = try units(of: call, pallet: pallet, indent)
        units[here] = found
        return found
    }

    /// The assets of the amounts among the arguments of a call. The argument that names them may follow them,
    /// so it is read ahead.
    private mutating func units(of call: Variant, pallet: String, _ indent: Int) throws -> CallUnits {
        let traits = try caches.traits(of: call, types: types, callType: callType)
        guard let index = traits.assets.first else { return CallUnits(nil) }
        guard context.assets != nil, traits.assets.count == 1 else { return CallUnits(.unnamed) }
        let start = reader.mark
        if call.fields.count > 1 {
            for _ in 0..<index { reader.skip() }
        }
        let field = call.fields[index].named(index, of: call.fields.count)
        try fields([field], indent, Hint())
        let value = try reader.value(field.type, since: start)
        reader.rewind(to: start)
        var values = [Value](repeating: .record([]), count: call.fields.count)
        values[index] = value
        return try AssetReader(types: types, context: context).units(of: call, traits, values, pallet: pallet)
    }
}
