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
    /// The offset of its storage in the blob: an option of its prefix and its entries. 0 in metadata 12 and
    /// 13.
    let storage: Int

    public static func == (one: Pallet, other: Pallet) -> Bool {
        one.name.utf8Equals(other.name) && one.index == other.index && one.calls == other.calls
            && one.events == other.events && one.errors == other.errors && one.constants == other.constants
            && one.storage == other.storage
    }
}

/// The layout of signed transactions: call ‖ explicit parts ‖ implicit parts is what is signed.
public struct ExtrinsicDefinition: Sendable, Equatable {
    /// The extrinsic format of signed transactions, 4 or 5; only 4 is signed here.
    public let version: UInt8
    /// The version of the list ``extensions``; signed transactions of format 4 use version 0. Metadata before
    /// version 16 has no other.
    public let extensionVersion: UInt8
    /// The type of the signer's address; nil in metadata 12 and 13, and where metadata 14 does not say.
    public let address: TypeReference?
    /// The enumeration of all pallets with calls.
    public let call: TypeReference
    /// The type of the signature; nil where ``address`` is.
    public let signature: TypeReference?
    /// In the order of their parts in a transaction.
    public let extensions: [TransactionExtension]

    /// A layout of those parts.
    init(
        version: UInt8, extensionVersion: UInt8 = 0, address: TypeReference?, call: TypeReference,
        signature: TypeReference?,
        extensions: [TransactionExtension]
    ) {
        self.version = version
        self.extensionVersion = extensionVersion
        self.address = address
        self.call = call
        self.signature = signature
        self.extensions = extensions
    }
}
