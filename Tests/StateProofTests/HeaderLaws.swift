import Forge
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import StateProof

/// Laws 2, 4, 9 and 10: one header has one encoding.
@Suite struct BlockHeaderLaws {
    private static func item(_ kind: Int, _ data: [UInt8]) -> BlockHeader.DigestItem {
        let engine = Array("BABE".utf8)
        return switch kind {
        case 0: .other(data)
        case 1: .consensus(engine: engine, data)
        case 2: .seal(engine: engine, data)
        case 3: .preRuntime(engine: engine, data)
        default: .runtimeEnvironmentUpdated
        }
    }

    private static func header(
        number: UInt32 = 1, _ digest: [BlockHeader.DigestItem] = []
    ) -> BlockHeader {
        BlockHeader(
            parent: .blake2b(of: [1]), number: number, stateRoot: .blake2b(of: [2]),
            extrinsicsRoot: .blake2b(of: [3]), digest: digest)
    }

    @Test func `2 9 Headers with random digests of every kind decode to themselves`() throws {
        var random = SeededGenerator.printed("BlockHeaderLaws")
        for _ in 0..<200 {
            let digest = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Self.item(
                    Int.random(in: 0...4, using: &random),
                    random.bytes([0, 1, 63, 64, 100].randomElement(using: &random)!))
            }
            let header = Self.header(number: UInt32(truncatingIfNeeded: random.next()), digest)
            let bytes = header.encoded
            #expect(try BlockHeader(bytes) == header)
            #expect(throws: StateProofError.header(offset: bytes.count)) { try BlockHeader(bytes + [0]) }
            for count in 0..<bytes.count {
                #expect(throws: StateProofError.self) { try BlockHeader(Array(bytes.prefix(count))) }
            }
        }
    }

    @Test(arguments: [
        UInt32(0), 63, 64, 16_383, 16_384, 1_073_741_823, 1_073_741_824, UInt32.max,
    ]) func `4 The number takes the shortest of the compact forms`(number: UInt32) throws {
        let header = Self.header(number: number)
        #expect(try BlockHeader(header.encoded) == header)
        // The next wider form of the same number.
        let length = header.encoded.count - 32 * 3 - 1
        let wide: [UInt8]? =
            switch length {
            case 1: [UInt8(truncatingIfNeeded: number << 2 | 1), UInt8(truncatingIfNeeded: number >> 6)]
            case 2: SCALEWriter.encode { $0.integer(number << 2 | 2) }
            case 4: [3] + number.littleEndianBytes
            default: [7] + number.littleEndianBytes + [0]
            }
        let bytes = header.encoded
        let longer = bytes.prefix(32) + wide! + bytes.dropFirst(32 + length)
        #expect(throws: StateProofError.header(offset: 32)) { try BlockHeader(Array(longer)) }
    }

    @Test func `9 A number of 33 bits is refused`() throws {
        let bytes = Self.header(number: .max).encoded
        let wide = bytes.prefix(32) + [7, 0, 0, 0, 0, 1] + bytes.dropFirst(32 + 5)
        #expect(throws: StateProofError.header(offset: 32)) { try BlockHeader(Array(wide)) }
    }

    @Test(arguments: UInt8(0)...255) func `9 Only the digest items of today are read`(byte: UInt8) throws {
        // 33 bytes of number and hashes come first, then a count of 1.
        let bytes = Self.header().encoded.dropLast() + [4, byte]
        let rest: [UInt8]? =
            switch byte {
            case 0: [4, 9]
            case 4, 5, 6: [1, 2, 3, 4, 4, 9]
            case 8: []
            default: nil
            }
        if let rest {
            #expect(try BlockHeader(Array(bytes + rest)).digest.count == 1)
        } else {
            #expect(throws: StateProofError.header(offset: 98)) { try BlockHeader(Array(bytes)) }
            #expect(throws: StateProofError.header(offset: 98)) { try BlockHeader(Array(bytes + [0, 0, 0])) }
        }
    }

    @Test func `9 At most 64 digest items are read`() throws {
        let many = Self.header([BlockHeader.DigestItem](repeating: .runtimeEnvironmentUpdated, count: 64))
        #expect(try BlockHeader(many.encoded) == many)
        let more = Self.header([BlockHeader.DigestItem](repeating: .runtimeEnvironmentUpdated, count: 65))
        #expect(throws: StateProofError.header(offset: 99)) { try BlockHeader(more.encoded) }
    }

    @Test func `10 A header has at most 4,096 bytes`() throws {
        let empty = Self.header([.other([])]).encoded.count + 1
        let largest = Self.header([.other([UInt8](repeating: 7, count: 4_096 - empty))])
        #expect(largest.encoded.count == 4_096)
        #expect(try BlockHeader(largest.encoded) == largest)
        let larger = Self.header([.other([UInt8](repeating: 7, count: 4_097 - empty))])
        #expect(throws: StateProofError.limit(.header, 4_097)) { try BlockHeader(larger.encoded) }
        // An epoch of Polkadot puts all authorities into the header.
        let epoch = Self.header([.consensus(engine: Array("BABE".utf8), [UInt8](repeating: 7, count: 16_000))]
        )
        #expect(throws: StateProofError.limit(.header, epoch.encoded.count)) {
            try BlockHeader(epoch.encoded)
        }
    }

    @Test func `48 The relay state is exactly one item of 33 bytes or more`() throws {
        let root = Hash32.blake2b(of: [9])
        func relay(_ count: Int) -> BlockHeader.DigestItem {
            .consensus(engine: Array("RPSR".utf8), (root.bytes + [4, 0]).prefix(count).map { $0 })
        }
        let noise: [BlockHeader.DigestItem] = [
            .preRuntime(engine: Array("RPSR".utf8), root.bytes + [4]),
            .seal(engine: Array("RPSR".utf8), root.bytes + [4]),
            .consensus(engine: Array("RPSX".utf8), root.bytes + [4]),
        ]
        #expect(try Self.header(noise + [relay(33)]).relayStateRoot() == root)
        #expect(try Self.header([relay(34)]).relayStateRoot() == root)
        for digest in [noise, [relay(32)], [relay(33), relay(33)], []] {
            #expect(throws: StateProofError.hop(.noRelayState)) {
                try Self.header(digest).relayStateRoot()
            }
        }
    }
}
