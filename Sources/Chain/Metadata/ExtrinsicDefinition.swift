/// How an extrinsic is laid out.
public struct ExtrinsicDefinition: Sendable, Equatable {
    /// The extrinsic format of signed transactions, 4 or 5; only 4 is signed here.
    public let version: UInt8
    /// The list of extensions that ``extensions`` is; signed transactions of format 4 use version 0. Metadata before version 16 has no other.
    public let extensionVersion: UInt8
    /// nil where metadata of version 14 does not tell.
    public let address: TypeReference?
    public let call: TypeReference
    public let signature: TypeReference?
    public let extensions: [TransactionExtension]

    public init(
        version: UInt8, extensionVersion: UInt8 = 0, address: TypeReference?, call: TypeReference, signature: TypeReference?,
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
