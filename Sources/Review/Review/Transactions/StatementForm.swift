/// A statement outside of transactions that a runtime verifies under a user's key, and that signed bytes could be at once.
///
/// A transaction of at most 256 bytes is signed as it is, and some pallets take a signature over bytes that a call carries. So bytes that are a transfer
/// on the cards can be a sale to whoever made the payload. The layouts stand here and not in the proof, which the same person made:
///
/// | statement | bytes that are verified | source |
/// |---|---|---|
/// | an item to mint | `PreSignedMint` in SCALE with ids of any width, raw or in `<Bytes>`; older runtimes have no price | polkadot-sdk, `substrate/frame/nfts/src/types.rs`, `common_functions.rs` |
/// | attributes of an item | `PreSignedAttributes` in SCALE, raw or in `<Bytes>` | the same |
/// | a statement of the statement store | its fields `01`…`08` in ascending order, without a count, raw | polkadot-sdk, `substrate/primitives/statement-store/src/lib.rs` |
/// | a contribution that a crowdloan's verifier allows | parachain, contributor, balance, value: 68 bytes, raw | polkadot-sdk, `polkadot/runtime/common/src/crowdloan/mod.rs` |
/// | operations of a DID, orders of a market | the signer's own account first, or behind a version byte, raw | KILTprotocol/kilt-node, `pallets/did`; RaoFoundation/subtensor, limit orders |
/// | a call that a relayer sends | a text in SCALE that starts `authorization for `, of any length, raw | Aventus, `pallets/token-manager` |
/// | a message | `<Bytes>`, … | wallets, and most pallets of parachains (claims of rewards, linked accounts) |
/// | a meta-transaction | BLAKE2b-256 of version ‖ call ‖ extensions, among them `_meta_tx` | polkadot-sdk, `substrate/frame/meta-tx/src/extension.rs`, `verify-signature` |
///
/// Bytes that decode completely as one of them are refused, whatever the review says. Each form demands the fields that make it one: three of 10⁶
/// random ordinary transactions have a form (`StatementFormLaws`), and are signed with another tip.
///
/// What needs no row:
/// - Short statements. A transaction that a proof reads has at least 72 bytes: two of the call, four of the version, 32 of the genesis hash, `01`, and
///   `01` with the hash of 32. A username (`identity`, at most 32), a proof of possession of session keys (`POP_` and the owner, or the owner alone) and the
///   64 bytes of a key and an account are shorter. A payload of more than 256 bytes signs 32 bytes that are a hash of it. A statement of 32 bytes that
///   means one account names one whose key nobody has then, and one that is itself a hash is the same hash only of the same bytes, which are looked at
///   here, or by another function, which takes 2¹²⁸ tries on both sides.
/// - A statement that ends with what its own chain or its sender fills in: a submitter, a block hash, another digest. The signed bytes end with the digest of
///   the proof, which is 32 bytes that nobody can choose, only try again for: two or three of them in a second, all of them never. So a general
///   transaction whose signature stands in an extension (`VerifySignature`) is no other reading of bytes under a forged proof: it ends with that chain's own
///   digest, or with `00` behind a block hash. Under the true proof its type is refused (`ExtrinsicError.signsInExtension`).
/// - What an Ethereum-style key signs (`claims`, EIP-712): ``EthereumForm``.
/// - A smart contract, which may take any bytes: nothing here can know them. Only the metadata that the vault holds helps against that.
public enum StatementForm: Sendable, Equatable, CaseIterable {
    case preSignedMint
    case preSignedAttributes
    case storeStatement
    case crowdloanContribution
    case ownAccount
    case relayedCall
    case message
    case metaTransaction

    /// The statement that these bytes are when they are signed as they are.
    /// - Parameters:
    ///   - bytes: what is signed; of a long transaction also those before the hash.
    ///   - account: the signer's, where it is known.
    public init?(_ bytes: ArraySlice<UInt8>, account: [UInt8]?) {
        if Self.isPreSigned(bytes, isMint: true) {
            self = .preSignedMint
        } else if Self.isPreSigned(bytes, isMint: false) {
            self = .preSignedAttributes
        } else if Self.isStoreStatement(bytes) {
            self = .storeStatement
        } else if Self.isContribution(bytes) {
            self = .crowdloanContribution
        } else if let account, !account.isEmpty, bytes.starts(with: account) || bytes.dropFirst().starts(with: account) {
            self = .ownAccount
        } else if Self.isRelayedCall(bytes) {
            self = .relayedCall
        } else {
            return nil
        }
    }

    /// The statement that the hash of these bytes stands for. The marker stands among the last fields of a meta-transaction: behind it are versions, two
    /// hashes and an option of a third, 105 bytes in polkadot-sdk's own runtimes.
    public init?(hashed bytes: [UInt8]) {
        let end = bytes.suffix(Self.longestEnd)
        guard end.indices.contains(where: { bytes[$0...].starts(with: Self.marker) }) else { return nil }
        self = .metaTransaction
    }

    static let longestEnd = 256
    private static let marker = Array("_meta_tx".utf8)
    private static let authorization = Array("authorization for ".utf8)

    // MARK: Layouts

    /// Bytes of the ids of a collection and an item together: each has 16 to 128 bits, or 256 as the collections of Mythos. The hubs have 32 and 32.
    private static let ids: [Int] = {
        let widths = [2, 4, 8, 16, 32]
        return Set(widths.flatMap { collection in widths.map { collection + $0 } }).sorted()
    }()
    /// The hubs' ids. Only their first runtimes with signed mints had no price in them.
    private static let hubIDs = 8

    private static func isPreSigned(_ bytes: ArraySlice<UInt8>, isMint: Bool) -> Bool {
        ids.contains { ids in
            var fields = Fields(bytes)
            guard fields.skip(ids), fields.skipAttributes() else { return false }
            return isMint ? fields.isEndOfMint(mayLackPrice: ids == hubIDs) : fields.isEndOfAttributes()
        }
    }

    /// The text may be of any length that fits. Before it stands the length in its shortest form.
    private static func isRelayedCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = Fields(bytes)
        return fields.skipLength() && fields.starts(with: authorization)
    }

    /// A decryption key, a priority or nothing at all says nothing. A channel, a topic or data does: whoever submits data alone publishes it in the
    /// signer's name and at the cost of his allowance. Data alone that begin 32 bytes are a hash's, which nobody can read and nobody chose.
    private static func isStoreStatement(_ bytes: ArraySlice<UInt8>) -> Bool {
        // A priority of 32 bits was once what an expiry of 64 is now.
        [8, 4].contains { expiry in
            var fields = Fields(bytes)
            var former: UInt8 = 0
            var isFound = false
            while let field = fields.next() {
                guard field > former, field <= 8 else { return false }
                former = field
                if field == 8 {
                    guard fields.skipBytes() else { return false }
                    isFound = isFound || bytes.count != 32
                } else {
                    guard fields.skip(field == 2 ? expiry : 32) else { return false }
                    isFound = isFound || field > 2
                }
            }
            return isFound
        }
    }

    /// No parachain has an id above 65,535, and no balance 2⁹⁶ of a smallest unit.
    private static func isContribution(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 68 else { return false }
        let bytes = Array(bytes)
        return [2..<4, 48..<52, 64..<68].allSatisfy { bytes[$0].allSatisfy { $0 == 0 } }
    }

    /// What is left of a statement that is read field by field.
    private struct Fields {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func next() -> UInt8? { rest.popFirst() }

        mutating func skip(_ count: Int) -> Bool {
            guard count <= rest.count else { return false }
            rest = rest.dropFirst(count)
            return true
        }

        func starts(with text: [UInt8]) -> Bool { rest.starts(with: text) }

        /// A length below 2³⁰ in its shortest form, as a runtime reads it: no more fits into what is signed.
        private mutating func length() -> Int? {
            guard let first = rest.first else { return nil }
            let width = [1, 2, 4, 0][Int(first & 3)]
            guard width > 0, width <= rest.count else { return nil }
            let value = rest.prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) } >> 2
            rest = rest.dropFirst(width)
            return width == 1 || value >= (width == 2 ? 1 << 6 : 1 << 14) ? value : nil
        }

        mutating func skipLength() -> Bool { length() != nil }

        mutating func skipBytes() -> Bool { length().map { skip($0) } ?? false }

        mutating func skipAttributes() -> Bool {
            guard let count = length(), count <= rest.count / 2 else { return false }
            for _ in 0..<count { guard skipBytes(), skipBytes() else { return false } }
            return true
        }

        /// Metadata, the only account, the deadline, and the price, which older runtimes do not have. An account has 32 or 20 bytes, a number of a
        /// block four or eight.
        mutating func isEndOfMint(mayLackPrice: Bool) -> Bool {
            guard skipBytes(), let isFor = next(), isFor <= 1 else { return false }
            let accounts = isFor == 0 ? [0] : [32, 20]
            // 01 and 16 bytes of a price, or 00.
            let prices: [(first: UInt8?, length: Int)] = [(1, 17), (0, 1)] + (mayLackPrice ? [(nil, 0)] : [])
            return prices.contains { first, length in
                rest.suffix(length).first == first && Self.isEnd(rest.count - length, after: accounts)
            }
        }

        /// The namespace, which may be an account's, and the deadline.
        mutating func isEndOfAttributes() -> Bool {
            guard let namespace = next(), namespace <= 3 else { return false }
            return Self.isEnd(rest.count, after: namespace == 3 ? [32, 20] : [0])
        }

        private static func isEnd(_ count: Int, after accounts: [Int]) -> Bool {
            accounts.contains { count == $0 + 4 || count == $0 + 8 }
        }
    }
}
