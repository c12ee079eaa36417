/// A meaning that another kind of chain gives to bytes whose BLAKE2b-256 is signed.
///
/// An ed25519 key signs that hash of a transaction above 256 bytes, an ecdsa key that of every other one.
/// Some chains make the same hash of their own transactions and verify the signature by the same curve, so
/// the bytes before the hash must not be a transaction of such a chain. What a forged proof calls a remark
/// may be one: its end, which nobody can choose, is then in a field that may hold anything.
///
/// | bytes | what accepts the signature | source |
/// |---|---|---|
/// | `03`, the hash of a block, operations, data of a call last | Tezos (tz1, tz2): operations | tezos/tezos, `operation_repr.ml` |
/// | `11` to `13`, the main network's number | Tezos: a baker's block or attestation | tezos/tezos, `block_header_repr.ml` |
/// | `05 01`, a length, `Tezos Signed Message: ` | wallets of Tezos: a message | ecadlabs/taquito, signing |
/// | `05`, one expression of Michelson | contracts of Tezos: multisigs and permits, bytes last | tezos/tezos, `micheline.ml`; TZIP-17 |
/// | one map in CBOR with the key 61284 alone | Cardano: who votes with the stake, or that nobody does (CIP-36, CIP-15) | cardano-foundation/CIPs, `CIP-0036/README.md` |
/// | one map in CBOR with the keys 0, 1 and 2 | Cardano (ed25519): a transaction, a datum last | IntersectMBO/cardano-ledger, CDDL |
/// | `01`, a network, inputs and outputs | IOTA and Shimmer: a transaction, tagged data last | iotaledger/tips, TIP-20 |
/// | `00 00 00`, a transaction; `03 00 00`, a message | Sui and IOTA's second chain (ed25519) | MystenLabs/sui, `intent.rs` |
/// | `00 00`, a script, gas, inputs | Alephium (secp256k1): a transaction, data of an output last | alephium/alephium, `UnsignedTransaction.scala` |
/// | one RLP list, or a type and one | VeChain (secp256k1), Aion (ed25519): a transaction | vechain/thor, VIP-251; aionnetwork/aion, `AionTransaction` |
/// | a chain and a domain as texts in SCALE, `00 80`, a key, a time | Iroha 2 (ed25519): a transaction, a program last but for zeros | hyperledger/iroha, `iroha_data_model/src/transaction.rs` (`TransactionPayload`), `account.rs`, `iroha_crypto/src/lib.rs` (`PublicKey`), `hash.rs` |
/// | `sia/`, a purpose, `|` | Sia (ed25519): a transaction, a contract, its fee last | SiaFoundation/core, `types/encoding.go`, `consensus/state.go` |
/// | `ed25519` and zeros, 32, a key, anywhere | chains that forked from Sia: the signature of another input last | ScPrime, `types/signatures.go` |
///
/// The digest of a proof depends on no byte of the call. Whoever forges one has it first, and writes the
/// other chain's transaction for it: an amount or a fee at the end is what he chooses outputs for, so only
/// bytes that must have one value count. Sia's fee of 16 bytes behind a zero is met by one digest in 2³⁶, and
/// the three zeros with which a transaction of Iroha ends by one in 2²⁴: no lifetime, no nonce and no
/// metadata, behind a program that takes in any bytes. Iroha sets the lowest bit of its hash, which half of
/// all hashes have set.
///
/// What needs no row: Casper's end with the name of its network or with what a node writes itself, Radix'
/// have a length that no transaction here has, and its logins (ROLA) end with the place that verifies them;
/// Filecoin signs 38 bytes, Kadena's are JSON, in which no genesis hash can stand, Handshake's and Qitmeer's
/// end with a hash of their own parts: each would be met by fewer than one digest in 2⁸⁰. Nervos, Zcash,
/// Kaspa and Ergo make the hash with a word of their own or sign by another scheme; EOS, Cosmos and Bitcoin's
/// kin hash with SHA-256, NEO, Flow and IOST with it or SHA-3, Massa with BLAKE3.
///
/// Each layout is read to its end, or as far as no other bytes begin like it, and no known runtime has a
/// transaction that does. A table can miss a chain: nothing here says that a signature means nothing
/// elsewhere.
public enum HashedForm: Sendable, Equatable, CaseIterable {
    case tezosOperation
    case tezosConsensus
    case tezosMessage
    case tezosData
    case cardano
    case cardanoVote
    case iota
    case sui
    case suiMessage
    case alephium
    case veChain
    case sia
    case iroha

    /// - Parameter bytes: what is hashed.
    public init?(_ bytes: [UInt8]) {
        if Tezos.isOperation(bytes) {
            self = .tezosOperation
        } else if Tezos.isConsensus(bytes) {
            self = .tezosConsensus
        } else if bytes.starts(with: [0x05, 0x01]),
            bytes.dropFirst(6).starts(with: Array("Tezos Signed Message: ".utf8))
        {
            self = .tezosMessage
        } else if bytes.first == 0x05, Micheline.isExpression(bytes.dropFirst()) {
            self = .tezosData
        } else if let form = Self.cardano(bytes) {
            self = form
        } else if Self.isIOTA(bytes) {
            self = .iota
        } else if Self.isSui(bytes) {
            self = .sui
        } else if Self.isSuiMessage(bytes) {
            self = .suiMessage
        } else if Self.isAlephium(bytes) {
            self = .alephium
        } else if EthereumForm(bytes)?.isTransaction == true {
            self = .veChain
        } else if Self.isSia(bytes) {
            self = .sia
        } else if Self.isIroha(bytes) {
            self = .iroha
        } else {
            return nil
        }
    }

    /// The body of a transaction: a map with its inputs (0), its outputs (1), its fee (2) and more. Or the
    /// metadata that registers a vote: a map with only the entry 61284.
    private static func cardano(_ bytes: [UInt8]) -> HashedForm? {
        var reader = CBORReader(rest: bytes[...])
        guard let keys = reader.mapKeys(), reader.rest.isEmpty else { return nil }
        if Set([0, 1, 2]).isSubset(of: keys) { return .cardano }
        return keys == [61284] ? .cardanoVote : nil
    }

    /// The name of the chain; the sender: a domain, a scheme, and a key with its length; and the time in
    /// milliseconds, of 2004 to 2248.
    private static func isIroha(_ bytes: [UInt8]) -> Bool {
        var fields = StatementFields(bytes[...])
        guard fields.text() != nil, fields.text() != nil, fields.rest.starts(with: [0x00, 0x80]),
            fields.skip(34)
        else { return false }
        let time = fields.rest.prefix(8)
        return time.count == 8 && time.suffix(2).allSatisfy { $0 == 0 }
            && (1..<8).contains(time[time.startIndex + 5])
    }

    /// What TIP-20 calls the essence: a type, the network's number, inputs of 35 bytes, their commitment, and
    /// outputs, of which the first has a type and an amount.
    private static func isIOTA(_ bytes: [UInt8]) -> Bool {
        func count(at place: Int) -> Int? {
            guard place + 2 <= bytes.count else { return nil }
            let count = Int(bytes[place]) + Int(bytes[place + 1]) << 8
            return (1...128).contains(count) ? count : nil
        }
        guard bytes.first == 1, let inputs = count(at: 9) else { return false }
        let outputs = 11 + 35 * inputs + 32
        guard count(at: outputs) != nil, outputs + 2 < bytes.count, (2...6).contains(bytes[outputs + 2])
        else { return false }
        // Each input has a type, the hash of a transaction and an index below 128.
        return (0..<inputs).allSatisfy { number in
            let place = 11 + 35 * number
            return bytes[place] == 0 && bytes[place + 33] < 128 && bytes[place + 34] == 0
        }
    }

    /// Three zeros, the intent of a transaction; a zero, its first version; a zero, the kind with commands;
    /// then the inputs or, if there are none, the commands. Each list begins with its length, and its first
    /// element with a kind. No transaction has 2¹⁴ inputs or commands.
    private static func isSui(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 32, bytes.starts(with: [0, 0, 0, 0, 0]) else { return false }
        var rest = bytes.dropFirst(5)
        func length() -> UInt64? { Protobuf.number(&rest).flatMap { $0 < 1 << 14 ? $0 : nil } }
        guard let inputs = length() else { return false }
        if inputs > 0 { return rest.first.map { $0 <= 2 } ?? false }
        guard let commands = length(), commands > 0 else { return false }
        return rest.first.map { $0 <= 6 } ?? false
    }

    /// A message of bytes to the end, with its length.
    private static func isSuiMessage(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [3, 0, 0]) else { return false }
        var rest = bytes.dropFirst(3)
        guard let length = Protobuf.number(&rest) else { return false }
        return length == UInt64(rest.count)
    }

    /// A version, the main network, perhaps a script, at least 20,000 gas in four bytes, a price in at least
    /// five, and an input: a hint, a key, and a way to unlock it.
    ///
    /// A script may be anything, so what follows it is looked for, with the gas and the price that a block
    /// allows: below 2²³ and below 2⁶⁴.
    private static func isAlephium(_ bytes: [UInt8]) -> Bool {
        func isInputs(at place: Int) -> Bool {
            guard place + 42 < bytes.count, bytes[place] >> 6 == 2, bytes[place + 4] >> 6 == 3 else {
                return false
            }
            let inputs = place + 5 + Int(bytes[place + 4] & 0x3f) + 4
            guard inputs + 38 < bytes.count, (1...63).contains(bytes[inputs]) else { return false }
            return bytes[inputs + 1 + 4 + 32] <= 5
        }
        guard bytes.count > 60, bytes.starts(with: [0, 0]) else { return false }
        switch bytes[2] {
        case 0: return isInputs(at: 3)
        case 1:
            return (4..<bytes.count).contains { place in
                isInputs(at: place) && bytes[place] == 0x80 && bytes[place + 1] < 0x80
                    && (0xc1...0xc4).contains(bytes[place + 4])
            }
        case _: return false
        }
    }

    /// All that Sia hashes for a signature starts with its name. Its older form, which other chains still
    /// use, has the keys of its inputs in it: an algorithm of 16 bytes, and a length of 8, the lowest byte
    /// first.
    private static func isSia(_ bytes: [UInt8]) -> Bool {
        let key = Array("ed25519".utf8) + [UInt8](repeating: 0, count: 9) + [32, 0, 0, 0, 0, 0, 0, 0]
        return bytes.starts(with: Array("sia/".utf8))
            || bytes.indices.contains { bytes[$0] == key[0] && bytes[$0...].starts(with: key) }
    }
}

/// Operations and blocks of Tezos before they are hashed.
private enum Tezos {
    /// `03`, the block that they build on, and operations to the end.
    static func isOperation(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x03, bytes.count > 34 else { return false }
        var rest = bytes.dropFirst(33)
        var former: ArraySlice<UInt8>?
        while !rest.isEmpty {
            switch operation(&rest) {
            case .read(let source): former = source ?? former
            // All operations of one signature have the same source: the one before has it, or it is found
            // again in the rest.
            case .unknown(let source):
                return former.map { $0.elementsEqual(source) } ?? contains(source, in: rest)
            case .none: return false
            }
        }
        return true
    }

    /// A block or an attestation of the main network, whose number follows what tells them apart.
    static func isConsensus(_ bytes: [UInt8]) -> Bool {
        (0x11...0x13).contains(bytes.first ?? 0) && bytes.dropFirst().starts(with: [0x7a, 0x06, 0xa7, 0x70])
    }

    private enum Outcome {
        /// To its end, and its source if it has one.
        case read(ArraySlice<UInt8>?)
        /// Of a kind whose content this table does not read, and its source.
        case unknown(ArraySlice<UInt8>)
        case none
    }

    private static func contains(_ source: ArraySlice<UInt8>, in rest: ArraySlice<UInt8>) -> Bool {
        guard rest.count >= source.count else { return false }
        return (rest.startIndex...rest.endIndex - source.count).contains {
            rest[$0..<$0 + source.count].elementsEqual(source)
        }
    }

    private static func operation(_ rest: inout ArraySlice<UInt8>) -> Outcome {
        guard let kind = rest.popFirst() else { return .none }
        if kind == 17 { return data(&rest) ? .read(nil) : .none }
        // Those of a manager: the source, its fee, its counter, and its limits of gas and storage.
        let source = rest.prefix(21)
        guard kind >= 107, hash(&rest, tags: 3, length: 20), (0..<4).allSatisfy({ _ in natural(&rest) })
        else { return .none }
        let isRead =
            switch kind {
            case 107, 114, 115: key(&rest)
            case 108: natural(&rest) && hash(&rest, tags: 4, length: 21) && parameters(&rest)
            case 109: natural(&rest) && delegate(&rest) && data(&rest) && data(&rest)
            case 110: delegate(&rest)
            case 111, 201: data(&rest)
            case 112: flag(&rest).map { !$0 || natural(&rest) } ?? false
            case 113: natural(&rest) && skip(22, &rest)
            // A ticket: its content, its type, who made it, how many, who gets it, an entry point.
            case 158:
                data(&rest) && data(&rest) && skip(22, &rest) && natural(&rest) && skip(22, &rest)
                    && data(&rest)
            // A rollup: its kind, its program, its type, and perhaps who may use it.
            case 200:
                skip(1, &rest) && data(&rest) && data(&rest)
                    && (flag(&rest).map { !$0 || data(&rest) } ?? false)
            // What else rollups and the like have.
            case 202...207, 230, 250...252: true
            case _: false
            }
        guard isRead else { return .none }
        return kind > 201 ? .unknown(source) : .read(source)
    }

    private static func skip(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private static func hash(_ rest: inout ArraySlice<UInt8>, tags: UInt8, length: Int) -> Bool {
        guard let tag = rest.popFirst(), tag <= tags else { return false }
        return skip(length, &rest)
    }

    /// Seven bits a byte, the lowest first; a last byte of zero is a longer form than needed.
    private static func natural(_ rest: inout ArraySlice<UInt8>) -> Bool {
        for place in 0..<20 {
            guard let byte = rest.popFirst() else { return false }
            if byte < 0x80 { return byte > 0 || place == 0 }
        }
        return false
    }

    private static func flag(_ rest: inout ArraySlice<UInt8>) -> Bool? {
        switch rest.popFirst() {
        case 0x00: false
        case 0xff: true
        case _: nil
        }
    }

    /// Behind a length of four bytes, the highest first.
    private static func data(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.count >= 4 else { return false }
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(4)
        return skip(length, &rest)
    }

    private static func delegate(_ rest: inout ArraySlice<UInt8>) -> Bool {
        flag(&rest).map { !$0 || hash(&rest, tags: 3, length: 20) } ?? false
    }

    /// Of ed25519, of two other curves, or of BLS; since one protocol with a flag and a proof behind it.
    private static func key(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let tag = rest.popFirst(), tag <= 3, skip([32, 33, 33, 48][Int(tag)], &rest) else {
            return false
        }
        guard let next = rest.first, next == 0 || next == 0xff else { return true }
        rest = rest.dropFirst()
        return next == 0 || data(&rest)
    }

    /// Perhaps an entry point, by its number or its name, and its argument.
    private static func parameters(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let follow = flag(&rest) else { return false }
        guard follow else { return true }
        guard let entry = rest.popFirst() else { return false }
        if entry == 0xff {
            guard let length = rest.popFirst(), skip(Int(length), &rest) else { return false }
        }
        return data(&rest)
    }
}

/// CBOR (RFC 8949), of which only the borders of the items are read.
struct CBORReader {
    private(set) var rest: ArraySlice<UInt8>

    /// The unsigned keys of the map that stands next; nil if there is none.
    mutating func mapKeys() -> Set<UInt64>? {
        guard let (kind, count) = head(), kind == 5 else { return nil }
        var keys: Set<UInt64> = []
        var left = count ?? .max
        while left > 0 {
            if count == nil, ends() { break }
            var key = self
            if let (kind, value) = key.head(), kind == 0, let value { keys.insert(value) }
            guard skipItem(depth: 0), skipItem(depth: 0) else { return nil }
            left -= 1
        }
        return keys
    }

    /// `size` bytes, which an array or a text of known length takes.
    mutating func skip(_ size: UInt64) -> Bool {
        guard size <= UInt64(rest.count) else { return false }
        rest = rest.dropFirst(Int(size))
        return true
    }

    /// The kind of an item, and its number; no number where the length is not stated.
    mutating func head() -> (kind: UInt8, number: UInt64?)? {
        guard let first = rest.popFirst() else { return nil }
        let kind = first >> 5
        switch first & 0x1f {
        case let small where small < 24: return (kind, UInt64(small))
        case let wide where wide < 28:
            let width = 1 << Int(wide - 24)
            guard rest.count >= width else { return nil }
            let number = rest.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(width)
            return (kind, number)
        case 31 where (2...5).contains(kind): return (kind, nil)
        case _: return nil
        }
    }

    private mutating func ends() -> Bool {
        guard rest.first == 0xff else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// No transaction nests deeper than this: its datums and scripts stand in strings of bytes.
    private static let depthLimit = 64

    private mutating func skipItem(depth: Int) -> Bool {
        guard depth < Self.depthLimit, let (kind, number) = head() else { return false }
        switch kind {
        case 0, 1, 7: return true
        case 6: return skipItem(depth: depth + 1)
        case 2, 3:
            if let number { return skip(number) }
        case _: break
        }
        var left = (number ?? .max)
        while left > 0 {
            if number == nil, ends() { return true }
            guard skipItem(depth: depth + 1), kind != 5 || skipItem(depth: depth + 1) else { return false }
            left -= 1
        }
        return true
    }
}

/// An expression of Michelson, as contracts of Tezos pack it before they hash it.
private enum Micheline {
    private enum Part {
        case expression
        /// Behind a length of four bytes.
        case data
        /// Expressions up to a place.
        case expressions(end: Int)
    }

    /// Whether the bytes are one to their end. Its parts are listed and not called, as deep as they are.
    static func isExpression(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        var parts = [Part.expression]
        func length() -> Int? {
            guard rest.count >= 4 else { return nil }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            return length <= rest.count ? length : nil
        }
        while let part = parts.popLast() {
            switch part {
            case .data:
                guard let length = length() else { return false }
                rest = rest.dropFirst(length)
            case .expressions(let end):
                guard rest.startIndex <= end else { return false }
                if rest.startIndex < end { parts += [part, .expression] }
            case .expression:
                guard let kind = rest.popFirst(), kind <= 10 else { return false }
                // A number, text, a list, bytes; the others are words with none to two expressions or more.
                switch kind {
                case 0: guard Protobuf.isNumber(&rest) else { return false }
                case 1, 10: parts.append(.data)
                case 2:
                    guard let length = length() else { return false }
                    parts.append(.expressions(end: rest.startIndex + length))
                case _:
                    guard rest.popFirst() != nil else { return false }
                    // Annotations stand last.
                    if kind == 9 || kind.isMultiple(of: 2) { parts.append(.data) }
                    if kind == 9 {
                        guard let length = length() else { return false }
                        parts.append(.expressions(end: rest.startIndex + length))
                    } else {
                        parts += [Part](repeating: .expression, count: Int(kind - 3) / 2)
                    }
                }
            }
        }
        return rest.isEmpty
    }
}
