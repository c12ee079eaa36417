import Keys

/// A meaning that another kind of chain gives to bytes which an ed25519 key signs.
///
/// Ed25519 signs the bytes themselves, and chains of many kinds verify it in the same way. The same 32 bytes
/// of key can be an account of each of them: a wallet takes the same words or the same seed, and whoever may
/// send to an account may also make one of the same key elsewhere. A transaction of at most 256 bytes is
/// signed as it is, so its bytes must not be a transaction of such a chain.
///
/// Only its end protects it otherwise. The signed bytes of a forged proof begin as its maker likes, and end
/// with its digest: 32 bytes that nobody can choose. So what matters is a chain that signs raw bytes whose
/// end may be anything:
///
/// | bytes | what accepts the signature | source |
/// |---|---|---|
/// | a message of one of three versions, data of an instruction last | Solana: a transaction | anza-xyz/solana-sdk, `message`; SIMD-0385 |
/// | `ff`, `solana offchain`, … | programs and wallets: a signed message | anza-xyz/solana-sdk, `offchain-message` |
/// | `TX`, `MX`, `Program`, `ProgData`, `MsigProgram`, … | Algorand: a transaction, a message, a program that may then spend all | algorand/go-algorand, `protocol/hash.go` |
/// | a `TransactionBody` in protobuf, fields in any order | Hedera: a transaction | hashgraph/hedera-protobufs, `transaction.proto` |
/// | `STX`, `SMT`, `CLM` or `BCH`, `00`, … | XRP Ledger: a transaction, a claim of a payment channel, a batch | XRPLF/rippled, `HashPrefix.h` |
/// | 32 bytes, a version, `68`, a type | Symbol: a transaction, a message last | symbol/symbol, `catbuffer` |
/// | `ae_mainnet`, … | Aeternity: a transaction, a payload last | aeternity/protocol, `serializations` |
/// | `84` or `85`, `Signature1` or `Signature` as a text in CBOR | wallets of Cardano (CIP-8), COSE: a signed message | RFC 9052, section 4.4 |
/// | a type, a version, the signer's key; since version 3 with the network, the time and a kind of key before it | LTO: a transaction, an attachment last | ltonetwork/lto-api.js, `transactions` |
/// | this key as a point of Curve25519, anywhere | Waves and the chains that forked from it: a transaction or an order | wavesplatform/Waves, `TransferTxSerializer.scala`, `OrderSerializer.scala`; signalapp/curve25519-java, `curve_sigs.java` |
/// | `ff ff ff` and a version, or `00 19` and `WavesWalletAuthentication` | wallets of Waves: a message, bytes last, or a login | wavesplatform/waves-transactions, `custom-data.ts`, `auth.ts` |
/// | an address, the names of a module and of a struct, its fields | Aptos: a key that takes the place of this one, and what else contracts verify | aptos-labs/aptos-core, `ed25519.move` (`SignedMessage`), `account.move` (`RotationProofChallenge`) |
/// | data behind their length, two accounts of 20 bytes with their kinds, an amount, a fee, a height, `18` or `05`, flags, more data behind their length | Nimiq (Albatross): a transaction, the data of its sender last | nimiq/core-rs-albatross, `primitives/transaction/src/lib.rs` (`serialize_content`) |
///
/// Waves has points of Curve25519 as keys, and every ed25519 key has one: a signature of it is valid there,
/// once its last bit says the sign that the point lacks. All that its nodes and its matcher verify names the
/// sender's point, so these 32 bytes alone are the form, and no other bytes have them by accident. Wallets of
/// Waves make other keys, so such an account has only what somebody sent to it on purpose. Their messages
/// name no key, but start with bytes of their own.
///
/// The fields of a struct of Aptos are not read, for each contract has its own. One that ends with bytes of
/// any kind is the proof that replaces an account's key by a key of several: two keys and how many must
/// sign. Of the second key and the number, which a digest then is, nothing but a point and a 1 is demanded:
/// one digest in 2⁹.
///
/// What needs no row:
/// - Stellar, Cardano, NEAR, Sui, IOTA, TON, Tezos, Radix, Casper, Concordium, Lisk, Oasis, IOST and Namada
///   sign a hash, which is 32 bytes; a transaction that a proof reads has at least 72. Where that hash is the
///   one that stands for a long transaction here, ``HashedForm`` looks at what was hashed. Nor has what is
///   shorter a row: a delegation of the Internet Computer (59 bytes) and its requests (43), a payload that
///   Stellar takes as a signer (64), Algorand's messages of applications (64), an agreement on Robonomics
///   (49).
/// - Nano, Banano and Vite sign with another hash inside of the signature, NEM too, Mina, Zilliqa and Ergo by
///   another scheme: a signature made here is not valid there.
/// - Transactions of Aptos, Movement, 0L and Starcoin end with limits of gas, an expiration and the chain's
///   number, or with an account that signs, too; Nyzo's with a hash of what they carry: each would be met by
///   fewer than one digest in 2⁶⁴, although whoever forges a proof chooses amounts for its digest
///   (``HashedForm``). So did Nimiq's before its chain had stakes, with the network's number last.
/// - MultiversX and Pocket verify JSON, Cosmos fields in one order, that a node writes itself, and all three
///   end with bytes that must have one value.
/// - Documents (SSH, TLS, JWT, DSSE, PASETO, Nostr): their keys are not accounts, and whoever verifies one
///   chose the key himself. Programs that may take any bytes, as contracts here may.
///
/// Layouts are read generously where decoders may differ. A Solana message must name the signer's own key
/// among those that sign, and a Hedera transaction its payer and its start; the others start with bytes that
/// no known runtime has as a pallet and a call. No real transaction is lost.
public enum Ed25519Form: Sendable, Equatable, CaseIterable {
    case solanaTransaction
    case solanaMessage
    case algorand
    case hedera
    case xrpLedger
    case symbol
    case aeternity
    case lto
    case cose
    case waves
    case aptos
    case nimiq

    private static let prefixes: [(form: Ed25519Form, start: [UInt8])] = {
        var all: [(form: Ed25519Form, start: [UInt8])] = [
            (.solanaMessage, [0xff] + Array("solana offchain".utf8)), (.aeternity, Array("ae_mainnet".utf8)),
        ]
        for text in ["TX", "MX", "Program", "ProgData", "MsigProgram"] {
            all.append((.algorand, Array(text.utf8)))
        }
        for text in ["STX\0", "SMT\0", "CLM\0", "BCH\0"] { all.append((.xrpLedger, Array(text.utf8))) }
        let structures: [(UInt8, String)] = [(0x84, "Signature1"), (0x85, "Signature")]
        for (array, context) in structures {
            all.append((.cose, [array, 0x60 | UInt8(context.utf8.count)] + Array(context.utf8)))
        }
        for start in wavesMessages { all.append((.waves, start)) }
        return all
    }()

    private static let wavesMessages: [[UInt8]] = [
        [0xff, 0xff, 0xff, 1], [0xff, 0xff, 0xff, 2], [0, 25] + Array("WavesWalletAuthentication".utf8),
    ]

    /// - Parameters:
    ///   - bytes: what is signed.
    ///   - account: the signer's key; nil if it is unknown, and then any key counts.
    public init?(_ bytes: [UInt8], account: [UInt8]?) {
        if let found = Self.prefixes.first(where: { bytes.starts(with: $0.start) }) {
            self = found.form
        } else if SolanaMessage.isMessage(bytes, signedBy: account) {
            self = .solanaTransaction
        } else if Protobuf.isHedera(bytes) {
            self = .hedera
        } else if Self.isSymbol(bytes) {
            self = .symbol
        } else if Self.isLTO(bytes, account) {
            self = .lto
        } else if Self.isWaves(bytes, account) {
            self = .waves
        } else if Self.isAptos(bytes) {
            self = .aptos
        } else if Self.isNimiq(bytes) {
            self = .nimiq
        } else {
            return nil
        }
    }

    /// The network's hash, version 1 or 2, the main network, and a type: a letter and a number from 41 on.
    private static func isSymbol(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 52 else { return false }
        return (1...2).contains(bytes[32]) && bytes[33] == 0x68 && (0x41...0x5a).contains(bytes[34])
            && (0x41...0x44).contains(bytes[35])
    }

    private static func isWaves(_ bytes: [UInt8], _ account: [UInt8]?) -> Bool {
        guard let point = account.flatMap(Curve25519Point.init)?.bytes, bytes.count >= point.count else {
            return false
        }
        return (0...bytes.count - point.count).contains {
            bytes[$0] == point[0] && bytes[$0...].starts(with: point)
        }
    }

    /// Identifiers of Move: a letter or `_`, then digits, too, behind a length below 128. No name of a module
    /// of Aptos and of a struct in it that is signed has fewer letters together than this. Text between
    /// `<Bytes>` can be two such names, as hex is; but addresses of contracts are hashes, and to find one
    /// that starts with these 7 bytes takes 2⁵⁶ tries.
    private static func isAptos(_ bytes: [UInt8]) -> Bool {
        guard !bytes.starts(with: Array("<Bytes>".utf8)) else { return false }
        var rest = bytes.dropFirst(32)
        func identifier() -> Int? {
            guard let length = rest.popFirst(), (1...127).contains(length), length <= rest.count else {
                return nil
            }
            let name = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            func isLetter(_ byte: UInt8) -> Bool {
                byte == UInt8(ascii: "_") || (0x61...0x7a).contains(byte | 0x20)
            }
            guard name.first.map(isLetter) == true,
                name.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) })
            else { return nil }
            return name.count
        }
        guard let module = identifier(), let name = identifier() else { return false }
        return module + name >= 8
    }

    /// Numbers are big-endian, but the last length, which has seven bits a byte. There are four kinds of
    /// accounts and two flags; no amount has 2⁵³ of the smallest unit. The sender is not compared with the
    /// signer: it may be a contract that pays on the signer's word, and that names him nowhere.
    private static func isNimiq(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2 else { return false }
        let fields = Array(bytes.dropFirst(2 + Int(bytes[0]) << 8 + Int(bytes[1])).prefix(64))
        guard fields.count == 64, fields[20] <= 3, fields[41] <= 3, [24, 5].contains(fields[62]),
            fields[63] <= 3
        else { return false }
        guard [42, 50].allSatisfy({ fields[$0] == 0 && fields[$0 + 1] < 0x20 }) else { return false }
        var rest = bytes.dropFirst(2 + Int(bytes[0]) << 8 + Int(bytes[1]) + 64)
        let length = Protobuf.number(&rest)
        return length == UInt64(rest.count)
    }

    /// Versions 1 and 2 have the time behind the key, version 3 before it: milliseconds, 8 bytes, big-endian.
    /// A node accepts only times near its own, so the years 2004 to 2109 are enough.
    private static func isLTO(_ bytes: [UInt8], _ account: [UInt8]?) -> Bool {
        guard let account, account.count == 32, bytes.count >= 42 else { return false }
        func isTime(at place: Int) -> Bool {
            bytes[place] == 0 && bytes[place + 1] == 0 && (1...3).contains(bytes[place + 2])
        }
        switch bytes[1] {
        case 1, 2: return bytes.dropFirst(2).starts(with: account) && isTime(at: 34)
        case 3: return bytes.dropFirst(12).starts(with: account) && isTime(at: 3)
        case _: return false
        }
    }
}

/// Fields of a message in protobuf, and the transactions that are known by them.
enum Protobuf {
    /// Hedera's `TransactionBody`: fields to the end, among them the transaction's id, which has its start
    /// and its payer, and the account of the node.
    static func isHedera(_ bytes: [UInt8]) -> Bool {
        guard let fields = fields(bytes[...]), fields.contains(where: { $0.number == 2 }) else {
            return false
        }
        let parts = fields.filter { $0.number == 1 }.map { Self.fields($0.content) }
        guard !parts.isEmpty, parts.allSatisfy({ $0 != nil }) else { return false }
        let id = parts.flatMap { $0 ?? [] }
        return id.contains { $0.number == 1 } && id.contains { $0.number == 2 }
    }

    /// IoTeX' `ActionCore`: a price of gas in decimal digits, and an action, whose field has a number from 10
    /// on. The version says nothing: a node takes an action without one, or of any, as one from before there
    /// were versions, as long as it pays for gas.
    static func isIoTeX(_ bytes: [UInt8]) -> Bool {
        guard let fields = fields(bytes[...]), let price = fields.first(where: { $0.number == 4 })?.content
        else { return false }
        return !price.isEmpty && price.allSatisfy { (0x30...0x39).contains($0) }
            && fields.contains { $0.number >= 10 }
    }

    /// Idena's `Data`: a nonce and an epoch first, then the other of its eight fields in ascending order, the
    /// first three numbers and the rest bytes. A node writes the fields itself before it verifies.
    static func isIdena(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        var former: UInt64 = 0
        while !rest.isEmpty {
            guard let tag = number(&rest), tag >> 3 > former, tag >> 3 <= 8 else { return false }
            // Neither is zero in a transaction that a node takes.
            guard former >= 2 || tag >> 3 == former + 1 else { return false }
            former = tag >> 3
            guard tag & 7 == (former <= 3 ? 0 : 2), let value = number(&rest) else { return false }
            if former > 3 {
                guard value <= rest.count else { return false }
                rest = rest.dropFirst(Int(value))
            }
        }
        return former > 3
    }

    /// The fields of a protobuf message that have a length; nil where the bytes are not fields to their end.
    private static func fields(_ bytes: ArraySlice<UInt8>) -> [(number: UInt64, content: ArraySlice<UInt8>)]?
    {
        var rest = bytes
        var found: [(number: UInt64, content: ArraySlice<UInt8>)] = []
        while !rest.isEmpty {
            // Decoders keep 32 bits of a tag and of a length, whatever stands above them.
            guard let wide = number(&rest) else { return nil }
            let tag = wide & 0xffff_ffff
            guard tag >> 3 > 0 else { return nil }
            var length: UInt64 = 0
            switch tag & 7 {
            case 0: guard number(&rest) != nil else { return nil }
            case 1: length = 8
            case 2:
                guard let stated = number(&rest) else { return nil }
                length = stated & 0xffff_ffff
                guard length <= rest.count else { return nil }
                found.append((tag >> 3, rest.prefix(Int(length))))
            case 5: length = 4
            case _: return nil
            }
            guard length <= rest.count else { return nil }
            rest = rest.dropFirst(Int(length))
        }
        return found
    }

    /// Whether a number of any size, seven bits a byte, stands first, and takes it away.
    static func isNumber(_ rest: inout ArraySlice<UInt8>) -> Bool {
        while let byte = rest.popFirst() { if byte < 0x80 { return true } }
        return false
    }

    /// Seven bits a byte, the lowest first.
    static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}

/// The message of a Solana transaction, which is what its signers sign.
///
/// Version | bytes --- | --- legacy | three counts of a header; keys; the hash of a block; instructions `80`
/// | the same, then tables of further keys `81` | header; mask, u32; the hash of a block; how many
/// instructions and keys; keys; four bytes for each bit of the mask; instructions
///
/// A node takes it only with a signature for each of the first keys, and reads it to its end. Lengths are up
/// to three bytes of seven bits.
private enum SolanaMessage {
    static func isMessage(_ bytes: [UInt8], signedBy account: [UInt8]?) -> Bool {
        var rest = bytes[...]
        guard let first = rest.first else { return false }
        if first >= 0x80 { rest = rest.dropFirst() }
        guard let header = Header(&rest) else { return false }
        switch first {
        case 0..<0x80, 0x80:
            guard let count = length(&rest), header.fits(keys: count, in: rest, account),
                skip(count * 32 + 32, &rest),
                skipInstructions(&rest)
            else { return false }
            return first == 0x80 ? skipTables(&rest) && rest.isEmpty : rest.isEmpty
        case 0x81:
            let mask = rest.prefix(4)
            guard skip(4 + 32, &rest), let instructions = rest.popFirst(), let count = rest.popFirst(),
                header.fits(keys: Int(count), in: rest, account), skip(Int(count) * 32, &rest),
                skip(mask.reduce(0) { $0 + $1.nonzeroBitCount } * 4, &rest)
            else { return false }
            return isInstructions(Int(instructions), rest)
        case _: return false
        }
    }

    private struct Header {
        let signing: Int
        let readOnlySigning: Int
        let readOnly: Int

        init?(_ rest: inout ArraySlice<UInt8>) {
            guard let signing = rest.popFirst(), let readOnlySigning = rest.popFirst(),
                let readOnly = rest.popFirst()
            else { return nil }
            (self.signing, self.readOnlySigning, self.readOnly) = (
                Int(signing), Int(readOnlySigning), Int(readOnly)
            )
        }

        /// Whether the keys that follow are those of such a header, and the signer's own is one that signs.
        func fits(keys count: Int, in rest: ArraySlice<UInt8>, _ account: [UInt8]?) -> Bool {
            guard readOnlySigning < signing, signing + readOnly <= count, count * 32 <= rest.count else {
                return false
            }
            guard let account else { return true }
            return (0..<signing).contains { rest.dropFirst($0 * 32).prefix(32).elementsEqual(account) }
        }
    }

    private static func skip(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        for shift in [0, 7, 14] {
            guard let byte = rest.popFirst() else { return nil }
            value |= Int(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func skipArray(_ rest: inout ArraySlice<UInt8>) -> Bool {
        length(&rest).map { skip($0, &rest) } ?? false
    }

    /// Each has the index of its program, the indices of its keys, and its data.
    private static func skipInstructions(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let count = length(&rest), count <= rest.count else { return false }
        for _ in 0..<count { guard skip(1, &rest), skipArray(&rest), skipArray(&rest) else { return false } }
        return true
    }

    /// Each has its key, and the indices of writable and of other keys.
    private static func skipTables(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let count = length(&rest), count <= rest.count else { return false }
        for _ in 0..<count { guard skip(32, &rest), skipArray(&rest), skipArray(&rest) else { return false } }
        return true
    }

    /// First what each has: its program, how many keys, and the length of its data, u16. Then the keys'
    /// indices and data of all.
    private static func isInstructions(_ count: Int, _ rest: ArraySlice<UInt8>) -> Bool {
        guard count * 4 <= rest.count else { return false }
        let heads = Array(rest.prefix(count * 4))
        let lengths = (0..<count).map {
            Int(heads[$0 * 4 + 1]) + Int(heads[$0 * 4 + 2]) + Int(heads[$0 * 4 + 3]) << 8
        }
        return lengths.reduce(0, +) == rest.count - heads.count
    }
}
