import ChainRPC
import Diagnostics
import HotStore
import HotTransactions
import SQLite

/// Adds a hint and an exit status to each error. Codes and sentences are stated beside the error types.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        switch error {
        case let error as HotError: diagnostic(error)
        case let error as HotStoreError: diagnostic(error)
        case let error as SQLiteError: diagnostic(HotStoreError.sqlite(error))
        case let error as RPCError: Diagnostic(error, hint: hint(error), exit: exit(error))
        case let error as AllNodesFailed: Diagnostic(error, hint: hint(error.last), exit: exit(error.last))
        case let error as DescriptionError: Diagnostic(error, exit: .badInput)
        case let error as ExtensionFiller.Failure: diagnostic(error)
        case let error as SignedExtrinsic.Failure: diagnostic(error)
        default: shared(error) ?? Diagnostic(internal: error)
        }
    }

    // MARK: Commands

    private static func diagnostic(_ error: HotError) -> Diagnostic { Diagnostic(error, hint: hint(error), exit: exit(error)) }

    private static func exit(_ error: HotError) -> Diagnostic.Exit {
        switch error {
        case .cannotRead, .cannotWrite, .noScanner, .notAllWatched: .inputOutput
        case .networkNeeded, .signatureOptionsIncomplete, .badFieldValue, .unknownField, .valueMissing, .blockNotAtEraStart, .noAddress,
            .badURL:
            .usage
        case .tooLarge, .notHex, .emptyInput, .unknownFileKind, .badSpecsFile, .updateSignatureWrong, .keyLength, .badAddress,
            .badDescription, .noSignatureInPicture, .nodeContradictsItself, .proofContradictsDigest, .notAnAnswer, .notATransaction,
            .framesUnproved, .signatureMismatch, .noMatchingRequest:
            .badInput
        case .otherRuntimeName, .otherPrefix, .noTypes, .badNetworkName, .alreadyWatching, .propertyMissing, .metadataOutdated,
            .derivedSigner, .unknownGenesis, .expired, .dropped, .usurped, .notFinal, .notIncluded, .noWebAssembly:
            .refused
        }
    }

    private static func hint(_ error: HotError) -> String? {
        switch error {
        case .networkNeeded(let path): "heliograph-hot import \(path) --network NAME"
        case .noTypes: "heliograph-hot import FILE"
        case .badNetworkName: "--name NAME"
        case .noScanner: "--scanner PATH"
        case .noAddress, .noWebAssembly: "heliograph-hot fetch URL"
        case .propertyMissing(_, .token), .propertyMissing(_, .singleToken): "--token UNIT --decimals N"
        case .metadataOutdated(let network, _, _): "heliograph-hot fetch --name \(network)"
        case .framesUnproved: "scan a few more frames of the same animation"
        case .unknownGenesis: "heliograph-hot network list"
        case .noMatchingRequest: "heliograph-hot read INPUT --payload FILE"
        case .cannotRead, .cannotWrite, .tooLarge, .notHex, .emptyInput, .unknownFileKind, .badSpecsFile, .otherRuntimeName, .otherPrefix,
            .signatureOptionsIncomplete, .updateSignatureWrong, .keyLength, .badFieldValue, .badAddress, .alreadyWatching,
            .notAllWatched, .badDescription, .noSignatureInPicture, .valueMissing, .blockNotAtEraStart, .badURL, .nodeContradictsItself,
            .propertyMissing(_, .prefix), .proofContradictsDigest, .notAnAnswer, .notATransaction, .derivedSigner, .signatureMismatch,
            .expired, .dropped, .usurped, .notFinal, .notIncluded:
            nil
        case .unknownField: "heliograph-hot help specs set"
        }
    }

    // MARK: The hot database

    private static func diagnostic(_ error: HotStoreError) -> Diagnostic { Diagnostic(error, hint: hint(error), exit: exit(error)) }

    private static func exit(_ error: HotStoreError) -> Diagnostic.Exit {
        switch error {
        case .inputOutput, .sqlite: .inputOutput
        case .notAStore, .unreadable: .badInput
        case .unknownNetwork, .unknownMetadata, .noMetadata, .silentChange, .otherGenesis, .alreadyNamed, .immutableField: .refused
        }
    }

    private static func hint(_ error: HotStoreError) -> String? {
        switch error {
        case .unknownNetwork: "heliograph-hot network list"
        case .unknownMetadata(let network, _): "heliograph-hot metadata list \(network)"
        case .noMetadata(let network, _): "heliograph-hot import FILE --network \(network)"
        case .notAStore, .inputOutput, .sqlite, .unreadable, .silentChange, .otherGenesis, .alreadyNamed, .immutableField: nil
        }
    }

    // MARK: Nodes

    private static func exit(_ error: RPCError) -> Diagnostic.Exit {
        switch error {
        case .cannotConnect, .certificateForAnotherName, .tls, .cannotReadCertificates, .webSocketRefused, .status, .timedOut, .cutOff,
            .answerTooLarge, .invalidJSON, .notAnAnswer, .unexpectedAnswer:
            .inputOutput
        case .refusedByNode, .wrongChain, .noSuchBlock: .refused
        case .needsWebSocket: .usage
        }
    }

    private static func hint(_ error: RPCError) -> String? {
        switch error {
        case .answerTooLarge: "--answer-limit BYTES"
        case .cannotConnect, .certificateForAnotherName, .tls, .cannotReadCertificates, .webSocketRefused,
            .status, .timedOut, .cutOff, .invalidJSON, .notAnAnswer, .unexpectedAnswer, .refusedByNode, .wrongChain, .noSuchBlock,
            .needsWebSocket:
            nil
        }
    }

    // MARK: Transactions

    private static func diagnostic(_ error: ExtensionFiller.Failure) -> Diagnostic {
        switch error {
        case .valueNeeded(let name): Diagnostic(error, hint: "--extension '\(name)={\"explicit\": …}'", exit: .usage)
        case .unknownExtension: Diagnostic(error, exit: .usage)
        case .noMetadataHash: Diagnostic(error, exit: .refused)
        case .metadataHashNotAtEnd: Diagnostic(error, hint: "heliograph-hot make load-metadata NETWORK", exit: .refused)
        case .description: Diagnostic(error, exit: .badInput)
        }
    }

    private static func diagnostic(_ error: SignedExtrinsic.Failure) -> Diagnostic {
        switch error {
        case .unknownAddressType: Diagnostic(error, exit: .refused)
        }
    }
}

extension Diagnostic {
    /// A failure that no part of the program expects. Only its type is printed: a description may hold paths of the build.
    init(internal error: any Error) { self.init("internal", "unexpected failure: \(type(of: error))", exit: .badInput) }
}
