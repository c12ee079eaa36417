import SubstratePrimitives

/// Recognizes the layouts of statements. All numbers are little-endian.
///
/// A field that accepts every byte identifies nothing. A statement is identified by fields with necessary
/// values: a number that counts up from 0 on its chain has no high bytes, an amount has none either, and a
/// length ends where the next field begins. Whoever wants to submit the statement has to meet these demands;
/// an ordinary transaction meets them only by accident.
extension StatementForm {
    // MARK: polkadot-sdk

    /// The widths of the ids of a collection and an item. The hubs have 4 and 4, Mythos has 32 and 16.
    private static let widths: [(collection: Int, item: Int)] = [4, 8, 16, 32].flatMap { collection in
        [4, 8, 16, 32].map { (collection, $0) }
    }

    /// Collections are numbered in their order, and the hubs have fewer than a thousand: none is above
    /// 65,535. Items may have any number.
    static func isPreSigned(_ bytes: ArraySlice<UInt8>, isMint: Bool) -> Bool {
        widths.contains { collection, item in
            var fields = StatementFields(bytes)
            guard fields.skip(collection, significant: 2), fields.skip(item), fields.skipAttributes() else {
                return false
            }
            // Only the first runtimes of the hubs with signed mints had no price in them.
            return isMint
                ? fields.isEndOfMint(mayLackPrice: collection + item == 8) : fields.isEndOfAttributes()
        }
    }

    /// A decryption key, a priority or nothing at all says nothing. A channel, a topic or data does: whoever
    /// submits data alone publishes it in the signer's name and at the cost of his allowance. Data alone that
    /// begin 32 bytes are a hash's, which nobody can read and nobody chose. Data of 64 bytes or more are what
    /// a whole transaction could be, with its end in them: without a topic nobody finds them, and without a
    /// priority or an expiry a store drops them first or has them as expired.
    static func isStoreStatement(_ bytes: ArraySlice<UInt8>) -> Bool {
        // A priority of 32 bits was once what an expiry of 64 is now.
        [8, 4].contains { expiry in
            var fields = StatementFields(bytes)
            var former: UInt8 = 0
            var (isFound, isKept) = (false, false)
            while let field = fields.next() {
                guard field > former, field <= 8 else { return false }
                former = field
                if field == 8 {
                    guard let length = fields.length(), fields.skip(length) else { return false }
                    isFound = isFound || bytes.count != 32 && (isKept || length < 64)
                } else {
                    guard fields.skip(field == 2 ? expiry : 32) else { return false }
                    isFound = isFound || field > 2
                    isKept = isKept || field == 2
                }
            }
            return isFound
        }
    }

    /// No parachain has an id above 65,535, and no balance 2⁹⁶ of a smallest unit.
    static func isContribution(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        return fields.skip(4, significant: 2) && fields.skip(32) && fields.skip(16, significant: 12)
            && fields.skip(16, significant: 12) && fields.isEmpty
    }

    // MARK: texts

    private static let authorization = Array("authorization for ".utf8)
    private static let polymesh = Array("Polymesh ".utf8)

    /// The text may be of any length that fits. Before it stands the length in its shortest form.
    static func isRelayedCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        return fields.length() != nil && fields.rest.starts(with: authorization)
    }

    /// A text that names what is allowed, then more fields. The names that known chains use have 13 to 69
    /// characters, and others will follow, so every printable ASCII text that starts with a letter counts. A
    /// transaction begins with a pallet and a call. It looks like such a text only if the pallet has the
    /// index 32, 36, … or the call is one of the first, and the arguments are text up to the length that
    /// pallet and call give: no call of a known runtime is like this. Bytes that are text to their end are a
    /// message, such as `Hello …`, whose `H` is the length 18.
    static func isNamed(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        if let text = fields.text(), (8...127).contains(text.count), !fields.isEmpty {
            return String.printable(Array(bytes)) == nil
        }
        // Behind the genesis hash and a number.
        fields = StatementFields(bytes)
        return fields.skip(40) && fields.text()?.starts(with: polymesh) == true
    }

    // MARK: Bittensor

    /// The start is enough, because the version changes, and the rest changes with it. As a pallet and a call
    /// it is 109 and 101.
    static let shield = Array("mev-shield:".utf8)

    // MARK: Mythos

    private static let networks = ["MYTH_NET", "MUSE_NET"].map { Array($0.utf8) }

    /// A batch is a call of `Multibatching` without its approvals: a pallet and a call, the domain, who sends
    /// it, 32 bytes, a time, calls with the account that makes each, and `00`. Every account that approves
    /// has its calls made in its name, with all rights that it has. So of a digest only the last byte must
    /// have a value, and what comes before it can be the argument of a last call that does nothing.
    ///
    /// The domain alone decides: versions differ in the fields behind it, and the domain had 32 bytes at
    /// first. The offer of an item on sale starts with it. No other bytes have these 8 by accident; a text
    /// that is read as text may speak of the network.
    static func isOfMythos(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.prefix(34)
        return start.indices.contains { place in
            networks.contains { start[place...].starts(with: $0) }
        } && String.printable(Array(bytes)) == nil
    }

    // MARK: Polymesh

    /// The layouts of the calls are in no table here, so the start decides. The nonce counts what was relayed
    /// for one key, each with a signature of its own: fewer than 2¹⁶. A call of pallet 0, `System`, does
    /// nothing that a relayer could want. No pallet has an index above 127 there, and no call one above 63.
    ///
    /// An ordinary transaction begins so if its arguments start with six zeros, and a number behind them is
    /// not zero.
    static func isUniqueCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        guard fields.skip(8, significant: 2), let pallet = fields.next(), let call = fields.next() else {
            return false
        }
        return (1...127).contains(pallet) && call < 64
    }

    /// The numbers of the receipt, the instruction and the leg, and two identities. Before version 6: the
    /// number of the receipt alone, and two portfolios, each the default one of an identity or one with a
    /// number. An amount is below 2⁶⁴, because the largest supply is 10¹⁸.
    static func isReceipt(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        if fields.skip(24), fields.skip(64), fields.isTickerAndAmount() { return true }
        fields = StatementFields(bytes)
        return fields.skip(8) && fields.skipPortfolio() && fields.skipPortfolio()
            && fields.isTickerAndAmount()
    }

    /// The time is in milliseconds: 2⁴⁰ were over in 2004, and 2⁴³ are in 2248.
    static func isIdentityKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        guard bytes.count == 48, fields.skip(32), fields.skip(8, significant: 4) else { return false }
        return fields.rest.suffix(2).allSatisfy { $0 == 0 }
            && (1..<8).contains(fields.rest[fields.rest.endIndex - 3])
    }

    // MARK: Frequency

    /// No account has a number of 2⁴⁰.
    ///
    /// The shortest of them is a passkey: 33 bytes, a point of P-256 with its sign first. It has no nonce, no
    /// expiry and no chain. Whoever has the account's signature over it in tags moves all that the account
    /// has, with his own key for ever. Whether the rest is a point is not asked: a text does not begin with
    /// `02` or `03`, and no transaction that a proof reads is as short.
    static func isDelegation(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.count == 33, bytes.first == 2 || bytes.first == 3 { return true }
        var fields = StatementFields(bytes)
        // A provider and the up to 30 schemas that it may write.
        if fields.skip(8, significant: 5), let schemas = fields.length(), schemas <= 30,
            fields.skip(2 * schemas),
            fields.isExpirationAtEnd()
        {
            return true
        }
        // A key, with a first byte that tells its use or without.
        for start in [0, 1] where bytes.count == 44 + start && (start == 0 || bytes.first == 1) {
            fields = StatementFields(bytes.dropFirst(start))
            if fields.skip(8, significant: 5), fields.skipExpiration() { return true }
        }
        fields = StatementFields(bytes)
        if bytes.count == 37, fields.next() == 2, fields.skip(32), fields.isExpirationAtEnd() { return true }
        // A handle.
        fields = StatementFields(bytes)
        return fields.text() != nil && fields.isExpirationAtEnd()
    }

    /// An id below 64, for the chain had fewer than 40 schemas in its third year, and one of the 17 pages.
    static func isStoredData(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fields = StatementFields(bytes)
        guard let id = fields.compact(), id < 64 else { return false }
        let start = fields
        if let page = fields.compact(), page <= 16, fields.skipPageHash(), fields.skipExpiration() {
            // One that is deleted, or one and its content.
            if fields.isEmpty || fields.skipBytes() && fields.isEmpty { return true }
        }
        return [0, 2].contains { schema in
            fields = start
            return fields.skipPageHash() && fields.skipExpiration() && fields.isItems(schema: schema)
        }
    }
}

/// What is left of a statement that is read field by field.
struct StatementFields {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    mutating func next() -> UInt8? { rest.popFirst() }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// An integer whose bytes behind the first ones are zero.
    mutating func skip(_ count: Int, significant: Int) -> Bool {
        let bytes = rest.prefix(count)
        return bytes.dropFirst(significant).allSatisfy { $0 == 0 } && skip(count)
    }

    /// A number below 2³² in its shortest form, as a runtime reads it.
    mutating func compact() -> Int? {
        guard let first = rest.first else { return nil }
        let mode = Int(first & 3)
        guard mode < 3 || first == 3 else { return nil }
        let width = [1, 2, 4, 5][mode]
        guard width <= rest.count else { return nil }
        var value = rest.prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
        value >>= mode == 3 ? 8 : 2
        guard value >= [0, 1 << 6, 1 << 14, 1 << 30][mode] else { return nil }
        rest = rest.dropFirst(width)
        return value
    }

    /// A length: no more than 2³⁰ fits into what is signed.
    mutating func length() -> Int? { compact().flatMap { $0 < 1 << 30 ? $0 : nil } }

    mutating func skipBytes() -> Bool { length().map { skip($0) } ?? false }

    /// Printable ASCII that starts with a letter, behind its length. The tags of messages are not text.
    mutating func text() -> ArraySlice<UInt8>? {
        guard let count = length(), count <= rest.count, let first = rest.first, (first | 0x20) >= 0x61,
            (first | 0x20) <= 0x7a
        else {
            return nil
        }
        let text = rest.prefix(count)
        let tags = [UInt8(ascii: "<"), UInt8(ascii: ">")]
        guard !text.isEmpty, text.allSatisfy({ (0x20...0x7e).contains($0) && !tags.contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return text
    }

    // MARK: nfts

    mutating func skipAttributes() -> Bool {
        guard let count = length(), count <= rest.count / 2 else { return false }
        for _ in 0..<count { guard skipBytes(), skipBytes() else { return false } }
        return true
    }

    /// Metadata, the only account, the deadline, and the price, which older runtimes do not have. An account
    /// has 32 or 20 bytes.
    mutating func isEndOfMint(mayLackPrice: Bool) -> Bool {
        guard skipBytes(), let isFor = next(), isFor <= 1 else { return false }
        for account in isFor == 0 ? [0] : [32, 20] {
            for deadline in [4, 8] {
                var end = self
                guard end.skip(account), end.skip(deadline, significant: 4) else { continue }
                if end.isEmpty && mayLackPrice { return true }
                // No balance has 2⁹⁶ of a smallest unit.
                switch end.next() {
                case 0?: if end.isEmpty { return true }
                case 1?: if end.skip(16, significant: 12), end.isEmpty { return true }
                case _: break
                }
            }
        }
        return false
    }

    /// The namespace, which may be an account's, and the deadline: a block number, and no chain has 2³²
    /// blocks.
    mutating func isEndOfAttributes() -> Bool {
        guard let namespace = next(), namespace <= 3 else { return false }
        return (namespace == 3 ? [32, 20] : [0]).contains { account in
            [4, 8].contains { deadline in
                var end = self
                return end.skip(account) && end.skip(deadline, significant: 4) && end.isEmpty
            }
        }
    }

    // MARK: Polymesh

    mutating func skipPortfolio() -> Bool {
        guard skip(32), let kind = next(), kind <= 1 else { return false }
        return kind == 0 || skip(8, significant: 5)
    }

    /// The ticker has 12 characters at most, and zeros behind them.
    mutating func isTickerAndAmount() -> Bool {
        let ticker = rest.prefix(12)
        let text = ticker.prefix { $0 != 0 }
        guard rest.count == 28, !text.isEmpty, ticker.dropFirst(text.count).allSatisfy({ $0 == 0 }) else {
            return false
        }
        return text.allSatisfy { (0x20...0x7e).contains($0) } && skip(12) && skip(16, significant: 8)
    }

    // MARK: Frequency

    /// A block from the chain's first months on, for 25 years at least.
    mutating func skipExpiration() -> Bool {
        guard rest.count >= 4 else { return false }
        let block = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return (1 << 20..<1 << 27).contains(block) && skip(4)
    }

    mutating func isExpirationAtEnd() -> Bool { skipExpiration() && isEmpty }

    /// 32 bits of a hash, or 0 of an empty page. One of 2¹⁸ hashes is below 2¹⁴.
    mutating func skipPageHash() -> Bool { compact().map { $0 == 0 || $0 >= 1 << 14 } ?? false }

    /// Items to add, each with the number of its schema or without, or to delete.
    mutating func isItems(schema: Int) -> Bool {
        guard let count = length(), count > 0, count <= rest.count else { return false }
        for _ in 0..<count {
            switch next() {
            case 0?: guard skip(schema), skipBytes() else { return false }
            case 1?: guard skip(2) else { return false }
            case _: return false
            }
        }
        return isEmpty
    }
}
