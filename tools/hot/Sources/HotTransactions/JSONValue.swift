/// A JSON value; integers are exact up to 64 bits, and larger ones are written as strings.
public enum JSONValue: Sendable, Equatable, Decodable {
    case null
    case bool(Bool)
    case unsigned(UInt64)
    case signed(Int64)
    /// A fraction: no SCALE type takes it.
    case fraction(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(UInt64.self) {
            self = .unsigned(number)
        } else if let number = try? container.decode(Int64.self) {
            self = .signed(number)
        } else if let number = try? container.decode(Double.self) {
            self = .fraction(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The kind's name, for messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .unsigned, .signed, .fraction: "number"
        case .text: "text"
        case .list: "list"
        case .object: "object"
        }
    }
}
