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
        for state in [HotTransaction.State.final, .failed, .expired] {
            try store.settle(id, state, block: .blake2b(of: [3]), detail: "d", witness: "w", at: 105)
            try store.note(id, block: nil, detail: "the pool dropped it", at: 106)
            try store.takeBack(id, at: 106)
            #expect(try store.giveAway(id, [1], at: 107) == state)
            #expect(try store.transaction(id).state == state && store.transaction(id).detail == "d")
        }
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
        let new = try store.replace(old.id, with: content(2, nonce: 5), detail: "d", witness: "w", at: 102)
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
        for nonce in 1...UInt64(HotStore.keptTransactions + 5) {
            let content = HotTransaction.Content(
                network: "a", genesisHash: .blake2b(of: [9]), payload: [0x53],
                digest: .blake2b(of: Array("\(nonce)".utf8)), account: [2], nonce: nonce, period: nil,
                eraBlock: nil, call: "c", callHash: .blake2b(of: [1]), head: [1], tail: [2],
                signatureLength: 64)
            _ = try store.keep(content, at: 102)
        }
        let rows = try store.transactions()
        #expect(rows.count == HotStore.keptTransactions)
        #expect(rows.first == (try store.transaction(open.id)) && rows[1].content.nonce == 7)
    }
}
