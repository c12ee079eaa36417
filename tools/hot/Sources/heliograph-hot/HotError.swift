import SubstratePrimitives

/// What a command itself refuses; every other error comes from a library.
enum HotError: Error, Equatable {
    case cannotRead(path: String, errno: Int32)
    case cannotWrite(path: String, errno: Int32)
    case tooLarge(path: String, limit: Int)
    /// `source` names where the text came from.
    case notHex(source: String)
    case emptyInput(path: String)
    case unknownFileKind(path: String)
    case badSpecsFile(path: String, detail: String)
    case networkNeeded(path: String)
    /// Metadata of a runtime by another name than the network's.
    case otherRuntimeName(network: String, expected: String, found: String)
    case otherPrefix(network: String, expected: UInt16, found: UInt16)
    case noTypes
    case unknownScheme(String)
    case signatureOptionsIncomplete
    case updateSignatureWrong(key: PublicKey)
    case keyLength(Int, scheme: SignatureScheme)
    /// More than one code does not fit a still picture.
    case badFieldValue(field: String, value: String)
    case unknownField(String)
    case badAddress(String)
}
