import Hashing
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// Code a8: a state proof around one transaction, taken off before anything reads it. Laws 2 to 6 of the
/// state proofs.
@Suite struct StateEnvelopeLaws {
    private static let transactions: [PayloadCode] = [
        .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
        .derivedTransactionWithProof,
    ]

    private static func refused(_ failure: StateFailure, _ bytes: [UInt8]) {
        #expect(throws: PayloadError.stateProof(failure)) { try Payload(bytes) }
    }

    /// A payload from parts as a sender may write them.
    private static func payload(
        header: [UInt8] = [1], items: [[UInt8]] = [], hops: [[UInt8]] = [], nodes: [[UInt8]] = [],
        inner: [UInt8] = Sample.transaction
    ) -> [UInt8] {
        [0x53, 1, 0xa8, 0]
            + SCALEWriter.encode { writer in
                writer.byteVector(header)
                writer.vector(items) { $0.raw($1) }
                writer.vector(hops) { $0.raw($1) }
                writer.vector(nodes) { $0.byteVector($1) }
                writer.raw(inner)
            }
    }

    @Test(arguments: transactions, 0..<40)
    func `2 A transaction inside a state proof is the transaction alone, byte for byte`(
        code: PayloadCode, seed: UInt64
    ) throws {
        var generator = Generator(seed: seed << 8 | UInt64(code.rawValue))
        let made = generator.payload(code)
        let plain = try #require(made)
        let envelope = generator.stateEnvelope()
        guard plain.prelude.scheme != .ethereum else {
            #expect(throws: PayloadError.stateProof(.content(code))) { try envelope.around(plain) }
            Self.refused(.content(.transaction), [0x53, 3, 0xa8] + envelope.bytes + plain.bytes)
            return
        }
        for claims in [nil, generator.claims()] {
            let inner = try claims.map { try Payload($0.around(plain)) } ?? plain
            let bytes = try envelope.around(inner)
            let read = try Payload(bytes)
            #expect(read.state == envelope && read.claims == claims)
            #expect(
                read.bytes == plain.bytes && read.prelude == plain.prelude && read.content == plain.content)
            #expect(try envelope.around(read) == bytes)
            // A proof about it is replaced, never stacked, and claims stay where they are.
            let other = generator.stateEnvelope()
            #expect(try other.around(read) == other.around(inner))
            // Only a count or a length decides where the envelope ends, so what is cut is refused.
            for count in 0..<(3 + envelope.bytes.count) {
                #expect(throws: PayloadError.self) { try Payload(Array(bytes.prefix(count))) }
            }
        }
    }

    @Test(arguments: PayloadCode.allCases) func `6 A state proof stands around one transaction or its claims`(
        code: PayloadCode
    ) throws {
        var generator = Generator(seed: UInt64(code.rawValue))
        let transaction = try Payload(Sample.transaction)
        let envelope = StateEnvelope(header: [1], items: [], nodes: [])
        let inner: [UInt8] =
            switch code {
            case .claimedFacts: try ClaimedFacts().around(transaction)
            case .stateProof: try envelope.around(transaction)
            case _: generator.payload(code)?.bytes ?? [0x53, 1, code.rawValue]
            }
        let outer = [0x53, inner[1], 0xa8] + envelope.bytes + inner
        if Self.transactions.contains(code), inner[1] != 3 || code == .claimedFacts {
            #expect(try Payload(outer).bytes == inner)
        } else if code == .claimedFacts {
            #expect(try Payload(outer).bytes == Sample.transaction)
        } else if !Self.transactions.contains(code) {
            Self.refused(.content(code), outer)
            if let payload = try? Payload(inner), payload.state == nil {
                #expect(throws: PayloadError.stateProof(.content(code))) { try envelope.around(payload) }
            }
        }
    }

    @Test func `6 Claims around a state proof, a bulk of one, and what is no payload are refused`() throws {
        let proven = Self.payload()
        #expect(throws: PayloadError.notClaimable(.stateProof)) {
            try Payload([0x53, 1, 0xa4] + ClaimedFacts().bytes + proven)
        }
        let bulk =
            [0x53, 0xff, 0x04, 0]
            + SCALEWriter.encode { $0.vector([proven]) { $0.byteVector($1.dropFirst()) } }
        #expect(throws: PayloadError.notSignable(.stateProof)) { try Payload(bulk) }
        for inner in [[], [0x53, 1], [0x54, 1, 2, 0], [0x53, 9, 2], [0x53, 1, 0x99]] as [[UInt8]] {
            Self.refused(.content(nil), Self.payload(inner: inner))
        }
        for scheme in [UInt8(0), 2, 3, 0xff] {
            Self.refused(.scheme, [0x53, scheme] + proven.dropFirst(2))
        }
    }

    @Test(arguments: UInt8(1)...255) func `3 Another version is refused`(version: UInt8) {
        var bytes = Self.payload()
        bytes[3] = version
        Self.refused(.malformed(offset: 3), bytes)
    }

    @Test func `4 Counts and lengths are in the shortest compact form`() {
        let start: [UInt8] = [0x53, 1, 0xa8, 0]
        // The header's length, then the counts of items, hops and nodes, then a node's length.
        Self.refused(.malformed(offset: 4), start + [1, 0])
        Self.refused(.malformed(offset: 5), start + [0, 1, 0])
        Self.refused(.malformed(offset: 6), start + [0, 0, 1, 0])
        Self.refused(.malformed(offset: 7), start + [0, 0, 0, 1, 0])
        Self.refused(.malformed(offset: 8), start + [0, 0, 0, 4, 2, 0, 0, 0])
        for length in [0, 63, 64, 4_095, 4_096] {
            #expect((try? Payload(Self.payload(header: [UInt8](repeating: 1, count: length))).state) != nil)
        }
    }

    @Test func `5 Items ascend strictly, and name neither runtime nor time`() throws {
        let account = [2] + [UInt8](repeating: 7, count: 32)
        let later = [2] + [UInt8](repeating: 8, count: 32)
        #expect(try Payload(Self.payload(items: [account, later, [0x0e], [0x0f]])).state?.items.count == 4)
        for items in [[later, account], [account, account], [[0x0f], [0x0e]]] {
            Self.refused(.itemOrder, Self.payload(items: items))
            let hop = [0xec, 3, 0, 0] + SCALEWriter.encode { $0.vector(items) { $0.raw($1) } }
            Self.refused(.itemOrder, Self.payload(hops: [hop]))
        }
        for kind in [UInt8(0), 1] { Self.refused(.itemOrder, Self.payload(items: [[kind]])) }
        for kind in UInt8(0x10)...0xff { Self.refused(.unknownItem(kind), Self.payload(items: [[kind]])) }
        // An argument too short: the payload ends within it.
        let short = [0x53, 1, 0xa8, 0, 0, 4, 2] + [UInt8](repeating: 7, count: 31)
        Self.refused(.malformed(offset: 7), short)
    }

    @Test func `5 Items are ordered by their bytes, whatever their order was`() {
        var generator = Generator(seed: 5)
        for _ in 0..<100 {
            let envelope = generator.stateEnvelope()
            let mixed = StateEnvelope(
                header: envelope.header, items: envelope.items.shuffled(using: &generator) + envelope.items,
                hop: envelope.hop, nodes: envelope.nodes)
            #expect(mixed == envelope)
            #expect(
                envelope.items.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
                    == envelope.items.map(\.bytes))
        }
    }

    @Test func `10 17 18 Each limit holds on both of its sides`() {
        func taken(_ bytes: [UInt8]) { #expect(throws: Never.self) { try Payload(bytes) } }
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        taken(Self.payload(header: zeros(4_096)))
        Self.refused(.limit(.header, 4_097), Self.payload(header: zeros(4_097)))
        taken(Self.payload(nodes: [[UInt8]](repeating: [0], count: 256)))
        Self.refused(.limit(.nodes, 257), Self.payload(nodes: [[UInt8]](repeating: [0], count: 257)))
        taken(Self.payload(nodes: [zeros(16_384)]))
        Self.refused(.limit(.node, 16_385), Self.payload(nodes: [zeros(16_385)]))
        taken(Self.payload(nodes: [zeros(16_384), zeros(16_384), zeros(16_384)]))
        Self.refused(
            .limit(.allNodes, 49_153),
            Self.payload(nodes: [zeros(16_384), zeros(16_384), zeros(16_384), [0]]))
        let items = (UInt8(0)..<25).map { [2, $0] + zeros(31) }
        taken(Self.payload(items: items.dropLast()))
        Self.refused(.limit(.items, 25), Self.payload(items: items))
        let hop = [0xec, 3, 0, 0, 0] as [UInt8]
        taken(Self.payload(hops: [hop]))
        Self.refused(.limit(.hops, 2), Self.payload(hops: [hop, hop]))
        func location(_ count: Int) -> [UInt8] { [5] + SCALEWriter.encode { $0.byteVector(zeros(count)) } }
        taken(Self.payload(items: [location(256)]))
        Self.refused(.limit(.key, 257), Self.payload(items: [location(257)]))
        // A count that no machine has the memory for is refused before anything is allocated.
        let endless = [0x53, 1, 0xa8, 0] + [0x13] + [UInt8](repeating: 0xff, count: 8)
        Self.refused(.limit(.header, .max), endless)
    }
}
