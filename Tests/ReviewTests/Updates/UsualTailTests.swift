import SubstratePrimitives
import Testing

@testable import Review

/// Which runtime a transaction is for, where no stored layout reads it.
@Suite struct UsualTailLaws {
    private static let genesis = GenesisHash.blake2b(of: [1])

    private static func tail(_ version: [UInt8]) -> [UInt8] {
        version + [25, 0, 0, 0] + genesis.bytes + Hash32.blake2b(of: [2]).bytes
    }

    @Test func `the version stands eight bytes before the genesis hash`() {
        // 2003000 = 0x1e9038
        #expect(
            UsualTail.version(body: [5, 3, 0] + Self.tail([0x38, 0x90, 0x1e, 0]), genesis: Self.genesis)
                == 2_003_000)
    }

    @Test func `the last genesis hash counts, as a call may hold one too`() {
        let body = Self.tail([1, 0, 0, 0]) + Self.tail([2, 0, 0, 0]) + [0]
        #expect(UsualTail.version(body: body, genesis: Self.genesis) == 2)
    }

    @Test func `an immortal transaction names the genesis hash twice`() {
        let body =
            [5, 3, 0, 0x38, 0x90, 0x1e, 0, 25, 0, 0, 0] + Self.genesis.bytes + Self.genesis.bytes + [0]
        #expect(UsualTail.version(body: body, genesis: Self.genesis) == 2_003_000)
    }

    @Test func `a number that no runtime has is not a version`() {
        #expect(UsualTail.version(body: Self.tail([0x99, 0x99, 0x99, 0xe5]), genesis: Self.genesis) == nil)
        let body = [1, 0, 0, 0, 0, 0, 1, 0] + Self.genesis.bytes
        #expect(UsualTail.version(body: body, genesis: Self.genesis) == nil)
    }

    @Test func `without a genesis hash, with nothing before it, or with version 0 there is none`() {
        #expect(UsualTail.version(body: [], genesis: Self.genesis) == nil)
        #expect(UsualTail.version(body: Self.genesis.bytes, genesis: Self.genesis) == nil)
        #expect(
            UsualTail.version(
                body: [1, 2, 3] + Self.genesis.bytes + [1, 2, 3, 4, 5, 6, 7, 8], genesis: Self.genesis) == nil
        )
        #expect(UsualTail.version(body: Self.tail([0, 0, 0, 0]), genesis: Self.genesis) == nil)
        #expect(UsualTail.version(body: Self.tail([1, 0, 0, 0]), genesis: Hash32.blake2b(of: [9])) == nil)
    }
}
