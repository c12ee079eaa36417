import SubstratePrimitives

public struct Pallet: Sendable, Equatable {
    public let name: String
    public let index: UInt8
    /// The enumeration of its calls.
    public let calls: TypeReference?
    /// Where its constants stand in the blob: a vector of name, type, value, docs.
    let constants: Int

    public static func == (one: Pallet, other: Pallet) -> Bool {
        one.name.utf8Equals(other.name) && one.index == other.index && one.calls == other.calls && one.constants == other.constants
    }
}
