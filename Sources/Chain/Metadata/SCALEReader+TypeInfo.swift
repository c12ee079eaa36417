import SCALE

/// The pieces of scale-info's encoding, read or passed over.
extension SCALEReader {
    mutating func skip(_ count: Int) throws(SCALEError) { _ = try range(count: count) }

    mutating func skipString() throws(SCALEError) { try skip(try count()) }

    mutating func skipVector(
        minimumElementSize: Int = 1, _ element: (inout SCALEReader) throws(SCALEError) -> Void
    ) throws(SCALEError) {
        for _ in 0..<(try count(minimumElementSize: minimumElementSize)) { try element(&self) }
    }

    mutating func skipStrings() throws(SCALEError) {
        for _ in 0..<(try count()) { try skipString() }
    }

    mutating func skipOption(_ element: (inout SCALEReader) throws(SCALEError) -> Void) throws(SCALEError) {
        if try bool() { try element(&self) }
    }

    /// `Compact<u32>`
    mutating func compactU32() throws(SCALEError) -> UInt32 {
        let start = offset
        guard let value = UInt32(exactly: try compact()) else {
            throw SCALEError(.compactTooWide(bits: 32), offset: start)
        }
        return value
    }

    mutating func typeID() throws(SCALEError) -> TypeReference { .id(try compactU32()) }

    mutating func strings() throws(SCALEError) -> [String] {
        try vector { (reader) throws(SCALEError) in try reader.string() }
    }

    mutating func docs() throws(SCALEError) -> String { try strings().joined(separator: "\n") }

    mutating func typeParameters() throws(SCALEError) -> [TypeParameter] {
        try vector { (reader) throws(SCALEError) in
            TypeParameter(
                name: try reader.string(),
                type: try reader.option { (reader) throws(SCALEError) in try reader.typeID() })
        }
    }

    mutating func field() throws(SCALEError) -> Field {
        let name = try option { (reader) throws(SCALEError) in try reader.string() }
        let type = try typeID()
        let typeName = try option { (reader) throws(SCALEError) in try reader.string() }
        return Field(name: name, type: type, typeName: typeName, docs: try docs())
    }

    mutating func skipField() throws(SCALEError) {
        if try bool() { try skipString() }
        _ = try compactU32()
        if try bool() { try skipString() }
        try skipStrings()
    }

    /// Passes over a variant and returns its index.
    @discardableResult
    mutating func skipVariant() throws(SCALEError) -> UInt8 {
        try skipString()
        for _ in 0..<(try count()) { try skipField() }
        let index = try u8()
        try skipStrings()
        return index
    }

    /// Where the variants with that index start, for a reader at the start of a type.
    mutating func variants(numbered index: UInt8) throws(SCALEError) -> [Int] {
        try skipStrings()
        _ = try typeParameters()
        guard try u8() == 1 else { return [] }
        var found: [Int] = []
        for _ in 0..<(try count(minimumElementSize: 4)) {
            let start = offset
            if try skipVariant() == index { found.append(start) }
        }
        return found
    }

    mutating func skipType() throws(SCALEError) {
        try skipStrings()
        for _ in 0..<(try count()) {
            try skipString()
            if try bool() { _ = try compactU32() }
        }
        let kindOffset = offset
        switch try u8() {
        case 0: for _ in 0..<(try count()) { try skipField() }
        case 1: for _ in 0..<(try count(minimumElementSize: 4)) { try skipVariant() }
        case 2, 6: _ = try compactU32()
        case 3:
            try skip(4)
            _ = try compactU32()
        case 4: for _ in 0..<(try count()) { _ = try compactU32() }
        case 5: try skip(1)
        case 7:
            _ = try compactU32()
            _ = try compactU32()
        case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: kindOffset)
        }
        try skipStrings()
    }
}
