import Accounts
import Cards
import Extrinsics
import History
import Metadata
import SubstratePrimitives
import TrustStore
import UOS

/// A decoded transaction, and what read it.
public struct TransactionReading: Sendable {
    /// The values behind the cards.
    public let decoded: DecodedTransaction
    /// Of its network, as the vault holds them or as the proof says.
    public let specs: NetworkSpecs
    /// Of the stored metadata, or the hash that a proof leads to.
    public let metadataHash: Hash32
    /// Of stored metadata; for a proof of what the vault has of its network.
    let voucher: MetadataVoucher
    /// Why the cards can be believed.
    public let provenance: Provenance
    /// Who vouches that it was read as its chain reads it, according to the stored metadata of this version;
    /// the history may add to it.
    public internal(set) var vouching: Vouching
    /// Whether a person's yes makes ``metadataHash`` one that rules and the memory of payments rely on. The
    /// review says so; see `Vouching`.
    public internal(set) var yesVouches = false
    /// What the built-in list says about a network that only a metadata proof describes; nil for a stored
    /// network.
    public let provedNetwork: ProvedNetwork?

    init(
        decoded: DecodedTransaction, specs: NetworkSpecs, metadataHash: Hash32, voucher: MetadataVoucher,
        vouching: Vouching,
        proved: ProvedNetwork? = nil
    ) {
        (self.decoded, self.specs, self.metadataHash) = (decoded, specs, metadataHash)
        (self.voucher, self.vouching, provedNetwork) = (voucher, vouching, proved)
        provenance = Provenance(decoded, voucher: voucher)
    }
}

/// A payload that asks for one signature, decoded to its last byte and shown as cards. Only
/// ``TransactionReview`` makes one.
public struct ReviewedTransaction: Sendable {
    /// Whether a transaction or a message is signed.
    public enum Subject: Sendable, Equatable {
        case transaction
        case message
    }

    /// What is signed, with what read it: a message has neither metadata nor a chain that could check them.
    public enum Content: Sendable {
        case transaction(TransactionReading)
        /// With the network that it names; nil for any.
        case message(NetworkSpecs?)
    }

    /// Who signs.
    public enum Signatory: Sendable, Equatable {
        /// A key that the vault has derived.
        case held(KeyRecord)
        /// A key of a seed of the vault, which signing derives.
        case underived(UnderivedKey)
        /// A key of a phrase that a person gave for this review.
        case unstored(UnstoredKey)
        /// Nobody here: the payload is only shown.
        case stranger
    }

    public private(set) var content: Content
    public let signatory: Signatory
    /// The payload from its first byte `53`.
    public let payload: [UInt8]
    public private(set) var cards: CardSet
    public let signer: SignerReference
    /// What is signed, before hashing.
    public let signingBytes: [UInt8]
    /// What this vault signed before; nil where nothing is known of that.
    public package(set) var history: HistoryFindings?
    /// What it takes of the policy's budgets.
    public private(set) var budgets: [BudgetUse] = []
    /// The wall clock where it is too far ahead to be believed, so that no budget is freed by it; nil else,
    /// and where there are no budgets.
    public private(set) var clockJump: UInt64?
    /// What a state proof says beside it; nil without one. No card and no signed byte depends on it.
    public private(set) var state: StateReview?
    /// Why it is only shown; nil when it may be signed.
    public private(set) var refusal: ReviewError?

    init(
        _ content: Content, payload: [UInt8], cards: CardSet, signer: SignerReference, signatory: Signatory,
        signingBytes: [UInt8],
        refusal: ReviewError?
    ) {
        self.content = content
        self.signatory = signatory
        self.payload = payload
        self.cards = cards.numbered()
        self.signer = signer
        self.signingBytes = signingBytes
        self.refusal = refusal
    }

    // MARK: Parts

    public var subject: Subject {
        switch content {
        case .transaction: .transaction
        case .message: .message
        }
    }

    /// nil for a message.
    public var reading: TransactionReading? {
        if case .transaction(let reading) = content { reading } else { nil }
    }

    /// nil for a message to any network.
    public var specs: NetworkSpecs? {
        switch content {
        case .transaction(let reading): reading.specs
        case .message(let specs): specs
        }
    }

    /// nil unless the vault has derived the signer's key.
    public var key: KeyRecord? { if case .held(let key) = signatory { key } else { nil } }
    /// nil unless signing derives the signer's key.
    public var underived: UnderivedKey? { if case .underived(let key) = signatory { key } else { nil } }
    /// nil unless a person gave the phrase of the signer's key for this review.
    public var unstored: UnstoredKey? { if case .unstored(let key) = signatory { key } else { nil } }

    /// Of ``reading``; nil for a message.
    public var decoded: DecodedTransaction? { reading?.decoded }
    public var specVersion: UInt32? { reading?.decoded.runtimeVersion.specVersion }
    public var metadataHash: Hash32? { reading?.metadataHash }
    public var provenance: Provenance? { reading?.provenance }
    public var vouching: Vouching? { reading?.vouching }
    public var provedNetwork: ProvedNetwork? { reading?.provedNetwork }
    /// Whether the network is known only from a metadata proof.
    public var isNetworkOnlyProved: Bool { provedNetwork != nil }
    public var yesVouches: Bool { reading?.yesVouches ?? false }

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
    package func warning(of warning: ReviewWarning) -> ReviewedTransaction {
        self.warning(Card(warning: warning))
    }

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

    /// The same with a state proof that was checked beside it.
    func proving(_ state: StateReview) -> ReviewedTransaction {
        var item = self
        item.state = state
        return item
    }

    /// The same transaction where a yes vouches for its metadata hash.
    func vouchedByYes() -> ReviewedTransaction { changingReading { $0.yesVouches = true } }

    /// The same transaction where an earlier signature vouches for its metadata hash.
    func vouched(by vouching: Vouching) -> ReviewedTransaction { changingReading { $0.vouching = vouching } }

    private func changingReading(_ change: (inout TransactionReading) -> Void) -> ReviewedTransaction {
        guard case .transaction(var reading) = content else { return self }
        change(&reading)
        var item = self
        item.content = .transaction(reading)
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
        cards == other.cards && signingBytes == other.signingBytes && key?.publicKey == other.key?.publicKey
            && refusal == other.refusal
            && underived == other.underived && unstored == other.unstored
            && metadataHash == other.metadataHash
            && provenance == other.provenance
            && provedNetwork == other.provedNetwork && history == other.history
            && yesVouches == other.yesVouches && state == other.state
            && budgets.count == other.budgets.count
            && zip(budgets, other.budgets).allSatisfy { $0.shows(the: $1) }
    }
}

/// A transaction that may be signed, with its key. Only ``ReviewedTransaction/signable()`` makes one, so a
/// transaction that is only shown is never signed.
public struct SignableTransaction: Sendable {
    /// The key that signs.
    public enum Key: Sendable {
        case held(KeyRecord)
        case underived(UnderivedKey)
        case unstored(UnstoredKey)
    }

    public let reviewed: ReviewedTransaction
    public let key: Key

    fileprivate init(_ reviewed: ReviewedTransaction, _ key: Key) {
        (self.reviewed, self.key) = (reviewed, key)
    }
}

extension ReviewedTransaction {
    /// - Throws: why it is only shown.
    public func signable() throws(ReviewError) -> SignableTransaction {
        if let refusal { throw refusal }
        switch signatory {
        case .held(let key): return SignableTransaction(self, .held(key))
        case .underived(let key): return SignableTransaction(self, .underived(key))
        case .unstored(let key): return SignableTransaction(self, .unstored(key))
        case .stranger: throw .unknownSigner
        }
    }
}
