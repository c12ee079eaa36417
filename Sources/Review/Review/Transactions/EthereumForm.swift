/// A meaning that Ethereum gives to bytes which an Ethereum-style key signs.
///
/// Such a key signs the Keccak-256 of bytes, on a Substrate chain as in an Ethereum wallet, and the same
/// account may hold assets on both. A signature serves wherever the same bytes are what that place hashes,
/// and these are the forms:
///
/// | bytes | what accepts the signature | source |
/// |---|---|---|
/// | one RLP list | a node: the transaction of six or nine fields before EIP-2718 | Ethereum yellow paper, appendix B and F; EIP-155 |
/// | `00`…`7f`, one RLP list | a node: a typed transaction, in use `01`…`04`; an authorization to run code for the account, `05` | EIP-2718, EIP-2930, EIP-1559, EIP-4844, EIP-7702 |
/// | `19`, `Ethereum Signed Message:\n`, … | wallets and contracts: a signed message | EIP-191, version `45` |
/// | the fields of a message in protobuf | IoTeX, whose accounts are the same 20 bytes: an action | iotexproject/iotex-proto, `action.proto`; iotex-core, `AntiqueTx` |
/// | the same, other fields | Hedera: a transaction of an ECDSA key | hashgraph/hedera-protobufs, `transaction.proto` |
/// | the same, other fields | Idena, whose accounts are the same 20 bytes: a transaction, a payload last | idena-network/idena-go, `models.proto` |
/// | `cfx`, a type, one RLP list | Conflux (core space): a transaction | Conflux-Chain/conflux-rust, `primitives/src/transaction`; CIP-90 |
/// | `19 01`, 64 bytes | contracts: typed data, as permits to move tokens | EIP-712; EIP-191, version `01` |
///
/// What needs no row: chains of Cosmos with such keys (Injective, Evmos) sign fields that a node writes
/// itself, and which end with the name of the chain and a number, or JSON: fewer than one digest in 2⁸⁰ ends
/// so.
///
/// Bytes of these forms are refused whatever the review says: the cards show what a Substrate chain does with
/// the bytes, not what an Ethereum chain does. No real transaction is lost: it has a form only if its first
/// two bytes (pallet and call) name its own length, or are followed by that English text.
///
/// RLP is read generously, because decoders differ: lengths with leading zeros or in a longer form than
/// needed count, and so does any type up to `7f`, although only a few are in use. EIP-191's version `00`
/// (`19 00`, an address, data) is not a form here: any call number 0 of a pallet 25 starts like it, and it is
/// for the one contract at that address to accept.
public enum EthereumForm: Sendable, Equatable, CaseIterable {
    case legacyTransaction
    case typedTransaction
    case personalMessage
    case typedData
    case ioTeX
    case hedera
    case idena
    case conflux

    private static let messagePrefix: [UInt8] = [0x19] + Array("Ethereum Signed Message:\n".utf8)

    /// The form of bytes before any hash. The header of an RLP list is enough, whatever the list contains.
    public init?(_ bytes: [UInt8]) {
        if Self.list(in: bytes[...]) != nil {
            self = .legacyTransaction
        } else if let type = bytes.first, type <= 0x7f, Self.list(in: bytes.dropFirst()) != nil {
            self = .typedTransaction
        } else if bytes.starts(with: Self.messagePrefix) {
            self = .personalMessage
        } else if bytes.count == 66, bytes.starts(with: [0x19, 0x01]) {
            self = .typedData
        } else if Protobuf.isIoTeX(bytes) {
            self = .ioTeX
        } else if Protobuf.isHedera(bytes) {
            self = .hedera
        } else if Protobuf.isIdena(bytes) {
            self = .idena
        } else if bytes.starts(with: Array("cfx".utf8)), Self.list(in: bytes.dropFirst(4)) != nil {
            self = .conflux
        } else {
            return nil
        }
    }

    /// Whether it is what nodes of Ethereum's kind take for a transaction: an RLP list, or a type and one.
    var isTransaction: Bool {
        switch self {
        case .legacyTransaction, .typedTransaction: true
        case .personalMessage, .typedData, .ioTeX, .hedera, .idena, .conflux: false
        }
    }

    /// The form of a BLAKE2b-256 hash that takes the place of longer bytes and is what Keccak-256 is given.
    ///
    /// One hash in 170 starts like a list of its length, so the list must be one to its last item: that
    /// leaves one in about 8,000, which another tip or era avoids.
    public init?(hash: [UInt8]) {
        guard let form = EthereumForm(hash) else { return nil }
        switch form {
        case .legacyTransaction: guard Self.list(in: hash[...]).map(Self.isItems) == true else { return nil }
        case .typedTransaction:
            guard Self.list(in: hash.dropFirst()).map(Self.isItems) == true else { return nil }
        case .personalMessage, .typedData: break
        // None of these has a transaction of 32 bytes with a payer, an amount and a place to end in.
        case .ioTeX, .hedera, .idena, .conflux: return nil
        }
        self = form
    }

    /// The content of the RLP list that takes all of `bytes`; nil if they are not such a list.
    private static func list(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.first, first >= 0xc0, let (content, rest) = item(in: bytes), rest.isEmpty
        else { return nil }
        return content
    }

    /// Splits the first item from what follows it.
    private static func item(in bytes: ArraySlice<UInt8>) -> (
        content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>
    )? {
        guard let first = bytes.first else { return nil }
        if first < 0x80 { return (bytes.prefix(1), bytes.dropFirst()) }
        // Strings start at 80, lists at c0. Up to 55 bytes the header is one byte, else it tells how many
        // bytes of length follow.
        let short = Int(first & 0x3f)
        var body = bytes.dropFirst()
        guard short > 55 else {
            return body.count < short ? nil : (body.prefix(short), body.dropFirst(short))
        }
        let width = short - 55
        guard body.count >= width else { return nil }
        var length = 0
        for byte in body.prefix(width) {
            length = length << 8 | Int(byte)
            guard length <= bytes.count else { return nil }
        }
        body = body.dropFirst(width)
        return body.count < length ? nil : (body.prefix(length), body.dropFirst(length))
    }

    /// Whether bytes are items to their end, with those of every list inside.
    private static func isItems(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let first = rest.first {
            guard let (content, next) = item(in: rest) else { return false }
            if first >= 0xc0, !isItems(content) { return false }
            rest = next
        }
        return true
    }
}
