import SCALE
import SubstratePrimitives

/// The order of the parts of metadata versions 14, 15 and 16 after the registry.
///
/// Source: paritytech/frame-metadata, `v14.rs`, `v15.rs`, `v16.rs`.
struct MetadataLayout {
    let version: UInt8

    private typealias Step = (inout SCALEReader) throws(SCALEError) -> Void

    func pallets(_ reader: inout SCALEReader) throws(MetadataError) -> [Pallet] {
        let count = try located("pallets") { () throws(SCALEError) in try reader.count(minimumElementSize: 6)
        }
        var pallets: [Pallet] = []
        var taken = Set<UInt8>()
        for index in 0..<count {
            let pallet = try located("pallets.\(index)") { () throws(SCALEError) in try self.pallet(&reader) }
            guard taken.insert(pallet.index).inserted else {
                throw MetadataError(.duplicateIndex(pallet.index), place: "pallets.\(pallet.name)")
            }
            pallets.append(pallet)
        }
        return pallets
    }

    private func pallet(_ reader: inout SCALEReader) throws(SCALEError) -> Pallet {
        let name = try reader.string()
        let storage = reader.offset
        try reader.skipOption { (reader) throws(SCALEError) in
            try reader.skipString()
            try reader.skipVector { (reader) throws(SCALEError) in _ = try storageEntry(&reader) }
        }
        let calls = try reader.option { (reader) throws(SCALEError) in try typeWithDeprecations(&reader) }
        let events = try reader.option { (reader) throws(SCALEError) in try typeWithDeprecations(&reader) }
        let constants = reader.offset
        try reader.skipVector { (reader) throws(SCALEError) in _ = try constant(&reader) }
        let errors = try reader.option { (reader) throws(SCALEError) in try typeWithDeprecations(&reader) }
        if version >= 16 {
            try reader.skipVector { (reader) throws(SCALEError) in try associatedType(&reader) }
            try reader.skipVector { (reader) throws(SCALEError) in try viewFunction(&reader) }
        }
        let index = try reader.u8()
        if version >= 15 { try reader.skipStrings() }
        try deprecation(&reader)
        return Pallet(
            name: name, index: index, calls: calls, events: events, errors: errors, constants: constants,
            storage: storage)
    }

    /// A storage entry: where its name and its hashers stand, and the types of its key and its value.
    func storageEntry(_ reader: inout SCALEReader) throws(SCALEError) -> (
        name: Range<Int>, hashers: Range<Int>, key: TypeReference?, value: TypeReference
    ) {
        let name = try reader.range(count: try reader.count())
        _ = try reader.u8()
        let kindOffset = reader.offset
        var (hashers, key): (Range<Int>, TypeReference?) = (kindOffset..<kindOffset, nil)
        switch try reader.u8() {
        case 0: break
        case 1:
            hashers = try reader.range(count: try reader.count())
            key = try reader.typeID()
        case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: kindOffset)
        }
        let value = try reader.typeID()
        try reader.skip(try reader.count())
        try reader.skipStrings()
        try deprecation(&reader)
        return (name, hashers, key, value)
    }

    private func typeWithDeprecations(_ reader: inout SCALEReader) throws(SCALEError) -> TypeReference {
        let type = try reader.typeID()
        guard version >= 16 else { return type }
        try reader.skipVector(minimumElementSize: 2) { (reader) throws(SCALEError) in
            _ = try reader.u8()
            try deprecation(&reader)
        }
        return type
    }

    /// A constant's name, type and where its value stands.
    func constant(_ reader: inout SCALEReader) throws(SCALEError) -> (
        name: String, type: TypeReference, value: Range<Int>
    ) {
        let name = try reader.string()
        let type = try reader.typeID()
        let value = try reader.range(count: try reader.count())
        try reader.skipStrings()
        try deprecation(&reader)
        return (name, type, value)
    }

    private func associatedType(_ reader: inout SCALEReader) throws(SCALEError) {
        try reader.skipString()
        _ = try reader.compactU32()
        try reader.skipStrings()
    }

    private func viewFunction(_ reader: inout SCALEReader) throws(SCALEError) {
        try reader.skip(32)
        try function(&reader)
    }

    private func function(_ reader: inout SCALEReader) throws(SCALEError) {
        try reader.skipString()
        try reader.skipVector(minimumElementSize: 2) { (reader) throws(SCALEError) in
            try reader.skipString()
            _ = try reader.compactU32()
        }
        _ = try reader.compactU32()
        try reader.skipStrings()
        try deprecation(&reader)
    }

    /// Version 16: 0 nothing, 1 without a note, 2 with a note and an optional version.
    private func deprecation(_ reader: inout SCALEReader) throws(SCALEError) {
        guard version >= 16 else { return }
        let start = reader.offset
        switch try reader.u8() {
        case 0, 1: return
        case 2:
            try reader.skipString()
            try reader.skipOption { (reader) throws(SCALEError) in try reader.skipString() }
        case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: start)
        }
    }

    // MARK: after the pallets

    func rest(
        _ reader: inout SCALEReader, registry: inout PortableRegistry, pallets: [Pallet]
    ) throws(MetadataError) -> ExtrinsicDefinition {
        let definition: ExtrinsicDefinition
        switch version {
        case 14:
            definition = try extrinsic14(&reader, registry: &registry, pallets: pallets)
            try located("runtime") { () throws(SCALEError) in _ = try reader.typeID() }
        case 15:
            definition = try extrinsic15(&reader)
            try located("runtime") { () throws(SCALEError) in _ = try reader.typeID() }
            try tail(&reader)
        default:
            definition = try extrinsic16(&reader)
        }
        try located("metadata") { () throws(SCALEError) in try reader.finish() }
        return definition
    }

    private func extensions(_ reader: inout SCALEReader) throws(SCALEError) -> [TransactionExtension] {
        try reader.vector(minimumElementSize: 3) { (reader) throws(SCALEError) in
            TransactionExtension(
                identifier: try reader.string(), explicit: try reader.typeID(), implicit: try reader.typeID())
        }
    }

    private func extrinsic14(
        _ reader: inout SCALEReader, registry: inout PortableRegistry, pallets: [Pallet]
    ) throws(MetadataError) -> ExtrinsicDefinition {
        let (type, version, extensions) = try located("extrinsic") { () throws(SCALEError) in
            (try reader.compactU32(), try reader.u8(), try self.extensions(&reader))
        }
        let parameters = try registry.definition(of: type).parameters
        func parameter(_ name: String) -> TypeReference? {
            parameters.first { $0.name.utf8Equals(name) }?.type
        }
        let call: TypeReference
        if let known = parameter("Call"), case .id(let id) = known,
            try registry.definition(of: id).shape == .enumeration
        {
            call = known
        } else {
            call = Self.outerCall(of: pallets, in: &registry)
        }
        return ExtrinsicDefinition(
            version: version, address: parameter("Address"), call: call, signature: parameter("Signature"),
            extensions: extensions)
    }

    /// The enumeration of all pallets with calls, for metadata whose extrinsic type does not name it.
    private static func outerCall(of pallets: [Pallet], in registry: inout PortableRegistry) -> TypeReference
    {
        let variants = pallets.compactMap { pallet in
            pallet.calls.map {
                Variant(name: pallet.name, index: pallet.index, fields: [Field(name: nil, type: $0)])
            }
        }
        return registry.add(TypeDefinition(path: ["RuntimeCall"], shape: .enumeration), variants: variants)
    }

    private func extrinsic15(_ reader: inout SCALEReader) throws(MetadataError) -> ExtrinsicDefinition {
        try located("extrinsic") { () throws(SCALEError) in
            let version = try reader.u8()
            let (address, call, signature) = (try reader.typeID(), try reader.typeID(), try reader.typeID())
            _ = try reader.typeID()
            return ExtrinsicDefinition(
                version: version, address: address, call: call, signature: signature,
                extensions: try self.extensions(&reader))
        }
    }

    /// Runtime APIs, outer enumerations and custom values: no transaction needs them, but they must be whole.
    private func tail(_ reader: inout SCALEReader) throws(MetadataError) {
        try located("apis") { () throws(SCALEError) in
            try reader.skipVector { (reader) throws(SCALEError) in
                try reader.skipString()
                try reader.skipVector { (reader) throws(SCALEError) in try function(&reader) }
                try reader.skipStrings()
                if version >= 16 { _ = try reader.compactU32() }
                try deprecation(&reader)
            }
        }
        try located("outer_enums") { () throws(SCALEError) in
            for _ in 0..<3 { _ = try reader.typeID() }
        }
        try located("custom") { () throws(SCALEError) in
            try reader.skipVector { (reader) throws(SCALEError) in
                try reader.skipString()
                _ = try reader.typeID()
                try reader.skip(try reader.count())
            }
        }
    }

    private func extrinsic16(_ reader: inout SCALEReader) throws(MetadataError) -> ExtrinsicDefinition {
        let (versions, address, call, signature) = try located("extrinsic") { () throws(SCALEError) in
            (try reader.byteVector(), try reader.typeID(), try reader.typeID(), try reader.typeID())
        }
        let (byVersion, all) = try located("extrinsic.extensions") { () throws(SCALEError) in
            let byVersion = try reader.vector { (reader) throws(SCALEError) in
                (
                    try reader.u8(),
                    try reader.vector { (reader) throws(SCALEError) in try reader.compactU32() }
                )
            }
            return (byVersion, try self.extensions(&reader))
        }
        try tail(&reader)
        let (version, extensionVersion, order) = try signedOrder(versions: versions, byVersion: byVersion)
        var ordered: [TransactionExtension] = []
        for index in order {
            guard index < all.count else {
                throw MetadataError(.noExtrinsicVersion, place: "extrinsic.extensions.\(index)")
            }
            ordered.append(all[Int(index)])
        }
        return ExtrinsicDefinition(
            version: version, extensionVersion: extensionVersion, address: address, call: call,
            signature: signature, extensions: ordered)
    }

    /// Signed transactions are of extrinsic version 4; its extensions are listed under extension version 0.
    /// Other versions are kept as they are, so that a decoder refuses their transactions by name.
    private func signedOrder(
        versions: [UInt8], byVersion: [(UInt8, [UInt32])]
    ) throws(MetadataError) -> (version: UInt8, extensionVersion: UInt8, order: [UInt32]) {
        guard let version = versions.contains(4) ? 4 : versions.max(),
            let order = byVersion.first(where: { $0.0 == 0 }) ?? byVersion.first
        else { throw MetadataError(.noExtrinsicVersion, place: "extrinsic") }
        return (version, order.0, order.1)
    }
}
