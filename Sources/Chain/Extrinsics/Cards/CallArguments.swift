import Metadata
import SubstratePrimitives

/// The arguments of a call by name.
struct CallArguments {
    let fields: [(Field, Value)]

    init(_ variant: Variant, _ values: [Value]) { fields = Array(zip(variant.fields, values)) }

    subscript(_ name: String) -> Value? { field(name)?.1 }

    func field(_ name: String) -> (Field, Value)? { fields.first { $0.0.name.utf8Equals(name) } }
}
