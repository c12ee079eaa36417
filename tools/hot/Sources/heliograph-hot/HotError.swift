import Diagnostics
import Glibc
import Hashing
import SubstratePrimitives

/// What a command itself refuses; every other error comes from a library.
enum HotError: Error, Equatable {
    case cannotRead(path: String, errno: Int32)
    case cannotWrite(path: String, errno: Int32)
    /// The name of a picture names a directory.
    case isDirectory(path: String)
    /// Limit in bytes.
    case tooLarge(path: String, limit: Int)
    /// `source` names the option or field that held the text.
    case notHex(source: String)
    case emptyInput(path: String)
    /// Nothing writes to a pipe that should be read.
    case silentPipe(path: String)
    case unknownFileKind(path: String)
    case badSpecsFile(path: String, detail: String)
    case networkNeeded(path: String)
    /// Metadata of a runtime with another name than the network's.
    case otherRuntimeName(network: String, expected: String, found: String)
    case otherPrefix(network: String, expected: UInt16, found: UInt16)
    case noTypes
    case signatureOptionsIncomplete
    case updateSignatureWrong(key: PublicKey)
    case keyLength(Int, scheme: SignatureScheme)
    case badFieldValue(field: String, value: String)
    case unknownField(String)
    case badAddress(String)
    /// Contains more than letters, digits, `-` and `_`, and `.` after the first character.
    case badNetworkName(String)
    case alreadyWatching(folder: String)
    case notAllWatched(networks: [String])
    case badDescription(path: String, detail: String)
    /// The picture holds no code, or several, with a verifier's key and signature.
    case noSignatureInPicture(path: String)
    case noScanner
    /// An option is needed for a value that neither metadata nor a node provides.
    case valueMissing(String)
    /// A long era can only start at blocks whose number is a multiple of this quantum.
    case blockNotAtEraStart(number: UInt32, quantum: UInt32)
    case noAddress
    case badURL(String)
    case noPin(server: String)
    case nodeContradictsItself(url: String, detail: String)
    case propertyMissing(url: String, ChainProperty)
    /// A name, title or token of more than this many bytes: no chain has one, and it would fill pictures and screens.
    case oversizedName(url: String, limit: Int)
    /// The node runs another version than the one that the user or the hot database names.
    case otherVersionRuns(network: String, chosen: UInt32, current: UInt32)
    /// The runtime checks metadata hashes and offers no metadata that a digest is made from.
    case noDigest(network: String, version: UInt32)
    case proofContradictsDigest(proof: Hash32, digest: Hash32)

    // Answers
    case notAnAnswer
    /// A message of a threshold group, which goes to its members or to who collects; its kind.
    case groupMessage(kind: String)
    case notATransaction
    /// RaptorQ frames that do not prove which payload they carry.
    case framesUnproved
    /// The payload names its signer by root key and path, and no answer and no user told the key.
    case derivedSigner(path: String)
    /// A path with a soft junction, for keys of a scheme that has hard ones only.
    case softPath(String, scheme: SignatureScheme)
    /// The answer is about other keys than any request that was made here.
    case noMatchingDerivations
    /// A message that has the tags that are put around it.
    case taggedMessage
    /// An output that several networks cannot share.
    case severalNetworks(option: String)
    /// Updates of several networks would have one file name.
    case oneFileName(String)
    case unknownGenesis(GenesisHash)
    case signatureMismatch
    case noMatchingRequest
    /// The pool calls it invalid: its era is over, or its nonce is used.
    case expired
    case dropped
    case usurped(by: Hash32)
    case notFinal(block: Hash32)
    case notIncluded(seconds: Int)
    /// It is in a final block, and nothing but its fee came of it; the reason in words.
    case failed(String)
    /// It succeeded, and calls inside it did not: each event with its reason.
    case partlyFailed([String])
    /// `--strict`, and nothing tells how it ended; the reason in words.
    case resultUnknown(String)
    /// The runtime has the extension that compares metadata hashes, and no hash to compare with.
    case hashNotBuilt(network: String)
    /// Another transaction version than the metadata states.
    case otherTransactionVersion(given: UInt32, metadata: UInt32)
    /// The address of an ecdsa account, which is a hash of its public key.
    case publicKeyNeeded(address: String)

    // Import
    case noWebAssembly
    /// A runtime file does not give metadata in this format.
    case noSuchFormat(UInt8, offered: [UInt8])

    /// What specs need and a chain may not report.
    enum ChainProperty: Equatable {
        case prefix
        case token
        /// The chain lists several tokens; their symbols.
        case singleToken([String])
    }
}

extension HotError: DiagnosticError {
    /// Codes of the hot program's own refusals. Those with an equal in the cold programs have the same word there.
    enum Code: String, CaseIterable {
        case inputOutput = "input-output"
        case isDirectory = "is-a-directory"
        case fileTooLarge = "file-too-large"
        case badHex = "bad-hex"
        case emptyFile = "empty-file"
        case unsupportedFile = "unsupported-file"
        case badSpecs = "bad-specs"
        case networkNeeded = "network-needed"
        case otherNetworkMetadata = "metadata-of-another-network"
        case prefixDiffers = "metadata-prefix-differs"
        case noTypes = "no-types"
        case signatureOptions = "signature-options"
        case wrongSignature = "wrong-signature"
        case keyLength = "key-length"
        case badFieldValue = "bad-field-value"
        case unknownField = "unknown-field"
        case badAddress = "bad-address"
        case badNetworkName = "bad-network-name"
        case directoryInUse = "directory-in-use"
        case incompleteRound = "incomplete-round"
        case badDescription = "bad-description"
        case noSignature = "no-signature"
        case noScanner = "no-scanner"
        case missingValue = "missing-value"
        case badEraStart = "bad-era-start"
        case noNode = "no-node"
        case badURL = "bad-url"
        case noPin = "no-pin"
        case inconsistentNode = "inconsistent-node"
        case missingProperty = "missing-property"
        case oversizedName = "oversized-name"
        case otherVersionRuns = "outdated-metadata"
        case noDigest = "no-digest"
        case digestMismatch = "digest-mismatch"
        case notAnAnswer = "not-an-answer"
        case groupMessage = "group-message"
        case notATransaction = "not-a-transaction"
        case ambiguousFrames = "ambiguous-frames"
        case derivedSigner = "derived-signer"
        case softJunction = "soft-junction"
        case taggedMessage = "tagged-message"
        case severalNetworks = "several-networks"
        case oneFileName = "one-file-name"
        case unknownNetwork = "unknown-network"
        case noMatchingRequest = "no-matching-request"
        case expiredTransaction = "expired-transaction"
        case droppedTransaction = "dropped-transaction"
        case usurpedTransaction = "usurped-transaction"
        case finalityTimeout = "finality-timeout"
        case inclusionTimeout = "inclusion-timeout"
        case transactionFailed = "transaction-failed"
        case partlyFailed = "transaction-partly-failed"
        case resultUnknown = "result-not-checked"
        case hashNotBuilt = "metadata-hash-not-built"
        case otherTransactionVersion = "other-transaction-version"
        case publicKeyNeeded = "public-key-needed"
        case noWebAssembly = "no-webassembly"
        case noSuchFormat = "no-such-format"
    }

    var code: Code {
        switch self {
        case .cannotRead, .cannotWrite: .inputOutput
        case .isDirectory: .isDirectory
        case .tooLarge: .fileTooLarge
        case .notHex: .badHex
        case .emptyInput: .emptyFile
        case .silentPipe: .inputOutput
        case .unknownFileKind: .unsupportedFile
        case .badSpecsFile: .badSpecs
        case .networkNeeded: .networkNeeded
        case .otherRuntimeName: .otherNetworkMetadata
        case .otherPrefix: .prefixDiffers
        case .noTypes: .noTypes
        case .signatureOptionsIncomplete: .signatureOptions
        case .updateSignatureWrong, .signatureMismatch: .wrongSignature
        case .keyLength: .keyLength
        case .badFieldValue: .badFieldValue
        case .unknownField: .unknownField
        case .badAddress: .badAddress
        case .badNetworkName: .badNetworkName
        case .alreadyWatching: .directoryInUse
        case .notAllWatched: .incompleteRound
        case .badDescription: .badDescription
        case .noSignatureInPicture: .noSignature
        case .noScanner: .noScanner
        case .valueMissing: .missingValue
        case .blockNotAtEraStart: .badEraStart
        case .noAddress: .noNode
        case .badURL: .badURL
        case .noPin: .noPin
        case .nodeContradictsItself: .inconsistentNode
        case .propertyMissing: .missingProperty
        case .oversizedName: .oversizedName
        case .otherVersionRuns: .otherVersionRuns
        case .noDigest: .noDigest
        case .proofContradictsDigest: .digestMismatch
        case .notAnAnswer: .notAnAnswer
        case .groupMessage: .groupMessage
        case .notATransaction: .notATransaction
        case .framesUnproved: .ambiguousFrames
        case .derivedSigner: .derivedSigner
        case .softPath: .softJunction
        case .taggedMessage: .taggedMessage
        case .severalNetworks: .severalNetworks
        case .oneFileName: .oneFileName
        case .unknownGenesis: .unknownNetwork
        case .noMatchingRequest, .noMatchingDerivations: .noMatchingRequest
        case .expired: .expiredTransaction
        case .dropped: .droppedTransaction
        case .usurped: .usurpedTransaction
        case .notFinal: .finalityTimeout
        case .notIncluded: .inclusionTimeout
        case .failed: .transactionFailed
        case .partlyFailed: .partlyFailed
        case .resultUnknown: .resultUnknown
        case .hashNotBuilt: .hashNotBuilt
        case .otherTransactionVersion: .otherTransactionVersion
        case .publicKeyNeeded: .publicKeyNeeded
        case .noWebAssembly: .noWebAssembly
        case .noSuchFormat: .noSuchFormat
        }
    }

    var sentence: String {
        switch self {
        case .cannotRead(let path, let number): "cannot read \(path): \(Sentence.systemError(number))"
        case .cannotWrite(let path, let number): "cannot write \(path): \(Sentence.systemError(number))"
        case .isDirectory(let path): "\(path) is a directory, and this writes one file"
        case .tooLarge(let path, let limit): "\(path) is larger than \(limit >> 20) MiB"
        case .notHex(let source): "\(source) is not hexadecimal"
        case .emptyInput(let path): "\(path) is empty"
        case .silentPipe(let path): "\(path) is a pipe, and nothing writes to it"
        case .unknownFileKind(let path): "\(path) is neither metadata, network specs, types nor an update"
        case .badSpecsFile(let path, let detail): "\(path) does not hold network specs as JSON: \(detail)"
        case .networkNeeded(let path): "the runtime name in \(path) does not identify one network"
        case .otherRuntimeName(let network, let expected, let found): "this is metadata for \(found), but \(network) runs \(expected)"
        case .otherPrefix(let network, let expected, let found):
            "this metadata has SS58 prefix \(found), but \(network) has \(expected)"
        case .noTypes: "the hot database holds no types"
        case .signatureOptionsIncomplete:
            "give either --sufficient, or --key-hex, --signature-hex and --scheme together, or --test-key, or --unsigned"
        case .updateSignatureWrong(let key):
            "the signature by the \(key.scheme.name) key 0x\(Hex.encode(key.bytes)) does not match this update"
        case .keyLength(let count, let scheme):
            "the key has \(Sentence.count(count, "byte")), but an \(scheme.name) key has \(scheme.publicKeyLength)"
        case .badFieldValue(let field, let value): "\(value) is not a valid value for \(field)"
        case .unknownField(let field): "\(field) is not a field that can be set"
        case .badAddress(let text): "\(text) is not a valid address for this scheme"
        case .badNetworkName(let name): name.utf8.isEmpty ? "the network has no name" : "\(name) is not a valid network name"
        case .alreadyWatching(let folder): "another process already watches into \(folder)"
        case .notAllWatched(let networks): "watching failed for \(networks.joined(separator: ", "))"
        case .badDescription(let path, let detail): "cannot use \(path): \(detail)"
        case .noSignatureInPicture(let path): "\(path) does not show exactly one verifier signature"
        case .noScanner: "cannot find heliograph-scanner, which reads pictures"
        case .valueMissing(let option): "\(option) is required: its value cannot be inferred"
        case .blockNotAtEraStart(let number, let quantum):
            "an era of this length cannot start at block \(number): the number is not a multiple of \(quantum)"
        case .noAddress: "no node URL is known for this network"
        case .badURL(let text): "\(text) is not a ws, wss, http or https URL"
        case .noPin(let server): "\(server) has no pin"
        case .nodeContradictsItself(let url, let detail): "\(url) contradicts itself: \(detail)"
        case .propertyMissing(let url, .prefix): "\(url) does not report the chain's SS58 prefix"
        case .propertyMissing(let url, .token): "\(url) does not report the chain's token"
        case .propertyMissing(let url, .singleToken(let symbols)): "\(url) reports several tokens: \(symbols.joined(separator: ", "))"
        case .oversizedName(let url, let limit): "\(url) reports a name of more than \(Sentence.count(limit, "byte"))"
        case .otherVersionRuns(let network, let chosen, let current):
            "\(network) runs version \(current) at this node, but the transaction would be for \(chosen)"
        case .noDigest(let network, let version): "\(network) \(version) offers no metadata V15 or V16, so its metadata hash is unknown"
        case .proofContradictsDigest(let proof, let digest):
            "the metadata proof leads to the digest 0x\(proof.hex) instead of 0x\(digest.hex)"
        case .notAnAnswer: "this is not an answer from an offline signer"
        case .groupMessage(let kind): "this is a message between the members of a group (\(kind)), and no signature yet"
        case .notATransaction: "the payload does not hold transactions"
        case .framesUnproved: "the frames do not prove which payload they carry: one more frame is needed"
        case .derivedSigner(let path):
            "the payload names its signer by the path \(path.isEmpty ? "of the root key" : path), and the key of this path is not in the hot database"
        case .softPath(let path, let scheme): "\(path) has a soft part (/), which \(scheme.name) does not support: write //"
        case .noMatchingDerivations: "the answer matches no request for derived addresses that was made here"
        case .taggedMessage: "the message is already between <Bytes> and </Bytes>, which this command adds"
        case .severalNetworks(let option): "\(option) is for one network, and several are named"
        case .oneFileName(let name): "two of these networks give the file name \(name)"
        case .unknownGenesis(let hash): "no network in the hot database has the genesis hash 0x\(hash.hex)"
        case .signatureMismatch: "the signature does not match this payload"
        case .noMatchingRequest: "the signature matches no transaction that was made here"
        case .expired: "the node says that the transaction has expired: its era is over, or its nonce is used"
        case .dropped: "the node says that it dropped the transaction from its pool, which may still be included"
        case .usurped(let other): "the node says that transaction 0x\(other.hex) with the same nonce replaced this one"
        case .notFinal(let block): "the transaction is in block 0x\(block.hex), which was not finalized in time"
        case .notIncluded(let seconds): "the transaction was not final after \(Sentence.count(seconds, "second"))"
        case .failed(let reason): "the transaction is in the chain and failed: \(reason)"
        case .partlyFailed(let reasons): "the transaction is in the chain, but a call inside it failed: \(reasons.joined(separator: "; "))"
        case .resultUnknown(let reason): "the transaction is in the chain, but its result is not checked: \(reason)"
        case .hashNotBuilt(let network):
            "the node says that the runtime of \(network) was built without its metadata hash, so it rejects a transaction with a proof"
        case .otherTransactionVersion(let given, let metadata):
            "the transaction version is \(given), but the metadata states \(metadata): the chain would reject the signature"
        case .publicKeyNeeded(let address): "\(address) is the address of an ecdsa key, which does not tell the public key"
        case .noWebAssembly: "this file is a WebAssembly runtime, which holds its metadata in code"
        case .noSuchFormat(let format, let offered):
            "the runtime gives no metadata V\(format), but \(offered.map { "V\($0)" }.joined(separator: ", "))"
        }
    }

    static var examples: [HotError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        return [
            .cannotRead(path: "metadata.scale", errno: ENOENT), .isDirectory(path: "codes"),
            .tooLarge(path: "metadata.scale", limit: 64 << 20),
            .notHex(source: "--call-hex"), .emptyInput(path: "metadata.scale"), .silentPipe(path: "pipe"),
            .unknownFileKind(path: "notes.txt"),
            .badSpecsFile(path: "specs.json", detail: "decimals is missing"), .networkNeeded(path: "metadata.scale"),
            .otherRuntimeName(network: "polkadot", expected: "polkadot", found: "kusama"),
            .otherPrefix(network: "polkadot", expected: 0, found: 2), .noTypes, .signatureOptionsIncomplete, .signatureMismatch,
            .keyLength(31, scheme: .ed25519), .badFieldValue(field: "decimals", value: "many"), .unknownField("genesis_hash"),
            .badAddress("alice"), .badNetworkName("../polkadot"), .alreadyWatching(folder: "updates"),
            .notAllWatched(networks: ["polkadot", "kusama"]), .badDescription(path: "call.json", detail: "it is not JSON"),
            .noSignatureInPicture(path: "attestation.png"), .noScanner, .valueMissing("--nonce"),
            .blockNotAtEraStart(number: 1001, quantum: 16), .failed("Balances.InsufficientBalance: Balance too low to send value"),
            .partlyFailed(["Utility.BatchInterrupted: the origin is not allowed to make the call"]),
            .resultUnknown("the node has no events of the block"), .hashNotBuilt(network: "polkadot"),
            .otherTransactionVersion(given: 25, metadata: 26),
            .publicKeyNeeded(address: "5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X"), .noAddress,
            .oversizedName(url: "wss://node.example", limit: 128),
            .badURL("node.example"), .noPin(server: "node.example:443"),
            .nodeContradictsItself(url: "wss://node.example", detail: "its SS58 prefix is 0 in metadata and 2 in system_properties"),
            .propertyMissing(url: "wss://node.example", .token),
            .otherVersionRuns(network: "polkadot", chosen: 2_003_000, current: 2_002_000),
            .noDigest(network: "polkadot", version: 2_003_000),
            .proofContradictsDigest(proof: one, digest: other), .notAnAnswer, .groupMessage(kind: "group_share"), .notATransaction,
            .framesUnproved,
            .derivedSigner(path: "//polkadot//0"),
            .softPath("/0", scheme: .ed25519), .noMatchingDerivations, .taggedMessage, .severalNetworks(option: "--terminal"),
            .oneFileName("westend_ed25519_specs"),
            .unknownGenesis(one), .noMatchingRequest, .expired, .dropped, .usurped(by: one), .notFinal(block: one),
            .notIncluded(seconds: 600), .noWebAssembly, .noSuchFormat(16, offered: [14, 15]),
        ]
    }
}
