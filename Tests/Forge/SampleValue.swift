import Metadata

extension TypeView {
    /// The bytes of a value of a type: one item in each list, the second variant of an Option, the first of
    /// any other enumeration, the latest version of what has versions.
    public func sample(_ type: TypeReference, depth: Int = 0) throws -> [UInt8] {
        let definition = try definition(type)
        switch definition.shape {
        case .primitive(let primitive):
            if primitive == .str { return [4, 0x61] }
            return [1] + [UInt8](repeating: 0, count: (primitive.width ?? 1) - 1)
        case .compact(let inner): return try compactInteger(inner) == nil ? [] : [4]
        case .bits: return [4, 1]
        case .composite(let fields): return try fields.flatMap { try sample($0.type, depth: depth + 1) }
        case .tuple(let elements): return try elements.flatMap { try sample($0, depth: depth + 1) }
        case .array(let count, let element):
            return try (0..<count).flatMap { _ in try sample(element, depth: depth + 1) }
        case .sequence(let element): return try [4] + sample(element, depth: depth + 1)
        case .enumeration:
            guard case .id(let id) = type, depth < 12 else { return [0] }
            let variants = try registry.variants(of: id).sorted { $0.index < $1.index }
            let isLast = definition.ident == "Option" || definition.ident.hasPrefix("Versioned")
            guard let variant = isLast ? variants.last : variants.first else { return [] }
            return try [variant.index] + variant.fields.flatMap { try sample($0.type, depth: depth + 1) }
        }
    }
}
