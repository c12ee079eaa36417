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
    case badFieldValue(field: String, value: String)
    case unknownField(String)
    case badAddress(String)
    /// More than letters, digits, `-`, `_` and `.` inside.
    case badNetworkName(String)
    case alreadyWatching(folder: String)
    case notAllWatched(networks: [String])
    case badDescription(path: String, detail: String)
    /// The picture holds no code, or several, with a verifier's key and signature.
    case noSignatureInPicture(path: String)
    case noScanner
    /// An option is needed for what neither metadata nor a node tells.
    case valueMissing(String)
    /// A long era can only count from blocks whose number is a multiple of this quantum.
    case blockNotAtEraStart(number: UInt32, quantum: UInt32)
    case noAddress
    case badURL(String)
    case nodeContradictsItself(url: String, what: String)
    case chainTellsNot(url: String, String)
    case metadataOutdated(network: String, known: UInt32, current: UInt32)
    case proofContradictsDigest(proof: Hash32, digest: Hash32)

    // Answers
    case notAnAnswer
    case notATransaction
    /// RaptorQ frames that do not prove which payload they carry.
    case framesUnproved
    /// The key of the signer is not in the payload, so its signature cannot be checked here.
    case derivedSigner
    case unknownGenesis(GenesisHash)
    case signatureMismatch
    case noFittingRequest
    /// The pool calls it invalid: its era is over, or its nonce is used.
    case expired
    case dropped
    case usurped(by: Hash32)
    case notFinal(block: Hash32)
    case notIncluded(seconds: Int)

    // Import
    case noWebAssembly
}
