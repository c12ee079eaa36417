import Hashing
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// Code a4: numbers around one transaction, taken off before anything reads it.
@Suite struct ClaimedFactsLaws {
    private static let transactions: [PayloadCode] = [
        .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
        .derivedTransactionWithProof,
    ]

    @Test(arguments: transactions, 0..<40)
    func `A transaction inside claims is the transaction without them, byte for byte`(
        code: PayloadCode, seed: UInt64
    ) throws {
        var generator = Generator(seed: seed << 8 | UInt64(code.rawValue))
        let made = generator.payload(code)
        let plain = try #require(made)
        let claims = generator.claims()
        let bytes = try claims.around(plain)
        #expect(
            bytes.starts(with: [0x53, plain.prelude.scheme!.rawValue, 0xa4])
                && bytes.suffix(plain.bytes.count).elementsEqual(plain.bytes))
        let read = try Payload(bytes)
        #expect(read.claims == claims && plain.claims == nil)
        #expect(read.bytes == plain.bytes && read.prelude == plain.prelude && read.content == plain.content)
        // Claims about it are replaced, never stacked.
        let again = generator.claims()
        #expect(try again.around(read) == again.around(plain))
    }

    /// `Payloads.md` in `heliograph.docc` prints these claims.
    @Test func `The encoding is the documented one`() throws {
        var claims = ClaimedFacts()
        claims.fee = 159_154_905
        claims.existentialDeposit = 10_000_000_000
        claims.block = 21_000_000
        claims.time = 1_700_000_000
        let expected =
            "00" + "01d9827c09000000000000000000000000" + "00" + "0100e40b54020000000000000000000000" + "00"
            + "01406f400100000000"
            + "0100f1536500000000"
        #expect(Hex.encode(claims.bytes) == expected)
        #expect(ClaimedFacts().bytes == [0, 0, 0, 0, 0, 0, 0])
        let payload = try Payload(Sample.transaction)
        #expect(
            Hex.encode(try claims.around(payload)) == "5301a4" + expected + Hex.encode(Sample.transaction))
    }

    @Test(arguments: PayloadCode.allCases) func `Claims stand around one transaction and nothing else`(
        code: PayloadCode
    ) throws {
        var generator = Generator(seed: UInt64(code.rawValue))
        let inner =
            code == .claimedFacts
            ? try ClaimedFacts().around(Payload(Sample.transaction))
            : generator.encoded(code) ?? [0x53, 1, code.rawValue]
        let scheme = inner[1]
        let outer = [0x53, scheme, 0xa4] + ClaimedFacts().bytes + inner
        if Self.transactions.contains(code) {
            #expect(try Payload(outer).bytes == inner)
        } else {
            #expect(throws: PayloadError.notClaimable(code)) { try Payload(outer) }
            if let payload = try? Payload(inner), code != .claimedFacts {
                #expect(throws: PayloadError.notClaimable(code)) { try ClaimedFacts().around(payload) }
            }
        }
    }

    @Test func `No bulk holds claims`() throws {
        let claimed = try ClaimedFacts().around(Payload(Sample.transaction))
        let bulk =
            [0x53, 0xff, 0x04, 0]
            + SCALEWriter.encode { $0.vector([claimed]) { $0.byteVector($1.dropFirst()) } }
        #expect(throws: PayloadError.notSignable(.claimedFacts)) { try Payload(bulk) }
    }

    @Test(arguments: [UInt8(0), 2, 3, 0xff]) func `Claims name the scheme of their transaction`(scheme: UInt8)
        throws
    {
        var bytes = try ClaimedFacts().around(Payload(Sample.transaction))
        bytes[1] = scheme
        #expect(throws: PayloadError.claimsOfAnotherScheme) { try Payload(bytes) }
    }

    @Test(arguments: 0..<8) func `What is cut, longer or of another version is refused`(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let claims = generator.claims()
        let bytes = try claims.around(Payload(Sample.transaction))
        // The sample has three bytes of extensions, whose end only metadata tells.
        expectCut(bytes, upTo: bytes.count - 3)
        for version in UInt8(1)...255 {
            var other = bytes
            other[Prelude.length] = version
            #expect(
                throws: PayloadError.malformed(
                    place: "claimed facts", SCALEError(.invalidDiscriminant(version), offset: 3))
            ) {
                try Payload(other)
            }
        }
        // A byte too many is one in front of the transaction.
        let tail = Array(bytes.dropFirst(Prelude.length + claims.bytes.count))
        #expect(throws: PayloadError.notAPayload(firstByte: 0)) {
            try Payload(Array(bytes.prefix(3)) + claims.bytes + [0] + tail)
        }
    }
}
