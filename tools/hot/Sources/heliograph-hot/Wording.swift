import Diagnostics
import HotStore
import HotTransactions
import NodeAnswers
import RuntimeWasm

/// An error that this program reports, with its exit status and the one command that helps. Code and sentence stand beside the error type.
protocol ProgramError: DiagnosticError {
    var exit: Diagnostic.Exit { get }
    var hint: String? { get }
}

extension ProgramError {
    var hint: String? { nil }
    var diagnostic: Diagnostic { Diagnostic(self, hint: hint, exit: exit) }
}

/// The one way from an error to its lines.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        switch error {
        case let error as any ProgramError: error.diagnostic
        default: unexpected
        }
    }

    /// For a failure that no part of the program expects. Its description is not printed: it may hold type names and paths of the build.
    static let unexpected = Diagnostic("internal", "unexpected failure", exit: .badInput)
}

// MARK: Commands

extension HotError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .cannotRead, .cannotWrite, .silentPipe, .noScanner, .notAllWatched: .inputOutput
        case .networkNeeded, .signatureOptionsIncomplete, .badFieldValue, .unknownField, .valueMissing, .blockNotAtEraStart, .noAddress,
            .badURL, .keyLength, .publicKeyNeeded, .isDirectory, .noSuchFormat, .severalNetworks, .oneFileName, .softPath:
            .usage
        case .tooLarge, .notHex, .emptyInput, .unknownFileKind, .badSpecsFile, .updateSignatureWrong, .badAddress,
            .badDescription, .noSignatureInPicture, .nodeContradictsItself, .oversizedName, .proofContradictsDigest, .notAnAnswer,
            .groupMessage,
            .notATransaction,
            .framesUnproved, .signatureMismatch, .noMatchingRequest, .noMatchingDerivations, .taggedMessage:
            .badInput
        case .otherRuntimeName, .otherPrefix, .noTypes, .badNetworkName, .alreadyWatching, .propertyMissing, .otherVersionRuns, .noDigest,
            .derivedSigner, .unknownGenesis, .expired, .dropped, .usurped, .notFinal, .notIncluded, .noWebAssembly, .noPin,
            .failed, .partlyFailed, .resultUnknown, .hashNotBuilt, .otherTransactionVersion:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .networkNeeded: "--network NAME"
        case .isDirectory: "--separate writes each code as a picture into it"
        case .noTypes: "heliograph-hot import FILE"
        case .badNetworkName: "heliograph-hot import FILE --network NAME, or heliograph-hot fetch URL --name NAME"
        case .noScanner: "--scanner PATH"
        case .noAddress: "heliograph-hot fetch URL"
        case .noWebAssembly: "heliograph-hot unwasm FILE"
        case .propertyMissing(_, .token), .propertyMissing(_, .singleToken): "--token UNIT --decimals N"
        case .otherVersionRuns(_, _, let current): "--spec-version \(current)"
        case .noDigest, .hashNotBuilt: "--without-proof"
        case .publicKeyNeeded: "--signer 0xKEY with the 33 bytes of the public key, as heliograph key show prints it"
        case .failed, .partlyFailed, .resultUnknown: nil
        case .otherTransactionVersion(_, let metadata): "--tx-version \(metadata), or newer metadata: heliograph-hot fetch URL"
        case .framesUnproved: "scan a few more frames of the same animation"
        case .unknownGenesis: "heliograph-hot network list"
        case .noPin: "heliograph-hot pin list"
        case .noMatchingRequest, .noMatchingDerivations: "heliograph-hot read INPUT --payload FILE"
        case .derivedSigner: "--signer ADDRESS, or heliograph-hot make derivations-request and read of its answer"
        case .cannotRead, .cannotWrite, .silentPipe, .tooLarge, .notHex, .emptyInput, .unknownFileKind, .badSpecsFile, .otherRuntimeName,
            .otherPrefix,
            .signatureOptionsIncomplete, .updateSignatureWrong, .keyLength, .badFieldValue, .badAddress, .alreadyWatching,
            .notAllWatched, .badDescription, .noSignatureInPicture, .valueMissing, .blockNotAtEraStart, .badURL, .nodeContradictsItself,
            .oversizedName,
            .propertyMissing(_, .prefix), .proofContradictsDigest, .notAnAnswer, .notATransaction, .signatureMismatch, .softPath,
            .taggedMessage, .severalNetworks, .expired, .dropped, .usurped, .notFinal, .notIncluded, .noSuchFormat:
            nil
        case .unknownField: "heliograph-hot help specs set"
        case .groupMessage: "heliograph-hot group collect RECORD REQUEST INPUT"
        case .oneFileName: "make them one by one, with --out FILE"
        }
    }
}

extension RuntimeWasmError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .noNode, .oldNode, .ended, .unexpectedAnswer, .timedOut, .processorTime: .inputOutput
        case .sandbox: .notPermitted
        case .notARuntime, .compressed, .malformed, .unsupported, .notCompiled, .callMissing, .trapped, .panicked, .overran, .outOfMemory,
            .outsideMemory,
            .answerTooLong, .malformedAnswer, .twoMetadata, .otherVersion:
            .badInput
        case .hostFunction: .refused
        }
    }

    var hint: String? {
        switch self {
        case .noNode, .oldNode: "apt-get install nodejs"
        case .hostFunction: "heliograph-hot fetch URL, once the runtime is enacted"
        case .ended, .unexpectedAnswer, .timedOut, .processorTime, .sandbox, .notARuntime, .compressed, .malformed, .unsupported,
            .notCompiled,
            .callMissing, .trapped, .panicked, .overran, .outOfMemory, .outsideMemory, .answerTooLong, .malformedAnswer, .twoMetadata,
            .otherVersion:
            nil
        }
    }
}

// MARK: The hot database

extension HotStoreError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .inputOutput, .sqlite: .inputOutput
        case .notAStore, .unreadable: .badInput
        case .ambiguousNetwork: .usage
        case .unknownNetwork, .unknownMetadata, .noMetadata, .otherFormats, .olderThanKept, .silentChange, .otherGenesis, .alreadyNamed,
            .immutableField, .otherDerivedKey:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .unknownNetwork: "heliograph-hot network list"
        case .olderThanKept(_, _, let kept): "--keep \(kept + 1)"
        case .ambiguousNetwork(_, let choices): choices.first.map { "name one of them, e.g. \($0)" }
        case .unknownMetadata(let network, _): "heliograph-hot metadata list \(network)"
        case .noMetadata(let network), .otherFormats(let network, _, _): "heliograph-hot fetch URL --name \(network)"
        case .otherDerivedKey: "--replace, if the offline side's key list shows the new key"
        case .notAStore, .inputOutput, .sqlite, .unreadable, .silentChange, .otherGenesis, .alreadyNamed, .immutableField: nil
        }
    }
}

// MARK: Nodes

extension RPCError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .cannotConnect, .certificateForAnotherName, .tls, .cannotReadCertificates, .webSocketRefused, .notHTTP, .status, .timedOut,
            .cutOff, .answerTooLarge, .tooMuchData, .invalidJSON, .notAnAnswer, .unexpectedAnswer:
            .inputOutput
        case .refusedByNode, .wrongChain, .noSuchBlock, .pinMismatch: .refused
        case .needsWebSocket, .pinnedWithoutTLS: .usage
        }
    }

    var hint: String? {
        switch self {
        case .answerTooLarge: "--answer-limit BYTES"
        case .pinMismatch(let server, _, _): "ask its operator; if the change is announced: heliograph-hot pin set wss://\(server) PIN"
        case .cannotConnect, .certificateForAnotherName, .tls, .cannotReadCertificates, .webSocketRefused,
            .notHTTP, .status, .timedOut, .cutOff, .tooMuchData, .invalidJSON, .notAnAnswer, .unexpectedAnswer, .refusedByNode, .wrongChain,
            .noSuchBlock,
            .needsWebSocket, .pinnedWithoutTLS:
            nil
        }
    }
}

extension AllNodesFailed: ProgramError {
    var exit: Diagnostic.Exit { last.exit }
    var hint: String? { last.hint }
}

extension QuorumError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .tooFewHosts: .usage
        case .tooFewAnswers: .inputOutput
        case .disagreement: .refused
        }
    }

    var hint: String? {
        switch self {
        case .tooFewHosts: "give URLs of more hosts, or a smaller --quorum"
        // The notes before it say why each of the others failed.
        case .tooFewAnswers: nil
        case .disagreement: "ask again, and other nodes: one of these lies, or is behind"
        }
    }
}

// MARK: Transactions

extension DescriptionError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
}

extension ExtensionFiller.Failure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .valueNeeded, .unknownExtension: .usage
        case .noMetadataHash, .metadataHashNotAtEnd: .refused
        case .description(let error): error.exit
        }
    }

    var hint: String? {
        switch self {
        case .valueNeeded(let name): "--extension '\(name)={\"explicit\": …}'"
        case .metadataHashNotAtEnd: "heliograph-hot make load-metadata NETWORK"
        case .noMetadataHash: "--without-proof"
        case .unknownExtension, .description: nil
        }
    }
}

extension SignedExtrinsic.Failure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .unknownAddressType: .refused
        }
    }
}
