import Diagnostics
import Extrinsics
import Metadata
import SubstratePrimitives

extension ReviewError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case unknownNetwork = "unknown-network"
        case truncatedOrUnknownNetwork = "truncated-or-unknown-network"
        case networkBlocked = "network-blocked"
        case noMetadata = "no-metadata"
        case noMetadataVersion = "no-metadata-version"
        case badTransaction = "bad-transaction"
        case typesNeeded = "types-needed"
        case heldMetadataDiffers = "held-metadata-differs"
        case severalVersions = "several-versions"
        case networkOnlyProved = "network-only-proved"
        case listedChainDiffers = "listed-chain-differs"
        case storedMetadata = "stored-metadata"
        case metadataHashRequired = "metadata-hash-required"
        case metadataHashDemandUnreadable = "metadata-hash-demand-unreadable"
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
        case policyUnreadable = "policy-unreadable"
        case unknownSigner = "unknown-signer"
        case accountOfGroup = "account-of-group"
        case keyNotAllowed = "key-not-allowed"
        case newKey = "new-key"
        case otherNetwork = "other-network"
        case notOnCards = "not-on-cards"
        case messageIsTransaction = "message-is-transaction"
        case ethereumPayload = "ethereum-payload"
        case otherStatement = "other-statement"
        case ownDomain = "own-domain"
        case selfCheck = "self-check"
        case wrongPassword = "wrong-password"
        case derivedKeyDiffers = "derived-key-differs"

        init(_ code: TransactionPolicy.Violation.Code) {
            self =
                switch code {
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
                }
        }
    }

    public var code: Code {
        switch self {
        case .unknownNetwork: .unknownNetwork
        case .cut: .truncatedOrUnknownNetwork
        case .networkBlocked: .networkBlocked
        case .noMetadata: .noMetadata
        case .metadataVersionMissing: .noMetadataVersion
        case .transaction(let error, _): error.needsTypes ? .typesNeeded : .badTransaction
        case .heldMetadataDiffers: .heldMetadataDiffers
        case .severalVersions: .severalVersions
        case .networkOnlyProved: .networkOnlyProved
        case .listedChainDiffers: .listedChainDiffers
        case .storedMetadata: .storedMetadata
        case .metadataHashRequired, .unsignedAboutHash: .metadataHashRequired
        case .metadataHashDemandUnreadable: .metadataHashDemandUnreadable
        case .policy(let violation): Code(violation.code)
        case .policyUnreadable: .policyUnreadable
        case .unknownSigner: .unknownSigner
        case .accountOfGroup: .accountOfGroup
        case .keyNotAllowed: .keyNotAllowed
        case .newKey: .newKey
        case .otherNetwork: .otherNetwork
        case .notOnCards: .notOnCards
        case .messageIsTransaction: .messageIsTransaction
        case .ethereumPayload: .ethereumPayload
        case .otherStatement: .otherStatement
        case .ownDomain: .ownDomain
        case .signatureDoesNotVerify: .selfCheck
        case .derivedKeyDiffers(let hasPassword): hasPassword ? .wrongPassword : .derivedKeyDiffers
        }
    }

    public var sentence: String {
        switch self {
        case .unknownNetwork(let genesis): "the network with genesis hash 0x\(genesis.hex) is not in this vault"
        case .cut(let network):
            "the payload is truncated: it ends too early for a transaction of \(network), and its genesis hash matches no known network"
        case .networkBlocked(let name): "\(name) is blocked because its verifier was revoked"
        case .noMetadata(let network): "metadata for \(network) is not in this vault"
        case .metadataVersionMissing(let network, let version, let newest):
            "metadata for \(network) \(version) is not in this vault: the newest is \(newest)"
        case .transaction(let error, let network):
            error.needsTypes
                ? "the metadata of \(network) needs types from a types update"
                : "the transaction for \(network) cannot be shown in full: \(error.detail)"
        case .heldMetadataDiffers(let network, let version):
            "the metadata proof disagrees with the metadata of \(network) \(version) in this vault"
        case .severalVersions(let network, let versions):
            "the transaction for \(network) can be read with several runtime versions: \(versions.map { String($0) }.joined(separator: ", "))"
        case .networkOnlyProved(let name, _): "\(name) is not in this vault: only the transaction's own metadata proof describes it"
        case .listedChainDiffers(let difference):
            "the metadata proof gives \(difference.sentence)"
        case .storedMetadata(let error, let network, let version):
            "the stored metadata of \(network) \(version) is unusable: \(error.detail)"
        case .metadataHashRequired(let network, let check): "this vault requires the metadata hash for \(network): \(check.detail)"
        case .unsignedAboutHash(let network):
            "this vault requires the metadata hash for \(network) wherever the runtime checks it, and nobody signed the metadata that says it does not"
        case .metadataHashDemandUnreadable(let network): "the stored setting require-metadata-hash of \(network) is unreadable"
        case .policy(let violation): violation.sentence
        case .policyUnreadable: "the stored policy is unreadable"
        case .unknownSigner: "the signer is not a key of this vault"
        case .accountOfGroup(let group): "the signer is an account of group \(group), whose members sign together"
        case .keyNotAllowed(let network): "the signer's key is not allowed to sign for \(network)"
        case .newKey(let network):
            "the signer's key was never derived here, and no key of its seed may sign for \(network)"
        case .otherNetwork(let network, let other):
            "one signature could be valid on two networks: the signed bytes of this \(network) transaction have the genesis hash of \(other) "
                + "where \(other) checks it"
        case .notOnCards(let gap): gap.sentence
        case .messageIsTransaction(let network): "the message can also be read as a transaction for \(network)"
        case .ethereumPayload(let form): "a signature of this Ethereum-style key would also be valid for \(form.sentence)"
        case .otherStatement(let form): "one signature could have two meanings: the bytes to sign are also \(form.sentence)"
        case .ownDomain: "the signed bytes start with 64 bytes 0xff, as only contact lists of this program do"
        case .signatureDoesNotVerify: "the new signature is invalid and was discarded: hardware fault or bug"
        case .derivedKeyDiffers(let hasPassword):
            hasPassword ? "the password does not lead to this key" : "the seed does not lead to the stored key"
        }
    }

    public static var examples: [ReviewError] {
        let values = ExtrinsicError.examples.map { ReviewError.transaction($0, network: "polkadot") }
        let needsTypes = ReviewError.transaction(ExtrinsicError(.metadata(.typesNeeded), place: "call"), network: "polkadot")
        return [
            .unknownNetwork(Hash32.blake2b(of: [1])), .cut(network: "polkadot"), .networkBlocked("polkadot"),
            .noMetadata(network: "polkadot"),
            .metadataVersionMissing(network: "polkadot", version: 2_003_000, newest: 2_002_000), values[0], needsTypes,
            .heldMetadataDiffers(network: "polkadot", version: 2_003_000),
            .severalVersions(network: "polkadot", versions: [2_002_000, 2_003_000]),
            .networkOnlyProved("mychain, unknown chain 0x95cf28ae...ff337b3b", addable: nil),
            .networkOnlyProved("statemint", addable: WellKnownChain.chains(named: "statemint")[0].genesisHash),
            .listedChainDiffers(ListedDifference(chain: "Polkadot Asset Hub", field: .decimals, listed: "10", proved: "12")),
            .storedMetadata(MetadataError(.unknownType(5), place: "types.17"), network: "polkadot", version: 2_003_000),
            .metadataHashRequired(network: "polkadot", .disabled), .metadataHashRequired(network: "polkadot", .notCompared(version: 16)),
            .metadataHashRequired(network: "polkadot", .unsupported), .unsignedAboutHash(network: "polkadot"),
            .metadataHashDemandUnreadable("polkadot"), .policyUnreadable,
            .unknownSigner, .accountOfGroup("office"), .keyNotAllowed(network: "polkadot"), .newKey(network: "polkadot"),
            .otherNetwork(network: "alpha", other: "polkadot"), .notOnCards(.byte(7)), .ownDomain,
            .messageIsTransaction(network: "polkadot"),
            .signatureDoesNotVerify, .derivedKeyDiffers(hasPassword: true), .derivedKeyDiffers(hasPassword: false),
        ] + TransactionPolicy.Violation.examples.map(ReviewError.policy) + EthereumForm.allCases.map(ReviewError.ethereumPayload)
            + StatementForm.allCases.map(ReviewError.otherStatement)
    }
}

extension EthereumForm {
    fileprivate var sentence: String {
        switch self {
        case .legacyTransaction: "an Ethereum transaction: the bytes to sign are one RLP list"
        case .typedTransaction: "a typed Ethereum transaction: the bytes to sign are a type byte and one RLP list"
        case .personalMessage: "an Ethereum message: the bytes to sign start with its prefix (EIP-191)"
        case .typedData: "Ethereum typed data: the bytes to sign have its form (EIP-712)"
        }
    }
}

extension StatementForm {
    fileprivate var sentence: String {
        switch self {
        case .preSignedMint: "the permission to mint an item of a collection (PreSignedMint of pallet nfts)"
        case .preSignedAttributes: "the permission to set attributes of an item (PreSignedAttributes of pallet nfts)"
        case .storeStatement: "a statement of the statement store"
        case .crowdloanContribution: "the permission to contribute to a crowdloan"
        case .ownAccount: "a statement that starts with the signer's own account, as those of DIDs and orders do"
        case .relayedCall: "an authorization for a relayer"
        case .message: "the start of a message in <Bytes>"
        case .metaTransaction: "a meta-transaction, which somebody else sends"
        }
    }
}

extension CardGap: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case notOnCards = "not-on-cards" }

    public var code: Code { .notOnCards }

    public var sentence: String {
        switch self {
        case .card(let name): "the cards do not show the whole payload: card \(name)"
        case .byte(let offset): "the cards do not show the whole payload: byte \(offset)"
        }
    }

    public static var examples: [CardGap] { [.card("method 3"), .byte(7)] }
}
