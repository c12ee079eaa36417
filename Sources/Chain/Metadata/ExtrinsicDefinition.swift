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
