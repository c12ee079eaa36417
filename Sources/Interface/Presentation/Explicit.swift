/// A value that is written as `null` when it is absent; synthesized encoding would leave the key out.
package struct Explicit<Value: Encodable>: Encodable {
    package let value: Value?
    package init(_ value: Value?) { self.value = value }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
