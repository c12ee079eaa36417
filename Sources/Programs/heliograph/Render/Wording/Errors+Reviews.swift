import Diagnostics
import Extrinsics
import Review

extension LogReadingError: ProgramError { var exit: Diagnostic.Exit { .refused } }
extension CardGap: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension Attestation.Failure: ProgramError { var exit: Diagnostic.Exit { .refused } }
extension VerifierPolicy.Refusal: ProgramError { var exit: Diagnostic.Exit { .refused } }

extension ReviewError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .transaction(let error, _): error.needsTypes ? .refused : .badInput
        case .cut, .policyUnreadable, .notOnCards: .badInput
        case .policy(let violation): violation.exit
        case .unknownNetwork, .networkBlocked, .noMetadata, .metadataVersionMissing, .heldMetadataDiffers, .severalVersions,
            .networkOnlyProved, .storedMetadata, .unknownSigner, .keyNotAllowed, .newKey, .otherNetwork, .messageIsTransaction,
            .ethereumPayload:
            .refused
        case .signatureDoesNotVerify: .inputOutput
        case .derivedKeyDiffers(let hasPassword): hasPassword ? .notPermitted : .badInput
        }
    }

    var hint: String? {
        switch self {
        case .unknownNetwork: "scan network specs for it"
        case .networkOnlyProved: "heliograph scan --accept-proved-network"
        case .policy(let violation): violation.hint
        case .policyUnreadable: "heliograph policy set FILE"
        case .networkBlocked: "heliograph verifier reset"
        case .noMetadata, .metadataVersionMissing: "scan a metadata update for it"
        case .transaction(let error, _): error.needsTypes ? "scan a types update" : nil
        case .unknownSigner: "heliograph key list"
        case .keyNotAllowed(let network): "heliograph key allow ADDRESS \(network)"
        case .newKey: "heliograph scan --accept-new-key"
        case .heldMetadataDiffers: "heliograph metadata list"
        case .severalVersions(let network, _): "heliograph metadata remove \(network) VERSION"
        case .otherNetwork: "make the transaction again on a machine that you trust"
        case .ethereumPayload: "make the transaction again with another tip or era"
        case .cut, .storedMetadata, .notOnCards, .messageIsTransaction, .signatureDoesNotVerify, .derivedKeyDiffers: nil
        }
    }
}

extension TransactionPolicy.Violation: ProgramError {
    var exit: Diagnostic.Exit { .refused }

    var hint: String? {
        switch self {
        case .messageNotMentioned: "heliograph help policy"
        case .signerUnknown: "heliograph key derive"
        case .network, .networkUncertain, .networkMissing, .signer, .call, .destination, .destinationUnknown, .amount, .amountUnknown, .tip,
            .feeAsset,
            .feeAssetUnknown, .immortal, .period, .unknownExtension, .message, .messagePrefix:
            nil
        }
    }
}

extension UpdateRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .wrongSignature, .notOnCards: .badInput
        case .mustBeSignedBy, .specsFirst, .unknownNetwork, .revokedNetwork, .alreadyKnown, .nameChanges, .prefixChanges, .decimalsChange,
            .unitChanges, .prefixTooLarge, .prefixReserved, .emptyField, .metadataOfAnotherNetwork, .metadataPrefixDiffers,
            .sameVersionOtherBytes, .olderAssetList:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .unknownNetwork: "scan network specs for it"
        case .revokedNetwork: "heliograph verifier reset, which forgets every verifier"
        case .wrongSignature, .notOnCards, .mustBeSignedBy, .specsFirst, .alreadyKnown, .nameChanges, .prefixChanges, .decimalsChange,
            .unitChanges, .prefixTooLarge, .prefixReserved, .emptyField, .metadataOfAnotherNetwork, .metadataPrefixDiffers,
            .sameVersionOtherBytes, .olderAssetList:
            nil
        }
    }
}

extension DerivationRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .addressDiffers, .rootDiffers, .notOnCards: .badInput
        case .seedUnknown, .allKnown, .nothingToDo, .collision: .refused
        }
    }

    var hint: String? {
        switch self {
        case .seedUnknown: "heliograph scan --seed NAME"
        case .collision: "heliograph key list"
        case .allKnown, .nothingToDo, .addressDiffers, .rootDiffers, .notOnCards: nil
        }
    }
}

extension TrustSetup.Failure: ProgramError {
    var exit: Diagnostic.Exit { .refused }

    var hint: String? {
        switch self {
        case .generalNetwork: "heliograph network remove, or heliograph verifier reset"
        case .unknownNetwork, .revokedNetwork, .unknownMetadata, .noTypes: nil
        }
    }
}
