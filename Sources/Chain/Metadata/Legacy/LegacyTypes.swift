import SCALE

/// The types supplement of payload 81: what the type names of metadata versions 12 and 13 stand for.
///
/// Source: `TypeEntry` of Polkadot Vault.
public struct LegacyTypes: Sendable {
    public struct NamedField: Sendable {
        public let name: String?
        public let type: String
    }

    public enum VariantShape: Sendable {
        case none
        case type(String)
        case fields([NamedField])
    }

    public struct NamedVariant: Sendable {
        public let name: String
        public let shape: VariantShape
    }

    public enum Description: Sendable {
        /// Another name for a type.
        case type(String)
        /// Variants are numbered from 0 in their order.
        case enumeration([NamedVariant])
        case structure([NamedField])
    }

    public struct Entry: Sendable {
        public let name: String
        public let description: Description
    }

    public let entries: [Entry]

    /// `Vec<TypeEntry>`; the reader stands after it.
    public init(from reader: inout SCALEReader) throws(SCALEError) {
        entries = try reader.vector(minimumElementSize: 3) { (reader) throws(SCALEError) in
            Entry(name: try reader.string(), description: try Self.description(&reader))
        }
    }

    private static func description(_ reader: inout SCALEReader) throws(SCALEError) -> Description {
        let start = reader.offset
        switch try reader.u8() {
        case 0: return .type(try reader.string())
        case 1:
            return .enumeration(
                try reader.vector(minimumElementSize: 2) { (reader) throws(SCALEError) in
                    NamedVariant(name: try reader.string(), shape: try variantShape(&reader))
                })
        case 2: return .structure(try fields(&reader))
        case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: start)
        }
    }

    private static func variantShape(_ reader: inout SCALEReader) throws(SCALEError) -> VariantShape {
        let start = reader.offset
        switch try reader.u8() {
        case 0: return .none
        case 1: return .type(try reader.string())
        case 2: return .fields(try fields(&reader))
        case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: start)
        }
    }

    private static func fields(_ reader: inout SCALEReader) throws(SCALEError) -> [NamedField] {
        try reader.vector(minimumElementSize: 2) { (reader) throws(SCALEError) in
            NamedField(
                name: try reader.option { (reader) throws(SCALEError) in try reader.string() }, type: try reader.string())
        }
    }
}
