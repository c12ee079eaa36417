import SQLite
import SubstratePrimitives

/// A transaction that was made or answered here, from its payload to its end.
public struct HotTransaction: Sendable, Equatable {
    /// How far it came. What nodes say of it stands with its ``HotTransaction/witness``.
    public enum State: String, Sendable, CaseIterable {
        case made, signed
        /// A node was given it, or is about to be.
        case submitted
        case inBlock = "in a block"
        /// In a final block, and nothing says that it failed.
        case final
        /// In a final block, where it or a call inside it failed.
        case failed
        /// No block can have it any more, as its witness says: its era is over, or another transaction for
        /// the same intent is in a final block. See ``HotTransaction/hasExpired``.
        case expired
        /// Another one was made in its place. An earlier signature of it may still take effect.
        case replaced

        /// Whether a final block has it.
        public var isFinal: Bool { self == .final || self == .failed }
    }

    /// What a payload says, and what recognizes it in a block.
    public struct Content: Sendable, Equatable {
        /// The name of its network.
        public let network: String
        public let genesisHash: GenesisHash
        /// The payload alone, without what stands around it.
        public let payload: [UInt8]
        /// BLAKE2b-256 of the signer and of everything that its signature covers: two payloads with it ask
        /// for the same.
        public let digest: Hash32
        /// The signer as the chain's state has it: 32 or 20 bytes.
        public let account: [UInt8]
        /// nil where the runtime has none, or where the metadata does not show it.
        public let nonce: UInt64?
        /// In blocks; nil for a transaction that never expires.
        public let period: UInt32?
        /// The block that its era counts from.
        public let eraBlock: Hash32?
        /// `Pallet.call`
        public let call: String
        /// BLAKE2b-256 of the call.
        public let callHash: Hash32
        /// An extrinsic of it, up to its signature.
        public let head: [UInt8]
        /// An extrinsic of it, behind its signature.
        public let tail: [UInt8]
        /// In bytes.
        public let signatureLength: Int

        public init(
            network: String, genesisHash: GenesisHash, payload: [UInt8], digest: Hash32, account: [UInt8],
            nonce: UInt64?, period: UInt32?, eraBlock: Hash32?, call: String, callHash: Hash32,
            head: [UInt8], tail: [UInt8], signatureLength: Int
        ) {
            (self.network, self.genesisHash, self.payload) = (network, genesisHash, payload)
            (self.digest, self.account, self.nonce) = (digest, account, nonce)
            (self.period, self.eraBlock) = (period, eraBlock)
            (self.call, self.callHash) = (call, callHash)
            (self.head, self.tail, self.signatureLength) = (head, tail, signatureLength)
        }
    }

    /// Its number here, from 1.
    public let id: Int64
    /// The first of the transactions that were made for the same intent: at most one of them may take
    /// effect.
    public let intent: Int64
    public let content: Content
    public let state: State
    /// Signed: the one that a node was given last, or else the last that was read here.
    public let extrinsic: [UInt8]?
    /// The block that has it, or that it was said to be in.
    public let block: Hash32?
    /// Why it failed or expired, or what went wrong when it was submitted.
    public let detail: String?
    /// Who says so: `one node's word`, or the hosts that agreed.
    public let witness: String?
    /// The one that was made in its place.
    public let successor: Int64?
    /// Seconds since 1970.
    public let added: Int64
    /// Seconds since 1970.
    public let changed: Int64

    /// The witness of what one node alone said.
    public static let oneNodesWord = "one node's word"

    /// Whether nodes on several hosts agree that no block can have it any more.
    ///
    /// One node's word ends nothing: a node that lies about blocks would have its owner pay again, unwarned.
    /// So one that is expired by that word is shown as such, and counts as one that may take effect.
    public var hasExpired: Bool { state == .expired && witness != nil && witness != Self.oneNodesWord }

    /// Whether it cannot take effect beside one with another nonce. Of those that were replaced, only the
    /// ones that were proven to be impossible have a witness: see
    /// ``HotStore/replace(_:with:impossible:detail:witness:at:)``.
    fileprivate var isImpossible: Bool { hasExpired || state == .replaced && witness != nil }
}

extension HotStore {
    static let transactionTable = """
        CREATE TABLE IF NOT EXISTS life (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, intent INTEGER NOT NULL, network TEXT NOT NULL, genesis BLOB NOT NULL,
            payload BLOB NOT NULL, digest BLOB NOT NULL UNIQUE, account BLOB NOT NULL, nonce INTEGER, period INTEGER, era BLOB,
            call TEXT NOT NULL, call_hash BLOB NOT NULL, head BLOB NOT NULL, tail BLOB NOT NULL, signature INTEGER NOT NULL,
            state TEXT NOT NULL, extrinsic BLOB, block BLOB, detail TEXT, witness TEXT, successor INTEGER,
            added INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
        """

    private static let lifeColumns = """
        id, intent, network, genesis, payload, digest, account, nonce, period, era, call, call_hash, head, \
        tail, signature, state, extrinsic, block, detail, witness, successor, added, changed
        """
    /// Transactions that are kept; of more, the oldest whose intent is over go.
    static let keptTransactions = 1_000
    /// Seconds for which one that was made is kept whatever there is: its answer may be on its way.
    static let madeSeconds: Int64 = 7 * 86_400

    // MARK: Reading

    /// All of them, oldest first.
    public func transactions() throws -> [HotTransaction] { try lives("") }

    /// - Throws: ``HotStoreError/unknownTransaction(_:)``
    public func transaction(_ id: Int64) throws -> HotTransaction {
        guard let found = try lives("WHERE id = ?", [.integer(id)]).first else {
            throw HotStoreError.unknownTransaction(id)
        }
        return found
    }

    /// The transactions of one intent, oldest first.
    public func transactions(of intent: Int64) throws -> [HotTransaction] {
        try lives("WHERE intent = ?", [.integer(intent)])
    }

    /// Signed transactions that may take effect and have the same call of the same account, for another
    /// intent.
    ///
    /// A signature that was printed here may be sent by anybody, and one that was replaced does not become
    /// void. So what counts is whether there is a signature, and not whether this program sent it.
    /// - Parameter row: one of the transactions of the intent that is not meant.
    public func signed(like row: HotTransaction) throws -> [HotTransaction] {
        try lives(
            "WHERE genesis = ? AND account = ? AND call_hash = ? AND intent != ? AND extrinsic IS NOT NULL",
            [
                .blob(row.content.genesisHash.bytes), .blob(row.content.account),
                .blob(row.content.callHash.bytes), .integer(row.intent),
            ]
        ).filter { try !$0.hasExpired && !isOver($0.intent) }
    }

    private func lives(_ condition: String, _ values: [SQLiteValue] = []) throws -> [HotTransaction] {
        try connection.query("SELECT \(Self.lifeColumns) FROM life \(condition) ORDER BY id", values).map {
            try Self.life($0)
        }
    }

    private static func life(_ row: [SQLiteValue]) throws -> HotTransaction {
        guard let id = row[0].integer, let intent = row[1].integer, let network = row[2].text,
            let genesis = row[3].blob.flatMap({ Hash32($0) }), let payload = row[4].blob,
            let digest = row[5].blob.flatMap({ Hash32($0) }), let account = row[6].blob,
            let call = row[10].text, let callHash = row[11].blob.flatMap({ Hash32($0) }),
            let head = row[12].blob, let tail = row[13].blob,
            let length = row[14].integer.flatMap(Int.init(exactly:)), length >= 0,
            let state = row[15].text.flatMap(HotTransaction.State.init(rawValue:)),
            let added = row[21].integer, let changed = row[22].integer
        else { throw HotStoreError.unreadable(table: "life") }
        let content = HotTransaction.Content(
            network: network, genesisHash: genesis, payload: payload, digest: digest, account: account,
            nonce: row[7].integer.flatMap { UInt64(exactly: $0) },
            period: row[8].integer.flatMap { UInt32(exactly: $0) },
            eraBlock: row[9].blob.flatMap { Hash32($0) }, call: call, callHash: callHash, head: head,
            tail: tail, signatureLength: length)
        return HotTransaction(
            id: id, intent: intent, content: content, state: state, extrinsic: row[16].blob,
            block: row[17].blob.flatMap { Hash32($0) }, detail: row[18].text, witness: row[19].text,
            successor: row[20].integer, added: added, changed: changed)
    }

    // MARK: Making

    /// Keeps a transaction that was made, once.
    ///
    /// The same call of the same account with the same nonce is the same intent: whoever makes a payment
    /// again that way wants it once.
    /// - Parameter at: seconds since 1970.
    /// - Returns: its record; the one that is there already for the same bytes to sign.
    /// - Throws: ``HotStoreError/otherNonce(_:)`` where the intent has one with another nonce.
    public func keep(_ content: HotTransaction.Content, at: Int64) throws -> HotTransaction {
        try connection.transaction {
            if let known = try lives("WHERE digest = ?", [.blob(content.digest.bytes)]).first { return known }
            let kin = try lives(
                "WHERE genesis = ? AND account = ? AND nonce = ? AND call_hash = ?",
                [
                    .blob(content.genesisHash.bytes), .blob(content.account),
                    Self.number(content.nonce), .blob(content.callHash.bytes),
                ])
            let open = try kin.last { try !isOver($0.intent) }
            if let open { try requireNoOther(content.nonce, for: open.intent, but: nil) }
            let row = try insert(content, intent: open?.intent, at: at)
            try prune(but: row.intent, at: at)
            return row
        }
    }

    /// Puts a transaction in the place of another one, in one step: no moment has both or none.
    /// - Parameters:
    ///   - id: the old one.
    ///   - content: the new one, for the same intent.
    ///   - impossible: those of the intent that nodes proved to be impossible; for another nonce, each that
    ///     is signed has to be among them. One that another process added since is not, and is in the way.
    ///   - detail: why the old one was replaced.
    ///   - witness: who says that they are impossible; nil without a proof.
    ///   - at: seconds since 1970.
    /// - Throws: ``HotStoreError/replacedTransaction(_:by:)``, ``HotStoreError/otherNonce(_:)``, and
    ///   ``HotStoreError/transactionIsOver(_:state:)`` where a final block has one of the intent.
    public func replace(
        _ id: Int64, with content: HotTransaction.Content, impossible: Set<Int64> = [], detail: String,
        witness: String?, at: Int64
    ) throws -> HotTransaction {
        try connection.transaction {
            let old = try requireOpen(id)
            let known = try lives("WHERE digest = ?", [.blob(content.digest.bytes)]).first
            if let known {
                // Made in the same block, it is the same transaction again.
                guard known.intent == old.intent, !known.state.isFinal, known.state != .replaced else {
                    throw HotStoreError.transactionIsOver(known.id, state: known.state.rawValue)
                }
                if known.id == id { return known }
            }
            try requireNoOther(content.nonce, for: old.intent, but: known?.id, impossible)
            let new = try known ?? insert(content, intent: old.intent, at: at)
            try supersede(old, by: new.id, detail, witness, at)
            // The proof is about all of them, so it stands in each: the new one is sent because of it.
            for other in try transactions(of: old.intent)
            where impossible.contains(other.id) && other.id != old.id && other.id != new.id {
                try supersede(other, by: other.successor ?? new.id, detail, witness, at)
            }
            return new
        }
    }

    /// Refuses a nonce for an intent that is over, and one beside a signed transaction with another nonce
    /// that may take effect: a chain takes one of two with the same nonce, and both of two with different
    /// ones. Nonces that are unknown count as different.
    ///
    /// What a command saw before may have changed, by another process too. So this is asked in the same step
    /// that writes, and again before a node is given anything.
    /// - Parameters:
    ///   - nonce: of the transaction that is made or sent.
    ///   - own: its number.
    ///   - impossible: those that nodes proved to be impossible just now.
    private func requireNoOther(
        _ nonce: UInt64?, for intent: Int64, but own: Int64?, _ impossible: Set<Int64> = []
    ) throws {
        for other in try transactions(of: intent) where other.id != own {
            if other.state.isFinal {
                throw HotStoreError.transactionIsOver(other.id, state: other.state.rawValue)
            }
            let competes = nonce != nil && other.content.nonce == nonce
            let isVoid = other.extrinsic == nil || other.isImpossible || impossible.contains(other.id)
            guard competes || isVoid else { throw HotStoreError.otherNonce(other.id) }
        }
    }

    /// - Throws: ``HotStoreError/replacedTransaction(_:by:)``,
    ///   ``HotStoreError/transactionIsOver(_:state:)``
    private func requireOpen(_ id: Int64) throws -> HotTransaction {
        let row = try transaction(id)
        switch row.state {
        case .replaced: throw HotStoreError.replacedTransaction(id, by: row.successor ?? id)
        case .final, .failed: throw HotStoreError.transactionIsOver(id, state: row.state.rawValue)
        case .made, .signed, .submitted, .inBlock, .expired: return row
        }
    }

    private func supersede(
        _ old: HotTransaction, by id: Int64, _ detail: String, _ witness: String?, _ at: Int64
    ) throws {
        try connection.query(
            "UPDATE life SET state = ?, successor = ?, detail = ?, witness = ?, changed = ? WHERE id = ?",
            [
                Self.word(.replaced), .integer(id), .text(detail), Self.text(witness), .integer(at),
                .integer(old.id),
            ])
    }

    private func insert(_ content: HotTransaction.Content, intent: Int64?, at: Int64) throws -> HotTransaction
    {
        let rows = try connection.query(
            """
            INSERT INTO life (intent, network, genesis, payload, digest, account, nonce, period, era, call, \
            call_hash, head, tail, signature, state, added, changed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            [
                .integer(intent ?? 0), .text(content.network), .blob(content.genesisHash.bytes),
                .blob(content.payload), .blob(content.digest.bytes), .blob(content.account),
                Self.number(content.nonce), content.period.map { .integer(Int64($0)) } ?? .null,
                content.eraBlock.map { .blob($0.bytes) } ?? .null, .text(content.call),
                .blob(content.callHash.bytes), .blob(content.head), .blob(content.tail),
                .integer(Int64(content.signatureLength)), Self.word(.made), .integer(at), .integer(at),
            ])
        guard let id = rows.first?.first?.integer else { throw HotStoreError.unreadable(table: "life") }
        if intent == nil { try connection.query("UPDATE life SET intent = id WHERE id = ?", [.integer(id)]) }
        return try transaction(id)
    }

    // MARK: Its way

    /// Keeps a signed form of a transaction, until a node was given one.
    public func keepSigned(_ extrinsic: [UInt8], of id: Int64, at: Int64) throws {
        try connection.query(
            """
            UPDATE life SET extrinsic = ?, changed = ?, state = ? WHERE id = ? AND state IN (?, ?)
            """,
            [
                .blob(extrinsic), .integer(at), Self.word(.signed), .integer(id), Self.word(.made),
                Self.word(.signed),
            ])
    }

    /// Notes that a node is given a transaction, before it is: whoever is killed from then on finds it as
    /// submitted.
    /// - Returns: how far it was before.
    /// - Throws: ``HotStoreError/replacedTransaction(_:by:)``: of two transactions for one intent only the
    ///   newer one is sent; ``HotStoreError/otherNonce(_:)`` and ``HotStoreError/transactionIsOver(_:state:)``
    ///   where another one of the intent may take effect beside it, or did.
    @discardableResult
    public func giveAway(_ id: Int64, _ extrinsic: [UInt8], at: Int64) throws -> HotTransaction.State {
        try connection.transaction {
            let row = try transaction(id)
            if row.state == .replaced {
                throw HotStoreError.replacedTransaction(id, by: row.successor ?? id)
            }
            try requireNoOther(row.content.nonce, for: row.intent, but: id)
            let isFirst = row.state == .made || row.state == .signed
            try connection.query(
                "UPDATE life SET extrinsic = ?, state = ?, changed = ? WHERE id = ?",
                [
                    .blob(extrinsic), Self.word(isFirst ? .submitted : row.state), .integer(at), .integer(id),
                ])
            return row.state
        }
    }

    /// Takes back ``giveAway(_:_:at:)`` where no node was reached.
    public func takeBack(_ id: Int64, at: Int64) throws {
        try connection.query(
            "UPDATE life SET state = ?, changed = ? WHERE id = ? AND state = ?",
            [Self.word(.signed), .integer(at), .integer(id), Self.word(.submitted)])
    }

    /// Keeps what went wrong with a submitted transaction, or the block that it was said to be in. What
    /// nobody calls final changes no state that is.
    /// - Parameters:
    ///   - block: nil where no block is said to have it.
    ///   - detail: in words.
    public func note(_ id: Int64, block: Hash32?, detail: String?, at: Int64) throws {
        try connection.query(
            """
            UPDATE life SET state = ?, block = ?, detail = ?, witness = NULL, changed = ? WHERE id = ? \
            AND state IN (?, ?)
            """,
            [
                Self.word(block == nil ? .submitted : .inBlock), block.map { .blob($0.bytes) } ?? .null,
                Self.text(detail), .integer(at), .integer(id), Self.word(.submitted), Self.word(.inBlock),
            ])
    }

    /// Keeps how a transaction ended. That one has expired changes none that a final block is said to have,
    /// and none that was replaced, which would lose what was proven of it.
    /// - Parameters:
    ///   - state: final, failed or expired.
    ///   - block: the final block that has it; nil for an expired one.
    ///   - detail: why it failed or expired.
    ///   - witness: who says so.
    public func settle(
        _ id: Int64, _ state: HotTransaction.State, block: Hash32?, detail: String?, witness: String,
        at: Int64
    ) throws {
        let kept: [HotTransaction.State] = state == .expired ? [.final, .failed, .replaced] : []
        let places = kept.map { _ in "?" }.joined(separator: ", ")
        let values: [SQLiteValue] = [
            Self.word(state), block.map { .blob($0.bytes) } ?? .null, Self.text(detail), .text(witness),
            .integer(at), .integer(id),
        ]
        try connection.query(
            """
            UPDATE life SET state = ?, block = ?, detail = ?, witness = ?, changed = ? WHERE id = ? \
            AND state NOT IN (\(places))
            """, values + kept.map { Self.word($0) })
    }

    // MARK: Removing

    /// Removes all transactions of an intent that is over.
    /// - Parameter id: one of them.
    /// - Returns: how many there were.
    /// - Throws: ``HotStoreError/transactionIsOpen(_:state:)`` while one of them may take effect: its record
    ///   is what keeps it from being paid twice.
    public func removeTransactions(with id: Int64) throws -> Int {
        try connection.transaction {
            let row = try transaction(id)
            let all = try transactions(of: row.intent)
            guard Self.areOver(all) else {
                let open = all.first { $0.extrinsic != nil && !$0.hasExpired } ?? row
                let words = open.state == .expired ? " by \(open.witness ?? "nobody")" : ""
                throw HotStoreError.transactionIsOpen(open.id, state: open.state.rawValue + words)
            }
            try connection.query("DELETE FROM life WHERE intent = ?", [.integer(row.intent)])
            return all.count
        }
    }

    private func isOver(_ intent: Int64) throws -> Bool {
        try transactions(of: intent).contains { $0.state.isFinal }
    }

    /// Whether a final block has one of them, or none was signed here except those that have expired.
    private static func areOver(_ all: [HotTransaction]) -> Bool {
        all.contains { $0.state.isFinal } || all.allSatisfy { $0.extrinsic == nil || $0.hasExpired }
    }

    /// - Parameter own: the intent of the transaction that was just made.
    private func prune(but own: Int64, at: Int64) throws {
        let count = try connection.query("SELECT count(*) FROM life").first?.first?.integer ?? 0
        guard count > Self.keptTransactions else { return }
        var excess = Int(count) - Self.keptTransactions
        for (intent, all) in Dictionary(grouping: try transactions(), by: \.intent).sorted(by: {
            $0.key < $1.key
        }) where excess > 0 && intent != own && Self.areOver(all) {
            // Where all the older ones are open, what would go is what a device is just asked to sign.
            let isWaiting = all.contains { $0.state == .made && $0.added > at - Self.madeSeconds }
            guard !isWaiting else { continue }
            try connection.query("DELETE FROM life WHERE intent = ?", [.integer(intent)])
            excess -= all.count
        }
    }

    private static func word(_ state: HotTransaction.State) -> SQLiteValue { .text(state.rawValue) }
    private static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    private static func number(_ number: UInt64?) -> SQLiteValue {
        number.flatMap { Int64(exactly: $0) }.map { .integer($0) } ?? .null
    }
}
