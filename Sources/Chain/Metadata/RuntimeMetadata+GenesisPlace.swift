extension RuntimeMetadata {
    /// Numbers of bytes that can follow the genesis hash in the bytes that are signed for this runtime.
    ///
    /// A signature covers the call, the explicit parts and the implicit parts of all extensions, in this
    /// order. What follows the genesis hash are the implicit parts of the extensions behind CheckGenesis; a
    /// part of several sizes (an option) gives several numbers. Empty when no extension has a genesis hash of
    /// 32 bytes, or when a part behind it has no bound (a vector), which no runtime examined has.
    public var bytesBehindGenesis: Set<Int> {
        let items = extrinsic.extensions
        var ends: Set<Int> = []
        var sizes = EncodedSizes(types: TypeView(registry))
        for (index, item) in items.enumerated()
        where TransactionExtension.role(of: item, in: registry) == .genesis {
            guard sizes.sizes(of: item.implicit) == [32] else { continue }
            ends.formUnion(sizes.sum(items[(index + 1)...].map(\.implicit)) ?? [])
        }
        return ends
    }
}

/// The sizes in bytes that values of a type can have.
struct EncodedSizes {
    let types: TypeView
    /// The maximum number of sizes computed for one type: far more than the extensions of a runtime have.
    static let limit = 256
    private var depth = 0
    /// Sizes of types that were computed: types may hold each other many times over. A type without a bound
    /// ends the computation and is not kept.
    private var known: [UInt32: Set<Int>] = [:]

    init(types: TypeView) { self.types = types }

    /// nil for a type without a bound, with too many sizes, or without a definition.
    mutating func sizes(of reference: TypeReference) -> Set<Int>? {
        guard case .id(let id) = reference else { return computed(of: reference) }
        if let sizes = known[id] { return sizes }
        let sizes = computed(of: reference)
        known[id] = sizes
        return sizes
    }

    private mutating func computed(of reference: TypeReference) -> Set<Int>? {
        guard depth < MetadataLimits.nesting, let definition = try? types.definition(reference) else {
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        switch definition.shape {
        case .composite(let fields): return sum(fields.map(\.type))
        case .tuple(let elements): return sum(elements)
        case .enumeration: return enumeration(reference)
        case .array(let count, let element): return array(count: Int(count), of: element)
        case .primitive(let primitive): return primitive.width.map { [$0] }
        case .compact(let inner): return compact(inner)
        case .sequence, .bits: return nil
        }
    }

    /// The sizes of values that stand one after the other.
    mutating func sum(_ references: [TypeReference]) -> Set<Int>? {
        var total: Set<Int> = [0]
        for reference in references {
            guard let sizes = sizes(of: reference) else { return nil }
            total = Set(total.flatMap { before in sizes.map { before + $0 } })
            guard total.count <= Self.limit else { return nil }
        }
        return total
    }

    private mutating func enumeration(_ reference: TypeReference) -> Set<Int>? {
        guard case .id(let id) = reference, let variants = try? types.registry.variants(of: id),
            !variants.isEmpty
        else { return nil }
        var all: Set<Int> = []
        for variant in variants {
            guard let sizes = sum(variant.fields.map(\.type)) else { return nil }
            all.formUnion(sizes.map { $0 + 1 })
            guard all.count <= Self.limit else { return nil }
        }
        return all
    }

    private mutating func array(count: Int, of element: TypeReference) -> Set<Int>? {
        guard let sizes = sizes(of: element) else { return nil }
        if let size = sizes.first, sizes.count == 1 {
            let product = size.multipliedReportingOverflow(by: count)
            return product.overflow ? nil : [product.partialValue]
        }
        guard count <= Self.limit else { return nil }
        var total: Set<Int> = [0]
        for _ in 0..<count {
            total = Set(total.flatMap { before in sizes.map { before + $0 } })
            guard total.count <= Self.limit else { return nil }
        }
        return total
    }

    /// One, two or four bytes, then a length byte and at least four bytes.
    private func compact(_ inner: TypeReference) -> Set<Int>? {
        let integer: PrimitiveType?
        do throws(MetadataError) {
            integer = try types.compactInteger(inner)
        } catch {
            return nil
        }
        guard let width = integer?.width else { return [0] }
        return Set(
            [1, 2, 4].filter { $0 <= max(2 * width, 2) } + (width >= 4 ? (5...(width + 1)).map { $0 } : []))
    }
}
