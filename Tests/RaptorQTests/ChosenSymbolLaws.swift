import TestSupport
import Testing

@testable import RaptorQ

/// A sender chooses the ids of his symbols: those that nobody would draw are refused before they cost
/// anything, and those that a camera reads never are.
struct ChosenSymbolLaws {
    /// Symbols of one zero byte, for a payload of zeros: every symbol of it is zero.
    private func packet(_ id: UInt32) -> [UInt8] {
        [0, UInt8(id >> 16), UInt8(id >> 8 & 0xff), UInt8(id & 0xff), 0]
    }

    /// Ids, from a first one on, whose symbols are sums of 30 others: the highest degree there is. Of 100 ids
    /// about three have it, so there are enough for every block.
    private func dense(_ parameters: BlockParameters, _ count: Int) -> [UInt32] {
        let generator = TupleGenerator(parameters)
        let shift = UInt32(parameters.extendedSymbols - parameters.sourceSymbols)
        var ids: [UInt32] = []
        var id = UInt32(parameters.extendedSymbols)
        while ids.count < count {
            // In both numberings.
            if generator.tuple(id).degree == 30, shift == 0 || generator.tuple(id + shift).degree >= 20 {
                ids.append(id)
            }
            id += 1
        }
        return ids
    }

    @Test(.timeLimit(.minutes(1)), arguments: [1002, 2000, 6000])
    func symbolsThatNoPeelingSolvesAreRefusedBeforeTheyAreSolved(count: Int) throws {
        let parameters = BlockParameters(sourceSymbols: count)
        let ids = dense(parameters, count)
        var decoder = try RaptorQDecoder(payloadLength: count, packetLength: 1)
        for id in ids.dropLast() { try decoder.add(packet: packet(id)) }
        #expect(throws: RaptorQError.unsolvable(block: 0)) {
            try decoder.add(packet: packet(try #require(ids.last)))
        }
        // A refused transfer proves nothing, has no payload, and takes no more symbols.
        #expect(decoder.candidates.isEmpty && decoder.payload == nil)
        #expect(throws: RaptorQError.unsolvable(block: 0)) { try decoder.add(packet: packet(0)) }
    }

    /// Symbols that are zero for one payload that is not zero never tell it from zeros, and each would be a
    /// row of the dense matrix.
    @Test func symbolsThatDependOnEachOtherAreRefusedAfterAFew() throws {
        let encoder = try RaptorQEncoder(payload: Array(1...10), symbolLength: 1)
        let zeros = encoder.packets(repair: 40_000).filter { $0.last == 0 }
        var decoder = try RaptorQDecoder(payloadLength: 10, packetLength: 1)
        var taken = 0
        #expect(throws: RaptorQError.unsolvable(block: 0)) {
            for packet in zeros {
                try decoder.add(packet: packet)
                taken += 1
            }
        }
        #expect(taken == 10 + 64 && decoder.candidates.isEmpty)
    }

    /// Sets of K′ symbols as they come: any of an endless stream, the ones left of a stream with some lost,
    /// the source symbols alone, a run of repair symbols, and every other one.
    private func sets(_ count: Int, _ random: inout SeededGenerator) -> [[UInt32]] {
        let k = UInt32(count)
        let start = UInt32.random(in: k..<1 << 23, using: &random)
        func drawn(_ range: Range<UInt32>) -> [UInt32] {
            var ids = Set<UInt32>()
            while ids.count < count { ids.insert(UInt32.random(in: range, using: &random)) }
            return Array(ids)
        }
        return [
            drawn(k..<1 << 24), drawn(0..<k + k / 10 + 2), Array(0..<k), Array(start..<start + k),
            (0..<k).map { 2 * $0 },
        ]
    }

    /// Every K′ up to 1,000 and some beyond; all of them were measured once, with a bound six times as high
    /// as the highest count.
    @Test func drawnSymbolsStayFarBelowTheBound() {
        var random = SeededGenerator.printed("ids of drawn symbols")
        for row in 0..<BlockParameters.rowCount {
            let count = BlockParameters.extendedSymbols(row: row)
            guard count <= 1000 || row % 40 == 0 && count < 20_000 else { continue }
            let parameters = BlockParameters(sourceSymbols: count)
            for ids in sets(count, &random) {
                let peeling = Peeling(
                    SparseRows(parameters, symbols: ids), columns: parameters.ltSymbols,
                    maximumInactive: parameters.maximumInactive / 3)
                let isFar = peeling.isWhole
                #expect(isFar, "K′ = \(count)")
            }
        }
    }
}
