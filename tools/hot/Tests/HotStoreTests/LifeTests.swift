import Hashing
import SubstratePrimitives
import Testing

@testable import HotStore

/// What the database keeps of a transaction, from its payload to its end.
@Suite struct LifeLaws {
    private let scratch = Scratch()
    private let store: HotStore

    init() throws { store = try scratch.open() }

    private func content(_ seed: UInt8, nonce: UInt64? = 4, call: UInt8 = 1) -> HotTransaction.Content {
        HotTransaction.Content(
            network: "a", genesisHash: .blake2b(of: [9]), payload: [0x53, seed],
            digest: .blake2b(of: [seed]), account: [UInt8](repeating: 2, count: 32), nonce: nonce, period: 64,
            eraBlock: .blake2b(of: [8]), call: "Balances.transfer", callHash: .blake2b(of: [call]),
            head: [1, seed], tail: [2, seed], signatureLength: 64)
    }

    private func kept(_ seed: UInt8, nonce: UInt64? = 4, call: UInt8 = 1) throws -> HotTransaction {
        try store.keep(content(seed, nonce: nonce, call: call), at: 100)
    }

    @Test func `a transaction is kept once, and is there after a restart`() throws {
        let row = try kept(1)
        #expect(row.content == content(1) && row.state == .made && row.intent == row.id)
        #expect(try kept(1) == row)
        #expect(try scratch.open().transactions() == [row])
        #expect(throws: HotStoreError.unknownTransaction(7)) { try store.transaction(7) }
    }

    @Test func `the same call with the same nonce is the same intent until a block has it`() throws {
        let (one, two) = (try kept(1), try kept(2))
        #expect(two.intent == one.intent)
        #expect(try kept(3, nonce: 5).intent != one.intent && kept(4, call: 2).intent != one.intent)
        #expect(try kept(5, nonce: nil, call: 3).intent != kept(6, nonce: nil, call: 3).intent)
        try store.settle(two.id, .final, block: nil, detail: nil, witness: "w", at: 101)
        #expect(try kept(7).intent != one.intent)
    }

    @Test func `what was given away is not called signed or made again`() throws {
        let id = try kept(1).id
        try store.keepSigned([1], of: id, at: 101)
        #expect(try store.transaction(id).state == .signed)
        #expect(try store.giveAway(id, [1], at: 102) == .signed)
        try store.keepSigned([2], of: id, at: 103)
        let row = try store.transaction(id)
        #expect(row.state == .submitted && row.extrinsic == [1] && row.changed == 102)
        try store.takeBack(id, at: 104)
        #expect(try store.transaction(id).state == .signed)
        for state in [HotTransaction.State.expired, .final, .failed] {
            try store.settle(id, state, block: .blake2b(of: [3]), detail: "d", witness: "w", at: 105)
            try store.note(id, block: nil, detail: "the pool dropped it", at: 106)
            try store.takeBack(id, at: 106)
            #expect(try store.giveAway(id, [1], at: 107) == state)
            #expect(try store.transaction(id).state == state && store.transaction(id).detail == "d")
        }
    }

    @Test(arguments: [HotTransaction.State.final, .failed])
    func `what a final block is said to have does not expire`(state: HotTransaction.State) throws {
        let id = try kept(1).id
        try store.settle(id, state, block: .blake2b(of: [3]), detail: "d", witness: "w", at: 101)
        let row = try store.transaction(id)
        try store.settle(id, .expired, block: nil, detail: "e", witness: "a liar", at: 102)
        #expect(try store.transaction(id) == row)
        let old = try kept(2, call: 2)
        _ = try store.replace(old.id, with: content(3, call: 2), detail: "d", witness: nil, at: 101)
        let replaced = try store.transaction(old.id)
        try store.settle(old.id, .expired, block: nil, detail: "e", witness: "a liar", at: 102)
        #expect(try store.transaction(old.id) == replaced)
    }

    @Test func `a signature counts as open until several hosts agree that it has expired`() throws {
        let one = try kept(1)
        func warned() throws -> [Int64] { try store.signed(like: kept(9, nonce: 9)).map(\.id) }
        #expect(try warned() == [])
        // Printed, and not sent by this program.
        try store.keepSigned([1], of: one.id, at: 101)
        #expect(try warned() == [one.id])
        try store.settle(one.id, .expired, block: nil, detail: "d", witness: "one node's word", at: 102)
        #expect(try warned() == [one.id])
        #expect(throws: HotStoreError.transactionIsOpen(one.id, state: "expired by one node's word")) {
            try store.removeTransactions(with: one.id)
        }
        try store.settle(one.id, .expired, block: nil, detail: "d", witness: "agreed by a, b", at: 103)
        #expect(try warned() == [])
        // A signature of one that was replaced may come as well, until a final block has one of the intent.
        let new = try store.replace(one.id, with: content(2), detail: "d", witness: nil, at: 104)
        #expect(try warned() == [one.id])
        try store.giveAway(new.id, [2], at: 105)
        #expect(try warned() == [one.id, new.id])
        try store.settle(new.id, .final, block: nil, detail: nil, witness: "w", at: 106)
        #expect(try warned() == [])
    }

    @Test func `of two nonces for one intent only one is sent`() throws {
        let one = try kept(1)
        try store.giveAway(one.id, [1], at: 101)
        // Without a proof about the signed one there is no other nonce, and an unknown one is another one.
        for (seed, nonce) in [(UInt8(2), UInt64?(5)), (3, nil)] {
            #expect(throws: HotStoreError.otherNonce(one.id)) {
                try store.replace(
                    one.id, with: content(seed, nonce: nonce), detail: "d", witness: nil, at: 102)
            }
        }
        let two = try store.replace(
            one.id, with: content(2, nonce: 5), impossible: [one.id], detail: "d", witness: "w", at: 102)
        // Made again elsewhere with the old nonce, and sent first.
        let third = try kept(3)
        #expect(third.intent == one.intent)
        try store.giveAway(third.id, [3], at: 103)
        #expect(throws: HotStoreError.otherNonce(third.id)) { try store.giveAway(two.id, [2], at: 104) }
        #expect(try store.transaction(two.id).extrinsic == nil)
        #expect(throws: HotStoreError.otherNonce(third.id)) {
            try store.keep(content(4, nonce: 5), at: 104)
        }
        // One node's word does not end it, and that of several hosts does.
        try store.settle(third.id, .expired, block: nil, detail: "d", witness: "one node's word", at: 105)
        #expect(throws: HotStoreError.otherNonce(third.id)) { try store.giveAway(two.id, [2], at: 106) }
        try store.settle(third.id, .expired, block: nil, detail: "d", witness: "agreed by a, b", at: 107)
        #expect(try store.giveAway(two.id, [2], at: 108) == .made)
        // A final one ends the intent for all of them.
        try store.settle(third.id, .final, block: nil, detail: nil, witness: "w", at: 109)
        #expect(throws: HotStoreError.transactionIsOver(third.id, state: "final")) {
            try store.giveAway(two.id, [2], at: 110)
        }
    }

    @Test func `a proof for another nonce stands in every transaction that it is about`() throws {
        let one = try kept(1)
        try store.giveAway(one.id, [1], at: 101)
        let two = try store.replace(one.id, with: content(2), detail: "d", witness: nil, at: 102)
        try store.giveAway(two.id, [2], at: 103)
        let added = try kept(3)
        try store.keepSigned([3], of: added.id, at: 104)
        // The one that was added while nodes were asked is in the way.
        #expect(throws: HotStoreError.otherNonce(added.id)) {
            try store.replace(
                two.id, with: content(4, nonce: 5), impossible: [one.id, two.id], detail: "d", witness: "w",
                at: 105)
        }
        let new = try store.replace(
            two.id, with: content(4, nonce: 5), impossible: [one.id, two.id, added.id], detail: "e",
            witness: "w", at: 105)
        let rows = try store.transactions().dropLast()
        #expect(rows.allSatisfy { $0.state == .replaced && $0.witness == "w" && $0.detail == "e" })
        #expect(rows.map(\.successor) == [two.id, new.id, new.id])
        #expect(try store.giveAway(new.id, [4], at: 106) == .made)
    }

    @Test func `a note names a block that is not final, or none`() throws {
        let (id, block) = (try kept(1).id, Hash32.blake2b(of: [3]))
        try store.note(id, block: block, detail: "d", at: 101)
        #expect(try store.transaction(id).state == .made)
        try store.giveAway(id, [1], at: 102)
        try store.note(id, block: block, detail: "d", at: 103)
        #expect(try store.transaction(id).state == .inBlock && store.transaction(id).block == block)
        try store.note(id, block: nil, detail: "e", at: 104)
        #expect(try store.transaction(id).state == .submitted && store.transaction(id).block == nil)
    }

    @Test func `of two transactions for one intent only the newer one is sent`() throws {
        let old = try kept(1)
        try store.giveAway(old.id, [1], at: 101)
        let new = try store.replace(
            old.id, with: content(2, nonce: 5), impossible: [old.id], detail: "d", witness: "w", at: 102)
        #expect(new.intent == old.intent && new.state == .made)
        let row = try store.transaction(old.id)
        #expect(row.state == .replaced && row.successor == new.id && row.witness == "w")
        let refusal = HotStoreError.replacedTransaction(old.id, by: new.id)
        #expect(throws: refusal) { try store.giveAway(old.id, [1], at: 103) }
        #expect(throws: refusal) {
            try store.replace(old.id, with: content(3), detail: "d", witness: nil, at: 103)
        }
        #expect(try store.transactions().count == 2)
        #expect(try store.giveAway(new.id, [2], at: 104) == .made)
        // The newer one is the same again within one block, and the old one is not.
        #expect(
            try store.replace(new.id, with: content(2, nonce: 5), detail: "d", witness: nil, at: 105).id
                == new.id)
        #expect(throws: HotStoreError.transactionIsOver(old.id, state: "replaced")) {
            try store.replace(new.id, with: content(1), detail: "d", witness: nil, at: 105)
        }
        #expect(try store.transaction(new.id).state == .submitted)
    }

    @Test(arguments: [HotTransaction.State.final, .failed])
    func `nothing replaces what a final block has`(state: HotTransaction.State) throws {
        let id = try kept(1).id
        try store.settle(id, state, block: .blake2b(of: [3]), detail: nil, witness: "w", at: 101)
        #expect(throws: HotStoreError.transactionIsOver(id, state: state.rawValue)) {
            try store.replace(id, with: content(2), detail: "d", witness: nil, at: 102)
        }
        #expect(try store.transactions().count == 1)
    }

    @Test func `a record stays while its transaction may take effect`() throws {
        let one = try kept(1)
        try store.keepSigned([1], of: one.id, at: 101)
        #expect(throws: HotStoreError.transactionIsOpen(one.id, state: "signed")) {
            try store.removeTransactions(with: one.id)
        }
        let new = try store.replace(one.id, with: content(2), detail: "d", witness: nil, at: 102)
        #expect(throws: HotStoreError.transactionIsOpen(one.id, state: "replaced")) {
            try store.removeTransactions(with: new.id)
        }
        try store.settle(new.id, .final, block: nil, detail: nil, witness: "w", at: 103)
        #expect(try store.removeTransactions(with: one.id) == 2)
        #expect(try store.transactions().isEmpty)
        // What was never signed here goes as well; a number is not used again.
        let unsigned = try kept(3)
        #expect(unsigned.id > new.id)
        #expect(try store.removeTransactions(with: unsigned.id) == 1)
    }

    @Test func `the oldest that are over go when there are too many`() throws {
        let open = try kept(0, nonce: 0)
        try store.giveAway(open.id, [1], at: 101)
        let count = HotStore.keptTransactions + 5
        for nonce in 1...UInt64(count) { _ = try numbered(nonce, at: 102) }
        // What was made within a week may be answered yet.
        let later = 102 + HotStore.madeSeconds
        _ = try numbered(UInt64(count) + 1, at: later - 1)
        #expect(try store.transactions().count == count + 2)
        _ = try numbered(UInt64(count) + 2, at: later)
        let rows = try store.transactions()
        #expect(rows.count == HotStore.keptTransactions)
        #expect(rows.first == (try store.transaction(open.id)) && rows[1].content.nonce == 9)
    }

    @Test func `what was just made stays, however many older ones are open`() throws {
        for nonce in 1...UInt64(HotStore.keptTransactions) {
            try store.giveAway(try numbered(nonce, at: 102).id, [1], at: 102)
        }
        let row = try numbered(0, at: 103)
        #expect(try store.transaction(row.id) == row)
        let later = 103 + 2 * HotStore.madeSeconds
        let last = try numbered(9_999, at: later)
        #expect(try store.transactions().last == last && store.transactions().count == 1_001)
    }

    private func numbered(_ nonce: UInt64, at: Int64) throws -> HotTransaction {
        let content = HotTransaction.Content(
            network: "a", genesisHash: .blake2b(of: [9]), payload: [0x53],
            digest: .blake2b(of: Array("\(nonce)".utf8)), account: [2], nonce: nonce, period: nil,
            eraBlock: nil, call: "c", callHash: .blake2b(of: [1]), head: [1], tail: [2],
            signatureLength: 64)
        return try store.keep(content, at: at)
    }
}
