import SCALE

/// The registry of metadata version 14 and later: an index of offsets over the blob. A definition is read
/// when it is asked for.
///
/// Source: scale-info `PortableRegistry`, as frame-metadata encodes it.
public struct PortableRegistry: TypeRegistry {
    let blob: [UInt8]
    /// Where the definition of each id starts, as an offset in the blob; types stand in the order of their
    /// ids.
    let offsets: [UInt32]
    /// Definitions that the blob does not hold, numbered after it.
    private var added: [(TypeDefinition, [Variant])] = []

    init(reading reader: inout SCALEReader) throws(MetadataError) {
        blob = reader.bytes
        var offsets: [UInt32] = []
        let count = try located("types") { () throws(SCALEError) in try reader.count(minimumElementSize: 5) }
        guard count <= MetadataLimits.types else { throw MetadataError(.limit(.types), place: "types") }
        offsets.reserveCapacity(count)
        for index in 0..<UInt32(count) {
            let id = try located("types.\(index)") { () throws(SCALEError) in try reader.compact() }
            guard id == index else { throw MetadataError(.misplacedType(index), place: "types.\(index)") }
            offsets.append(UInt32(reader.offset))
            try located("types.\(index)") { () throws(SCALEError) in try reader.skipType() }
        }
        self.offsets = offsets
    }

    /// Types of the blob and types added to it.
    public var count: Int { offsets.count + added.count }

    /// Version 15 and later, for which RFC-0078 defines the hash.
    public var mayHaveProof: Bool { blob[4] >= 15 }

    /// Adds an enumeration that the blob does not hold and returns its reference.
    mutating func add(_ definition: TypeDefinition, variants: [Variant]) -> TypeReference {
        added.append((definition, variants))
        return .id(UInt32(count - 1))
    }

    private func reader(_ id: UInt32) throws(MetadataError) -> SCALEReader {
        guard id < offsets.count else { throw MetadataError(.unknownType(id), place: "types.\(id)") }
        return SCALEReader(blob, range: Int(offsets[Int(id)])..<blob.count)
    }

    private func added(_ id: UInt32) -> (TypeDefinition, [Variant])? {
        let index = Int(id) - offsets.count
        return added.indices.contains(index) ? added[index] : nil
    }

    /// Reads the definition of a type with its docs, but without its variants.
    /// - Throws: ``MetadataError/Reason/unknownType(_:)``, ``MetadataError/Reason/malformedType(_:)`` or a
    ///   limit.
    public func definition(of id: UInt32) throws(MetadataError) -> TypeDefinition {
        if let known = added(id) { return known.0 }
        var reader = try reader(id)
        return try definition(id, &reader)
    }

    private func definition(_ id: UInt32, _ reader: inout SCALEReader) throws(MetadataError) -> TypeDefinition
    {
        let place = "types.\(id)"
        let (path, parameters) = try located(place) { () throws(SCALEError) in
            (try reader.strings(), try reader.typeParameters())
        }
        let shape = try shape(id, &reader)
        let docs = try located(place) { () throws(SCALEError) in try reader.docs() }
        return TypeDefinition(path: path, parameters: parameters, shape: shape, docs: docs)
    }

    private func shape(_ id: UInt32, _ reader: inout SCALEReader) throws(MetadataError)
        -> TypeDefinition.Shape
    {
        let place = "types.\(id)"
        let kind = try located(place) { () throws(SCALEError) in try reader.u8() }
        switch kind {
        case 0: return .composite(try fields(place, &reader))
        case 1:
            try located(place) { () throws(SCALEError) in
                try reader.skipVector(minimumElementSize: 4) { (reader) throws(SCALEError) in
                    try reader.skipVariant()
                }
            }
            return .enumeration
        case 2: return .sequence(try located(place) { () throws(SCALEError) in try reader.typeID() })
        case 3:
            return try located(place) { () throws(SCALEError) in
                .array(count: try reader.integer(), try reader.typeID())
            }
        case 4:
            let elements = try located(place) { () throws(SCALEError) in
                try reader.vector { (reader) throws(SCALEError) in try reader.typeID() }
            }
            guard elements.count <= MetadataLimits.fields else {
                throw MetadataError(.limit(.fields), place: place)
            }
            return .tuple(elements)
        case 5:
            let byte = try located(place) { () throws(SCALEError) in try reader.u8() }
            guard let primitive = PrimitiveType(rawValue: byte) else {
                throw MetadataError(.malformedType(id), place: place)
            }
            return .primitive(primitive)
        case 6: return .compact(try located(place) { () throws(SCALEError) in try reader.typeID() })
        case 7:
            let (store, order) = try located(place) { () throws(SCALEError) in
                (try reader.typeID(), try reader.typeID())
            }
            return try bits(id, store: store, order: order)
        default: throw MetadataError(.malformedType(id), place: place)
        }
    }

    private func fields(_ place: String, _ reader: inout SCALEReader) throws(MetadataError) -> [Field] {
        var ahead = reader
        let count = try located(place) { () throws(SCALEError) in try ahead.count() }
        guard count <= MetadataLimits.fields else { throw MetadataError(.limit(.fields), place: place) }
        return try located(place) { () throws(SCALEError) in
            try reader.vector { (reader) throws(SCALEError) in try reader.field() }
        }
    }

    private func bits(_ id: UInt32, store: TypeReference, order: TypeReference) throws(MetadataError)
        -> TypeDefinition.Shape
    {
        let fault = MetadataError(.malformedType(id), place: "types.\(id)")
        // Neither part may be this type again, nor any other that asks for further types: both are leaves.
        guard case .id(let storeID) = store, case .id(let orderID) = order, storeID != id, orderID != id
        else { throw fault }
        guard case .primitive(let word) = try leaf(storeID, fault).shape, let width = word.width,
            word.isUnsigned, width <= 8
        else {
            throw fault
        }
        switch try leaf(orderID, fault).ident {
        case "Lsb0": return .bits(storeBytes: width, leastSignificantFirst: true)
        case "Msb0": return .bits(storeBytes: width, leastSignificantFirst: false)
        default: throw fault
        }
    }

    private func leaf(_ id: UInt32, _ fault: MetadataError) throws(MetadataError) -> TypeDefinition {
        var reader = try reader(id)
        var ahead = reader
        let kind = try located(fault.place) { () throws(SCALEError) in
            try ahead.skipStrings()
            _ = try ahead.typeParameters()
            return try ahead.u8()
        }
        guard kind != 7 else { throw fault }
        return try definition(id, &reader)
    }

    /// Reads one variant; those in front of it are passed over.
    /// - Throws: ``MetadataError/Reason/unknownVariant(_:)``, or ``MetadataError/Reason/duplicateIndex(_:)``
    ///   for two with that index.
    public func variant(_ index: UInt8, of id: UInt32) throws(MetadataError) -> Variant {
        let place = "types.\(id)"
        if let known = added(id) {
            guard let variant = known.1.first(where: { $0.index == index }) else {
                throw MetadataError(.unknownVariant(index), place: place)
            }
            return variant
        }
        var reader = try reader(id)
        let found = try located(place) { () throws(SCALEError) in try reader.variants(numbered: index) }
        guard found.count <= 1 else { throw MetadataError(.duplicateIndex(index), place: place) }
        guard let start = found.first else { throw MetadataError(.unknownVariant(index), place: place) }
        var variant = SCALEReader(blob, range: start..<blob.count)
        let name = try located(place) { () throws(SCALEError) in try variant.string() }
        let fields = try fields(place, &variant)
        return try located(place) { () throws(SCALEError) in
            Variant(name: name, index: try variant.u8(), fields: fields, docs: try variant.docs())
        }
    }

    /// Every variant of an enumeration, in the order of the metadata.
    public func variants(of id: UInt32) throws(MetadataError) -> [Variant] {
        if let known = added(id) { return known.1 }
        var reader = try reader(id)
        return try located("types.\(id)") { () throws(SCALEError) in
            try reader.skipStrings()
            _ = try reader.typeParameters()
            guard try reader.u8() == 1 else { return [] }
            return try reader.vector(minimumElementSize: 4) { (reader) throws(SCALEError) in
                let name = try reader.string()
                let fields = try reader.vector { (reader) throws(SCALEError) in try reader.field() }
                return Variant(name: name, index: try reader.u8(), fields: fields, docs: try reader.docs())
            }
        }
    }
}
