import Metadata
import SCALE
import SubstratePrimitives

extension Value {
    /// 32 or 20 bytes inside wrappers, or inside the variant of an address that holds an account.
    var account: [UInt8]? {
        switch unwrapped {
        case .bytes(let bytes): return bytes.count == 32 || bytes.count == 20 ? bytes : nil
        case .variant(0, let fields) where fields.count == 1: return fields[0].account
        default: return nil
        }
    }
}

extension Era {
    /// nil when the fields are not those of an era; throws when the two bytes are not an era.
    init?(variant first: UInt8, fields: [Value]) throws {
        var bytes = [first]
        switch fields.count {
        case 0 where first == 0: break
        case 1:
            guard first != 0, let second = fields[0].number, let byte = UInt8(exactly: second) else { return nil }
            bytes.append(byte)
        default: return nil
        }
        var reader = SCALEReader(bytes)
        try self.init(from: &reader)
    }
}

extension Hash32 {
    init?(value: Value) {
        guard let bytes = value.byteString else { return nil }
        self.init(bytes)
    }
}

extension UInt32 {
    init?(value: Value) {
        guard let number = value.number else { return nil }
        self.init(exactly: number)
    }
}

extension Field {
    /// A field with the name or number it has among others, so that it can be shown alone.
    func named(_ index: Int, of count: Int) -> Field {
        guard name == nil, count > 1 else { return self }
        return Field(name: "\(index + 1)", type: type, typeName: typeName, docs: docs)
    }
}
