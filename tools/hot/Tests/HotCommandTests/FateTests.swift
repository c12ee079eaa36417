import Hashing
import HotStore
import SubstratePrimitives
import Testing

@testable import ChainRPC
@testable import heliograph_hot

/// What finalized blocks prove of the transactions of one intent.
@Suite struct FateLaws {
    private func content(_ seed: UInt8, nonce: UInt64?, period: UInt32?) -> HotTransaction.Content {
        HotTransaction.Content(
            network: "a", genesisHash: .blake2b(of: [9]), payload: [0x53, seed],
            digest: .blake2b(of: [seed]), account: [2], nonce: nonce, period: period, eraBlock: nil,
            call: "c", callHash: .blake2b(of: [1]), head: [0x84, 0, 2, 1], tail: [7, 7], signatureLength: 3)
    }

    private func asked(_ id: UInt8, nonce: UInt64? = 4, period: UInt32? = 64) -> Fate.Asked {
        Fate.Asked(Int64(id), content(id, nonce: nonce, period: period), isSigned: true)
    }

    private func fate(
        at number: UInt32, nonce: UInt64?, births: [Int64: UInt32] = [1: 500, 2: 520],
        found: Fate.Found? = nil,
        similar: Hash32? = nil, search: Fate.Search = .whole
    ) -> Fate {
        Fate(
            block: BlockReference(number: number, hash: .blake2b(of: [1])), nonce: nonce, births: births,
            found: found, similar: similar, search: search)
    }

    @Test func `an unused nonce inside the era proves nothing impossible`() {
        let one = asked(1)
        #expect(fate(at: 563, nonce: 4).verdict(on: one, among: [one]) == .open(until: 564, unseen: nil))
        #expect(fate(at: 564, nonce: 4).verdict(on: one, among: [one]) == .over(at: 564))
        #expect(
            fate(at: 563, nonce: 4, search: .partial("r")).verdict(on: one, among: [one])
                == .open(until: 564, unseen: "r"))
    }

    @Test(arguments: [UInt64(0), 4])
    func `a nonce that is its own proves nothing before every block of the era is searched`(nonce: UInt64) {
        // An account that the chain does not know has the nonce 0: its first transaction emptied it. One
        // that is used again comes to any other nonce again.
        let one = asked(1, nonce: nonce)
        #expect(
            fate(at: 564, nonce: nonce, search: .partial("r")).verdict(on: one, among: [one])
                == .unknown("r"))
        #expect(fate(at: 564, nonce: nonce).verdict(on: one, among: [one]) == .over(at: 564))
    }

    @Test func `a used nonce ends no era, because it may begin again`() {
        let (one, two, immortal) = (asked(1), asked(2), asked(3, period: nil))
        #expect(fate(at: 563, nonce: 5).running([one, immortal]) == 564)
        #expect(fate(at: 564, nonce: 5).running([one, immortal]) == nil)
        #expect(fate(at: 564, nonce: 5).running([one, two]) == 584)
        #expect(fate(at: 584, nonce: 5).running([one, two]) == nil)
    }

    @Test func `a used nonce proves nothing before every block of the era is searched`() {
        let one = asked(1)
        #expect(fate(at: 510, nonce: 5).verdict(on: one, among: [one]) == .overtaken)
        #expect(
            fate(at: 510, nonce: 5, search: .partial("r")).verdict(on: one, among: [one]) == .unknown("r"))
        let hash = Hash32.blake2b(of: [5])
        let seen = fate(at: 510, nonce: 5, similar: hash).verdict(on: one, among: [one])
        guard case .unknown = seen else {
            Issue.record("\(seen)")
            return
        }
        let found = Fate.Found(id: 1, block: hash, extrinsic: [1])
        #expect(fate(at: 510, nonce: 4, found: found).verdict(on: one, among: [one]) == .found(found))
    }

    @Test func `an account that is emptied loses its nonce, so a lower one proves nothing`() {
        let one = asked(1)
        #expect(
            fate(at: 564, nonce: 0, search: .partial("r")).verdict(on: one, among: [one]) == .unknown("r"))
        #expect(fate(at: 564, nonce: 0).verdict(on: one, among: [one]) == .over(at: 564))
        #expect(fate(at: 510, nonce: 0).verdict(on: one, among: [one]) == .open(until: 564, unseen: nil))
        guard case .unknown = fate(at: 564, nonce: nil).verdict(on: one, among: [one]) else {
            Issue.record("a chain without nonces proves nothing")
            return
        }
    }

    @Test func `one that never expires, or whose first block is unknown, stays possible`() {
        let immortal = asked(1, period: nil)
        #expect(
            fate(at: 9_999, nonce: 4).verdict(on: immortal, among: [immortal])
                == .open(until: nil, unseen: nil))
        let one = asked(1)
        #expect(
            fate(at: 9_999, nonce: 4, births: [:]).verdict(on: one, among: [one])
                == .open(until: nil, unseen: nil))
        let unnumbered = asked(1, nonce: nil)
        #expect(
            fate(at: 510, nonce: 9).verdict(on: unnumbered, among: [unnumbered])
                == .open(until: 564, unseen: nil))
    }

    @Test func `every transaction of the intent has to be impossible`() {
        let (one, two) = (asked(1), asked(2, nonce: 5))
        // The first is overtaken, the second may come.
        let open = Fate.Verdict.open(until: 584, unseen: nil)
        #expect(fate(at: 570, nonce: 5).verdict(on: one, among: [one, two]) == open)
        #expect(fate(at: 570, nonce: 5).verdict(on: two, among: [one, two]) == open)
        #expect(fate(at: 584, nonce: 5).verdict(on: two, among: [one, two]) == .over(at: 584))
        #expect(fate(at: 570, nonce: 6).verdict(on: two, among: [one, two]) == .overtaken)
    }

    @Test func `a transaction is recognized with any signature, and suspected with another address`() {
        let own = content(1, nonce: 4, period: 64)
        #expect(own.match([0x84, 0, 2, 1, 0, 0, 0, 7, 7]) == .same)
        #expect(own.match([0x84, 0, 2, 1, 9, 8, 7, 7, 7]) == .same)
        // An address of another form and length, another form, and the same account with another scheme.
        #expect(own.match([0x84, 1, 4, 0, 1, 0, 0, 0, 7, 7]) == .similar)
        #expect(own.match([0x84, 3, 2, 1, 0, 0, 0, 7, 7]) == .similar)
        #expect(own.match([0x84, 0, 2, 0, 0, 0, 0, 7, 7]) == .similar)
        #expect(own.match([0x84, 0, 2, 1, 0, 0, 7, 7]) == .similar)
        // Another account's own, another content, and too little.
        #expect(own.match([0x84, 0, 3, 1, 0, 0, 0, 7, 7]) == nil)
        #expect(own.match([0x84, 0, 2, 1, 0, 0, 0, 7, 8]) == nil)
        #expect(own.match([7, 7]) == nil && own.match([]) == nil)
    }

    @Test func `a line of the list is as wide as an old terminal`() throws {
        let desk = try Desk()
        let store = try HotStore(directory: desk.folder.path)
        let long = HotTransaction.Content(
            network: String(repeating: "n", count: 64), genesisHash: .blake2b(of: [9]), payload: [0x53],
            digest: .blake2b(of: [1]), account: [2], nonce: .max / 2, period: nil, eraBlock: nil,
            call: String(repeating: "é\u{1b}", count: 64), callHash: .blake2b(of: [1]), head: [], tail: [],
            signatureLength: 64)
        for line in [TxTable.heading, TxTable.line(try store.keep(long, at: 1_800_000_000))] {
            #expect(line.count <= 80 && line.utf8.allSatisfy { $0 != 0x1b }, "\(line)")
        }
    }
}
