import CRaptorQOctets
import Testing

/// Row operations against the field's definition, on every vector unit that this processor has.
@Suite(.serialized)
struct OctetTests {
    static let units = [RAPTORQ_PORTABLE, RAPTORQ_SSSE3, RAPTORQ_AVX2, RAPTORQ_NEON]
    static let lengths = Array(0...70) + [127, 128, 129, 159, 160, 176, 255, 256, 1072]

    /// Multiplication by its definition: polynomials over GF(2), modulo x^8 + x^4 + x^3 + x^2 + 1.
    private func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var sum = 0
        for bit in 0..<8 where b >> bit & 1 != 0 { sum ^= Int(a) << bit }
        for bit in stride(from: 14, through: 8, by: -1) where sum >> bit & 1 != 0 {
            sum ^= 0x11d << (bit - 8)
        }
        return UInt8(sum)
    }

    private func drawn(_ count: Int, _ random: inout Xorshift) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func onEachUnit(_ body: () -> Void) {
        defer { raptorq_limit_vector_unit(RAPTORQ_NEON) }
        for unit in Self.units where raptorq_limit_vector_unit(unit) == unit { body() }
    }

    @Test func multiplesOfEveryFactorAreProductsInTheField() {
        var random = Xorshift(seed: 1)
        let source = Array(UInt8.min...UInt8.max)
        let target = drawn(256, &random)
        onEachUnit {
            for factor in UInt8.min...UInt8.max {
                var sum = target
                raptorq_add_multiple(&sum, source, factor, 256)
                #expect(sum == zip(target, source).map { $0 ^ product(factor, $1) })
                var scaled = source
                raptorq_scale(&scaled, factor, 256)
                #expect(scaled == source.map { product(factor, $0) })
            }
        }
    }

    @Test func everyLengthIsTreatedToItsLastOctetAndNoFurther() {
        var random = Xorshift(seed: 2)
        let source = drawn(1100, &random)
        let target = drawn(1100, &random)
        onEachUnit {
            for length in Self.lengths {
                var sum = target
                raptorq_add_multiple(&sum, source, 0x8e, length)
                #expect(
                    sum == target.indices.map { target[$0] ^ ($0 < length ? product(0x8e, source[$0]) : 0) })
                var scaled = target
                raptorq_scale(&scaled, 0x53, length)
                #expect(scaled == target.indices.map { $0 < length ? product(0x53, target[$0]) : target[$0] })
            }
        }
    }

    @Test func rowsAreAddedByTheirIndices() {
        var random = Xorshift(seed: 3)
        let rows = drawn(8 * 1100, &random)
        let first = drawn(1100, &random)
        onEachUnit {
            for length in Self.lengths {
                for indices: [Int32] in [[], [3], [0, 7, 2], [1, 1, 5, 6, 4]] {
                    var target = [UInt8](repeating: 0xee, count: 1100)
                    raptorq_xor_rows(&target, first, rows, 1100, indices, indices.count, length)
                    var plain = target
                    raptorq_xor_rows(&plain, nil, rows, 1100, indices, indices.count, length)
                    for place in 0..<1100 {
                        let sum = indices.reduce(0) { $0 ^ rows[Int($1) * 1100 + place] }
                        #expect(target[place] == (place < length ? first[place] ^ sum : 0xee))
                        #expect(plain[place] == (place < length ? sum : 0xee))
                    }
                }
            }
        }
    }

    @Test func aStepOfTheHDPCRowsDoublesAddsAndSpreads() {
        var random = Xorshift(seed: 4)
        let (start, source) = (drawn(1100, &random), drawn(1100, &random))
        let bits = (0..<18).map { _ in random.next() }
        onEachUnit {
            for length in Self.lengths {
                for added in [source, source.indices.map { UInt8(bits[$0 / 64] >> UInt64($0 % 64) & 1) }] {
                    var (accumulator, first, second) = (start, source, start)
                    if added == source {
                        raptorq_hdpc_step(&accumulator, added, &first, &second, length)
                    } else {
                        raptorq_hdpc_step_bits(&accumulator, bits, &first, &second, length)
                    }
                    let expected = start.indices.map {
                        $0 < length ? product(2, start[$0]) ^ added[$0] : start[$0]
                    }
                    #expect(accumulator == expected)
                    #expect(first == source.indices.map { source[$0] ^ ($0 < length ? expected[$0] : 0) })
                    #expect(second == start.indices.map { start[$0] ^ ($0 < length ? expected[$0] : 0) })
                }
                var target = source
                raptorq_add_multiple_of_bits(&target, bits, 0xa7, length)
                let isSet = { (place: Int) in bits[place / 64] >> UInt64(place % 64) & 1 != 0 }
                #expect(
                    target == source.indices.map { $0 < length && isSet($0) ? source[$0] ^ 0xa7 : source[$0] }
                )
            }
        }
    }
}
