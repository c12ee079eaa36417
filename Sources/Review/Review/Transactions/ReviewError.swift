import Accounts
import Cards
import Diagnostics
import Extrinsics
import Keys
import Metadata
import SubstratePrimitives

/// Why a payload that asks for a signature cannot be shown or signed.
public enum ReviewError: Error, Equatable, Sendable {
    case unknownNetwork(GenesisHash)
    /// No network has the genesis hash that the payload ends with, and under a known network the payload ends
    /// too early.
    case cut(network: String)
    /// The network was revoked: nothing of it is decoded until the verifiers are reset.
    case networkBlocked(String)
    case noMetadata(network: String)
    /// No metadata is stored for the announced runtime version; `newest` is the newest stored one.
    case metadataVersionMissing(network: String, version: UInt32, newest: UInt32)
    case transaction(ExtrinsicError, network: String)
    /// The proof and the vault's metadata of the same version read the transaction differently.
    case heldMetadataDiffers(network: String, version: UInt32)
    /// More than one stored version reads its own number from the bytes.
    case severalVersions(network: String, versions: [UInt32])
    /// The network is known only from the metadata proof of this one transaction.
    /// - addable: its genesis hash, where the built-in list agrees with the proof and two sources give each
    ///   value.
    case networkOnlyProved(String, addable: GenesisHash?)
    /// The network is a listed chain, and its proof says something else than the list.
    case listedChainDiffers(ListedDifference)
    /// The metadata in the store cannot be decoded.
    case storedMetadata(MetadataError, network: String, version: UInt32)
    /// The owner demands that the chain checks more of this network's metadata than it does for this
    /// transaction.
    case metadataHashRequired(network: String, MetadataHashCheck)
    /// The owner demands the metadata hash where the runtime can check it, and only metadata that nobody
    /// signed says that it cannot.
    case unsignedAboutHash(network: String)
    /// What the owner demands for this network cannot be read, so it may be anything.
    case metadataHashDemandUnreadable(String)
    /// A rule of the owner's policy, by the name it has there.
    case policy(TransactionPolicy.Violation)
    /// The policy in the store cannot be read.
    case policyUnreadable
    /// The signer is not one of this vault's keys.
    case unknownSigner
    /// The phrase that was given for one review is that of a seed of this vault, or gives a key that this
    /// vault has, held as this.
    case phraseIsStored(String)
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
    /// An ed25519 key would sign bytes that mean something on a chain of another kind, too.
    case ed25519Payload(Ed25519Form)
    /// A key would sign the hash that a chain of another kind makes of its own transactions, too.
    case hashedPayload(HashedForm)
    /// The signed bytes start as those that only this program signs, such as a list of contacts.
    case ownDomain
    /// The new signature does not verify under the key that was asked for.
    case signatureDoesNotVerify
    /// The vault's seed gives another key for the stored path: the password is wrong, or the record is.
    case derivedKeyDiffers(hasPassword: Bool)
}

extension ReviewError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .unknownNetwork(let genesis): Self.unknown(genesis, hint: Self.specsHint)
        case .cut(let network):
            .badInput(
                "truncated-or-unknown-network",
                "the payload is truncated: it ends too early for a transaction "
                    + "of \(network), and its genesis hash matches no known network",
                hint: Hints.scanAgain)
        case .networkBlocked(let name):
            .refused(
                "network-blocked", "\(name) is blocked because its verifier was revoked",
                hint: Self.resetHint)
        case .noMetadata(let network):
            .refused(
                "no-metadata", "metadata for \(network) is not in this vault",
                hint: "make the transaction with a metadata proof, or scan a metadata update "
                    + "for it: heliograph-hot make load-metadata \(Hints.quoted(network))")
        case .metadataVersionMissing(let network, let version, let newest):
            .refused(
                "no-metadata-version",
                "metadata for \(network) \(version) is not in this vault: the newest is \(newest)",
                hint: "make the transaction with a metadata proof, or scan a metadata update "
                    + "for it: heliograph-hot make load-metadata \(Hints.quoted(network))")
        case .transaction(let error, let network) where error.needsTypes:
            .refused(
                "types-needed", "the metadata of \(network) needs types from a types update",
                hint: "scan a types update")
        case .transaction(let error, let network):
            .badInput(
                "bad-transaction", "the transaction for \(network) cannot be shown in full: \(error.detail)",
                hint: error.hint)
        case .heldMetadataDiffers(let network, let version):
            .refused(
                "held-metadata-differs",
                "the metadata proof disagrees with the metadata of \(network) \(version) in this vault",
                hint: "heliograph metadata list")
        case .severalVersions(let network, let versions):
            .refused(
                "several-versions",
                "the transaction for \(network) can be read with several runtime versions: "
                    + "\(versions.map { String($0) }.joined(separator: ", "))",
                hint: "heliograph metadata remove \(Hints.quoted(network)) VERSION")
        case .networkOnlyProved(let name, let genesis):
            .refused(
                "network-only-proved",
                "\(name) is not in this vault: only the transaction's own metadata proof describes it",
                hint: Self.addProved(genesis))
        case .listedChainDiffers(let difference):
            .refused(
                "listed-chain-differs", "the metadata proof gives \(difference.sentence)",
                hint: Self.listHint)
        case .storedMetadata(let error, let network, let version):
            .refused(
                "stored-metadata",
                "the stored metadata of \(network) \(version) is unusable: \(error.detail)",
                hint: "heliograph metadata remove \(Hints.quoted(network)) \(version), then scan it again")
        case .metadataHashRequired(let network, let check):
            .refused(
                "metadata-hash-required",
                "this vault requires the metadata hash for \(network): \(check.detail)",
                hint: check.remedy ?? Self.demandHint(network))
        case .unsignedAboutHash(let network):
            .refused(
                "metadata-hash-required",
                "this vault requires the metadata hash for \(network) wherever the runtime "
                    + "checks it; only unsigned metadata says that it does not",
                hint: "use metadata that a verifier signed: heliograph help updates")
        case .metadataHashDemandUnreadable(let network):
            .badInput(
                "metadata-hash-demand-unreadable",
                "the stored setting require-metadata-hash of \(network) is unreadable",
                hint: "heliograph network set \(Hints.quoted(network)) --require-metadata-hash always")
        case .policy(let violation): violation.diagnostic
        case .policyUnreadable:
            .badInput(
                "policy-unreadable", "the stored policy is unreadable", hint: "heliograph policy set FILE")
        case .unknownSigner:
            .refused("unknown-signer", "the signer is not a key of this vault", hint: "heliograph key list")
        case .phraseIsStored(let holder):
            .refused(
                "phrase-is-stored", "this vault has the keys of the phrase already, as \(holder)",
                hint: "derive the key of the signer if it is missing, and scan without --seed-from")
        case .accountOfGroup(let group):
            .refused(
                "account-of-group", "the signer is an account of group \(group), whose members sign together",
                hint: "heliograph group request INPUT --signers NAMES")
        case .keyNotAllowed(let network):
            .refused(
                "key-not-allowed", "the signer's key is not allowed to sign for \(network)",
                hint: "use another key, or: heliograph key allow ADDRESS \(Hints.quoted(network))")
        case .newKey(let network):
            .refused(
                "new-key",
                "the signer's key was never derived here, and no key of its seed may sign for \(network)",
                hint: "heliograph scan --accept-new-key")
        case .otherNetwork(let network, let other):
            .refused(
                "other-network",
                """
                one signature could be valid on two networks: the signed bytes of this \(network) \
                transaction have the genesis hash of \(other) where \(other) checks it
                """,
                hint: "make the transaction again on a machine that you trust")
        // Nobody makes such bytes for an honest use.
        case .notOnCards(let gap): gap.diagnostic
        case .messageIsTransaction(let network):
            .refused(
                "message-is-transaction", "the message can also be read as a transaction for \(network)",
                hint: "send it as a transaction")
        case .ethereumPayload(let form):
            .refused(
                "ethereum-payload",
                "a signature of this Ethereum-style key would also be valid for \(form.sentence)",
                hint: "make the transaction again with another tip or era")
        case .ed25519Payload(let form):
            .refused(
                "ed25519-payload",
                "a signature of this ed25519 key would also be valid for \(form.sentence)",
                hint: "make the transaction again with another tip or era")
        case .hashedPayload(let form):
            .refused(
                "hashed-payload",
                "a signature of this key would also be valid for \(form.sentence)",
                hint: "make the transaction again with another tip or era")
        case .otherStatement(let form):
            .refused(
                "other-statement",
                "one signature could have two meanings: the bytes to sign are also \(form.sentence)",
                hint: "make the transaction again with another tip or era")
        case .ownDomain:
            .refused(
                "own-domain",
                "the signed bytes start with 64 bytes 0xff, as only contact lists of this program do")
        case .signatureDoesNotVerify: KeyError.signatureCheckFailed.diagnostic
        case .derivedKeyDiffers(hasPassword: true):
            .notPermitted(
                "wrong-password", "the password does not lead to this key", hint: "type the ///password again"
            )
        case .derivedKeyDiffers(hasPassword: false):
            .badInput(
                "derived-key-differs", "the seed does not lead to the stored key", hint: Hints.restoreBackup)
        }
    }

    /// - Parameter genesis: of a chain of the built-in list that agrees with the proof; nil without one.
    private static func addProved(_ genesis: GenesisHash?) -> String {
        guard let chain = genesis.flatMap({ WellKnownChain.chain(genesis: $0) }) else {
            return "heliograph scan --accept-proved-network"
        }
        return
            """
            heliograph network add \(chain.argument), and scan it again; or heliograph scan \
            --accept-proved-network
            """
    }

    /// Only the chain's own developers can help, or less is required. Metadata that a verifier did not sign
    /// may say it falsely.
    private static func demandHint(_ network: String) -> String {
        "if that is true of the chain, heliograph network set \(Hints.quoted(network)) "
            + "--require-metadata-hash where-possible allows it"
    }

    /// Who sent the values must not be the one whom this tells to believe.
    package static let listHint =
        """
        if the chain really changed it, take specs that are signed by a verifier whom this vault believes \
        already
        """

    package static let specsHint = "scan network specs for it: heliograph-hot make add-specs NETWORK"
    package static let resetHint = "heliograph verifier reset, which forgets every verifier"

    /// The row of a network that is not in the vault, wherever it is asked for.
    package static func unknown(_ genesis: GenesisHash, hint: String) -> Diagnostic {
        .refused(
            "unknown-network", "the network with genesis hash 0x\(genesis.hex) is not in this vault",
            hint: hint)
    }

    public static var examples: [ReviewError] {
        let values = ExtrinsicError.examples.map { ReviewError.transaction($0, network: "polkadot") }
        let needsTypes = ReviewError.transaction(
            ExtrinsicError(.metadata(.typesNeeded), place: "call"), network: "polkadot")
        return [
            .unknownNetwork(Hash32.blake2b(of: [1])), .cut(network: "polkadot"), .networkBlocked("polkadot"),
            .noMetadata(network: "polkadot"),
            .metadataVersionMissing(network: "polkadot", version: 2_003_000, newest: 2_002_000), values[0],
            needsTypes,
            .heldMetadataDiffers(network: "polkadot", version: 2_003_000),
            .severalVersions(network: "polkadot", versions: [2_002_000, 2_003_000]),
            .networkOnlyProved("mychain, unknown chain 0x95cf28ae...ff337b3b", addable: nil),
            .networkOnlyProved(
                "statemint", addable: WellKnownChain.chains(named: "statemint")[0].genesisHash),
            .listedChainDiffers(
                ListedDifference(chain: "Polkadot Asset Hub", field: .decimals, listed: "10", proved: "12")),
            .storedMetadata(
                MetadataError(.unknownType(5), place: "types.17"), network: "polkadot", version: 2_003_000),
            .metadataHashRequired(network: "polkadot", .disabled),
            .metadataHashRequired(network: "polkadot", .notCompared(version: 16)),
            .metadataHashRequired(network: "polkadot", .unsupported), .unsignedAboutHash(network: "polkadot"),
            .metadataHashDemandUnreadable("polkadot"), .policyUnreadable,
            .unknownSigner, .phraseIsStored("seed main"), .accountOfGroup("office"),
            .keyNotAllowed(network: "polkadot"),
            .newKey(network: "polkadot"),
            .otherNetwork(network: "alpha", other: "polkadot"), .notOnCards(.byte(7)), .ownDomain,
            .messageIsTransaction(network: "polkadot"),
            .signatureDoesNotVerify, .derivedKeyDiffers(hasPassword: true),
            .derivedKeyDiffers(hasPassword: false),
        ] + TransactionPolicy.Violation.examples.map(ReviewError.policy)
            + EthereumForm.allCases.map(ReviewError.ethereumPayload)
            + StatementForm.allCases.map(ReviewError.otherStatement)
            + Ed25519Form.allCases.map(ReviewError.ed25519Payload)
            + HashedForm.allCases.map(ReviewError.hashedPayload)
    }
}

extension ReviewError {
    /// Whether the bytes themselves are refused, whatever the vault holds and allows.
    public var isOfForm: Bool {
        if case .ethereumPayload = self { return true }
        if case .otherStatement = self { return true }
        if case .ed25519Payload = self { return true }
        if case .hashedPayload = self { return true }
        return self == .ownDomain
    }
}

extension EthereumForm {
    fileprivate var sentence: String {
        switch self {
        case .legacyTransaction: "an Ethereum transaction: the bytes to sign are one RLP list"
        case .typedTransaction:
            "a typed Ethereum transaction: the bytes to sign are a type byte and one RLP list"
        case .personalMessage: "an Ethereum message: the bytes to sign start with its prefix (EIP-191)"
        case .typedData: "Ethereum typed data: the bytes to sign have its form (EIP-712)"
        case .ioTeX: "an IoTeX action: the bytes to sign have its fields"
        case .hedera: "a Hedera transaction: the bytes to sign have its fields"
        case .idena: "an Idena transaction: the bytes to sign have its fields"
        case .conflux: "a Conflux transaction: the bytes to sign are its prefix and one RLP list"
        }
    }
}

extension Ed25519Form {
    fileprivate var sentence: String {
        switch self {
        case .solanaTransaction:
            "a Solana transaction: the bytes to sign are a message that names this key among its signers"
        case .solanaMessage: "a Solana message: the bytes to sign start with its prefix"
        case .algorand: "an Algorand transaction, message or program: the bytes to sign start with its prefix"
        case .hedera: "a Hedera transaction: the bytes to sign have its fields"
        case .xrpLedger: "an XRP Ledger transaction or claim: the bytes to sign start with its prefix"
        case .symbol: "a Symbol transaction: the bytes to sign have its form"
        case .cose: "a signed message of Cardano or COSE: the bytes to sign start with its prefix"
        case .aeternity: "an Aeternity transaction: the bytes to sign start with its prefix"
        case .waves: "a Waves transaction or order: the bytes to sign name this key as Waves does"
        case .aptos: "a message for a contract of Aptos: the bytes to sign start with its address and type"
        case .nimiq: "a Nimiq transaction: the bytes to sign have its form"
        case .lto:
            """
            an LTO transaction: the bytes to sign have this key and a time where its sender and its time stand
            """
        }
    }
}

extension HashedForm {
    fileprivate var sentence: String {
        switch self {
        case .tezosOperation: "a Tezos operation: the hashed bytes have its form"
        case .tezosConsensus: "a block or an attestation of a Tezos baker: the hashed bytes start as it does"
        case .tezosMessage: "a Tezos message: the hashed bytes start with its prefix"
        case .tezosData: "data that a Tezos contract checks: the hashed bytes are packed Michelson"
        case .cardano: "a Cardano transaction: the hashed bytes have the form of its body"
        case .cardanoVote: "a Cardano registration to vote: the hashed bytes have its form"
        case .iota: "an IOTA transaction: the hashed bytes have its form"
        case .sui: "a Sui transaction: the hashed bytes start as it does"
        case .suiMessage: "a Sui message: the hashed bytes have its form, with its length"
        case .alephium: "an Alephium transaction: the hashed bytes have its form"
        case .veChain: "a VeChain or Aion transaction: the hashed bytes are one RLP list"
        case .iroha: "an Iroha transaction: the hashed bytes start as it does"
        case .sia: "a Sia transaction: the hashed bytes start with its prefix, or name keys as it does"
        }
    }
}

extension StatementForm {
    fileprivate var sentence: String {
        switch self {
        case .preSignedMint: "the permission to mint an item of a collection (PreSignedMint of pallet nfts)"
        case .preSignedAttributes:
            "the permission to set attributes of an item (PreSignedAttributes of pallet nfts)"
        case .storeStatement: "a statement of the statement store"
        case .crowdloanContribution: "the permission to contribute to a crowdloan"
        case .ownAccount:
            "a statement that starts with the signer's own account (as for DIDs and orders)"
        case .relayedCall: "an authorization for a relayer"
        case .namedContext: "a statement that starts with the name of what it allows"
        case .uniqueCall: "a call that somebody else sends for the signer (UniqueCall of Polymesh)"
        case .shieldedCall: "a call that somebody else sends for the signer (MEV shield of Bittensor)"
        case .settlementReceipt: "the receipt of a payment outside of the chain"
        case .identityKey: "the consent of a key to join an identity"
        case .delegation: "a delegation, a key or a handle of an account on Frequency"
        case .storedData: "data that the signer stores on Frequency"
        case .mythos: "a batch of calls or a trade that somebody else sends on Mythos"
        case .message: "the start of a message in <Bytes>"
        case .metaTransaction: "a meta-transaction, which somebody else sends"
        }
    }
}
