import FixtureRuntime

/// How forged types take bytes in that a person is not to read.
public enum Swallow: Sendable, CaseIterable {
    /// A chain of enumerations whose path ends in `Option`: the index of each variant is the next byte.
    case options
    /// An array that is shown as what it is. A person may overlook it; a rule about types cannot.
    case array
}

extension FixtureType {
    /// A type of the name `Option` with one variant: it takes in one byte.
    private static func optionLink(_ byte: UInt8, _ inner: FixtureType) -> FixtureType {
        // Directly inside each other they would be told from `None`, so a wrapper stands between them.
        .variant(
            path: ["Option"],
            variants: [FixtureVariant("Some", index: byte, fields: [FixtureField(nil, inner, typeName: nil)])]
        )
    }

    private static func boxed(_ inner: FixtureType) -> FixtureType {
        .composite(path: ["Box"], fields: [FixtureField(nil, inner, typeName: nil)])
    }

    /// Takes exactly these bytes in, then reads `inner`, and shows `inner` alone.
    public static func options(_ bytes: some BidirectionalCollection<UInt8>, then inner: FixtureType)
        -> FixtureType
    {
        bytes.reversed().reduce(inner) { boxed(optionLink($1, $0)) }
    }

    /// The most that one chain takes in before a reader calls it too deep.
    public static let optionLimit = 80

    /// A part of a transaction that takes in bytes and nothing else.
    public static func swallow(_ bytes: [UInt8], _ way: Swallow) -> FixtureType {
        switch way {
        case .options:
            let chains = stride(from: 0, to: bytes.count, by: optionLimit).map { start in
                options(bytes[start..<min(start + optionLimit, bytes.count)], then: .unit)
            }
            return .composite(
                path: ["frame_system", "extensions", "check_weight", "CheckWeight"],
                fields: chains.map { FixtureField(nil, $0, typeName: nil) })
        case .array:
            return .composite(
                path: ["frame_system", "extensions", "check_weight", "CheckWeight"],
                fields: [FixtureField(nil, .array(UInt32(bytes.count), .u8), typeName: nil)])
        }
    }
}
