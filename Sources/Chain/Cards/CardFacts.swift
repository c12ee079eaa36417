import Hashing
import SubstratePrimitives

extension Card {
    /// The facts of a card beside its line, for programs and for the rules. They are typed, so that no rule
    /// looks a fact up by its name.
    ///
    /// ``Card/fields`` is how JSON has it, and nothing is ever read back from there.
    public enum Facts: Sendable, Equatable {
        /// The line is all.
        case none
        /// What the metadata say of a name.
        case docs(ExactText)
        /// A field or an argument: its docs, and the path and the docs of its type.
        indirect case field(docs: ExactText, path: ExactText, typeDocs: ExactText)
        /// A variant: its docs, and its shape if that is not the shape that its name promises.
        indirect case variant(docs: ExactText, unusual: UnusualVariant?)
        /// An account among the arguments.
        indirect case account(Account)
        /// A balance or a tip.
        indirect case amount(Amount)
        /// The integer, in decimal digits, that the line writes in another way.
        case integer(ExactText)
        /// Bytes, which the line may show as text.
        case bytes([UInt8])
        /// The content of a message, and whether the line shows it as text.
        case message([UInt8], isText: Bool)
        /// A key that a message of a group names.
        case publicKey([UInt8], SignatureScheme)
        /// A mortal era, in blocks.
        case era(phase: UInt64, period: UInt64)
        /// The runtime that a transaction is for.
        case runtime(RuntimeVersion)
        /// The network that the line names.
        case genesis(GenesisHash)
        /// Who signs.
        indirect case signer(Signer)
        /// Who vouches for an update; nil for nobody.
        indirect case verifier(PublicKey?)
        /// Metadata that an update brings: their BLAKE2b-256 and their bytes.
        indirect case metadata(RuntimeVersion, hash: Hash32, length: Int)
        /// A types supplement that an update brings: its BLAKE2b-256 and its bytes.
        case types(hash: Hash32, length: Int)
        /// What an update says of a network.
        indirect case specs(NetworkSpecs)
        /// One line of a payload of derivations.
        indirect case derivation(Derivation)
        /// What asks for a second look.
        case warning(CardWarning)
        /// With what the vault calls the account that the notice names, where it knows it.
        indirect case notice(Notice, KnownAccount?)
    }

    /// A variant whose shape is not the one that its name promises.
    public struct UnusualVariant: Sendable, Equatable {
        /// As the type spells it.
        public let name: ExactText
        /// The byte that encodes the variant.
        public let index: UInt8
        /// Of its type.
        public let path: ExactText

        /// The parts of the variant.
        public init(name: ExactText, index: UInt8, path: ExactText) {
            (self.name, self.index, self.path) = (name, index, path)
        }
    }

    /// An account among the arguments.
    public struct Account: Sendable, Equatable {
        /// As the line has it.
        public let address: ExactText
        /// 32 or 20 bytes.
        public let account: [UInt8]
        /// nil where there are no keys and no contacts to compare it with.
        public var known: KnownAccount?

        /// An account that nothing is known of yet.
        public init(address: String, account: [UInt8], known: KnownAccount? = nil) {
            (self.address, self.account, self.known) = (ExactText(address), account, known)
        }
    }

    /// An amount of a token.
    public struct Amount: Sendable, Equatable {
        /// How it is written.
        public let text: TokenAmount
        /// In the smallest unit.
        public let raw: Planck
        /// How many orders of magnitude the unit stands above the smallest one.
        public let decimals: UInt8
        /// nil for the chain's own token.
        public let asset: AssetKey?

        /// An amount in the smallest unit.
        public init(raw: Planck, decimals: UInt8, unit: String, asset: AssetKey? = nil) {
            text = TokenAmount(planck: raw.digits.text, decimals: decimals, unit: unit)
            (self.raw, self.decimals, self.asset) = (raw, decimals, asset)
        }
    }

    /// Who signs, as far as the payload and the vault say it.
    public struct Signer: Sendable, Equatable {
        /// As what.
        public enum Role: Sendable, Equatable {
            /// A key of this vault.
            case key
            /// A key that signing derives: no address is known before.
            case underived(SignatureScheme)
            /// A key of this vault that vouches for an update.
            case attesting
            /// The root key of a payload of derivations, with the name that the payload gives its seed.
            case root(name: ExactText?)
            /// A key that is not in this vault.
            case stranger
        }

        /// As what.
        public let role: Role
        /// nil for a key that is not derived yet, or that the payload does not name.
        public let address: ExactText?
        /// nil where ``address`` is, and for the root of a seed.
        public let publicKey: [UInt8]?
        /// nil for an account of a group, and for a signer who is not of this vault.
        public let seed: ExactText?
        /// Empty for a root key.
        public let path: ExactText
        /// Whether a password belongs to the path.
        public let hasPassword: Bool
        /// What the vault calls the key.
        public let label: ExactText?
        /// The name of the group whose members sign.
        public let group: ExactText?
        /// Other networks that the key may sign on.
        public let otherNetworks: [Network]

        /// A network by the name that the vault has for it.
        public struct Network: Sendable, Equatable {
            /// Whoever wrote the specs chose it.
            public let name: ExactText
            /// The hash of its first block.
            public let genesis: GenesisHash

            /// Both parts.
            public init(name: String, genesis: GenesisHash) {
                (self.name, self.genesis) = (ExactText(name), genesis)
            }
        }

        /// What a card of a signer says; what it does not say is nil or empty.
        public init(
            _ role: Role, address: String?, publicKey: [UInt8]? = nil, seed: String? = nil, path: String = "",
            hasPassword: Bool = false,
            label: String? = nil, group: String? = nil, otherNetworks: [Network] = []
        ) {
            (self.role, self.publicKey, self.hasPassword, self.otherNetworks) = (
                role, publicKey, hasPassword, otherNetworks
            )
            self.address = address.map { ExactText($0) }
            self.seed = seed.map { ExactText($0) }
            self.path = ExactText(path)
            self.label = label.map { ExactText($0) }
            self.group = group.map { ExactText($0) }
        }
    }

    /// One key that a payload imports or asks for.
    public struct Derivation: Sendable, Equatable {
        /// Empty for the root key.
        public let path: ExactText
        /// As the payload has it; nil in a request.
        public let address: ExactText?
        /// What becomes of it.
        public let status: DerivationStatus
        /// Of the key.
        public let scheme: SignatureScheme
        /// nil for a network that the vault does not know.
        public let network: ExactText?
        /// Of the network that the key is for.
        public let genesis: GenesisHash
        /// nil where no seed fits.
        public let seed: ExactText?

        /// All that a line says, and the seed.
        public init(
            path: String, address: String?, status: DerivationStatus, scheme: SignatureScheme,
            network: String?, genesis: GenesisHash,
            seed: String?
        ) {
            (self.status, self.scheme, self.genesis) = (status, scheme, genesis)
            self.path = ExactText(path)
            self.address = address.map { ExactText($0) }
            self.network = network.map { ExactText($0) }
            self.seed = seed.map { ExactText($0) }
        }
    }

    // MARK: What the rules ask

    /// The account that the card names.
    public var account: Account? { if case .account(let account) = facts { account } else { nil } }

    /// The amount of a balance or a tip.
    public var amount: Amount? { if case .amount(let amount) = facts { amount } else { nil } }

    /// Who signs, on a card of a signer.
    public var signer: Signer? { if case .signer(let signer) = facts { signer } else { nil } }

    /// What a notice says.
    public var notice: Notice? { if case .notice(let notice, _) = facts { notice } else { nil } }

    /// What a warning warns of.
    public var warning: CardWarning? { if case .warning(let warning) = facts { warning } else { nil } }

    /// What the vault knows of the account that the card or the notice names.
    public var known: KnownAccount? {
        switch facts {
        case .account(let account): account.known
        case .notice(_, let known): known
        case .none, .docs, .field, .variant, .amount, .integer, .bytes, .message, .publicKey, .era, .runtime,
            .genesis, .signer, .verifier,
            .metadata, .types, .specs, .derivation, .warning:
            nil
        }
    }

    /// Whose account it is.
    public var relation: AccountRelation { known?.relation ?? .unchecked }
}

// MARK: Cards of warnings and notices

extension Card {
    /// A warning that names nothing.
    public init(warning: ReviewWarning) { self.init(warning, warning.line) }

    /// A warning whose line names what it warns of.
    public init(_ warning: ReviewWarning, _ line: String) {
        self.init(.warning, line, facts: .warning(.review(warning)))
    }
}

extension Warning {
    /// Its card.
    public func card(indent: Int = 0) -> Card {
        Card(.warning, line, indent: indent, facts: .warning(.call(self)), isDerived: true)
    }
}

extension UpdateWarning {
    /// Its card.
    public var card: Card { Card(.warning, line, facts: .warning(.update(self))) }
}

extension Notice {
    /// Its card.
    public func card(indent: Int) -> Card {
        Card(.notice, line, indent: indent, facts: .notice(self, nil), isDerived: true)
    }
}

/// Whose an account is.
public enum AccountRelation: Sendable, Equatable {
    /// A key of this vault.
    case own(seed: ExactText, path: ExactText)
    /// An account of a group that this machine is a member of.
    case group(ExactText, path: ExactText)
    /// A contact.
    case contact(ContactMark)
    /// Neither a key of this vault nor a contact.
    case stranger
    /// There are no keys to compare it with.
    case unchecked

    /// Whether this vault signs for it, alone or as a member of its group.
    public var isOfThisVault: Bool {
        switch self {
        case .own, .group: true
        case .contact, .stranger, .unchecked: false
        }
    }
}

/// What a vault calls an account.
public struct KnownAccount: Sendable, Equatable {
    /// Whose it is.
    public let relation: AccountRelation
    /// The label, if the account belongs to a key of this vault.
    public let label: ExactText?

    /// Whose it is, and the label of an own key.
    public init(_ relation: AccountRelation, label: String? = nil) {
        (self.relation, self.label) = (relation, label.map { ExactText($0) })
    }
}

/// A contact's name as a review shows it, and how far the name goes.
public struct ContactMark: Sendable, Equatable {
    /// nil for a private contact: its name is encrypted, and a review is read before the passphrase.
    public let name: ExactText?
    /// Who signed the list that it comes from, in the person's word; nil where the person named the account.
    public let list: ExactText?
    /// Whether the person said other networks than the one of this payload.
    public let isOfOtherNetwork: Bool

    /// The name, its source and its reach.
    public init(name: String?, list: String?, isOfOtherNetwork: Bool) {
        self.name = name.map { ExactText($0) }
        self.list = list.map { ExactText($0) }
        self.isOfOtherNetwork = isOfOtherNetwork
    }
}

/// What happens to one derivation of an import or a request; the raw value is the stable word of the card.
public enum DerivationStatus: String, Sendable, CaseIterable {
    /// The key is derived and added.
    case new
    /// The vault has the key, and allows it on one more network.
    case newOnNetwork = "new_on_network"
    /// The vault has the key on this network.
    case alreadyKnown = "already_known"
    /// The payload has the same derivation before.
    case repeated
    /// The vault has this key with another path or seed, or another key at this path.
    case collides
    /// The vault has no specs of the network.
    case networkUnknown = "network_unknown"
    /// The network's verifier was revoked.
    case networkBlocked = "network_blocked"
    /// The network is known, but not with this signature scheme.
    case schemeNotOfNetwork = "scheme_not_of_network"
    /// The path holds a `///password`, which belongs to the one key that it is asked for.
    case passwordProtected = "password_protected"
    /// No key can be derived: not a path, a soft junction where the scheme has none, or a path of host keys.
    case badPath = "bad_path"
    /// The address of the payload is not an address.
    case badAddress = "bad_address"
    /// No seed of the vault has the payload's root key.
    case seedUnknown = "seed_unknown"

    /// Whether the vault derives the key and changes for it.
    public var isAdded: Bool {
        switch self {
        case .new, .newOnNetwork: true
        case .alreadyKnown, .repeated, .collides, .networkUnknown, .networkBlocked, .schemeNotOfNetwork,
            .passwordProtected, .badPath,
            .badAddress, .seedUnknown:
            false
        }
    }

    /// The end of the card's line.
    public var words: String {
        switch self {
        case .new: "new"
        case .newOnNetwork: "known, new on this network"
        case .alreadyKnown: "already known"
        case .repeated: "duplicate"
        case .collides: "collides with another key of this vault, skipped"
        case .networkUnknown: "network unknown, skipped"
        case .networkBlocked: "network blocked, skipped"
        case .schemeNotOfNetwork: "the network has no keys of this scheme, skipped"
        case .passwordProtected: "has a ///password, skipped"
        case .badPath: "the path cannot be derived, skipped"
        case .badAddress: "the address cannot be read, skipped"
        case .seedUnknown: "no matching seed in this vault, skipped"
        }
    }
}
