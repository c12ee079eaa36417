import Accounts
import Cards
import Extrinsics
import Hashing
import History
import SubstratePrimitives

/// What a payload does, in few lines, for the head of a screen and for the place right above the question.
///
/// It is not a second reading of the bytes. Everything in it is a card, a count or a sum of cards, or a word
/// that a fixed table gives to a call's name and to the cards below it, as the rules read the cards
/// (`ShownCalls`). Two facts are on no card: whether a number is as wide as an amount, and whether a call is
/// behind a hash. The card builder notes them in `CallSummary` while it adds the cards. The cards determine
/// the signed bytes, or the payload is refused. So a summary can leave something out, but cannot say what the
/// bytes do not.
///
/// Equal summaries print equal lines. These cards can change without changing the summary: a name, a number,
/// a text or bytes that no sentence quotes, a flag, docs, and of the extensions the nonce, the versions and
/// unexplained values. Amounts, accounts, calls, warnings, the era, the tip and the signer always change it.
public struct ReviewSummary: Sendable, Equatable {
    /// The networks that it is for; empty for a message to any network and where no network takes part, as
    /// for shares of a seed.
    public package(set) var networks: [Network] = []
    /// Who signs, or whose keys are derived; empty where nobody signs, as for updates.
    public package(set) var signers: [Signer] = []
    /// What it does. One for each payload of a bulk.
    public package(set) var sentences: [Sentence] = []
    public internal(set) var totals: [Total] = []
    public internal(set) var unread: [UnreadAmount] = []
    /// Whether of two calls that the totals count only one runs.
    public internal(set) var hasAlternatives = false
    /// Every account among the arguments that may receive or gain something.
    public internal(set) var recipients: [Recipient] = []
    /// Whether there are addresses that name no account by its key: indices, or places on other chains.
    public internal(set) var hasOtherAddresses = false
    public internal(set) var calls: [CallCount] = []
    /// The tip, what pays the fee, how long it is valid.
    public internal(set) var limits: [Limit] = []
    /// What it takes of the policy's budgets, in the order of signing.
    public internal(set) var budgets: [BudgetUse] = []
    /// The wall clock where it is too far ahead to free a budget; nil else.
    public internal(set) var clockJump: UInt64?
    /// Further facts of updates and derivations, such as the verifier and the hash of what is accepted.
    public package(set) var facts: [Fact] = []
    /// Whether all facts must be shown whole even if there is little room, because the person confirms having
    /// compared each.
    public package(set) var needsAllFacts = false
    /// The cards of the warnings and the errors.
    public package(set) var warnings: [Card] = []
    /// Why the cards of transactions can be believed; counts nothing where nothing is signed.
    public internal(set) var provenance = SummaryProvenance()
    /// The block whose state is proven beside it, and how many blocks old that is at most when the
    /// transaction is included; nil without a proof.
    public internal(set) var provenBlock: ProvenBlock?
    /// What must be typed instead of yes; nil for an ordinary payload.
    public package(set) var word: TypedWord?

    /// The codes of the warnings, each once, in the order of their cards.
    public var warningCodes: [String] {
        var codes: [String] = []
        for code in warnings.compactMap({ $0.warning?.code }) where !codes.containsUTF8(of: code) {
            codes.append(code)
        }
        return codes
    }

    package init() {}
}

extension ReviewSummary {
    /// A block whose state is proven.
    public struct ProvenBlock: Sendable, Equatable {
        public let number: UInt32
        /// In blocks.
        public let maximumAge: UInt32
    }

    /// The network that a payload is for.
    public struct Network: Sendable, Equatable {
        public let name: String
        public let genesisHash: GenesisHash?
        public let specVersion: UInt32?
        /// Whether the name alone may mislead: an update is of a chain that is not the well-known one of this
        /// name.
        public package(set) var needsGenesis = false
        /// Set for a chain that this vault does not know and only a metadata proof describes.
        public internal(set) var mark: ProvedNetwork.Mark?

        package init(
            name: String, genesisHash: GenesisHash?, specVersion: UInt32?, needsGenesis: Bool = false,
            mark: ProvedNetwork.Mark? = nil
        ) {
            (self.name, self.genesisHash, self.specVersion, self.needsGenesis, self.mark) = (
                name, genesisHash, specVersion, needsGenesis, mark
            )
        }

        public static func == (one: Network, other: Network) -> Bool {
            one.name.utf8Equals(other.name) && one.genesisHash == other.genesisHash
                && one.specVersion == other.specVersion
                && one.needsGenesis == other.needsGenesis && one.mark == other.mark
        }
    }

    /// An account, and what the vault knows of it.
    public struct Signer: Sendable, Equatable {
        /// nil while the key is not derived: its seed and its path say who signs.
        public let address: String?
        public let publicKey: String?
        /// nil for a key that is not in this vault, for an account of a group and for an imported key.
        public let seed: String?
        /// The group whose members sign; nil for every other key.
        public var group: String?
        /// Whether another wallet made the key.
        public var isImported = false
        /// Whether a person gave its phrase for this review.
        public var isUnstored = false
        public let path: String
        public let label: String?
        /// Names and genesis hashes of the other networks that the key may sign for.
        public let otherNetworks: [Fact]

        /// Whether this vault signs with it, alone or as a member of its group.
        public var isOfThisVault: Bool { seed != nil || group != nil || isImported }

        public static func == (one: Signer, other: Signer) -> Bool {
            one.address.utf8Equals(other.address) && one.publicKey.utf8Equals(other.publicKey)
                && one.seed.utf8Equals(other.seed)
                && one.group.utf8Equals(other.group) && one.isImported == other.isImported
                && one.isUnstored == other.isUnstored
                && one.path.utf8Equals(other.path)
                && one.label.utf8Equals(other.label) && one.otherNetworks == other.otherNetworks
        }
    }

    /// An account that a transaction names.
    public struct Recipient: Sendable, Equatable {
        public let address: ExactText
        /// 32 or 20 bytes.
        public let account: [UInt8]
        public let label: ExactText?
        public let relation: AccountRelation
        /// What this vault signed for it before; nil where nothing is known of that.
        public package(set) var history: HistoryFindings.Payment?
        /// The arguments that name it, such as `dest`, in order.
        public internal(set) var arguments: [ExactText]
        /// How often it is named.
        public package(set) var count: Int

        /// The same account, named again.
        mutating func add(_ other: Recipient) {
            count += other.count
            // Networks of one prefix write an account alike, and one of them may never have paid it.
            history = .lessKnown(history, other.history)
            arguments += other.arguments.filter { !arguments.contains($0) }
        }
    }

    /// Calls of one name, nested ones included.
    public struct CallCount: Sendable, Equatable {
        public let name: ShownCalls.Name
        public package(set) var count: Int
    }

    /// An amount that no total holds.
    public enum UnreadAmount: String, Sendable, CaseIterable {
        /// A call moves everything that can be moved.
        case everything
        /// A call that is not shown may move anything.
        case hiddenCalls = "hidden_calls"
        /// Numbers as wide as an amount, without a known meaning.
        case numbers
        /// Variants without a known meaning, where others may have an amount.
        case choices
        /// Amounts of assets that cannot be told apart.
        case assets
    }

    /// How much the transaction may cost beside its amounts, and when.
    public enum Limit: Sendable, Equatable {
        /// The sum of all tips of one token, and how many of them are not zero.
        case tip(Total, count: Int)
        case feeAsset(ExtensionContent.FeeAsset)
        /// The era, and the notice that explains it if there is one.
        case validity(era: Card, notice: Card?)
    }

    /// A named value of an update.
    public struct Fact: Sendable, Equatable {
        public let name: String
        public let value: String

        package init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }

        public static func == (one: Fact, other: Fact) -> Bool {
            one.name.utf8Equals(other.name) && one.value.utf8Equals(other.value)
        }
    }
}

extension ReviewSummary {
    /// The summary of an import of derivations, or of a request for them.
    public init(_ group: DerivationReview.Group, _ purpose: DerivationReview.Purpose) {
        let added = group.targets.filter(\.status.isAdded).count
        let keys = group.targets.count == 1 ? "1 key" : "\(group.targets.count) keys"
        for target in group.targets {
            let network = Network(
                name: target.specs?.name ?? target.genesisHash.hex, genesisHash: target.genesisHash,
                specVersion: nil)
            if !networks.contains(network) { networks.append(network) }
        }
        signers = group.cards.author.prefix(1).map {
            Signer(
                address: $0.signer?.address?.text, publicKey: group.root?.hex, seed: group.seed, path: "",
                label: nil, otherNetworks: [])
        }
        switch purpose {
        case .importing, .listing: sentences = [Sentence("derives keys: \(added) new of \(keys)")]
        case .answering:
            sentences = [Sentence("answers with the public keys of \(keys), \(added) of them new")]
        }
    }
}

extension ReviewSummary.Network {
    /// The name with its mark; nil where it has none.
    public var markedName: String? {
        guard let mark, let genesisHash else { return nil }
        return mark.shownName(name, genesisHash)
    }
}
