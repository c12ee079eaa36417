import Extrinsics
import GroupCollect
import TrustStore

/// The reason that the log keeps of each refusal.
extension LogReason {
    public init(_ error: ReviewError) {
        self =
            switch error {
            case .unknownNetwork: .unknownNetwork
            case .cut: .truncatedOrUnknownNetwork
            case .networkBlocked: .networkBlocked
            case .noMetadata: .noMetadata
            case .metadataVersionMissing: .noMetadataVersion
            case .transaction(let error, _): error.needsTypes ? .typesNeeded : .malformedTransaction
            case .heldMetadataDiffers: .heldMetadataDiffers
            case .severalVersions: .severalVersions
            case .networkOnlyProved: .networkOnlyProved
            case .listedChainDiffers: .listedChainDiffers
            case .storedMetadata: .storedMetadata
            case .metadataHashRequired, .unsignedAboutHash: .metadataHashRequired
            case .metadataHashDemandUnreadable: .metadataHashDemandUnreadable
            case .policy(let violation): LogReason(violation.rule)
            case .policyUnreadable: .policyUnreadable
            case .unknownSigner: .unknownSigner
            case .accountOfGroup: .accountOfGroup
            case .keyNotAllowed: .keyNotAllowed
            case .newKey: .newKey
            case .otherNetwork: .otherNetwork
            case .notOnCards: .notOnCards
            case .messageIsTransaction: .messageIsTransaction
            case .ownDomain: .ownDomain
            case .ethereumPayload: .ethereumPayload
            case .otherStatement: .otherStatement
            case .signatureDoesNotVerify: .selfCheck
            case .derivedKeyDiffers(let hasPassword): hasPassword ? .wrongPassword : .derivedKeyDiffers
            }
    }

    public init(_ refusal: ContactRefusal) {
        self =
            switch refusal {
            case .label: .badLabel
            case .taken: .labelTaken
            case .wrongSignature: .wrongSignature
            case .unknownListSigner, .signerIsVerifier: .unknownListSigner
            case .olderList, .noNumberLeft: .olderList
            case .otherListOfNumber: .otherList
            case .full: .tooManyContacts
            // Of a contact that a person names, which leaves no line.
            case .noteTooLong, .notAnAddress, .ownAccount, .exists, .noSuchContact, .notInEntry, .noContacts, .signerIsOwn,
                .listSignerExists,
                .noSuchListSigner:
                .other
            }
    }

    public init(_ rule: TransactionPolicy.Key) {
        self =
            switch rule {
            case .networks: .policyNetworks
            case .calls: .policyCalls
            case .destinations: .policyDestinations
            case .signers: .policySigners
            case .maximumAmount: .policyMaximumAmount
            case .minimumAmount: .policyMinimumAmount
            case .maximumPerDay: .policyMaximumPerDay
            case .maximumPerWeek: .policyMaximumPerWeek
            case .maximumPerMonth: .policyMaximumPerMonth
            case .assets: .policyAssets
            case .maximumTip: .policyMaximumTip
            case .feeAsset: .policyFeeAsset
            case .mortality: .policyMortality
            case .extensions: .policyExtensions
            case .messages: .policyMessages
            case .requireMetadataHash: .policyRequireMetadataHash
            case .maximumCount: .policyMaximumCount
            case .approve: .policyApprove
            }
    }

    public init(_ refusal: UpdateRefusal) {
        self =
            switch refusal {
            case .wrongSignature: .wrongSignature
            case .mustBeSignedBy: .mustBeSignedBy
            case .specsFirst: .specsFirst
            case .unknownNetwork: .unknownNetwork
            case .revokedNetwork: .networkBlocked
            case .alreadyKnown: .alreadyKnown
            case .nameChanges: .nameChanges
            case .prefixChanges: .prefixChanges
            case .decimalsChange: .decimalsChange
            case .unitChanges: .unitChanges
            case .prefixTooLarge: .prefixTooLarge
            case .prefixReserved: .prefixReserved
            case .emptyField: .emptyField
            case .unitWithoutLetter: .unitWithoutLetter
            case .pathOfListedChain: .pathOfListedChain
            case .listedChainDiffers: .listedChainDiffers
            case .metadataOfAnotherNetwork: .metadataOfAnotherNetwork
            case .metadataPrefixDiffers: .metadataPrefixDiffers
            case .sameVersionOtherBytes: .sameVersionOtherBytes
            case .olderAssetList: .olderAssetList
            case .notOnCards: .notOnCards
            }
    }

    public init(_ refusal: DerivationRefusal) {
        self =
            switch refusal {
            case .seedUnknown, .seedNotNamed: .unknownSeed
            case .allKnown: .alreadyKnown
            case .nothingToDo: .nothingToDerive
            case .collision: .keyCollision
            case .addressDiffers: .addressDiffers
            case .rootDiffers: .rootDiffers
            case .notOnCards: .notOnCards
            }
    }

    public init(_ refusal: GroupRefusal) {
        self =
            switch refusal {
            case .notAMember, .notOfSeed: .groupNotAMember
            case .severalOwn: .groupTwoKeys
            case .ownCard: .groupOwnCard
            case .nameTaken: .groupNameTaken
            case .unknownSession, .unknownRecord: .groupUnknownSession
            case .otherProposal: .groupOtherProposal
            case .contributions, .badGroupKey: .groupBadContribution
            case .ownContributionDiffers: .groupOwnContribution
            case .otherBundle: .groupOtherBundle
            case .notConfirmed: .groupNotConfirmed
            case .active: .groupActive
            case .accountHeld: .groupAccountHeld
            case .wrongShare: .groupWrongShare
            case .memberName: .groupMemberName
            // Of what a person names, which leaves no line.
            case .contactsFull, .noSuchHostContact, .noSuchGroup, .seedOfGroups, .cannotDeal: .other
            }
    }

    public init(_ refusal: GroupSigningRefusal) {
        self =
            switch refusal {
            case .unknownGroup, .otherAccount, .accountNotDerived, .signers: .groupRequest
            case .notASigner: .groupNotASigner
            case .unknownRequest: .groupUnknownRequest
            case .entry, .share, .otherPackage: .groupBadShare
            case .ownEntryDiffers: .groupOwnCommitment
            case .commitmentsMissing, .sharesMissing: .groupIncomplete
            case .spent, .dropped, .ended: .groupNoncesSpent
            case .notStored: .groupShareNotStored
            case .noncesGone, .noncesBroken: .groupNoncesGone
            case .tooManyOpen: .groupTooManyOpen
            case .selfCheck: .selfCheck
            // Of what a person names, which leaves no line.
            case .noSuchOffer: .other
            }
    }

    public init(_ error: GroupCollectError) {
        self =
            switch error {
            case .proposal, .record: .groupInvalid
            case .notAsked, .hostSignature, .contradiction, .contribution, .confirmation, .commitment, .package, .share: .groupMember
            // Of what is collected, which leaves no line.
            case .nothing, .unexpected, .twoPurposes, .severalRuns, .otherRun, .proposalMissing, .recordMissing, .requestMissing,
                .otherGroup,
                .otherAccount, .content, .signers, .unknownMember:
                .other
            }
    }
}
