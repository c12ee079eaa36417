import Hashing
import RaptorQ
import TestSupport
import Testing

/// What PyPI `raptorq` sends for the same payloads, frozen by `tools/dev golden raptorq`.
struct InteropTests {
    struct Document: Decodable {
        let origin: String
        let numbering: String
        let cases: [Case]
    }

    struct Case: Decodable, CustomTestStringConvertible {
        let id: String
        let comment: String
        let length: Int
        let symbol: Int
        let repair: Int
        let packets: Int
        let blake2b_256: String
        let whole: [String]?

        var testDescription: String { "\(id): \(comment)" }
    }

    static func cases(_ version: String) -> [(RepairNumbering, Case)] {
        guard let document = try? Checkout.json("fixtures/raptorq/packets-\(version).json", as: Document.self)
        else { return [] }
        return document.cases.map { (document.numbering == "kPrime" ? .kPrime : .rfc6330, $0) }
    }

    static let all = cases("1.8.0") + cases("2.0.0")

    @Test func theFixturesAreThere() {
        #expect(Self.all.count == 30)
        #expect(Set(Self.all.map(\.0)) == [.kPrime, .rfc6330])
    }

    @Test(arguments: all)
    func theEncoderSendsTheSameBytesAsTheRustCrate(numbering: RepairNumbering, expected: Case) throws {
        let encoder = try RaptorQEncoder(
            payload: drawn(expected.length), symbolLength: expected.symbol, numbering: numbering)
        let packets = encoder.packets(repair: expected.repair)
        #expect(packets.count == expected.packets)
        #expect(Hex.encode(BLAKE2b.hash(Array(packets.joined()))) == expected.blake2b_256)
    }

    @Test(arguments: all.filter { $0.1.whole != nil })
    func packetsOfTheRustCrateDecodeFromTheLastOnesAlone(numbering: RepairNumbering, expected: Case) throws {
        let packets = try #require(expected.whole).map { try #require(Hex.decode($0)) }
        var decoder = try RaptorQDecoder(payloadLength: expected.length, packetLength: expected.symbol)
        for packet in packets.reversed() where try decoder.add(packet: packet).isComplete { break }
        #expect(decoder.candidates.map(\.payload) == [drawn(expected.length)])
    }

    /// The payload whose seed is its length.
    private func drawn(_ length: Int) -> [UInt8] {
        var random = Xorshift(seed: UInt64(length))
        var bytes: [UInt8] = []
        while bytes.count < length { withUnsafeBytes(of: random.next().littleEndian) { bytes += $0 } }
        return Array(bytes.prefix(length))
    }
}
