import Extrinsics
import Metadata
import SubstratePrimitives

/// Why a payload that asks for a signature cannot be shown or signed.
public enum ReviewError: Error, Equatable, Sendable {
    case unknownNetwork(GenesisHash)
    /// No network has the genesis hash that the payload ends with, and under a known network the payload ends too early.
    case cut(network: String)
    /// The network was revoked: nothing of it is decoded until the verifiers are reset.
    case networkBlocked(String)
    case noMetadata(network: String)
    /// The transaction announces a runtime version of which no metadata is stored; `newest` is the newest that is.
    case metadataVersionMissing(network: String, version: UInt32, newest: UInt32)
    case transaction(ExtrinsicError, network: String)
    /// The proof and the vault's metadata of the same version read the transaction differently.
    case heldMetadataDiffers(network: String, version: UInt32)
    /// More than one stored version reads its own number from the bytes.
    case severalVersions(network: String, versions: [UInt32])
    /// The network is known only from the metadata proof of this one transaction.
    /// - addable: its genesis hash, where the built-in list agrees with the proof and two sources give each value.
    case networkOnlyProved(String, addable: GenesisHash?)
    /// The network is a listed chain, and its proof says something else than the list.
    case listedChainDiffers(ListedDifference)
    /// The metadata in the store cannot be decoded.
    case storedMetadata(MetadataError, network: String, version: UInt32)
    /// The owner demands that the chain checks more of this network's metadata than it does for this transaction.
    case metadataHashRequired(network: String, MetadataHashCheck)
    /// The owner demands the metadata hash where the runtime can check it, and only metadata that nobody signed says that it cannot.
    case unsignedAboutHash(network: String)
    /// What the owner demands for this network cannot be read, so it may be anything.
    case metadataHashDemandUnreadable(String)
    /// A rule of the owner's policy, by the name it has there.
    case policy(TransactionPolicy.Violation)
    /// The policy in the store cannot be read.
    case policyUnreadable
    /// The signer is not one of this vault's keys.
    case unknownSigner
    /// The signer is an account of this group: its members sign together, and one of them alone cannot.
    case accountOfGroup(String)
    /// The key exists, but may not sign for this network.
    case keyNotAllowed(network: String)
    /// The signer's key was never derived here, and no key of its seed is allowed on this network.
    case newKey(network: String)
    /// The signed bytes have the genesis hash of another chain where that chain checks it; see `OtherChains`.
    case otherNetwork(network: String, other: String)
    /// The cards of the message do not state its bytes.
    case notOnCards(CardGap)
    /// The message reads as a transaction of a known network.
    case messageIsTransaction(network: String)
    /// An Ethereum-style key would sign bytes that mean something on an Ethereum chain too.
    case ethereumPayload(EthereumForm)
    /// A runtime would take the signature for a statement outside of transactions, too.
    case otherStatement(StatementForm)
    /// The signed bytes start as those that only this program signs, such as a list of contacts.
    case ownDomain
    /// The new signature does not verify under the key that was asked for.
    case signatureDoesNotVerify
    /// The vault's seed gives another key for the stored path: the password is wrong, or the record is.
    case derivedKeyDiffers(hasPassword: Bool)
}
