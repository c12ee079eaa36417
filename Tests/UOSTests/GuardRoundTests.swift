import Hashing
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// Codes a9, aa and ab: the rounds of a guarded signature around one transaction, and the answer to the
/// first.
@Suite struct GuardRoundLaws {
    private static let transactions: [PayloadCode] = [
        .transactionMortal, .transaction, .derivedTransaction, .transactionWithProof,
        .derivedTransactionWithProof,
    ]

    private static func rounds(_ generator: inout Generator) -> [GuardRound] {
        let reveal = generator.bytes(32)
        return [
            .commitment(generator.bytes(32)), .reveal(GuardReveal(reveal, point: generator.bytes(32))),
        ]
    }

    private static func refused(_ failure: GuardFailure, _ bytes: [UInt8]) {
        #expect(throws: PayloadError.guarded(failure)) { try Payload(bytes) }
    }

    @Test(arguments: transactions, 0..<40)
    func `A guarded transaction is the transaction alone, byte for byte, with all that stands around it`(
        code: PayloadCode, seed: UInt64
    ) throws {
        var generator = Generator(seed: seed << 8 | UInt64(code.rawValue))
        let made = generator.payload(code)
        let plain = try #require(made)
        let (claims, envelope) = (generator.claims(), generator.stateEnvelope())
        for round in Self.rounds(&generator) {
            let scheme = plain.prelude.scheme
            guard scheme == .sr25519 || scheme == .ed25519 else {
                #expect(throws: PayloadError.guarded(.unsupported(scheme))) { try round.around(plain) }
                Self.refused(
                    .unsupported(scheme),
                    [0x53, plain.bytes[1], round.code.rawValue] + round.bytes + plain.bytes)
                continue
            }
            let claimed = try Payload(claims.around(plain))
            let proven = try Payload(envelope.around(claimed))
            for inner in [plain, claimed, proven] {
                let bytes = try round.around(inner)
                let read = try Payload(bytes)
                #expect(
                    read.guardRound == round && read.state == inner.state && read.claims == inner.claims)
                #expect(
                    read.bytes == plain.bytes && read.prelude == plain.prelude
                        && read.content == plain.content)
                #expect(try round.around(read) == bytes)
                // A round about it is replaced, never stacked.
                let again = Self.rounds(&generator)[0]
                #expect(try again.around(read) == again.around(inner))
                for count in 0..<(3 + round.bytes.count) {
                    #expect(throws: PayloadError.self) { try Payload(Array(bytes.prefix(count))) }
                }
            }
            #expect(plain.guardRound == nil)
        }
    }

    @Test(arguments: PayloadCode.allCases)
    func `A round stands around one transaction, its claims or its state proof, and around nothing else`(
        code: PayloadCode
    ) throws {
        var generator = Generator(seed: UInt64(code.rawValue))
        let transaction = try Payload(Sample.transaction)
        let rounds = Self.rounds(&generator)
        let inner: [UInt8] =
            switch code {
            case .claimedFacts: try ClaimedFacts().around(transaction)
            case .stateProof: try StateEnvelope(header: [1], items: [], nodes: []).around(transaction)
            case .guardCommitment: try rounds[0].around(transaction)
            case .guardReveal: try rounds[1].around(transaction)
            case _: generator.encoded(code) ?? [0x53, 1, code.rawValue]
            }
        for round in rounds {
            let outer = [0x53, inner[1], round.code.rawValue] + round.bytes + inner
            if code == .claimedFacts || code == .stateProof {
                #expect(try Payload(outer).bytes == Sample.transaction)
            } else if Self.transactions.contains(code) {
                guard inner[1] < 2 else { continue }
                #expect(try Payload(outer).bytes == inner)
            } else {
                Self.refused(.content(code), outer)
                if let payload = try? Payload(inner), payload.guardRound == nil {
                    #expect(throws: PayloadError.guarded(.content(code))) { try round.around(payload) }
                }
            }
            // Nothing but the program that made it puts anything around a round.
            let guarded = try round.around(transaction)
            #expect(throws: PayloadError.notClaimable(round.code)) {
                try Payload([0x53, 1, 0xa4] + ClaimedFacts().bytes + guarded)
            }
            let envelope = StateEnvelope(header: [1], items: [], nodes: [])
            #expect(throws: PayloadError.stateProof(.content(round.code))) {
                try Payload([0x53, 1, 0xa8] + envelope.bytes + guarded)
            }
            let bulk =
                [0x53, 0xff, 0x04, 0]
                + SCALEWriter.encode { $0.vector([guarded]) { $0.byteVector($1.dropFirst()) } }
            #expect(throws: PayloadError.notSignable(round.code)) { try Payload(bulk) }
        }
    }

    @Test func `Another version, another scheme byte, and what is no payload are refused`() throws {
        var generator = Generator(seed: 9)
        for round in Self.rounds(&generator) {
            let bytes = try round.around(Payload(Sample.transaction))
            for version in UInt8(1)...255 {
                var other = bytes
                other[3] = version
                #expect(
                    throws: PayloadError.malformed(
                        place: "guarded transaction", SCALEError(.invalidDiscriminant(version), offset: 3))
                ) { try Payload(other) }
            }
            for scheme in [UInt8(0), 2, 3, 0xff] {
                Self.refused(.otherScheme, [0x53, scheme] + bytes.dropFirst(2))
            }
            for inner in [[], [0x53, 1], [0x54, 1, 2, 0], [0x53, 9, 2], [0x53, 1, 0x99]] as [[UInt8]] {
                Self.refused(.content(nil), bytes.prefix(3) + round.bytes + inner)
            }
        }
    }

    /// Whatever asks for a signature, it is read first: a second value for one commitment never comes so far.
    @Test func `A value that its commitment does not fix is refused, whichever bit of either is another`()
        throws
    {
        var generator = Generator(seed: 3)
        let reveal = GuardReveal(generator.bytes(32), point: generator.bytes(32))
        let bytes = try GuardRound.reveal(reveal).around(Payload(Sample.transaction))
        #expect(try Payload(bytes).guardRound == .reveal(reveal))
        for bit in 0..<96 * 8 {
            var other = bytes
            other[4 + bit / 8] ^= 1 << UInt8(bit % 8)
            let isPoint = (32..<64).contains(bit / 8)
            if isPoint {
                #expect(try Payload(other).guardRound != .reveal(reveal))
            } else {
                Self.refused(.reveal, other)
            }
        }
    }

    /// `Payloads.md` in `heliograph.docc` prints these hashes.
    @Test func `Commitment and digest are SHA-512 under their domain, cut to 32 bytes`() {
        let domain = Array("HELIOGRAPH-GUARD-v1".utf8)
        let value = [UInt8](repeating: 7, count: 32)
        #expect(
            GuardHash.commitment(to: value)
                == Array(SHA512.hash(domain + [10] + Array("commitment".utf8) + value)[..<32]))
        #expect(
            GuardHash.payload(Sample.transaction)
                == Array(SHA512.hash(domain + [7] + Array("payload".utf8) + Sample.transaction)[..<32]))
    }

    @Test func `An answer reads back, other lengths, versions and schemes do not, and no signer takes one`() {
        var generator = Generator(seed: 5)
        for scheme in [SignatureScheme.sr25519, .ed25519] {
            let point = GuardPoint(
                scheme: scheme, commitment: generator.bytes(32), payload: generator.bytes(32),
                point: generator.bytes(32))
            #expect(Answer(point.bytes) == .guardPoint(point))
            #expect(Answer.guardPoint(point).bytes == point.bytes)
            #expect(Answer.guardPoint(point).text == Hex.encode(point.bytes))
            #expect(Answer(point.bytes + [0]) == nil && Answer(point.bytes.dropLast()) == nil)
            for (index, byte) in [(1, UInt8(2)), (1, 0xff), (3, 1), (2, 0xa9)] {
                var other = point.bytes
                other[index] = byte
                #expect(Answer(other) == nil)
            }
            Self.refused(.answer, point.bytes)
        }
    }
}
