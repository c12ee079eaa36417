import ChainRPC
import HotStore
import Lines
import NodeAnswers
import SubstratePrimitives

/// What finalized blocks say of the transactions that were made for one intent.
///
/// A second transaction with the same nonce costs nothing: a chain takes one of the two. One with another
/// nonce pays twice, unless no block can have any of the others any more. So each of these has to hold for
/// every one of them, at one finalized block:
///
/// - It cannot come: its era is over. A nonce of the account beyond its own says so for as long only as the
///   account is not emptied: see ``running(_:)``.
/// - It did not come: none of the blocks of its era has it, with whatever signature. No nonce shows that. An
///   account that is emptied loses its nonce and begins at 0 again, and a chain tells 0 of an account that
///   it does not know. So one that sent everything away with its first transaction has the very nonce of
///   that transaction, and one that was emptied and used again can have any.
///
/// A node that lies about any of this makes a person pay twice, so the words of one node are not enough for
/// another nonce: see ``Remake``.
struct Fate: Sendable {
    /// A transaction as nodes are asked about it.
    struct Asked: Sendable {
        let id: Int64
        let content: HotTransaction.Content
        /// Whether there is a signature of it here, which anybody may have.
        let isSigned: Bool

        init(_ row: HotTransaction) { self.init(row.id, row.content, isSigned: row.extrinsic != nil) }

        init(_ id: Int64, _ content: HotTransaction.Content, isSigned: Bool) {
            (self.id, self.content, self.isSigned) = (id, content, isSigned)
        }
    }

    struct Found: Sendable, Equatable {
        let id: Int64
        let block: Hash32
        let extrinsic: [UInt8]
    }

    /// How much of the eras was searched.
    enum Search: Sendable, Equatable {
        /// Every block of every era, as far as there are any.
        case whole
        /// Why not.
        case partial(String)
    }

    /// The newest finalized block.
    let block: BlockReference
    /// The account's next nonce there, 0 for an account that the chain does not know; nil where the chain
    /// keeps accounts in another way.
    let nonce: UInt64?
    /// The first block of each era, by the transaction's number; without those that never expire and those
    /// whose block the node does not have.
    let births: [Int64: UInt32]
    let found: Found?
    /// A block with an extrinsic that may be one of them.
    let similar: Hash32?
    let search: Search

    /// Blocks that are searched at most: as many as the era of a group's transaction has.
    static let searchedBlocks = 4_096
    /// Blocks that are searched for a transaction that never expires, from the newest on.
    private static let recentBlocks: UInt32 = 64

    /// All of it, for a comparison.
    var facts: [NodeFact] {
        [
            NodeFact("block", "\(block.number)"), NodeFact("block hash", "0x\(block.hash.hex)"),
            NodeFact("nonce", nonce.map { "\($0)" } ?? "unknown"),
            NodeFact(
                "eras", births.sorted { $0.key < $1.key }.map { "\($0.value)" }.joined(separator: " ")),
            NodeFact("block with the transaction", (found?.block ?? similar).map { "0x\($0.hex)" } ?? "none"),
            NodeFact("searched", search == .whole ? "all blocks" : "not all blocks"),
        ]
    }

    // MARK: Asking

    /// Asks one node about one block.
    static func ask(_ node: NodeConnection, at choice: BlockChoice, _ asked: [Asked]) async throws -> Fate {
        let genesis = asked[0].content.genesisHash
        let other = try await node.genesisHash()
        guard other == genesis else { throw RPCError.wrongChain(expected: genesis, found: other) }
        let head = try await node.block(choice)
        let nonce = try await node.nonce(of: asked[0].content.account, at: head.hash).map { UInt64($0) }
        var births: [Int64: UInt32] = [:]
        for one in asked { births[one.id] = try await birth(node, one.content) }
        // The blocks are searched whatever the nonce is: it may have begun again.
        var (numbers, search) = blocks(asked, births, head.number)
        var similar: Hash32?
        for number in numbers.sorted() {
            let found: (hash: Hash32, bodies: [[UInt8]])
            do {
                let hash = try await node.block(.number(number)).hash
                let body = try await node.extrinsics(of: hash)
                guard body.number == number else { throw RPCError.unexpectedAnswer(.block) }
                found = (hash, body.bodies)
            } catch RPCError.noSuchBlock {
                search = .partial("\(node.url) does not have block \(number)")
                continue
            }
            for extrinsic in found.bodies {
                for one in asked {
                    switch one.content.match(extrinsic) {
                    case .same?:
                        return Fate(
                            block: head, nonce: nonce, births: births,
                            found: Found(id: one.id, block: found.hash, extrinsic: extrinsic), similar: nil,
                            search: search)
                    case .similar?: similar = similar ?? found.hash
                    case nil: break
                    }
                }
            }
        }
        return Fate(
            block: head, nonce: nonce, births: births, found: nil, similar: similar, search: search)
    }

    /// The number of the block that an era counts from; nil if the node's chain does not have it.
    private static func birth(_ node: NodeConnection, _ content: HotTransaction.Content) async throws
        -> UInt32?
    {
        guard content.period != nil, let hash = content.eraBlock else { return nil }
        do {
            let block = try await node.block(.hash(hash))
            return try await node.block(.number(block.number)).hash == hash ? block.number : nil
        } catch RPCError.noSuchBlock {
            return nil
        }
    }

    /// The numbers of the blocks that can have one of them, and whether these are all.
    private static func blocks(_ asked: [Asked], _ births: [Int64: UInt32], _ newest: UInt32) -> (
        Set<UInt32>, Search
    ) {
        var numbers: Set<UInt32> = []
        var search = Search.whole
        for one in asked {
            guard let period = one.content.period else {
                numbers.formUnion((newest - min(newest, recentBlocks - 1))...newest)
                search = .partial("transaction \(one.id) never expires, so any block may have it")
                continue
            }
            guard let birth = births[one.id] else {
                search = .partial("the block that the era of transaction \(one.id) starts at is unknown")
                continue
            }
            guard birth <= newest else { continue }
            numbers.formUnion(birth...min(newest, birth.addingSaturating(period - 1)))
        }
        guard numbers.count <= searchedBlocks else {
            return (
                Set(numbers.sorted().suffix(searchedBlocks)),
                .partial("their eras have \(numbers.count) blocks, of which \(searchedBlocks) are searched")
            )
        }
        return (numbers, search)
    }

    // MARK: What follows

    enum Verdict: Sendable, Equatable {
        /// A final block has it.
        case found(Found)
        /// It may still take effect; the first block that cannot have it, or nil if it never expires. With
        /// why it may have done so already, or nil if every block was searched.
        case open(until: UInt32?, unseen: String?)
        /// None of them came, and none can while the account's nonce does not begin again: another
        /// transaction has the nonce of this one. See ``Fate/running(_:)``.
        case overtaken
        /// None of them came, and none can: the first block behind the era of this one.
        case over(at: UInt32)
        /// Why nothing is proven.
        case unknown(String)
    }

    /// What is proven of one of them, and of all of them together.
    /// - Parameter all: every transaction of the intent.
    func verdict(on one: Asked, among all: [Asked]) -> Verdict {
        if let found { return .found(found) }
        if let similar {
            return .unknown("block 0x\(similar.hex) has an extrinsic that may be this transaction")
        }
        guard nonce != nil else { return .unknown("the chain keeps accounts in its own way") }
        var unseen: String?
        if case .partial(let reason) = search { unseen = reason }
        for other in [one] + all where !isUsed(other) && !isOver(other) {
            return .open(until: end(of: other), unseen: unseen)
        }
        if let unseen { return .unknown(unseen) }
        guard let end = end(of: one), isOver(one), !isUsed(one) else { return .overtaken }
        return .over(at: end)
    }

    /// The first block behind all eras of these; nil if that is here.
    ///
    /// A nonce that is used makes a signature void for as long as the account exists. One that is emptied
    /// begins again, and whoever has the signature may send it then. So before another nonce is given, the
    /// eras of all that were signed are over.
    func running(_ some: [Asked]) -> UInt32? {
        some.compactMap { end(of: $0) }.filter { block.number < $0 }.max()
    }

    private func end(of one: Asked) -> UInt32? {
        guard let period = one.content.period, let birth = births[one.id] else { return nil }
        return birth.addingSaturating(period)
    }

    private func isOver(_ one: Asked) -> Bool { end(of: one).map { block.number >= $0 } ?? false }

    private func isUsed(_ one: Asked) -> Bool {
        guard let nonce, let own = one.content.nonce else { return false }
        return nonce > own
    }
}
