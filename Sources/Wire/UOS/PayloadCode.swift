import SubstratePrimitives

/// The second byte after `53`: what a payload asks for.
///
/// Source: Polkadot Vault, "Universal Offline Signatures" document; codes a1 to a4, a8 to ab and b0 to
/// b9 are this project's own, described in `Payloads.md` of `heliograph.docc`.
public enum PayloadCode: UInt8, Sendable, CaseIterable {
    /// A transaction; read exactly as ``transaction``. Its era says whether it expires.
    case transactionMortal = 0x00
    /// The hash of a transaction. It is always refused, because what it does cannot be shown.
    case transactionHash = 0x01
    /// A transaction: ``TransactionPayload``.
    case transaction = 0x02
    /// A message for one network: ``MessagePayload``.
    case message = 0x03
    /// Transactions and messages that are signed together: `00` ‖ Vec of byte vectors, each a payload without
    /// its leading `53`.
    case bulk = 0x04
    /// A transaction of a key that is named by its root key and its derivation path.
    case derivedTransaction = 0x05
    /// A transaction that brings a proof of the metadata it needs (RFC-0078).
    case transactionWithProof = 0x06
    /// A transaction with a metadata proof, of a key that is named by its root key and its derivation path.
    case derivedTransactionWithProof = 0x07
    /// A message that carries no genesis hash.
    case anyNetworkMessage = 0x08
    /// The metadata of a network: ``UpdatePayload``.
    case loadMetadata = 0x80
    /// The types that metadata 13 and older needs: ``UpdatePayload``.
    case loadTypes = 0x81
    /// The units of a network's assets: ``UpdatePayload``.
    case loadAssets = 0xa1
    /// The metadata of a network, compressed: ``CompressedMetadata``.
    case loadMetadataCompressed = 0xa2
    /// Contacts that somebody signed: ``ContactListPayload``.
    case contactList = 0xa3
    /// A transaction with claims of an online machine: ``ClaimedFacts``, then the transaction's whole
    /// payload.
    case claimedFacts = 0xa4
    /// A transaction with a proof of its chain's state at the first block of its era: ``StateEnvelope``, then
    /// the whole payload of the transaction or of its claims.
    case stateProof = 0xa8
    /// A transaction whose signature is guarded, first round: ``GuardRound``, then the whole payload of the
    /// transaction, of its claims or of its state proof.
    case guardCommitment = 0xa9
    /// The same, second round.
    case guardReveal = 0xaa
    /// The answer to the first round: ``GuardPoint``.
    case guardPoint = 0xab
    /// A machine's host key and its name: ``GroupHost``.
    case groupHost = 0xb0
    /// Who is to be in a threshold group: ``GroupProposal``.
    case groupProposal = 0xb1
    /// A member's part of a new group key: ``GroupContribution``.
    case groupContribution = 0xb2
    /// The parts of all members: ``GroupContributions``.
    case groupContributions = 0xb3
    /// A member's signature on a group: ``GroupConfirmation``.
    case groupConfirmation = 0xb4
    /// A group that all members signed: ``GroupRecord``.
    case groupRecord = 0xb5
    /// What members of a group are asked to sign: ``GroupRequest``.
    case groupRequest = 0xb6
    /// Round one of a signer: ``GroupCommitment``.
    case groupCommitment = 0xb7
    /// The commitments of signers: ``GroupPackage``.
    case groupPackage = 0xb8
    /// Round two of a signer: ``GroupShare``.
    case groupShare = 0xb9
    /// The specs of a network: ``UpdatePayload``.
    case addSpecs = 0xc1
    /// Derivations that another signer exports: ``ExportAddrs``.
    case importDerivations = 0xde
    /// A question for the public keys of derivation paths: ``DynamicDerivationsRequest``.
    case derivationsRequest = 0xdf

    /// The stable word of `payload.kind` in JSON.
    public var kind: String {
        switch self {
        case .transactionMortal, .transaction: "transaction"
        case .transactionHash: "transaction_hash"
        case .message: "message"
        case .bulk: "bulk"
        case .derivedTransaction: "derived_transaction"
        case .transactionWithProof: "transaction_with_proof"
        case .derivedTransactionWithProof: "derived_transaction_with_proof"
        case .anyNetworkMessage: "any_network_message"
        case .loadMetadata: "load_metadata"
        case .loadTypes: "load_types"
        case .loadAssets: "load_assets"
        case .loadMetadataCompressed: "load_metadata_compressed"
        case .contactList: "contact_list"
        case .claimedFacts: "claimed_facts"
        case .stateProof: "proven_state"
        case .guardCommitment: "guard_commitment"
        case .guardReveal: "guard_reveal"
        case .guardPoint: "guard_point"
        case .groupHost: "group_host"
        case .groupProposal: "group_proposal"
        case .groupContribution: "group_contribution"
        case .groupContributions: "group_contributions"
        case .groupConfirmation: "group_confirmation"
        case .groupRecord: "group_record"
        case .groupRequest: "group_request"
        case .groupCommitment: "group_commitment"
        case .groupPackage: "group_package"
        case .groupShare: "group_share"
        case .addSpecs: "add_specs"
        case .importDerivations: "import_derivations"
        case .derivationsRequest: "derivations_request"
        }
    }
}

extension PayloadCode {
    /// Whether a payload of this code asks for a signature by itself.
    var isSignable: Bool {
        switch self {
        case .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
            .derivedTransactionWithProof, .message,
            .anyNetworkMessage:
            true
        case .transactionHash, .bulk, .loadMetadata, .loadTypes, .loadAssets, .loadMetadataCompressed,
            .contactList, .claimedFacts, .stateProof, .guardCommitment, .guardReveal, .guardPoint,
            .addSpecs, .importDerivations, .derivationsRequest, .groupHost, .groupProposal,
            .groupContribution, .groupContributions,
            .groupConfirmation, .groupRecord, .groupRequest, .groupCommitment, .groupPackage, .groupShare:
            false
        }
    }

    /// Whether a payload of this code is one transaction that can be shown.
    var isTransaction: Bool {
        switch self {
        case .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
            .derivedTransactionWithProof:
            true
        case .transactionHash, .message, .anyNetworkMessage, .bulk, .loadMetadata, .loadTypes, .loadAssets,
            .loadMetadataCompressed,
            .contactList, .claimedFacts, .stateProof, .guardCommitment, .guardReveal, .guardPoint,
            .addSpecs, .importDerivations, .derivationsRequest,
            .groupHost, .groupProposal, .groupContribution,
            .groupContributions, .groupConfirmation, .groupRecord, .groupRequest, .groupCommitment,
            .groupPackage, .groupShare:
            false
        }
    }

    /// Whether a request of a group may hold a payload of this code. A path from a root key (05, 07) stands
    /// in the request; a bulk has several messages to sign, and a request has one.
    public var isGroupContent: Bool {
        switch self {
        case .transactionMortal, .transaction, .message, .transactionWithProof, .anyNetworkMessage: true
        case .transactionHash, .bulk, .derivedTransaction, .derivedTransactionWithProof, .loadMetadata,
            .loadTypes, .loadAssets,
            .loadMetadataCompressed, .contactList, .claimedFacts, .stateProof, .guardCommitment, .guardReveal,
            .guardPoint, .addSpecs, .importDerivations,
            .derivationsRequest, .groupHost,
            .groupProposal, .groupContribution, .groupContributions, .groupConfirmation, .groupRecord,
            .groupRequest, .groupCommitment,
            .groupPackage, .groupShare:
            false
        }
    }
}
