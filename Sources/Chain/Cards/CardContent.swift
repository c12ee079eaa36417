import Hashing
import SubstratePrimitives

extension Card {
    /// What a card says, typed by its kind. The line and the JSON object are worked out from it.
    public enum Content: Sendable, Equatable {
        /// ``Kind/pallet``
        case pallet(ExactText)
        /// ``Kind/call``, with what the metadata say of it.
        case call(ExactText, docs: ExactText)
        /// ``Kind/fieldName``
        case fieldName(ExactText, FieldDocs = .none)
        /// ``Kind/fieldNumber``, counted from 1.
        case fieldNumber(Int, FieldDocs = .none)
        /// ``Kind/enumVariant``
        indirect case enumVariant(Variant)
        /// ``Kind/account``
        indirect case account(Account)
        /// ``Kind/balance``
        indirect case balance(Amount)
        /// ``Kind/tip``
        indirect case tip(Amount)
        /// ``Kind/number``
        case number(Number)
        /// ``Kind/text``; `isBytes` for bytes that are printable.
        case text(ExactText, isBytes: Bool = false)
        /// ``Kind/bytes``; with the scheme of a key that a message of a group names.
        case bytes([UInt8], key: SignatureScheme? = nil)
        /// ``Kind/bits``
        case bits(Bits)
        /// ``Kind/bool``
        case bool(Bool)
        /// ``Kind/none``
        case none(Nothing)
        /// ``Kind/identityField``, with what the metadata say of it.
        case identityField(ExactText, docs: ExactText)
        /// ``Kind/eraImmortal`` or ``Kind/eraMortal``
        case era(Era)
        /// ``Kind/nonce``
        case nonce(UInt128)
        /// ``Kind/blockHash``
        case blockHash(Hash32)
        /// ``Kind/genesisHash``
        case genesisHash(GenesisHash)
        /// ``Kind/specVersion``. The line says `shownName` instead of the name that a proof gives to a chain
        /// which nothing here knows.
        indirect case specVersion(RuntimeVersion, shownName: ExactText?)
        /// ``Kind/txVersion``
        case txVersion(UInt32)
        /// ``Kind/metadataHash``; nil where the transaction commits to none.
        case metadataHash(Hash32?)
        /// ``Kind/extension``
        case `extension`(ExactText)
        /// ``Kind/author`` or ``Kind/authorUnknown``
        indirect case signer(Signer)
        /// ``Kind/warning``
        case warning(CardWarning)
        /// ``Kind/verifier``: who vouches for an update; nil for nobody.
        indirect case verifier(PublicKey?)
        /// ``Kind/metadata``: the BLAKE2b-256 and the bytes of what an update brings.
        indirect case metadata(RuntimeVersion, hash: Hash32, length: Int)
        /// ``Kind/types``: the BLAKE2b-256 and the bytes of what an update brings.
        case types(hash: Hash32, length: Int)
        /// ``Kind/newSpecs``
        indirect case newSpecs(NetworkSpecs)
        /// ``Kind/network``; without a name the line says the genesis hash.
        indirect case network(name: ExactText?, GenesisHash)
        /// ``Kind/derivation``
        indirect case derivation(Derivation)
        /// ``Kind/message``
        case message(Message)
        /// ``Kind/notice``, with what the vault calls the account that it names, where it knows it.
        indirect case notice(Notice, KnownAccount?)
    }

    /// What the metadata say of a field or an argument.
    public indirect enum FieldDocs: Sendable, Equatable {
        /// Nothing: an item of a list, or a field that this program names.
        case none
        /// What they say of the field alone.
        case docs(ExactText)
        /// With the path and the docs of its type.
        case typed(docs: ExactText, path: ExactText, typeDocs: ExactText)
    }

    /// A variant of an enumeration.
    public struct Variant: Sendable, Equatable {
        /// As the type spells it.
        public let name: ExactText
        /// What the metadata say of it; nil for a variant of this program.
        public let docs: ExactText?
        /// nil for a variant of the shape that its name promises.
        public let unusual: Unusual?

        /// Where a variant stands whose shape is not the one that its name promises.
        public struct Unusual: Sendable, Equatable {
            /// The byte that encodes the variant.
            public let index: UInt8
            /// Of its type.
            public let path: ExactText

            /// Both parts.
            public init(index: UInt8, path: ExactText) { (self.index, self.path) = (index, path) }
        }

        /// The parts of the variant.
        public init(_ name: ExactText, docs: ExactText? = nil, unusual: Unusual? = nil) {
            (self.name, self.docs, self.unusual) = (name, docs, unusual)
        }
    }

    /// An account among the arguments.
    public struct Account: Sendable, Equatable {
        /// With the bytes that it stands for.
        public let address: AccountAddress
        /// nil where there are no keys and no contacts to compare it with.
        public var known: KnownAccount?

        /// An account that nothing is known of yet.
        public init(_ address: AccountAddress, known: KnownAccount? = nil) {
            (self.address, self.known) = (address, known)
        }
    }

    /// An integer, or what an integer stands for.
    public enum Number: Sendable, Equatable {
        /// In decimal digits, with a sign below zero.
        case integer(ExactText)
        /// A vote in one byte.
        case vote(StandardVote)
        /// The integer of a fixed-point type.
        indirect case fraction(Fraction, magnitude: UInt128, isNegative: Bool)
        /// An amount in the smallest unit of an asset whose decimals are unknown.
        case smallestUnits(Planck)
    }

    /// Bits, or what they stand for.
    public enum Bits: Sendable, Equatable {
        /// In the order of their indices.
        case digits([Bool])
        /// The names of those that are set.
        case names([ExactText])
    }

    /// A value without content.
    public enum Nothing: Sendable, Equatable {
        /// `()`
        case unit
        /// `[]`
        case list
        /// The name of an empty variant.
        case variant(ExactText)
    }

    /// The content of a message.
    public enum Message: Sendable, Equatable {
        /// UTF-8.
        case text(ExactText)
        /// Any other bytes.
        case bytes([UInt8])

        /// The content itself.
        public var bytes: [UInt8] {
            switch self {
            case .text(let text): Array(text.utf8)
            case .bytes(let bytes): bytes
            }
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
            /// A key of a phrase that a person gave for one review.
            case unstored
            /// A key that is not in this vault.
            case stranger
        }

        /// As what.
        public let role: Role
        /// nil for a key that is not derived yet, or that the payload does not name.
        public let address: ExactText?
        /// nil where ``address`` is, and for the root of a seed.
        public let publicKey: [UInt8]?
        /// nil for an account of a group, for an imported key, and for a signer who is not of this vault.
        public let seed: ExactText?
        /// Empty for a root key.
        public let path: ExactText
        /// Whether a password belongs to the path.
        public let hasPassword: Bool
        /// What the vault calls the key.
        public let label: ExactText?
        /// The name of the group whose members sign.
        public let group: ExactText?
        /// Whether another wallet made the key.
        public let isImported: Bool
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
            label: String? = nil, group: String? = nil, isImported: Bool = false,
            otherNetworks: [Network] = []
        ) {
            (self.role, self.publicKey, self.hasPassword, self.isImported, self.otherNetworks) = (
                role, publicKey, hasPassword, isImported, otherNetworks
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
        /// Whether the payload gives the path of the root key as an empty text instead of leaving it out.
        public let isPathEmptyText: Bool
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
        /// Whether the line says the genesis hash although the network has a name: another one has it too.
        public let isNameAmbiguous: Bool
        /// nil where no seed fits.
        public let seed: ExactText?

        /// All that a line says, and the seed.
        public init(
            path: String, isPathEmptyText: Bool = false, address: String?, status: DerivationStatus,
            scheme: SignatureScheme, network: String?, isNameAmbiguous: Bool = false, genesis: GenesisHash,
            seed: String?
        ) {
            (self.status, self.scheme, self.genesis) = (status, scheme, genesis)
            (self.isPathEmptyText, self.isNameAmbiguous) = (isPathEmptyText, isNameAmbiguous)
            self.path = ExactText(path)
            self.address = address.map { ExactText($0) }
            self.network = network.map { ExactText($0) }
            self.seed = seed.map { ExactText($0) }
        }
    }

    // MARK: What the rules ask

    /// What the card is about.
    public var kind: Kind {
        switch content {
        case .pallet: .pallet
        case .call: .call
        case .fieldName: .fieldName
        case .fieldNumber: .fieldNumber
        case .enumVariant: .enumVariant
        case .account: .account
        case .balance: .balance
        case .tip: .tip
        case .number: .number
        case .text: .text
        case .bytes: .bytes
        case .bits: .bits
        case .bool: .bool
        case .none: .none
        case .identityField: .identityField
        case .era(.immortal): .eraImmortal
        case .era(.mortal): .eraMortal
        case .nonce: .nonce
        case .blockHash: .blockHash
        case .genesisHash: .genesisHash
        case .specVersion: .specVersion
        case .txVersion: .txVersion
        case .metadataHash: .metadataHash
        case .extension: .extension
        case .signer(let signer): signer.isOfThisVault ? .author : .authorUnknown
        case .warning: .warning
        case .verifier: .verifier
        case .metadata: .metadata
        case .types: .types
        case .newSpecs: .newSpecs
        case .network: .network
        case .derivation: .derivation
        case .message: .message
        case .notice: .notice
        }
    }

    /// The account that the card names.
    public var account: Account? { if case .account(let account) = content { account } else { nil } }

    /// The amount of a balance or a tip.
    public var amount: Amount? {
        if case .balance(let amount) = content { return amount }
        return if case .tip(let amount) = content { amount } else { nil }
    }

    /// Who signs, on a card of a signer.
    public var signer: Signer? { if case .signer(let signer) = content { signer } else { nil } }

    /// What a notice says.
    public var notice: Notice? { if case .notice(let notice, _) = content { notice } else { nil } }

    /// What a warning warns of.
    public var warning: CardWarning? { if case .warning(let warning) = content { warning } else { nil } }

    /// What the vault knows of the account that the card or the notice names.
    public var known: KnownAccount? {
        if case .notice(_, let known) = content { known } else { account?.known }
    }

    /// Whose account it is.
    public var relation: AccountRelation { known?.relation ?? .unchecked }
}

extension Card.Signer {
    /// Whether the vault knows who signs.
    fileprivate var isOfThisVault: Bool {
        switch role {
        case .key, .underived, .attesting: true
        case .root: seed != nil
        case .stranger, .unstored: false
        }
    }
}

// MARK: Cards of one content

extension Card {
    /// A warning that names nothing.
    public init(warning: ReviewWarning) { self.init(.warning(.review(warning))) }

    /// What this side makes of the cards around it.
    public init(_ notice: Notice, indent: Int, isDerived: Bool = true) {
        self.init(.notice(notice, nil), indent: indent, isDerived: isDerived)
    }

    /// A message as text where it is UTF-8, else as hex. Both programs show a message by this card.
    public init(message content: [UInt8]) {
        let text = String(validating: content, as: UTF8.self).map { Message.text(ExactText($0)) }
        self.init(.message(text ?? .bytes(content)))
    }
}

extension Warning {
    /// Its card.
    public var card: Card { Card(.warning(.call(self)), isDerived: true) }
}

extension UpdateWarning {
    /// Its card.
    public var card: Card { Card(.warning(.update(self))) }
}

extension GroupWarning {
    /// Its card.
    public var card: Card { Card(.warning(.group(self))) }
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
