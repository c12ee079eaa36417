/// Why a description by names is not a value of its type.
public struct DescriptionError: Error, Equatable, Sendable {
    public enum Code: Sendable, Equatable {
        /// `wanted` names what the type takes: `number`, `text`, `list`, `object`, `bool`, `variant`, `address`, `bits`.
        case wrongKind(wanted: String, found: String)
        case outOfRange(String)
        case wrongLength(expected: Int, found: Int)
        case unknownName(String)
        case missingName(String)
        case notHex(String)
        case badAddress(String)
        /// An address of another network; the prefixes.
        case otherNetwork(expected: UInt16, found: UInt16)
        case notOneCharacter(String)
        case tooDeep
        /// The metadata has no such type.
        case noType
    }

    public let code: Code
    /// Names from the outside in, dotted.
    public let place: String

    public init(_ code: Code, place: String) {
        self.code = code
        self.place = place
    }
}
