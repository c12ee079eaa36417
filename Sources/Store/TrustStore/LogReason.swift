/// Why something was refused, as the log keeps it.
///
/// The raw value is stable: it is in the store and in exports. It is not the code of a diagnostic, which belongs to the programs.
public enum LogReason: String, Sendable, CaseIterable {
    // A person, or a rule in place of one
    /// A person said no.
    case answeredNo = "answered-no"
    /// No rule of the policy approves exactly this, and no person was asked.
    case noRuleApproves = "no-rule-approves"
    /// Keys would be allowed on more than one network, and nobody accepted that.
    case keyOnTwoNetworks = "key-on-two-networks"

    // The policy, one word for each of its rules
    case policyNetworks = "policy-networks"
    case policyCalls = "policy-calls"
    case policyDestinations = "policy-destinations"
    case policySigners = "policy-signers"
    case policyMaximumAmount = "policy-maximum-amount"
    case policyMinimumAmount = "policy-minimum-amount"
    case policyMaximumPerDay = "policy-maximum-per-day"
    case policyMaximumPerWeek = "policy-maximum-per-week"
    case policyMaximumPerMonth = "policy-maximum-per-month"
    case policyAssets = "policy-assets"
    case policyMaximumTip = "policy-maximum-tip"
    case policyFeeAsset = "policy-fee-asset"
    case policyMortality = "policy-mortality"
    case policyExtensions = "policy-extensions"
    case policyMessages = "policy-messages"
    case policyRequireMetadataHash = "policy-require-metadata-hash"
    case policyMaximumCount = "policy-maximum-count"
    case policyApprove = "policy-approve"
    case policyUnreadable = "policy-unreadable"

    // Networks and metadata
    case unknownNetwork = "unknown-network"
    case networkOnlyProved = "network-only-proved"
    case listedChainDiffers = "listed-chain-differs"
    case networkBlocked = "network-blocked"
    case truncatedOrUnknownNetwork = "truncated-or-unknown-network"
    case noMetadata = "no-metadata"
    case noMetadataVersion = "no-metadata-version"
    case typesNeeded = "types-needed"
    case storedMetadata = "stored-metadata"
    case heldMetadataDiffers = "held-metadata-differs"
    case severalVersions = "several-versions"
    /// The chain checks less of the metadata than the vault demands for the network.
    case metadataHashRequired = "metadata-hash-required"
    case metadataHashDemandUnreadable = "metadata-hash-demand-unreadable"

    // Transactions and messages
    case malformedTransaction = "transaction"
    case unknownSigner = "unknown-signer"
    /// The members of a group sign for the account together.
    case accountOfGroup = "account-of-group"
    case keyNotAllowed = "key-not-allowed"
    case newKey = "new-key"
    case otherNetwork = "other-network"
    case notOnCards = "not-on-cards"
    case messageIsTransaction = "message-is-transaction"
    case ethereumPayload = "ethereum-payload"
    /// A runtime takes the bytes as a statement outside of transactions, too.
    case otherStatement = "other-statement"
    /// The bytes start as those that only this program signs.
    case ownDomain = "own-domain"
    case changedSinceShown = "changed-since-shown"
    case selfCheck = "self-check"
    case wrongPassword = "wrong-password"
    case derivedKeyDiffers = "derived-key-differs"

    // Updates
    case wrongSignature = "wrong-signature"
    case mustBeSignedBy = "must-be-signed-by"
    case specsFirst = "specs-first"
    case alreadyKnown = "already-known"
    case nameChanges = "name-changes"
    case prefixChanges = "prefix-changes"
    case decimalsChange = "decimals-change"
    case unitChanges = "unit-changes"
    case prefixTooLarge = "prefix-too-large"
    case prefixReserved = "prefix-reserved"
    case emptyField = "empty-field"
    case unitWithoutLetter = "unit-without-letter"
    case pathOfListedChain = "path-of-listed-chain"
    case metadataOfAnotherNetwork = "metadata-of-another-network"
    case metadataPrefixDiffers = "metadata-prefix-differs"
    case sameVersionOtherBytes = "same-version-other-bytes"
    case olderAssetList = "older-asset-list"
    case malformedUpdate = "malformed-update"
    /// Compressed metadata that did not expand.
    case compressedMetadata = "compressed-metadata"

    // Contacts
    case badLabel = "bad-label"
    case labelTaken = "label-taken"
    case unknownListSigner = "unknown-list-signer"
    case olderList = "older-contact-list"
    case otherList = "other-contact-list"
    case tooManyContacts = "too-many-contacts"

    // Derivations
    case unknownSeed = "unknown-seed"
    case nothingToDerive = "nothing-to-derive"
    case keyCollision = "key-collision"
    case addressDiffers = "address-differs"
    case rootDiffers = "root-differs"

    // The making of a group
    case groupNotAMember = "group-not-a-member"
    case groupTwoKeys = "group-two-keys-of-one-vault"
    case groupOwnCard = "group-own-card"
    case groupNameTaken = "group-name-taken"
    case groupUnknownSession = "group-unknown-session"
    case groupOtherProposal = "group-other-proposal"
    case groupBadContribution = "group-bad-contribution"
    case groupOwnContribution = "group-own-contribution"
    /// A second bundle or record for one session: somebody shows different ones to different members.
    case groupOtherBundle = "group-other-bundle"
    case groupNotConfirmed = "group-not-confirmed"
    case groupActive = "group-active"
    case groupAccountHeld = "group-account-held"
    case groupWrongShare = "group-wrong-share"
    case groupMemberName = "group-member-name"
    /// A request that names no account or signers that can be.
    case groupRequest = "group-request"
    case groupNotASigner = "group-not-a-signer"
    case groupUnknownRequest = "group-unknown-request"
    /// What a member sent for a signature is wrong.
    case groupBadShare = "group-bad-share"
    case groupOwnCommitment = "group-own-commitment"
    case groupIncomplete = "group-incomplete"
    /// The nonces of the request are spent.
    case groupNoncesSpent = "group-nonces-spent"
    /// The nonces are spent, and the share that was made of them could not be stored.
    case groupShareNotStored = "group-share-not-stored"
    case groupNoncesGone = "group-nonces-gone"
    case groupTooManyOpen = "group-too-many-open"
    /// A proposal or a record that is wrong, or not signed by all members.
    case groupInvalid = "group-invalid"
    /// A member's message that is not signed by its host key, or is wrong.
    case groupMember = "group-member"

    // The trust store
    case storeMissing = "store-missing"
    case storeExists = "store-exists"
    case storeBusy = "store-busy"
    case storeDamaged = "store-damaged"
    case storeUnreadable = "store-unreadable"
    case inputOutput = "input-output"
    case sealBroken = "seal-broken"
    case rolledBack = "rolled-back"
    case vaultReplaced = "vault-replaced"
    case contentBroken = "content-broken"
    case conflict = "conflict"

    /// Something that refuses no payload by itself: the vault, the terminal, the scanner.
    case other = "other"
}

extension LogReason {
    public init(_ error: StoreError) {
        self =
            switch error {
            case .missing: .storeMissing
            case .alreadyExists: .storeExists
            case .notAStore, .otherLayout, .damaged: .storeDamaged
            case .busy: .storeBusy
            case .inputOutput, .journalTooLarge, .vaultFileUnwritten: .inputOutput
            case .sealBroken, .generationMarkBroken: .sealBroken
            case .rolledBack: .rolledBack
            case .vaultReplaced: .vaultReplaced
            case .changedSinceShown: .changedSinceShown
            case .unreadable: .storeUnreadable
            case .contentBroken: .contentBroken
            case .conflict: .conflict
            case .keyReuse: .keyOnTwoNetworks
            }
    }
}

extension LogEvent {
    /// The seal of the store does not match.
    public static func sealBroken(_ reason: LogReason) -> LogEvent { LogEvent(.sealBroken, [.reason(reason)]) }
}

extension LogEvent.Fact {
    public static func reason(_ reason: LogReason) -> Self { Self("reason", reason.rawValue) }
}
