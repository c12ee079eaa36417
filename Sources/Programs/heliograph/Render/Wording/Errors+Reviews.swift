import Diagnostics
import Extrinsics
import Review
import SubstratePrimitives

extension VaultTimeError: ProgramError {
    var exit: Diagnostic.Exit { .usage }
    var hint: String? { "type the year, the month and the day by UTC, with zeros: 2026-01-31" }
}

extension LogReadingError: ProgramError {
    var exit: Diagnostic.Exit { .refused }
    var hint: String? { "scan the metadata again that was in the vault then; heliograph metadata list shows what is there now" }
}

extension CardGap: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { nil }
}

extension Attestation.Failure: ProgramError {
    var exit: Diagnostic.Exit { .refused }

    var hint: String? {
        switch self {
        case .notHeld(.specs): "heliograph network list"
        case .notHeld(.metadata): "heliograph metadata list"
        case .notHeld(.types), .notHeld(.assets): "scan an update that has them"
        }
    }
}

extension VerifierPolicy.Refusal: ProgramError {
    var exit: Diagnostic.Exit { .refused }

    var hint: String? {
        switch self {
        case .mustBeSignedBy(let keys): UpdateRefusal.signers(keys)
        case .specsFirst: UpdateRefusal.specsFirstHint
        case .unknownNetwork: UpdateRefusal.specsHint
        case .revoked: UpdateRefusal.resetHint
        }
    }
}

extension ReviewError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .transaction(let error, _): error.needsTypes ? .refused : .badInput
        case .cut, .policyUnreadable, .metadataHashDemandUnreadable, .notOnCards: .badInput
        case .policy(let violation): violation.exit
        case .unknownNetwork, .networkBlocked, .noMetadata, .metadataVersionMissing, .heldMetadataDiffers, .severalVersions,
            .networkOnlyProved, .listedChainDiffers, .storedMetadata, .unknownSigner, .accountOfGroup, .keyNotAllowed, .newKey,
            .otherNetwork,
            .messageIsTransaction, .ethereumPayload, .otherStatement, .ownDomain, .metadataHashRequired, .unsignedAboutHash:
            .refused
        case .signatureDoesNotVerify: .inputOutput
        case .derivedKeyDiffers(let hasPassword): hasPassword ? .notPermitted : .badInput
        }
    }

    var hint: String? {
        switch self {
        case .unknownNetwork: UpdateRefusal.specsHint
        case .networkOnlyProved(_, let genesis?): Wording.addListed(genesis)
        case .networkOnlyProved(_, nil): "heliograph scan --accept-proved-network"
        case .listedChainDiffers: UpdateRefusal.listHint
        case .metadataHashRequired(let network, let check): check.remedy ?? Self.demandHint(network)
        case .unsignedAboutHash: "use metadata that a verifier signed: heliograph help updates"
        case .metadataHashDemandUnreadable(let network): "heliograph network set \(Shell.quoted(network)) --require-metadata-hash always"
        case .policy(let violation): violation.hint
        case .policyUnreadable: "heliograph policy set FILE"
        case .networkBlocked: UpdateRefusal.resetHint
        case .noMetadata(let network), .metadataVersionMissing(let network, _, _):
            "make the transaction with a metadata proof, or scan a metadata update for it: heliograph-hot make load-metadata \(Shell.quoted(network))"
        case .transaction(let error, _): error.needsTypes ? "scan a types update" : error.hint
        case .unknownSigner: "heliograph key list"
        case .accountOfGroup: "heliograph group request INPUT --signers NAMES"
        case .keyNotAllowed(let network): "use another key, or: heliograph key allow ADDRESS \(Shell.quoted(network))"
        case .newKey: "heliograph scan --accept-new-key"
        case .heldMetadataDiffers: "heliograph metadata list"
        case .severalVersions(let network, _): "heliograph metadata remove \(Shell.quoted(network)) VERSION"
        case .otherNetwork: "make the transaction again on a machine that you trust"
        case .ethereumPayload, .otherStatement: "make the transaction again with another tip or era"
        case .cut: SenderHint.scanAgain
        case .storedMetadata(_, let network, let version):
            "heliograph metadata remove \(Shell.quoted(network)) \(version), then scan it again"
        case .messageIsTransaction: "send it as a transaction"
        case .signatureDoesNotVerify: "heliograph self-test"
        case .derivedKeyDiffers(hasPassword: true): "type the ///password again"
        case .derivedKeyDiffers(hasPassword: false): "restore a backup: heliograph vault restore FILE --vault DIR"
        // Nobody makes such bytes for an honest use.
        case .notOnCards, .ownDomain: nil
        }
    }
}

extension ContactRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .notAnAddress, .noSuchContact, .notInEntry, .wrongSignature, .noteTooLong: .badInput
        case .label, .taken, .ownAccount, .exists, .full, .noContacts, .noSuchListSigner, .unknownListSigner, .signerIsVerifier,
            .signerIsOwn,
            .listSignerExists, .olderList, .otherListOfNumber, .noNumberLeft:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .label: "use letters, digits and single spaces, such as: Exchange cold wallet"
        case .taken: "choose a name that cannot be mistaken for another"
        case .noteTooLong: "shorten the note"
        case .notAnAddress: "type the whole address, or scan its QR code: heliograph contact add NAME PICTURE"
        case .ownAccount: "heliograph key list"
        case .exists, .noSuchContact, .noContacts: "heliograph contact list"
        case .notInEntry(let number): "heliograph log show \(number)"
        case .full: "heliograph contact remove NAME"
        case .wrongSignature: SenderHint.scanAgain
        // Never a command with the key of the list: whoever made the list would then add himself.
        case .unknownListSigner:
            "if you know the signer, ask for the key by another way, and add it: heliograph contact signer add SCHEME:KEY NAME"
        case .signerIsVerifier: "ask the signer for another key"
        case .signerIsOwn: "heliograph contact import PICTURE"
        case .listSignerExists, .noSuchListSigner: "heliograph contact signer list"
        case .olderList, .otherListOfNumber: "ask the signer for the newest list"
        case .noNumberLeft: "sign with another key"
        }
    }
}

extension ReviewError {
    /// Only the chain's own developers can help, or less is required. Metadata that a verifier did not sign may say it falsely.
    private static func demandHint(_ network: String) -> String {
        "if that is true of the chain, heliograph network set \(Shell.quoted(network)) --require-metadata-hash where-possible allows it"
    }
}

extension MetadataHashCheck {
    /// What makes a transaction that the chain checks; nil where nothing does. It never is to require less: whoever owns the online machine can
    /// turn the hash off in every transaction, until somebody follows such advice.
    fileprivate var remedy: String? {
        switch self {
        case .disabled, .notCompared: "make the transaction again with a metadata proof: heliograph-hot make transaction --with-proof"
        case .passed, .unsupported: nil
        }
    }
}

extension TransactionPolicy.Violation: ProgramError {
    var exit: Diagnostic.Exit { .refused }

    var hint: String? {
        switch self {
        case .messageNotMentioned: "heliograph help policy"
        case .signerUnknown: "heliograph key derive"
        case .networkUncertain: "heliograph network list"
        case .metadataHash(let check): check.remedy ?? "heliograph policy show"
        case .network, .networkMissing, .signer, .call, .destination, .destinationUnknown, .amount, .amountUnknown, .amountTooSmall,
            .amountUncounted, .assetNotListed, .assetAmount, .assetAmountTooSmall, .budget, .tip, .feeAsset,
            .feeAssetUnknown, .immortal, .period, .unknownExtension, .message, .messagePrefix:
            "heliograph policy show"
        }
    }
}

extension UpdateRefusal: ProgramError {
    /// Who sent the values must not be the one whom this tells to believe.
    static let listHint = "if the chain really changed it, take specs that are signed by a verifier whom this vault believes already"

    var exit: Diagnostic.Exit {
        switch self {
        case .wrongSignature, .notOnCards: .badInput
        case .mustBeSignedBy, .specsFirst, .unknownNetwork, .revokedNetwork, .alreadyKnown, .nameChanges, .prefixChanges, .decimalsChange,
            .unitChanges, .prefixTooLarge, .prefixReserved, .emptyField, .unitWithoutLetter, .pathOfListedChain, .listedChainDiffers,
            .metadataOfAnotherNetwork, .metadataPrefixDiffers,
            .sameVersionOtherBytes, .olderAssetList:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .unknownNetwork: Self.specsHint
        case .revokedNetwork: Self.resetHint
        case .mustBeSignedBy(let keys): Self.signers(keys)
        case .specsFirst: Self.specsFirstHint
        case .wrongSignature: "take the update again from whoever signed it"
        case .alreadyKnown: "heliograph status shows what this vault has"
        case .nameChanges(let known, _): "heliograph network remove \(Shell.quoted(known)), if the chain really has another name now"
        case .prefixChanges, .decimalsChange, .unitChanges: "heliograph network remove NAME, if the chain really changed it"
        case .prefixTooLarge, .prefixReserved, .emptyField, .unitWithoutLetter, .pathOfListedChain:
            "correct the specs on the online machine, and make the update again"
        case .listedChainDiffers: Self.listHint
        case .metadataOfAnotherNetwork(let specs, _): "make the update again for \(specs)"
        case .metadataPrefixDiffers: "make the update again from the network's own metadata"
        case .sameVersionOtherBytes(let version, _, _): "heliograph metadata remove NETWORK \(version), if the one in this vault is wrong"
        case .olderAssetList, .notOnCards: nil
        }
    }

    static let specsHint = "scan network specs for it: heliograph-hot make add-specs NETWORK"
    static let specsFirstHint = "scan network specs first: heliograph-hot make add-specs NETWORK, signed by the same key"
    static let resetHint = "heliograph verifier reset, which forgets every verifier"

    /// The update that these keys publish; the other ways are on a page of their own.
    static func signers(_ keys: [PublicKey]) -> String {
        let isDefault = keys.contains(TrustSetup.defaultVerifier)
        let published = isDefault ? "the one that is published at metadata.parity.io" : "one that this verifier signed"
        return "scan \(published); heliograph help updates lists the other ways"
    }
}

extension DerivationRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .addressDiffers, .rootDiffers, .notOnCards: .badInput
        case .seedUnknown, .seedNotNamed, .allKnown, .nothingToDo, .collision: .refused
        }
    }

    var hint: String? {
        switch self {
        case .seedUnknown, .seedNotNamed: "heliograph scan --seed NAME"
        case .collision: "heliograph key list"
        case .allKnown: "heliograph key list"
        case .nothingToDo, .addressDiffers, .rootDiffers: "heliograph seed list; were these keys exported from another seed?"
        case .notOnCards: nil
        }
    }
}

extension TrustSetup.Failure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .ambiguousListed: .usage
        case .generalNetwork, .unknownNetwork, .revokedNetwork, .knownNetwork, .blockedNetwork, .notListed, .unknownMetadata, .noTypes:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .generalNetwork: "heliograph network remove, or heliograph verifier reset"
        case .unknownNetwork, .revokedNetwork, .knownNetwork: "heliograph network list"
        case .blockedNetwork: UpdateRefusal.resetHint
        case .notListed: "heliograph network list --known shows the list; for any other chain, \(UpdateRefusal.specsHint)"
        case .ambiguousListed(_, let chains):
            "heliograph network add GENESIS, one of "
                + chains.compactMap(WellKnownChain.chain).map(Wording.choice).joined(separator: ", ")
        case .unknownMetadata: "heliograph metadata list"
        case .noTypes: "scan a types update"
        }
    }
}
