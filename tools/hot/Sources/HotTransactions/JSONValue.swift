import SubstratePrimitives

/// A value of a JSON text whose meaning depends on a SCALE type.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case whole(Int)
    /// Any other number as it is written, such as `1.5`, `1e3` or one of more than 64 bits.
    case otherNumber(String)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    public init(_ value: StrictJSON.Value) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = .whole(number)
        case .otherNumber(let text): self = .otherNumber(text)
        case .string(let text): self = .text(text)
        case .array(let items): self = .list(items.map(JSONValue.init))
        // No key is there twice, not even in another normal form: names of a runtime are ASCII.
        case .object(let object):
            self = .object(
                Dictionary(object.members.map { ($0.key, JSONValue($0.value)) }) { first, _ in first })
        }
    }

    /// The kind's name, for messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .whole, .otherNumber: "number"
        case .text: "text"
        case .list: "list"
        case .object: "object"
        }
    }
}
