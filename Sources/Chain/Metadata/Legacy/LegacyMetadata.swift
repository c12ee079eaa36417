import SCALE

/// Metadata versions 12 and 13, which spell types as text.
///
/// Source: paritytech/frame-metadata, `v12.rs`, `v13.rs`.
struct LegacyMetadata {
    struct Argument {
        let name: String
        let type: String
    }

    struct Call {
        let name: String
        let arguments: [Argument]
        let docs: String
    }

    struct Module {
        let name: String
        let index: UInt8
        /// nil for a module without calls.
        let calls: [Call]?
        /// Name, type and encoded value.
        let constants: [(name: String, type: String, value: Range<Int>)]
    }

    let modules: [Module]
    let extrinsicVersion: UInt8
    let extensions: [String]

    init(_ blob: [UInt8]) throws(MetadataError) {
        let version = blob[4]
        var reader = SCALEReader(blob, range: 5..<blob.count)
        modules = try located("pallets") { () throws(SCALEError) in
            try reader.vector(minimumElementSize: 7) { (reader) throws(SCALEError) in
                try Self.module(&reader, version)
            }
        }
        (extrinsicVersion, extensions) = try located("extrinsic") { () throws(SCALEError) in
            (try reader.u8(), try reader.strings())
        }
        try located("metadata") { () throws(SCALEError) in try reader.finish() }
        var taken = Set<UInt8>()
        for module in modules where !taken.insert(module.index).inserted {
            throw MetadataError(.duplicateIndex(module.index), place: "pallets.\(module.name)")
        }
    }

    private static func module(_ reader: inout SCALEReader, _ version: UInt8) throws(SCALEError) -> Module {
        let name = try reader.string()
        try reader.skipOption { (reader) throws(SCALEError) in try storage(&reader, version) }
        let calls = try reader.option { (reader) throws(SCALEError) in
            try reader.vector(minimumElementSize: 3) { (reader) throws(SCALEError) in try call(&reader) }
        }
        // Events: a name, the types of the arguments, and the docs.
        try reader.skipOption { (reader) throws(SCALEError) in
            try reader.skipVector(minimumElementSize: 3) { (reader) throws(SCALEError) in
                try reader.skipString()
                try reader.skipStrings()
                try reader.skipStrings()
            }
        }
        let constants = try reader.vector(minimumElementSize: 4) { (reader) throws(SCALEError) in
            let constant = (
                try reader.string(), try reader.string(), try reader.range(count: try reader.count())
            )
            try reader.skipStrings()
            return constant
        }
        // Errors: a name and the docs.
        try reader.skipVector(minimumElementSize: 2) { (reader) throws(SCALEError) in
            try reader.skipString()
            try reader.skipStrings()
        }
        return Module(name: name, index: try reader.u8(), calls: calls, constants: constants)
    }

    private static func call(_ reader: inout SCALEReader) throws(SCALEError) -> Call {
        let name = try reader.string()
        let arguments = try reader.vector(minimumElementSize: 2) { (reader) throws(SCALEError) in
            Argument(name: try reader.string(), type: try reader.string())
        }
        return Call(name: name, arguments: arguments, docs: try reader.docs())
    }

    private static func storage(_ reader: inout SCALEReader, _ version: UInt8) throws(SCALEError) {
        try reader.skipString()
        try reader.skipVector(minimumElementSize: 6) { (reader) throws(SCALEError) in
            try reader.skipString()
            try reader.skip(1)
            let start = reader.offset
            switch try reader.u8() {
            case 0: try reader.skipString()
            case 1:
                try reader.skip(1)
                try reader.skipString()
                try reader.skipString()
                try reader.skip(1)
            case 2:
                try reader.skip(1)
                for _ in 0..<3 { try reader.skipString() }
                try reader.skip(1)
            case 3 where version >= 13:
                try reader.skipStrings()
                try reader.skip(try reader.count())
                try reader.skipString()
            case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: start)
            }
            try reader.skip(try reader.count())
            try reader.skipStrings()
        }
    }
}
