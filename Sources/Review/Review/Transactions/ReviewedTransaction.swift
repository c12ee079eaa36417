import Accounts
import Cards
import Extrinsics
import History
import Metadata
import SubstratePrimitives
import TrustStore
import UOS

/// A payload that asks for one signature, decoded to its last byte and shown as cards. Only ``TransactionReview`` makes one.
public struct ReviewedTransaction: Sendable {
    /// Whether a transaction or a message is signed.
    public enum Subject: Sendable, Equatable {
        case transaction
        case message
    }

    public let subject: Subject
    /// The payload from its first byte `53`.
    public let payload: [UInt8]
    public private(set) var cards: CardSet
    /// nil for a message to any network.
    public let specs: NetworkSpecs?
    public let specVersion: UInt32?
    /// BLAKE2b-256 of the metadata that the cards were read with.
    public let metadataHash: Hash32?
    public let signer: SignerReference
    /// nil when the signer is not one of the keys that this vault has derived.
    public let key: KeyRecord?
    /// The signer, if the vault has its seed and signing derives its key for the first time.
    public let underived: UnderivedKey?
    /// What is signed, before hashing.
    public let signingBytes: [UInt8]
    /// The values behind the cards; nil for a message.
    public let decoded: DecodedTransaction?
    /// Why the cards can be believed; nil for a message, which has no metadata.
    public let ground: Ground?
    /// Who vouches that it was read as its chain reads it; nil for a message.
    public internal(set) var vouching: Vouching?
    /// Whether a person's yes makes ``metadataHash`` one that rules and the memory of payments rely on. The review says so; see `Vouching`.
    public private(set) var yesVouches = false
    /// What the built-in list says about a network that only a metadata proof describes; nil for a stored network and for a message.
    public let provedNetwork: ProvedNetwork?
    /// Whether the network is known only from a metadata proof.
    public var isNetworkOnlyProved: Bool { provedNetwork != nil }
    /// What this vault signed before; nil where nothing is known of that.
    public package(set) var history: HistoryFindings?
    /// What it takes of the policy's budgets.
    public private(set) var budgets: [BudgetUse] = []
    /// The wall clock where it is too far ahead to be believed, so that no budget is freed by it; nil else, and where there are no budgets.
    public private(set) var clockJump: UInt64?
    /// Why it is only shown; nil when it may be signed.
    public private(set) var refusal: ReviewError?

    init(
        subject: Subject, payload: [UInt8], cards: CardSet, specs: NetworkSpecs?, signer: SignerReference, key: KeyRecord?,
        underived: UnderivedKey?, signingBytes: [UInt8], metadataHash: Hash32?, decoded: DecodedTransaction?, ground: Ground?,
        vouching: Vouching?, provedNetwork: ProvedNetwork?, refusal: ReviewError?
    ) {
        self.subject = subject
        self.payload = payload
        self.cards = cards.numbered()
        self.specs = specs
        self.specVersion = decoded?.runtimeVersion.specVersion
        self.metadataHash = metadataHash
        self.signer = signer
        self.key = key
        self.underived = underived
        self.signingBytes = signingBytes
        self.decoded = decoded
        self.ground = ground
        self.vouching = vouching
        self.provedNetwork = provedNetwork
        self.refusal = refusal
    }

    /// The address of the signer as this network writes it.
    public var address: String { signer.address(prefix: specs?.base58Prefix ?? 42, record: key) }

    /// The account that signs, 32 or 20 bytes; nil while the key is not derived.
    public var signingAccount: [UInt8]? { signer.account(record: key) }

    /// The same with what the history says of it. Its warnings come first: a summary that is cut keeps them.
    func remembering(_ findings: HistoryFindings) -> ReviewedTransaction {
        var item = self
        item.history = findings
        item.cards.warning = findings.warnings + cards.warning
        item.cards = item.cards.numbered()
        return item
    }

    /// The same with one warning more.
    package func warning(of warning: ReviewWarning) -> ReviewedTransaction { self.warning(Card(warning: warning)) }

    func warning(_ card: Card) -> ReviewedTransaction {
        var item = self
        item.cards.warning.append(card)
        item.cards = item.cards.numbered()
        return item
    }

    /// The same with what it takes of the policy's budgets.
    func taking(_ uses: [BudgetUse], jump: UInt64?) -> ReviewedTransaction {
        var item = self
        item.budgets = uses
        item.clockJump = uses.isEmpty ? nil : jump
        return item
    }

    /// The same where a yes vouches for its metadata hash.
    func vouchedByYes() -> ReviewedTransaction {
        var item = self
        item.yesVouches = true
        return item
    }

    /// The same for showing only; a reason that it has already comes first.
    func refusing(_ error: ReviewError) -> ReviewedTransaction {
        var item = self
        item.refusal = refusal ?? error
        return item
    }

    /// Whether a person who reads one of them has read the other.
    package func shows(the other: ReviewedTransaction) -> Bool {
        cards == other.cards && signingBytes == other.signingBytes && key?.publicKey == other.key?.publicKey && refusal == other.refusal
            && underived == other.underived && metadataHash == other.metadataHash && ground == other.ground
            && provedNetwork == other.provedNetwork && history == other.history && yesVouches == other.yesVouches
            && budgets.count == other.budgets.count && zip(budgets, other.budgets).allSatisfy { $0.shows(the: $1) }
    }
}
