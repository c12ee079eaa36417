/// A statement outside of transactions that a runtime verifies under a user's key, and that signed bytes
/// could be at once.
///
/// A transaction of at most 256 bytes is signed as it is, and some pallets take a signature over bytes that a
/// call carries. So bytes that are a transfer on the cards can be a sale to whoever made the payload. The
/// layouts stand here and not in the proof, which the same person made:
///
/// | statement | bytes that are verified | source |
/// |---|---|---|
/// | an item to mint | `PreSignedMint` in SCALE with ids of 32 bits or more, raw or in `<Bytes>`; older runtimes have no price | polkadot-sdk, `substrate/frame/nfts/src/types.rs`, `common_functions.rs` |
/// | attributes of an item | `PreSignedAttributes` in SCALE, raw or in `<Bytes>` | the same |
/// | a statement of the statement store | its fields `01`…`08` in ascending order, without a count, raw | polkadot-sdk, `substrate/primitives/statement-store/src/lib.rs` |
/// | a contribution that a crowdloan's verifier allows | parachain, contributor, balance, value: 68 bytes, raw | polkadot-sdk, `polkadot/runtime/common/src/crowdloan/mod.rs` |
/// | operations of a DID, orders of a market | the signer's own account first, or behind a version byte, raw | KILTprotocol/kilt-node, `pallets/did`; RaoFoundation/subtensor, limit orders |
/// | a call that a relayer sends | a text in SCALE that starts `authorization for `, of any length, raw | Aventus, `pallets/token-manager` |
/// | anything whose kind is named first | a text in SCALE of 8 to 127 characters, then fields, raw | Aventus and Truth Network: tokens, staking, markets, pools, nodes, anchors |
/// | the same behind a chain and a number | genesis hash, nonce, a text that starts `Polymesh `, time, message, raw or in `<Bytes>` | PolymeshAssociation/Polymesh from version 8, `primitives/src/crypto.rs` |
/// | any call of the signer | `UniqueCall`: nonce of 64 bits, call, raw | Polymesh up to version 7, `pallets/utility` (`relay_tx`) |
/// | any call of the signer | `mev-shield:`, a version, genesis hash, signer, a nonce or the hash of a key, call, raw | opentensor/subtensor, `pallets/shield` (`execute_revealed`) |
/// | a payment outside of the chain | `Receipt` of a settlement: numbers, two identities or portfolios, ticker, amount, raw | the same, `primitives/src/settlement.rs` |
/// | a key that joins an identity | `TargetIdAuthorization`: identity, nonce, time: 48 bytes, raw | the same, `pallets/identity` |
/// | a delegation, a key, a handle | `AddProvider`, `AddKeyData`, `AuthorizedKeyData`, `RecoveryCommitmentPayload`, `ClaimHandlePayload`, raw or in `<Bytes>` | frequency-chain/frequency, `pallets/msa`, `pallets/handles` |
/// | a passkey that acts for the account | `PasskeyPublicKey`: a compressed point of P-256, 33 bytes, in `<Bytes>` (`account_ownership_proof`) | the same, `pallets/passkey` |
/// | data that a user stores | `ItemizedSignaturePayload`, `Paginated…SignaturePayload`, raw or in `<Bytes>` | the same, `pallets/stateful-storage` |
/// | calls of several accounts, a trade of an item | `MYTH_NET` or `MUSE_NET` within the first 34 bytes: first, or behind a pallet and a call and in a domain of 8 or 32 bytes, raw or in `<Bytes>` | paritytech/project-mythical, `pallets/multibatching`, `pallets/dmarket` |
/// | a message | `<Bytes>`, … | wallets, and most pallets of parachains (claims of rewards, linked accounts) |
/// | a meta-transaction | BLAKE2b-256 of version ‖ call ‖ extensions, among them `_meta_tx` | polkadot-sdk, `substrate/frame/meta-tx/src/extension.rs`, `verify-signature` |
///
/// Bytes that decode completely as one of them are refused, whatever the review says; of a call, whose layout
/// is its chain's, the nonce and the start are enough. Each form demands the fields that make it one, and
/// none of 10⁶ random ordinary transactions and of 10⁶ payments as wallets make them has a form, from any of
/// four seeds, nor one of another chain (``Ed25519Form``, ``HashedForm``, ``EthereumForm``):
/// `swift test --filter StatementFormLaws`. Who meets one by accident signs the same call with another tip.
///
/// What needs no row:
/// - Short statements. A transaction that a proof reads has at least 72 bytes: two of the call, four of the
///   version, 32 of the genesis hash, `01`, and `01` with the hash of 32. A username (`identity`, at most
///   32), a proof of possession of session keys (`POP_` and the owner, or the owner alone) and the 64 bytes
///   of a key and an account are shorter. Those of the table are looked for inside of messages. A payload of
///   more than 256 bytes signs 32 bytes that are a hash of it. A statement of 32 bytes that means one account
///   names one whose key nobody has then, and one that is itself a hash is the same hash only of the same
///   bytes, which are looked at here, or by another function, which takes 2¹²⁸ tries on both sides.
/// - A statement that ends with what its own chain or its sender fills in: a submitter, a block hash, another
///   digest. The signed bytes end with the digest of the proof, which is 32 bytes that nobody can choose,
///   only try again for: two or three of them in a second, all of them never. So a general transaction whose
///   signature stands in an extension (`VerifySignature`) is no other reading of bytes under a forged proof:
///   it ends with that chain's own digest, or with `00` behind a block hash. Under the true proof its type is
///   refused (`ExtrinsicError.signsInExtension`).
/// - What an Ethereum-style key signs (`claims`, EIP-712): ``EthereumForm``. What a Substrate chain verifies
///   under such a key is in the table: it applies to every kind of key.
/// - A smart contract, which may take any bytes: nothing here can know them. Only the metadata that the vault
///   holds helps against that.
///
/// Looked at without a new row: Astar, Shiden and Parallel (`custom-signatures`: Ethereum-style keys alone),
/// Acala (`EvmAccounts`: the same), Litentry (a hash of fewer bytes than a payload that is hashed has),
/// Centrifuge and Composable (claims of a crowdloan: an account, or text in `<Bytes>`), Pontem (a hash of
/// bytes that end with the sender's account and a nonce), Mythos' `marketplace` (orders that only the
/// operator's key signs).
public enum StatementForm: Sendable, Equatable, CaseIterable {
    case preSignedMint
    case preSignedAttributes
    case storeStatement
    case crowdloanContribution
    case ownAccount
    case relayedCall
    case namedContext
    case uniqueCall
    case shieldedCall
    case settlementReceipt
    case identityKey
    case delegation
    case storedData
    case mythos
    case message
    case metaTransaction

    /// The statement that these bytes are if they are signed unhashed.
    /// - Parameters:
    ///   - bytes: what is signed; of a long transaction also those before the hash.
    ///   - account: the signer's, where it is known.
    public init?(_ bytes: ArraySlice<UInt8>, account: [UInt8]?) {
        if let account, !account.isEmpty,
            bytes.starts(with: account) || bytes.dropFirst().starts(with: account)
        {
            self = .ownAccount
        } else if let form = Self.layouts.first(where: { $0.has(bytes) })?.form {
            self = form
        } else {
            return nil
        }
    }

    /// The statement whose hash is the hash of these bytes. The marker is among the last fields of a
    /// meta-transaction: versions, two hashes and an optional third follow it, 105 bytes in polkadot-sdk's
    /// own runtimes.
    public init?(hashed bytes: [UInt8]) {
        let end = bytes.suffix(Self.longestEnd)
        guard end.indices.contains(where: { bytes[$0...].starts(with: Self.marker) }) else { return nil }
        self = .metaTransaction
    }

    static let longestEnd = 256
    private static let marker = Array("_meta_tx".utf8)

    private static let layouts: [(form: StatementForm, has: @Sendable (ArraySlice<UInt8>) -> Bool)] = [
        (.preSignedMint, { isPreSigned($0, isMint: true) }),
        (.preSignedAttributes, { isPreSigned($0, isMint: false) }),
        (.storeStatement, isStoreStatement), (.crowdloanContribution, isContribution),
        (.relayedCall, isRelayedCall),
        (.namedContext, isNamed), (.settlementReceipt, isReceipt), (.identityKey, isIdentityKey),
        (.delegation, isDelegation), (.storedData, isStoredData), (.uniqueCall, isUniqueCall),
        (.shieldedCall, { $0.starts(with: shield) }), (.mythos, isOfMythos),
    ]
}
