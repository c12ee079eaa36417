import FoundationEssentials

/// A JSON value from a node.
///
/// Integers are separate from other numbers, so that a nonce or a version is never rounded.
public indirect enum JSON: Sendable, Equatable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// nil unless the bytes are one JSON document.
    public init?(parsing bytes: some Sequence<UInt8>) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
        self = value
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let fields = try? container.decode([String: JSON].self) {
            self = .object(fields)
        } else {
            self = .array(try container.decode([JSON].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let items): try container.encode(items)
        case .object(let fields): try container.encode(fields)
        }
    }

    /// A field of an object; nil if it is missing or this is not an object.
    public subscript(field: String) -> JSON? {
        guard case .object(let fields) = self else { return nil }
        return fields[field]
    }

    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var integer: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    public var array: [JSON]? {
        guard case .array(let items) = self else { return nil }
        return items
    }
}
