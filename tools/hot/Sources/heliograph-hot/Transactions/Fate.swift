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
/// - It cannot come: the account's nonce is beyond its own, or its era is over.
/// - It did not come: the account's nonce is exactly its own, or none of the blocks of its era has it, with
///   whatever signature. An account that is emptied loses its nonce and begins at 0 again, so a nonce below
///   its own does not show that it did not come.
///
/// A node that lies about any of this makes a person pay twice, so the words of one node are not enough for
/// another nonce: see ``Remake``.
struct Fate: Sendable {
    /// A transaction as nodes are asked about it.
    struct Asked: Sendable {
        let id: Int64
        let content: HotTransaction.Content
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
    /// The account's next nonce there; nil where the chain keeps accounts in another way.
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
        // Where the nonce is exactly theirs, none of them came, and no block needs to be searched.
        if let nonce, asked.allSatisfy({ $0.content.nonce == nonce }) {
            return Fate(
                block: head, nonce: nonce, births: births, found: nil, similar: nil, search: .whole)
        }
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
        /// It may still take effect; the first block that cannot have it, or nil if it never expires.
        case open(until: UInt32?)
        /// None of them came, and none can: another transaction has the nonce of this one.
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
        if case .unknown(let reason) = absence(of: all) { return .unknown(reason) }
        for other in [one] + all where !isUsed(other) && !isOver(other) {
            return .open(until: end(of: other))
        }
        guard let end = end(of: one), isOver(one), !isUsed(one) else { return .overtaken }
        return .over(at: end)
    }

    private enum Absence { case shown, unknown(String) }

    /// Whether no final block has any of them.
    private func absence(of all: [Asked]) -> Absence {
        guard let nonce else { return .unknown("the chain keeps accounts in its own way") }
        if all.allSatisfy({ $0.content.nonce == nonce }) { return .shown }
        if case .partial(let reason) = search { return .unknown(reason) }
        return .shown
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
