import SubstratePrimitives

/// A part of a runtime with calls and constants of its own. Two are equal by the bytes of their names.
public struct Pallet: Sendable, Equatable {
    /// As the runtime names it, `Balances`; renamed by some runtimes.
    public let name: String
    /// The first byte of the encoding of its calls, unique in the runtime.
    public let index: UInt8
    /// The enumeration of its calls; nil for a pallet without calls, and in metadata 12 and 13.
    public let calls: TypeReference?
    /// The enumeration of its events; nil for a pallet without events, and in metadata 12 and 13.
    public let events: TypeReference?
    /// The enumeration of its errors; nil for a pallet without errors, and in metadata 12 and 13.
    public let errors: TypeReference?
    /// The offset of its constants in the blob: a vector of name, type, value, docs. 0 in metadata 12 and 13.
    let constants: Int

    public static func == (one: Pallet, other: Pallet) -> Bool {
        one.name.utf8Equals(other.name) && one.index == other.index && one.calls == other.calls
            && one.events == other.events && one.errors == other.errors && one.constants == other.constants
    }
}
